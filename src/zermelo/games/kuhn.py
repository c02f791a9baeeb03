"""Kuhn poker: notation. The rules are core/games/kuhn.hpp.

Chance deals "J", "Q" or "K", first to player 0; players "pass" or "bet". A position is what was
dealt and done, "K Q pass bet"; what a player sees has "?" for the other's card.
"""

from __future__ import annotations

from .. import _core
from .native import State
from .poker import DEAL, Poker


class Kuhn(Poker):
    """Three-card poker: the smallest in which bluffing pays."""

    name = "kuhn"
    state_space = "12 information sets (counted)"
    solved = "-1/18 for the first player (Kuhn 1950)"

    cards = ("J", "Q", "K")
    moves = ("pass", "bet")

    def __init__(self, spec: str) -> None:
        super().__init__(spec, _core.kuhn())

    def story(self, s: State) -> list[int]:
        first, second, made, bets = self.data(s)
        dealt = [DEAL + c for c in (first, second) if c]
        return dealt + [bets >> i & 1 for i in range(made)]

    def stakes(self, s: State) -> tuple[int, int]:
        _, _, made, bets = self.data(s)
        paid = [1 + any(bets >> i & 1 for i in range(p, made, 2)) for p in (0, 1)]
        return paid[0], paid[1]
