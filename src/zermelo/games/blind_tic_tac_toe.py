"""Blind tic-tac-toe: notation and drawing. The rules are core/games/blind_tic_tac_toe.hpp.

An attempt is a square, "b2". If the opponent's mark is there, you learn it and try again
(rule=classical) or lose your turn (rule=abrupt). A position is the rows from the top: "X" and "O"
are marks that the opponent has not found, "x" and "o" those that it has: "X.O/.x./..o". A player
sees its own marks and those that it has found.
"""

from __future__ import annotations

import random
from typing import Any

from .. import _core
from ..errors import BadPosition
from ..game import Game
from ..options import Option
from .crosses import grid_svg, grid_text, read_square, square_name
from .native import NativeGame, State

MARKS = ".XOxo"


class BlindTicTacToe(NativeGame):
    """Tic-tac-toe where you see only your own marks."""

    name = "blind-tic-tac-toe"
    options = (
        Option("m", 3, range(1, 17), "columns"),
        Option("n", 3, range(1, 17), "rows"),
        Option("k", 3, range(1, 17), "marks in a row that win"),
        Option(
            "rule",
            "classical",
            ("classical", "abrupt"),
            "after trying an occupied square: try again, or lose the turn",
        ),
    )
    state_space = "5,478 boards (counted)"

    player_names = ("X", "O")
    recall = False  # a position does not contain the order of discovery

    def __init__(self, spec: str, m: int, n: int, k: int, abrupt: bool) -> None:
        super().__init__(spec, _core.blind_tic_tac_toe(m, n, k, abrupt))
        self.m, self.n, self.k, self.abrupt = m, n, k, abrupt

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> BlindTicTacToe:
        return cls(spec, options["m"], options["n"], options["k"], options["rule"] == "abrupt")

    def decode_action(self, key: int, code: int) -> str:
        return square_name(*divmod(code, self.m))

    def encode_action(self, key: int, action: Any) -> int:
        row, column = read_square(action, self.m, self.n)
        return row * self.m + column

    # -- positions --------------------------------------------------------------------------
    def rows(self, s: State, p: int | None = None) -> list[str]:
        """Marks from the top, as player `p` sees them, or all."""
        data = self.data(s)
        stones, met = (
            [int.from_bytes(data[i : i + 2], "little") for i in (at, at + 2)] for at in (0, 4)
        )
        found = ["."] * (self.m * self.n)
        for owner in (0, 1):
            for q in range(self.m * self.n):
                known = met[1 - owner] >> q & 1
                if not stones[owner] >> q & 1 or (p == 1 - owner and not known):
                    continue
                # Players do not know which of their own marks were found.
                lower = known if p is None else owner != p
                found[q] = MARKS[1 + owner + 2 * lower]
        return ["".join(found[r * self.m : (r + 1) * self.m]) for r in range(self.n)]

    def format_state(self, s: State) -> str:
        return "/".join(self.rows(s))

    def parse_state(self, text: str) -> State:
        rows = str(text).strip().replace("_", ".").split("/")
        if not text.strip() or not all(set(row) <= set(MARKS) for row in rows):
            s: State = Game.parse_state(self, text)
            return s
        if len(rows) != self.n or any(len(row) != self.m for row in rows):
            raise BadPosition(
                f"position {text!r} is not {self.n} rows of {self.m} squares",
                "write the rows from the top, e.g. X.O/.x./..o",
            )
        stones, met = [0, 0], [0, 0]
        for q, mark in enumerate("".join(rows)):
            if mark != ".":
                owner = MARKS.index(mark) - 1
                stones[owner % 2] |= 1 << q
                met[1 - owner % 2] |= (owner > 1) << q
        data = b"".join(v.to_bytes(2, "little") for v in (*stones, *met))
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} is impossible",
                "X moves first, and the game ends with the first line",
            )
        return State(self, data)

    # -- what a player sees -----------------------------------------------------------------
    def observation(self, s: State, p: int) -> str:
        """Its own marks, those of the opponent that it has found, and whether it is to move."""
        player = self.handle.to_move(self.data(s))
        if player == -2:
            won = self.utility(s, p)
            turn = "won" if won > 0 else "lost" if won < 0 else "drawn"
        else:
            turn = "to move" if player == p else "waits"
        return "/".join(self.rows(s, p)) + f" {self.player_names[p]} {turn}"

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what player `p` has observed."""
        found = self.handle.deal(self.data(s), p, rng.getrandbits(64))
        return State(self, found) if isinstance(found, bytes) else s

    # -- looks ------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        return grid_text(self.rows(s))

    def view(self, s: State, p: int) -> str:
        return grid_text(self.rows(s, p))

    def svg(self, s: State) -> str:
        """The board; marks that the opponent has found are faint."""
        return grid_svg(self.rows(s), self.name)

    def observation_svg(self, s: State, p: int) -> str:
        """The board as player `p` sees it."""
        return grid_svg(self.rows(s, p), self.name)
