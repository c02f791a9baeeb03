"""Trees for the page: searched, with every step, folded where they are large."""

from __future__ import annotations

from typing import Any

from ..errors import UsageError
from ..game import Game
from ..result import Result
from ..search import search
from ..trace import Trace
from ..tree import tree
from ..view.number import bounded, number
from ..view.steps_html import stepper, steps_html
from ..view.steps_text import counts, steps_text, summary, tree_text
from ..view.tree_svg import tree_svg
from .asked import ExportAsked, TreeAsked
from .catalog import Catalog
from .desk import Stop
from .limits import Limits
from .plays import begin

MOST_LEAVES = 400  # whose order is told
MOST_TEXT = 2_000_000  # characters of an export
DEEPEST = 6  # levels of a game, unless a depth is asked for


def searched(
    catalog: Catalog, limits: Limits, asked: TreeAsked, stop: Stop
) -> tuple[Result, Trace]:
    """The result and its trace."""
    game: Game
    depth = asked.depth
    if asked.text is not None:
        game, state = tree(asked.text), None
    elif asked.game is not None:
        game = catalog.game(asked.game)
        state = begin(game, asked.position)
        depth = min(asked.depth or 2, DEEPEST)
    else:
        raise UsageError("there is no tree to search", "type one, or choose a game")
    options = {k: v for k, v in (("cut", asked.cut), ("fail", asked.fail)) if v is not None}
    r = search(
        game,
        state,
        asked.algorithm,
        depth=depth,
        time=limits.time,
        trace=True,
        stop=stop,
        **with_fitting(asked.algorithm, options),
    )
    if r.trace is None:
        what = "a single leaf" if asked.text is not None else "a game that is over"
        raise UsageError(f"{what} is no tree to search", "as in max(min(3 12 8) min(2 4 6))")
    return r, r.trace


def with_fitting(algorithm: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that the algorithm has, so that comparing two asks both the same."""
    from ..algorithms import algorithms

    found = algorithms().get(algorithm)
    known = found.options if found else algorithms()["alphabeta"].options
    fitting = {k: v for k, v in options.items() if k in known}
    return fitting | ({"deepen": False} if "deepen" in known else {})


def tree_view(catalog: Catalog, limits: Limits, asked: TreeAsked, stop: Stop) -> dict[str, Any]:
    """All that the page needs to step to and fro without asking again."""
    r, trace = searched(catalog, limits, asked, stop)
    made = stepper(trace, asked.nodes)
    visited, branches, saved, known = counts(trace)
    return made.data | {
        "svg": made.svg,
        "notes": made.notes,
        "algorithm": trace.algorithm,
        "summary": summary(trace),
        "value": bounded(r.value, r.kind),
        "values": [number(v) for v in r.values],
        "nodes": len(trace.nodes),
        "leaves": {"visited": visited, "cut": branches, "saved": saved, "known": known},
        "order": [bounded(n.value, n.kind) for n in trace.leaves[:MOST_LEAVES]],
        "why": r.why,
        "explain": r.explain(),
        "stopped": r.stopped,
    }


def export(
    catalog: Catalog, limits: Limits, asked: ExportAsked, stop: Stop
) -> tuple[str, str, str]:
    """A file's text, its media type and its name."""
    r, trace = searched(catalog, limits, asked, stop)
    if asked.format == "svg":
        svg = tree_svg(trace, step=asked.step, max_nodes=asked.nodes, theme=asked.theme)
        return svg, "image/svg+xml", "tree.svg"
    if asked.format == "html":
        page = steps_html(trace, title=r.game.name, max_nodes=asked.nodes)
        return page, "text/html", "tree.html"
    told = "\n".join([tree_text(trace), "", *steps_text(trace), "", str(r), ""])
    return told[:MOST_TEXT], "text/plain", "tree.txt"
