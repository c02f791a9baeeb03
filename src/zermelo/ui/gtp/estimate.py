"""The win rate of a result, and the score of a game."""

from __future__ import annotations

import math

from ...errors import UsageError
from ...game import facts_of
from ...result import Result
from .board import Board
from .stones import is_go, score, score_text


def win_rate(r: Result, value: float) -> float:
    """The probability that the player to move wins, from a value for player 0."""
    own = value if r.player == 0 else -value
    if facts_of(r.game).win_loss:
        return (1 + max(-1.0, min(1.0, own))) / 2
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, own / r.game.estimate_scale))))


def final_score(board: Board) -> str:
    """The result as GTP writes it: B+3.5, W+12 or 0; B+ if the game has no points."""
    game, state = board.game, board.state
    if is_go(game):
        return score_text(score(game, state))
    if not game.is_terminal(state):
        raise UsageError("cannot score", "the game is not over")
    value = game.utility(state, 0)
    if board.colours[0] == "white":  # scores are those of Black
        value = -value
    if facts_of(game).win_loss:
        return "B+" if value > 0 else "W+" if value < 0 else "0"
    return score_text(value)
