"""Adapters: one interface for the three kinds of game.

Native games have a handle; compiled games create it from their C functions. Any other Python
object is interned again for each search, so changes of the rules between searches take effect.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from .. import _core
from ..checks import check_rules, misfit
from ..errors import RulesError, UsageError, suggest
from ..game import Facts, Game, facts_of
from ..games.native import NativeGame, State

Evaluation = Callable[[Any, int], float]


class Adapter(Protocol):
    """A game as the native search sees it."""

    game: Game
    handle: _core.Handle

    def flat(self, state: Any) -> bytes: ...
    def state(self, flat: bytes) -> Any: ...
    def action(self, key: int, code: int) -> Any: ...


class NativeAdapter:
    def __init__(self, game: NativeGame) -> None:
        self.game: Game = game
        self.handle = game.handle
        self.flat = game.data
        self.action = game.decode_action

    def state(self, flat: bytes) -> State:
        assert isinstance(self.game, NativeGame)
        return State(self.game, flat)


class CompiledAdapter:
    def __init__(self, game: Any) -> None:
        self.game: Game = game
        spec = game.native_spec
        low, high = bounds(spec.facts)
        self.handle = _core.compiled_game(
            spec.addresses,
            spec.state_size,
            spec.initial,
            spec.facts.players,
            spec.facts.zero_sum,
            low,
            high,
            spec.keepalive,
        )
        self._encode = game.encode_state
        self.state = game.decode_state
        self._decode = game.decode_action

    def flat(self, state: Any) -> bytes:
        try:
            data: bytes = self._encode(state)
        except (ValueError, TypeError) as e:
            raise UsageError(
                f"{state!r} is not a state of {self.game.name}: {e}",
                "use initial() or result(s, a)",
            ) from None
        return data

    def action(self, key: int, code: int) -> Any:
        return self._decode(code)


class PythonAdapter:
    def __init__(self, game: Game) -> None:
        self.game = game
        check_rules(game)
        facts = facts_of(game)
        handle = _core.python_game(game, facts.players, facts.zero_sum, *bounds(facts))
        self.handle: _core.Handle = handle
        self.flat = handle.intern
        self.state = handle.state
        self.action = handle.action


def bounds(facts: Facts) -> tuple[float, float]:
    return facts.utility_bounds or (-math.inf, math.inf)


def adapt(game: Game) -> Adapter:
    """The adapter of a game."""
    if isinstance(game, NativeGame):
        return NativeAdapter(game)
    if hasattr(game, "native_spec"):
        return CompiledAdapter(game)
    return PythonAdapter(game)


@contextmanager
def naming(b: Adapter) -> Iterator[None]:
    """Adds the states in which they were found to errors of the native search."""
    try:
        yield
    except RulesError as e:
        found = [getattr(e, name, None) for name in ("flat", "other")]
        places = [repr(b.game.format_state(b.state(flat))) for flat in found if flat is not None]
        if not places:
            raise
        where = f": {places[0]} and {places[1]}" if len(places) > 1 else f" in {places[0]}"
        raise type(e)(e.message + where, e.hint) from None


def with_evaluation(b: Adapter, evaluate: Any) -> _core.Handle:
    """The handle to search with: the game's own evaluation, one by name, or a Python function."""
    if evaluate is None:
        return b.handle
    if isinstance(evaluate, str):
        known = list(getattr(b.game, "evaluations", ()))
        if evaluate in known:
            return b.game.evaluated(evaluate) if isinstance(b.game, NativeGame) else b.handle
        raise UsageError(f"{b.game.name} has no evaluation {evaluate!r}", suggest(evaluate, known))
    if not callable(evaluate):
        raise UsageError(
            f"evaluate={evaluate!r} cannot be called", "pass a function of (state, player)"
        )
    if wrong := misfit(evaluate, "state, player"):
        raise UsageError(
            f"{wrong} cannot be called as evaluate(state, player)",
            "pass a function of (state, player)",
        )
    known_values: dict[tuple[bytes, int], float] = {}

    def evaluated(flat: bytes, player: int) -> float:
        if (flat, player) not in known_values:
            known_values[flat, player] = judged(evaluate, b.state(flat), player)
        return known_values[flat, player]

    return _core.with_evaluation(b.handle, evaluated)


def judged(evaluate: Evaluation, state: Any, player: int) -> float:
    """The result of the user's evaluation function for a state: one finite number."""
    returned = evaluate(state, player)
    try:
        value = None if isinstance(returned, str) else float(returned)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None:
        raise UsageError(
            f"evaluate returned {returned!r} for player {player}", "return a single number"
        )
    if not math.isfinite(value):
        what = "NaN" if math.isnan(value) else str(value)
        raise RulesError(
            f"the evaluation is {what} for player {player} in {state!r}", "return a finite number"
        )
    return value
