"""What of a search tree is drawn, where it stands, and in which colours.

`fold` chooses the places to draw, `tidy` puts parents above the middle of their children, `styles`
gives the CSS. Nothing here recurses: traces may be very deep.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..trace import Trace, TraceNode

Theme = Literal["auto", "light", "dark"]

MAX, MIN, CHANCE = 0, 1, -1
BEST_LINE_FIRST = 16  # levels of the best line that are shown before anything else
INNER_WIDTH = 3  # of a node with its window, in leaf widths
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


# -- folding ---------------------------------------------------------------------------------
def fold(trace: Trace, max_nodes: int, narrow: bool = True) -> Folded:
    """Choose at most `max_nodes` nodes: the best line, then level by level; the rest are stubs.

    `narrow` keeps the picture to a width that can be read, and may choose fewer.
    """
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
        shown = _choose(nodes, size, max(1, max_nodes), narrow)
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


def _places(nodes: list[TraceNode], at: dict[int, int], stubs: dict[int, int]) -> list[int]:
    place = [0] * len(nodes)
    for node in nodes:
        spot = at.get(node.id)
        if spot is None and node.parent is not None:
            spot = place[node.parent] if node.parent not in at else stubs[node.parent]
        place[node.id] = spot or 0
    return place


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


def short(text: str, limit: int = 16) -> str:
    """A label that fits: long ones end in an ellipsis, the tooltip has them whole."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def wrap(text: str, width: float, size: float, bold: bool) -> list[str]:
    """Break a heading into lines; a word that is too long is shortened."""
    lines: list[str] = []
    for word in text.split():
        while len(word) > 4 and text_width(word, size, bold) > width:
            word = word[: len(word) * 3 // 4] + "…"
        if lines and text_width(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# -- how it looks ----------------------------------------------------------------------------
LIGHT = {
    "paper": "#ffffff", "ink": "#1f2328", "dim": "#5b6470", "line": "#8a929c",
    "max": "#1d4ed8", "maxf": "#dbe7ff", "min": "#c2410c", "minf": "#ffe8d2",
    "chance": "#7c3aed", "chancef": "#ece5ff", "other": "#0f766e", "otherf": "#cdf5ee",
    "leaf": "#f4f5f7", "best": "#15803d", "cut": "#dc2626", "now": "#facc15",
}  # fmt: skip
DARK = {
    "paper": "#14181d", "ink": "#e8ecf1", "dim": "#a3adb9", "line": "#78828e",
    "max": "#7fa8ff", "maxf": "#1c2f5a", "min": "#ff9d5c", "minf": "#4a2a12",
    "chance": "#b99bff", "chancef": "#36275e", "other": "#4fd1bd", "otherf": "#113f39",
    "leaf": "#232931", "best": "#4ade80", "cut": "#ff6b6b", "now": "#d9a400",
}  # fmt: skip

STYLE = """
.zt{background:var(--paper)}
.zt text{font-family:"Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif;
 fill:var(--ink);font-size:12px}
.zt .paper{fill:var(--paper)}
.zt .b{fill:none;stroke:var(--line);stroke-width:1.4;stroke-linejoin:round}
.zt .e.pv .b{stroke:var(--best);stroke-width:4}
.zt .e.struck .b{stroke-dasharray:4 4;stroke-width:1.3}
.zt .x{stroke:var(--cut);stroke-width:2.6;stroke-linecap:round}
.zt .l{font-size:12px;fill:var(--dim);text-anchor:middle;paint-order:stroke;
 stroke:var(--paper);stroke-width:5px;stroke-linejoin:round}
.zt .e.pv .l{fill:var(--best);font-weight:bold}
.zt .s{stroke-width:1.8;stroke-linejoin:round;fill:var(--leaf);stroke:var(--line)}
.zt .max .s{fill:var(--maxf);stroke:var(--max)}
.zt .min .s{fill:var(--minf);stroke:var(--min)}
.zt .chance .s{fill:var(--chancef);stroke:var(--chance)}
.zt .other .s{fill:var(--otherf);stroke:var(--other)}
.zt .horizon .s{stroke-dasharray:3 3}
.zt .table .s{stroke-dasharray:1 3;stroke-linecap:round}
.zt .stub .s{fill:none;stroke-dasharray:2 3}
.zt .pv .s{stroke-width:3}
.zt .leaf.pv .s{stroke:var(--best)}
.zt .v{font-size:15px;font-weight:bold;text-anchor:middle}
.zt .v.side{text-anchor:start}
.zt .leaf .v{font-size:14px;font-weight:normal}
.zt .leaf.pv .v{font-weight:bold}
.zt .stub .v{font-size:12px;font-weight:normal;fill:var(--dim)}
.zt .p{font-size:13px;text-anchor:middle;fill:var(--dim)}
.zt .w{font-size:12px;fill:var(--dim)}
.zt .w.below{text-anchor:middle}
.zt .c{font-size:12px;fill:var(--cut)}
.zt .h{fill:none;stroke:var(--now);stroke-width:11;stroke-linejoin:round;opacity:.8}
.zt .open .s{stroke-width:3}
.zt .struck .s{fill:none;stroke:var(--line);stroke-dasharray:3 3;stroke-width:1.2}
.zt .struck text{fill:var(--line)}
.zt .unseen{opacity:.3}
.zt.grow .unseen{visibility:hidden}
.zt .t1{font-size:17px;font-weight:bold}
.zt .t2{font-size:13px;fill:var(--dim)}
.zt .t3{font-size:14px;font-weight:bold}
.zt .k{font-size:12px;fill:var(--dim)}
"""
# In a page that steps through the search everything is in the picture and shown when its time comes
LIVE_STYLE = """
.zt .x,.zt .h{display:none}.zt .top .x,.zt .n.cur .h{display:inline}
"""


def styles(theme: Theme, live: bool = False) -> str:
    """The picture's CSS. A forced theme has its colours written out, for drawing programs."""
    css = STYLE + (LIVE_STYLE if live else "")
    if theme in ("light", "dark"):
        colors = LIGHT if theme == "light" else DARK
        return re.sub(r"var\(--(\w+)\)", lambda m: colors[m[1]], css).strip()
    light = ".zt{" + ";".join(f"--{k}:{v}" for k, v in LIGHT.items()) + "}"
    dark = ";".join(f"--{k}:{v}" for k, v in DARK.items())
    auto = "@media (prefers-color-scheme:dark){.zt.auto{" + dark + "}}"
    paper = "@media print{" + light.replace(".zt", ".zt.auto,.zt.dark", 1) + "}"
    return f"{light}\n{auto}\n.zt.dark{{{dark}}}\n{paper}{css}".strip()
