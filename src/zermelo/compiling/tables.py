"""Constant tuples and lists of numbers as arrays, so that looping over them costs nothing.

``LINES = ((0, 1, 2), (3, 4, 5), …)`` indexed or iterated becomes an array; where the rows differ in
length (the neighbours of each square) the array is padded and the lengths lie beside it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import numpy as np

SMALL_ROW = 16  # rows up to this long are tuples (they can be unpacked), longer ones array views


@dataclass
class Table:
    """A constant as an array; `lengths` of axis 1 where the rows differ, else None."""

    array: np.ndarray[Any, Any]
    lengths: list[int] | None


def table_of(value: Any) -> Table | None:
    """The table of a tuple or list of numbers, up to three deep; None if it is not one."""
    if not isinstance(value, (tuple, list, range)) or len(value) == 0:
        return None
    value = _plain(value)
    if value is None:
        return None
    shape = _shape(value)
    if shape is not None:
        return _checked(value, None) if len(shape) <= 3 else None
    lengths = [len(row) if isinstance(row, list) else -1 for row in value]
    if min(lengths) < 0 or max(lengths) == 0:
        return None
    inner = next(row[0] for row in value if row)
    width = len(inner) if isinstance(inner, list) else 0
    for row in value:
        for x in row:
            if (len(x) if isinstance(x, list) else 0) != width or (width and _shape(x) is None):
                return None
    pad = [0] * width if width else 0
    padded = [row + [pad] * (max(lengths) - len(row)) for row in value]
    return _checked(padded, lengths) if len(_shape(padded) or (0,) * 9) <= 3 else None


def _plain(value: Any) -> Any:
    """Nested lists of Python numbers, None if there is anything else inside."""
    if isinstance(value, (tuple, list, range)):
        items = [_plain(v) for v in value]
        return None if any(i is None for i in items) else items
    value = _plain_number(value)
    return value if _is_number(value) else None


def _shape(value: Any) -> tuple[int, ...] | None:
    """The lengths of an evenly nested list, () of a number, None if uneven."""
    if not isinstance(value, list):
        return ()
    inner = {_shape(v) for v in value}
    if len(inner) != 1:
        return None
    below = inner.pop()
    return None if below is None else (len(value), *below)


def _checked(value: Any, lengths: list[int] | None) -> Table | None:
    numbers: list[Any] = []
    _collect(value, numbers)
    if any(isinstance(x, (float, np.floating)) for x in numbers):
        dtype: Any = np.float64
    elif all(isinstance(x, (bool, np.bool_)) for x in numbers):
        dtype = np.bool_
    elif any(isinstance(x, np.uint64) or int(x) >= 2**63 for x in numbers):
        dtype = np.uint64
    else:
        dtype = np.int64
    try:
        return Table(np.array(value, dtype), lengths)
    except (OverflowError, ValueError):
        return None


def _collect(value: Any, out: list[Any]) -> None:
    if isinstance(value, list):
        for v in value:
            _collect(v, out)
    else:
        out.append(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.generic)) and not isinstance(value, np.void)


def _plain_number(value: Any) -> Any:
    """An enum member's number, anything else as it is."""
    return value.value if isinstance(value, enum.Enum) else value
