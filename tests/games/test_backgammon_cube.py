"""Backgammon's cube: who may double when, what it costs, endings beside an exact computation."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import Any

import pytest

import zermelo
from test_backgammon import START, Board, positions, slow_plays, turned
from zermelo import CHANCE, _core
from zermelo.errors import BadPosition, IllegalAction, UsageError
from zermelo.games.backgammon.cube import BackgammonWithCube
from zermelo.games.backgammon.weights import weights
from zermelo.games.native import State

GAME = zermelo.load("backgammon:cube=yes")
assert isinstance(GAME, BackgammonWithCube)
PLAIN: Any = zermelo.load("backgammon")
JACOBY: Any = zermelo.load("backgammon:cube=yes,jacoby=yes")
CUBE = 32  # a state's bytes from here on: doubles, owner (2: nobody), what is to be done


def after(s: State, *actions: str) -> State:
    for a in actions:
        s = GAME.result(s, a)
    return s


# -- the rules ---------------------------------------------------------------------------------
def test_a_game_with_doubles() -> None:
    s = GAME.initial()
    assert GAME.player(s) == CHANCE and len(GAME.outcomes(s)) == 15  # no double before the first
    s = after(s, "3-1", "8/5 6/5")
    assert GAME.player(s) == 1 and GAME.actions(s) == ["roll", "double"]
    rolling = after(s, "roll")
    assert GAME.player(rolling) == CHANCE and len(GAME.outcomes(rolling)) == 21
    offered = after(s, "double")
    assert GAME.player(offered) == 0 and GAME.actions(offered) == ["take", "drop"]
    dropped = after(offered, "drop")
    assert GAME.is_terminal(dropped) and GAME.utility(dropped, 1) == 1  # as before the double
    taken = after(offered, "take")
    assert GAME.player(taken) == CHANCE and taken.data[CUBE:34] == bytes((1, 0))
    mine = after(taken, "6-5", "24/13")
    assert GAME.player(mine) == 0 and GAME.actions(mine) == ["roll", "double"]
    theirs = after(mine, "roll", "2-1", "13/11 6/5")
    assert GAME.player(theirs) == CHANCE  # White's cube: Black has nothing to decide
    again = after(mine, "double")
    assert GAME.utility(after(again, "drop"), 0) == 2
    assert after(again, "take").data[CUBE:34] == bytes((2, 1))


def test_the_cube_stops_at_64() -> None:
    s = GAME.with_checkers({6: 2, 3: 2}, {6: 2, 3: 2})
    for doubles in range(7):
        owner = None if doubles == 0 else 0
        if doubles < 6:
            at = GAME.with_cube(s, 1 << doubles, owner)
            assert GAME.utility(after(at, "double", "drop"), 0) == 1 << doubles
            assert after(at, "double", "take").data[CUBE:34] == bytes((doubles + 1, 1))
        else:
            assert GAME.player(GAME.with_cube(s, 64, 0)) == CHANCE
    assert zermelo.game.facts_of(GAME).utility_bounds == (-192, 192)
    assert zermelo.game.facts_of(zermelo.load("backgammon:cube=yes,score=win")).utility_bounds == (
        -64,
        64,
    )


@pytest.mark.parametrize("turn", [0, 1])
def test_points_times_the_cube(turn: int) -> None:
    for loser, points in (({6: 14}, 1), ({6: 15}, 2), ({19: 1, 6: 14}, 3)):
        s = GAME.with_checkers({1: 1}, loser, dice=(2, 1), turn=turn)
        for value in (1, 2, 64):
            at = GAME.with_cube(s, value, None if value == 1 else 0)
            end = after(at, "1/off")
            assert GAME.utility(end, turn) == points * value == -GAME.utility(end, 1 - turn)
            jacoby = State(JACOBY, end.data)
            assert JACOBY.utility(jacoby, turn) == (1 if value == 1 else points * value)


def test_boards_and_plays_are_those_without_a_cube() -> None:
    for s in positions(200, 21):
        with_cube = GAME.with_checkers(*map(by_point, PLAIN.sides(s)), PLAIN.dice(s), s.data[26])
        assert with_cube.data[:32] == s.data and GAME.codes(with_cube) == PLAIN.codes(s)
        play = random.Random(s.data).choice(GAME.actions(with_cube))
        assert after(with_cube, play).data[:32] == PLAIN.result(s, play).data


def by_point(side: list[int]) -> dict[int, int]:
    return {p: n for p, n in enumerate(side, 1) if n}


def test_random_bytes_are_refused_or_played() -> None:
    rng = random.Random(5)
    played = 0
    for s in positions(300, 22):
        for _ in range(40):
            data = bytearray(s.data + bytes(3))
            if rng.random() < 0.5:
                data[27:29] = bytes(2)
            data[CUBE:] = bytes(rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 255)) for _ in range(3))
            if not GAME.handle.valid(bytes(data)):
                continue
            played += 1
            t = State(GAME, bytes(data))
            assert GAME.parse_state(GAME.format_state(t)) == t
            while not GAME.is_terminal(t) and rng.random() < 0.9:
                t = GAME.result(t, rng.choice(GAME.actions(t)))
                assert GAME.handle.valid(t.data)
    assert played > 200


# -- exact endings: the same by a computation that shares nothing with the rules ----------------
ROLLS = [((a, b), Fraction(1 if a == b else 2, 36)) for a in range(1, 7) for b in range(1, a + 1)]


@cache
def rolled(board: Board, doubles: int, owner: int | None) -> Fraction:
    """What who rolls may expect; owner: 0 its own cube, 1 the other's. Both have borne off."""
    total = Fraction(0)
    for dice, odds in ROLLS:
        best = -Fraction(10**6)
        for end in slow_plays(board, dice):
            if not any(n > 0 for n in end):
                best = max(best, Fraction(2**doubles))
            else:
                other = None if owner is None else 1 - owner
                best = max(best, -decided(turned(end), doubles, other))
        total += odds * best
    return total


