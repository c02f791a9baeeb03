"""FEN: a position in one line. Impossible positions are refused with the reason."""

from __future__ import annotations

from collections.abc import Callable

from ... import _core
from ...errors import BadPosition

EXAMPLE = "e.g. rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MEN = "PNBRQKpnbrqk"
SIDES = ("White", "Black")
MAX_QUIET, MAX_NUMBER = 150, 9999
Refuse = Callable[..., BadPosition]  # (why, hint)
Parts = tuple[str, int, int, int, int, int, int]  # men, mover, castle, ep, clock, number, repeats


def format_fen(parts: Parts) -> str:
    """The six fields. The square of en passant is there where the capture is legal."""
    men, mover, castle, ep, clock, number, _ = parts
    rows = []
    for r in range(7, -1, -1):
        row = men[8 * r : 8 * r + 8]
        for empty in range(8, 0, -1):
            row = row.replace("." * empty, str(empty))
        rows.append(row)
    square = f"{'abcdefgh'[ep & 7]}{(ep >> 3) + 1}" if ep else "-"
    return f"{'/'.join(rows)} {'wb'[mover]} {rights(men, castle)} {square} {clock} {number}"


def rights(men: str, castle: int) -> str:
    """KQkq, and a file's letter for a rook that is not the outermost."""
    found = ""
    for first, king in ((0, "K"), (56, "k")):
        row, rook = men[first : first + 8], "R" if king == "K" else "r"
        at = row.find(king)
        if at < 0:
            continue
        for wing, letter in ((range(7, at, -1), "K"), (range(at), "Q")):
            outermost = next((f for f in wing if row[f] == rook), None)
            for f in wing:
                if castle >> (first + f) & 1:
                    word = letter if f == outermost else "ABCDEFGH"[f]
                    found += word if king == "K" else word.lower()
    return found or "-"


def parse_fen(text: str) -> bytes:
    """The native state of a FEN with 4 to 6 fields."""

    def refuse(why: str, hint: str = EXAMPLE) -> BadPosition:
        return BadPosition(f"position {text!r}: {why}", hint)

    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise refuse(f"a FEN has 4 to 6 fields, not {len(fields)}")
    men = squares(fields[0], refuse)
    if fields[1] not in ("w", "b"):
        raise refuse(f"{fields[1]!r} is not a side to move", "expected w (White) or b (Black)")
    _check_men(men, refuse)
    mover = "wb".index(fields[1])
    castle = rooks(men, fields[2], refuse)
    ep = passed(men, mover, fields[3], refuse)
    clock = number(
        fields[4:5], 0, MAX_QUIET, "a number of plies since the last capture or pawn move", refuse
    )
    count = number(fields[5:6], 0, MAX_NUMBER, "a move number", refuse)
    state = _core.chess_state(men, mover, castle, ep, clock, max(count, 1))
    if isinstance(state, str):
        hint = "the other side is to move" if "check" in state else EXAMPLE
        raise refuse(state, hint)
    assert isinstance(state, bytes)
    return state


def squares(field: str, refuse: Refuse) -> str:
    """The 64 squares from a1 on."""
    rows = field.split("/")
    if len(rows) != 8:
        raise refuse(f"the board has {len(rows)} ranks, not 8")
    men = ""
    for rank, row in zip(range(8, 0, -1), rows, strict=True):
        wide = ""
        for letter in row:
            if letter in "12345678":
                wide += "." * int(letter)
            elif letter in MEN:
                wide += letter
            else:
                raise refuse(
                    f"{letter!r} in rank {rank} is not a piece", "expected PNBRQK, pnbrqk or 1 to 8"
                )
        if len(wide) != 8:
            raise refuse(f"rank {rank} has {len(wide)} squares, not 8")
        men = wide + men
    return men


def _check_men(men: str, refuse: Refuse) -> None:
    for side, letters in zip(SIDES, (MEN[:6], MEN[6:]), strict=True):
        kings, pawns = men.count(letters[5]), men.count(letters[0])
        count = sum(man in letters for man in men)
        if kings != 1:
            raise refuse(
                f"{side} has {kings or 'no'} king{'s' if kings else ''}",
                "each side has exactly one king",
            )
        if pawns > 8:
            raise refuse(f"{side} has {pawns} pawns", "expected at most 8 per side")
        if count > 16:
            raise refuse(f"{side} has {count} pieces", "expected at most 16 per side")
    for rank in (1, 8):
        if "P" in men[8 * rank - 8 : 8 * rank].upper():
            raise refuse(f"there is a pawn on rank {rank}", "pawns can be only on ranks 2 to 7")


def rooks(men: str, field: str, refuse: Refuse) -> int:
    """The rooks that may castle, as native bits: KQkq, or letters of files (Chess960)."""
    if field == "-":
        return 0
    found = 0
    for letter in field:
        side = 0 if letter.isupper() else 1
        first, king, rook = 56 * side, "Kk"[side], "Rr"[side]
        row = men[first : first + 8]
        at, word = row.find(king), letter.upper()
        if word not in "ABCDEFGHKQ":
            raise refuse(f"{letter!r} is not a castling right", "e.g. KQkq, HAha or -")
        wing = range(7, at, -1) if word == "K" else range(at) if word == "Q" else range(8)
        files = [f for f in wing if row[f] == rook and word in ("K", "Q", "ABCDEFGH"[f])]
        if at < 0 or not files:
            raise refuse(
                f"{letter!r} cannot castle: king and rook are not there",
                f"{SIDES[side]}'s king and rook must be on rank {1 + 7 * side}; otherwise write -",
            )
        one = 1 << first + files[0]
        if found & one:
            raise refuse(f"the right {letter!r} is given twice", "e.g. KQkq, HAha or -")
        found |= one
    return found


def passed(men: str, mover: int, field: str, refuse: Refuse) -> int:
    """The square over which a pawn has just gone; 0: none."""
    if field == "-":
        return 0
    if len(field) != 2 or field[0] not in "abcdefgh" or field[1] not in "12345678":
        raise refuse(f"{field!r} is not a square", "expected a square such as e3, or -")
    square = "abcdefgh".index(field[0]) + 8 * (int(field[1]) - 1)
    back = 8 if mover else -8
    if (
        field[1] != "63"[mover]
        or men[square] != "."
        or men[square + back] != "pP"[mover]
        or men[square - back] != "."
    ):
        raise refuse(
            f"no pawn has just moved two squares past {field}",
            "expected the square behind a pawn that has just moved two squares, or -",
        )
    return square


def number(given: list[str], least: int, most: int, what: str, refuse: Refuse) -> int:
    if not given:
        return least
    word = given[0]
    if word.isascii() and word.isdigit() and len(word) < 6 and least <= int(word) <= most:
        return int(word)
    raise refuse(f"{word!r} is not {what}", f"expected {least} to {most}")
