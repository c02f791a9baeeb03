"""Connect four as an ordinary Python class, used by benchmarks/connect_four.py.

It runs as plain Python and compiled (``zermelo.compile``), with the move order and the evaluation
of the native game, so that all three search the same tree. Bits are numbered column by column from
the bottom, seven per column; the seventh is always empty:

     5 12 19 26 33 40 47
     …
     0  7 14 21 28 35 42
"""

from __future__ import annotations

from typing import NamedTuple

import zermelo


class State(NamedTuple):
    own: int  # the stones of the player to move
    all: int
    turn: int


def count(bits: int) -> int:
    """The number of set bits (Numba does not support int.bit_count)."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0x7F


class ConnectFour(zermelo.Game):
    """Seven columns, six rows; four in a row win."""

    utility_bounds = (-1.0, 1.0)

    def __init__(self) -> None:
        self.board = sum(0b111111 << 7 * c for c in range(7))

    def initial(self) -> State:
        return State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> list[int]:
        return [c for c in range(7) if not s.all >> 7 * c + 5 & 1]

    def result(self, s: State, a: int) -> State:
        # Adding the bottom bit carries up to the first free square of the column.
        return State(s.own ^ s.all, s.all | s.all + (1 << 7 * a), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.all == self.board or self.has_four(s.own ^ s.all)

    def utility(self, s: State, p: int) -> float:
        if not self.has_four(s.own ^ s.all):
            return 0.0
        return -1.0 if p == s.turn else 1.0

    def evaluate(self, s: State, p: int) -> float:
        """Lines of four that can still be completed, the player's minus the opponent's."""
        free = self.board ^ s.all
        lead = self.open_lines(s.own | free) - self.open_lines(self.board ^ s.own)
        return float(lead if p == s.turn else -lead)

    def has_four(self, stones: int) -> bool:
        for step in (1, 7, 8, 6):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def open_lines(self, squares: int) -> int:
        lines = 0
        for step in (1, 7, 8, 6):
            pairs = squares & squares >> step
            lines += count(pairs & pairs >> 2 * step)
        return lines
