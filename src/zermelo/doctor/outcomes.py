"""Who won the random games, whatever the utilities add up to."""

from __future__ import annotations

from collections.abc import Mapping

from ..view.number import number


def winners(ends: Mapping[tuple[float, ...], int], players: int) -> str:
    """ "player 0 won 120, player 1 won 70, 10 draws"; the winner has the most utility alone."""
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
    counts = [f"player {p} won {n}" for p, n in enumerate(won)]
    counts += [f"{draws} draw{'s' * (draws != 1)}"] if draws else []
    counts += [f"{shared} shared first place{'s' * (shared != 1)}"] if shared else []
    return ", ".join(counts)
