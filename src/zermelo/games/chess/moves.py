"""Chess moves: native numbers to and from UCI and SAN."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

PIECES = "PNBRQK"
DOUBLE, EN_PASSANT, CASTLE = 1, 2, 3
WRITTEN = re.compile(
    r"([NBRQK])?([a-h])?([1-8])?[-x:]?([a-h][1-8])(?:[=/]?\(?([NBRQnbrq])\)?)?(?:e\.?p\.?)?"
)


def name(square: int) -> str:
    """e4."""
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


@dataclass(frozen=True)
class Move:
    code: int  # see core/games/chess/position.hpp

    @property
    def start(self) -> int:
        return self.code & 63

    @property
    def to(self) -> int:
        """Of castling: where the rook stands."""
        return self.code >> 6 & 63

    @property
    def promoted(self) -> str:
        return PIECES[self.code >> 12 & 7].strip("P")

    @property
    def piece(self) -> str:
        return PIECES[self.code >> 15 & 7]

    @property
    def takes(self) -> bool:
        return self.code >> 18 & 7 > 0

    @property
    def kind(self) -> int:
        return self.code >> 21 & 3

    @cached_property
    def king_to(self) -> int:
        """The target square of a castling king."""
        return (self.start & 56) + (6 if self.to > self.start else 2)

    def uci(self, is_960: bool = False) -> str:
        """e2e4, e7e8q; castling is e1g1 where it is as usual, else king takes rook."""
        usual = self.start & 7 == 4 and self.to & 7 in (0, 7)
        to = self.king_to if self.kind == CASTLE and usual and not is_960 else self.to
        return name(self.start) + name(to) + self.promoted.lower()


def san(move: Move, legal: Sequence[Move]) -> str:
    """SAN without the check sign: as short as the other moves allow."""
    if move.kind == CASTLE:
        return "O-O" if move.to > move.start else "O-O-O"
    start, to = name(move.start), name(move.to)
    sign = "x" if move.takes else ""
    if move.piece == "P":
        made = f"={move.promoted}" if move.promoted else ""
        return (start[0] + sign if sign else "") + to + made
    others = [
        name(m.start)
        for m in legal
        if m.to == move.to and m.piece == move.piece and m.start != move.start and m.kind != CASTLE
    ]
    origin = ""
    if others:
        if all(o[0] != start[0] for o in others):
            origin = start[0]
        elif all(o[1] != start[1] for o in others):
            origin = start[1]
        else:
            origin = start
    return move.piece + origin + sign + to


def matching(text: str, legal: Sequence[Move], is_960: bool) -> list[Move]:
    """The legal moves that the text can mean; exactly one if it is unambiguous."""
    word = "".join(text.split()).rstrip("+#!?")
    exact = [m for m in legal if m.uci(is_960) == word.lower()]
    if exact:
        return exact
    castles = [m for m in legal if m.kind == CASTLE]
    wing = word.upper().replace("0", "O")
    if wing in ("O-O", "O-O-O", "OO", "OOO"):
        return [m for m in castles if (m.to > m.start) == (wing.count("O") == 2)]
    for m in castles:  # the king takes the rook, or goes where it will stand
        if word.lower() in (name(m.start) + name(m.to), name(m.start) + name(m.king_to)):
            return [m]
    found = WRITTEN.fullmatch(word)
    if not found:
        return []
    piece, file, rank, to, made = found.groups()
    return [
        m
        for m in legal
        if m.piece == (piece or "P")
        and name(m.to) == to
        and m.kind != CASTLE
        and (not file or name(m.start)[0] == file)
        and (not rank or name(m.start)[1] == rank)
        and (not made or m.promoted == made.upper())
        and (not made or m.piece == "P")
    ]
