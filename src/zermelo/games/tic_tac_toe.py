"""Tic-tac-toe and every m,n,k-game: notation and drawing. The rules: core/games/tic_tac_toe.hpp.

A move is a column's letter and a row's number from the top ("b2" is the centre); a position is the
rows from the top, as in "X.O/.X./..O", or a list of moves.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..game import Game
from . import whole
from .drawing import disc, letter, place, svg, text
from .native import EvaluatedGame, State


class TicTacToe(EvaluatedGame):
    """X moves first; k in a row wins, a full board is a draw."""

    evaluations = ("open-lines",)
    side_names = ("X", "O")
    estimate_scale = 8.0

    def __init__(self, spec: str, m: int, n: int, k: int) -> None:
        super().__init__(spec, _core.tic_tac_toe(m, n, k))
        self.m, self.n, self.k = m, n, k

    def decode(self, key: int, code: int) -> str:
        row, column = divmod(code, self.m + 1)
        return f"{letter(column)}{row + 1}"

    def encode(self, key: int, action: Any) -> int:
        word = str(action).strip().lower()
        column, row = ord(word[:1] or " ") - ord("a"), int(word[1:]) - 1
        if not (0 <= column < self.m and 0 <= row < self.n):
            raise IllegalAction(f"{action!r} is not on the board")
        return row * (self.m + 1) + column

    def parse_action(self, text: str, s: State) -> Any:
        word = text.strip().lower()
        if word.isdecimal() and len(word) < 9 and 1 <= int(word) <= self.m * self.n:  # from 1
            row, column = divmod(int(word) - 1, self.m)
            word = f"{letter(column)}{row + 1}"
        return super().parse_action(word, s)

    def grid(self, s: State) -> list[list[int]]:
        """Rows from the top: -1 empty, 0 X, 1 O."""
        data = self.data(s)
        half = len(data) // 2
        x, o = (int.from_bytes(data[i : i + half], "little") for i in (0, half))
        squares = [[r * (self.m + 1) + c for c in range(self.m)] for r in range(self.n)]
        return [[0 if x >> q & 1 else 1 if o >> q & 1 else -1 for q in row] for row in squares]

    def format_state(self, s: State) -> str:
        return "/".join("".join(".XO"[v + 1] for v in row) for row in self.grid(s))

    def parse_state(self, text: str) -> State:
        rows = text.strip().upper().replace("_", ".").replace("-", ".").split("/")
        if not all(set(row) <= set(".XO") for row in rows) or not text.strip():
            s: State = Game.parse_state(self, text)
            return s
        if len(rows) != self.n or any(len(row) != self.m for row in rows):
            raise BadPosition(
                f"position {text!r} is not {self.n} rows of {self.m} cells",
                "write the rows from the top, as in X.O/.X./..O",
            )
        stones = [0, 0]
        for r, row in enumerate(rows):
            for c, v in enumerate(row):
                if v != ".":
                    stones["XO".index(v)] |= 1 << (r * (self.m + 1) + c)
        half = len(self.initial().data) // 2
        data = b"".join(v.to_bytes(half, "little") for v in stones)
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} cannot arise in play",
                "X moves first and in turn with O, and play stops at a line",
            )
        return State(self, data)

    def board(self, s: State) -> str:
        rows = [
            f"{r + 1:>2} " + " ".join(".XO"[v + 1] for v in row)
            for r, row in enumerate(self.grid(s))
        ]
        return "\n".join([*rows, "   " + " ".join(letter(c) for c in range(self.m))])

    def svg(self, s: State) -> str:
        size, left, top = 48, 26, 8
        w, h = self.m * size, self.n * size
        parts = []
        for i in range(1, self.m):
            parts.append(f'<path class="line" d="M{left + i * size} {top}v{h}"/>')
        for i in range(1, self.n):
            parts.append(f'<path class="line" d="M{left} {top + i * size}h{w}"/>')
        for r, row in enumerate(self.grid(s)):
            parts.append(text(13, top + size * (r + 0.5) + 5, str(r + 1)))
            for c, v in enumerate(row):
                x, y = left + size * (c + 0.5), top + size * (r + 0.5)
                if v == 0:
                    arms = f"M{x - 13} {y - 13}l26 26M{x + 13} {y - 13}l-26 26"
                    parts.append(
                        f'<path class="p0" d="{arms}" fill="none" stroke-width="5" '
                        'stroke-linecap="round"/>'
                    )
                elif v == 1:
                    ring = disc(x, y, 15, "p1")
                    parts.append(ring.replace("/>", ' style="fill:none" stroke-width="5"/>'))
                cell = (left + size * c, top + size * r, size, size)
                parts.append(place(f"{letter(c)}{r + 1}", *cell))
        for c in range(self.m):
            parts.append(text(left + size * (c + 0.5), top + h + 20, letter(c)))
        return svg(left + w + 10, top + h + 30, "tic-tac-toe", "".join(parts))


def make(spec: str, m: str = "3", n: str = "3", k: str = "3") -> TicTacToe:
    """The game from its options as text."""
    return TicTacToe(spec, whole("m", m, 1, 26), whole("n", n, 1, 64), whole("k", k, 1, 64))
