"""The number of legal Go positions, by dynamic programming over border states.

Tromp and Farnebäck, "Combinatorics of Go" (2007): the board is coloured point by point. A border
state keeps what matters about the points so far: for each column of the border the colour of its
last point, which stones of the border belong to one chain, and which chains have a liberty. The
work grows with the number of border states (about 5.4 to the power of the width), not of boards.
"""

from __future__ import annotations

from collections import defaultdict
from time import monotonic

from ...checks import check_limits, check_whole
from ...errors import SearchBudgetExceeded

EMPTY, BLACK, WHITE = ".XO"
LARGEST = 9  # about a minute in Python; each further column takes six times as long

# One cell per column, as (colour, chain). Chains are numbered by first appearance; a chain that has
# a liberty has number 0, because it needs nothing more and its connections do not matter.
Cell = tuple[str, int]
Border = tuple[Cell, ...]
FREE = 0
NONE: Cell = (EMPTY, FREE)
EDGE: Cell = ("#", FREE)


def legal_positions(size: int, *, time: float | None = None) -> int:
    """Count the legal positions on a board: colourings in which every chain has a liberty.

    The counts are those of OEIS A094777. The side to move and the history do not count.

    Args:
        size: Points per side, 1 to 9.
        time: Time limit in seconds.

    Returns:
        The number of positions.

    Raises:
        UsageError: The size is out of range.
        SearchBudgetExceeded: The time limit was reached.

    Example:
        >>> from zermelo.games.go.positions import legal_positions
        >>> [legal_positions(n) for n in (1, 2, 3, 4)]
        [1, 57, 12675, 24318165]
    """
    size = check_whole("size", size, 1, LARGEST)
    check_limits(None, time, None, 1)
    end = None if time is None else monotonic() + time
    counts: dict[Border, int] = {(EDGE,) * size: 1}
    for point in range(size * size):
        column = point % size
        after: defaultdict[Border, int] = defaultdict(int)
        for border, count in counts.items():
            if end is not None and monotonic() > end:
                raise SearchBudgetExceeded(
                    f"the count reached its time limit after {point} of {size * size} points",
                    "raise it: time=SECONDS or --time SECONDS",
                )
            for colour in (EMPTY, BLACK, WHITE):
                extended = extend(border, column, colour)
                if extended is not None:
                    after[extended] += count
        counts = after
    return sum(n for border, n in counts.items() if not any(chain for _, chain in border))


def extend(border: Border, column: int, colour: str) -> Border | None:
    """The border after one more point; None: a chain lost its last chance of a liberty."""
    above = border[column]
    left = border[column - 1] if column else EDGE
    cells = list(border)
    if colour == EMPTY:
        for neighbour in (above, left):
            if neighbour[1]:
                relabel(cells, neighbour[1], FREE)
        cells[column] = NONE
        return renumber(cells)
    own = [n for n in (above, left) if n[0] == colour]
    free = NONE in (above, left) or any(chain == FREE for _, chain in own)
    number = FREE if free else len(border) + 1
    cells[column] = (colour, number)
    for _, chain in own:
        if chain:
            relabel(cells, chain, number)
    # The point above leaves the border. Its chain must have a liberty or another border stone.
    if above[1] and above[0] != colour and all(chain != above[1] for _, chain in cells):
        return None
    return renumber(cells)


def relabel(cells: list[Cell], old: int, new: int) -> None:
    """Give every stone of a chain another number."""
    for i, (colour, chain) in enumerate(cells):
        if chain == old:
            cells[i] = (colour, new)


def renumber(cells: list[Cell]) -> Border:
    """Number the chains by first appearance, so that equal states compare equal."""
    names = {FREE: FREE}
    return tuple((colour, names.setdefault(chain, len(names))) for colour, chain in cells)
