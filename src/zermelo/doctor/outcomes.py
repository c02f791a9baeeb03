"""Who won the random games, whatever the utilities add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..naming import default_names
from ..view.number import number


def names_of(game: Any, players: int) -> Sequence[str]:
    """The names of the players; a game that is being checked may have wrong ones."""
    named = getattr(game, "player_names", None)
    if isinstance(named, tuple | list) and len(named) == players:
        return [str(name) for name in named]
    return default_names(players)


def winners(ends: Mapping[tuple[float, ...], int], names: Sequence[str]) -> str:
    """ "Red won 120, Yellow won 70, 10 draws"; the winner has the most utility alone."""
    players = len(names)
    if players == 1:
        games = sum(ends.values())
        mean = sum(u[0] * n for u, n in ends.items()) / games if games else 0.0
        return f"mean utility {number(mean)}"
    won, draws, shared = [0] * players, 0, 0
    for utilities, n in ends.items():
        first = [p for p, u in enumerate(utilities) if u == max(utilities)]
        if len(first) == 1:
            won[first[0]] += n
        elif len(first) == players:
            draws += n
        else:
            shared += n
    counts = [f"{name} won {n}" for name, n in zip(names, won, strict=True)]
    counts += [f"{draws} draw{'s' * (draws != 1)}"] if draws else []
    counts += [f"{shared} shared first place{'s' * (shared != 1)}"] if shared else []
    return ", ".join(counts)
