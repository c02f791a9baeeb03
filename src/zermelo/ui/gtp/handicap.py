"""Free handicap: where the engine places its stones."""

from __future__ import annotations

from ...errors import UsageError
from ...games.go.notation import fixed_handicap, vertex

MAX_FIXED = 9


def fixed_points(size: int, stones: int) -> list[str]:
    """The fixed points of the specification.

    Raises:
        UsageError: The board does not have as many.

    >>> fixed_points(9, 5)
    ['C3', 'G7', 'C7', 'G3', 'E5']
    """
    try:
        if not 2 <= stones <= MAX_FIXED:
            raise UsageError(f"{stones} stones", f"expected 2 to {MAX_FIXED}")
        return [vertex(code, size) for code in fixed_handicap(size, stones)]
    except UsageError as e:
        raise UsageError("invalid number of stones", e.hint) from None


def free_points(size: int, stones: int) -> list[str]:
    """Fixed points where there are any, then points far from all stones and from the edge."""
    fixed = max((n for n in range(MAX_FIXED + 1) if n <= stones and fits(size, n)), default=0)
    chosen = [divmod(code, size) for code in fixed_handicap(size, fixed)]
    every = [(row, column) for row in range(size) for column in range(size)]

    def room(p: tuple[int, int]) -> tuple[float, float]:
        near = min((abs(p[0] - r) + abs(p[1] - c) for r, c in chosen), default=size)
        edge = min(*p, size - 1 - p[0], size - 1 - p[1])
        return min(near, edge + 1.5), near

    while len(chosen) < stones:
        taken = set(chosen)
        chosen.append(max((p for p in every if p not in taken), key=room))
    return [vertex(row * size + column, size) for row, column in chosen]


def fits(size: int, stones: int) -> bool:
    try:
        fixed_handicap(size, stones)
    except UsageError:
        return False
    return True
