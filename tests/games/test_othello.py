"""Othello: the rules by a slow judge and by OpenSpiel, notation, and the exact end of the game."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo.errors import BadPosition, IllegalAction, UsageError
from zermelo.games.othello import PASS, Othello

PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
SIZES = (8, 6, 4)
AROUND = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def both_kernels(size: int) -> list[Othello]:
    """With what the processor has, and as on one that has nothing."""
    spec = f"othello:size={size}"
    return [Othello(spec, size), Othello(spec, size, portable=True)]


# -- the rules by looking ----------------------------------------------------------------------
def turned(grid: list[list[int]], r: int, c: int, player: int) -> list[tuple[int, int]]:
    """The discs that `player` turns by playing to row r, column c."""
    size, found = len(grid), []
    for dr, dc in AROUND:
        line, y, x = [], r + dr, c + dc
        while 0 <= y < size and 0 <= x < size and grid[y][x] == 1 - player:
            line.append((y, x))
            y, x = y + dr, x + dc
        if 0 <= y < size and 0 <= x < size and grid[y][x] == player:
            found += line
    return found


def legal(grid: list[list[int]], player: int) -> set[str]:
    size = range(len(grid))
    return {
        f"{'abcdefgh'[c]}{r + 1}"
        for r in size
        for c in size
        if grid[r][c] < 0 and turned(grid, r, c, player)
    }


def played(grid: list[list[int]], move: str, player: int) -> list[list[int]]:
    after = [list(row) for row in grid]
    if move != PASS:
        r, c = int(move[1]) - 1, "abcdefgh".index(move[0])
        for y, x in [*turned(grid, r, c, player), (r, c)]:
            after[y][x] = player
    return after


def outcome(grid: list[list[int]]) -> int:
    counts = [sum(row.count(p) for row in grid) for p in (0, 1, -1)]
    lead = counts[0] - counts[1]
    return lead + counts[2] if lead > 0 else lead - counts[2] if lead < 0 else 0


@pytest.mark.parametrize("size", SIZES)
def test_rules_agree_with_a_slow_judge(size: int) -> None:
    rng = random.Random(size)
    passes = ends_with_holes = 0
    for game in both_kernels(size):
        for _ in range(40):
            s = game.initial()
            grid, player = game.grid(s), 0
            while True:
                moves, theirs = legal(grid, player), legal(grid, 1 - player)
                assert game.is_terminal(s) == (not moves and not theirs)
                if game.is_terminal(s):
                    break
                assert game.player(s) == player
                assert set(game.actions(s)) == (moves or {PASS})
                move = rng.choice(game.actions(s))
                passes += move == PASS
                s, grid, player = game.result(s, move), played(grid, move, player), 1 - player
                assert game.grid(s) == grid
            assert game.utility(s, 0) == outcome(grid) == -game.utility(s, 1)
            ends_with_holes += any(-1 in row for row in grid)
    assert passes and (ends_with_holes or size == 8)  # the rare rules were met


@pytest.mark.parametrize("depth", range(10))
def test_perft(depth: int) -> None:
    fast, plain = both_kernels(8)
    assert zermelo.perft(fast, depth=depth)[0] == PERFT[depth]
    if depth < 8:
        assert zermelo.perft(plain, depth=depth)[0] == PERFT[depth]


def test_rules_are_openspiels() -> None:
    spiel = pytest.importorskip("pyspiel")
    game, other = zermelo.load("othello"), spiel.load_game("othello")
    rng = random.Random(8)
    for _ in range(150):
        s, t = game.initial(), other.new_initial_state()
        while not t.is_terminal():
            assert not game.is_terminal(s) and game.player(s) == t.current_player()
            names = {t.action_to_string(a).split()[0]: a for a in t.legal_actions()}
            assert set(game.actions(s)) == set(names)
            move = rng.choice(sorted(names))
            s = game.result(s, move)
            t.apply_action(names[move])
        assert game.is_terminal(s)
        value = game.utility(s, 0)  # theirs is only who won
        assert [(value > 0) - (value < 0), (value < 0) - (value > 0)] == list(t.returns())


# -- notation ----------------------------------------------------------------------------------
def test_positions_as_moves_and_as_squares() -> None:
    game: Any = zermelo.load("othello")
    s = game.parse_state("f5d6c3")
    assert s == game.parse_state("F5 d6 C3") == game.parse_state(game.format_state(s))
    text = "---------------------------OX------XO--------------------------- X;"
    assert game.parse_state(text) == game.initial()
    assert game.parse_state(text.replace("X", "*").replace("-", ".")) == game.initial()
    assert game.parse_state(text[:64] + "\n" + text[64:]) == game.initial()
    obf = text + " D3:+0; C4:+0;"
    assert game.parse_state(obf) == game.initial()
    assert game.parse_state("") == game.initial()
    white = game.parse_state(text.replace(" X", " O"))
    assert game.player(white) == 1 and game.grid(white) == game.grid(game.initial())


def test_passes_are_written_in_many_ways_or_left_out() -> None:
    game: Any = zermelo.load("othello:size=4")
    rng = random.Random(1)
    while True:
        s, moves = game.initial(), []
        while not game.is_terminal(s):
            moves.append(rng.choice(game.actions(s)))
            s = game.result(s, moves[-1])
        if PASS in moves[:-1] and moves[-1] != PASS:
            break
    for word in ("pass", "--", "pa", "ps", ""):
        assert game.parse_state("".join(word if m == PASS else m for m in moves)) == s
    before = game.parse_state("".join(moves[: moves.index(PASS)]))
    for word in ("pass", "PASS", "--", "pa", "ps"):
        assert game.parse_action(before, word) == PASS
        assert game.result(before, word) == game.result(before, PASS)


EMPTY = "-" * 64


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("f5f5", "move 2"),
        ("a1", "move 1"),
        ("f5d6z9", "neither a list of moves nor 64"),
        ("XO", "neither a list of moves nor 64"),
        (EMPTY[:27] + "OX" + EMPTY[:6] + "XO" + EMPTY[:27], "the side to move"),
        (EMPTY[:27] + "OX" + EMPTY[:6] + "XO" + EMPTY[:27] + " Z", "the side to move"),
        (
            EMPTY[:27] + "OX" + EMPTY[:6] + "XO" + EMPTY[:26] + " X",
            "neither a list of moves nor 64",
        ),
        (EMPTY + " X", "no disc"),
        ("X" + EMPTY[1:] + " X", "is impossible"),
        (
            EMPTY[:27] + "OX" + EMPTY[:6] + "X?" + EMPTY[:27] + " X",
            "neither a list of moves nor 64",
        ),
    ],
)
def test_impossible_positions(text: str, says: str) -> None:
    with pytest.raises(BadPosition, match=says) as e:
        zermelo.load("othello").parse_state(text)
    assert e.value.hint


def test_impossible_moves_and_boards() -> None:
    game = zermelo.load("othello")
    for wrong in ("a1", "pass", "j3", "f", "", "f55", "é1", 37, None):
        with pytest.raises(IllegalAction):
            game.result(game.initial(), wrong)
    for size in ("5", "7", "0", "10", "x"):
        with pytest.raises(UsageError):
            zermelo.load(f"othello:size={size}")


def test_bytes_from_outside_are_checked() -> None:
    rng = random.Random(2)
    for size in SIZES:
        handle: Any = both_kernels(size)[0].handle
        start = handle.initial()
        assert handle.valid(start) and not handle.valid(b"") and not handle.valid(start + b"x")
        for i in range(32 * 8):  # every word follows from the others
            changed = bytearray(start)
            changed[i // 8] ^= 1 << i % 8
            flip = bytes(changed)
            assert not handle.valid(flip) or handle.actions(flip)
        for _ in range(300):
            assert not handle.valid(rng.randbytes(32))


# -- the end -----------------------------------------------------------------------------------
def near_the_end(game: Any, empty: int, rng: random.Random) -> Any:
    """A random position of so many empty squares, not over."""
    while True:
        s = game.initial()
        while not game.is_terminal(s) and sum(r.count(-1) for r in game.grid(s)) > empty:
            s = game.result(s, rng.choice(game.actions(s)))
        if not game.is_terminal(s):
            return s


@pytest.mark.parametrize("size", SIZES)
def test_the_exact_end_is_plain_alpha_betas(size: int) -> None:
    rng = random.Random(f"end {size}")
    for game in both_kernels(size):
        for empty in [*range(1, 9)] * (16 if size == 8 else 8):
            s = near_the_end(game, min(empty, size * size - 4), rng)
            plain = zermelo.search(game, s, algorithm="alphabeta").value
            solved = zermelo.solve(game, s)
            assert solved.exact and solved.value == plain, game.format_state(s)
            after = game.result(s, solved.action)
            assert zermelo.search(game, after, algorithm="alphabeta").value == plain


def test_longer_ends_agree_without_the_games_help() -> None:
    """The engine without hints, the engine with them, and both kernels."""
    rng = random.Random(4)
    fast, portable = both_kernels(8)
    for empty in (10, 11, 12, 12, 13, 13, 14, 14):
        s = near_the_end(fast, empty, rng)
        solved = zermelo.solve(fast, s).value
        assert solved == zermelo.solve(portable, portable.parse_state(fast.format_state(s))).value
        if empty <= 12:
            plain = zermelo.search(fast, s, algorithm="engine", depth=40, narrow=False)
            assert plain.kind == "exact" and plain.value == solved


def test_the_smallest_board_is_lost_by_ten() -> None:
    for game in both_kernels(4):
        r = zermelo.solve(game)
        assert r.value == -10
        assert zermelo.search(game, algorithm="alphabeta").value == -10


def test_many_at_once_are_solved_as_one_by_one() -> None:
    """Enough empty squares for a glance before the proof: no glance may pass for one."""
    rng = random.Random(8)
    game = zermelo.load("othello")
    states = [near_the_end(game, empty, rng) for empty in (14, 15, 16, 17) * 6]
    together = zermelo.solve_all(game, states)
    assert [r.value for r in together] == [zermelo.solve(game, s).value for s in states]
