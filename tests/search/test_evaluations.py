"""Evaluations passed to a search: applied at the horizon only, checked, and worth following."""

from __future__ import annotations

import math
import random
import zlib
from collections import Counter
from typing import Any

import pytest

import zermelo
from oracle import children_values, minimax
from zermelo import RulesError, UsageError, search

BOTH = pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
FOUR: Any = zermelo.load("connect-four:width=4,height=4")


def scattered(s: Any, p: int) -> float:
    """A value that looks random but belongs to the position, and is zero-sum."""
    value = zlib.crc32(FOUR.format_state(s).encode()) % 2001 / 1000 - 1
    return value if p == 0 else -value


def at_the_horizon(s: Any, depth: int) -> set[Any]:
    """The states `depth` moves on in which the game is still open."""
    if FOUR.is_terminal(s):
        return set()
    if depth == 0:
        return {s}
    return set().union(*(at_the_horizon(FOUR.result(s, a), depth - 1) for a in FOUR.actions(s)))


@BOTH
@pytest.mark.parametrize("start", ["", "1", "1122", "12343"])
def test_an_evaluation_decides_at_the_horizon_and_nowhere_else(algorithm: str, start: str) -> None:
    asked: Counter[Any] = Counter()

    def evaluate(s: Any, p: int) -> float:
        asked[s] += 1
        return scattered(s, p)

    state = FOUR.parse_state(start)
    r = search(FOUR, state, algorithm=algorithm, depth=4, evaluate=evaluate)
    assert r.value == minimax(FOUR, state, 4, scattered) and r.kind == "estimate"
    expected = children_values(FOUR, state, 4, scattered)
    assert expected[r.action] == r.value
    horizon = at_the_horizon(state, 4)
    assert max(asked.values()) == 1 and len({scattered(s, 0) for s in horizon}) > 20
    if algorithm == "minimax":
        assert set(asked) == horizon
        assert {m.action: m.value for m in r.moves} == expected
    else:
        assert set(asked) < horizon  # cut-offs save some


def test_the_true_value_as_evaluation_makes_one_ply_perfect() -> None:
    """And its opposite makes it lose what can be lost."""
    game: Any = zermelo.load("connect-four:width=4,height=4")
    memory: dict[Any, float] = {}

    def truth(s: Any, p: int) -> float:
        if s not in memory:
            memory[s] = zermelo.solve(game, s).value / 2  # inside the bounds of a decided game
        return memory[s] if p == 0 else -memory[s]

    rng = random.Random(6)
    decisive = 0
    for _ in range(40):
        s = game.initial()
        for _ in range(rng.randrange(3, 9)):
            after = game.result(s, rng.choice(game.actions(s)))
            s = s if game.is_terminal(after) else after
        values = {a: zermelo.solve(game, game.result(s, a)).value for a in game.actions(s)}
        if len(set(values.values())) == 1:
            continue
        decisive += 1
        best, worst = (max, min) if game.player(s) == 0 else (min, max)
        well = search(game, s, "alphabeta", depth=1, evaluate=truth)
        assert values[well.action] == best(values.values())
        open_ = [a for a in values if not game.is_terminal(game.result(s, a))]
        if len(open_) == len(values):
            badly = search(game, s, "alphabeta", depth=1, evaluate=lambda s, p: -truth(s, p))
            assert values[badly.action] == worst(values.values())
    assert decisive > 10


def nothing(s: Any, p: int) -> float:
    return 0.0


def score(game: Any, opening: list[Any], first: bool, depth: int) -> float:
    """The points of the player with the game's own evaluation against one without any."""
    s = game.initial()
    for a in opening:
        s = game.result(s, a)
    for _ in range(160):
        if game.is_terminal(s):
            break
        informed = (game.player(s) == 0) == first
        given = {} if informed else {"evaluate": nothing}
        s = game.result(s, search(game, s, "alphabeta", depth=depth, **given).action)
    if game.is_terminal(s):
        won = game.utility(s, 0 if first else 1)
    else:
        won = game.evaluate(s, 0 if first else 1)
    return 0.5 + 0.5 * (won > 0) - 0.5 * (won < 0)


@pytest.mark.parametrize(
    ("spec", "depth"), [("connect-four", 3), ("othello", 1), ("checkers", 3), ("chess", 1)]
)
def test_a_games_own_evaluation_beats_none(spec: str, depth: int) -> None:
    game: Any = zermelo.load(spec)
    rng = random.Random(spec)
    points, games = 0.0, 0
    for _ in range(4):
        opening, s = [], game.initial()
        for _ in range(4):
            opening.append(rng.choice(game.actions(s)))
            s = game.result(s, opening[-1])
        for first in (True, False):
            points += score(game, opening, first, depth)
            games += 1
    assert points / games >= 0.75, f"{points} of {games}"


def test_evaluations_that_return_no_number() -> None:
    for said in ("x", None):
        with pytest.raises(UsageError, match="evaluate returned") as caught:
            search(FOUR, depth=2, evaluate=lambda s, p, said=said: said)
        assert caught.value.hint
    with pytest.raises(RulesError, match="NaN"):
        search(FOUR, depth=2, evaluate=lambda s, p: math.nan)
    for wrong in (3, [], b"x"):
        with pytest.raises(UsageError, match="evaluate"):
            search(FOUR, depth=2, evaluate=wrong)


def test_infinite_evaluations_and_minus_zero() -> None:
    game = zermelo.load("tic-tac-toe")
    assert search(game, depth=2, evaluate=lambda s, p: -0.0).values == (0.0, 0.0)
    r = search(game, depth=2, evaluate=lambda s, p: -0.0)
    assert all(math.copysign(1, v) == 1 for v in (*r.values, *(m.value for m in r.moves)))
    for x in (math.inf, -math.inf):
        with pytest.raises(RulesError, match=r"the evaluation is -?inf"):
            search(game, depth=2, evaluate=lambda s, p, x=x: x)