def decided(board: Board, doubles: int, owner: int | None) -> Fraction:
    return max(choices(board, doubles, owner).values())


def choices(board: Board, doubles: int, owner: int | None) -> dict[str, Fraction]:
    found = {"roll": rolled(board, doubles, owner)}
    if owner != 1 and doubles < 6:
        found["double"] = min(Fraction(2**doubles), rolled(board, doubles + 1, 1))
    return found


def race(own: tuple[int, ...], other: tuple[int, ...]) -> tuple[State, Board]:
    """Bearing off: each side's checkers by point; the other 13 or 14 are off."""
    board = [0] * 26
    for p in own:
        board[p] += 1
    for p in other:
        board[25 - p] -= 1
    sides = [{p: side.count(p) for p in side} for side in (own, other)]
    return GAME.with_checkers(*sides), tuple(board)


def of_both(s: State) -> dict[str, float]:
    """To the end of the game, what each choice of the root is worth."""
    r = zermelo.search(GAME, s, "expectiminimax", depth=60, lines=2, table=16)
    assert r.exact
    return {m.action: m.value for m in r.moves}


def test_last_rolls() -> None:
    """The other side bears off for certain: double from 50 %, take up to 75 %, all exact."""
    kinds = set()
    for own in combinations_with_replacement(range(1, 13), 2):
        s, board = race(own, (1,))
        wins = sum(
            odds for dice, odds in ROLLS if any(max(b) <= 0 for b in slow_plays(board, dice))
        )
        r, values = zermelo.solve(GAME, s), of_both(s)
        assert r.exact and values["roll"] == pytest.approx(float(2 * wins - 1), abs=1e-12)
        assert values["double"] == pytest.approx(min(1.0, float(4 * wins - 2)), abs=1e-12)
        if wins not in (Fraction(1, 2), 1):  # where both are worth the same
            assert r.action == ("double" if wins > Fraction(1, 2) else "roll"), (own, wins)
        if wins != Fraction(3, 4):
            answer = zermelo.solve(GAME, GAME.result(s, "double"))
            assert answer.action == ("take" if wins < Fraction(3, 4) else "drop"), (own, wins)
        kinds.add((wins > Fraction(1, 2), wins > Fraction(3, 4)))
    assert len(kinds) == 3


