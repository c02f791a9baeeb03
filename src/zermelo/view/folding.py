"""What of a search tree is drawn: the best line, then level by level; the rest folds to stubs.

A reader opens and closes parts of trees of 100,000 nodes: what holds for the whole trace is found
once (`Survey`), and every further folding costs little more than what it shows.
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
MORE = 24  # children that one opening shows at most
ALONG = 8  # levels that are opened at once where there is no choice


@dataclass(slots=True)
class Spot:
    """A place in the picture: a node, or a stub ("+1,234") for `hidden` nodes folded away."""

    node: int | None  # None: a stub
    parent: int | None  # index of the spot above
    depth: int
    hidden: int = 0
    pruned: bool = False
    children: list[int] = field(default_factory=list)
    left: float = 0.0  # how far it reaches from its middle
    right: float = 0.0
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Folded:
    """The spots of a picture, parents first, and the spot that stands for each node."""

    spots: list[Spot]
    place: list[int]


def is_leaf(node: TraceNode) -> bool:
    """The search did not go deeper, or the tree ends here."""
    return node.leaf != "" or (not node.children and (node.player == -2 or node.value is not None))


def has_windows(trace: Trace) -> bool:
    """Some window is narrower than [-∞, ∞]: only then are windows worth showing."""
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
    """Then there is no MAX and MIN: each wants the most for itself."""
    return trace.players > 0 or any(n.player >= 2 for n in trace.nodes)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a reader opened and closed by hand, after the tree was folded for a first look."""

    opened: Mapping[int, int] = field(default_factory=dict)  # node: so many children are shown
    closed: frozenset[int] = frozenset()


class Survey:
    """What holds for a whole trace, however it is folded."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.windows, self.many = has_windows(trace), many_players(trace)
        self.alike = any(n.alike for n in trace.nodes)
        self.summary = ""  # of the search, once it was told
        self.known = all(
            n.value is not None for n in trace.nodes if n.status == "pruned" and not n.children
        )
        # a tree that was typed in: all leaves are ends of the game, and known even if cut off
        self.given = self.known and all(n.leaf in ("", "terminal") for n in trace.nodes)
        self.size = [1] * len(trace.nodes)  # of what hangs below, each node counted too
        for node in reversed(trace.nodes):
            if node.parent is not None:
                self.size[node.parent] += self.size[node.id]
        self._visited: NDArray[np.int64] | None = None

    def walk(self, folded: Folded) -> tuple[list[int], list[int]]:
        """The events that are told, and how many each stands for: a walk inside a stub is one."""
        import numpy as np

        if self._visited is None:
            events = self.trace.events
            self._visited = np.fromiter((e.node for e in events), np.int64, len(events))
        if not len(self._visited):
            return [], []
        place = np.array(folded.place, dtype=np.int64)[self._visited]
        stub = np.array([s.node is None for s in folded.spots])
        told = ~stub[place]
        told[0] = True
        told[1:] |= place[1:] != place[:-1]
        at = np.flatnonzero(told)
        return at.tolist(), np.diff(at, append=len(place)).tolist()


def fold(
    trace: Trace,
    max_nodes: int,
    narrow: bool = True,
    wishes: Wishes | None = None,
    survey: Survey | None = None,
) -> Folded:
    """Choose at most `max_nodes` nodes: the best line, then level by level; the rest are stubs.

    `narrow` keeps the picture to a width that can be read, and may choose fewer. `wishes` open
    more of it, and close some.
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
            kept = shown.get(i, ())
            if len(kept) < len(nodes[i].children):
                stack.append((~i, at[i]))
            stack.extend((c, at[i]) for c in reversed(kept))
        if parent is not None:
            spots[parent].children.append(len(spots) - 1)
    return Folded(spots, _places(nodes, at, stubs))


def _obey(nodes: list[TraceNode], shown: dict[int, list[int]], wishes: Wishes) -> None:
    """Opens what the reader opened, and closes what he closed."""
    for i, count in wishes.opened.items():
        kept = set(shown.get(i, ()))
        _open(nodes, shown, i, kept, max(count, len(kept)))
        for _ in range(ALONG):  # no choice, no click
            if len(shown[i]) != 1 or shown[i][0] in shown:
                break
            i = shown[i][0]
            _open(nodes, shown, i, set(), MORE)
    for i in wishes.closed:
        shown.pop(i, None)


def _open(
    nodes: list[TraceNode], shown: dict[int, list[int]], i: int, kept: set[int], count: int
) -> None:
    """Shows `count` children of a node: those that were shown, and the first of the others."""
    room = count - len(kept)
    chosen = []
    for c in nodes[i].children:
        if c in kept:
            chosen.append(c)
        elif room > 0:
            chosen.append(c)
            room -= 1
    shown[i] = chosen


def _choose(
    nodes: list[TraceNode], size: list[int], budget: int, narrow: bool
) -> dict[int, list[int]]:
    """The children to show of every node that is opened. Deterministic."""
    # siblings shown on the best line; elsewhere half as many
    many = max(4, min(12, math.isqrt(budget) * 2 // 3) if narrow else budget // 4)
    # in leaf widths: a picture that is too wide cannot be read; a text has no such limit
    width = 6 * math.isqrt(budget) if narrow else math.inf
    shown: dict[int, list[int]] = {}
    left = budget - 1

    def open_node(i: int, cap: int) -> None:
        nonlocal left, width
        children = nodes[i].children
        wide = INNER_WIDTH if any(nodes[c].children for c in children[:cap]) else 1
        room = int(min(cap, left, (width + INNER_WIDTH) // wide))  # they stand in i's own width
        if i in shown or not children or room <= 0:
            return
        if len(children) == room + 1 <= left and size[children[-1]] == 1:
            room += 1  # a stub for a single leaf would take as much room as the leaf
        kept = children[:room]
        best = nodes[i].best
        if best is not None and best not in kept and best in children:
            kept[-1] = best
        shown[i] = kept
        left -= len(kept)
        width -= max(0, wide * len(kept) - INNER_WIDTH)

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
