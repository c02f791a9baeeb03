"""Opponent models: ``zermelo.search(game, opponents={1: model})``.

A model is ``"random"`` (any legal action, equally likely), ``mixed(depth=2, best=0.8)`` (a search's
move with probability 0.8, else any), ``searching(depth=2)``, or a function of (game, state) that
returns an action, ``{action: probability}`` or ``[(action, probability)]``. The search treats the
moves of a player who has a model as outcomes of chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import _core
from ..checks import misfit
from ..errors import IllegalAction, UsageError
from ..game import TERMINAL, Facts, Game, facts_of
from ..options import parse_key_values
from ..view.names import player_name
from .adapter import Adapter
from .algorithms import choose

Policy = Callable[[Game, Any], Any]
SLACK = 1e-9  # for probabilities that are rounded
MAX_KNOWN = 100_000  # cached answers of a user's function


@dataclass(frozen=True, slots=True)
class Mixed:
    """The choice of a search `depth` deep with probability `best`; else any legal action."""

    depth: int = 2
    best: float = 0.8
    algorithm: str = "auto"

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or not isinstance(self.depth, int) or self.depth < 1:
            raise UsageError(
                f"invalid depth={self.depth!r}", "expected a whole number of at least 1"
            )
        if isinstance(self.best, bool | str) or not 0 <= _as_float(self.best) <= 1:
            raise UsageError(f"invalid best={self.best!r}", "expected a number from 0 to 1")

    def __str__(self) -> str:
        rest = "" if self.best == 1 else f" with probability {self.best:g}, otherwise a random move"
        return f"the move of a depth-{self.depth} search{rest}"


def mixed(depth: int = 2, best: float = 0.8, algorithm: str = "auto") -> Mixed:
    """Plays the move of a search `depth` deep with probability `best`, else any legal one."""
    return Mixed(depth, best, algorithm)


def searching(depth: int = 2, algorithm: str = "auto") -> Mixed:
    """Plays the move of a search `depth` deep."""
    return Mixed(depth, 1.0, algorithm)


def uniform() -> str:
    """Plays any legal action, equally likely; the same as ``"random"``."""
    return "random"


def parse(text: str) -> Any:
    """The model in command-line notation: ``random``, ``depth=2``, ``depth=2,best=0.8``."""
    if text in ("random", "uniform"):
        return "random"
    kinds: dict[str, Callable[[str], Any]] = {"depth": int, "best": float, "algorithm": str}
    found: dict[str, Any] = {"best": 1.0}
    given = text.removeprefix("mixed:").removeprefix("searching:")
    for key, value in parse_key_values(given).items():
        if value is None or key not in kinds:
            raise UsageError(
                f"unknown opponent model {text!r}", "expected random, depth=2 or depth=2,best=0.8"
            )
        try:
            found[key] = kinds[key](value)
        except ValueError:
            raise UsageError(
                f"invalid {key}={value!r}", "expected a number, e.g. depth=2,best=0.8"
            ) from None
    return Mixed(**found)


def _models_of(opponents: Any, players: int, mover: int, fill: bool) -> dict[int, Any]:
    """The models by player. A single model applies to all players except the mover.

    fill: players without a model are assumed to move randomly (expectimax).
    """
    others = [p for p in range(players) if p != max(mover, 0)]
    if opponents is None:
        opponents = {}
    elif not isinstance(opponents, Mapping):
        opponents = dict.fromkeys(others, opponents)
    found: dict[int, Any] = dict.fromkeys(others, "random") if fill else {}
    for player, model in opponents.items():
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < players:
            raise UsageError(
                f"invalid player {player!r} in opponents",
                f"expected 0 to {players - 1}, e.g. opponents={{1: 'random'}}",
            )
        if isinstance(model, str):
            model = parse(model)
        elif not is_model(model):
            raise UsageError(
                f"{model!r} is not an opponent model",
                "expected 'random', a model such as zermelo.models.mixed(depth=2, best=0.8), or a "
                "function of (game, state)",
            )
        elif wrong := misfit(model, "game, state"):
            raise UsageError(
                f"{wrong} cannot be called as the model of player {player}",
                "a model must be a function of (game, state)",
            )
        found[player] = model
    return found


def models_for(game: Game, state: Any, opponents: Any, *, fill: bool) -> dict[int, Any]:
    """The models of the players whose moves a search treats as chance.

    fill: players without a model are assumed to move randomly.
    """
    if opponents is None and not fill:
        return {}
    mover = TERMINAL if game.is_terminal(state) else game.player(state)
    if not hasattr(mover, "__index__"):
        mover = 0  # the search reports it
    return _models_of(opponents, facts_of(game).players, mover, fill)


def describe(game: Game, models: Mapping[int, Any]) -> str:
    """The models in words."""
    rows = []
    for player, model in models.items():
        name = model_name(model)
        how = "randomly" if name == "random" else name
        rows.append(f"{player_name(game, player)} plays {how}")
    return ", ".join(rows)


def model_name(model: Any) -> str:
    return getattr(model, "__name__", type(model).__name__) if callable(model) else str(model)


def modelled(
    b: Adapter, handle: _core.Handle, models: Mapping[int, Any], facts: Facts
) -> _core.Handle:
    """The wrapped game, in which the moves of these players are chance moves."""
    if not models:
        return handle
    native_of = {p: native(b, f"the model of player {p}", m, facts) for p, m in models.items()}
    return _core.modelled(handle, native_of)


def is_model(given: Any) -> bool:
    """A policy other than a word."""
    return isinstance(given, Mixed) or callable(given)


def native(b: Adapter, who: str, model: Any, facts: Facts) -> Any:
    """A model in the native format. who: its name in errors."""
    if isinstance(model, str):
        return "uniform"
    if isinstance(model, Mixed):
        found, _ = choose(model.algorithm, facts, plain=True)
        return (found.name, model.depth, float(model.best))
    known: dict[bytes, list[tuple[int, float]]] = {}

    def probabilities(flat: bytes) -> list[tuple[int, float]]:
        if flat not in known:
            if len(known) >= MAX_KNOWN:
                known.clear()
            known[flat] = odds_of(b, flat, who, model)
        return known[flat]

    return probabilities


def odds_of(b: Adapter, flat: bytes, who: str, model: Policy) -> list[tuple[int, float]]:
    """The checked result of the user's function for a state."""
    state = b.state(flat)
    answer = model(b.game, state)
    key = b.handle.key(flat)
    codes = {b.action(key, code): code for code in b.handle.actions(flat)}
    odds: dict[int, float] = {}
    for action, p in pairs(answer, codes):
        try:
            code = codes[action]
        except (KeyError, TypeError):
            legal = ", ".join(b.game.format_action(state, a) for a in list(codes)[:12])
            raise IllegalAction(
                f"{who} returned {action!r}, which is not legal in {b.game.format_state(state)!r}",
                f"legal: {legal}",
            ) from None
        odds[code] = odds.get(code, 0.0) + probability(p, action, who)
    total = math.fsum(odds.values())
    if abs(total - 1) > SLACK:
        raise UsageError(
            f"the probabilities of {who} sum to {total:g}, not 1, in "
            f"{b.game.format_state(state)!r}",
            "return an action, {action: probability} or [(action, probability)]",
        )
    return [(code, p / total) for code, p in odds.items()]


def pairs(answer: Any, legal: Mapping[Any, int]) -> Iterable[tuple[Any, Any]]:
    """(action, probability), in whichever way the function gave them."""
    if isinstance(answer, Mapping):
        return list(answer.items())
    try:
        if answer in legal:
            return [(answer, 1.0)]
    except TypeError:  # a list, say
        pass
    if isinstance(answer, list) and all(
        isinstance(item, tuple | list) and len(item) == 2 for item in answer
    ):
        return [(a, p) for a, p in answer]
    return [(answer, 1.0)]


def _as_float(p: Any) -> float:
    """NaN: not a number."""
    try:
        return float(p)
    except (TypeError, ValueError):
        return math.nan


def probability(p: Any, action: Any, who: str) -> float:
    value = _as_float(p)
    if not 0 <= value <= 1 + SLACK:
        raise UsageError(
            f"{who} gives {action!r} the probability {p!r}", "expected a probability from 0 to 1"
        )
    return value


__all__ = ["Mixed", "mixed", "parse", "searching", "uniform"]
