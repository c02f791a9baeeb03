"""Learning the weights of Go's move features: the fit, a tiny run, and resuming it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import _core
from zermelo.errors import UsageError
from zermelo.games.go.weights import SHAPE, pack, unpack
from zermelo.learn import go as learn

TINY: dict[str, Any] = {"spec": "go:size=6", "rounds": 2, "games": 12, "simulations": 12}


def competitions(gamma: np.ndarray, count: int) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Competitions of 6 with one feature of each of two groups, won by their strength."""
    rng = np.random.default_rng(1)
    half = len(gamma) // 2
    rows = rng.integers(0, half, (count, 6, 2)) + np.array([0, half])
    strength = gamma[rows].prod(axis=2)
    odds = strength / strength.sum(axis=1, keepdims=True)
    winners = np.array([rng.choice(6, p=p) for p in odds])
    shares = (np.arange(6) == winners[:, None]).astype(float)
    columns = [rows[:, :, group].reshape(-1) for group in (0, 1)]
    return columns, np.full(count, 6), shares.reshape(-1)


def test_minorization_maximization_recovers_known_weights() -> None:
    gamma = np.array([0.25, 1.0, 4.0, 0.5, 1.0, 2.0])
    columns, sizes, shares = competitions(gamma, 20_000)
    found = learn.minorize_maximize(columns, sizes, shares, 7, none=6, iterations=60)
    for group in (slice(0, 3), slice(3, 6)):  # each group has a scale of its own
        ratios = found[group] / found[group][1]
        assert ratios == pytest.approx(gamma[group], rel=0.08)


def test_shares_of_visits_count_like_as_many_wins() -> None:
    columns = [np.array([0, 1])]
    found = learn.minorize_maximize(
        columns, np.array([2]), np.array([0.75, 0.25]), 3, none=2, prior=1e-9, iterations=200
    )
    assert found[0] / found[1] == pytest.approx(3, rel=1e-3)


def test_a_feature_without_competitors_keeps_weight_1() -> None:
    columns = [np.array([0, 1]), np.array([3, 3])]  # 3: no feature; feature 2 never occurs
    found = learn.minorize_maximize(columns, np.array([2]), np.array([1.0, 0.0]), 4, none=3)
    assert found[2] == found[3] == 1.0
    assert found[0] > 1.0 > found[1] > 0


def test_larger_patterns_are_the_same_from_all_sides() -> None:
    """Rotation, reflection and exchange of colours keep the hashes of a point's patterns."""
    game: Any = zermelo.load("go:size=9")
    rng = np.random.default_rng(3)
    board = rng.choice(list(".....XO"), (9, 9))

    def hashes(cells: np.ndarray, side: str, row: int, column: int) -> list[int]:
        rows = "/".join("".join(r) for r in cells)
        s = game.parse_state(f"{rows} {side}")
        where = [str(a) for a in game.actions(s)].index(f"{'ABCDEFGHJ'[column]}{9 - row}")
        found = np.frombuffer(game.native.shapes(game.data(s)), np.uint64)
        return list(found.reshape(-1, _core.go_shape_levels)[where])

    row, column = next((r, c) for r, c in np.argwhere(board == ".") if 2 < r < 6)
    here = hashes(board, "black", row, column)
    assert len(set(here)) == _core.go_shape_levels
    swapped = np.array([{"X": "O", "O": "X"}.get(c, c) for c in board.flat]).reshape(9, 9)
    assert hashes(swapped, "white", row, column) == here
    assert hashes(board.T, "black", column, row) == here
    assert hashes(board[::-1], "black", 8 - row, column) == here
    assert hashes(board[:, ::-1], "black", row, 8 - column) == here
    changed = board.copy()
    changed[row, column + 1 if column < 8 else column - 1] = "X"
    if (changed != board).any():
        assert hashes(changed, "black", row, column) != here


def test_frequent_patterns_contain_frequent_patterns(tmp_path: Path) -> None:
    plan = learn.Plan(tmp_path / "run", **(TINY | {"rounds": 1, "games": 30}))
    learn.train(plan)
    files = sorted(plan.folder.glob("round-1-*.npz"))
    data = learn.competitions(files)
    assert data.shares.sum() == pytest.approx(len(data.sizes))
    kept, numbers = learn.frequent_shapes(data)
    assert len(kept) > 10
    for smaller, larger in zip(numbers.T[:-1], numbers.T[1:], strict=True):
        assert (smaller[larger >= 0] >= 0).all()


def test_workers_play_the_same_games(tmp_path: Path) -> None:
    one = learn.train(learn.Plan(tmp_path / "one", **(TINY | {"rounds": 1})))
    two = learn.train(learn.Plan(tmp_path / "two", **(TINY | {"rounds": 1}), workers=2))
    assert one.read_bytes() == two.read_bytes()


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
    ones, shapes = np.ones(_core.go_features), np.ones(5, SHAPE)
    good = pack(ones, ones, shapes)
    assert len(unpack(good)) == 8 * _core.go_features + 5 * SHAPE.itemsize
    game: Any = zermelo.load("go:size=6")
    game.use_weights(unpack(good))
    for bad in (b"", good[:-9], pack(ones, np.ones(3), shapes[:0])):
        with pytest.raises(UsageError, match="damaged"):
            unpack(bad)
    for bad in (bytes(8 * _core.go_features), unpack(good)[:-1]):
        with pytest.raises(UsageError, match="damaged"):
            game.use_weights(bad)
