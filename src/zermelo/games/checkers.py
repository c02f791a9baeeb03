"""Checkers (English draughts): notation and drawing. The rules are core/games/checkers.

Moves are written as in PDN: 11-15 goes, 22x15 captures, 22x15x8 names the whole way (22x8 will do
where it is clear). A position is a PDN FEN, B:W18,24,K10:B12,K22 (who moves, then the pieces, K for
kings; ranges as W21-32; H5 at the end: five plies without a capture or a man's move), or the moves
played so far.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..options import Option
from .drawing import disc, svg
from .drawing import place as place_of
from .native import EvaluatedGame, State, written_moves

SIDES = ("Black", "White")
QUIET_LIMIT = 80
MAX_PIECES = 12
STEPS = (4, 5, -4, -5)  # what a direction adds to a square's bit
EXAMPLE = "e.g. B:W18,24,K10:B12,K22"


class Checkers(EvaluatedGame):
    """English draughts with forced captures."""

    name = "checkers"
    options = (Option("pieces", 4, range(1, 9), "maximum number of pieces in endgame tables"),)
    state_space = "about 10^20 positions (500,995,484,682,338,672,639: Schaeffer et al. 2007)"
    solved = "draw (Schaeffer et al. 2007)"

    evaluations = ("hundredths-of-a-man",)
    player_names = ("Black", "White")
    estimate_scale = 130.0  # hundredths of a man

    def __init__(self, spec: str, pieces: int) -> None:
        super().__init__(spec, _core.checkers(pieces))

    # -- moves ------------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        """The whole way, square by square."""
        bit, jumps = code & 63, code >> 6 & 15
        squares = [square_of(bit)]
        for i in range(max(jumps, 1)):
            bit += STEPS[code >> 10 + 2 * i & 3] * (2 if jumps else 1)
            squares.append(square_of(bit))
        return ("x" if jumps else "-").join(map(str, squares))

    def encode_action(self, key: int, action: Any) -> int:
        if not isinstance(action, str):
            raise IllegalAction(f"{action!r} is not a checkers move")
        sign = "x" if "x" in action else "-"
        bits = [_bit_of(int(word)) for word in action.split(sign)]
        jumps = len(bits) - 1 if sign == "x" else 0
        code = bits[0] | jumps << 6
        if len(bits) < 2 or (sign == "-" and len(bits) > 2):
            raise IllegalAction(f"{action!r} is not a checkers move")
        for i, (a, b) in enumerate(pairwise(bits)):
            code |= STEPS.index((b - a) // 2 if jumps else b - a) << 10 + 2 * i
        return code

    def result(self, s: State, a: Any) -> State:
        # 22x8 may stand for a longer way.
        if isinstance(a, str) and a.count("x") == 1:
            a = self.parse_action(s, a)
        return super().result(s, a)

    def format_action(self, s: Any, a: Any) -> str:
        if s is None or str(a).count("x") < 2:
            return str(a)
        ends = _ends_of(a)
        alike = [b for b in self.actions(s) if "x" in b and _ends_of(b) == ends]
        return "x".join(ends) if alike == [a] else str(a)

    def action_squares(self, s: State, a: Any) -> Sequence[str]:
        return tuple(re.split("[-x]", str(a)))

    def parse_action(self, s: State, text: str) -> str:
        wanted = "".join(str(text).split()).lower()
        legal: list[str] = self.actions(s)
        if wanted in legal:
            return wanted
        if not legal:
            raise IllegalAction(f"{text!r} cannot be played: the game is over", "take back a move")
        alike = [a for a in legal if "x" in a and "x".join(_ends_of(a)) == wanted]
        if len(alike) == 1:
            return alike[0]
        if alike:
            raise IllegalAction(f"{text!r} is ambiguous", "one of " + ", ".join(alike))
        raise IllegalAction(f"{text!r} is not a legal action here", self._legal_hint(legal))

    # -- positions --------------------------------------------------------------------------
    def pieces(self, s: State) -> tuple[dict[int, str], int, int]:
        """By square (b, w, kings B, W); who moves; how many plies have been quiet."""
        data = self.data(s)
        black, white, kings = (int.from_bytes(data[i : i + 8], "little") for i in (0, 8, 16))
        quiet, mover = (int.from_bytes(data[i : i + 4], "little") for i in (24, 28))
        found = {}
        for square in range(1, 33):
            bit = 1 << _bit_of(square)
            if (black | white) & bit:
                letter = "b" if black & bit else "w"
                found[square] = letter.upper() if kings & bit else letter
        return found, mover, quiet

    def format_state(self, s: State) -> str:
        found, mover, quiet = self.pieces(s)
        sides = []
        for side in "WB":
            own = [
                f"K{square}" if letter == side else str(square)
                for square, letter in found.items()
                if letter.upper() == side
            ]
            sides.append(side + ",".join(own))
        fen = ":".join(["BW"[mover], *sides])
        return fen + (f":H{quiet}" if quiet else "")

    def parse_state(self, text: str) -> State:
        if ":" in text:
            return self.parse_fen(text)
        s = self.initial()
        for word in written_moves(text):
            try:
                s = self.result(s, self.parse_action(s, word))
            except IllegalAction as e:
                raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
        return s

    def parse_fen(self, text: str) -> State:
        tag = re.fullmatch(r'\s*+\[\s*+FEN\s++"(.*)"\s*+\]\s*+', text)
        fields = "".join((tag[1] if tag else text).split()).rstrip(".").upper().split(":")
        if fields[0] not in ("B", "W"):
            raise BadPosition(f"position {text!r} does not name the side to move", EXAMPLE)
        placed: dict[int, str] = {}
        quiet, seen = 0, ""
        for part in fields[1:]:
            kind, rest = part[:1], part[1:]
            if kind not in ("B", "W", "H", "F") or kind in seen:
                raise BadPosition(f"position {text!r}: unexpected {part!r}", EXAMPLE)
            seen += kind
            if kind == "H":
                quiet = number(text, rest, 0, QUIET_LIMIT, "a number of quiet plies")
            elif kind in "BW":
                place(text, kind, rest, placed)
        return self.build(text, placed, quiet, "BW".index(fields[0]))

    def build(self, text: str, placed: dict[int, str], quiet: int, mover: int) -> State:
        """The state with these pieces, or what is wrong with it."""
        sides, kings = [0, 0], 0
        for square, letter in placed.items():
            bit = 1 << _bit_of(square)
            sides["BW".index(letter[-1])] |= bit
            kings |= bit if letter[0] == "K" else 0
        for side, pieces in zip(SIDES, sides, strict=True):
            if pieces.bit_count() > MAX_PIECES:
                raise BadPosition(
                    f"position {text!r}: {side} has {pieces.bit_count()} pieces",
                    f"expected at most {MAX_PIECES} per side",
                )
        if not placed:
            raise BadPosition(f"position {text!r} has no pieces", EXAMPLE)
        data = b"".join(x.to_bytes(8, "little") for x in (*sides, kings))
        data += quiet.to_bytes(4, "little") + mover.to_bytes(4, "little")
        if not self.handle.valid(data):
            raise BadPosition(f"position {text!r} is impossible", EXAMPLE)
        return State(self, data)

    # -- looks ------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        found, _, _ = self.pieces(s)
        rows = []
        for r in range(8):
            cells = [" "] * 8
            for i in range(4):
                cells[column(r, i)] = found.get(4 * r + i + 1, ".")
            rows.append(f"{' '.join(cells)}   {4 * r + 1:2}-{4 * r + 4}")
        return "\n".join(rows)

    def svg(self, s: State) -> str:
        return self.draw(s)

    def svg_for(self, s: State, p: int) -> str:
        return self.draw(s, black_below=p == 0)

    def draw(self, s: State, black_below: bool = False) -> str:
        found, _, _ = self.pieces(s)
        size, edge = 44, 8
        parts = [LOOKS, f'<rect class="light" x="{edge}" y="{edge}" width="352" height="352"/>']
        for square in range(1, 33):
            r, i = divmod(square - 1, 4)
            c = column(r, i)
            x, y = (edge + size * (7 - v if black_below else v) for v in (c, r))
            parts.append(f'<rect class="dark" x="{x}" y="{y}" width="{size}" height="{size}"/>')
            parts.append(f'<text class="number" x="{x + 2}" y="{y + 9}">{square}</text>')
            letter = found.get(square)
            if letter:
                parts += piece(x + size / 2, y + size / 2, letter)
            parts.append(place_of(square, x, y, size, size))
        return svg(8 * size + 2 * edge, 8 * size + 2 * edge, "checkers", "".join(parts))


LOOKS = """<style>
.light{fill:#f0e4cc}.dark{fill:#9c7350}.number{font:8px system-ui,sans-serif;fill:#f5ead6}
.black{fill:#26262b;stroke:#000}.white{fill:#fbf7ec;stroke:#75603f}
.ring{fill:none;stroke:#0003}.black+.ring{stroke:#fff4}.crown{fill:#e0a92e;stroke:#7a5200}
@media(prefers-color-scheme:dark){.light{fill:#6f655a}.dark{fill:#3d332b}.number{fill:#c9bca8}
.white{fill:#e9e2d0}.black{fill:#0d0d10;stroke:#77716a}}
</style>"""


def piece(x: float, y: float, letter: str) -> list[str]:
    """A man, or a king with a crown on it."""
    css = "black" if letter in "bB" else "white"
    parts = [disc(x, y, 16, css), disc(x, y, 12, "ring")]
    if letter.isupper():
        points = ((-8, 5), (-9, -5), (-4, 0), (0, -7), (4, 0), (9, -5), (8, 5))
        shape = " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in points)
        parts.append(f'<polygon class="crown" points="{shape}"/>')
    return parts


def place(text: str, side: str, words: str, placed: dict[int, str]) -> None:
    """Adds the pieces of one side, as 1,5,K7,9-12, to those placed."""
    for word in filter(None, words.split(",")):
        king = word.startswith("K")
        first, dash, last = word[king:].partition("-")
        low = number(text, first, 1, 32, "a square")
        high = number(text, last, 1, 32, "a square") if dash else low
        if high < low:
            raise BadPosition(f"position {text!r}: {word} is a descending range", f"{high}-{low}?")
        for square in range(low, high + 1):
            if square in placed:
                raise BadPosition(f"position {text!r}: square {square} appears twice", EXAMPLE)
            if not king and (square > 28 if side == "B" else square < 5):
                raise BadPosition(
                    f"position {text!r}: {SIDES['BW'.index(side)]} has a man on {square}",
                    f"a piece on the last row is a king: K{square}",
                )
            placed[square] = "K" + side if king else side


def number(text: str, word: str, least: int, most: int, what: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 4 and least <= int(word) <= most:
        return int(word)
    raise BadPosition(f"position {text!r}: {word!r} is not {what}", f"expected {least} to {most}")


def _ends_of(action: str) -> tuple[str, str]:
    """Where a capture starts and where it ends."""
    words = action.split("x")
    return words[0], words[-1]


def _bit_of(square: int) -> int:
    if not 1 <= square <= 32:
        raise IllegalAction(f"{square} is not a square")
    return (square - 1) + (square - 1) // 8


def square_of(bit: int) -> int:
    return bit - bit // 9 + 1


def column(row: int, i: int) -> int:
    """Of the i-th dark square of a row, from the left."""
    return 2 * i + 1 - row % 2