@pytest.mark.parametrize(
    ("own", "other", "value", "owner"),
    [
        ((6, 4), (5, 5), 1, None),
        ((6, 6), (6, 6), 1, None),
        ((6, 5), (4, 4), 2, 0),
        ((4, 4), (6, 3), 8, 1),
        ((5, 5), (6, 2), 32, 0),
        ((6, 6), (5, 2), 64, 0),
        ((6, 5, 1), (5, 2, 2), 1, None),
        ((3, 3, 3), (4, 2, 2), 16, 0),
    ],
)
def test_exact_search_of_endings(
    own: tuple[int, ...], other: tuple[int, ...], value: int, owner: int | None
) -> None:
    s, board = race(own, other)
    s = GAME.with_cube(s, value, owner)
    expected = choices(board, value.bit_length() - 1, owner)
    r = zermelo.solve(GAME, s)
    assert r.exact and r.value == pytest.approx(float(max(expected.values())), abs=1e-9)
    if len(expected) > 1:
        assert of_both(s) == pytest.approx({a: float(v) for a, v in expected.items()}, abs=1e-9)


# -- the guess -----------------------------------------------------------------------------------
def chances(s: State) -> list[float]:
    return list(memoryview(_core.backgammon_chances(weights(), s.data[:32])).cast("f"))


def janowski(c: list[float], owner: int | None, live: float) -> float:
    """Without doubling now, straight from the table of the paper; owner as in `rolled`."""
    p = c[0]
    win, loss = 1 + (c[1] + c[2]) / p, 1 + (c[3] + c[4]) / (1 - p)
    knots = [(0.0, -loss)]
    if owner != 0:
        knots.append(((loss - 0.5) / (win + loss + 0.5), -1.0))
    if owner != 1:
        knots.append(((loss + 1) / (win + loss + 0.5), 1.0))
    knots.append((1.0, win))
    for (x0, y0), (x1, y1) in pairwise(knots):
        if x0 <= p <= x1:
            alive = y0 + (y1 - y0) * (p - x0) / (x1 - x0)
    dead = 2 * p - 1 + c[1] + c[2] - c[3] - c[4]
    return live * alive + (1 - live) * dead


def played_well(count: int, seed: int) -> list[State]:
    """Positions of games between the networks, before a roll."""
    rng, found = random.Random(seed), list[State]()
    while len(found) < count:
        s = PLAIN.initial()
        while not PLAIN.is_terminal(s):
            if PLAIN.player(s) == CHANCE:
                rolls, odds = zip(*PLAIN.outcomes(s), strict=True)
                s = PLAIN.result(s, rng.choices(rolls, odds)[0])
                s = State(PLAIN, _core.backgammon_best(weights(), s.data))
                if rng.random() < 0.1 and not PLAIN.is_terminal(s):
                    found.append(s)
    return found[:count]


@pytest.mark.parametrize(("value", "owner"), [(1, None), (2, 0), (4, 1)])
def test_the_evaluation_is_janowskis(value: int, owner: int | None) -> None:
    for bare in played_well(60, 31):
        s = State(GAME, bare.data + bytes((0, 2, 1)))
        turn = s.data[26]
        side = None if owner is None else owner ^ turn
        s = GAME.with_cube(s, value, side)
        c = chances(s)
        expected = janowski(c, owner, 0.68)
        taken = 2 * janowski(c, 1, 0.68)
        if owner != 1:
            offered = after(s, "double")
            assert GAME.evaluate(offered, turn) == pytest.approx(value * min(1, taken), abs=1e-4)
            expected = max(expected, min(1, taken))
        assert GAME.evaluate(s, turn) == pytest.approx(value * expected, abs=1e-4)
        assert GAME.evaluate(s, 1 - turn) == -GAME.evaluate(s, turn)


