"""What a player may be in: the states that it cannot tell apart, with their odds."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _core
from .bridge import Bridge, bridge
from .checks import check_seed, check_whole, whole
from .errors import BadPosition, NotSupported, UsageError
from .game import CHANCE, Game, as_game
from .games.native import NativeGame

MOST_HISTORIES = 300_000  # of a game whose states are listed, not drawn
FEW_HISTORIES = 10_000  # of a game that could draw them instead
# Where they cannot be listed.
DRAWN = {"pimc": 100, "ismcts": 1000, "belief": 100, "guaranteed": 100}


class Belief:
    """States that `player` cannot tell apart, each with its probability."""

    def __init__(self, game: Any, player: int, states: Mapping[Any, float], drawn: int = 0) -> None:
        self.game = as_game(game)
        self.player = player
        total = sum(states.values())
        if not states or not total > 0:
            raise BadPosition("a belief needs a state that is possible", "give at least one")
        self.odds = {s: p / total for s, p in states.items()}
        self.drawn = drawn  # how many were drawn; 0: these are all

    def __len__(self) -> int:
        return len(self.odds)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.odds)

    def __getitem__(self, s: Any) -> float:
        return self.odds.get(s, 0.0)

    def __repr__(self) -> str:
        how = f"{self.drawn} draws" if self.drawn else "all"
        return f"<Belief of player {self.player}: {len(self)} states ({how})>"

    @property
    def ranked(self) -> list[tuple[Any, float]]:
        """The states, the likeliest first."""
        return sorted(self.odds.items(), key=lambda pair: -pair[1])

    def after(self, action: Any) -> dict[Any, Belief]:
        """What the player may be in when it moves next, by what it then sees.

        The others are taken to choose by chance. What the game ends in is left out.
        """
        found: dict[Any, dict[Any, float]] = {}
        for s, p in self.odds.items():
            self._on(self.game.result(s, action), p, found)
        return {seen: Belief(self.game, self.player, states) for seen, states in found.items()}

    def ends(self, action: Any) -> list[tuple[Any, float]]:
        """The final states that an action, and the others' replies, may lead to at once."""
        out: list[tuple[Any, float]] = []
        for s, p in self.odds.items():
            self._on(self.game.result(s, action), p, {}, out)
        return out

    def _on(
        self,
        s: Any,
        p: float,
        found: dict[Any, dict[Any, float]],
        ends: list[tuple[Any, float]] | None = None,
    ) -> None:
        game = self.game
        if game.is_terminal(s):
            if ends is not None:
                ends.append((s, p))
            return
        mover = game.player(s)
        if mover == self.player:
            at = found.setdefault(observed(game, s, self.player), {})
            at[s] = at.get(s, 0.0) + p
            return
        if mover == CHANCE:
            moves = list(game.outcomes(s))  # type: ignore[attr-defined]
        else:
            actions = [a for a in game.actions(s) if not idle(game, s, a)]
            moves = [(a, 1 / len(actions)) for a in actions]
        for a, q in moves:
            if q > 0:
                self._on(game.result(s, a), p * q, found, ends)


def idle(game: Game, s: Any, a: Any) -> bool:
    """Does an action leave all as it was, as an attempt that an umpire refuses?"""
    if not isinstance(game, NativeGame):
        return False
    after = game.result(s, a)
    return game.player(after) == game.player(s) and game.handle.idle(game.data(s), game.data(after))


def observed(game: Game, s: Any, p: int) -> Any:
    """What player `p` sees."""
    see = getattr(game, "observation", None)
    return s if see is None else see(s, p)


