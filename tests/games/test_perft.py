"""Leaves of the move tree: published numbers, a slow count, and the same through every door."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from oracle import HashedGame
from zermelo.ui.cli.bench import PythonTicTacToe

CONNECT_FOUR = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
TIC_TAC_TOE = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def slow(game: Any, s: Any, depth: int) -> int:
    """By walking the tree in Python. A game that ends earlier has no leaf there."""
    if depth == 0:
        return 1
    if game.is_terminal(s):
        return 0
    return sum(slow(game, game.result(s, a), depth - 1) for a in game.actions(s))


class Through(zermelo.Game):
    """A native game's rules handed on method by method: the door of Python objects."""

    def __init__(self, game: Any) -> None:
        self.inner = game
        for method in ("initial", "player", "actions", "result", "is_terminal", "utility"):
            setattr(self, method, getattr(game, method))


@pytest.mark.parametrize("depth", range(9))
def test_connect_four(depth: int) -> None:
    assert zermelo.perft(zermelo.load("connect-four"), depth=depth)[0] == CONNECT_FOUR[depth]


@pytest.mark.parametrize("depth", range(10))
def test_tic_tac_toe(depth: int) -> None:
    assert zermelo.perft(zermelo.load("tic-tac-toe"), depth=depth)[0] == TIC_TAC_TOE[depth]
    assert zermelo.perft(PythonTicTacToe(), depth=depth)[0] == TIC_TAC_TOE[depth]


def test_beyond_the_end_there_is_nothing() -> None:
    assert zermelo.perft(zermelo.load("tic-tac-toe"), depth=10)[0] == 0
    assert zermelo.perft(zermelo.tree("max(1 2)"), depth=1 << 19)[0] == 0


@pytest.mark.parametrize("depth", range(6))
def test_the_published_numbers_by_a_slow_count(depth: int) -> None:
    four, three = zermelo.load("connect-four"), PythonTicTacToe()
    if depth < 5:
        assert slow(four, four.initial(), depth) == CONNECT_FOUR[depth]
    assert slow(three, three.initial(), depth) == TIC_TAC_TOE[depth]


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("connect-four:width=4,height=4", 6),
        ("connect-four:width=1,height=5", 5),
        ("tic-tac-toe:m=4,n=3,k=3", 4),
        ("nim:piles=3,4,5", 5),
        ("nim:piles=2,2,1,misere=yes", 5),
        ("split-nim:piles=20", 4),
        ("dodgem", 6),
        ("dodgem:n=4", 4),
        ("hex:size=3", 4),
        ("hex:size=3,swap=no", 4),
        ("max(chance(1/2:8 1/2:max(1 2 3)) min(2 4))", 2),
        ("p1(p2(p3((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1))) (1,1,1))", 3),
    ],
)
def test_all_doors_agree(spec: str, depth: int) -> None:
    game: Any = zermelo.load(spec)
    through = Through(game)
    if game.facts.chance:
        through.outcomes = game.outcomes  # type: ignore[attr-defined]
    through.players = game.players
    for d in range(depth + 1):
        expected = slow(game, game.initial(), d)
        assert zermelo.perft(game, depth=d)[0] == expected
        assert zermelo.perft(through, depth=d)[0] == expected


def test_from_a_position_and_on_random_games() -> None:
    game: Any = zermelo.load("connect-four")
    s = game.parse_state("444444")
    assert zermelo.perft(game, s, 3)[0] == slow(game, s, 3) == 6 * 6 * 6
    for seed in range(30):
        random_game = HashedGame(seed, 6)
        count = zermelo.perft(random_game, depth=5)[0]
        assert count == slow(random_game, random_game.initial(), 5)


def test_positions_and_grundy_values_by_a_slow_count() -> None:
    for spec in ("nim:piles=3,2,2", "split-nim:piles=14", "nim:piles=9,take=3"):
        game: Any = zermelo.load(spec)
        seen: dict[Any, int] = {}

        def value(s: Any, game: Any = game, seen: dict[Any, int] = seen) -> int:
            if s not in seen:
                below = {value(game.result(s, a)) for a in game.actions(s)}
                seen[s] = next(n for n in range(len(below) + 1) if n not in below)
            return seen[s]

        assert zermelo.grundy(game) == value(game.initial())
        assert zermelo.count_positions(game) == len(seen)
    assert zermelo.grundy(zermelo.load("nim:piles=7,11,21")) == 7 ^ 11 ^ 21
    with pytest.raises(zermelo.NotSupported):
        zermelo.grundy(zermelo.load("nim:piles=3,misere=yes"))


@pytest.mark.parametrize("depth", [-1, True, 1.0, "3", None, 1 << 20])
def test_wrong_depths(depth: Any) -> None:
    with pytest.raises(zermelo.UsageError):
        zermelo.perft(zermelo.load("nim"), depth=depth)


def test_a_count_that_takes_too_long_says_so() -> None:
    with pytest.raises(zermelo.SearchBudgetExceeded, match="time"):
        zermelo.perft(zermelo.load("connect-four"), depth=30, time=0.05)
