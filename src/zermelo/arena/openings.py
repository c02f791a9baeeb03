"""Random openings of a match: how many moves, and positions from which both sides can still win."""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass, field
from typing import Any

from ..chance import sample_outcome
from ..checks import check_whole, checked_state
from ..errors import UsageError
from ..game import CHANCE, Game, facts_of, first_state, legal_actions
from ..search.algorithms import duel
from ..search.api import search

MAX_PLIES = 6  # random moves of an opening, unless the caller asks for more
SHORT_GAME = 20  # a game that random players end sooner starts from its initial position
SHARE = 6  # an opening is at most this part of a random game
SAMPLES = 15  # random games that measure the length
TRIES = 200  # openings sampled before giving up
PROOF_NODES = 2000  # for the proof that one side has won
PLAYOUTS = 24  # where nothing can be proved: all of them end alike


class Trajectory:
    """A partial game: its states and the actions between them."""

    def __init__(self, game: Game, state: Any = None) -> None:
        self.game = game
        start = first_state(game) if state is None else state
        self.states, self.actions = [start], list[Any]()

    def play(self, action: Any) -> None:
        self.actions.append(action)
        after = self.game.result(self.states[-1], action)
        self.states.append(checked_state(after, "result(s, a)"))

    def sample_chance(self, rng: random.Random) -> bool:
        """Sample chance moves until a player is to move; False if the game is over."""
        game = self.game
        while not game.is_terminal(self.states[-1]):
            if game.player(self.states[-1]) != CHANCE:
                return True
            self.play(sample_outcome(game, self.states[-1], rng)[1])
        return False

    def random_moves(self, count: int, rng: random.Random) -> int:
        """Play up to `count` random moves; returns how many the game allowed."""
        for made in range(count):
            if not self.sample_chance(rng):
                return made
            self.play(rng.choice(legal_actions(self.game, self.states[-1])))
        return count


@dataclass
class Openings:
    """The openings of one match: the same seed gives the same openings."""

    game: Game
    plies: int  # random moves before the players take over
    reason: str  # why this number, in words; "" if the caller chose it
    seed: int = 0
    _check: bool | None = field(default=None, repr=False)

    def __str__(self) -> str:
        moves = f"{self.plies or 'none'}"
        return f"{moves} ({self.reason})" if self.reason else moves

    def sample(self, rng: random.Random) -> Trajectory:
        """A game after `plies` random moves that is neither over nor decided."""
        if not self.plies:
            return Trajectory(self.game)
        over = 0
        for _ in range(TRIES):
            played = Trajectory(self.game)
            played.random_moves(self.plies, rng)
            if self.game.is_terminal(played.states[-1]):
                over += 1
            elif not self.check or not decided(self.game, played.states[-1], rng):
                return played
        how = "over" if over == TRIES else "over or decided"
        raise UsageError(
            f"every game of {self.game.name} is {how} after {self.plies} random opening moves",
            "use fewer random moves, or none: opening=0",
        )

    @property
    def check(self) -> bool:
        """Whether to refuse decided positions; not if the initial position is decided."""
        if self._check is None:
            start = self.game.initial()
            self._check = not decided(self.game, start, random.Random(self.seed))
        return self._check


def openings(game: Game, wanted: Any, seed: int) -> Openings:
    """`wanted` random moves, or for "auto" as many as the game's length allows."""
    if wanted != "auto":
        if isinstance(wanted, str):
            raise UsageError(f"invalid opening={wanted!r}", 'expected "auto" or a number of moves')
        return Openings(game, check_whole("opening", wanted, 0), "", seed)
    if facts_of(game).chance:
        return Openings(game, 0, "chance moves vary the games", seed)
    length = _typical_length(game)
    if length < SHORT_GAME:
        return Openings(game, 0, f"a random game lasts about {length} moves", seed)
    plies = min(MAX_PLIES, length // SHARE)
    return Openings(game, plies, "chosen by the game's length", seed)


def _typical_length(game: Game) -> int:
    """The median length of random games; long ones are not played to their end."""
    enough = max(SHORT_GAME, SHARE * MAX_PLIES)
    rng = random.Random("length")
    lengths = [Trajectory(game).random_moves(enough, rng) for _ in range(SAMPLES)]
    return int(statistics.median(lengths))


def decided(game: Game, s: Any, rng: random.Random) -> bool:
    """Whether a player has already won: by a short proof, or if all random games end alike."""
    facts = facts_of(game)
    if duel(facts) and facts.players == 2 and not facts.chance and not facts.hidden:
        r = search(game, s, "engine", nodes=PROOF_NODES)
        return (r.kind in ("exact", "lower") and r.value > 0) or (
            r.kind in ("exact", "upper") and r.value < 0
        )
    ends = set()
    for _ in range(PLAYOUTS):
        played = Trajectory(game, s)
        played.random_moves(1000, rng)
        if not game.is_terminal(played.states[-1]):
            return False
        got = [float(game.utility(played.states[-1], p)) for p in range(facts.players)]
        ends.add(tuple(u == max(got) for u in got))
        if len(ends) > 1:
            return False
    return not all(ends.pop())
