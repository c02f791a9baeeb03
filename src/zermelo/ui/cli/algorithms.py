"""``zermelo algorithms``: list and explain the algorithms."""

from __future__ import annotations

from typing import Annotated

import typer

from ...errors import UsageError
from .shared import Json, app, columns, emit

FEW = "one or two players, zero sum"


@app.command()
def algorithms(
    name: Annotated[str | None, typer.Argument(help="Explain this algorithm.")] = None,
    as_json: Json = False,
) -> None:
    """List the algorithms and the games that each supports."""
    from ...errors import suggest
    from ...search.algorithms import NAMES
    from ...search.algorithms import algorithms as table_of

    known = table_of()
    name = NAMES.get(name, name) if name is not None else None
    if name is not None and name not in known:
        raise UsageError(f"there is no algorithm {name!r}", suggest(name, known))
    chosen = [known[name]] if name else list(known.values())
    if as_json:
        emit(
            [
                {
                    "name": a.name,
                    "summary": a.summary,
                    "options": list(a.options),
                    "chance": a.chance,
                    "hidden": a.hidden,
                    "general_sum": a.general_sum,
                    "many_players": a.many_players,
                    "doc": a.doc,
                }
                for a in chosen
            ]
        )
    elif name:
        print(chosen[0].doc, end="")
    else:
        rows = [("ALGORITHM", "WHAT", "SUPPORTS")]
        for a in chosen:
            fits = ["any number of players, general sum" if a.many_players else FEW]
            fits += [w for w, on in (("chance", a.chance), ("hidden", a.hidden)) if on]
            rows.append((a.name, a.summary, ", ".join(fits)))
        columns(rows)
        print("\nauto: engine; alphabeta for trees and traces; expectiminimax with chance moves;")
        print("maxn for multi-player and general-sum games; ismcts with hidden information.")
        print("zermelo algorithms NAME explains one algorithm.")
