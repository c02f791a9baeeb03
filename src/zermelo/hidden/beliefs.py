"""Beliefs: the states that a player cannot distinguish, with their probabilities."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import _core
from ..checks import check_seed, check_whole, whole
from ..errors import (
    BadPosition,
    EndlessGame,
    IllegalAction,
    NotSupported,
    RulesError,
    UsageError,
)
from ..game import CHANCE, Game, as_game, defines, first_state, legal_actions
from ..games.native import NativeGame
from ..search.adapter import Adapter, adapt, naming

MAX_HISTORIES = 300_000  # of a game whose states are listed, not sampled
FEW_HISTORIES = 10_000  # of a game that could sample them instead
MAX_REPLIES = 1_000_000  # moves of chance and the others between two moves of a player
SAMPLED_STATES = 100  # by belief_of if they cannot be listed


class Belief:
    """States that a player cannot distinguish, each with its probability.

    Iterating yields the states, and ``belief[state]`` is the probability of a state.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("kuhn")
        >>> belief = zermelo.belief_of(game, game.parse_state("Q J"))
        >>> [(game.format_state(s), p) for s, p in belief.ranked]
        [('Q J', 0.5), ('Q K', 0.5)]
    """

    def __init__(self, game: Any, player: int, states: Mapping[Any, float], drawn: int = 0) -> None:
        self.game = as_game(game)
        self.player = player
        total = sum(states.values())
        if not states or not total > 0:
            raise BadPosition("the belief is empty", "give at least one state")
        self.odds = {s: p / total for s, p in states.items()}
        self.drawn = drawn  # number of samples; 0: these are all

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
        """The beliefs of the player at its next turn, by what it then observes.

        The other players are assumed to move randomly. Terminal states are left out.
        """
        found: dict[Any, dict[Any, float]] = {}
        for s, p in self._played(action):
            if self.game.is_terminal(s):
                continue
            states = found.setdefault(observed(self.game, s, self.player), {})
            states[s] = states.get(s, 0.0) + p
        return {seen: Belief(self.game, self.player, states) for seen, states in found.items()}

    def ends(self, action: Any) -> list[tuple[Any, float]]:
        """The final states, with their probabilities, that an action and the replies lead to."""
        return [(s, p) for s, p in self._played(action) if self.game.is_terminal(s)]

    def _played(self, action: Any) -> Iterator[tuple[Any, float]]:
        """Every state after the action in which the player moves again or the game is over."""
        game = self.game
        check_action(game, list(self.odds), action)
        open_ = [(game.result(s, action), p) for s, p in reversed(self.odds.items())]
        replies = 0
        while open_:
            s, p = open_.pop()
            if game.is_terminal(s) or game.player(s) == self.player:
                yield s, p
                continue
            replies += 1
            if replies > MAX_REPLIES:
                raise EndlessGame(
                    f"player {self.player} does not get another turn within {MAX_REPLIES:,} moves",
                    "check that every player gets a turn again",
                )
            open_ += [
                (game.result(s, a), p * q) for a, q in reversed(_replies_of(game, s)) if q > 0
            ]


def _replies_of(game: Game, s: Any) -> list[tuple[Any, float]]:
    """Chance outcomes, or the equally likely actions of another player, without idle ones."""
    if game.player(s) == CHANCE:
        return list(game.outcomes(s))
    actions = [a for a in legal_actions(game, s) if not idle(game, s, a)]
    return [(a, 1 / len(actions)) for a in actions]


def check_action(game: Game, states: list[Any], action: Any) -> None:
    """Raise if an action is not legal in all of these states, which the player cannot distinguish.

    Native games are skipped: they check every action, and states that look the same have the same
    actions.
    """
    if isinstance(game, NativeGame):
        return
    legal = [action in legal_actions(game, s) for s in states]
    if all(legal):
        return
    shown = game.format_state(states[legal.index(False)])
    if not any(legal):
        raise IllegalAction(f"{action!r} is not legal in {shown!r}", "see actions(s)")
    other = game.format_state(states[legal.index(True)])
    raise RulesError(
        f"{action!r} is legal in {other!r} but not in {shown!r}, which have the same observation",
        "observation(s, p) must differ if the legal actions differ",
    )


def idle(game: Game, s: Any, a: Any) -> bool:
    """Whether an action changes nothing, such as an attempt that the umpire refuses."""
    if not isinstance(game, NativeGame):
        return False
    after = game.result(s, a)
    return game.player(after) == game.player(s) and game.handle.idle(game.data(s), game.data(after))


def observed(game: Game, s: Any, p: int) -> Any:
    """The observation of player `p`."""
    see = getattr(game, "observation", None)
    return s if see is None else see(s, p)


def belief_of(
    game: Any, state: Any = None, *, player: int | None = None, deals: int = 0, seed: int = 0
) -> Belief:
    """Return the states consistent with what a player has observed.

    If the game is small enough, all of them are listed; otherwise `deals` states are sampled with
    the game's ``sample(s, p, rng)``. Chance moves count with their probabilities, moves of other
    players as uniformly random.

    Args:
        game: A game with hidden information.
        state: The true state.
        player: The player; by default the one to move.
        deals: The number of sampled states; 0 lists all.
        seed: The random seed of the samples.

    Returns:
        The belief: states with probabilities.

    Raises:
        NotSupported: The game is too large to list and has no ``sample(s, p, rng)``.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("kuhn")
        >>> len(zermelo.belief_of(game, game.parse_state("K Q")))
        2
    """
    the_game = as_game(game)
    state = first_state(the_game) if state is None else state
    player = the_game.player(state) if player is None else player
    if whole(player) is None or not 0 <= player < the_game.players:
        raise UsageError(f"invalid player={player!r}", "expected a player number, e.g. player=0")
    check_whole("deals", deals, 0, 1_000_000)
    check_seed(seed)
    b = adapt(the_game)
    found, drawn = listed_or_sampled(b, state, player, deals, seed, SAMPLED_STATES)
    return Belief(the_game, player, found, drawn)


def listed_or_sampled(
    b: Adapter, state: Any, player: int, deals: int, seed: int, default: int,
    time: float | None = None,
) -> tuple[dict[Any, float], int]:  # fmt: skip
    """The states with their weights, and the number of samples (0: these are all).

    Listing takes at most `time`; one second is always allowed.
    """
    game = b.game
    draws = defines(game, "sample")
    if deals and not draws:
        raise UsageError(
            f"{game.name} cannot sample states",
            "define sample(s, p, rng), or use deals=0 to list all states",
        )
    if not deals:
        begin = b.flat(first_state(game))
        if b.flat(state) == begin:  # nothing is hidden before the first move
            return {state: 1.0}, 0
        most = FEW_HISTORIES if draws else MAX_HISTORIES
        seconds = 0.0 if time is None else max(1.0, time)
        with naming(b):
            rows: Any = _core.consistent(b.handle, begin, b.flat(state), player, most, seconds)
        if rows is None and not draws:
            raise NotSupported(
                f"the states consistent with what player {player} has observed were not all found "
                f"within {seconds:g} s",
                "give more time, pass belief=, or define sample(s, p, rng)",
            )
        if rows:
            found: dict[Any, float] = {}
            for flat, weight in rows:
                s = b.state(flat)
                found[s] = found.get(s, 0.0) + weight
            return found, 0
        if not draws:
            raise NotSupported(
                f"{game.name} has too many histories to list, or none that leads to this state",
                "define sample(s, p, rng), or pass the consistent states as belief=",
            )
        deals = default
    rng = random.Random(seed)
    drawn: dict[Any, float] = {}
    for _ in range(deals):
        s = _check_state(game.sample(state, player, rng))
        drawn[s] = drawn.get(s, 0.0) + 1
    check(game, drawn, state, player)
    return drawn, deals


def given_belief(game: Game, state: Any, given: Any) -> Belief:
    """A belief from the user: states, or states with their probabilities."""
    if isinstance(given, Belief):
        _check_all(game, given.odds, state)
        return given
    if isinstance(given, Mapping):
        odds = {s: q for s, p in given.items() if (q := check_odds(p)) > 0}
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes):
        odds = dict.fromkeys(map(_check_state, given), 1.0)
    else:
        raise UsageError(f"invalid belief={given!r}", "expected states, or {state: probability}")
    if not odds:
        raise BadPosition("the belief is empty", "give at least one state")
    return Belief(game, _check_all(game, odds, state), odds)


def _check_all(game: Game, odds: Mapping[Any, float], state: Any) -> int:
    """Check the states of a belief from the user; returns the player to move."""
    first = state if state is not None else next(iter(odds))
    player = game.player(first)
    check(game, odds, first, player)
    return player


def check_odds(p: Any) -> float:
    try:
        odds = float(p)
    except (TypeError, ValueError, OverflowError):
        odds = -1.0
    if isinstance(p, str) or not 0 <= odds < math.inf:
        raise UsageError(f"invalid probability {p!r} in the belief", "expected 0 or more")
    return odds


def _check_state(s: Any) -> Any:
    try:
        hash(s)
        fits = s is not None
    except TypeError:
        fits = False
    if not fits:
        raise UsageError(
            f"the belief contains {s!r}, which is not a state",
            "states must be hashable and not None",
        )
    return s


def check(game: Game, states: Iterable[Any], first: Any, player: int) -> None:
    """Check that the player moves in all states of the belief and cannot distinguish them."""
    seen = observed(game, first, player)
    for s in states:
        if game.is_terminal(s):
            shown = game.format_state(s)
            raise BadPosition(
                f"the belief has {shown!r}, where the game is over", "remove it from the belief"
            )
        if game.player(s) != player:
            raise BadPosition(
                f"the belief is inconsistent: another player moves in {game.format_state(s)!r}",
                f"player {player} must move in all its states",
            )
        other = observed(game, s, player)
        if other != seen:
            raise BadPosition(
                f"the belief contradicts what player {player} observes: {other!r} in "
                f"{game.format_state(s)!r}, {seen!r} in {game.format_state(first)!r}",
                "remove the states with another observation",
            )
