"""Arithmetic of compiled rules that raises where Python's does.

Python's ``2 ** -1`` is a float, ``1 << -1`` and ``math.sqrt(-1)`` raise. Compiled, the first would
be the int 0, the others any number. Divisions by 0 raise by Numba's error model (lowlevel.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .integers import shift_left, shift_right
from .lowlevel import INNER, numba, provide, types


def _inline(function: Callable[..., Any]) -> Any:
    return numba.njit(**INNER, forceinline=True)(function)


def _whole(*kinds: Any) -> bool:
    return all(isinstance(kind, (types.Integer, types.Boolean)) for kind in kinds)


def _number(*kinds: Any) -> bool:
    return all(isinstance(kind, (types.Integer, types.Boolean, types.Float)) for kind in kinds)


@_inline
def _int_power(a: Any, b: Any) -> Any:
    if b < 0:
        raise ValueError("negative power of an int")
    return a**b


@_inline
def _float_power(a: Any, b: Any) -> Any:
    found = a**b
    if not math.isfinite(found) and math.isfinite(a) and math.isfinite(b):
        raise ValueError("the power is infinite or not a real number")
    return found


@_inline
def _lshift_ints(a: Any, n: Any) -> Any:
    if n < 0 or n > 63:
        if n < 0 or a != 0:
            raise ValueError("shift count is negative or more than 63")
        return shift_left(a, 0)
    return shift_left(a, n)


@_inline
def _rshift_ints(a: Any, n: Any) -> Any:
    if n < 0:
        raise ValueError("negative shift count")
    if n > 63:
        return shift_right(shift_right(a, 63), 1)
    return shift_right(a, n)


@_inline
def _checked(x: Any) -> Any:
    if not math.isfinite(x):
        raise ValueError("math domain or range error")
    return x


def power(a: Any, b: Any) -> Any:
    """``a ** b``; of two ints an int, so that a negative exponent raises."""
    return a**b


def _power(a: Any, b: Any) -> Any:
    if _whole(a, b):
        return lambda a, b: _int_power(a, b)
    if _number(a, b):
        return lambda a, b: _float_power(float(a), float(b))
    return lambda a, b: a**b


def lshift(a: Any, n: Any) -> Any:
    """``a << n`` within 64 bits."""
    return a << n


def _lshift(a: Any, n: Any) -> Any:
    return (lambda a, n: _lshift_ints(a, n)) if _whole(a, n) else (lambda a, n: a << n)


def rshift(a: Any, n: Any) -> Any:
    """``a >> n``; by more than 63 bits only the sign remains."""
    return a >> n


def _rshift(a: Any, n: Any) -> Any:
    return (lambda a, n: _rshift_ints(a, n)) if _whole(a, n) else (lambda a, n: a >> n)


def finite(x: Any) -> Any:
    """A result of a function of :mod:`math`, which raises instead of returning NaN or infinity."""
    return x


def _finite(x: Any) -> Any:
    return (lambda x: _checked(x)) if isinstance(x, types.Float) else (lambda x: x)


provide(power, _power)
provide(lshift, _lshift)
provide(rshift, _rshift)
provide(finite, _finite)
