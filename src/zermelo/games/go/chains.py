"""Chains, empty regions and captures on a Go board.

A board is its cells from the top left, row by row: "X" is Black, "O" is White, "." is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

EMPTY = "."
OTHER = {"X": "O", "O": "X"}


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """The points beside each point.

    >>> neighbours(3)[:2]
    ((3, 1), (4, 0, 2))
    """
    found = []
    for point in range(size * size):
        row, column = divmod(point, size)
        around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        found.append(tuple(r * size + c for r, c in around if 0 <= r < size and 0 <= c < size))
    return tuple(found)


def area_of(cells: Sequence[str], size: int, start: int) -> list[int]:
    """The connected points with the same content as `start`."""
    near, content = neighbours(size), cells[start]
    found, seen = [start], {start}
    for point in found:
        for beside in near[point]:
            if cells[beside] == content and beside not in seen:
                seen.add(beside)
                found.append(beside)
    return found


def border(cells: Sequence[str], size: int, area: Iterable[int]) -> set[str]:
    """The colours beside an empty area."""
    near = neighbours(size)
    return {cells[beside] for point in area for beside in near[point]} - {EMPTY}


def chains(cells: Sequence[str], size: int) -> list[list[int]]:
    """The chains of a board: connected points of one colour.

    >>> chains("XX.OO.X..", 3)
    [[0, 1], [3, 4], [6]]
    """
    return [area for area in _areas(cells, size) if cells[area[0]] != EMPTY]


def empty_regions(cells: Sequence[str], size: int) -> list[list[int]]:
    """The regions of connected empty points.

    >>> empty_regions("XX.OO.X..", 3)
    [[2, 5, 8, 7]]
    """
    return [area for area in _areas(cells, size) if cells[area[0]] == EMPTY]


def _areas(cells: Sequence[str], size: int) -> list[list[int]]:
    seen: set[int] = set()
    found = []
    for start in range(len(cells)):
        if start not in seen:
            found.append(area_of(cells, size, start))
            seen.update(found[-1])
    return found


def without_liberties(cells: Sequence[str], size: int, start: int) -> list[int]:
    """The chain at `start` if it has no liberties, else no points."""
    near, colour = neighbours(size), cells[start]
    found, seen = [start], {start}
    for point in found:
        for beside in near[point]:
            if cells[beside] == EMPTY:
                return []
            if cells[beside] == colour and beside not in seen:
                seen.add(beside)
                found.append(beside)
    return found


def place(cells: str, size: int, point: int, colour: str) -> tuple[str, int | None] | None:
    """The board after a stone is placed, and the point that ko forbids; None: suicide.

    >>> place("XO.O.....", 3, 2, "X") is None, place("XO.OO....", 3, 6, "X")
    (True, ('XO.OO.X..', None))
    """
    near = neighbours(size)
    board = list(cells)
    board[point] = colour
    taken: list[int] = []
    for beside in near[point]:
        if board[beside] == OTHER[colour]:
            captured = without_liberties(board, size, beside)
            taken += captured
            for stone in captured:
                board[stone] = EMPTY
    if not taken and without_liberties(board, size, point):
        return None
    alone = all(board[beside] == OTHER[colour] for beside in near[point] if beside not in taken)
    ko = taken[0] if len(taken) == 1 and alone else None
    return "".join(board), ko
