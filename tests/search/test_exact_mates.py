"""Mate distances and the order of several lines in chess, checked with python-chess."""

from __future__ import annotations

import random

import chess

import zermelo
from positions import after_random_moves
from zermelo.ui.uci.info import variations_of


def mates(board: chess.Board, plies: int) -> bool:
    """Can the side to move force mate within `plies`?"""
    for move in list(board.legal_moves):
        board.push(move)
        won = board.is_checkmate() or (plies > 2 and is_mated(board, plies - 1))
        board.pop()
        if won:
            return True
    return False


def is_mated(board: chess.Board, plies: int) -> bool:
    """Is the side to move mated within `plies`, whatever it does?"""
    if board.is_game_over():
        return board.is_checkmate()
    for move in list(board.legal_moves):
        board.push(move)
        lost = plies > 1 and mates(board, plies - 1)
        board.pop()
        if not lost:
            return False
    return True


def shortest(fen: str, most: int) -> int | None:
    board = chess.Board(fen)
    white = board.turn == chess.WHITE  # who alone can mate in these positions
    for plies in range(1 if white else 2, most + 1, 2):
        if (mates if white else is_mated)(board, plies):
            return plies
    return None


def random_mating_position(rng: random.Random) -> str | None:
    board = chess.Board(None)
    black = rng.choice([0, 1, 2, 6, 7, 8, 24, 31, 56, 57, 63])
    for square, piece in zip(rng.sample(range(64), 3), "KQR", strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(piece))
    board.set_piece_at(black, chess.Piece.from_symbol("k"))
    board.turn = rng.random() < 0.5
    whole = board.king(chess.WHITE) is not None and board.is_valid() and not board.is_game_over()
    return board.fen() if whole else None


def test_mate_distances_are_the_shortest() -> None:
    game = zermelo.load("chess")
    # Black's queen mates in 4 plies; in the others White does.
    r = zermelo.search(game, game.parse_state("4q3/8/8/8/8/2k5/K7/8 w - - 0 1"), "engine", depth=6)
    assert (r.value, r.kind, r.distance) == (-1, "exact", 4)
    rng, checked = random.Random(5), 0
    fens = ["5R2/8/8/7Q/8/3K4/8/k7 b - - 0 1", "8/8/8/7Q/8/8/R3K3/6k1 b - - 0 1"]
    while checked < 20:
        fen = fens.pop() if fens else random_mating_position(rng)
        if fen is None:
            continue
        r = zermelo.search(game, game.parse_state(fen), "engine", depth=5)
        true = shortest(fen, 4 if r.distance is None else min(4, r.distance))
        assert true is None or (r.exact and r.distance == true), fen
        checked += true is not None


def test_lines_of_chess_are_sorted_by_score() -> None:
    game, rng = zermelo.load("chess"), random.Random(3)
    for _ in range(40):
        s = after_random_moves(game, rng.randint(4, 40), rng)
        if game.is_terminal(s):
            continue
        told: list[zermelo.Result] = []
        told.append(zermelo.search(game, s, "engine", depth=4, lines=3, on_depth=told.append))
        for r in told:
            lines = variations_of(r, ())
            assert [line.centipawns for line in lines] == sorted(
                (line.centipawns for line in lines), reverse=True
            )
            assert lines[0].action == r.action
