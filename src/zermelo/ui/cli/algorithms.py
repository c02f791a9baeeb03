"""``zermelo algorithms``: list and explain the algorithms."""

from __future__ import annotations

from typing import Annotated

import typer

from ...errors import UsageError, suggest
from .shared import Json, app, emit


@app.command()
def algorithms(
    name: Annotated[str | None, typer.Argument(help="Explain this algorithm.")] = None,
    as_json: Json = False,
) -> None:
    """List the algorithms and the games that each supports, or explain one and its options."""
    from ...equilibrium.variants import VARIANTS
    from ...search.algorithms import algorithms as table_of
    from ...search.algorithms import canonical_name
    from ...view.algorithms import algorithm_text, table_text, variant_text

    known = table_of()
    if name in VARIANTS:
        variant = VARIANTS[name]
        if as_json:
            emit([variant._asdict()])
        else:
            print(variant_text(variant))
        return
    key = canonical_name(name) if name is not None else None
    if key is not None and key not in known:
        raise UsageError(f"unknown algorithm {name!r}", suggest(str(name), [*known, *VARIANTS]))
    chosen = [known[key]] if key else list(known.values())
    if as_json:
        emit([a.to_dict() for a in chosen])
    else:
        print(algorithm_text(chosen[0]) if key else table_text(chosen))
