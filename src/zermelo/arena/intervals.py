"""95 % confidence intervals of shares and of means."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z = 1.96  # 97.5 % quantile of the normal distribution
# The same of Student's t distribution, by degrees of freedom from 1.
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


def student(freedom: int) -> float:
    """Half the width of the interval in standard errors."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return Z + (Z**3 + Z) / (4 * freedom)


def wilson(share: float, n: float) -> tuple[float, float]:
    """The Wilson score interval of a share of `n` trials; valid at 0 and 1 as well."""
    middle = share + Z * Z / (2 * n)
    width = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    low, high = (middle - width) / (1 + Z * Z / n), (middle + width) / (1 + Z * Z / n)
    return max(0.0, low), min(1.0, high)


def alike(numbers: Sequence[float]) -> bool:
    """Whether all numbers are equal, so that their variance cannot be estimated."""
    return not numbers or min(numbers) == max(numbers)


def _variance(numbers: Sequence[float], mean: float) -> float:
    """The unbiased sample variance."""
    return sum((x - mean) ** 2 for x in numbers) / (len(numbers) - 1)


def share_interval(shares: Sequence[float], mean: float) -> tuple[float, float]:
    """The interval of a mean of independent shares from 0 to 1.

    The normal interval if twice its width stays within the range. Near 0 and 1, and if all shares
    are equal, the Wilson interval.
    """
    if not shares:
        return 0.0, 1.0
    if alike(shares):
        return wilson(mean, len(shares))
    width = normal_error(shares, mean)
    if mean - 2 * width > 0 and mean + 2 * width < 1:
        return mean - width, mean + width
    trials = mean * (1 - mean) / (width / Z) ** 2  # trials of 0 or 1 with the same variance
    return wilson(mean, trials)


def normal_error(numbers: Sequence[float], mean: float) -> float:
    """Half the normal interval of a mean of numbers that are not all equal."""
    return Z * math.sqrt(_variance(numbers, mean) / len(numbers))


def mean_error(numbers: Sequence[float], mean: float) -> float:
    """Half the Student interval of a mean; infinite if all numbers are equal."""
    if alike(numbers):
        return math.inf
    n = len(numbers)
    return student(n - 1) * math.sqrt(_variance(numbers, mean) / n)
