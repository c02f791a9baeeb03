"""Search trees for the page: every step of the search, large trees folded."""

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
from ...view.steps_text import steps_text, tree_text
from ...view.trace_text import counts, summary
from ...view.tree_svg import tree_svg
from .catalog import EQUILIBRIUM_SECONDS, Catalog
from .executor import Stop
from .limits import Limits
from .schemas import ExportRequest, FoldRequest, TreeRequest
from .sessions import begin

MAX_LISTED_LEAVES = 400  # listed in the order of the search
MAX_TEXT = 2_000_000  # characters of an export
MAX_GAME_DEPTH = 6  # levels of a game, unless a depth is given
CACHE_SIZE = 1_000_000  # nodes and steps of all cached traces: about 200 MB
MAX_DRAWN_NODES = 6000  # of one picture
TIDY_EVERY = 200  # traces


class Gone(UsageError):
    """A trace that is no longer cached; the page searches again."""


@dataclass(frozen=True, slots=True)
class SearchedTree:
    """A search with its trace, which pages fold and unfold."""

    key: str
    result: Result
    trace: Trace
    survey: Survey


class TraceCache:
    """The most recently used traces, up to a total size.

    In a server they are frozen (`tracing.stays_frozen`): one pass of the garbage collector over a
    million objects would stop every thread for a second.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.trees: OrderedDict[str, SearchedTree] = OrderedDict()
        self.made = 0  # traces since the last garbage collection

    def get(self, key: str) -> SearchedTree | None:
        with self.lock:
            if key in self.trees:
                self.trees.move_to_end(key)
            return self.trees.get(key)

    def put(self, searched_tree: SearchedTree) -> None:
        with self.lock:
            self.trees[searched_tree.key] = searched_tree
            while len(self.trees) > 1 and sum(map(size_of, self.trees.values())) > CACHE_SIZE:
                self.trees.popitem(last=False)

    def tidy(self) -> None:
        """Collect, once every TIDY_EVERY traces, the garbage that was frozen with them."""
        with self.lock:
            self.made += 1
            if self.made < TIDY_EVERY or not tracing.stays_frozen:
                return
            self.made = 0
            self.trees.clear()
            gc.unfreeze()
            gc.collect()
            gc.freeze()


def size_of(searched_tree: SearchedTree) -> int:
    return len(searched_tree.trace.nodes) + len(searched_tree.trace.events)


def _key_of(request: TreeRequest) -> str:
    """Return a key that is equal for equal searches, however they are drawn."""
    what = (request.text, request.game, request.position, request.depth)
    how = (request.algorithm, request.cut, request.fail)
    return hashlib.sha256(repr((what, how)).encode("utf-8", "replace")).hexdigest()[:32]


def _search_cached(
    catalog: Catalog, limits: Limits, cache: TraceCache, request: TreeRequest, stop: Stop
) -> SearchedTree:
    """Return the search with its trace, from the cache or computed now."""
    if found := cache.get(_key_of(request)):
        return found
    cache.tidy()
    r, trace = _search_now(catalog, limits, request, stop)
    searched_tree = SearchedTree(_key_of(request), r, trace, Survey(trace))
    if not r.stopped:
        cache.put(searched_tree)
    return searched_tree


def _search_now(
    catalog: Catalog, limits: Limits, request: TreeRequest, stop: Stop
) -> tuple[Result, Trace]:
    """Run the search and return its result and trace."""
    game: Game
    depth = request.depth
    if request.text is not None:
        game, state = tree(request.text), None
    elif request.game is not None:
        game = catalog.game(request.game)
        state = begin(game, request.position)
        depth = min(request.depth or 2, MAX_GAME_DEPTH)
    else:
        raise UsageError("no tree was given", "type a tree or choose a game")
    if isinstance(game, Tree) and facts_of(game).hidden:
        return at_equilibrium(game, EQUILIBRIUM_SECONDS)
    found, _ = choose(request.algorithm, facts_of(game))
    r = search(
        game,
        state,
        request.algorithm,
        depth=depth,
        time=limits.time,
        trace=True,
        stop=stop,
        **_with_fitting(found, {"cut": request.cut, "fail": request.fail}),
    )
    if r.trace is None:
        what = "a single leaf" if request.text is not None else "a game that is over"
        raise UsageError(f"{what} cannot be searched", "e.g. max(min(3 12 8) min(2 4 6))")
    return r, r.trace


def _with_fitting(algorithm: Algorithm, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that the algorithm supports; compared algorithms share one form."""
    wanted = options | {"deepen": False}
    return {k: v for k, v in wanted.items() if v is not None and k in algorithm.options}


