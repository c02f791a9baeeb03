"""Unclaimed draws: play after our rules have ended the game.

PGN games and clients of the engine can continue after a third repetition, after fifty moves or
with bare kings, until a player claims the draw.
"""

from __future__ import annotations

from ... import _core
from ...errors import IllegalAction
from .moves import PIECES, Move


def reopened(data: bytes, automatic: bool = False) -> bytes:
    """The same pieces without history, if the history would end the game.

    automatic: as in the game's option, at the fifth time of a position and after 75 moves.
    """
    end = _core.chess_end(data, automatic)
    if end not in ("repetition", "moves"):
        return data
    men, mover, castle, ep, clock, number, _ = _core.chess_parts(data)
    again = _core.chess_state(men, mover, castle, ep, 0 if end == "moves" else clock, number)
    assert isinstance(again, bytes)
    return again


def dead(data: bytes) -> bool:
    """A dead position: neither side can mate, though there are moves."""
    return _core.chess_end(data, False) == "insufficient material"


def dead_moves(data: bytes) -> list[tuple[Move, bytes]]:
    """The moves of a dead position (few men, no pawns, no castling), and what they lead to."""
    men, mover, _, _, clock, number, _ = _core.chess_parts(data)
    own = PIECES if mover == 0 else PIECES.lower()
    found = []
    for start in (i for i in range(64) if men[i] in own):
        for to in (i for i in range(64) if men[i] not in own):
            taken = 0 if men[to] == "." else PIECES.index(men[to].upper()) + 1
            code = start | to << 6 | PIECES.index(men[start].upper()) << 15 | taken << 18
            try:
                _core.chess_mark(data, code)  # refuses what is not legal
            except IllegalAction:
                continue
            board = list(men)
            board[to], board[start] = board[start], "."
            quiet = 0 if taken else min(clock + 1, 100)
            after = _core.chess_state("".join(board), 1 - mover, 0, 0, quiet, number + mover)
            assert isinstance(after, bytes)
            found.append((Move(code), after))
    return found
