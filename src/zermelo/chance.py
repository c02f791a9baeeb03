"""Chance nodes: their outcomes, sampling one, and the name of the event."""

from __future__ import annotations

import random
from typing import Any

from .game import Game, defines
from .games.native import NativeGame

_ROLL, _DEAL = "Roll the dice", "Deal the cards"
_EVENTS = {
    "backgammon": _ROLL,
    "liars-dice": _ROLL,
    "monopoly": _ROLL,
    "pig": _ROLL,
    "holdem": _DEAL,
    "kuhn": _DEAL,
    "leduc": _DEAL,
    "2048": "Add a tile",
    "battleships": "Place the ships",
    "scrabble": "Draw tiles",
    "stratego": "Place the pieces",
}


def outcomes_at(game: Game, s: Any) -> list[tuple[Any, float]]:
    """Return the (action, probability) pairs of a chance node."""
    if defines(game, "outcomes"):
        return list(game.outcomes(s))
    if not isinstance(game, NativeGame):
        return []
    data = game.data(s)
    key = game.handle.key(data)
    return [(game.decode_action(key, code), p) for code, p in game.handle.outcomes(data)]


def sample_outcome(game: Game, s: Any, rng: random.Random) -> tuple[int, Any]:
    """Sample an outcome of a chance node; return its index and its action."""
    outcomes = outcomes_at(game, s)
    index = rng.choices(range(len(outcomes)), [p for _, p in outcomes])[0]
    return index, outcomes[index][0]


def chance_event(game: Game) -> str:
    """Return what happens at the game's chance nodes: "Roll the dice"; "" if there is no name."""
    return _EVENTS.get(game.name.partition(":")[0], "")
