"""The layout and the colours of a search tree.

`tidy` centers parents above their children, `styles` returns the CSS. Nothing here recurses,
because traces may be very deep.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from .folding import Spot

Theme = Literal["auto", "light", "dark"]

MAX, MIN, CHANCE = 0, 1, -1
SIBLING_GAP, COUSIN_GAP = 10.0, 20.0


# -- layout ----------------------------------------------------------------------------------
class _Contour:
    """The extent of a subtree to each side by level, the deepest first."""

    __slots__ = ("left", "right", "shift")

    def __init__(self, left: list[float], right: list[float], shift: float = 0.0) -> None:
        self.left, self.right, self.shift = left, right, shift

    def distance(self, other: _Contour) -> float:
        """The distance at which `other` to the right does not touch this."""
        levels = min(len(self.left), len(other.left))
        base = self.shift - other.shift
        far = -math.inf
        for j in range(1, levels + 1):
            gap = SIBLING_GAP if j == 1 else COUSIN_GAP
            far = max(far, self.right[-j] - other.left[-j] + base + gap)
        return far

    def merge(self, other: _Contour) -> _Contour:
        """The contour of both, in time linear in the shallower one."""
        mine, theirs = len(self.left), len(other.left)
        base = self.shift - other.shift
        if mine < theirs:
            other.left[-mine:] = [v + base for v in self.left]
            return other
        self.right[-theirs:] = [v - base for v in other.right]
        return self


def _pack(contours: Sequence[_Contour]) -> list[float]:
    """Positions from left to right, each as far left as possible; leaves the contours unchanged."""
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


@lru_cache(10_000)
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
    """A label that fits: long ones end in an ellipsis, the tooltip shows them in full."""
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


# -- style -----------------------------------------------------------------------------------
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
.zt .i{fill:none;stroke:var(--chance);stroke-width:2.4;stroke-dasharray:1 6;stroke-linecap:round}
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
# In the stepper, all elements are in the picture from the start and shown step by step.
LIVE_STYLE = """
.zt .x,.zt .h{display:none}.zt .top .x,.zt .n.cur .h{display:inline}
"""


def styles(theme: Theme, live: bool = False) -> str:
    """The CSS of the picture. A fixed theme has literal colours, for drawing programs."""
    css = STYLE + (LIVE_STYLE if live else "")
    if theme in ("light", "dark"):
        colors = LIGHT if theme == "light" else DARK
        return re.sub(r"var\(--(\w+)\)", lambda m: colors[m[1]], css).strip()
    light = ".zt{" + ";".join(f"--{k}:{v}" for k, v in LIGHT.items()) + "}"
    dark = ";".join(f"--{k}:{v}" for k, v in DARK.items())
    auto = "@media (prefers-color-scheme:dark){.zt.auto{" + dark + "}}"
    paper = "@media print{" + light.replace(".zt", ".zt.auto,.zt.dark", 1) + "}"
    return f"{light}\n{auto}\n.zt.dark{{{dark}}}\n{paper}{css}".strip()
