"""Regret minimization without the tree: what it finds, measured by the tree where that fits."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import zermelo
from zermelo import Policy, RulesError, UsageError, _core, load
from zermelo.learn import backgammon, holdem
from zermelo.learn import cfr as regret
from zermelo.search.adapter import adapt
from zermelo.ui.cli.main import app


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
    monkeypatch.setattr(sys.modules["zermelo.equilibrium.cfr"], "MAX_HISTORIES", 100_000)
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
    with pytest.raises(UsageError, match="does not support `target`"):
        zermelo.equilibrium(zermelo.load("kuhn"), "sampling", target=0.1)
    with pytest.raises(zermelo.NotSupported, match="does not define observation"):
        zermelo.equilibrium(zermelo.load("nim"), "sampling", iterations=1)


def test_training_keeps_a_policy(tmp_path: Path) -> None:
    path = regret.train(regret.Plan("kuhn", tmp_path / "run", "sampling", iterations=100))
    assert Policy.load(path).table


@pytest.mark.parametrize("spec", ["leduc", f"{Path(__file__).parents[1] / 'helpers/trap.py'}:Trap"])
def test_training_goes_on_where_it_was(spec: str, tmp_path: Path) -> None:
    regret.train(regret.Plan(spec, tmp_path, "sampling", iterations=300))
    game = load(spec)
    b = adapt(game)
    solver = _core.SamplingRegret(b.handle, b.flat(game.initial()), 1, 10**6)
    keeper = regret.Keeper(regret.Plan(spec, tmp_path, "sampling"))
    assert keeper.resume(solver)[-1][0] == solver.iterations == 300
    again = _core.SamplingRegret(b.handle, b.flat(game.initial()), 1, 10**6)
    again.iterate(300, 0.0)
    assert solver.learned() == again.learned()
    assert solver.strategy() == again.strategy()
    regret.train(regret.Plan(spec, tmp_path, "sampling", iterations=500))
    with np.load(tmp_path / "progress.npz") as kept:
        assert int(kept["curve"][-1][0]) == 500


def test_what_was_learned_elsewhere_is_refused() -> None:
    def solver(spec: str) -> Any:
        b = adapt(load(spec))
        return _core.SamplingRegret(b.handle, b.flat(b.game.initial()), 1, 10**6)

    kuhn = solver("kuhn")
    kuhn.iterate(200, 0.0)
    learned = kuhn.learned()
    assert solver("kuhn").resume(learned, 200)
    for wrong in (learned[1:], learned[:-1], [*learned, 0.0], [-1.0, *learned], [1e300],
                  [float("nan")] * 9):  # fmt: skip
        assert not solver("kuhn").resume(wrong, 200)
    assert not solver("leduc").resume(learned, 200)


def test_an_interrupted_run_loses_nothing(tmp_path: Path) -> None:
    asked = ["train", "leduc", "-a", "sampling", "--dir", str(tmp_path), "-n", "1000000000"]
    run = subprocess.Popen(
        [sys.executable, "-m", "zermelo", *asked], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert run.stderr is not None
    assert b"iterations" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=60)
    with np.load(tmp_path / "progress.npz") as kept:
        assert int(kept["curve"][-1][0]) > 0
    if run.returncode == 0:  # the signal came while it learned, not between
        assert Policy.load(out.decode().strip()).table


def test_a_folder_says_what_it_holds(tmp_path: Path) -> None:
    regret.train(regret.Plan("kuhn", tmp_path, "sampling", iterations=100))
    with pytest.raises(
        UsageError, match="contains a run of 'kuhn sampling', not of 'leduc sampling'"
    ):
        regret.train(regret.Plan("leduc", tmp_path, "sampling", iterations=200))
    with pytest.raises(UsageError, match="started with --seed 1, not 2"):
        regret.train(regret.Plan("kuhn", tmp_path, "sampling", iterations=200, seed=2))
    with pytest.raises(UsageError, match="not of 'holdem'"):
        holdem.train(holdem.Plan(tmp_path, time=1.0))
    with pytest.raises(UsageError, match="not of 'backgammon'"):
        backgammon.train(backgammon.Plan(tmp_path, time=1.0))
    (tmp_path / "progress.npz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match="damaged"):
        regret.train(regret.Plan("kuhn", tmp_path, "sampling", iterations=200))
    told = CliRunner().invoke(app, ["train", "kuhn", "-a", "cfr", "-n", "5", "--dir", ""])
    assert isinstance(told.exception, UsageError) and "--dir is empty" in str(told.exception)


def test_nothing_unlearned_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdem, "FLOPS", 5)
    monkeypatch.setattr(holdem, "TURNS", 5)
    plan = holdem.Plan(tmp_path, time=1e-6, groups=(2, 2, 2))
    with pytest.raises(zermelo.SearchBudgetExceeded, match="there is no policy"):
        holdem.train(plan)
    assert [p.name for p in tmp_path.iterdir()] == ["progress.npz"]
