"""Regret minimisation without the tree: what it finds, measured by the tree where that fits."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import Policy, RulesError, UsageError


@pytest.mark.parametrize(
    ("spec", "value", "far"), [("kuhn", -1 / 18, 0.06), ("leduc", -0.0856, 0.6)]
)
def test_it_comes_near_to_an_equilibrium(spec: str, value: float, far: float) -> None:
    game = zermelo.load(spec)
    few = zermelo.equilibrium(game, "sampling", iterations=100, seed=1).measured()
    many = zermelo.equilibrium(game, "sampling", iterations=10_000, seed=1).measured()
    assert many.nash_conv < far
    assert many.nash_conv < few.nash_conv / 3
    assert many.value == pytest.approx(value, abs=far / 2)


def test_what_is_not_measured_says_so(tmp_path: Path) -> None:
    policy = zermelo.equilibrium(zermelo.load("kuhn"), "sampling", iterations=50, seed=2)
    assert math.isnan(policy.nash_conv)
    assert policy.iterations == 50
    policy.save(tmp_path / "kuhn.json")
    assert "NaN" not in (tmp_path / "kuhn.json").read_text()
    again = Policy.load(tmp_path / "kuhn.json")
    assert math.isnan(again.nash_conv)
    assert again.measured().nash_conv == policy.measured().nash_conv


def test_measuring_is_the_solver_s_own() -> None:
    for spec in ("kuhn", "blind-tic-tac-toe:m=2,n=2,k=2"):
        policy = zermelo.equilibrium(zermelo.load(spec), "cfr+", iterations=9)
        again = policy.measured()
        assert again.nash_conv == pytest.approx(policy.nash_conv, abs=1e-12)
        assert again.values == pytest.approx(policy.values, abs=1e-12)


def test_a_game_whose_tree_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.regret.MOST_HISTORIES", 100_000)
    game: Any = zermelo.load("liars-dice:dice=2,sides=5")
    policy = zermelo.equilibrium(game, "sampling", iterations=30, seed=1)
    assert policy.action_probabilities(game.parse_state("1.1 2.3"))
    with pytest.raises(RulesError, match="more than 100000 histories"):
        policy.measured()


def test_the_same_seed_gives_the_same() -> None:
    game = zermelo.load("leduc")
    first, second, other = (
        zermelo.equilibrium(game, "sampling", iterations=200, seed=seed).table for seed in (3, 3, 4)
    )
    assert first == second != other


def test_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be its target"):
        zermelo.equilibrium(zermelo.load("kuhn"), "sampling", target=0.1)
    with pytest.raises(zermelo.NotSupported, match="what a player can see"):
        zermelo.equilibrium(zermelo.load("nim"), "sampling", iterations=1)


def test_training_keeps_a_policy(tmp_path: Path) -> None:
    from zermelo.learn import regret

    path = regret.train(regret.Plan("kuhn", tmp_path / "run", "sampling", iterations=100))
    assert Policy.load(path).table
