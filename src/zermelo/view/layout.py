"""What of a search tree is drawn, where it stands, and what is known of it after each step.

`fold` chooses the places to draw, `Replay` tells what each place shows after k steps, `tidy` puts
parents above the middle of their children. Nothing here recurses: traces may be very deep.
"""

from __future__ import annotations

import math
import unicodedata
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..trace import Trace, TraceEvent, TraceNode
from .number import bounded, pretty, window

MAX, MIN, CHANCE = 0, 1, -1
BEST_LINE_FIRST = 16  # levels of the best line that are shown before anything else
SIBLING_GAP, COUSIN_GAP = 10.0, 20.0


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


# -- folding ---------------------------------------------------------------------------------
def fold(trace: Trace, max_nodes: int) -> Folded:
    """Choose at most `max_nodes` nodes: the best line, then level by level; the rest are stubs."""
    nodes = trace.nodes
    if not nodes:
        return Folded([], [])
    size = [1] * len(nodes)
    for node in reversed(nodes):
        if node.parent is not None:
            size[node.parent] += size[node.id]
    if len(nodes) <= max_nodes:
        shown = {n.id: n.children for n in nodes}
    else:
        shown = _choose(nodes, size, max(1, max_nodes))
    spots: list[Spot] = []
    stack: list[tuple[int, int | None]] = [(0, None)]
    at: dict[int, int] = {}  # node -> spot
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


def _choose(nodes: list[TraceNode], size: list[int], budget: int) -> dict[int, list[int]]:
    """The children to show of every node that is opened. Deterministic."""
    cap = max(4, math.isqrt(budget))  # of very many siblings a few are enough
    shown: dict[int, list[int]] = {}
    left = budget - 1

    def open_node(i: int) -> None:
        nonlocal left
        children = nodes[i].children
        if i in shown or not children or left <= 0:
            return
        room = min(cap, left)
        if len(children) == room + 1 <= left and size[children[-1]] == 1:
            room += 1  # a stub for a single leaf would take as much room as the leaf
        kept = children[:room]
        best = nodes[i].best
        if best is not None and best not in kept and best in children:
            kept[-1] = best
        shown[i] = kept
        left -= len(kept)

    line: int | None = 0
    for _ in range(BEST_LINE_FIRST):
        if line is None or left <= 0:
            break
        open_node(line)
        line = nodes[line].best
    queue = deque([0])
    while queue and left > 0:
        i = queue.popleft()
        open_node(i)
        best = nodes[i].best
        queue.extend(sorted(shown.get(i, ()), key=lambda c: c != best))
    return shown


def _places(nodes: list[TraceNode], at: dict[int, int], stubs: dict[int, int]) -> list[int]:
    place = [0] * len(nodes)
    for node in nodes:
        spot = at.get(node.id)
        if spot is None and node.parent is not None:
            spot = place[node.parent] if node.parent not in at else stubs[node.parent]
        place[node.id] = spot or 0
    return place


# -- what is known after k steps -------------------------------------------------------------
@dataclass(slots=True)
class Look:
    """What a spot shows."""

    state: str = "unseen"  # unseen | open | done
    value: str = ""
    window: str = ""
    cut: str = ""
    best: int | None = None  # the spot of its best child so far
    struck: bool = False  # cut off
    top: bool = False  # the topmost of what was cut off: the stroke goes across its edge


Change = tuple[int, str, str | int]  # spot, field of Look, new content


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
    """More than two players: then there is no MAX and MIN, each wants the most for itself."""
    return any(n.player >= 2 for n in trace.nodes)


