"""Chess endgames tabled: verified forwards, as another solver finds them, and in play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import zermelo
from zermelo import _core
from zermelo.games.native import State

GAME: Any = zermelo.load("chess")
HANDLE = GAME.handle
NUMBERS = {name: i for i, (name, _, _) in enumerate(_core.endgame_classes(HANDLE))}
SIZES = [size for _, size, _ in _core.endgame_classes(HANDLE)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: Any) -> Any:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def three(home: Any) -> Any:
    return zermelo.tablebase(GAME, home, pieces=3)


@pytest.fixture(scope="module")
def four(home: Any, three: Any) -> Any:
    """The classes of three men, and bishop and knight against the king."""
    zermelo.tablebase(GAME, home, classes="KBNK")
    return zermelo.open_tablebase(GAME, home)


def positions(name: str) -> Iterator[Any]:
    for i in range(SIZES[NUMBERS[name]]):
        data = HANDLE.endgame_position(NUMBERS[name], i)
        if data is not None:
            yield State(GAME, data)


def some(name: str, rng: random.Random, count: int) -> Iterator[Any]:
    while count:
        data = HANDLE.endgame_position(NUMBERS[name], rng.randrange(SIZES[NUMBERS[name]]))
        if data is not None:
            count -= 1
            yield State(GAME, data)


def test_every_value_follows_from_its_successors(three: Any) -> None:
    assert [t.name for t in three.tables] == ["KQK", "KRK", "KPK"]
    assert three.verify() == three.positions == 46_137 + 50_015 + 165_676


def test_only_what_is_needed_is_built(home: Any, four: Any) -> None:
    assert [t.name for t in zermelo.tablebase(GAME, home, classes="KBNK").tables] == ["KBNK"]
    assert {t.name for t in four.tables} == {"KQK", "KRK", "KPK", "KBNK"}
    assert four.tables[0].name == "KBNK" and four.tables[0].longest == 66


# As published: how many positions take the winner longest, by who is to move.
@pytest.mark.parametrize(
    ("name", "moves", "winner", "loser"),
    [("KQK", 10, 1, 8), ("KRK", 16, 121, 390), ("KPK", 28, 3, 2)],
)
def test_the_longest_mates(three: Any, name: str, moves: int, winner: int, loser: int) -> None:
    count = {2 * moves - 1: 0, 2 * moves: 0}
    for s in positions(name):
        found = three.probe(s)
        if found.distance is not None and found.distance >= 2 * moves - 1:
            count[found.distance] += 1
    assert count == {2 * moves - 1: winner, 2 * moves: loser}


# -- another solver ------------------------------------------------------------------------------
class Solved:
    """Three men, solved with python-chess' moves: what a position is worth and how far the end is.

    A position is (White's king, Black's king, White's man, White to move); its king is brought to
    the files a to d or, without pawns, to the triangle a1 d1 d4.
    """

    def __init__(self, chess: Any, piece: int, promoted: dict[int, Solved]) -> None:
        self.chess, self.piece, self.promoted = chess, piece, promoted
        self.map = [self.image(s) for s in range(64)]
        self.value: dict[Any, int] = {}  # plies, + 1, of White's win
        self.places: set[Any] = set()
        board = chess.Board(None)
        before: dict[Any, list[Any]] = {}
        left: dict[Any, int] = {}
        level: list[Any] = []
        later: dict[int, list[Any]] = {}
        for king in sorted({self.map[s][s] for s in range(64)}):
            for black in chess.SQUARES:
                for man in chess.SQUARES:
                    self.look(board, king, black, man, before, left, level, later)
        plies = 1
        while level or later:
            level += later.pop(plies, [])
            told, level = level, []
            for p in told:
                if p in self.value:
                    continue
                self.value[p] = plies
                for q in before.get(p, ()):
                    left[q] -= 1
                    if q[3] or left[q] == 0:
                        level.append(q)
            plies += 1

    def image(self, king: int) -> list[int]:
        """The squares after this king was brought to its part of the board."""
        squares = list(range(64))
        if king & 4:
            squares = [s ^ 7 for s in squares]
        if self.piece != self.chess.PAWN:
            if king & 32:
                squares = [s ^ 56 for s in squares]
            if squares[king] >> 3 > squares[king] & 7:
                squares = [s >> 3 | (s & 7) << 3 for s in squares]
        return squares

    def normal(self, king: int, black: int, man: int, white: bool) -> tuple[int, int, int, bool]:
        to = self.map[king]
        return to[king], to[black], to[man], white

    def look(
        self, board: Any, king: int, black: int, man: int, before: Any, left: Any, level: Any,
        later: Any,
    ) -> None:  # fmt: skip
        chess = self.chess
        if len({king, black, man}) < 3 or (self.piece == chess.PAWN and not 0 < man >> 3 < 7):
            return
        board.clear_board()
        board.set_piece_at(king, chess.Piece(chess.KING, True))
        board.set_piece_at(black, chess.Piece(chess.KING, False))
        board.set_piece_at(man, chess.Piece(self.piece, True))
        for white in (True, False):
            board.turn = white
            if board.was_into_check():
                continue
            here = (king, black, man, white)
            self.places.add(here)
            moves = list(board.legal_moves)
            if not moves and not white and board.is_check():
                level.append(here)
            left[here] = len(moves)
            for m in moves:
                if not white:
                    if m.to_square != man:
                        to = self.normal(king, m.to_square, man, True)
                        before.setdefault(to, []).append(here)
                elif m.promotion:
                    queen = self.promoted.get(m.promotion)
                    plies = queen and queen.of(king, black, m.to_square, False)
                    if plies:
                        later.setdefault(plies + 1, []).append(here)
                else:
                    moved = m.to_square
                    kings = (moved, black, man) if m.from_square == king else (king, black, moved)
                    before.setdefault(self.normal(*kings, False), []).append(here)

    def of(self, king: int, black: int, man: int, white: bool) -> int:
        return self.value.get(self.normal(king, black, man, white), 0)


@pytest.mark.slow
def test_another_solver_finds_the_same(three: Any) -> None:
    """All positions of three men."""
    chess = pytest.importorskip("chess", reason="python-chess is not there to ask")
    solved: dict[int, Solved] = {}
    for piece in (chess.QUEEN, chess.ROOK, chess.PAWN):
        solved[piece] = Solved(chess, piece, solved)
        letter = "?PNBRQ"[piece]
        for king, black, man, white in solved[piece].places:
            men = ["."] * 64
            men[king], men[black], men[man] = "K", "k", letter
            data = _core.chess_state("".join(men), 0 if white else 1, 0, 0, 0, 1)
            said = three.native.probe(HANDLE, data)
            plies = solved[piece].of(king, black, man, white)
            assert said == ((1.0, plies - 1) if plies else (0.0, -1)), State(GAME, data)
    pawn = solved[chess.PAWN]
    assert sum(p[3] for p in pawn.places) == 163_328 // 2  # legal with White to move, mirrored
    assert sum(p[3] for p in pawn.value) == 124_960 // 2  # and won: as published


# -- in use --------------------------------------------------------------------------------------
def test_sides_changed_are_worth_the_opposite(four: Any) -> None:
    rng = random.Random(1)
    for name in ("KQK", "KRK", "KPK", "KBNK"):
        for s in some(name, rng, 300):
            board, mover, *rest = GAME.format_state(s).split()
            rows = "/".join(row.swapcase() for row in reversed(board.split("/")))
            turned = GAME.parse_state(" ".join([rows, {"w": "b", "b": "w"}[mover], *rest]))
            here, there = four.probe(s), four.probe(turned)
            assert (here.value, here.distance) == (-there.value, there.distance), s


def test_a_search_without_tables_agrees(four: Any) -> None:
    rng = random.Random(2)
    near = 0
    for name in ("KQK", "KRK", "KPK", "KBNK"):
        for s in some(name, rng, 500):
            said = four.probe(s)
            if GAME.is_terminal(s) or (said.distance or 99) > 5:
                continue
            found = zermelo.search(GAME, s, algorithm="engine", depth=said.distance + 4)
            near += found.exact
            assert not found.exact or found.value == said.value, s
    assert near > 20


def test_bishop_and_knight_mate(four: Any) -> None:
    """The tables on both sides; never longer than they say, and within 33 moves."""
    rng = random.Random(3)
    games = 0
    for s in some("KBNK", rng, 40):
        said = four.probe(s)
        if said.value == 0 or said.distance < 40:
            continue
        games += 1
        for left in range(said.distance, 0, -1):
            assert four.probe(s).distance == left <= 66
            found = zermelo.search(GAME, s, algorithm="engine", depth=1, tablebase=four)
            assert found.value == 1
            s = GAME.result(s, found.action)
        assert GAME.end(s) == "checkmate"
        if games == 5:
            return
    raise AssertionError("no long mates")


def test_a_search_goes_into_the_tables(four: Any) -> None:
    """Five men: the king takes the pawn and the rest is known."""
    s = GAME.parse_state("8/8/8/3k4/8/8/1p6/K2BN3 w - - 0 1")
    assert s not in four
    found = zermelo.search(GAME, s, algorithm="engine", depth=4, tablebase=four)
    assert (found.action, found.value, found.exact) == ("a1b2", 1, True)


def test_the_rules_come_before_the_tables(three: Any) -> None:
    """A table counts no moves: where the next one is the fiftieth, only mate wins."""
    fen = "8/8/8/8/8/2k5/7r/K7 b - - {} 80"
    early, late = (GAME.parse_state(fen.format(n)) for n in (10, 99))
    assert three.probe(early) == three.probe(late) == (-1, 3)
    assert zermelo.search(GAME, early, algorithm="engine", depth=1, tablebase=three).value == -1
    mate = GAME.parse_state("8/8/8/8/8/1k6/7r/K7 b - - 99 80")
    assert zermelo.search(GAME, mate, algorithm="engine", depth=1, tablebase=three).value == -1
    assert zermelo.search(GAME, late, algorithm="engine", depth=1, tablebase=three).value == 0


def test_tables_serve_every_kind_of_chess(home: Any, four: Any) -> None:
    for spec in ("chess:start=10", "chess:draws=automatic"):
        game: Any = zermelo.load(spec)
        opened = zermelo.open_tablebase(game, home)
        s = game.parse_state("8/8/8/8/8/8/8/KBN1k3 w - - 0 1")
        assert opened.probe(s).value == 1
        assert zermelo.search(game, s, algorithm="engine", depth=1, tablebase=four).value == 1
