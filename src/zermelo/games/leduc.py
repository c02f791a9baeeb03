"""Leduc poker: notation. The rules are core/games/leduc.hpp.

Chance deals "J", "Q" or "K" to player 0, to player 1 and, after the first round, face up; players
"fold", "call" (or check) and "raise". A position is what was dealt and done: "K J call raise call
K"; what a player sees has "?" for the other's card. With suits=yes cards are "J1", "J2", ….
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import _core
from ..options import Flag
from .native import State
from .poker import DEAL, Poker

MOVES = 4  # in a round
RANKS = "JQK"


class Leduc(Poker):
    """Six-card poker with two betting rounds."""

    name = "leduc"
    options = (Flag("suits", False, "distinguish the two cards of a rank"),)
    state_space = "288 information sets, 936 with suits (counted)"
    solved = "-0.0856 for the first player (computed)"

    moves = ("fold", "call", "raise")

    def __init__(self, spec: str, suits: bool) -> None:
        super().__init__(spec, _core.leduc(suits))
        self.suits = suits
        self.cards: Sequence[str] = [r + s for r in RANKS for s in "12"] if suits else list(RANKS)

    def deck(self) -> Sequence[str]:
        return self.cards if self.suits else list(RANKS * 2)

    def story(self, s: State) -> list[int]:
        data = self.data(s)
        first, second, table, _, *rest = data
        early, late = rest[0], rest[1]
        done = list(rest[2 : 2 + early])
        if table:
            done += [DEAL + table, *rest[2 + MOVES : 2 + MOVES + late]]
        return [DEAL + c for c in (first, second) if c] + done

    def open_card(self, s: State) -> str:
        table = self.data(s)[2]
        return self.cards[table - 1] if table else ""

    def stakes(self, s: State) -> tuple[int, int]:
        data = self.data(s)
        paid = [1, 1]
        for number, size in ((0, 2), (1, 4)):
            for i in range(data[4 + number]):
                move = self.moves[data[6 + MOVES * number + i]]
                if move != "fold":
                    paid[i % 2] = max(paid) + (size if move == "raise" else 0)
        return paid[0], paid[1]