def belief_of(
    game: Any, state: Any = None, *, player: int | None = None, deals: int = 0, seed: int = 0
) -> Belief:
    """What `player` (by default the mover) may be in where the game is in `state`.

    All states that it cannot tell apart, if the game is small enough to list them; else `deals`
    that the game's ``sample(s, p, rng)`` draws. Nature's moves count by their odds, those of others
    as if they were by chance.
    """
    the_game = as_game(game)
    state = the_game.initial() if state is None else state
    player = the_game.player(state) if player is None else player
    if whole(player) is None or not 0 <= player < the_game.players:
        raise UsageError(f"there is no player {player!r} here", "name one: player=0")
    check_whole("deals", deals, 0, 1_000_000)
    check_seed(seed)
    b = bridge(the_game)
    found, drawn = listed_or_drawn(b, state, player, deals, seed, DRAWN["belief"])
    return Belief(the_game, player, found, drawn)


def listed_or_drawn(
    b: Bridge, state: Any, player: int, deals: int, seed: int, default: int
) -> tuple[dict[Any, float], int]:
    """The states with their weights, and how many were drawn (0: these are all)."""
    game = b.game
    draws = hasattr(game, "sample")
    if deals and not draws:
        raise UsageError(
            f"{game.name} cannot draw deals", "it has no sample(s, p, rng); deals=0 lists them all"
        )
    if not deals:
        begin = b.flat(game.initial())
        if b.flat(state) == begin:  # nothing has happened yet that could be hidden
            return {state: 1.0}, 0
        most = FEW_HISTORIES if draws else MOST_HISTORIES
        rows = _core.consistent(b.handle, begin, b.flat(state), player, most)
        if rows:
            found: dict[Any, float] = {}
            for flat, weight in rows:
                s = b.state(flat)
                found[s] = found.get(s, 0.0) + weight
            return found, 0
        if not draws:
            raise NotSupported(
                f"{game.name} has too many histories to list, or none that leads here",
                "define sample(s, p, rng): a state that player p may be in, or give belief=",
            )
        deals = default
    rng = random.Random(seed)
    drawn: dict[Any, float] = {}
    for _ in range(deals):
        s = game.sample(state, player, rng)  # type: ignore[attr-defined]
        drawn[s] = drawn.get(s, 0.0) + 1
    check(game, drawn, state, player)
    return drawn, deals


def given_belief(game: Game, state: Any, given: Any) -> Belief:
    """A belief that the user names: states, or states with their odds."""
    if isinstance(given, Belief):
        return given
    if isinstance(given, Mapping):
        odds = {s: check_odds(p) for s, p in given.items()}
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes):
        odds = dict.fromkeys(map(check_state, given), 1.0)
    else:
        raise UsageError(f"invalid belief={given!r}", "expected states, or {state: probability}")
    if not odds:
        raise BadPosition("the belief is empty: no state is consistent", "give at least one")
    for s in odds:
        if game.is_terminal(s):
            shown = game.format_state(s)
            raise BadPosition(f"the belief has {shown!r}, where the game is over", "leave it out")
    first = state if state is not None else next(iter(odds))
    check(game, odds, first, game.player(first))
    return Belief(game, game.player(first), odds)


def check_odds(p: Any) -> float:
    try:
        odds = float(p)
    except (TypeError, ValueError, OverflowError):
        odds = -1.0
    if isinstance(p, str) or not 0 <= odds < math.inf:
        raise UsageError(f"invalid probability {p!r} in the belief", "expected 0 or more")
    return odds


def check_state(s: Any) -> Any:
    try:
        hash(s)
    except TypeError:
        raise UsageError(
            f"the belief has {s!r}, which is no state", "states are hashable"
        ) from None
    return s


def check(game: Game, states: Iterable[Any], first: Any, player: int) -> None:
    """No two states of a belief may look different to the player whose belief it is."""
    seen = observed(game, first, player)
    for s in states:
        if game.player(s) != player:
            raise BadPosition(
                f"the belief contradicts itself: {game.format_state(s)!r} has another to move",
                f"in all its states player {player} moves",
            )
        other = observed(game, s, player)
        if other != seen:
            raise BadPosition(
                f"the belief contradicts what player {player} sees: {other!r} in "
                f"{game.format_state(s)!r}, {seen!r} in {game.format_state(first)!r}",
                "take out the states that it can tell apart",
            )
