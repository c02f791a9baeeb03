"""The nodes of a search tree that are drawn; the rest is folded into stubs.

The best line comes first, then level after level. Readers open and close parts of trees with
100,000 nodes, so facts about the whole trace are computed once (`Survey`). Folding again then costs
little more than drawing the visible nodes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..trace import Trace, TraceNode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BEST_LINE_FIRST = 16  # levels of the best line that are shown before anything else
INNER_WIDTH = 3  # of a node with its window, in leaf widths
MORE = 24  # children that one click shows at most
ALONG = 8  # levels that open at once below a node with a single child


@dataclass(slots=True)
class Spot:
    """A place in the picture: a node, or a stub ("+1,234") for `hidden` folded nodes."""

    node: int | None  # None: a stub
    parent: int | None  # index of the spot above
    depth: int
    hidden: int = 0
    pruned: bool = False
    children: list[int] = field(default_factory=list)
    left: float = 0.0  # extent from its center
    right: float = 0.0
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Folded:
    """The spots of a picture, parents first, and the spot that stands for each node."""

    spots: list[Spot]
    place: list[int]


def is_leaf(node: TraceNode) -> bool:
    """Whether the search did not go deeper or the tree ends here."""
    return node.leaf != "" or (not node.children and (node.player == -2 or node.value is not None))


def has_windows(trace: Trace) -> bool:
    """Whether some window is narrower than [-∞, ∞]; otherwise windows are not shown."""
    inf = math.inf
    return any(
        n.alpha is not None and n.beta is not None and (n.alpha > -inf or n.beta < inf)
        for n in trace.nodes
    ) or any(
        e.kind != "leaf"
        and e.alpha is not None
        and e.beta is not None
        and (e.alpha > -inf or e.beta < inf)
        for e in trace.events
    )


def many_players(trace: Trace) -> bool:
    """Whether this is a multi-player search, which has no MAX and MIN."""
    return trace.players > 0 or any(n.player >= 2 for n in trace.nodes)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The nodes that the reader opened and closed by hand."""

    opened: Mapping[int, int] = field(default_factory=dict)  # node -> number of visible children
    closed: frozenset[int] = frozenset()


