"""Kalah: rules against OpenSpiel and by hand, published results, compiled and in Python."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import zermelo
from zermelo.games.kalah import Board, Kalah

GAME = Kalah()
# Results for the first player (Irving, Donkers and Uiterwijk, "Solving Kalah", 2000): rows are
# 1, 2, … houses per side, columns 1, 2, … seeds per house.
PUBLISHED = ("DLWLWD", "WLLLWW", "DWW", "WW")


class Uncompiled(Kalah):
    """The same rules without Numba."""

    @property
    def compiled(self) -> Any:
        raise AttributeError("not compiled")


def after(text: str, move: int) -> str:
    return GAME.format_state(GAME.result(GAME.parse_state(text), move))


@pytest.mark.parametrize(("before", "move", "expected"), [
    ("4,4,4,4,4,4,0 4,4,4,4,4,4,0 S", 3, "4,4,0,5,5,5,1 4,4,4,4,4,4,0 S"),  # moves again
    ("4,4,4,4,4,4,0 4,4,4,4,4,4,0 S", 6, "4,4,4,4,4,0,1 5,5,5,4,4,4,0 N"),
    ("1,0,4,4,4,4,0 4,4,4,4,9,6,0 S", 1, "0,0,4,4,4,4,10 4,4,4,4,0,6,0 N"),  # captures 9 + 1
    ("1,0,4,4,4,4,0 9,4,4,4,0,10,0 S", 1, "0,1,4,4,4,4,0 9,4,4,4,0,10,0 N"),  # opposite is empty
    ("1,0,0,0,0,8,9 4,4,4,4,4,4,6 S", 6, "2,0,0,0,0,0,10 5,5,5,5,5,5,6 N"),  # skips the store
    ("0,0,0,0,0,1,20 4,4,4,4,4,4,3 S", 6, "0,0,0,0,0,0,21 0,0,0,0,0,0,27 S"),  # collects the rest
])  # fmt: skip
def test_moves(before: str, move: int, expected: str) -> None:
    assert after(before, move) == expected


def test_a_full_lap_captures_from_the_starting_house() -> None:
    s = "13,0,0,0,0,0,5 3,3,3,3,3,3,12 S"
    assert after(s, 1) == "0,1,1,1,1,1,11 4,4,4,4,4,0,12 N"


def test_rules_agree_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    mancala, rng = pyspiel.load_game("mancala"), random.Random(1)
    for _ in range(1000):
        s, other = GAME.initial(), mancala.new_initial_state()
        while not GAME.is_terminal(s):
            assert not other.is_terminal() and other.current_player() == s.turn
            assert other.legal_actions() == [a + 7 * s.turn for a in GAME.actions(s)]
            north, stores, south = (
                [int(n) for n in row.split("-") if n] for row in str(other).splitlines()[:3]
            )
            assert GAME.cells(s.south) == [*south, stores[1]]
            assert GAME.cells(s.north) == [*reversed(north), stores[0]]
            a = rng.choice(GAME.actions(s))
            other.apply_action(a + 7 * s.turn)
            s = GAME.result(s, a)
        lead = GAME.utility(s, 0)
        assert other.is_terminal() and other.returns()[0] == (lead > 0) - (lead < 0)


@pytest.mark.parametrize(("houses", "seeds", "result"), [
    (m, n, result) for m, row in enumerate(PUBLISHED, 1) for n, result in enumerate(row, 1)
])  # fmt: skip
def test_published_results(houses: int, seeds: int, result: str) -> None:
    value = zermelo.solve(Uncompiled(houses, seeds, "win")).value
    assert "LDW"[int(value) + 1] == result
    lead = zermelo.solve(Uncompiled(houses, seeds)).value
    assert (lead > 0) - (lead < 0) == value


def test_compiled_rules_give_the_same_results() -> None:
    pytest.importorskip("numba")
    compiled, plain = zermelo.load("kalah:houses=3,seeds=3"), Uncompiled(3, 3)
    assert hasattr(compiled, "native_spec") and not hasattr(plain, "native_spec")
    for depth in range(1, 9):
        one, two = (
            zermelo.search(g, algorithm="alphabeta", depth=depth) for g in (compiled, plain)
        )
        assert (one.value, one.nodes, one.moves) == (two.value, two.nodes, two.moves)
    copy = pickle.loads(pickle.dumps(compiled))
    assert zermelo.solve(copy).value == zermelo.solve(plain).value == 2.0


def test_large_boards_run_in_python() -> None:
    game: Any = zermelo.load("kalah:houses=12,seeds=12")
    assert not hasattr(game, "native_spec")
    assert game.cells(game.initial().south) == [12] * 12 + [0]
    assert zermelo.search(game, depth=2).action in range(1, 13)


def test_positions() -> None:
    s = GAME.parse_state("3 6 2")
    assert s == GAME.parse_state(GAME.format_state(s)) and s.turn == 1
    assert GAME.parse_state("0,0,0,0,0,0,20 4,4,4,4,4,4,4 N") == Board(20 << 54, 28 << 54)
    for wrong in (
        "4,4,4,4,4,4,0 4,4,4,4,4,4,1 S",
        "4,4 4,4 S",
        "x,4,4,4,4,4,0 4,4,4,4,4,4,0 N",
        "7",
    ):
        with pytest.raises(zermelo.BadPosition):
            GAME.parse_state(wrong)
