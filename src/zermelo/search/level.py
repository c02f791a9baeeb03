"""Limited playing strength: fewer positions, and a random choice among similar moves.

A level searches a limited number of positions and adds noise to the values, so it makes the
mistakes of a weaker player instead of alternating between strong moves and blunders. The ratings
are rough until matches have measured them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_ELO, MAX_ELO = 1000, 2600
LEAST_NODES, MAX_NODES = 60, 5_000_000
LEAST_NOISE, MAX_NOISE = 0.01, 0.7  # unit of the evaluation: pawns
LINES, FEW_LINES = 4, 2  # root moves to choose among; strong players have few similar ones
STRONG = 2000


@dataclass(frozen=True)
class Level:
    nodes: int  # positions to search per move
    noise: float  # standard deviation of the noise in a move's value
    lines: int  # root moves to choose among


def level(elo: int) -> Level:
    """The level for this rating."""
    part = (max(LEAST_ELO, min(MAX_ELO, elo)) - LEAST_ELO) / (MAX_ELO - LEAST_ELO)
    nodes = LEAST_NODES * (MAX_NODES / LEAST_NODES) ** part
    noise = MAX_NOISE * (LEAST_NOISE / MAX_NOISE) ** part
    return Level(round(nodes), noise, LINES if elo < STRONG else FEW_LINES)


def choose(values: Sequence[float], noise: float, rng: random.Random) -> int:
    """The index of the move to play, given the values for the mover."""
    return max(range(len(values)), key=lambda i: values[i] + rng.gauss(0, noise))


def vary(values: Sequence[float], margin: float, rng: random.Random) -> int:
    """Any move that is no more than `margin` worse than the best."""
    best = max(values)
    return rng.choice([i for i, v in enumerate(values) if v >= best - margin])
