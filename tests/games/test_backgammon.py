"""Backgammon: the rules beside slow ones, OpenSpiel's and gnubg's; notation, IDs, bad input."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import zermelo
from zermelo import _core
from zermelo.errors import BadPosition, IllegalAction, UsageError
from zermelo.games.backgammon import Backgammon, notation
from zermelo.games.native import State

GAME = zermelo.load("backgammon")
assert isinstance(GAME, Backgammon)
START = "4HPwATDgc/ABMA"
Board = tuple[int, ...]  # as the mover sees it: the other's bar, points 1 to 24, own bar


def board_of(s: State) -> Board:
    return tuple(b - 256 if b > 127 else b for b in s.data[:26])


def turned(board: Board) -> Board:
    return tuple(-n for n in reversed(board))


# -- slow rules: every order of the dice, then what is allowed ---------------------------------
def slow_step(board: Board, start: int, die: int) -> Board | None:
    """After one checker's move; None where it is not legal."""
    if board[start] <= 0 or (board[25] and start != 25):
        return None
    end = start - die
    after = list(board)
    after[start] -= 1
    if end <= 0:
        if any(board[p] > 0 for p in range(7, 26)):
            return None
        if end < 0 and any(board[p] > 0 for p in range(start + 1, 7)):
            return None
        return tuple(after)
    if board[end] < -1:
        return None
    if board[end] == -1:
        after[end] = 0
        after[0] -= 1
    after[end] += 1
    return tuple(after)


def slow_plays(board: Board, dice: tuple[int, int]) -> set[Board]:
    """As many dice as can be played in any order; of two that exclude each other the larger."""
    a, b = dice
    reached: list[list[set[Board]]] = []  # by order of the dice, by dice played
    for order in [(a,) * 4] if a == b else [(a, b), (b, a)]:
        levels = [{board}]
        for die in order:
            steps = (slow_step(s, start, die) for s in levels[-1] for start in range(1, 26))
            if not (after := {s for s in steps if s is not None}):
                break
            levels.append(after)
        reached.append(levels)
    most = max(map(len, reached))
    best = [levels[-1] for levels in reached if len(levels) == most]
    if most == 2 and a != b:  # the first order begins with the larger die
        return best[0]
    return set().union(*best)


def positions(count: int, seed: int) -> Iterator[State]:
    """Rolled positions of random games, of the late parts of them, and with many on the bar."""
    rng = random.Random(seed)
    while True:
        s = GAME.initial()
        if rng.random() < 0.6:
            s = scattered(rng)
        while not GAME.is_terminal(s):
            if GAME.player(s) >= 0:
                yield s
                count -= 1
                if not count:
                    return
            s = GAME.result(s, rng.choice(GAME.actions(s)))


def scattered(rng: random.Random) -> State:
    """Checkers anywhere: near home, on the bar, off."""
    while True:
        spread = rng.choice((6, 8, 12, 24))
        own: dict[int, int] = {}
        other: dict[int, int] = {}
        for side in (own, other):
            for _ in range(rng.randint(1, 15)):
                p = 25 if rng.random() < 0.06 else rng.randint(1, spread)
                taken = other if side is own else own
                if p == 25 or not taken.get(25 - p):
                    side[p] = side.get(p, 0) + 1
        try:
            return GAME.with_checkers(own, other, turn=rng.randint(0, 1))
        except BadPosition:
            continue


def after_plays(s: State) -> list[Board]:
    """What each play leads to, as its mover sees it, all at once."""
    _, flat, _ = _core.backgammon_plays(s.data)
    return [turned(board_of(State(GAME, flat[i : i + 32]))) for i in range(0, len(flat), 32)]


def test_plays_are_those_of_slow_rules() -> None:
    kinds = {"bar": 0, "off": 0, "pass": 0, "double": 0, "single": 0}
    for s in positions(1500, 1):
        ours = after_plays(s)
        assert len(set(ours)) == len(ours), GAME.format_state(s)
        assert set(ours) == slow_plays(board_of(s), GAME.dice(s)), GAME.format_state(s)
        data, codes = s.data, GAME.codes(s)
        kinds["bar"] += data[25] > 0
        kinds["off"] += any("off" in a for a in codes)
        kinds["pass"] += "pass" in codes
        kinds["double"] += data[27] == data[28]
        kinds["single"] += data[27] != data[28] and all(
            len(notation.steps(c)) == 1 for c in codes.values()
        )
    assert min(kinds.values()) > 20, kinds


