"""Playing below one's strength: fewer positions, and a choice among near moves.

A level looks at a limited number of positions and then adds a little noise to what it found, so
that its mistakes are those of somebody who sees less, not a great move now and a blunder then. The
ratings are rough until matches have measured them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_ELO, MAX_ELO = 1000, 2600
LEAST_NODES, MAX_NODES = 60, 5_000_000
LEAST_NOISE, MAX_NOISE = 0.01, 0.7  # in the evaluation's unit: pawns
LINES, FEW_LINES = 4, 2  # root moves to choose among; strong players have few that are near
STRONG = 2000


@dataclass(frozen=True)
class Level:
    nodes: int  # positions to look at for a move
    noise: float  # standard deviation of what is added to a move's value
    lines: int  # root moves to choose among


def level(elo: int) -> Level:
    """The level that is taken to play at this rating."""
    part = (max(LEAST_ELO, min(MAX_ELO, elo)) - LEAST_ELO) / (MAX_ELO - LEAST_ELO)
    nodes = LEAST_NODES * (MAX_NODES / LEAST_NODES) ** part
    noise = MAX_NOISE * (LEAST_NOISE / MAX_NOISE) ** part
    return Level(round(nodes), noise, LINES if elo < STRONG else FEW_LINES)


def choose(values: Sequence[float], noise: float, rng: random.Random) -> int:
    """Which move to play, of those with these values for the mover."""
    return max(range(len(values)), key=lambda i: values[i] + rng.gauss(0, noise))


def vary(values: Sequence[float], margin: float, rng: random.Random) -> int:
    """Any move that is no more than `margin` worse than the best."""
    best = max(values)
    return rng.choice([i for i, v in enumerate(values) if v >= best - margin])
