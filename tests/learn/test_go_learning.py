"""Learning the weights of Go's move features: the fit, a tiny run, and resuming it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import _core
from zermelo.errors import UsageError
from zermelo.games.go.weights import pack, unpack
from zermelo.learn import go as learn

TINY: dict[str, Any] = {"spec": "go:size=6", "rounds": 2, "games": 12, "simulations": 12}


def competitions(gamma: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Competitions of 6 with one feature of each of two groups, won by their strength."""
    rng = np.random.default_rng(1)
    half = len(gamma) // 2
    rows = rng.integers(0, half, (count, 6, 2)) + np.array([0, half])
    strength = gamma[rows].prod(axis=2)
    odds = strength / strength.sum(axis=1, keepdims=True)
    winners = np.array([rng.choice(6, p=p) for p in odds])
    return rows.reshape(-1, 2), np.full(count, 6), winners


def test_minorization_maximization_recovers_known_weights() -> None:
    gamma = np.array([0.25, 1.0, 4.0, 0.5, 1.0, 2.0])
    rows, sizes, winners = competitions(gamma, 20_000)
    found = learn.minorize_maximize(rows, sizes, winners, 6, (0, 3), iterations=60)
    for group in (slice(0, 3), slice(3, 6)):  # each group has a scale of its own
        ratios = found[group] / found[group][1]
        assert ratios == pytest.approx(gamma[group], rel=0.08)


def test_a_feature_without_competitors_keeps_weight_1() -> None:
    rows = np.array([[0, 3], [1, 3]])  # 3: no feature; feature 2 never occurs
    found = learn.minorize_maximize(rows, np.array([2]), np.array([0]), 3, (0, 2))
    assert found[2] == 1.0
    assert found[0] > 1.0 > found[1] > 0


def test_resuming_gives_the_same_weights_as_one_run(tmp_path: Path) -> None:
    once = learn.train(learn.Plan(tmp_path / "once", **TINY))
    again = tmp_path / "again"
    learn.train(learn.Plan(again, **(TINY | {"rounds": 1})))
    (again / "round-1.weights").unlink()
    (again / "round-1-00001.npz").unlink()  # as if stopped before the second batch
    resumed = learn.train(learn.Plan(again, **TINY))
    assert once.name == resumed.name == "round-2.weights"
    assert once.read_bytes() == resumed.read_bytes()


def test_learned_weights_change_the_priors(tmp_path: Path) -> None:
    path = learn.train(learn.Plan(tmp_path / "run", **(TINY | {"rounds": 1})))
    game: Any = zermelo.load("go:size=6")
    options = {"simulations": 200, "seed": 1}
    before = zermelo.search(game, algorithm="mcts", **options)
    game.use_weights(unpack(path.read_bytes()))
    after = zermelo.search(game, algorithm="mcts", **options)
    assert before.value != after.value


def test_a_run_of_another_board_is_refused(tmp_path: Path) -> None:
    learn.train(learn.Plan(tmp_path / "run", **(TINY | {"rounds": 1, "games": 1})))
    with pytest.raises(UsageError, match="contains a run of"):
        learn.train(learn.Plan(tmp_path / "run", **(TINY | {"spec": "go:size=7"})))


def test_damaged_weights_are_refused() -> None:
    good = pack(np.ones(_core.go_features))
    assert len(unpack(good)) == 4 * _core.go_features
    for bad in (b"", good[:-9], pack(np.ones(3))):
        with pytest.raises(UsageError, match="damaged"):
            unpack(bad)
    with pytest.raises(UsageError, match="damaged"):
        zermelo.load("go:size=6").use_weights(b"\0" * 4 * _core.go_features)  # type: ignore[attr-defined]
