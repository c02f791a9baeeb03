"""Chess: published perft counts, python-chess as judge of moves and endings, rules by example."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

import zermelo
from chess_perft import PERFT
from zermelo import _core
from zermelo.games.chess import Chess
from zermelo.games.native import State

GAME: Any = zermelo.load("chess")


@pytest.fixture(name="judge")
def python_chess() -> Any:
    return pytest.importorskip("chess", reason="python-chess is not there to ask")


@pytest.mark.parametrize("fen", PERFT, ids=lambda f: f.split()[0])
def test_published_counts(fen: str) -> None:
    for depth, count in enumerate(PERFT[fen], 1):
        if "ZERMELO_SANITIZED" in os.environ and count > 5_000_000:
            continue  # slow there
        assert zermelo.perft(GAME, GAME.parse_state(fen), depth)[0] == count


def slow(game: Any, s: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(slow(game, game.result(s, a), depth - 1) for a in game.actions(s))


def test_counts_by_playing() -> None:
    for fen in list(PERFT)[1:]:
        s = GAME.parse_state(fen)
        assert slow(GAME, s, 2) == zermelo.perft(GAME, s, 2)[0]


def test_both_kernels_agree() -> None:
    """With PEXT and without: the same moves in the same order, the same trees."""
    portable = Chess("chess", portable=True)
    for fen in PERFT:
        s = GAME.parse_state(fen)
        assert portable.handle.actions(s.data) == GAME.handle.actions(s.data)
        assert zermelo.perft(portable, s, 4)[0] == zermelo.perft(GAME, s, 4)[0]
    rng = random.Random(4)
    for _ in range(20):
        s = GAME.initial()
        while not GAME.is_terminal(s):
            codes = GAME.handle.actions(s.data)
            assert codes == portable.handle.actions(s.data)
            code = rng.choice(codes)
            after = GAME.handle.play(s.data, code)
            assert after == portable.handle.play(s.data, code)
            s = State(GAME, after)


def test_a_count_that_is_stopped() -> None:
    with pytest.raises(zermelo.SearchBudgetExceeded):
        zermelo.perft(GAME, depth=12, time=0.1)


def ending(board: Any, automatic: bool) -> str:
    times, quiet = (5, 150) if automatic else (3, 100)
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(times):
        return "fivefold repetition" if automatic else "threefold repetition"
    if board.halfmove_clock >= quiet:
        return "seventy-five moves" if automatic else "fifty moves"
    return ""


def follow(game: Any, s: Any, board: Any, rng: random.Random, plies: int, pick: Any) -> int:
    """One game in both programs, compared at every ply. Returns how many plies it had."""
    for ply in range(plies):
        assert game.format_state(s) == board.fen()
        assert game.end(s) == ending(board, game.automatic), board.fen()
        assert game.in_check(s) == board.is_check()
        assert game.is_terminal(s) == bool(game.end(s))
        if game.is_terminal(s):
            lost = game.end(s) == "checkmate"
            assert game.utility(s, 0) == (0 if not lost else -1 if board.turn else 1)
            return ply
        moves = {m.uci(): m for m in board.legal_moves}
        assert set(game.actions(s)) == set(moves)
        if ply % 4 == 0:
            for move in game.moves(s):
                word = board.san(moves[move.uci(game.is_960)])
                assert game.san(s, move) == word
                assert game.parse_action(s, word) == move.uci(game.is_960)
        a = pick(sorted(moves), rng)
        s = game.result(s, a)
        board.push(moves[a])
    return plies


def test_random_games(judge: Any) -> None:
    rng = random.Random(1)
    plies = sum(
        follow(GAME, GAME.initial(), judge.Board(), rng, 500, lambda m, r: r.choice(m))
        for _ in range(12)
    )
    assert plies > 2000


@pytest.mark.parametrize("draws", ["claimed", "automatic"])
def test_games_that_shuffle(judge: Any, draws: str) -> None:
    """Few men, few moves to choose from: repetitions and the count of moves come about."""
    game: Any = zermelo.load(f"chess:draws={draws}")
    rng = random.Random(2)
    ends = set()
    for fen in ("k7/p6r/P7/8/8/8/R7/K7 w - - 60 80", "7k/8/8/8/8/1r6/8/KQ6 b - - 20 60") * 4:
        for wide in (2, 30):
            s, board = game.parse_state(fen), judge.Board(fen)
            follow(game, s, board, rng, 300, lambda m, r, w=wide: r.choice(m[:w]))
            ends.add(ending(board, game.automatic))
    assert len(ends - {""}) >= 3, ends


def test_chess960_games(judge: Any) -> None:
    rng = random.Random(3)
    castled = 0

    def pick(moves: list[str], r: random.Random) -> str:
        nonlocal castled
        rooks = [m for m in moves if m in castles]
        castled += bool(rooks)
        return r.choice(rooks or moves)

    for _ in range(14):
        number = rng.randrange(960)
        if number == 518:
            continue
        game: Any = zermelo.load(f"chess:start={number}")
        board = judge.Board.from_chess960_pos(number)
        castles = {
            f"{judge.square_name(board.king(c))}{judge.square_name(r)}"
            for c in (True, False)
            for r in judge.scan_forward(board.castling_rights & board.occupied_co[c])
        }
        follow(game, game.initial(), board, rng, 70, pick)
    assert castled > 5


def test_all_first_rows(judge: Any) -> None:
    for number in range(960):
        game: Any = zermelo.load(f"chess:start={number}")
        board = judge.Board.from_chess960_pos(number)
        assert game.format_state(game.initial()) == board.fen()


def placed(rng: random.Random) -> str:
    """Men thrown on a board, with castling and en passant where they can be."""
    men = ["."] * 64
    free = list(range(64))
    rng.shuffle(free)
    men[free.pop()], men[free.pop()] = "K", "k"
    for _ in range(rng.randrange(1, 24)):
        letter = rng.choice("PPPNBRQpppnbrq")
        square = free.pop()
        if letter not in "Pp" or 8 <= square < 56:
            men[square] = letter
    mover = rng.randrange(2)
    ep = "-"
    if rng.random() < 0.6:  # a pawn that has just gone two steps, with one beside it
        f, up = rng.randrange(8), (1, -1)[mover]
        rank = 4 if mover == 0 else 3
        men[8 * rank + f] = "pP"[mover]
        men[8 * (rank + up) + f] = men[8 * (rank + 2 * up) + f] = "."
        beside = f + rng.choice([d for d in (-1, 1) if 0 <= f + d < 8])
        men[8 * rank + beside] = "Pp"[mover]
        ep = "abcdefgh"[f] + "63"[mover]
    rows = ["".join(men[8 * r : 8 * r + 8]) for r in range(7, -1, -1)]
    board = "/".join(rows)
    for n in range(8, 0, -1):
        board = board.replace("." * n, str(n))
    return f"{board} {'wb'[mover]} - {ep} {rng.randrange(40)} {rng.randrange(1, 200)}"


def test_positions_thrown_together(judge: Any) -> None:
    """Pins, discovered checks by en passant, crowds of queens."""
    rng = random.Random(6)
    compared = taken = 0
    for _ in range(10000):
        fen = placed(rng)
        board = judge.Board(fen)
        if board.status() & ~(judge.STATUS_TOO_MANY_CHECKERS | judge.STATUS_IMPOSSIBLE_CHECK):
            continue
        s = GAME.parse_state(fen)
        assert GAME.format_state(s) == board.fen(), fen
        if not GAME.is_terminal(s):
            ours = [m.uci() for m in GAME.moves(s)]
            assert sorted(ours) == sorted(m.uci() for m in board.legal_moves), fen
            noisy = {_core_uci(c) for c in _core.chess_noisy(s.data)}
            assert noisy == {  # those that lose nothing
                m.uci()
                for m in board.legal_moves
                if (board.is_capture(m) and m.promotion in (None, judge.QUEEN))
                or m.promotion == judge.QUEEN
                if GAME.see(s, m.uci()) >= 0
            }
            passed = _core.chess_pass(s.data)
            own = board.occupied_co[board.turn]
            heavy, light = own & (board.rooks | board.queens), own & (board.knights | board.bishops)
            safe = heavy or light.bit_count() > 1
            assert (passed is None) == (board.is_check() or not safe)
            if passed is not None:
                board.push(judge.Move.null())
                assert GAME.handle.valid(passed)
                assert GAME.format_state(State(GAME, passed)).split()[:4] == board.fen().split()[:4]
        compared += 1
        taken += board.has_legal_en_passant()
    assert compared > 2500 and taken > 20, (compared, taken)


def _core_uci(code: int) -> str:
    return str(GAME.decode_action(0, code))


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", "stalemate"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", "checkmate"),  # before the count of moves
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "insufficient material"),
        ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", "insufficient material"),
        ("b6k/8/6K1/8/8/8/8/7B b - - 0 1", "insufficient material"),
        ("b6k/8/6K1/8/8/8/8/6B1 b - - 0 1", ""),
        ("n6k/8/6K1/8/8/8/8/6B1 b - - 0 1", ""),
        ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", ""),
        ("7k/8/6K1/8/8/8/8/R7 b - - 99 1", ""),
        ("7k/8/6K1/8/8/8/8/R7 b - - 100 1", "fifty moves"),
    ],
)
def test_how_games_end(fen: str, end: str) -> None:
    s = GAME.parse_state(fen)
    assert GAME.end(s) == end and GAME.is_terminal(s) == bool(end)


def test_repetition_is_part_of_the_state() -> None:
    dance = "Nf3 Nf6 Ng1 Ng8"
    twice = GAME.parse_state(f"{dance} {dance}")
    assert GAME.end(twice) == "threefold repetition"
    once = GAME.parse_state(dance)
    assert once != GAME.parse_state(GAME.format_state(once))
    assert not GAME.is_terminal(once)
    again = GAME.parse_state(f"startpos moves {dance.lower().replace('n', 'N')} Nf3 Nf6 Ng1")
    assert not GAME.is_terminal(again)
    # With another right to castle it is another position.
    s = GAME.parse_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves h1h2 h8h7 h2h1 h7h8")
    s = GAME.parse_state(GAME.format_state(s) + " moves h1h2 h8h7 h2h1 h7h8")
    assert not GAME.is_terminal(s)


@pytest.mark.parametrize(
    ("fen", "move", "worth"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        ("4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "Rxe5", -400),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "cxd8=Q", 400),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", 0),
    ],
)
def test_exchanges(fen: str, move: str, worth: int) -> None:
    assert GAME.see(GAME.parse_state(fen), move) == worth


def test_material() -> None:
    judge = GAME.evaluated("material").evaluate
    assert judge(GAME.initial().data, 0) == 0
    s = GAME.parse_state("4k3/8/8/8/8/8/PPPP4/RNBQK3 w - - 0 1")
    assert judge(s.data, 0) == -judge(s.data, 1) == 4 + 5 + 3 + 3 + 9
    r = zermelo.search(GAME, GAME.parse_state("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1"),
                       depth=3, evaluate="material")  # fmt: skip
    assert r.action == "d1d5"
    asked = zermelo.search(GAME, depth=3, evaluate=lambda s, p: float(len(GAME.actions(s))))
    assert asked.action in GAME.actions(GAME.initial())


def test_mate_is_found() -> None:
    s = GAME.parse_state("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    r = zermelo.search(GAME, s, depth=3)
    assert r.action == "h5f7" and r.value == 1
    assert GAME.format_action(s, "h5f7") == "Qxf7#"
