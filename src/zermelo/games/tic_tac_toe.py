"""Tic-tac-toe and every m,n,k-game: notation and drawing. The rules: core/games/tic_tac_toe.hpp.

A move is a column's letter and a row's number from the top ("b2" is the centre); a position is the
rows from the top, as in "X.O/.X./..O", or a list of moves.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from ..errors import BadPosition
from ..game import Game
from ..options import Option
from .crosses import grid_svg, grid_text, read_square, square_name
from .native import EncodedGame, EvaluatedGame, State


class TicTacToe(EncodedGame, EvaluatedGame):
    """K in a row on m columns and n rows."""

    name = "tic-tac-toe"
    options = (
        Option("m", 3, range(1, 27), "columns"),
        Option("n", 3, range(1, 65), "rows"),
        Option("k", 3, range(1, 65), "marks in a row that win"),
    )
    state_space = "5,478 positions (counted); fewer than 9! = 362,880 move sequences"
    solved = "draw"

    evaluations = ("open-lines",)
    player_names = ("X", "O")
    estimate_scale = 8.0

    def __init__(self, spec: str, m: int, n: int, k: int) -> None:
        super().__init__(spec, _core.tic_tac_toe(m, n, k))
        self.m, self.n, self.k = m, n, k
        self.symmetry = "square" if m == n else "rectangle"

    def decode_action(self, key: int, code: int) -> str:
        return square_name(*divmod(code, self.m + 1))

    def encode_action(self, key: int, action: Any) -> int:
        row, column = read_square(action, self.m, self.n)
        return row * (self.m + 1) + column

    def parse_action(self, s: State, text: str) -> Any:
        word = text.strip().lower()
        if word.isdecimal() and len(word) < 9 and 1 <= int(word) <= self.m * self.n:  # from 1
            word = square_name(*divmod(int(word) - 1, self.m))
        return super().parse_action(s, word)

    def grid(self, s: State) -> list[list[int]]:
        """Rows from the top: -1 empty, 0 X, 1 O."""
        data = self.data(s)
        half = len(data) // 2
        x, o = (int.from_bytes(data[i : i + half], "little") for i in (0, half))
        squares = [[r * (self.m + 1) + c for c in range(self.m)] for r in range(self.n)]
        return [[0 if x >> q & 1 else 1 if o >> q & 1 else -1 for q in row] for row in squares]

    def rows(self, s: State) -> list[str]:
        """The same of "." "X" "O"."""
        return ["".join(".XO"[v + 1] for v in row) for row in self.grid(s)]

    def format_state(self, s: State) -> str:
        return "/".join(self.rows(s))

    def parse_state(self, text: str) -> State:
        rows = text.strip().upper().replace("_", ".").replace("-", ".").split("/")
        if not all(set(row) <= set(".XO") for row in rows) or not text.strip():
            s: State = Game.parse_state(self, text)
            return s
        if len(rows) != self.n or any(len(row) != self.m for row in rows):
            raise BadPosition(
                f"position {text!r} is not {self.n} rows of {self.m} cells",
                "write the rows from the top, e.g. X.O/.X./..O",
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
                f"position {text!r} is impossible",
                "X moves first, the players take turns, and the game ends with the first line",
            )
        return State(self, data)

    def board(self, s: State) -> str:
        return grid_text(self.rows(s))

    def svg(self, s: State) -> str:
        return grid_svg(self.rows(s), "tic-tac-toe")
