"""Limits and seeds as plain numbers (NumPy's are welcome), or an error that names them."""

from __future__ import annotations

import operator
from typing import Any

from .errors import UsageError


def whole(value: Any) -> int | None:
    """A whole number, or None: a truth value and a text are none."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def check_whole(name: str, value: Any, least: int = 1, most: int = 2**63 - 1) -> int:
    """A whole number from `least` to `most`."""
    number = whole(value)
    if number is None or not least <= number <= most:
        up_to = "on" if most >= 2**63 - 1 else f"to {most:,}"
        raise UsageError(f"{name}={value!r} makes no sense", f"a whole number from {least} {up_to}")
    return number


def check_seconds(time: Any) -> float | None:
    """A time limit; None: there is none."""
    if time is None:
        return None
    if isinstance(time, bool | str) or not hasattr(time, "__float__") or not 0 < time < 1e9:
        raise UsageError(f"time={time!r} makes no sense", "seconds, more than 0")
    return float(time)


def check_seed(seed: Any) -> int:
    return check_whole("seed", seed, 0, 2**64 - 1)


def check_limits(
    depth: Any, time: Any, nodes: Any, threads: Any
) -> tuple[int | None, float | None, int | None, int]:
    """What ends a search, and how many threads it has."""
    depth = None if depth is None else check_whole("depth", depth)
    if (depth or 0) >= 1 << 30:
        raise UsageError(f"depth={depth} is too large", "leave it out to search to the end")
    nodes = None if nodes is None else check_whole("nodes", nodes)
    threads = 1 if threads is None else check_whole("threads", threads)
    return depth, check_seconds(time), nodes, threads
