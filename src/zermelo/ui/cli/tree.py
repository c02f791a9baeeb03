"""``zermelo tree``: search an explicit tree and draw it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ...errors import UsageError
from ...game import facts_of
from ...result import Result
from .shared import Algo, Cut, Depth, Fail, Json, Prune, Seed, Ties, app, emit, read_text, write

EQUILIBRIUM_SECONDS = 10.0  # time limit for a tree with hidden information


@app.command()
def tree(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", help="A tree, e.g. max(min(3 12 8) min(2 4 6)); @FILE; - for stdin."
        ),
    ],
    algorithm: Algo = "auto",
    steps: Annotated[bool, typer.Option("--steps", help="Print every step of the search.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write a picture of the tree.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a web page that steps through the search.")
    ] = None,
    order: Annotated[
        str | None,
        typer.Option("--order", help="Sort the children of every node: best or worst first."),
    ] = None,
    cut: Cut = None,
    fail: Fail = None,
    ties: Ties = False,
    prune: Prune = None,
    depth: Depth = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Search an explicit tree and draw it."""
    from ...equilibrium.policy_trace import at_equilibrium
    from ...explicit.reorder import reordered
    from ...explicit.tree import tree as parse
    from ...search.algorithms import named
    from ...search.api import search
    from ...view.steps_text import steps_text, tree_text

    algorithm, options = named(algorithm)
    options = {"depth": depth, "seed": seed} | options
    options |= {"cut": cut, "fail": fail, "ties": ties or None, "prune": prune}
    options = {k: v for k, v in options.items() if v is not None}
    made = parse(read_text(text))
    if order is not None:
        made = reordered(made, order)
    if facts_of(made).hidden and algorithm == "auto" and not options:
        r = at_equilibrium(made, EQUILIBRIUM_SECONDS)[0]
    else:
        r = search(made, algorithm=algorithm, trace=True, **options)
    if r.trace is None:  # the whole tree is one leaf
        if svg is not None or html is not None:
            raise UsageError("a single leaf cannot be drawn as a tree", "e.g. max(3 5)")
        emit(r.to_json()) if as_json else print(r)
        return
    _write_pictures(r, svg, html)
    if as_json:
        emit(r.to_json())
    elif steps:
        for line in steps_text(r.trace, color=sys.stdout.isatty()):
            print(line)
    else:
        print(tree_text(r.trace), end="\n\n")
        print(r)


def _write_pictures(r: Result, svg: Path | None, html: Path | None) -> None:
    assert r.trace is not None
    if svg is not None:
        from ...view.tree_svg import tree_svg

        write(svg, tree_svg(r.trace))
    if html is not None:
        from ...view.steps_html import steps_html

        write(html, steps_html(r.trace, title=r.game.name))
