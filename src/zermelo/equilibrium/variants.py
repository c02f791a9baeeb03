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
    sampled: bool  # samples lines of play, so it uses a random seed

    @property
    def options(self) -> tuple[Limit, ...]:
        """The limits and options that the variant uses."""
        unused = {"target"} if not self.stores_tree else set()
        unused |= set() if self.sampled else {"seed"}
        return tuple(limit for limit in LIMITS if limit.name not in unused)


class Limit(NamedTuple):
    """A limit or an option of regret minimization."""

    name: str
    default: str
    expected: str
    doc: str


LIMITS = (
    Limit("iterations", "", "1 or more", "number of iterations"),
    Limit("target", "0.001", "0 or more", "stop at this NashConv; default if there is no limit"),
    Limit("time", "", "above 0", "time limit in seconds"),
    Limit("seed", "0", "a whole number", "random seed"),
)
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
