"""Hex: notation and drawing. The rules are core/games/hex.hpp.

Columns are a, b, c, … and rows 1, 2, 3, … from the top. A move is a cell ("f6") or "swap". A
position is the moves played so far ("f6 swap e5"), or the rows from the top with R for Red, B for
Blue and . for empty, then the side to move: "R../.B./... red".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..options import Flag, Option
from .drawing import disc, letter, svg, text
from .native import EncodedGame, EvaluatedGame, State, written_moves

SWAP = "swap"
CELL = re.compile(r"([a-s])([1-9]\d?)", re.ASCII)
RADIUS = 22  # of a drawn cell
WIDTH = math.sqrt(3) * RADIUS
STYLE = """<style>
.cell{fill:#f4efe4;stroke:#b9ae98;stroke-width:1.5}
.red{fill:#d64545;stroke:none}.blue{fill:#2f6fd0;stroke:none}
.rim-red,.rim-blue{fill:none;stroke-width:7;stroke-linecap:round;stroke-linejoin:round}
.rim-red{stroke:#d64545}.rim-blue{stroke:#2f6fd0}
@media(prefers-color-scheme:dark){.cell{fill:#2a2d34;stroke:#4a505c}}
</style>"""


class Hex(EncodedGame, EvaluatedGame):
    """Connect your two sides of a rhombus; there are no draws."""

    name = "hex"
    options = (
        Option("size", 11, range(2, 20), "cells per side"),
        Flag("swap", True, "the second player may take over the first stone"),
    )
    state_space = "about 10^57 positions on 11x11 (van Rijswijck 2002)"
    solved = (
        "without swap, first player wins (Nash); "
        "all openings up to 9x9 (Pawlewicz and Hayward 2013)"
    )

    player_names = ("Red", "Blue")
    evaluations = ("stones-to-connect",)
    symmetry = "rotation"

    def __init__(self, spec: str, size: int, swap: bool) -> None:
        super().__init__(spec, _core.hex(size, swap))
        self.size = size

    # -- notation ----------------------------------------------------------------------------
    def cell(self, number: int) -> str:
        row, column = divmod(number, self.size)
        return f"{letter(column)}{row + 1}"

    def decode_action(self, key: int, code: int) -> str:
        return SWAP if code == self.size**2 else self.cell(code)

    def encode_action(self, key: int, action: Any) -> int:
        move = str(action).strip().lower()
        if move == SWAP:
            return self.size**2
        found = CELL.fullmatch(move)
        column, row = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (99, 99)
        if column >= self.size or row >= self.size:
            raise IllegalAction(f"unknown cell {action!r}")
        return row * self.size + column

    def parse_action(self, s: Any, text: str) -> Any:
        return super().parse_action(s, text.strip().lower())

    def mover(self, s: State) -> int:
        """The player to move, or who would move if the game were not over."""
        return self.data(s)[-8]

    def rows(self, s: State) -> list[str]:
        """Rows from the top, with R, B and "."."""
        data = self.data(s)
        words = (len(data) - 8) // 4
        red, blue = (int.from_bytes(data[i * words : (i + 1) * words], "little") for i in (0, 1))
        signs = [".RB"[(red >> i & 1) + 2 * (blue >> i & 1)] for i in range(self.size**2)]
        return ["".join(signs[r * self.size : (r + 1) * self.size]) for r in range(self.size)]

    def format_state(self, s: State) -> str:
        return f"{'/'.join(self.rows(s))} {self.player_names[self.mover(s)].lower()}"

    def parse_state(self, text: str) -> State:
        if "/" in text:
            return self.parse_rows(text)
        s = self.initial()
        for number, move in enumerate(written_moves(text), 1):
            s = self.play_written(s, text, number, move)
        return s

    def parse_rows(self, text: str) -> State:
        """A position given as rows of stones."""
        rows, _, side = text.strip().upper().partition(" ")
        cells = rows.replace("/", "")
        side = side.strip()
        lengths = [len(row) for row in rows.split("/")]
        if lengths != [self.size] * self.size or not set(cells) <= set(".RB"):
            raise BadPosition(
                f"position {text!r} is not {self.size} rows of {self.size} cells (. R B)",
                "e.g. R../.B./... red",
            )
        if side not in ("", "RED", "BLUE"):
            raise BadPosition(f"invalid side {side.lower()!r}", "expected red or blue")
        ahead = cells.count("R") > cells.count("B")  # Red has just moved
        mover = ahead if not side else side == "BLUE"
        data = _core.hex_state(self.size, cells, int(mover))
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} is impossible",
                "Red moves first, the players take turns, and the game ends when one connects",
            )
        return State(self, data)

    # -- looks -------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        columns = " ".join(letter(c) for c in range(self.size))
        rows = [f"{' ' * r}{r + 1:>2} {' '.join(row)}" for r, row in enumerate(self.rows(s))]
        return "\n".join([f"   {columns}", *rows])

    def action_squares(self, s: Any, a: Any) -> Sequence[str]:
        """A click on the first stone swaps it."""
        if a != SWAP:
            return (str(a),)
        return (self.cell("".join(self.rows(s)).index("R")),)

    def svg(self, s: State) -> str:
        n = self.size
        parts = [STYLE, self.rims()]
        for r, row in enumerate(self.rows(s)):
            for c, sign in enumerate(row):
                x, y = center(r, c)
                parts.append(f'<polygon class="cell" points="{corners(x, y)}"/>')
                if sign != ".":
                    parts.append(disc(x, y, 0.68 * RADIUS, "red" if sign == "R" else "blue"))
                name = self.cell(r * n + c)
                parts.append(
                    f'<polygon class="place" data-square="{name}" points="{corners(x, y)}"/>'
                )
        for i in range(n):
            x, y = center(0, i)
            parts.append(text(x - WIDTH / 3, y - 1.35 * RADIUS, letter(i)))
            x, y = center(i, 0)
            parts.append(text(x - 0.95 * WIDTH, y - 0.1 * RADIUS, str(i + 1)))
        x, y = center(n - 1, n - 1)
        height = y + 2 * RADIUS
        if not self.is_terminal(s) and SWAP in self.actions(s):
            parts.append(text((x + WIDTH) / 2, height + 8, "Blue may swap: click the red stone"))
            height += 20
        return svg(round(x + WIDTH, 1), round(height, 1), "hex", "".join(parts))

    def rims(self) -> str:
        """The sides to connect: red at the top and the bottom, blue left and right."""
        last = self.size - 1
        paths = (
            ("red", [(0, i, k) for i in range(self.size) for k in (4, 5, 0)]),
            ("red", [(last, i, k) for i in range(self.size) for k in (3, 2, 1)]),
            ("blue", [(i, 0, k) for i in range(self.size) for k in (4, 3, 2)]),
            ("blue", [(i, last, k) for i in range(self.size) for k in (5, 0, 1)]),
        )
        return "".join(
            f'<polyline class="rim-{colour}" '
            f'points="{" ".join(corner(*center(r, c), k) for r, c, k in path)}"/>'
            for colour, path in paths
        )


def center(row: int, column: int) -> tuple[float, float]:
    """The middle of a cell in the picture; every row is shifted by half a cell."""
    return 48 + WIDTH * (column + row / 2), 46 + 1.5 * RADIUS * row


def corner(x: float, y: float, k: int) -> str:
    """Corner `k` of a cell: 0 is the upper right one, then clockwise; 5 is the top."""
    angle = math.radians(60 * k - 30)
    return f"{x + RADIUS * math.cos(angle):.1f},{y + RADIUS * math.sin(angle):.1f}"


def corners(x: float, y: float) -> str:
    return " ".join(corner(x, y, k) for k in range(6))
