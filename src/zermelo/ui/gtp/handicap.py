"""Handicap points as the specification of GTP places them (section 4.1)."""

from __future__ import annotations

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LEAST_SIZE = 7


def most_fixed(size: int) -> int:
    """How many fixed handicap stones a board can have; 0: none."""
    if size < LEAST_SIZE:
        return 0
    return 4 if size % 2 == 0 or size == LEAST_SIZE else 9


def fixed_points(size: int, stones: int) -> list[str]:
    """The fixed points: corners first, then sides; with an odd number the center.

    >>> fixed_points(9, 5)
    ['C3', 'G7', 'C7', 'G3', 'E5']
    """
    edge = 3 if size >= 13 else 2
    low, high, middle = edge, size - 1 - edge, size // 2
    points = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    chosen = points[: min(stones, 4)]
    if stones >= 6:
        chosen += sides[: 2 if stones < 8 else 4]
    if stones in (5, 7, 9):
        chosen.append((middle, middle))
    return [point(x, y) for x, y in chosen]


def point(column: int, row: int) -> str:
    return f"{COLUMNS[column]}{row + 1}"


def free_points(size: int, stones: int) -> list[str]:
    """Fixed points, then points as far as possible from all stones and from the edge."""
    if stones <= most_fixed(size):
        return fixed_points(size, stones)
    every = [(x, y) for x in range(size) for y in range(size)]
    names = {point(x, y): (x, y) for x, y in every}
    chosen = [names[p] for p in fixed_points(size, most_fixed(size))] if most_fixed(size) else []

    def room(p: tuple[int, int]) -> tuple[float, float]:
        x, y = p
        near = min((abs(x - a) + abs(y - b) for a, b in chosen), default=size)
        edge = min(x, y, size - 1 - x, size - 1 - y)
        return min(near, edge + 1.5), near

    while len(chosen) < stones:
        chosen.append(max((p for p in every if p not in chosen), key=room))
    return [point(x, y) for x, y in chosen]
