"""A PGN game as a tree: the main line is a list, and each move has its variations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .... import _core
from ....errors import UsageError
from ...native import State
from ..fen import parse_fen
from ..moves import CASTLE, PIECES, WRITTEN, Move, matching, san
from ..unclaimed import dead, dead_moves, reopened

if TYPE_CHECKING:
    from .. import Chess

USUAL = ("", "standard", "normal", "chess", "from position")
FREE = ("chess960", "fischerandom", "fischerrandom")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@dataclass
class Ply:
    """A move, its comments, and its variations."""

    action: str  # as UCI
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)  # comments that open a variation
    variations: list[list[Ply]] = field(default_factory=list)  # instead of this move


@dataclass
class Pgn:
    """A game of a PGN file."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[Ply] = field(default_factory=list)
    result: str = "*"
    comments: list[str] = field(default_factory=list)  # before the first move
    line: int = field(default=0, compare=False)  # where it begins in its file

    @property
    def game(self) -> Chess:
        """The rules: where castling is written king takes rook, Chess960."""
        return rules(self.tags)

    @property
    def start(self) -> State:
        return State(self.game, first_position(self.tags))

    @property
    def final(self) -> State:
        """The position after the main line."""
        game, data = self.game, self.start.data
        for ply in self.moves:
            data = played(game, data, ply.action)[1]
        return State(game, data)


def rules(tags: dict[str, str]) -> Chess:
    from ... import load
    from .. import Chess

    variant = tags.get("Variant", "").lower().replace(" ", "")
    if variant not in FREE and tags.get("Variant", "").lower() not in USUAL:
        raise UsageError(f"unknown variant {tags['Variant']!r}", "expected Standard or Chess960")
    # Fifty moves and a third repetition end a game only when a player claims the draw.
    game = load("chess:start=0,draws=automatic" if variant in FREE else "chess:draws=automatic")
    assert isinstance(game, Chess)
    return game


def first_position(tags: dict[str, str]) -> bytes:
    fen = tags.get("FEN", "") if tags.get("SetUp", "1") != "0" else ""
    return parse_fen(fen or START)


def played(game: Chess, data: bytes, word: str) -> tuple[Move, bytes]:
    """The move with this text, and the position after it; ValueError if there is none."""
    if game.handle.to_move(data) == -2:
        data = reopened(data, True)
        if dead(data):
            known = dead_moves(data)
            found = matching(word, [m for m, _ in known], game.is_960)
            if len(found) == 1:
                return found[0], dict(known)[found[0]]
            raise ValueError("is not legal")
        if game.handle.to_move(data) == -2:
            raise ValueError("comes after the end of the game")
    codes = game.handle.actions(data)
    code = _quickly(word, codes)
    if code is None:
        found = matching(word, [Move(c) for c in codes], game.is_960)
        if len(found) != 1:
            raise ValueError("is ambiguous" if found else "is not legal")
        code = found[0].code
    return Move(code), game.handle.play(data, code)


def _quickly(word: str, codes: list[int]) -> int | None:
    """The legal move of a usual written one; None: look more closely."""
    found = WRITTEN.fullmatch(word.rstrip("+#"))
    if not found:
        return None
    piece, file, rank, to, made = found.groups()
    kind = PIECES.index(piece or "P")
    square = "abcdefgh".index(to[0]) + 8 * int(to[1]) - 8
    wanted = 0 if made is None else PIECES.index(made.upper())
    near = [
        c
        for c in codes
        if c >> 6 & 63 == square
        and c >> 15 & 7 == kind
        and c >> 12 & 7 == wanted
        and c >> 21 & 3 != CASTLE
        and (file is None or "abcdefgh"[c & 7] == file)
        and (rank is None or (c >> 3 & 7) == int(rank) - 1)
    ]
    return near[0] if len(near) == 1 else None


def written(game: Chess, data: bytes, move: Move) -> str:
    """A legal move in SAN."""
    if game.handle.to_move(data) == -2:
        data = reopened(data, True)
    if dead(data):
        legal = [m for m, _ in dead_moves(data)]
    else:
        legal = [Move(c) for c in game.handle.actions(data)]
    return san(move, legal) + _core.chess_mark(data, move.code)
