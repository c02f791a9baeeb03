"""Games written as a user would write them, to be compiled."""

from __future__ import annotations

import enum
import functools
import math
from typing import Any, NamedTuple

import numpy as np

from zermelo.game import CHANCE, Game


class Bits(NamedTuple):
    me: np.uint64
    both: np.uint64


class ConnectFour(Game):
    """Bitboards of np.uint64, sizes as attributes, actions as a generator."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.width, self.height = width, height
        self.order = sorted(range(width), key=lambda c: abs(2 * c - width + 1))

    @property
    def column(self) -> int:
        return self.height + 1

    def initial(self) -> Bits:
        return Bits(np.uint64(0), np.uint64(0))

    def moves(self, s: Bits) -> int:
        return int(s.both).bit_count()

    def player(self, s: Bits) -> int:
        return self.moves(s) % 2

    def actions(self, s: Bits) -> Any:
        """Columns that are not full, the middle first."""
        for c in self.order:
            if not s.both & (np.uint64(1) << (c * self.column + self.height - 1)):
                yield c

    def result(self, s: Bits, a: int) -> Bits:
        assert 0 <= a < self.width, f"no column {a}"
        return Bits(s.me ^ s.both, s.both | (s.both + (np.uint64(1) << (a * self.column))))

    def wins(self, b: np.uint64) -> bool:
        return any(self.row(b, d) for d in (1, self.column - 1, self.column, self.column + 1))

    @staticmethod
    def row(b: np.uint64, d: int) -> bool:
        m = b & (b >> d)
        return bool(m & (m >> 2 * d))

    def is_terminal(self, s: Bits) -> bool:
        return self.wins(s.me ^ s.both) or self.moves(s) == self.width * self.height

    def utility(self, s: Bits, p: int) -> float:
        if not self.wins(s.me ^ s.both):
            return 0
        return -1 if self.player(s) == p else 1


class IntBits(NamedTuple):
    me: int
    both: int


class IntConnectFour(ConnectFour):
    """The same with Python's ints: 64-bit signed numbers when compiled."""

    def initial(self) -> Any:
        return IntBits(0, 0)

    def actions(self, s: Any) -> Any:
        return [c for c in self.order if not s.both >> (c * self.column + self.height - 1) & 1]

    def result(self, s: Any, a: int) -> Any:
        return IntBits(s.me ^ s.both, s.both | (s.both + (1 << a * self.column)))


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(NamedTuple):
    cells: tuple[int, ...]
    turn: int = 0


class TicTacToe(Game):
    """A board as a tuple, changed the way that tutorials do it."""

    def initial(self) -> Board:
        return Board((-1,) * 9)

    def player(self, s: Board) -> int:
        return s.turn

    def actions(self, s: Board) -> Any:
        return [i for i, x in enumerate(s.cells) if x == -1]

    def result(self, s: Board, a: int) -> Board:
        cells = list(s.cells)
        cells[a] = s.turn
        return Board(tuple(cells), 1 - s.turn)

    def winner(self, s: Board) -> int:
        for a, b, c in LINES:
            if s.cells[a] != -1 and s.cells[a] == s.cells[b] == s.cells[c]:
                return s.cells[a]
        return -1

    def is_terminal(self, s: Board) -> bool:
        return self.winner(s) != -1 or -1 not in s.cells

    def utility(self, s: Board, p: int) -> float:
        w = self.winner(s)
        return 0.0 if w == -1 else 1.0 if w == p else -1.0


class SlicingTicTacToe(TicTacToe):
    """The same with slices, generator expressions and inherited methods."""

    def result(self, s: Board, a: int) -> Board:
        return Board(s.cells[:a] + (s.turn,) + s.cells[a + 1 :], 1 - s.turn)  # noqa: RUF005

    def winner(self, s: Board) -> int:
        for p in range(2):
            if any(all(s.cells[i] == p for i in line) for line in LINES):
                return p
        return super().winner(s)

    def is_terminal(self, s: Board) -> bool:
        return super().is_terminal(s) or s.cells.count(-1) == 0

    def evaluate(self, s: Board, p: int) -> float:
        open_lines = [sum(1 for line in LINES if all(s.cells[i] in (q, -1) for i in line))
                      for q in range(2)]  # fmt: skip
        return (open_lines[p] - open_lines[1 - p]) / 10


