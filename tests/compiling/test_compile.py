"""Compiled rules say what the Python rules say, and errors name the line."""

from __future__ import annotations

import ctypes
import enum
import functools
import math
import os
import pickle
import random
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("numba")

from zermelo import search
from zermelo.compiling.api import compile
from zermelo.compiling.check import Native
from zermelo.compiling.compiler import CompiledGame
from zermelo.errors import CompileError
from zermelo.game import CHANCE, Game

SRC = Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A cache of our own, shared by the tests of this file."""
    directory = tmp_path_factory.mktemp("cache")
    before = os.environ.get("ZERMELO_CACHE")
    os.environ["ZERMELO_CACHE"] = str(directory)
    yield directory
    if before is None:
        del os.environ["ZERMELO_CACHE"]
    else:
        os.environ["ZERMELO_CACHE"] = before


# -- games, written as anybody would ----------------------------------------------------------
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


# -- the same answers ---------------------------------------------------------------------------
def native(game: CompiledGame) -> Native:
    return Native(game.native_spec.addresses, game.native_spec.state_size)


@pytest.mark.parametrize("rules", GAMES, ids=NAMES)
def test_random_play_agrees(rules: Any) -> None:
    game = compile(rules)
    call = native(game)
    rng = random.Random(7)
    for _ in range(30):
        s = rules.initial()
        data = game.native_spec.initial
        for _ in range(60):
            assert game.encode_state(s) == data
            assert game.encode_state(game.decode_state(data)) == data
            if rules.is_terminal(s):
                assert call.to_move(data) == -2
                for p in range(2):
                    assert call.number("utility", data, p) == pytest.approx(rules.utility(s, p))
                break
            player = rules.player(s)
            assert call.to_move(data) == player
            if player == CHANCE:
                actions, odds = zip(*rules.outcomes(s), strict=True)
                codes, chances = call.outcomes(data)
                assert list(odds) == chances
            else:
                actions = tuple(rules.actions(s))
                codes = call.actions(data)
            decoded = [game.decode_action(c) for c in codes]
            assert decoded == list(actions)
            assert [type(a) for a in decoded] == [type(a) for a in actions]
            assert [game.encode_action(a) for a in actions] == codes
            if hasattr(rules, "noisy"):
                noisy = [game.decode_action(c) for c in call.actions(data, "noisy")]
                assert noisy == list(rules.noisy(s))
            if hasattr(rules, "evaluate"):
                for p in range(2):
                    assert call.number("evaluate", data, p) == pytest.approx(rules.evaluate(s, p))
            i = rng.randrange(len(codes))
            s = rules.result(s, actions[i])
            data = call.play(data, codes[i])
        assert call.flag.value == 0


def test_capacity_is_minded() -> None:
    game = compile(ConnectFour())
    call = native(game)
    out = (ctypes.c_uint32 * 7)(*[99] * 7)
    start = ctypes.create_string_buffer(game.native_spec.initial)
    n = call.calls["actions"](ctypes.addressof(call.flag), start, ctypes.addressof(out), 3)
    assert n == 7
    assert list(out) == [3, 2, 4, 99, 99, 99, 99]


def test_states_and_actions_are_the_users_own() -> None:
    game = compile(ConnectFour())
    s = game.decode_state(game.native_spec.initial)
    assert type(s) is Bits and type(s.me) is np.uint64
    assert type(game.decode_action(3)) is int
    record = compile(RecordGame())
    t = record.decode_state(record.native_spec.initial)
    assert isinstance(t, np.void) and t.dtype == RECORD
    place = record.decode_action(record.encode_action(Place(3, 2, 1)))
    assert place == Place(3, 2, 1) and type(place) is Place
    nim = compile(Nim())
    assert type(nim.decode_state(nim.native_spec.initial).turn) is bool
    for pair in ((-1, 2), (0, 0), (-32768, 32767)):
        assert nim.decode_action(nim.encode_action(pair)) == pair
    graph = compile(Graph())
    assert graph.decode_action(graph.encode_action(-1)) == -1


def test_padding_is_not_part_of_a_key() -> None:
    game = compile(RecordGame())
    dirty = np.frombuffer(b"\xff" * RECORD.itemsize, RECORD)[0].copy()
    for name in RECORD.names or ():
        dirty[name] = 0
    assert game.encode_state(dirty) == bytes(RECORD.itemsize)


def test_looks_like_the_original() -> None:
    rules = Pig()
    game = compile(rules)
    assert isinstance(game, Game) and isinstance(game, CompiledGame)
    assert game.original is rules and game.name == "Pig" and game.faces == 6
    assert game.utility_bounds == (-1.0, 1.0)
    assert game.native_spec.facts.chance and game.native_spec.facts.utility_bounds == (-1.0, 1.0)
    assert game.initial() == rules.initial()
    assert not hasattr(game, "evaluate")
    assert compile(game) is game
    nim = compile(Nim())
    assert nim.format_action(None, (0, 1)) == "(0, 1)"
    again = pickle.loads(pickle.dumps(game))
    assert isinstance(again, CompiledGame) and again.initial() == rules.initial()


def test_chance_is_searched_alike() -> None:
    rules, one_turn = Pig(), Dice((7, 5), 0, 0)
    for prune in ("none", "star1", "star2"):
        a, b = (search(g, one_turn, depth=3, prune=prune) for g in (rules, compile(rules)))
        assert (a.value, a.nodes, a.algorithm) == (b.value, b.nodes, "expectiminimax")
    models = {"opponents": {1: "random"}, "depth": 3}
    assert (
        search(rules, one_turn, **models).value == search(compile(rules), one_turn, **models).value
    )


def test_a_rule_that_raises_sets_the_flag() -> None:
    game = compile(ConnectFour())
    call = native(game)
    data = game.native_spec.initial
    assert call.play(data, 9) == data  # no column 9: the assertion fails
    assert call.flag.value == 3
    assert "result" in game.explain_error(3)
    assert call.to_move(data) == -2  # and the search comes to an end


class FarAction(Game):
    """An action that random play will hardly see and that does not fit."""

    def initial(self) -> Heaps:
        return Heaps(0, 0, 0)

    def player(self, s: Heaps) -> int:
        return 0

    def actions(self, s: Heaps) -> Any:
        yield (s.a, 1 << 20) if s.b else (s.a, 1)

    def result(self, s: Heaps, a: tuple[int, int]) -> Heaps:
        return s._replace(a=s.a + a[1])

    def is_terminal(self, s: Heaps) -> bool:
        return s.a > 3

    def utility(self, s: Heaps, p: int) -> float:
        return 0.0


def test_an_action_that_does_not_fit_sets_the_flag() -> None:
    game = compile(FarAction())
    call = native(game)
    call.actions(game.encode_state(Heaps(0, 1, 0)))
    assert call.flag.value == 16
    assert "outside" in game.explain_error(16)


def test_a_class_inside_a_function_with_captured_values() -> None:
    size, step = 5, (1, 2)

    class Local(FarAction):
        def actions(self, s: Heaps) -> Any:
            return [(i, i) for i in step if s.a + i <= size + 1]

        def is_terminal(self, s: Heaps) -> bool:
            return s.a >= size

    call = native(compile(Local()))
    assert len(call.actions(compile(Local()).native_spec.initial)) == 2


# -- what cannot be compiled, and where ---------------------------------------------------------
class Good(Game):
    def initial(self) -> Any:
        return Heaps(3, 0, 0)

    def player(self, s: Any) -> int:
        return s.b & 1

    def actions(self, s: Any) -> Any:
        return [1, 2]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=s.a - a, b=s.b + 1)

    def is_terminal(self, s: Any) -> bool:
        return s.a <= 0

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if p == 0 else -1.0


class StrState(Good):
    def initial(self) -> Any:
        return "xo"


class DictState(Good):
    def initial(self) -> Any:
        return {"a": 1}


class NoneField(Good):
    def initial(self) -> Any:
        return Heaps(None, 0, 0)  # type: ignore[arg-type]


class ArrayField(Good):
    def initial(self) -> Any:
        return Heaps(np.zeros(3), 0, 0)  # type: ignore[arg-type]


class StrAction(Good):
    def actions(self, s: Any) -> Any:
        return ["left"]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=0)


class TwoKinds(Good):
    def actions(self, s: Any) -> Any:
        return [1, (1, 2)]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=0)


class LongAction(Good):
    def actions(self, s: Any) -> Any:
        return [(1, 2, 3, 4, 5)]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=0)


class DictConstant(Good):
    def is_terminal(self, s: Any) -> bool:
        return PATHS.get(s.a, 0) == 0 or s.a <= 0  # LINE


class DictLookup(Good):
    def is_terminal(self, s: Any) -> bool:
        if s.a in (0, 1):
            return PATHS[s.a - s.a] == 1  # LINE
        return s.a <= 0


class Remembers(Good):
    def __init__(self) -> None:
        self.seen = 0

    def player(self, s: Any) -> int:
        self.seen += 1  # LINE
        return s.b & 1


class Appends(Good):
    def __init__(self) -> None:
        self.seen: list[int] = []

    def player(self, s: Any) -> int:
        self.seen.append(s.a)  # LINE
        return s.b & 1


class Formats(Good):
    def helper(self, s: Any) -> int:
        return len(f"{s.a:03d}")  # LINE

    def player(self, s: Any) -> int:
        return 0 if self.helper(s) else 1


class Sometimes(Good):
    def is_terminal(self, s: Any) -> bool:
        last: Any = 0
        if s.a > 2:
            last = (1, 2)
        return bool(last == 0 and s.a <= 0)  # LINE


class Missing(Good):
    def utility(self, s: Any, p: int) -> float:
        if p > 5:
            return self.nothing  # type: ignore[attr-defined, no-any-return] # LINE
        return 0.0


class Huge(Good):
    def utility(self, s: Any, p: int) -> float:
        return float(s.a + 2**70 - 2**70) if p > 5 else 0.0


class PassesSelf(Good):
    def player(self, s: Any) -> int:
        return whose(self, s)  # LINE


def whose(game: Any, s: Any) -> int:
    return int(s.b & 1)


class Overflows(Good):
    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=s.a - 1, b=s.b + 1, c=3 << (61 + s.b))


class Sneaky(Good):
    """Python's ints grow, compiled ones do not."""

    def evaluate(self, s: Any, p: int) -> float:
        return float((s.a << 62) >> 62)


