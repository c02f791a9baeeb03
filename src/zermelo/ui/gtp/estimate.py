"""Estimates: the win rate of a result, who owns a point at the end, dead stones, the score.

Ownership comes from playouts, so dead stones and the score are estimates until every group is
settled. Games without ``score`` and ``ownership`` (all but Go) are scored when they are over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import UsageError
from ...game import defines, facts_of
from ...result import Result
from .board import Board

SETTLED = 0.9  # ownership from which a point counts as settled
DEAD = 0.5  # ownership by the other side from which a stone counts as dead
SEKI = 0.3  # ownership below which a stone counts as alive in seki


def win_rate(r: Result, value: float) -> float:
    """The probability that the player to move wins, from a value for player 0."""
    own = value if r.player == 0 else -value
    if facts_of(r.game).win_loss:
        return (1 + max(-1.0, min(1.0, own))) / 2
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, own / r.game.estimate_scale))))


def has_ownership(board: Board) -> bool:
    return all(defines(board.game, hook) for hook in ("stones", "score", "ownership"))


def ownership(board: Board, state: Any) -> dict[str, float]:
    """For each point, the expected owner at the end: 1 is Black, -1 is White."""
    game: Any = board.game
    return dict(game.ownership(state))


def dead_stones(board: Board, state: Any) -> list[str]:
    """The stones that will be captured in the end."""
    return with_status(board, state, "dead")


def with_status(board: Board, state: Any, status: str) -> list[str]:
    """The stones that are "alive", "dead" or in "seki"."""
    game: Any = board.game
    owner = ownership(board, state)

    def is_so(point: str, player: int) -> bool:
        own = owner[point] if player == 0 else -owner[point]
        if status == "dead":
            return own < -DEAD
        return abs(own) < SEKI if status == "seki" else own >= -DEAD

    return [point for point, player in game.stones(state).items() if is_so(point, player)]


def chains(points: Iterable[str]) -> Iterator[list[str]]:
    """Points in groups of neighbours."""
    left = {coordinates(p): p for p in points}
    while left:
        first = next(iter(left))
        group, border = [left.pop(first)], [first]
        while border:
            x, y = border.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near in left:
                    group.append(left.pop(near))
                    border.append(near)
        yield group


def coordinates(point: str) -> tuple[int, int]:
    """Column and row of a point, from 0; GTP has no column I."""
    column = ord(point[0].upper()) - ord("A")
    return column - (column > 8), int(point[1:]) - 1


def settled_win(
    board: Board, state: Any, player: int, cleanup: bool, opponent_passed: bool
) -> bool:
    """Whether `player` should pass: nothing is left to gain, or passing ends the game as a win.

    Args:
        board: The game.
        state: The position, with `player` to move.
        player: Whose turn it is.
        cleanup: Dead stones must be captured before passing (kgs-genmove_cleanup).
        opponent_passed: Whether a pass would end the game.
    """
    if not has_ownership(board):
        return False
    game: Any = board.game
    score = game.score(state) if player == 0 else -game.score(state)
    if opponent_passed and score > 0 and not cleanup:
        return True
    owner = ownership(board, state)
    if any(abs(x) < SETTLED for x in owner.values()):
        return False
    dead = any(owner[p] * (1 - 2 * who) < 0 for p, who in game.stones(state).items())
    return not dead or (score > 0 and not cleanup)


def final_score(board: Board) -> str:
    """The result as GTP writes it: B+3.5, W+12 or 0; B+ if the game has no points."""
    game: Any = board.game
    state = board.state
    if has_ownership(board):
        all_alive = getattr(game, "rules", "") == "tromp-taylor"
        dead = () if all_alive else dead_stones(board, state)
        return margin_text(game.score(state, dead))
    if not game.is_terminal(state):
        raise UsageError("cannot score", "the game is not over")
    value = game.utility(state, 0)
    if facts_of(game).win_loss:
        return "B+" if value > 0 else "W+" if value < 0 else "0"
    return margin_text(value)


def margin_text(score: float) -> str:
    """A margin for Black."""
    if score == 0:
        return "0"
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}"
