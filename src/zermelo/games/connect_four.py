"""Connect four: notation and drawing. The rules are core/games/connect_four.hpp.

A move is a column, counted from 1; a position is written as the columns played so far ("4453"), or
as the rows from the top ("......./…/..XO...").
"""

from __future__ import annotations

import operator
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..options import Option
from .drawing import disc, place, svg, text
from .native import EncodedGame, EvaluatedGame, State

ORDER_TRIES = 20_000


class ConnectFour(EncodedGame, EvaluatedGame):
    """Four in a row by dropping discs into columns."""

    name = "connect-four"
    options = (
        Option("width", 7, range(1, 33), "columns"),
        Option("height", 6, range(1, 64), "rows"),
        Option(
            "score", "win", ("win", "distance"), "utility of a win: 1, or higher for a quicker win"
        ),
    )
    state_space = "4,531,985,219,092 positions (Edelkamp and Kissmann 2008)"
    solved = "first player wins (Allen 1988, Allis 1988)"

    evaluations = ("open-lines",)
    player_names = ("Red", "Yellow")
    estimate_scale = 8.0
    symmetry = "mirror"

    def __init__(self, spec: str, width: int, height: int, score: str) -> None:
        super().__init__(spec, _core.connect_four(width, height, score == "distance"))
        self.width = width
        self.height = height

    def decode_action(self, key: int, code: int) -> int:
        return code + 1

    def encode_action(self, key: int, action: Any) -> int:
        if isinstance(action, bool):
            raise IllegalAction(f"{action!r} is not a column")
        return (int(action) if isinstance(action, str) else operator.index(action)) - 1

    def grid(self, s: State) -> list[list[int]]:
        """Rows from the top: -1 empty, else the player."""
        data = self.data(s)
        own, every = (int.from_bytes(data[i : i + 8], "little") for i in (0, 8))
        mover = every.bit_count() & 1
        rows = [[-1] * self.width for _ in range(self.height)]
        for c in range(self.width):
            for r in range(self.height):
                bit = 1 << (c * (self.height + 1) + r)
                if every & bit:
                    rows[self.height - 1 - r][c] = mover if own & bit else 1 - mover
        return rows

    def parse_state(self, text: str) -> State:
        if "/" in text:
            return self.parse_rows(text)
        s = self.initial()
        moves = text.split() if self.width > 9 else [c for c in text if not c.isspace()]
        for number, move in enumerate(moves, 1):
            s = self.play_written(s, text, number, move)
        return s

    def parse_rows(self, text: str) -> State:
        """A position given as a picture."""
        rows = text.strip().upper().split("/")
        if len(rows) != self.height or any(
            len(row) != self.width or not set(row) <= set(".XO") for row in rows
        ):
            raise BadPosition(
                f"position {text!r} is not {self.height} rows of {self.width} cells (. X O)",
                "or give the columns played so far, e.g. 4453",
            )
        stones = [0, 0]
        for r, row in enumerate(reversed(rows)):
            for c, v in enumerate(row):
                if v != ".":
                    stones["XO".index(v)] |= 1 << (c * (self.height + 1) + r)
        every = stones[0] | stones[1]
        data = stones[every.bit_count() & 1].to_bytes(8, "little") + every.to_bytes(8, "little")
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} is impossible",
                "X moves first, the players take turns, and four in a row ends the game",
            )
        return State(self, data)

    def format_state(self, s: State) -> str:
        """A sequence of columns that leads to `s` (any: the order of play is not remembered)."""
        order = _order(self.grid(s))
        if order is None:
            return "/".join("".join(".XO"[v + 1] for v in row) for row in self.grid(s))
        return (" " if self.width > 9 else "").join(str(c + 1) for c in order)

    def board(self, s: State) -> str:
        rows = [" ".join(".XO"[v + 1] for v in row) for row in self.grid(s)]
        foot = " ".join(str((c + 1) % 10) for c in range(self.width))
        return "\n".join([*rows, foot])

    def svg(self, s: State) -> str:
        size, top = 44, 8
        parts = [
            f'<rect class="board" x="4" y="{top - 4}" width="{self.width * size + 8}" '
            f'height="{self.height * size + 8}" rx="8"/>'
        ]
        for r, row in enumerate(self.grid(s)):
            for c, v in enumerate(row):
                css = ("hole", "p0", "p1")[v + 1]
                parts.append(disc(8 + size * (c + 0.5), top + size * (r + 0.5), 17, css))
        for c in range(self.width):
            parts.append(text(8 + size * (c + 0.5), top + size * self.height + 22, str(c + 1)))
            parts.append(place(c + 1, 8 + size * c, top, size, size * self.height))
        return svg(self.width * size + 16, self.height * size + 40, "connect four", "".join(parts))


def _order(rows: list[list[int]]) -> list[int] | None:
    """A legal order of play that ends in this board: columns bottom up, players in turn.

    Depth-first with memory of failed fillings; the winning stone must come last, so a stone that
    completes a four is put off as long as others can be played. None: not found in good time.
    """
    height, width = len(rows), len(rows[0])
    columns = [[rows[height - 1 - r][c] for r in range(height)] for c in range(width)]
    columns = [[v for v in col if v >= 0] for col in columns]
    total = sum(map(len, columns))
    failed: set[tuple[int, ...]] = set()
    path: list[int] = []
    heights = [0] * width

    def four(c: int) -> bool:
        r = heights[c] - 1
        who = columns[c][r]

        def mine(x: int, y: int) -> bool:
            return 0 <= x < width and 0 <= y < heights[x] and columns[x][y] == who

        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            n = 1
            for sign in (1, -1):
                k = 1
                while mine(c + sign * k * dx, r + sign * k * dy):
                    n, k = n + 1, k + 1
            if n >= 4:
                return True
        return False

    def fill() -> bool:
        if len(path) == total:
            return True
        state = tuple(heights)
        if state in failed or len(failed) > ORDER_TRIES:
            return False
        for c in range(width):
            if heights[c] < len(columns[c]) and columns[c][heights[c]] == len(path) & 1:
                heights[c] += 1
                path.append(c)
                if (len(path) == total or not four(c)) and fill():
                    return True
                path.pop()
                heights[c] -= 1
        failed.add(state)
        return False

    return path if fill() else None
