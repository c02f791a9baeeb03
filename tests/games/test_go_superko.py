"""Go: exact values by the superko solver, against alpha-beta over the real game."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo.errors import BadPosition, NotSupported, SearchBudgetExceeded

HARDEST = 100_000  # nodes of alpha-beta; harder positions are skipped


def random_position(game: Any, rng: random.Random) -> Any:
    """Stones without a history, or the position after random moves."""
    points = range(game.size**2)
    while True:
        if rng.random() < 0.4:
            cells = rng.choices(".XO", [rng.random() + 0.05 for _ in range(3)], k=len(points))
            black, white = ([p for p in points if cells[p] == colour] for colour in "XO")
            try:
                return game.set_up(black, white, rng.randrange(2), rng.randrange(2))
            except BadPosition:
                continue
        s = game.initial()
        for _ in range(rng.randrange(2, 24)):
            if actions := game.actions(s):
                *plays, _ = actions
                s = game.result(s, rng.choice(plays if plays and rng.random() < 0.9 else actions))
        if not game.is_terminal(s):
            return s


def alphabeta_value(game: Any, s: Any) -> float | None:
    """The value by alpha-beta, or None if the position is too hard for it."""
    if game.is_terminal(s):
        return float(game.utility(s, 0))
    try:
        return zermelo.solve(game, s, "engine", nodes=HARDEST).value
    except SearchBudgetExceeded:
        return None


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
@pytest.mark.parametrize(("size", "positions"), [(2, 200), (3, 150)])
def test_values_and_best_moves_equal_alphabeta(size: int, positions: int, rules: str) -> None:
    game, rng = zermelo.load(f"go:size={size},rules={rules}"), random.Random(2)
    values = []
    for _ in range(positions):
        s = random_position(game, rng)
        truth = alphabeta_value(game, s)
        if truth is None:
            continue
        r = zermelo.solve(game, s, ties=True)
        assert (r.algorithm, r.value, r.kind) == ("superko", truth, "exact"), s
        exact = {m.action for m in r.moves if m.kind == "exact"}
        assert r.action in exact
        for action in game.actions(s):
            after = alphabeta_value(game, game.result(s, action))
            assert after is None or (after == truth) == (action in exact), (s, action)
        values.append(truth)
    assert len(values) > positions / 2
    assert len(set(values)) > 3


def test_the_value_depends_on_the_history() -> None:
    """The same stones are worth something else if superko forbids a move."""
    game, rng, different = zermelo.load("go:size=2"), random.Random(1), 0
    for _ in range(100):
        s = random_position(game, rng)
        fresh = game.parse_state(game.format_state(s))
        different += zermelo.solve(game, s).value != zermelo.solve(game, fresh).value
    assert different > 5


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("go:size=2", 1),
        ("go:size=3", 9),
        ("go:size=3,rules=tromp-taylor", 9),
        ("go:size=3,komi=4.5", 4.5),
        ("go:size=3,komi=9,score=win", 0),
        ("go:size=3,komi=9.5,score=win", -1),
        ("go:size=3,score=win", 1),
    ],
)
def test_empty_boards(spec: str, value: float) -> None:
    r = zermelo.solve(zermelo.load(spec))
    assert (r.value, r.exact, r.algorithm) == (value, True, "superko")


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_4x4_is_worth_2_points_to_black(rules: str) -> None:
    r = zermelo.solve(zermelo.load(f"go:size=4,rules={rules}"))
    assert (r.value, r.exact) == (2, True)
    assert "3047783 positions" in r.why  # 24318165 legal positions, up to symmetry


@pytest.mark.parametrize("options", ["size=3,ko=simple", "size=3,rules=japanese-like", "size=5"])
def test_other_rules_and_larger_boards_are_refused(options: str) -> None:
    game = zermelo.load(f"go:{options}")
    with pytest.raises(NotSupported, match="repetition rules other than superko"):
        zermelo.solve(game, algorithm="superko")
    with pytest.raises(SearchBudgetExceeded):  # "auto" takes another algorithm
        zermelo.solve(game, nodes=10)


def test_limits_stop_the_solver() -> None:
    game = zermelo.load("go:size=4")
    with pytest.raises(SearchBudgetExceeded, match=r"within 0\.2 s"):
        zermelo.solve(game, time=0.2)
    with pytest.raises(SearchBudgetExceeded) as stopped:
        zermelo.solve(zermelo.load("go:size=2"), nodes=100)
    assert not stopped.value.result.exact
