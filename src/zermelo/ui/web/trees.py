"""Trees for the page: searched, with every step, folded where they are large."""

from __future__ import annotations

import gc
import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from ...equilibrium.policy_trace import at_equilibrium
from ...errors import UsageError
from ...explicit.tree import Tree, tree
from ...game import Game, facts_of
from ...result import Result
from ...search import tracing
from ...search.algorithms import Algorithm, algorithms, choose
from ...search.api import search
from ...search.tracing import uncollected
from ...trace import Trace
from ...view.folding import Survey, Wishes
from ...view.number import bounded, number
from ...view.steps_html import stepper, steps_html
from ...view.steps_text import counts, steps_text, summary, tree_text
from ...view.tree_svg import tree_svg
from .asked import ExportAsked, FoldAsked, TreeAsked
from .catalog import EQUILIBRIUM_SECONDS, Catalog
from .executor import Stop
from .limits import Limits
from .plays import begin

MOST_LEAVES = 400  # whose order is told
MOST_TEXT = 2_000_000  # characters of an export
DEEPEST = 6  # levels of a game, unless a depth is asked for
SHELF = 1_000_000  # nodes and steps of the traces that are kept: some 200 MB
MOST_SPOTS = 6000  # of one picture
TIDY_EVERY = 200  # traces


class Gone(UsageError):
    """A trace that was put away; it can be searched again."""


@dataclass(frozen=True, slots=True)
class Book:
    """A search that pages fold and unfold."""

    key: str
    result: Result
    trace: Trace
    survey: Survey


class Shelf:
    """The traces looked at last, as many as there is room for.

    In a server they are frozen (`tracing.stays_frozen`): one look of the garbage collector at a
    million objects stops every thread for a second.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.books: OrderedDict[str, Book] = OrderedDict()
        self.made = 0  # traces since garbage was collected last

    def get(self, key: str) -> Book | None:
        with self.lock:
            if key in self.books:
                self.books.move_to_end(key)
            return self.books.get(key)

    def put(self, book: Book) -> None:
        with self.lock:
            self.books[book.key] = book
            while len(self.books) > 1 and sum(map(weight, self.books.values())) > SHELF:
                self.books.popitem(last=False)

    def tidy(self) -> None:
        """Now and then, collects the garbage that was frozen along with traces."""
        with self.lock:
            self.made += 1
            if self.made < TIDY_EVERY or not tracing.stays_frozen:
                return
            self.made = 0
            self.books.clear()
            gc.unfreeze()
            gc.collect()
            gc.freeze()


def weight(book: Book) -> int:
    return len(book.trace.nodes) + len(book.trace.events)


def key_of(asked: TreeAsked) -> str:
    """The same for the same search, however it is drawn."""
    what = (asked.text, asked.game, asked.position, asked.depth)
    how = (asked.algorithm, asked.cut, asked.fail)
    return hashlib.sha256(repr((what, how)).encode("utf-8", "replace")).hexdigest()[:32]


def searched(catalog: Catalog, limits: Limits, shelf: Shelf, asked: TreeAsked, stop: Stop) -> Book:
    """The search with its trace: from the shelf, or made now."""
    if found := shelf.get(key_of(asked)):
        return found
    shelf.tidy()
    r, trace = search_now(catalog, limits, asked, stop)
    book = Book(key_of(asked), r, trace, Survey(trace))
    if not r.stopped:
        shelf.put(book)
    return book


def search_now(
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
        raise UsageError("no tree was given", "type a tree or choose a game")
    if isinstance(game, Tree) and facts_of(game).hidden:
        return at_equilibrium(game, EQUILIBRIUM_SECONDS)
    found, _ = choose(asked.algorithm, facts_of(game))
    r = search(
        game,
        state,
        asked.algorithm,
        depth=depth,
        time=limits.time,
        trace=True,
        stop=stop,
        **with_fitting(found, {"cut": asked.cut, "fail": asked.fail}),
    )
    if r.trace is None:
        what = "a single leaf" if asked.text is not None else "a game that is over"
        raise UsageError(f"{what} cannot be searched", "for example max(min(3 12 8) min(2 4 6))")
    return r, r.trace


def with_fitting(algorithm: Algorithm, options: dict[str, Any]) -> dict[str, Any]:
    """The options that the algorithm supports: two that are compared are asked the same."""
    wanted = options | {"deepen": False}
    return {k: v for k, v in wanted.items() if v is not None and k in algorithm.options}


def wishes_of(book: Book, asked: TreeAsked | FoldAsked) -> Wishes:
    opened = {node: count for node, count in asked.opened if node < len(book.trace.nodes)}
    return Wishes(opened, frozenset(asked.closed))


def folded(book: Book, asked: TreeAsked | FoldAsked) -> dict[str, Any]:
    """The picture and its steps, folded as the page wishes."""
    made = stepper(book.trace, asked.nodes, wishes_of(book, asked), book.survey)
    if len(made.data["up"]) > MOST_SPOTS:
        raise UsageError("too much of the tree is open", "fold some of it: click on a node")
    return made.data | {"svg": made.svg, "notes": made.notes, "key": book.key}


def fold_view(shelf: Shelf, asked: FoldAsked) -> dict[str, Any]:
    """A tree that was shown before, opened or closed somewhere: nothing is searched."""
    if book := shelf.get(asked.key):
        return folded(book, asked)
    raise Gone("this tree was put away", "it is searched again")


def tree_view(
    catalog: Catalog, limits: Limits, shelf: Shelf, asked: TreeAsked, stop: Stop
) -> dict[str, Any]:
    """All that the page needs to step to and fro without asking again."""
    with uncollected():
        book = searched(catalog, limits, shelf, asked, stop)
    r, trace = book.result, book.trace
    visited, branches, saved, known = counts(trace)
    return folded(book, asked) | {
        "algorithm": trace.algorithm,
        "summary": book.survey.summary or summary(trace),
        "value": bounded(r.value, r.kind),
        "values": [number(v) for v in r.values],
        "nodes": len(trace.nodes),
        "leaves": {"visited": visited, "cut": branches, "saved": saved, "known": known},
        "order": [bounded(n.value, n.kind) for n in trace.leaves[:MOST_LEAVES]],
        "why": r.why,
        "explain": r.explain() if trace.events else r.why + ".",
        "stopped": r.stopped,
        "fits": fitting(r.game),
    }


def fitting(game: Game) -> list[str]:
    """The algorithms that can search this game and record their steps."""
    facts = facts_of(game)
    if facts.hidden:
        return []  # an equilibrium is computed instead
    return [a.name for a in algorithms().values() if a.traces and not a.misfit(facts)]


def export(
    catalog: Catalog, limits: Limits, shelf: Shelf, asked: ExportAsked, stop: Stop
) -> tuple[str, str, str]:
    """A file's text, its media type and its name."""
    book = searched(catalog, limits, shelf, asked, stop)
    r, trace = book.result, book.trace
    if asked.format == "svg":
        svg = tree_svg(
            trace,
            step=asked.step,
            max_nodes=asked.nodes,
            theme=asked.theme,
            wishes=wishes_of(book, asked),
            survey=book.survey,
        )
        return svg, "image/svg+xml", "tree.svg"
    if asked.format == "html":
        wishes = wishes_of(book, asked)
        page = steps_html(trace, title=r.game.name, max_nodes=asked.nodes, wishes=wishes)
        return page, "text/html", "tree.html"
    told = "\n".join([tree_text(trace), "", *steps_text(trace), "", str(r), ""])
    return told[:MOST_TEXT], "text/plain", "tree.txt"
