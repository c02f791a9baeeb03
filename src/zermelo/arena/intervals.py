"""Intervals that hold the truth 95 times in 100: of shares, and of means."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z = 1.96  # of the normal distribution
# Student's, by degrees of freedom from 1 on: with few numbers their spread is not known well.
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


def student(freedom: int) -> float:
    """How many standard errors the interval reaches to either side."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return Z + (Z**3 + Z) / (4 * freedom)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's interval of a share of `n`: it holds at 0 and 1, too."""
    middle = share + Z * Z / (2 * n)
    width = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    low, high = (middle - width) / (1 + Z * Z / n), (middle + width) / (1 + Z * Z / n)
    return max(0.0, low), min(1.0, high)


def alike(numbers: Sequence[float]) -> bool:
    """Do they tell nothing of their spread?"""
    return not numbers or min(numbers) == max(numbers)


def _spread_of(numbers: Sequence[float], mean: float) -> float:
    """The variance that so many numbers let one expect."""
    return sum((x - mean) ** 2 for x in numbers) / (len(numbers) - 1)


def share_interval(shares: Sequence[float], mean: float) -> tuple[float, float]:
    """Of a mean of shares from 0 to 1, each by itself.

    The normal one, unless one twice as wide would leave the range; near the edge, and where all
    are alike, so that nothing is known of their spread, Wilson's.
    """
    if not shares:
        return 0.0, 1.0
    if alike(shares):
        return wilson(mean, len(shares))
    width = normal_error(shares, mean)
    if mean - 2 * width > 0 and mean + 2 * width < 1:
        return mean - width, mean + width
    so_many = mean * (1 - mean) / (width / Z) ** 2  # of 0 or 1 would spread as much
    return wilson(mean, so_many)


def normal_error(numbers: Sequence[float], mean: float) -> float:
    """Half the normal interval of a mean of numbers that differ."""
    return Z * math.sqrt(_spread_of(numbers, mean) / len(numbers))


def mean_error(numbers: Sequence[float], mean: float) -> float:
    """Half the interval of a mean, Student's; infinite where nothing is known of the spread."""
    if alike(numbers):
        return math.inf
    n = len(numbers)
    return student(n - 1) * math.sqrt(_spread_of(numbers, mean) / n)
