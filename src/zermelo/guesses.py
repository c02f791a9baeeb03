"""What an opponent may be in, where a game hides something and cannot draw it: by playing over.

Its own moves are known to it; the others' are tried by chance, and what would have looked otherwise
at any of its turns is left out. So it looks at nothing that its player does not see.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import Any

from .beliefs import Belief, observed
from .game import CHANCE, TERMINAL, Game

STATES = 60  # that are followed
TRIES = 12  # for each of them, at one turn
STEPS = 40  # of others between two turns: an umpire may refuse some
KEPT = 100  # games whose guesses stay at hand

Known = tuple[Game, list[Any], list[Any]]  # the game, its moves so far, what it may be in then


def who(game: Game, s: Any) -> int:
    return TERMINAL if game.is_terminal(s) else game.player(s)


class Guesses:
    """By game that is played and by player: where it stood at its last turn."""

    def __init__(self) -> None:
        self.known: OrderedDict[tuple[str, int], Known] = OrderedDict()

    def belief(
        self, key: str, game: Game, states: list[Any], actions: list[Any], odds: Any
    ) -> Belief | None:
        """Of the player who moves in the last state; None if nothing was found that fits."""
        player = who(game, states[-1])
        old, moves, pool = self.known.get((key, player), (game, [], [states[0]]))
        if old is not game or moves != actions[: len(moves)]:  # other rules, or moves taken back
            moves, pool = [], [states[0]]
        rng = random.SystemRandom()
        for at in range(len(moves), len(states)):
            if who(game, states[at]) != player:
                continue
            pool = follow(game, pool, observed(game, states[at], player), player, odds, rng)
            if at == len(states) - 1 or not pool:
                break
            done = actions[at]
            pool = [game.result(s, done) for s in pool if done in list(game.actions(s))]
            self.keep((key, player), (game, actions[: at + 1], pool))
        if not pool:
            return None
        counted: dict[Any, float] = {}
        for s in pool:
            counted[s] = counted.get(s, 0.0) + 1
        return Belief(game, player, counted, len(pool))

    def keep(self, key: tuple[str, int], known: Known) -> None:
        self.known[key] = known
        self.known.move_to_end(key)
        while len(self.known) > KEPT:
            self.known.popitem(last=False)


def follow(
    game: Game, pool: list[Any], seen: Any, player: int, odds: Any, rng: random.Random
) -> list[Any]:
    """From these states on by chance to the player's turn; those that look as it did."""
    found: list[Any] = []
    for _ in range(STATES * TRIES if pool else 0):
        s = rng.choice(pool)
        for _ in range(STEPS):
            mover = who(game, s)
            if mover == player or mover < CHANCE:
                break
            if mover == CHANCE:
                drawn = odds(game, s)
                s = game.result(s, rng.choices([a for a, _ in drawn], [p for _, p in drawn])[0])
            else:
                s = game.result(s, rng.choice(list(game.actions(s))))
        if who(game, s) == player and observed(game, s, player) == seen:
            found.append(s)
            if len(found) == STATES:
                break
    return found
