"""Evaluations given by hand, on native games: asked once, checked, never minus zero."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

import zermelo
from oracle import minimax
from zermelo import RulesError, UsageError, search

BOTH = pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])


@BOTH
def test_an_evaluation_by_hand_on_native_games(algorithm: str) -> None:
    game: Any = zermelo.load("connect-four:width=4,height=4")
    asked: Counter[Any] = Counter()

    def evaluate(s: Any, p: int) -> float:
        asked[s] += 1
        assert s in s.game.__dict__.values() or s.game.name == game.name
        return float(len(game.format_state(s)) % 5)

    r = search(game, algorithm=algorithm, depth=4, evaluate=evaluate)
    assert r.value == minimax(
        game, game.initial(), 4, lambda s, p: float(len(game.format_state(s)) % 5)
    )
    assert max(asked.values()) == 1
    for said in ("x", None):
        with pytest.raises(UsageError, match="evaluate gave") as caught:
            search(game, depth=2, evaluate=lambda s, p, said=said: said)
        assert caught.value.hint
    with pytest.raises(RulesError, match="NaN"):
        search(game, depth=2, evaluate=lambda s, p: math.nan)
    for wrong in (3, [], b"x"):
        with pytest.raises(UsageError, match="evaluate"):
            search(game, depth=2, evaluate=wrong)


def test_infinite_evaluations_and_minus_zero() -> None:
    game = zermelo.load("tic-tac-toe")
    assert search(game, depth=2, evaluate=lambda s, p: -0.0).values == (0.0, 0.0)
    r = search(game, depth=2, evaluate=lambda s, p: -0.0)
    assert all(math.copysign(1, v) == 1 for v in (*r.values, *(m.value for m in r.moves)))
    for x in (math.inf, -math.inf):
        with pytest.raises(RulesError, match=r"the evaluation is -?inf"):
            search(game, depth=2, evaluate=lambda s, p, x=x: x)