def test_every_play_is_written_and_read() -> None:
    rng = random.Random(2)
    for s in positions(300, 2):
        codes = GAME.codes(s)
        for a in rng.sample(sorted(codes), min(3, len(codes))):
            assert GAME.parse_action(s, a) == a
            # Step by step, in another order, with every stop told.
            steps = notation.steps(codes[a])
            told = [f"{x if x < 25 else 'bar'}/{y or 'off'}" for x, y, _ in steps]
            assert GAME.parse_action(s, ", ".join(reversed(told)) or "No Move") == a


@pytest.mark.parametrize(
    ("roll", "written", "meant"),
    [
        ("3-1", "6/5 8/5", "8/5 6/5"),
        ("3-1", "8/5,6/5", "8/5 6/5"),
        ("6-5", "24/18/13", "24/13"),
        ("6-5", "24/18 18/13", "24/13"),
        ("6-5", "24/19/13", "24/13"),
        ("4-2", " 8/4   6/4 ", "8/4 6/4"),
        ("2-1", "13/11 6/5", "13/11 6/5"),
    ],
)
def test_many_ways_to_write_a_play(roll: str, written: str, meant: str) -> None:
    s = GAME.result(GAME.initial(), roll)
    assert GAME.parse_action(s, written) == meant


def test_notation() -> None:
    s = GAME.with_checkers({8: 2, 6: 3, 13: 2}, {20: 1, 24: 2, 1: 1}, dice=(3, 3))
    assert "8/5*(2) 6/3(2)" not in GAME.actions(s)  # only the first of the two hits
    assert "8/5* 8/5 6/3(2)" in GAME.actions(s)
    on_bar = GAME.with_checkers({25: 1, 13: 2}, {3: 1, 6: 2}, dice=(3, 2))
    assert "bar/22* 13/11" in GAME.actions(on_bar)
    assert GAME.parse_action(on_bar, "25/22 13/11") == "bar/22* 13/11"
    home = GAME.with_checkers({2: 3}, {2: 2}, dice=(6, 5))
    assert GAME.actions(home) == ["2/off(2)"]
    assert GAME.parse_action(home, "2/0(2)") == "2/off(2)"
    hop = GAME.with_checkers({13: 1, 3: 2}, {18: 1, 24: 2}, dice=(6, 2))
    assert "13/7*/5" in GAME.actions(hop) and "13/5" in GAME.actions(hop)
    shut = GAME.with_checkers({25: 1, 3: 2}, dict.fromkeys(range(1, 7), 2), dice=(6, 2))
    assert GAME.actions(shut) == ["pass"]


@pytest.mark.parametrize(
    "text", ["", "8/5", "8/5 6/4", "9/8", "24/13 6/5", "x", "8/5/6", "5/8", "99/1", "8/5(9)", "65"]
)
def test_wrong_plays(text: str) -> None:
    s = GAME.result(GAME.initial(), "3-1")
    with pytest.raises(IllegalAction) as e:
        GAME.parse_action(s, text)
    assert e.value.hint
    with pytest.raises(IllegalAction):
        GAME.result(s, text)


def test_rolls() -> None:
    first = GAME.outcomes(GAME.initial())
    assert len(first) == 15 and {round(p, 12) for _, p in first} == {round(1 / 15, 12)}
    s = GAME.result(GAME.result(GAME.initial(), "6-5"), "24/13")
    odds = dict(GAME.outcomes(s))
    assert len(odds) == 21 and abs(sum(odds.values()) - 1) < 1e-12
    assert {odds[f"{n}-{n}"] for n in range(1, 7)} == {1 / 36}
    assert {p for roll, p in odds.items() if roll[0] != roll[2]} == {1 / 18}
    for written in ("6-5", "65", "56", "5-6", "5 6"):
        assert GAME.parse_action(s, written) == "6-5"
    both: Any = zermelo.load("backgammon:start=roll")
    assert len(both.outcomes(both.initial())) == 30
    black = both.result(both.initial(), "black 6-5")
    assert both.player(black) == 1 and both.parse_action(both.initial(), "black 56") == "black 6-5"


# -- the end -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({6: 14}, 1),
        ({6: 15}, 2),
        ({18: 1, 6: 14}, 2),
        ({19: 1, 6: 14}, 3),
        ({25: 1, 6: 14}, 3),
        ({25: 1, 6: 13}, 1),
    ],
)
@pytest.mark.parametrize("turn", [0, 1])
def test_what_a_win_is_worth(loser: dict[int, int], points: int, turn: int) -> None:
    s = GAME.with_checkers({1: 1}, loser, dice=(2, 1), turn=turn)
    end = GAME.result(s, "1/off")
    assert GAME.is_terminal(end)
    assert GAME.utility(end, turn) == points and GAME.utility(end, 1 - turn) == -points
    plain: Any = zermelo.load("backgammon:score=win")
    last = plain.result(plain.parse_state(GAME.format_state(s)), "1/off")
    assert plain.utility(last, turn) == 1


