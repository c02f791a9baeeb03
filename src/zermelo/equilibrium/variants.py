"""The variants of counterfactual regret minimization, as the core declares them."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core
from ..errors import UsageError, suggest

DEFAULT_VARIANT = "cfr+"


class Variant(NamedTuple):
    """One row of the table in core/search/regret/variants.hpp."""

    name: str
    summary: str
    stores_tree: bool  # so that values and NashConv can be computed
    imperfect_recall: bool  # supports games with imperfect recall


VARIANTS = {row["name"]: Variant(**row) for row in _core.regret_variants()}


def find_variant(name: Any) -> Variant:
    """Return the variant of that name, or raise UsageError."""
    if not isinstance(name, str) or name not in VARIANTS:
        raise UsageError(f"unknown algorithm {name!r}", suggest(str(name), tuple(VARIANTS)))
    return VARIANTS[name]


def names_where(**wanted: bool) -> str:
    """The names of the variants with these properties, for messages."""
    return ", ".join(
        v.name for v in VARIANTS.values() if all(getattr(v, k) == x for k, x in wanted.items())
    )
