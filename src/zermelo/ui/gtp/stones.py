"""Go beyond its rules: set-up positions, either colour to move, dead stones and the score.

Other games do not have these. Dead stones and ownership come from playouts, so they are estimates
until every group is settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeGuard

from ...errors import UsageError
from ...game import Game
from ...games.go import Go
from ...games.go.notation import parse_vertex, vertex
from ...games.native import State

SETTLED = 0.9  # ownership from which a point counts as settled
OPEN_BOARD = 0.55  # share of empty points above which a game is not near its end
LEAD_PLAYOUTS = 200


def is_go(game: Game) -> TypeGuard[Go]:
    return isinstance(game, Go)


def set_up(game: Go, black: Iterable[str], white: Iterable[str], player: int) -> State:
    """A position with these stones.

    Raises:
        UsageError: A point does not exist, has two stones, or a chain has no liberties.
    """
    return game.set_up(codes(game, black), codes(game, white), player)


def codes(game: Go, points: Iterable[str]) -> list[int]:
    found = []
    for point in points:
        code = parse_vertex(point, game.size)
        if code is None:
            raise UsageError(f"there is no point {point[:40]!r} on this board")
        found.append(code)
    return found


def stones(game: Go, s: State) -> dict[str, int]:
    """The stones on the board: point and player."""
    cells = "".join(game.rows(s))
    return {vertex(i, game.size): "XO".index(c) for i, c in enumerate(cells) if c != "."}


# -- estimates -----------------------------------------------------------------------------------
@lru_cache(maxsize=4)
def ownership(game: Go, s: State) -> tuple[float, ...]:
    """The expected owner of each point from the top left: 1 is Black, -1 is White."""
    return tuple(x for row in game.ownership(s) for x in row)


@lru_cache(maxsize=4)
def score(game: Go, s: State) -> float:
    """Black's points less White's with komi, without dead stones."""
    return game.final_margin(s)


def lead(game: Go, s: State, action: Any, player: int) -> float:
    """The expected margin of `player` after an action, in points."""
    after = game.result(s, action)
    rows = game.ownership(after, playouts=LEAD_PLAYOUTS)
    black = game.expected_margin(after, [x for row in rows for x in row])
    return black if player == 0 else -black


def score_text(margin: float) -> str:
    """A margin for Black as GTP writes it: B+3.5, W+12 or 0."""
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def with_status(game: Go, s: State, status: str) -> list[str]:
    """The stones that are "alive", "dead" or in "seki"."""
    return [point for point, word in game.final_status(s).items() if word == status]


def passing_wins(game: Go, s: State, player: int) -> bool:
    """Whether the game would be won if it ended now, with dead stones on the board and without."""
    sign = 1 if player == 0 else -1
    return sign * game.margin(s) > 0 and sign * score(game, s) > 0


def settled(game: Go, s: State, player: int, cleanup: bool) -> bool:
    """Whether no move is left that gains something.

    Args:
        game: The game.
        s: The position.
        player: Whose turn it is.
        cleanup: Dead stones have to be captured.
    """
    cells = "".join(game.rows(s))
    if cells.count(".") > OPEN_BOARD * len(cells):
        return False
    owner = ownership(game, s)
    if any(abs(x) < SETTLED for x in owner):
        return False
    dead = any(owner[i] * (1 if c == "X" else -1) < 0 for i, c in enumerate(cells) if c != ".")
    return not dead or (passing_wins(game, s, player) and not cleanup)


def capturing_points(game: Go, s: State, player: int) -> set[str]:
    """The liberties of the opponent's dead stones."""
    here = stones(game, s)
    dead = [p for p in with_status(game, s, "dead") if here[p] != player]
    near = {n for p in dead for n in neighbours(p, game.size)}
    return {p for p in near if p not in here}


def neighbours(point: str, size: int) -> list[str]:
    code = parse_vertex(point, size) or 0
    row, column = divmod(code, size)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [vertex(r * size + c, size) for r, c in around if 0 <= r < size and 0 <= c < size]


def groups(points: Iterable[str], size: int) -> Iterator[list[str]]:
    """Points in groups of neighbours."""
    left = dict.fromkeys(points)
    while left:
        group = [next(iter(left))]
        del left[group[0]]
        for point in group:
            for near in neighbours(point, size):
                if near in left:
                    del left[near]
                    group.append(near)
        yield group