def test_who_has_decided_is_looked_at_for_a_roll() -> None:
    """The evaluation after roll or take is what a search of that roll and its plays finds."""
    for bare in played_well(4, 32):
        s = State(GAME, bare.data + bytes((0, 2, 1)))
        for settled in (after(s, "roll"), after(s, "double", "take")):
            r = zermelo.search(GAME, settled, "expectiminimax", depth=1)
            assert GAME.evaluate(settled, 0) == pytest.approx(r.value, abs=1e-5)


def test_jacoby_makes_gammons_worthless_before_the_first_double() -> None:
    closed = dict.fromkeys(range(1, 7), 2) | {8: 3}
    s = GAME.with_checkers(closed, {25: 4, 13: 6, 8: 5})  # a gammon is likely
    assert GAME.evaluate(after(s, "roll"), 0) > 1
    assert JACOBY.evaluate(JACOBY.result(State(JACOBY, s.data), "roll"), 0) <= 1


def test_both_kernels_and_the_pips() -> None:
    portable = _core.backgammon_with_cube(False, True, False, weights(), True)
    pips = GAME.evaluated("pips")
    for bare in played_well(20, 33):
        data = bare.data + bytes((0, 2, 1))
        assert portable.evaluate(data, 0) == GAME.handle.evaluate(data, 0)
        assert -2 <= pips.evaluate(data, 0) == -pips.evaluate(data, 1) <= 2
    ahead = GAME.with_checkers({1: 5}, {6: 5})
    assert pips.evaluate(ahead.data, 0) > 0.2


def test_a_search_doubles_when_it_should() -> None:
    early = after(GAME.initial(), "3-1", "8/5 6/5")
    assert zermelo.search(GAME, early, depth=2).action == "roll"
    s, _ = race((2, 2), (6, 6, 6))
    assert zermelo.search(GAME, s, depth=2).action == "double"
    assert zermelo.search(GAME, GAME.result(s, "double"), depth=1).action == "drop"


def test_a_match_is_played() -> None:
    players = ["expectiminimax:depth=1", "random"]
    m = zermelo.match(GAME, players, games=4, seed=1)
    assert len(m.results) == 4 and all(r != 0 for r in m.results)


# -- IDs, words, looks ---------------------------------------------------------------------------
def test_match_ids_tell_of_the_cube() -> None:
    """As GNU Backgammon writes them, without the Jacoby rule and with it."""
    s = after(GAME.initial(), "3-1", "8/5 6/5")
    assert GAME.format_state(s) == "sGfwATDgc/ABMA:cAkAAAAAAAAE"
    assert GAME.format_state(after(s, "roll")) == "sGfwATDgc/ABMA:cAkAAAAAAAAE roll"
    assert GAME.format_state(after(s, "double")) == "sGfwATDgc/ABMA:cBEAAAAAAAAE"
    taken = after(s, "double", "take")
    assert GAME.format_state(taken) == "sGfwATDgc/ABMA:QQkAAAAAAAAE roll"
    assert GAME.format_state(after(taken, "5-3")) == "sGfwATDgc/ABMA:QYkOAAAAAAAE"
    assert JACOBY.format_state(State(JACOBY, s.data)) == "sGfwATDgc/ABMA:cAkAAAAAAAAA"
    assert GAME.parse_state("sGfwATDgc/ABMA:cAkAAAAAAAAA") == s  # the option says, not the ID
    dropped = GAME.parse_state("sGfwATDgc/ABMA:MAwAABAAAAAA")
    assert GAME.is_terminal(dropped) and GAME.utility(dropped, 0) == 1
    assert GAME.parse_state(START) == GAME.initial()
    assert GAME.parse_state(f"{START} 31") == after(GAME.initial(), "3-1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sGfwATDgc/ABMA:cAngAAAAAAAE", "belongs to a match to 7"),
        ("sGfwATDgc/ABMA:MQEAAAAAAAAE", "invalid cube: 2, owner 3"),
        ("sGfwATDgc/ABMA:AAEAAAAAAAAE", "invalid cube: 1, owner 0"),
        ("sGfwATDgc/ABMA:BwEAAAAAAAAE", "invalid cube: 128, owner 0"),
        ("sGfwATDgc/ABMA:MAkAAAAAAAAE", "the player on turn did not roll"),
        ("sGfwATDgc/ABMA:cCkAAAAAAAAE", "a resignation is pending"),
        ("sGfwATDgc/ABMA:QREAAAAAAAAE", "is impossible"),  # doubled by who may not
        ("sGfwATDgc/ABMA:cJEOAAAAAAAE", "is impossible"),  # doubled with dice
        ("sGfwATDgc/ABMA:cIkOAAAAAAAE roll", "no cube decision"),
        (f"{START} roll", "no cube decision"),
        ("roll", "has 4 characters"),
        ("", "not a position ID"),
    ],
)
def test_wrong_positions(text: str, said: str) -> None:
    with pytest.raises(BadPosition, match=re.escape(said)) as e:
        GAME.parse_state(text)
    assert e.value.hint


