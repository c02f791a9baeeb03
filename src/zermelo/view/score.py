"""A value as an expected score: 1 a sure win of player 0, 0 a sure loss, between them the odds."""

from __future__ import annotations

import math

from ..game import Game, facts_of


def expected_score(game: Game, value: float, kind: str) -> float | None:
    """For games of two players; None where values have no such meaning.

    An exact value is a win, a draw or a loss, whatever the margin. With chance, and where only one
    side scores (the tricks of a declarer), it is interpolated between the least and the greatest
    utility. Estimates are in the evaluation's unit, which `estimate_scale` turns into odds.
    """
    facts = facts_of(game)
    if facts.players != 2 or not facts.zero_sum or math.isnan(value):
        return None
    low, high = facts.utility_bounds or (-1.0, 1.0)
    if math.isinf(low) or math.isinf(high) or low >= high:
        low, high = -1.0, 1.0
    one_sided = low >= 0 or high <= 0
    if kind != "estimate" and not facts.chance and not one_sided:
        return 0.5 + 0.5 * ((value > 0) - (value < 0))
    if kind != "estimate" or one_sided or (game.estimate_scale == 1.0 and low <= value <= high):
        return min(1.0, max(0.0, (value - low) / (high - low)))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value / game.estimate_scale))))