def line_of(cls: type) -> int:
    text = Path(__file__).read_text().splitlines()
    start = next(i for i, line in enumerate(text) if line.startswith(f"class {cls.__name__}("))
    return next(i for i in range(start, len(text)) if text[i].endswith("# LINE")) + 1


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (StrState, "str"), (DictState, "dict"), (NoneField, "'a'.*None"), (ArrayField, "ndarray"),
        (StrAction, "left"), (TwoKinds, r"1 and \(1, 2\)"), (LongAction, "5 numbers"),
        (Overflows, "does not fit"), (Sneaky, "evaluate"),
    ],
)  # fmt: skip
def test_refused_as_a_whole(cls: Any, said: str) -> None:
    with pytest.raises(CompileError, match=said) as caught:
        compile(cls())
    assert "test_compile.py, line" in str(caught.value) and caught.value.hint


@pytest.mark.parametrize(
    "cls",
    [DictConstant, DictLookup, Remembers, Appends, Formats, Sometimes, Missing, PassesSelf],
)
def test_refused_with_its_line(cls: Any) -> None:
    with pytest.raises(CompileError) as caught:
        compile(cls())
    assert f"test_compile.py, line {line_of(cls)}" in caught.value.message, caught.value
    assert caught.value.hint


def test_no_source() -> None:
    scope: dict[str, Any] = {"Good": Good}
    exec("class Typed(Good):\n    def player(self, s):\n        return s.b & 1\n", scope)
    with pytest.raises(CompileError, match="source"):
        compile(scope["Typed"]())


