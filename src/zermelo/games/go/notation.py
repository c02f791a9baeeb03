"""Points of a Go board in GTP notation."""

from __future__ import annotations

import re

from ...errors import UsageError

PASS = "pass"
PASSES = frozenset((PASS, "tt", "--"))
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I
POINT = re.compile(r"([a-hj-z])([1-9]\d?)", re.ASCII)


def vertex(code: int, size: int) -> str:
    """The name of a point, e.g. "D4"; `code` is row * size + column from the top left.

    >>> vertex(0, 9), vertex(80, 9)
    ('A9', 'J1')
    """
    row, column = divmod(code, size)
    return f"{COLUMNS[column]}{size - row}"


def parse_vertex(text: str, size: int) -> int | None:
    """The code of a point; None: not a point of the board.

    >>> parse_vertex("a9", 9), parse_vertex("i5", 9)
    (0, None)
    """
    found = POINT.fullmatch(text.strip().lower())
    if found is None:
        return None
    column, row = COLUMNS.index(found[1].upper()), size - int(found[2])
    return row * size + column if column < size and 0 <= row < size else None


def star_points(size: int) -> list[tuple[int, int]]:
    """The marked points of a board as (row, column) from the top left.

    >>> star_points(9)
    [(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)]
    """
    if size < 7:
        return [(size // 2, size // 2)] if size % 2 and size > 2 else []
    edge = 2 if size < 13 else 3
    low, high = edge, size - 1 - edge
    corners = [(low, low), (low, high), (high, low), (high, high)]
    if size % 2 == 0:
        return corners
    middle = size // 2
    points = [*corners, (middle, middle)]
    if size >= 15:
        points += [(low, middle), (high, middle), (middle, low), (middle, high)]
    return sorted(points)


def fixed_handicap(size: int, stones: int) -> list[int]:
    """Where GTP's fixed_handicap puts black stones; 0 and 1: none.

    Raises:
        UsageError: The board is too small for this many stones.
    """
    if stones < 2:
        return []
    most = 0 if size < 7 else 9 if size % 2 and size > 7 else 4
    if stones > most:
        raise UsageError(
            f"invalid handicap={stones} on a {size}x{size} board",
            f"expected at most {most}" if most else "handicap needs a board of at least 7x7",
        )
    edge = 2 if size < 13 else 3
    low, middle, high = edge, size // 2, size - 1 - edge
    # Corners first, as the Go Text Protocol numbers them.
    points = [(high, low), (low, high), (low, low), (high, high)]
    if stones >= 6:
        points += [(middle, low), (middle, high)]
    if stones >= 8:
        points += [(low, middle), (high, middle)]
    chosen = points[: stones - stones % 2 if stones >= 5 else stones]
    if stones in (5, 7, 9):
        chosen.append((middle, middle))
    return [row * size + column for row, column in chosen]
