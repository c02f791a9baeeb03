"""The drawing of a Go board: wood, lines, star points, coordinates, stones and the last move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..drawing import place, svg, text
from .notation import COLUMNS, parse_vertex, star_points, vertex

if TYPE_CHECKING:
    from ..native import State
    from . import Go

CELL = 30  # between two lines
MARGIN = 38
STYLE = """<style>
.wood{fill:#dcb35c}.grid{stroke:#5a4420;stroke-width:1;stroke-linecap:square}.star{fill:#5a4420}
.black{fill:url(#go-black)}.white{fill:url(#go-white);stroke:#8a8a84;stroke-width:.6}
.next{fill:#14568f;stroke:#fff}.order{font:700 12px system-ui,sans-serif;fill:#fff;
text-anchor:middle}.last{fill:none;stroke-width:2}.on-black{stroke:#fff}.on-white{stroke:#111}
.go-b0{stop-color:#6a6d72}.go-b1{stop-color:#0d0e10}.go-w0{stop-color:#fff}.go-w1{stop-color:#d9d9d2}
@media(prefers-color-scheme:dark){.wood{fill:#b08d45}.grid{stroke:#3c2d12}.star{fill:#3c2d12}
.go-w0{stop-color:#f2f2ec}.go-w1{stop-color:#c9c9c1}}
</style><defs>
<radialGradient id="go-black" cx=".35" cy=".3" r=".7"><stop class="go-b0" offset="0"/>
<stop class="go-b1" offset="1"/></radialGradient>
<radialGradient id="go-white" cx=".35" cy=".3" r=".8"><stop class="go-w0" offset="0"/>
<stop class="go-w1" offset="1"/></radialGradient></defs>"""


def draw(game: Go, s: State, actions: Sequence[int] = ()) -> str:
    """The board of a position, with these moves marked by their order."""
    n = game.size
    side = 2 * MARGIN + CELL * (n - 1)
    letters = f"<style>.text{{font-size:{11 if n <= 9 else 12 if n <= 13 else 14}px}}</style>"
    parts = [STYLE, letters, _grid(n), *_labels(n)]
    last = game.last_move(s)
    marked = None if last is None else parse_vertex(last, n)
    for i, sign in enumerate("".join(game.rows(s))):
        x, y = _center(i, n)
        if sign != ".":
            colour = "black" if sign == "X" else "white"
            parts.append(f'<circle class="{colour}" cx="{x}" cy="{y}" r="{0.47 * CELL:g}"/>')
            if i == marked:
                parts.append(
                    f'<circle class="last on-{colour}" cx="{x}" cy="{y}" r="{0.3 * CELL:g}"/>'
                )
        if i in actions:
            parts.append(f'<circle class="next" cx="{x}" cy="{y}" r="{0.4 * CELL:g}"/>')
            parts.append(f'<text class="order" x="{x}" y="{y + 4}">{actions.index(i) + 1}</text>')
        parts.append(place(vertex(i, n), x - CELL / 2, y - CELL / 2, CELL, CELL))
    black, white = game.prisoners(s)
    note = f"captured: Black {black}, White {white}"
    if passed := game.passes(s):
        note = f"{game.player_names[1 - game.mover(s)]} passed · {note}" if passed < 2 else note
    parts.append(text(side / 2, side + 14, note))
    return svg(side, side + 24, "go", "".join(parts))


def _center(i: int, n: int) -> tuple[int, int]:
    row, column = divmod(i, n)
    return MARGIN + CELL * column, MARGIN + CELL * row


def _grid(n: int) -> str:
    low, high = MARGIN, MARGIN + CELL * (n - 1)
    edge = CELL * 0.62
    size = high - low + 2 * edge
    wood = (
        f'<rect class="wood" x="{low - edge:g}" y="{low - edge:g}" width="{size:g}" '
        f'height="{size:g}" rx="4"/>'
    )
    lines = []
    for i in range(n):
        at = low + CELL * i
        lines.append(f'<line class="grid" x1="{low}" y1="{at}" x2="{high}" y2="{at}"/>')
        lines.append(f'<line class="grid" x1="{at}" y1="{low}" x2="{at}" y2="{high}"/>')
    stars = [
        f'<circle class="star" cx="{low + CELL * c}" cy="{low + CELL * r}" r="3.2"/>'
        for r, c in star_points(n)
    ]
    return "".join([wood, *lines, *stars])


def _labels(n: int) -> list[str]:
    low = MARGIN
    labels = []
    for i in range(n):
        at = low + CELL * i
        labels.append(text(at, low - 0.62 * CELL - 3, COLUMNS[i]))
        labels.append(text(low - 0.62 * CELL - 10, at + 5, str(n - i)))
    return labels