class Survey:
    """Facts about a whole trace that do not depend on the folding."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.windows, self.many = has_windows(trace), many_players(trace)
        self.alike = any(n.alike for n in trace.nodes)
        self.summary = ""  # of the search, filled in when it is first needed
        self.known = all(
            n.value is not None for n in trace.nodes if n.status == "pruned" and not n.children
        )
        # an explicit tree: all leaves are terminal, and known even if they are cut off
        self.given = self.known and all(n.leaf in ("", "terminal") for n in trace.nodes)
        self.size = [1] * len(trace.nodes)  # nodes of each subtree
        for node in reversed(trace.nodes):
            if node.parent is not None:
                self.size[node.parent] += self.size[node.id]
        self._visited: NDArray[np.int64] | None = None

    def walk(self, folded: Folded) -> tuple[list[int], list[int]]:
        """The events that are shown, and how many events each stands for."""
        import numpy as np

        if self._visited is None:
            events = self.trace.events
            self._visited = np.fromiter((e.node for e in events), np.int64, len(events))
        if not len(self._visited):
            return [], []
        place = np.array(folded.place, dtype=np.int64)[self._visited]
        stub = np.array([s.node is None for s in folded.spots])
        shown = ~stub[place]
        shown[0] = True
        shown[1:] |= place[1:] != place[:-1]
        at = np.flatnonzero(shown)
        return at.tolist(), np.diff(at, append=len(place)).tolist()


def fold(
    trace: Trace,
    max_nodes: int,
    narrow: bool = True,
    wishes: Wishes | None = None,
    survey: Survey | None = None,
) -> Folded:
    """Choose at most `max_nodes` nodes: the best line, then level by level; the rest are stubs.

    `narrow` limits the width of the picture and may choose fewer nodes. `wishes` are the nodes that
    the reader opened or closed.
    """
    nodes = trace.nodes
    if not nodes:
        return Folded([], [])
    size = (survey or Survey(trace)).size
    if len(nodes) <= max_nodes:
        shown = {n.id: n.children for n in nodes}
    else:
        shown = _choose(nodes, size, max(1, max_nodes), narrow)
    _obey(nodes, shown, wishes or Wishes())
    spots: list[Spot] = []
    stack: list[tuple[int, int | None]] = [(0, None)]
    at = [-1] * len(nodes)  # the spot of every node that is shown
    stubs: dict[int, int] = {}  # node -> the stub below it
    while stack:
        i, parent = stack.pop()
        if i < 0:  # ~i: a stub below node ~i, pushed so that it stands right of its siblings
            assert parent is not None
            kids = set(shown.get(~i, ()))
            folded = [c for c in nodes[~i].children if c not in kids]
            pruned = all(nodes[c].status == "pruned" for c in folded)
            hidden = sum(size[c] for c in folded)
            stubs[~i] = len(spots)
            spots.append(Spot(None, parent, spots[parent].depth + 1, hidden, pruned))
        else:
            at[i] = len(spots)
            depth = 0 if parent is None else spots[parent].depth + 1
            spots.append(Spot(i, parent, depth, 0, nodes[i].status == "pruned"))
            visible = shown.get(i, ())
            if len(visible) < len(nodes[i].children):
                stack.append((~i, at[i]))
            stack.extend((c, at[i]) for c in reversed(visible))
        if parent is not None:
            spots[parent].children.append(len(spots) - 1)
    return Folded(spots, _places(nodes, at, stubs))


def _obey(nodes: list[TraceNode], shown: dict[int, list[int]], wishes: Wishes) -> None:
    """Apply the nodes that the reader opened and closed."""
    for i, count in wishes.opened.items():
        visible = set(shown.get(i, ()))
        _open(nodes, shown, i, visible, max(count, len(visible)))
        for _ in range(ALONG):  # open single children without a click
            if len(shown[i]) != 1 or shown[i][0] in shown:
                break
            i = shown[i][0]
            _open(nodes, shown, i, set(), MORE)
    for i in wishes.closed:
        shown.pop(i, None)


def _open(
    nodes: list[TraceNode], shown: dict[int, list[int]], i: int, visible: set[int], count: int
) -> None:
    """Show `count` children of a node: the visible ones and the first of the others."""
    room = count - len(visible)
    chosen = []
    for c in nodes[i].children:
        if c in visible:
            chosen.append(c)
        elif room > 0:
            chosen.append(c)
            room -= 1
    shown[i] = chosen


def _choose(
    nodes: list[TraceNode], size: list[int], budget: int, narrow: bool
) -> dict[int, list[int]]:
    """The visible children of every open node. Deterministic."""
    # siblings shown on the best line; elsewhere half as many
    many = max(4, min(12, math.isqrt(budget) * 2 // 3) if narrow else budget // 4)
    # in leaf widths; only pictures are limited, text is not
    width = 6 * math.isqrt(budget) if narrow else math.inf
    shown: dict[int, list[int]] = {}
    left = budget - 1

    def open_node(i: int, cap: int) -> None:
        nonlocal left, width
        children = nodes[i].children
        wide = INNER_WIDTH if any(nodes[c].children for c in children[:cap]) else 1
        room = int(min(cap, left, (width + INNER_WIDTH) // wide))  # they use the width of i
        if i in shown or not children or room <= 0:
            return
        if len(children) == room + 1 <= left and size[children[-1]] == 1:
            room += 1  # a stub for a single leaf is as wide as the leaf
        visible = children[:room]
        best = nodes[i].best
        if best is not None and best not in visible and best in children:
            visible[-1] = best
        shown[i] = visible
        left -= len(visible)
        width -= max(0, wide * len(visible) - INNER_WIDTH)

    line: int | None = 0
    for _ in range(BEST_LINE_FIRST):
        if line is None or left <= 0:
            break
        open_node(line, many)
        line = nodes[line].best
    queue = deque([0])
    while queue and left > 0:
        i = queue.popleft()
        open_node(i, max(3, many // 2))
        best = nodes[i].best
        queue.extend(sorted(shown.get(i, ()), key=lambda c: c != best))
    return shown


def _places(nodes: list[TraceNode], at: list[int], stubs: dict[int, int]) -> list[int]:
    """The spot that stands for every node; parents come before their children."""
    place = at[:]
    for i, node in enumerate(nodes):
        if place[i] < 0 and (parent := node.parent) is not None:
            place[i] = place[parent] if at[parent] < 0 else stubs[parent]
    return place
