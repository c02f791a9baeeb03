"""Proof-number search agrees with plain minimax, and with retrograde analysis of circles."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import zermelo
from oracle import CircleGame, HashedGame, children_values, minimax


def check(game: Any, value: float, good: list[Any]) -> None:
    for table in (1, 64):
        r = zermelo.solve(game, algorithm="proof-number", table=table)
        assert r.value == value and r.exact
        assert r.action in good and r.pv[0] == r.action
        for m in r.moves:
            assert m.kind == "exact" and m.value == value and m.action in good


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 5))
def test_games_with_transpositions(seed: int, depth: int, width: int) -> None:
    game = HashedGame(seed, depth, width, span=1)
    s = game.initial()
    if game.is_terminal(s):
        return
    after = children_values(game, s)
    value = minimax(game, s)
    check(game, value, [a for a, v in after.items() if v == value])


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 24))
def test_games_with_circles(seed: int, size: int) -> None:
    game = CircleGame(seed, size)
    true = oracle.circles(game)
    value = true[0][0]
    check(game, value, [a for a in game.actions(0) if true[game.result(0, a)][0] == value])


def test_thousands_of_random_trees() -> None:
    rng = random.Random(11)
    for _ in range(2000):
        node = oracle.random_tree(rng, rng.randint(1, 5), -1, 1)
        game = zermelo.tree(oracle.text_of(node))
        if isinstance(node, tuple):
            r = zermelo.search(game, algorithm="proof-number", table=1)
            assert r.value == oracle.true_value(node) and r.exact


@pytest.mark.parametrize(
    "spec",
    ["tic-tac-toe", "tic-tac-toe:m=4,n=3,k=3", "connect-four:width=4,height=4", "nim:piles=5,6,7",
     "nim:piles=1,2,3", "split-nim:piles=20", "dodgem"],
)  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"narrow": False}, {"mirror": False}])
def test_our_games(spec: str, options: dict[str, Any]) -> None:
    game = zermelo.load(spec)
    expected = zermelo.solve(game).value
    r = zermelo.search(game, algorithm="proof-number", **options)
    assert r.value == expected and r.exact


def test_it_says_what_it_cannot_do() -> None:
    with pytest.raises(zermelo.RulesError, match="wins, draws and losses"):
        zermelo.solve(zermelo.tree("max(3 min(4 5))"), algorithm="proof-number")
    with pytest.raises(zermelo.UsageError, match="does not support depth"):
        zermelo.search(zermelo.load("nim"), algorithm="proof-number", depth=3)
    r = zermelo.search(zermelo.load("connect-four"), algorithm="proof-number", nodes=500)
    assert r.nodes <= 500 and not r.exact and r.stopped == "nodes"
    with pytest.raises(zermelo.SearchBudgetExceeded):
        zermelo.solve(zermelo.load("connect-four"), algorithm="proof-number", time=0.1)


def test_solve_takes_another_way_where_play_circles() -> None:
    game = zermelo.load("dodgem")
    r = zermelo.solve(game)
    assert r.algorithm == "retrograde" and "positions can repeat" in r.why and r.value == 1
    assert zermelo.solve(game, algorithm="retrograde").value == 1
    with pytest.raises(zermelo.EndlessGame):
        zermelo.solve(game, algorithm="engine")
