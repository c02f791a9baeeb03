"""A value as an expected score of player 0: 1 is a certain win, 0 a certain loss."""

from __future__ import annotations

import math

from ..game import Game, facts_of


def expected_score(game: Game, value: float, kind: str) -> float | None:
    """The expected score in a two-player game; None if values have no such meaning.

    An exact value is a win, a draw or a loss, whatever the margin. With chance, or if only one
    side scores (the tricks of a declarer), the score is interpolated between the least and the
    greatest utility. Estimates are converted from the unit of the evaluation by `estimate_scale`.
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