def test_missing_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(CompileError, match=r"\.\[compile\]"):
        compile(Good())


# -- the cache ----------------------------------------------------------------------------------
SCRIPT = """
import sys, time
start = time.perf_counter()
sys.path.insert(0, {tests!r})
import numba
from numba.core import event
from zermelo import compile
from test_compile import ConnectFour
recorder = event.RecordingListener()
with event.install_listener("numba:compile", recorder):
    game = compile(ConnectFour())
print(len(recorder.buffer), time.perf_counter() - start)
"""


def run(directory: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "ZERMELO_CACHE": str(directory)}
    paths = [p for p in sys.path if p]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    script = textwrap.dedent(SCRIPT.format(tests=str(Path(__file__).parent)))
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True
    )


def output(process: subprocess.Popen[str]) -> tuple[int, float]:
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    count, seconds = out.split()
    return int(count), float(seconds)


def test_two_processes_at_once_and_a_third_from_the_cache(tmp_path: Path) -> None:
    both = [run(tmp_path), run(tmp_path)]
    for process in both:
        output(process)
    compiled, _ = output(run(tmp_path))
    assert compiled == 0  # no function was compiled again
    directory = tmp_path / "compiled"
    assert not list(directory.glob("*.tmp"))
    if os.name == "posix":
        assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_directory_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zermelo.compiling.store import cache_directory

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    assert cache_directory() == tmp_path / "compiled"
    (tmp_path / "compiled").chmod(0o777)
    assert tmp_path not in cache_directory().parents
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "file"))
    assert tmp_path not in cache_directory().parents


def test_a_damaged_file_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.compiling import store

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    store.load("answer = 1")
    name = store.module_name("answer = 1")
    path = tmp_path / "compiled" / f"{name}.py"
    path.write_text("answer = 2")
    monkeypatch.delitem(sys.modules, name)
    assert store.load("answer = 1").answer == 1


def test_nothing_is_allocated_for_tuple_states() -> None:
    game = compile(ConnectFour())
    for name, entry in game.native_spec.keepalive.items():  # type: ignore[attr-defined]
        code = entry.inspect_llvm()
        assert "NRT_" not in code and "malloc" not in code, name


def test_the_public_name_stays_a_function() -> None:
    import zermelo

    first = zermelo.compile(Nim())
    assert zermelo.compile(first) is first  # importing zermelo.compile must not hide it