def _wishes_of(searched_tree: SearchedTree, request: TreeRequest | FoldRequest) -> Wishes:
    opened = {
        node: count for node, count in request.opened if node < len(searched_tree.trace.nodes)
    }
    return Wishes(opened, frozenset(request.closed))


def folded(searched_tree: SearchedTree, request: TreeRequest | FoldRequest) -> dict[str, Any]:
    """Return the picture and its steps, folded as the page asks."""
    made = stepper(
        searched_tree.trace, request.nodes, _wishes_of(searched_tree, request), searched_tree.survey
    )
    if len(made.data["up"]) > MAX_DRAWN_NODES:
        raise UsageError("too many nodes are shown", "click on a node to fold its subtree")
    return made.data | {"svg": made.svg, "notes": made.notes, "key": searched_tree.key}


def fold_view(cache: TraceCache, request: FoldRequest) -> dict[str, Any]:
    """Fold a cached tree in another way, without a new search."""
    if searched_tree := cache.get(request.key):
        return folded(searched_tree, request)
    raise Gone("this tree is no longer cached", "search it again")


def tree_view(
    catalog: Catalog, limits: Limits, cache: TraceCache, request: TreeRequest, stop: Stop
) -> dict[str, Any]:
    """Return all that the page needs to step through the search offline."""
    with uncollected():
        searched_tree = _search_cached(catalog, limits, cache, request, stop)
    r, trace = searched_tree.result, searched_tree.trace
    visited, branches, saved, known = counts(trace)
    return folded(searched_tree, request) | {
        "algorithm": trace.algorithm,
        "summary": searched_tree.survey.summary or summary(trace),
        "value": bounded(r.value, r.kind),
        "values": [number(v) for v in r.values],
        "nodes": len(trace.nodes),
        "leaves": {"visited": visited, "cut": branches, "saved": saved, "known": known},
        "order": [bounded(n.value, n.kind) for n in trace.leaves[:MAX_LISTED_LEAVES]],
        "why": r.why,
        "explain": r.explain() if trace.events else r.why + ".",
        "stopped": r.stopped,
        "fits": fitting(r.game),
        "options": list(r.options),
    }


def fitting(game: Game) -> list[str]:
    """The algorithms that can search this game and record their steps."""
    facts = facts_of(game)
    if facts.hidden:
        return []  # an equilibrium is computed instead
    return [a.name for a in algorithms().values() if a.can.trace and not a.misfit(facts)]


def export(
    catalog: Catalog, limits: Limits, cache: TraceCache, request: ExportRequest, stop: Stop
) -> tuple[str, str, str]:
    """Return the text of an exported file, its media type and its name."""
    searched_tree = _search_cached(catalog, limits, cache, request, stop)
    r, trace = searched_tree.result, searched_tree.trace
    if request.format == "svg":
        svg = tree_svg(
            trace,
            step=request.step,
            max_nodes=request.nodes,
            theme=request.theme,
            wishes=_wishes_of(searched_tree, request),
            survey=searched_tree.survey,
        )
        return svg, "image/svg+xml", "tree.svg"
    if request.format == "html":
        wishes = _wishes_of(searched_tree, request)
        page = steps_html(trace, title=r.game.name, max_nodes=request.nodes, wishes=wishes)
        return page, "text/html", "tree.html"
    text = "\n".join([tree_text(trace), "", *steps_text(trace), "", str(r), ""])
    return text[:MAX_TEXT], "text/plain", "tree.txt"