class PlainTuple(Game):
    """The state is a bare tuple of ints: four pits, then whose turn it is."""

    def initial(self) -> tuple[int, ...]:
        return (3, 1, 2, 2, 0)

    def player(self, s: tuple[int, ...]) -> int:
        return s[4]

    def actions(self, s: tuple[int, ...]) -> Any:
        return (i for i in range(4) if s[i])

    def result(self, s: tuple[int, ...], a: int) -> tuple[int, ...]:
        pits = tuple(x - 1 if i == a else x for i, x in enumerate(s[:4]))
        return (*pits, 1 - s[4])

    def is_terminal(self, s: tuple[int, ...]) -> bool:
        return not any(s[:4])

    def evaluate(self, s: tuple[int, ...], p: int) -> float:
        half = s[4] + 1
        turned = s[half:4] + s[:half]
        longer = (*s[:2], 7, *turned)
        return float(turned[0] - turned[-1] + len(longer) + longer[2])

    def utility(self, s: tuple[int, ...], p: int) -> float:
        return 1 if s[4] == p else -1


class Heaps(NamedTuple):
    a: int
    b: int
    c: int
    turn: bool = False

    @property
    def empty(self) -> bool:
        return self.a == self.b == self.c == 0

    def after(self, heap: int, n: int) -> Heaps:
        return Heaps(
            self.a - n * (heap == 0), self.b - n * (heap == 1), self.c - n * (heap == 2),
            not self.turn,
        )  # fmt: skip


class Nim:
    """Not a subclass of Game; tuple actions; a state with a method and a property."""

    def initial(self) -> Heaps:
        return Heaps(1, 3, 5)

    def player(self, s: Heaps) -> int:
        return int(s.turn)

    def take(self, heap: int, size: int, most: int = 3) -> Any:
        for n in range(1, min(size, most) + 1):
            yield heap, n

    def actions(self, s: Heaps) -> Any:
        yield from self.take(0, s.a)
        yield from self.take(1, s.b)
        yield from self.take(2, s.c, most=5)

    def result(self, s: Heaps, a: tuple[int, int]) -> Heaps:
        heap, n = a
        return s.after(heap, n)

    def is_terminal(self, s: Heaps) -> bool:
        return s.empty

    def utility(self, s: Heaps, p: int) -> float:
        return -1.0 if self.player(s) == p else 1.0


RECORD = np.dtype([("board", np.int8, (4, 4)), ("turn", np.int8), ("count", np.int32)], align=True)


class Place(NamedTuple):
    row: int
    column: int
    piece: int


class RecordGame(Game):
    """A NumPy record that is copied and written to; NamedTuple actions."""

    def initial(self) -> Any:
        return np.zeros(1, RECORD)[0]

    def player(self, s: Any) -> int:
        return int(s["turn"])

    def actions(self, s: Any) -> Any:
        moves = []
        for r in range(4):
            for c in range(4):
                if s["board"][r, c] == 0:
                    moves.append(Place(r, c, int(s["turn"]) + 1))
        return moves

    def result(self, s: Any, a: Place) -> Any:
        t = s.copy()
        t["board"][a.row, a.column] = a.piece
        t["turn"] = 1 - s["turn"]
        t["count"] += 1
        return t

    def full_line(self, s: Any, p: int) -> bool:
        board = s["board"]
        return any(np.all(board[i] == p) or np.all(board[:, i] == p) for i in range(4))

    def is_terminal(self, s: Any) -> bool:
        return s["count"] == 16 or self.full_line(s, 1) or self.full_line(s, 2)

    def utility(self, s: Any, p: int) -> float:
        return float(self.full_line(s, p + 1)) - float(self.full_line(s, 2 - p))

    def evaluate(self, s: Any, p: int) -> float:
        # More copies than the stack has room for.
        total = 0
        for _ in range(45 if s["count"] < 2 else 1):
            for a in self.actions(s):
                t = self.result(s, a)
                total += int(t["count"])
        return total / 1000


class Dice(NamedTuple):
    score: tuple[int, int]
    turn: int
    roll: int
    left: float = 6


