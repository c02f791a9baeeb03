"""Game records on the board: ``loadsgf``."""

from __future__ import annotations

from typing import Any

from ...errors import UsageError, ZermeloError
from .board import COLOURS, Board, Setup
from .stones import is_go, stones


def load_record(path: str, board: Board, move_number: int | None) -> int:
    """Play the main line of an SGF file on the board, up to the move before `move_number`.

    Args:
        path: The file.
        board: Changed only if the whole record can be played.
        move_number: The first move that is not played; None: all are.

    Returns:
        The player to move.

    Raises:
        UsageError: The file is not readable or not a game of Go, or a move in it is illegal.
    """
    from ...games.go import sgf

    try:
        record = sgf.read_file(path)[0]
        replayed = Board(board.spec)
        replayed.restart(size=record.size)
        if record.komi is not None:
            replayed.change(komi=record.komi)
        play_nodes(replayed, record.main_line(), move_number)
    except ZermeloError as e:
        raise UsageError("cannot load file", e.message) from None
    board.__dict__.update(replayed.__dict__)
    return board.mover


def play_nodes(board: Board, nodes: list[Any], move_number: int | None) -> None:
    """Play nodes of a record: set-up stones, then moves."""
    played = 0
    for node in nodes:
        if node.is_setup:
            board.set_up(changed_setup(board, node))
        if node.move is None:
            continue
        played += 1
        if move_number is not None and played >= move_number:
            return
        colour, vertex = node.move
        board.play(colour_player(colour), vertex)


def changed_setup(board: Board, node: Any) -> Setup:
    """The stones on the board after the set-up properties of a node (AB, AW, AE, PL)."""
    assert is_go(board.game)
    here = stones(board.game, board.state)
    for name, player in (("AB", 0), ("AW", 1), ("AE", None)):
        for point in node.points(name):
            here.pop(point, None)
            if player is not None:
                here[point] = player
    black, white = (tuple(p for p, who in here.items() if who == player) for player in (0, 1))
    if node.to_play is not None:
        player = colour_player(node.to_play)
    else:  # handicap stones: White moves first
        player = 1 if board.empty and black and not white else board.mover
    return Setup(black, white, player)


def colour_player(colour: str) -> int:
    return COLOURS.index(colour.lower())
