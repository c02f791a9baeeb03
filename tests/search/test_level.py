"""Levels: weaker means fewer positions and more noise; the choice is the seed's."""

from __future__ import annotations

import random

from zermelo.search.level import LEAST_ELO, MAX_ELO, choose, level, vary


def test_levels_rise() -> None:
    levels = [level(elo) for elo in range(LEAST_ELO, MAX_ELO + 1, 100)]
    nodes, noise = [x.nodes for x in levels], [x.noise for x in levels]
    assert nodes == sorted(nodes) and noise == sorted(noise, reverse=True)
    assert level(0) == level(LEAST_ELO) and level(9999) == level(MAX_ELO)


def test_choices() -> None:
    values = [1.0, 0.9, -5.0]
    picked = [choose(values, 0.3, random.Random(seed)) for seed in range(200)]
    assert 40 < picked.count(1) < 100 and 2 not in picked
    assert picked == [choose(values, 0.3, random.Random(seed)) for seed in range(200)]
    assert {vary(values, 0.2, random.Random(seed)) for seed in range(50)} == {0, 1}
    assert {vary(values, 0.0, random.Random(seed)) for seed in range(50)} == {0}
