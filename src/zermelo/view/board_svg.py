"""A board for games without a drawing: their text, as squares if it is a grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from ..game import Game
from ..games.drawing import place, svg
from .tree_picture import escape

CELL, EDGE, LINE = 46, 10, 18
MAX_ROWS, MAX_COLUMNS = 64, 160  # of a text
EMPTY = frozenset(". -_·")
STYLE = """<style>
.cell{fill:#f4efe4;stroke:#8b8375}.sign{font:600 24px system-ui,sans-serif;text-anchor:middle;
fill:#26303c}.sign.s0{fill:#b3361f}.sign.s1{fill:#1d5fae}
.mono{font:14px ui-monospace,"DejaVu Sans Mono",monospace;fill:#26303c;white-space:pre}
@media(prefers-color-scheme:dark){.cell{fill:#23282f;stroke:#59626e}.sign,.mono{fill:#e4e8ee}
.sign.s0{fill:#ff9076}.sign.s1{fill:#86b8ff}}
</style>"""


def grid_of(text: str) -> list[str] | None:
    """The rows of a text that is a rectangle of single characters; n·n characters are a square."""
    rows = [row for row in text.splitlines() if row.strip()]
    if len(rows) == 1 and len(rows[0]) >= 4 and isqrt(len(rows[0])) ** 2 == len(rows[0]):
        if " " in rows[0] and len(set(rows[0]) - EMPTY) > 3:
            return None  # words
        n = isqrt(len(rows[0]))
        rows = [rows[0][n * i : n * i + n] for i in range(n)]
    words = [row.split() for row in rows]
    if all(len(w) > 1 and all(len(sign) == 1 for sign in w) for w in words):
        rows = ["".join(w) for w in words]
    alike = len({len(row) for row in rows}) == 1
    fits = 2 <= len(rows) <= 26 and 2 <= len(rows[0]) <= 26 if rows else False
    return rows if alike and fits and any(set(row) & EMPTY for row in rows) else None


def board_svg(game: Game, s: Any) -> str:
    """The text picture of a state as SVG."""
    text = game.board(s)
    rows = grid_of(text)
    if rows is None:
        return text_svg(game.name, text)
    signs = sorted({sign for row in rows for sign in row if sign not in EMPTY}, reverse=True)
    parts = [STYLE]
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            x, y = EDGE + CELL * c, EDGE + CELL * r
            parts.append(f'<rect class="cell" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>')
            if sign not in EMPTY:
                css = f"sign s{signs.index(sign)}"
                at = f'x="{x + CELL / 2:g}" y="{y + CELL / 2 + 9:g}"'
                parts.append(f'<text class="{css}" {at}>{escape(sign)}</text>')
            parts.append(place(r * len(row) + c, x, y, CELL, CELL))
    width, height = CELL * len(rows[0]) + 2 * EDGE, CELL * len(rows) + 2 * EDGE
    return svg(width, height, escape(game.name), "".join(parts))


def text_svg(title: str, text: str) -> str:
    lines = [line[:MAX_COLUMNS].expandtabs() for line in text.splitlines()[:MAX_ROWS]] or [""]
    parts = [STYLE]
    for i, line in enumerate(lines):
        at = f'x="{EDGE + 6}" y="{EDGE + LINE * (i + 1)}"'
        parts.append(f'<text class="mono" xml:space="preserve" {at}>{escape(line)}</text>')
    width = max(160, 9 * max(map(len, lines)) + 2 * EDGE + 12)
    return svg(width, LINE * len(lines) + 3 * EDGE, escape(title), "".join(parts))


def grid_places(game: Game, s: Any, actions: Sequence[Any]) -> list[tuple[str, ...]]:
    """The squares of `board_svg` that each action names: a cell number from 0, or (row, column)."""
    rows = grid_of(game.board(s))
    if rows is None:
        return [() for _ in actions]
    height, width = len(rows), len(rows[0])
    found: list[tuple[str, ...]] = []
    for a in actions:
        if isinstance(a, tuple) and len(a) == 2 and all(type(v) is int for v in a):
            row, column = a
            ok = 0 <= row < height and 0 <= column < width
            found.append((str(row * width + column),) if ok else ())
        elif type(a) is int and 0 <= a < height * width:
            found.append((str(a),))
        else:
            found.append(())
    return found
