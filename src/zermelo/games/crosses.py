"""Boards of crosses and rings, m by n: names of squares and drawing, for open and blind games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ..errors import IllegalAction
from .drawing import disc, letter, place, svg, text

SIZE, LEFT, TOP = 48, 26, 8


@cache
def square_name(row: int, column: int) -> str:
    """ "b2": the column's letter, the row's number from the top."""
    return f"{letter(column)}{row + 1}"


def read_square(action: Any, m: int, n: int) -> tuple[int, int]:
    """Row and column of a square by its name."""
    word = str(action).strip().lower()
    column, row = ord(word[:1] or " ") - ord("a"), int(word[1:]) - 1
    if not (0 <= column < m and 0 <= row < n):
        raise IllegalAction(
            f"{action!r} is not on the board", f"expected a1 to {square_name(n - 1, m - 1)}"
        )
    return row, column


def grid_text(rows: Sequence[str]) -> str:
    """The marks of the rows, with letters and numbers beside them."""
    lines = [f"{r + 1:>2} " + " ".join(row) for r, row in enumerate(rows)]
    return "\n".join([*lines, "   " + " ".join(letter(c) for c in range(len(rows[0])))])


def grid_svg(rows: Sequence[str], title: str) -> str:
    """X and O; small letters are faint."""
    w, h = len(rows[0]) * SIZE, len(rows) * SIZE
    parts = [f'<path class="line" d="M{LEFT + x} {TOP}v{h}"/>' for x in range(SIZE, w, SIZE)]
    parts += [f'<path class="line" d="M{LEFT} {TOP + y}h{w}"/>' for y in range(SIZE, h, SIZE)]
    for r, row in enumerate(rows):
        parts.append(text(13, TOP + SIZE * (r + 0.5) + 5, str(r + 1)))
        for c, mark in enumerate(row):
            parts.append(stone(mark, LEFT + SIZE * (c + 0.5), TOP + SIZE * (r + 0.5)))
            parts.append(place(square_name(r, c), LEFT + SIZE * c, TOP + SIZE * r, SIZE, SIZE))
    for c in range(len(rows[0])):
        parts.append(text(LEFT + SIZE * (c + 0.5), TOP + h + 20, letter(c)))
    return svg(LEFT + w + 10, TOP + h + 30, title, "".join(parts))


def stone(mark: str, x: float, y: float) -> str:
    faint = ' opacity="0.45"' if mark in "xo" else ""
    if mark in "xX":
        arms = f"M{x - 13} {y - 13}l26 26M{x + 13} {y - 13}l-26 26"
        return (
            f'<path class="p0" d="{arms}" fill="none" stroke-width="5" '
            f'stroke-linecap="round"{faint}/>'
        )
    if mark in "oO":
        return disc(x, y, 15, "p1").replace("/>", f' style="fill:none" stroke-width="5"{faint}/>')
    return ""