# -- counts ------------------------------------------------------------------------------------
def slow_count(rolls: list[State]) -> int:
    """Plays by the slow rules, over all these positions with their dice."""
    return sum(len(slow_plays(board_of(s), GAME.dice(s))) for s in rolls)


def test_the_tree_of_plays() -> None:
    first = [GAME.result(GAME.initial(), roll) for roll in GAME.actions(GAME.initial())]
    played = [GAME.result(s, a) for s in first for a in GAME.actions(s)]
    second = [GAME.result(s, roll) for s in played for roll in GAME.actions(s)]
    found = [zermelo.perft(GAME, depth=d)[0] for d in range(5)]
    assert found == [1, 15, slow_count(first), len(second), slow_count(second)]
    assert found == [1, 15, 190, 190 * 21, 89153]


# -- GNU Backgammon's IDs ----------------------------------------------------------------------
def test_ids_of_known_positions() -> None:
    assert GAME.format_state(GAME.initial()) == START
    s = GAME.result(GAME.initial(), "3-1")
    # IDs that GNU Backgammon prints for these positions.
    assert GAME.format_state(s) == f"{START}:MIEFAAAAAAAA"
    assert GAME.parse_state(f"{START}:MIEFAAAAAAAA") == GAME.parse_state(f"{START} 31") == s
    fours = GAME.parse_state(f"{START}:MAEKAAAAAAAA")
    assert GAME.dice(fours) == (4, 2) and GAME.player(fours) == 0
    black = GAME.result(s, "8/5 6/5")
    assert GAME.format_state(black) == "sGfwATDgc/ABMA:cAkAAAAAAAAA"
    assert GAME.player(GAME.result(black, "6-5")) == 1
    assert GAME.parse_state(f"{START}:") == GAME.initial()


def test_ids_come_back() -> None:
    for s in positions(300, 3):
        assert GAME.parse_state(GAME.format_state(s)) == s
        rolled = GAME.result(s, GAME.actions(s)[0])
        assert GAME.parse_state(GAME.format_state(rolled)) == rolled


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc!ABMA", "//////////////",
        "4HPwATDgc/ABMA:cAkAAAAAAAA", "4HPwATDgc/ABMA 77", "4HPwATDgc/ABMA 7", "AAAAAAAAAAAAAA",
        "4HPwATDgc/ABMA 31 31", "4HPwATDgc/ABMA:////////////", "", "start", "4HPwATDgc/ABMA 30",
        "é" * 14, "４HPwATDgc/ABMA",
    ],
)  # fmt: skip
def test_wrong_positions(text: str) -> None:
    with pytest.raises(BadPosition) as e:
        GAME.parse_state(text)
    assert "Traceback" not in str(e.value)


def test_random_bytes_are_refused_or_played() -> None:
    rng = random.Random(4)
    start = GAME.initial().data
    valid = 0
    for _ in range(3000):
        data = bytearray(start)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(32)] = rng.choice((0, 1, 2, 3, 5, 6, 15, 127, 128, 254, 255))
        if GAME.handle.valid(bytes(data)):
            valid += 1
            s = State(GAME, bytes(data))
            for _ in range(20):
                if GAME.is_terminal(s):
                    break
                s = GAME.result(s, rng.choice(GAME.actions(s)))
                assert GAME.handle.valid(s.data)
    assert 20 < valid < 300  # most changes add or remove a checker


def test_wrong_options() -> None:
    for spec in ("backgammon:start=black", "backgammon:score=3", "backgammon:cube=3"):
        with pytest.raises(UsageError):
            zermelo.load(spec)


# -- looks -------------------------------------------------------------------------------------
def test_the_board_is_whites_view_with_the_movers_numbers() -> None:
    start = GAME.initial()
    lines = GAME.board(start).splitlines()
    assert lines[0].split() == [str(n) for n in range(13, 25)]
    assert lines[-1].split() == [str(n) for n in range(12, 0, -1)]
    assert GAME.board(start).replace("O off", "").count("O") == 15
    assert GAME.board(start).count("167 pips") == 2
    black = GAME.result(GAME.result(start, "6-5"), "24/13")
    assert GAME.board(black).splitlines()[0].split() == [str(n) for n in range(12, 0, -1)]
    assert "Black to roll" in GAME.board(black) and "156 pips" in GAME.board(black)
    assert GAME.svg(start).count('class="white"') == 15
