"""The players of a match."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError, suggest
from ..game import Game, legal_actions
from ..hidden.beliefs import Belief
from ..search.algorithms import algorithms, named, option_owners
from ..search.api import keywords, search
from ..search.request import LIMIT_NAMES


@dataclass(frozen=True)
class Player:
    """A player of a match: a search with options, or a function of (game, state)."""

    name: str
    move: Callable[[Game, Any], Any]
    # A search also takes a belief, for games with hidden information that need memory.
    search: Callable[[Game, Any, Belief | None], Any] | None = None


def as_player(player: Any) -> Player:
    """A Player from ``"engine:time=0.1,threads=2"`` or a function of (game, state)."""
    if isinstance(player, Player):
        return player
    if callable(player):
        return Player(getattr(player, "__name__", "player"), player)
    if str(player).partition(":")[0] == "random":
        rng = random.Random(str(player).partition(":")[2])
        return Player(str(player), lambda game, s: rng.choice(legal_actions(game, s)))
    name, options = named(str(player))
    if name != "auto" and name not in algorithms():
        raise UsageError(
            f"unknown player {name!r}", suggest(name, [*algorithms(), "auto", "random"])
        )
    known = (*option_owners(), *keywords())
    for option in options:
        if option not in known:
            raise UsageError(f"{name} has no option {option!r}", suggest(option, known))
    if not any(limit in options for limit in LIMIT_NAMES):
        raise UsageError(
            f"player {player!r} needs a limit", f"e.g. {name}:time=0.1 or {name}:depth=4"
        )

    def choose(game: Any, s: Any, belief: Belief | None = None) -> Any:
        r = search(game, s, belief=belief, **{"algorithm": name, **options})
        if r.stopped == "interrupted":  # the move of an interrupted search does not count
            raise KeyboardInterrupt
        return r.action

    return Player(str(player), choose, choose)