class Pig(Game):
    """Chance moves with odds; a nested tuple; a float field that starts as an int."""

    utility_bounds = (-1.0, 1.0)
    faces = 6

    def initial(self) -> Dice:
        return Dice((0, 0), 0, 0)

    def player(self, s: Dice) -> int:
        return CHANCE if s.roll == 0 else s.turn

    def outcomes(self, s: Dice) -> Any:
        return [(face, 1 / self.faces) for face in range(1, self.faces + 1)]

    def actions(self, s: Dice) -> Any:
        return (0, 1)

    def result(self, s: Dice, a: int) -> Dice:
        if s.roll == 0:
            return s._replace(roll=a, left=s.left - 0.5)
        a0, a1 = s.score
        gain = s.roll if a else 0
        score = (a0 + gain, a1) if s.turn == 0 else (a0, a1 + gain)
        return Dice(score, 1 - s.turn, 0, s.left)

    def is_terminal(self, s: Dice) -> bool:
        return max(s.score) >= 12 or s.left <= 0

    def utility(self, s: Dice, p: int) -> float:
        x, y = s.score[p], s.score[1 - p]
        return float((x > y) - (x < y))


NEIGHBOURS = [[1], [0, 2, 3], [1], [1, 4], [3]]  # rows of different length

PATHS = {0: 1}


class Kind(enum.IntEnum):
    FREE = 0
    TAKEN = 1


def parity(x: int) -> int:
    return bin(x).count("1") % 2


@functools.cache
def weight(i: int, scale: float = 0.5) -> float:
    return math.sqrt(i) * scale


class Graph(Game):
    """Module functions, ragged constants, enums, arrays, `noisy`, class methods, `in`."""

    weights = np.array([1.5, 2.5, -1.0, 0.25, 8.0])
    start = 1

    def __init__(self) -> None:
        self.goal = {"cell": 4}["cell"]
        self.masks = tuple(1 << i for i in range(5))

    def initial(self) -> Any:
        return (self.start, 1 << self.start, 0)

    def player(self, s: Any) -> int:
        return s[2] & 1

    def actions(self, s: Any) -> Any:
        at, seen, _ = s
        for n in NEIGHBOURS[at]:
            if Kind(seen >> n & 1 if False else 0) == Kind.FREE and not seen & self.masks[n]:
                yield n
        if seen.bit_length() > 3:
            yield -1

    def noisy(self, s: Any) -> Any:
        for a in reversed(range(-1, 5)):
            if a in self.actions(s):
                yield a

    def result(self, s: Any, a: int) -> Any:
        at, seen, n = s
        if a == -1:
            return (at, seen, n + 1)
        return (a, seen | self.masks[a], n + 1)

    @classmethod
    def over(cls, n: int) -> bool:
        return n > cls.start + 5

    def is_terminal(self, s: Any) -> bool:
        if s[0] == self.goal or self.over(s[2]):
            return True
        return not list(self.actions(s))

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if parity(s[1]) == p else -1.0

    def evaluate(self, s: Any, p: int) -> float:
        total = sum(self.weights[n] for n in NEIGHBOURS[s[0]]) + weight(s[0])
        total += len(list(self.actions(s))) + sum(x for x in self.masks if x & s[1])
        return total if p == 0 else -total


class Mixed(NamedTuple):
    bits: np.uint64
    n: int


class Unsigned(Game):
    """np.uint64 with its top bit in use, mixed with Python's ints in every way."""

    def initial(self) -> Mixed:
        return Mixed(0xF000_0000_0000_0001, 0)

    def player(self, s: Mixed) -> int:
        return s.n % 2

    def actions(self, s: Mixed) -> Any:
        return range(8)

    def result(self, s: Mixed, a: int) -> Mixed:
        mask = 0
        for i in range(a + 1):
            mask |= (s.bits >> i) & 0xFF
        x = (s.bits * 3 + a) & 0xFFFF_FFFF_FFFF_FFFF
        x ^= s.bits // (a + 2) + s.bits % 7 - min(s.bits, 1)
        x += 0 if a else 1
        return Mixed((x ^ mask) & 0xFFFF_FFFF_FFFF_FFFF, s.n + 1)

    def is_terminal(self, s: Mixed) -> bool:
        return s.n > 12 or s.bits > 0xFFF0_0000_0000_0000

    def utility(self, s: Mixed, p: int) -> float:
        q, r = divmod(s.bits, 3)
        return float(r) + (q > 5)


GAMES: list[Any] = [
    ConnectFour(), ConnectFour(5, 4), IntConnectFour(), TicTacToe(), SlicingTicTacToe(),
    PlainTuple(), Nim(), RecordGame(), Pig(), Graph(), Unsigned(),
]  # fmt: skip

NAMES = ["connect4", "connect4 5x4", "int connect4", "ttt", "slicing ttt", "tuple", "nim", "record",
         "pig", "graph", "unsigned"]  # fmt: skip