class Replay:
    """Applies events one by one; `looks` holds what every spot shows now."""

    def __init__(self, trace: Trace, folded: Folded) -> None:
        self.trace, self.spots, self.place = trace, folded.spots, folded.place
        self.many, self.windows = many_players(trace), has_windows(trace)
        self.known = all(
            n.value is not None for n in trace.nodes if n.status == "pruned" and not n.children
        )
        # a tree that was typed in: all leaves are ends of the game, and known even if cut off
        self.given = self.known and all(n.leaf in ("", "terminal") for n in trace.nodes)
        self.looks = [Look(value=self._given(s)) for s in self.spots]

    def _given(self, spot: Spot) -> str:
        """What is on the paper before the search begins."""
        if not self.given or spot.node is None:
            return ""
        node = self.trace.nodes[spot.node]
        return bounded(node.value, node.kind) if is_leaf(node) else ""

    def final(self) -> list[Look]:
        """What every spot shows when the search is over, from the nodes themselves."""
        looks = [Look("done") for _ in self.spots]
        for i, spot in enumerate(self.spots):
            looks[i].struck = spot.pruned or (
                spot.parent is not None and looks[spot.parent].struck
            )
            looks[i].top = looks[i].struck and (
                spot.parent is None or not looks[spot.parent].struck
            )
            if spot.node is None:
                continue
            node = self.trace.nodes[spot.node]
            looks[i].value = bounded(node.value, node.kind)
            looks[i].cut = pretty(node.cut)
            looks[i].best = None if node.best is None else self.place[node.best]
            if self.windows and not is_leaf(node):
                looks[i].window = self.looks[i].window or window(node.alpha, node.beta)
        return looks

    def apply(self, event: TraceEvent) -> list[Change]:
        """Take one step; what changed."""
        at = self.place[event.node]
        spot, look = self.spots[at], self.looks[at]
        if spot.node is None:  # somewhere inside a folded part
            return self._set(at, "state", "done")
        node = self.trace.nodes[event.node]
        changes: list[Change] = []
        state = "open" if event.kind in ("enter", "backup", "cut") else "done"
        changes += self._set(at, "state", state)
        changes += self._set(at, "window", self._window(event, node) or look.window)
        if event.kind in ("leaf", "leave"):
            value = node.value if event.value is None else event.value
            changes += self._set(at, "value", bounded(value, node.kind))
        elif event.kind == "backup":
            if event.value is not None:
                changes += self._set(at, "value", self._so_far(event, node))
            if event.improved and event.child is not None:
                changes += self._set(at, "best", self.place[event.child])
        elif event.kind == "cut":
            changes += self._set(at, "cut", pretty(event.text or node.cut) or "cut")
            changes += self._strike(at)
        return changes

    def _set(self, at: int, name: str, new: str | int) -> list[Change]:
        if getattr(self.looks[at], name) == new:
            return []
        setattr(self.looks[at], name, new)
        return [(at, name, new)]

    def _window(self, event: TraceEvent, node: TraceNode) -> str:
        if not self.windows or event.kind == "leaf" or is_leaf(node):
            return ""
        text = window(event.alpha, event.beta)
        return text or (window(node.alpha, node.beta) if event.kind == "enter" else "")

    def _so_far(self, event: TraceEvent, node: TraceNode) -> str:
        """MAX with 3 in hand gets at least 3: but a child's mere bound may promise nothing."""
        if self.many:
            return bounded(event.value)
        if node.player not in (MAX, MIN):
            return bounded(event.value) + "…"
        sure, sign = ("lower", "≥") if node.player == MAX else ("upper", "≤")
        old = self.looks[self.place[node.id]].value
        if not event.improved and old.strip("≥≤≈…") == bounded(event.value):
            return old
        child = None if event.child is None else self.trace.nodes[event.child]
        kind = "exact" if child is None or not event.improved else child.kind
        if kind in ("exact", sure):
            return sign + bounded(event.value)
        return bounded(event.value, kind) if kind == "estimate" else bounded(event.value) + "…"

    def _strike(self, at: int) -> list[Change]:
        changes: list[Change] = []
        todo = [c for c in self.spots[at].children if self.spots[c].pruned]
        for i in todo:
            changes += self._set(i, "top", 1)
        while todo:
            i = todo.pop()
            changes += self._set(i, "struck", 1)
            todo += self.spots[i].children
        return changes


