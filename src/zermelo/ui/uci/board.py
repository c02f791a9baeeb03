"""The position of the client, also after a draw by our rules.

A client may play on after a third repetition, after fifty moves or with bare kings as long as
the draw is not claimed, so the engine must move there, too.
"""

from __future__ import annotations

import re

from ...errors import BadPosition
from ...games import load
from ...games.chess import Chess
from ...games.chess.fen import parse_fen
from ...games.chess.moves import matching
from ...games.chess.unclaimed import dead, dead_moves, reopened
from ...games.native import State

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


class Board:
    """The position to think about, and the moves that led to it."""

    def __init__(self) -> None:
        self.start = START
        self.moves: list[str] = []
        self.set_960(False)
        self.data = parse_fen(START)

    def set_960(self, on: bool) -> None:
        """Castling is written king takes rook, or not."""
        game = load("chess:start=0" if on else "chess")
        assert isinstance(game, Chess)
        self.game = game

    def set(self, words: list[str]) -> None:
        """``startpos`` or ``fen …``, then ``moves …``; an impossible position changes nothing."""
        at = words.index("moves") if "moves" in words else len(words)
        given, moves = words[:at], [w.lower() for w in words[at + 1 :]]
        if given == ["startpos"]:
            start = START
        elif given[:1] == ["fen"]:
            start = " ".join(given[1:])
        else:
            raise BadPosition("position needs startpos or fen", "e.g. position startpos")
        # A game in progress sends all its moves each time: only the new ones are played.
        goes_on = start == self.start and moves[: len(self.moves)] == self.moves
        data = self.data if goes_on else parse_fen(start)
        for number in range(len(self.moves) if goes_on else 0, len(moves)):
            data = played(self.game, data, moves[number], number + 1)
        self.start, self.moves, self.data = start, moves, data

    @property
    def state(self) -> State:
        """The state to search; without history if a draw could be claimed."""
        return State(self.game, reopened(self.data))

    @property
    def fen(self) -> str:
        return self.game.format_state(State(self.game, self.data))


def played(game: Chess, data: bytes, word: str, number: int) -> bytes:
    """The position after a move as clients write it."""
    data = reopened(data)
    if not MOVE.fullmatch(word):
        raise BadPosition(f"move {number}, {word[:20]!r}, is not a move", "e.g. e2e4 or e7e8q")
    if dead(data):
        after = {m.uci(): after for m, after in dead_moves(data)}.get(word)
        if after is not None:
            return after
    else:
        found = matching(word, game.moves(State(game, data)), game.is_960)
        if found:
            return game.handle.play(data, found[0].code)
    raise BadPosition(f"move {number}, {word!r}, is not legal", "the previous position is kept")
