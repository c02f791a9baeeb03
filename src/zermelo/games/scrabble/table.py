"""Scrabble's table: board, racks and bag as text, and why a play does not fit."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...errors import BadPosition

SIZE, CELLS, RACK, KINDS, TILES = 15, 225, 7, 27, 100
ALL = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # by kind
COUNT = (2, 9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1)
POINTS = (0, 1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10)
QUARTER = (
    "T..d...T", ".D...t..", "..D...d.", "d..D...d", "....D...", ".t...t..", "..d...d.", "T..d...D",
)  # fmt: skip  # d t: letters, D T: words, twice or three times


def premium(cell: int) -> str:
    """What a cell counts more: d or t (the letter), D or T (the word), twice or three times."""
    y, x = divmod(cell, SIZE)
    return QUARTER[min(y, SIZE - 1 - y)][min(x, SIZE - 1 - x)]


def tiles_of(counts: bytes) -> str:
    """Tiles from how many there are of each kind."""
    return "".join(ALL[k] * n for k, n in enumerate(counts))


def _kinds_of(tiles: str) -> bytes:
    return bytes(tiles.count(k) for k in ALL)


@dataclass
class Table:
    """The fields of a position. The board has a letter a cell, lower case for a blank, or "."."""

    board: str
    racks: tuple[str, str] = ("", "")
    bag: str = ""
    aside: str = ""
    order: str = ""
    scores: tuple[int, int] = (0, 0)
    mover: int = 0
    idle: int = 0
    last: int = 0
    gained: int = 0
    extra: dict[str, str] = field(default_factory=dict)

    def rows(self) -> str:
        """The board as a position writes it."""
        found = []
        for y in range(SIZE):
            row, free = "", 0
            for c in self.board[SIZE * y : SIZE * (y + 1)]:
                if c == ".":
                    free += 1
                    continue
                row += (str(free) if free else "") + c
                free = 0
            found.append(row + (str(free) if free else ""))
        return "/".join(found)

    def lines(self) -> list[str]:
        """The board for the terminal: ' " the letter, - = the word counts twice, three times."""
        marks = {".": ".", "d": "'", "t": '"', "D": "-", "T": "="}
        rows = []
        for y in range(SIZE):
            cells = range(SIZE * y, SIZE * (y + 1))
            shown = [c if (c := self.board[i]) != "." else marks[premium(i)] for i in cells]
            rows.append(f"{y + 1:>2} " + " ".join(shown))
        return ["   " + " ".join(chr(ord("A") + x) for x in range(SIZE)), *rows]

    # -- reading --------------------------------------------------------------------------------
    @classmethod
    def read(cls, words: list[str]) -> Table:
        """From the words of a position; raises BadPosition."""
        plain = [w for w in words[1:] if "=" not in w]
        extra = dict(w.split("=", 1) for w in words[1:] if "=" in w)
        if unknown := set(extra) - {"last", "aside", "bag"}:
            raise BadPosition(f"unknown field {min(unknown)}=", "expected last=, aside= or bag=")
        if len(plain) > 4:
            raise BadPosition(
                f"{plain[4]!r} was not expected",
                "expected racks, scores, the player to move and the scoreless turns",
            )
        racks, scores, mover, idle = (*plain, *("-,-", "0,0", "0", "0")[len(plain) :])
        held = ["" if r == "-" else r for r in racks.upper().split(",")]
        if len(held) != 2:
            raise BadPosition(f"{racks!r} are not two racks", "e.g. AEINRST,- (- draws new tiles)")
        points = [number(p, -5000, 5000) for p in scores.split(",")]
        if len(points) != 2:
            raise BadPosition(f"{scores!r} are not two scores", "e.g. 120,98")
        t = cls(
            board=_read_rows(words[0]),
            racks=(held[0], held[1]),
            aside=extra.get("aside", "").upper(),
            order=extra.get("bag", "").upper(),
            scores=(points[0], points[1]),
            mover=number(mover, 0, 1),
            idle=number(idle, 0, 6),
            extra=extra,
        )
        t.fill_bag()
        return t

    def fill_bag(self) -> None:
        """The bag has the remaining tiles."""
        used = "".join("?" if c.islower() else c for c in self.board if c != ".")
        used += self.racks[0] + self.racks[1] + self.aside
        for tile, n in Counter(used).items():
            if tile not in ALL:
                raise BadPosition(f"{tile!r} is not a tile", "expected A to Z, or ? for a blank")
            if n > COUNT[ALL.index(tile)]:
                most = COUNT[ALL.index(tile)]
                raise BadPosition(f"{tile} appears {n} times", f"there are only {most}")
        counts = [n - used.count(k) for k, n in zip(ALL, COUNT, strict=True)]
        self.bag = tiles_of(bytes(counts))
        if self.order and sorted(self.order) != sorted(self.bag):
            raise BadPosition("bag= does not contain the remaining tiles", "omit it")

    def flat(self, last: int, gained: int) -> bytes:
        """The native state; what racks lack is due."""
        left, due = len(self.bag), [0, 0]
        for p in (0, 1):
            due[p] = max(0, min(RACK - len(self.racks[p]), left))
            left -= due[p]
        out = not self.bag and not all(self.racks)
        over = out or (self.idle == 6 and not sum(due))
        board = bytes(ALL.index(c.upper()) | (32 if c.islower() else 0) if c != "." else 0
                      for c in self.board)  # fmt: skip
        fields = b"".join(map(_kinds_of, (*self.racks, self.bag, self.aside)))
        order = bytes(ALL.index(c) + 1 for c in self.order).ljust(TILES, b"\0")
        tail = bytes([bool(self.order), self.mover, self.idle, over, *due, 0, 0, 0])
        head = struct.pack("<Ihhh", last, *self.scores, max(-32768, min(32767, gained)))
        return head + board + fields + order + tail

    # -- plays ----------------------------------------------------------------------------------
    def cells(self, cell: int, down: bool, word: str) -> Iterator[tuple[int, str]]:
        """The cells that a word covers, with its letters, as far as the board goes."""
        step = SIZE if down else 1
        room = SIZE - (cell // SIZE if down else cell % SIZE)
        for i, c in enumerate(word[:room]):
            yield cell + i * step, c

    def line(self, cell: int, down: bool, laid: dict[int, str]) -> str:
        """The word through a cell, with the placed tiles."""
        step, at = (SIZE, cell // SIZE) if down else (1, cell % SIZE)

        def there(i: int) -> str:
            here = cell + (i - at) * step
            return laid.get(here) or self.board[here]

        first = last = at
        while first > 0 and there(first - 1) != ".":
            first -= 1
        while last < SIZE - 1 and there(last + 1) != ".":
            last += 1
        return "".join(there(i) for i in range(first, last + 1))

    def writings(self, cell: int, down: bool, word: str) -> Iterator[tuple[int, bool, str]]:
        """A play as written; a single tile laid down may make a word along, and is called so."""
        yield cell, down, word
        laid = {here: c for here, c in self.cells(cell, down, word) if self.board[here] == "."}
        if down and len(laid) == 1:
            here = first = min(laid)
            while first % SIZE and self.board[first - 1] != ".":
                first -= 1
            yield first, False, self.line(here, False, laid)

    def fault(
        self, cell: int, down: bool, word: str, rack: str, known: Callable[[str], bool]
    ) -> str:
        """Why a play is not legal."""
        cells = list(self.cells(cell, down, word))
        if len(cells) < len(word):
            return f"{word} does not fit on the board"
        laid = {}
        for here, c in cells:
            if self.board[here] == ".":
                laid[here] = c
            elif self.board[here].upper() != c.upper():
                return f"{self.board[here]} lies where it has {c}"
        if not laid:
            return "it places no new tile"
        need = Counter("?" if c.islower() else c for c in laid.values())
        if lacking := need - Counter(rack):
            return f"the rack has no {' '.join(lacking.elements())} (lower case is a blank)"
        words = [self.line(cell, down, laid)]
        words += [w for here in laid if len(w := self.line(here, not down, laid)) > 1]
        if len(words[0]) == 1:
            words = words[1:] or words
        for w in words:
            if not known(w.lower()):
                return f"{w.upper()} is not in the word list"
        if len(words[0]) != len(word) and len(words) == 1:
            return f"together with adjacent tiles it reads {words[0].upper()}: write the whole word"
        return "it does not touch a tile on the board (the first play covers 8H)"


def _read_rows(text: str) -> str:
    rows = text.split("/")
    if len(rows) != SIZE:
        raise BadPosition(
            f"the board has {len(rows)} rows, not 15",
            "expected the rows from the top, separated by /",
        )
    found = ""
    for row in rows:
        cells, digits = "", ""
        for c in row + " ":
            if c.isascii() and c.isdecimal():
                digits += c
                continue
            cells += "." * int(digits[:3] or 0)
            digits = ""
            if c == " ":
                continue
            if not (c.isascii() and c.isalpha()):
                raise BadPosition(
                    f"{c!r} in row {row!r} is not a tile", "expected letters; blanks are lower case"
                )
            cells += c
        if len(cells) != SIZE:
            raise BadPosition(
                f"row {row!r} has {len(cells)} cells, not 15", "a number stands for empty cells"
            )
        found += cells
    return found


def number(text: str, least: int, most: int) -> int:
    sign = text[:1] == "-"
    digits = text[sign:]
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 6):
        raise BadPosition(f"{text!r} is not a number", f"expected {least} to {most}")
    value = -int(digits) if sign else int(digits)
    if not least <= value <= most:
        raise BadPosition(f"{text} is out of range", f"expected {least} to {most}")
    return value