# -- where the spots stand -------------------------------------------------------------------
class _Contour:
    """How far a subtree reaches to each side, level by level, the deepest first."""

    __slots__ = ("left", "right", "shift")

    def __init__(self, left: list[float], right: list[float], shift: float = 0.0) -> None:
        self.left, self.right, self.shift = left, right, shift

    def distance(self, other: _Contour) -> float:
        """How far to the right `other` must stand so as not to touch this."""
        levels = min(len(self.left), len(other.left))
        base = self.shift - other.shift
        far = -math.inf
        for j in range(1, levels + 1):
            gap = SIBLING_GAP if j == 1 else COUSIN_GAP
            far = max(far, self.right[-j] - other.left[-j] + base + gap)
        return far

    def merge(self, other: _Contour) -> _Contour:
        """The outline of both, at the cost of the shallower one."""
        mine, theirs = len(self.left), len(other.left)
        base = self.shift - other.shift
        if mine < theirs:
            other.left[-mine:] = [v + base for v in self.left]
            return other
        self.right[-theirs:] = [v - base for v in other.right]
        return self


def _pack(contours: Sequence[_Contour]) -> list[float]:
    """Positions from left to right, each as far left as it goes. Keeps the contours."""
    at = [0.0]
    first = contours[0]
    outline = _Contour(first.left[:], first.right[:], first.shift)
    for contour in contours[1:]:
        at.append(outline.distance(contour))
        moved = _Contour(contour.left[:], contour.right[:], contour.shift + at[-1])
        outline = outline.merge(moved)
    return at


def _positions(contours: Sequence[_Contour]) -> list[float]:
    """Siblings' positions: the mean of packing left and packing right, so that it is symmetric."""
    if len(contours) == 1:
        return [0.0]
    if len(contours) == 2:
        return [0.0, contours[0].distance(contours[1])]
    left = _pack(contours)
    mirrored = [
        _Contour([-v for v in c.right], [-v for v in c.left], -c.shift) for c in reversed(contours)
    ]
    right = _pack(mirrored)[::-1]
    return [(a + left[-1] - b) / 2 for a, b in zip(left, right, strict=True)]


def tidy(spots: list[Spot], gap: Callable[[float], float]) -> None:
    """Set x and y. `gap` gives the distance of two levels from the widest edge between them."""
    contours: list[_Contour | None] = [None] * len(spots)
    offset = [0.0] * len(spots)
    for i in range(len(spots) - 1, -1, -1):
        spot = spots[i]
        below = [c for k in spot.children if (c := contours[k]) is not None]
        outline = _Contour([], [])
        if below:
            xs = _positions(below)
            middle = (xs[0] + xs[-1]) / 2
            for k, x, contour in zip(spot.children, xs, below, strict=True):
                offset[k] = x - middle
                contour.shift += offset[k]
                outline = contour if k == spot.children[0] else outline.merge(contour)
                contours[k] = None
        outline.left.append(-spot.left - outline.shift)
        outline.right.append(spot.right - outline.shift)
        contours[i] = outline
    widest: dict[int, float] = {}
    for i, spot in enumerate(spots):
        if spot.parent is not None:
            spot.x = spots[spot.parent].x + offset[i]
            widest[spot.depth] = max(widest.get(spot.depth, 0.0), abs(offset[i]))
    heights = [0.0]
    for depth in range(1, len(widest) + 1):
        heights.append(heights[-1] + gap(widest[depth]))
    for spot in spots:
        spot.y = heights[spot.depth]


def text_width(text: str, size: float, bold: bool = False) -> float:
    """An upper estimate of a text's width in any usual sans-serif font."""
    total = 0.0
    for c in text:
        if c in "iljI.,:;|!'[]() ":
            total += 0.42
        elif c in "mwMW@%" or unicodedata.east_asian_width(c) in "WF":
            total += 1.02
        elif unicodedata.combining(c):
            continue
        elif c.isascii() and not c.isupper():
            total += 0.64
        else:
            total += 0.86
    return total * size * (1.1 if bold else 1.0)