@pytest.mark.parametrize(
    ("value", "owner"), [(0, None), (3, 0), (2, None), (1, 0), (2, -1), (128, 1), ("2", 0)]
)
def test_wrong_cubes(value: Any, owner: int | None) -> None:
    with pytest.raises(BadPosition, match="is not possible"):
        GAME.with_cube(GAME.with_checkers({6: 2}, {6: 2}), value, owner)


def test_without_the_option_nothing_is_known_of_a_cube() -> None:
    with pytest.raises(BadPosition, match="a double or a resignation is pending"):
        PLAIN.parse_state("sGfwATDgc/ABMA:cBEAAAAAAAAE")
    assert PLAIN.parse_state("sGfwATDgc/ABMA:cAngAAAAAAAE").data[26] == 1  # a match to 7
    assert "cube" not in PLAIN.board(PLAIN.initial()) + PLAIN.svg(PLAIN.initial())


def test_words() -> None:
    s = after(GAME.initial(), "3-1", "8/5 6/5")
    for said, meant in (("Roll", "roll"), (" double ", "double"), ("no double", "roll")):
        assert GAME.parse_action(s, said) == meant
    offered = after(s, "double")
    for said, meant in (("TAKE", "take"), ("accept", "take"), ("pass", "drop")):
        assert GAME.parse_action(offered, said) == meant
    for at, said in ((s, "take"), (s, "6-5"), (offered, "double"), (after(s, "roll"), "double")):
        with pytest.raises(IllegalAction, match="is not a legal action here"):
            GAME.parse_action(at, said)
    assert GAME.parse_action(after(s, "roll"), "65") == "6-5"


@pytest.mark.parametrize(
    "options", ["cube=2", "cube=yes,jacoby=maybe", "jacoby=yes", "cube=no,jacoby=yes"]
)
def test_wrong_options(options: str) -> None:
    with pytest.raises(UsageError) as e:
        zermelo.load(f"backgammon:{options}")
    assert e.value.hint


def test_the_cube_is_seen() -> None:
    s = after(GAME.initial(), "3-1", "8/5 6/5")
    rows = GAME.board(s).splitlines()
    assert rows[7].endswith("Black to roll or double") and rows[8].endswith("cube 1")
    offered = after(s, "double")
    assert "Black doubles to 2: White takes or drops" in GAME.board(offered)
    assert GAME.board(after(offered, "take")).splitlines()[-4].endswith("cube 2")
    assert "over, White dropped" in GAME.board(after(offered, "drop"))
    assert 'class="cubed"' in GAME.svg(s)
    for words, at in ((("roll", "double"), s), (("take", "drop"), offered)):
        for word in words:
            assert f">{word}</text>" in GAME.svg(at) and GAME.action_squares(at, word) == [word]
    assert GAME.action_squares(after(s, "roll", "6-5"), "24/13")
