"""Nim by splitting: notation and drawing. The rules are core/games/split_nim.hpp.

"5+2" splits a pile of seven into five and two. A position is the piles, "4 2 1", followed by
"second" where the second player is to move.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..options import Option
from .native import NativeGame, State
from .nim import board_of, format_piles, parse_piles, svg_of


class SplitNim(NativeGame):
    """Split a pile into two unequal piles."""

    name = "split-nim"
    options = (Option("piles", (7,), range(65536), "stones in each pile"),)
    state_space = "14 positions of a pile of 7 (counted)"
    solved = "by Grundy values (Sprague 1935, Grundy 1939)"

    impartial = True

    def __init__(self, spec: str, piles: tuple[int, ...]) -> None:
        super().__init__(spec, _core.split_nim(list(piles)))

    def decode_action(self, key: int, code: int) -> str:
        return f"{code >> 8}+{code & 0xFF}"

    def encode_action(self, key: int, action: Any) -> int:
        one, two = sorted(int(p) for p in str(action).split("+"))
        if not 0 < one < two < 256:
            raise IllegalAction(f"{action!r} is not a move of split-nim")
        return two << 8 | one

    def piles(self, s: State) -> tuple[int, ...]:
        """The piles, largest first."""
        data = self.data(s)
        return tuple(p for p in range(len(data) - 1, 0, -1) for _ in range(data[p]))

    def format_state(self, s: State) -> str:
        return format_piles(self.piles(s), self.data(s)[0])

    def parse_state(self, text: str) -> State:
        piles, turn = parse_piles(text)
        data = bytearray(len(self.initial().data))
        most = len(data) - 1
        if sum(piles) > most:
            raise BadPosition(
                f"position {text!r} is too large", f"expected at most {most} stones in total"
            )
        data[0] = turn
        for p in piles:
            data[p] += 1
        return State(self, bytes(data))

    def board(self, s: State) -> str:
        return board_of(self.piles(s))

    def svg(self, s: State) -> str:
        return svg_of(self.piles(s), "split-nim", _parts_at)


def _parts_at(pile: int, stone: int) -> str:
    """The split before a stone, counted from 0."""
    return f"{max(stone, pile - stone)}+{min(stone, pile - stone)}"
