"""Beliefs over a whole game, by a particle filter that replays it.

The player's own moves are known. The moves of the others and of chance are sampled, and a particle
is dropped when its observation at one of the player's turns differs from the real one. The filter
uses only what its player observes. It serves games that have no ``sample``, or whose ``sample``
depends only on the last observation, as in Kriegspiel; there new samples replace lost particles.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .. import _core
from ..errors import NotSupported
from ..game import TERMINAL, Game, defines, facts_of
from ..search.adapter import adapt
from .beliefs import Belief, check_action

STATES = 60  # particles
FEW = 30  # particles if the game can sample new ones
TRIES = 12  # playouts per particle and turn
MAX_GAMES = 100  # games whose particles are remembered

Known = tuple[Game, list[Any], list[Any]]  # the game, its moves so far, the particles then


def who(game: Game, s: Any) -> int:
    return TERMINAL if game.is_terminal(s) else game.player(s)


class Particles:
    """The particles of each player in each running game, as of its last turn."""

    def __init__(self) -> None:
        self.known: OrderedDict[tuple[str, int], Known] = OrderedDict()

    def belief(
        self,
        key: str,
        game: Game,
        states: list[Any],
        actions: list[Any],
        rng: random.Random | None = None,
    ) -> Belief | None:
        """The belief of the player to move in the last state; None if no particle is left."""
        player = who(game, states[-1])
        # The initial state is known to all; a position that was set up may hide information.
        known = states[0] == game.initial() or not defines(game, "sample")
        start = [states[0]] if known else []
        old, moves, pool = self.known.get((key, player), (game, [], start))
        if (
            old is not game or moves != actions[: len(moves)]
        ):  # another game, or moves were taken back
            moves, pool = [], start
        rng = rng or random.SystemRandom()
        for at in range(len(moves), len(states)):
            if who(game, states[at]) != player:
                continue
            pool = follow(game, pool, states[at], player, rng)
            pool += sampled(game, states[at], player, FEW - len(pool), rng)
            if at == len(states) - 1 or not pool:
                break
            done = actions[at]
            check_action(game, [states[at], *pool], done)
            pool = [game.result(s, done) for s in pool]
            self.remember((key, player), (game, actions[: at + 1], pool))
        if not pool:
            return None
        counted: dict[Any, float] = {}
        for s in pool:
            counted[s] = counted.get(s, 0.0) + 1
        return Belief(game, player, counted, len(pool))

    def remember(self, key: tuple[str, int], known: Known) -> None:
        """Store the particles of a game; the oldest games are forgotten."""
        self.known[key] = known
        self.known.move_to_end(key)
        while len(self.known) > MAX_GAMES:
            self.known.popitem(last=False)


def follow(game: Game, pool: list[Any], s: Any, player: int, rng: random.Random) -> list[Any]:
    """Sample play from these states to the player's turn; keep those observed like `s`."""
    b = adapt(game)
    flats = [b.flat(t) for t in pool]
    tries, seed = STATES * TRIES, rng.getrandbits(64)
    return [
        b.state(f) for f, _ in _core.follow(b.handle, flats, b.flat(s), player, STATES, tries, seed)
    ]


def sampled(game: Game, s: Any, player: int, count: int, rng: random.Random) -> list[Any]:
    """Up to `count` states that the game samples."""
    draw, found = getattr(game, "sample", None), list[Any]()
    try:
        while draw is not None and len(found) < count:
            found.append(draw(s, player, rng))
    except NotSupported:  # the replayed particles must suffice
        pass
    return found


def remembers(game: Game) -> bool:
    """Whether a player knows more than ``sample`` uses, so that the game must be replayed."""
    return facts_of(game).hidden and not (defines(game, "sample") and game.recall)


class BeliefPlayer:
    """A search that plays a whole game and remembers what it has observed where that matters.

    search(state, belief): without a belief the search lists or samples the consistent states.
    """

    def __init__(
        self,
        game: Game,
        search: Callable[[Any, Belief | None], Any],
        rng: random.Random | None = None,
    ) -> None:
        self.game, self.search, self.rng = game, search, rng
        # Without `sample`, all consistent states may be few enough to list.
        replays = remembers(game) and defines(game, "sample")
        self.particles = Particles() if replays else None

    def choose(self, states: list[Any], actions: list[Any]) -> Any:
        """The answer of the search in the last of these states, which these actions led to."""
        game, s = self.game, states[-1]
        if self.particles is None:
            try:
                return self.search(s, None)
            except NotSupported:
                if not remembers(game):
                    raise
                self.particles = Particles()
        belief = self.particles.belief("", game, states, actions, self.rng)
        if belief is None:
            raise NotSupported(
                f"no sampled state of {game.name} is consistent with what was observed",
                "take back the last moves, or start a new game",
            )
        return self.search(s, belief)
