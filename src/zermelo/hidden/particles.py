"""What a player may be in who remembers the game so far: by playing over.

Its own moves are known to it; the others' are tried by chance, and what would have looked otherwise
at any of its turns is left out. So it looks at nothing that its player does not see. That is how
games are searched that cannot draw what is hidden, or draw it by what is known now alone, as in
Kriegspiel; there new draws fill up what playing over leaves.
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

STATES = 60  # that are followed
FEW = 30  # where the game draws some itself
TRIES = 12  # for each of them, at one turn
KEPT = 100  # games whose guesses stay at hand

Known = tuple[Game, list[Any], list[Any]]  # the game, its moves so far, what it may be in then


def who(game: Game, s: Any) -> int:
    return TERMINAL if game.is_terminal(s) else game.player(s)


class Guesses:
    """By game that is played and by player: where it stood at its last turn."""

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
        """Of the player who moves in the last state; None if nothing was found that fits."""
        player = who(game, states[-1])
        # Where all games begin nothing is hidden; a position that somebody set up may hide much.
        known = states[0] == game.initial() or not defines(game, "sample")
        start = [states[0]] if known else []
        old, moves, pool = self.known.get((key, player), (game, [], start))
        if old is not game or moves != actions[: len(moves)]:  # other rules, or moves taken back
            moves, pool = [], start
        rng = rng or random.SystemRandom()
        for at in range(len(moves), len(states)):
            if who(game, states[at]) != player:
                continue
            pool = follow(game, pool, states[at], player, rng)
            pool += drawn(game, states[at], player, FEW - len(pool), rng)
            if at == len(states) - 1 or not pool:
                break
            done = actions[at]
            check_action(game, [states[at], *pool], done)
            pool = [game.result(s, done) for s in pool]
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


def follow(game: Game, pool: list[Any], s: Any, player: int, rng: random.Random) -> list[Any]:
    """From these states on by chance to the player's turn; those that look as `s` does."""
    b = adapt(game)
    flats = [b.flat(t) for t in pool]
    tries, seed = STATES * TRIES, rng.getrandbits(64)
    return [
        b.state(f) for f, _ in _core.follow(b.handle, flats, b.flat(s), player, STATES, tries, seed)
    ]


def drawn(game: Game, s: Any, player: int, count: int, rng: random.Random) -> list[Any]:
    """So many that the game draws, as far as it can."""
    draw, found = getattr(game, "sample", None), list[Any]()
    try:
        while draw is not None and len(found) < count:
            found.append(draw(s, player, rng))
    except NotSupported:  # what was followed must do
        pass
    return found


def remembers(game: Game) -> bool:
    """Does who plays a whole game know more than the game draws by, so that it plays over?"""
    return facts_of(game).hidden and not (defines(game, "sample") and game.recall)


class Mind:
    """A search that plays a game: where it must or should, it goes by all that it has seen.

    ask(state, belief): the search; without a belief it lists or draws what it may be in.
    """

    def __init__(
        self, game: Game, ask: Callable[[Any, Belief | None], Any], rng: random.Random | None = None
    ) -> None:
        self.game, self.ask, self.rng = game, ask, rng
        # A game that draws nothing may be small enough to list.
        over = remembers(game) and defines(game, "sample")
        self.guesses = Guesses() if over else None

    def choose(self, states: list[Any], actions: list[Any]) -> Any:
        """What `ask` says in the last of these states, which these actions led to."""
        game, s = self.game, states[-1]
        if self.guesses is None:
            try:
                return self.ask(s, None)
            except NotSupported:
                if not remembers(game):
                    raise
                self.guesses = Guesses()
        belief = self.guesses.belief("", game, states, actions, self.rng)
        if belief is None:
            raise NotSupported(
                f"no sampled state of {game.name} is consistent with what was observed",
                "take back the last moves, or start a new game",
            )
        return self.ask(s, belief)
