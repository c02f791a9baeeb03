"""Backgammon's networks: the same from both sides and kernels, learned, saved, gone on with."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from test_backgammon import GAME, positions
from zermelo import _core
from zermelo.errors import UsageError
from zermelo.games.backgammon import weights as kept
from zermelo.games.native import State
from zermelo.learn import backgammon as learn
from zermelo.learn import cfr as regret
from zermelo.learn import chess, holdem, othello

NETWORKS = kept.weights()


def to_roll(count: int, seed: int) -> list[State]:
    """Positions before a roll."""
    rng = random.Random(seed)
    after = [GAME.result(s, rng.choice(GAME.actions(s))) for s in positions(count, seed)]
    return [s for s in after if not GAME.is_terminal(s)]


def chances(weights: bytes, states: list[State], portable: bool = False) -> Any:
    flat = _core.backgammon_chances(weights, b"".join(s.data for s in states), portable)
    return np.frombuffer(flat, np.float32).reshape(-1, 5)


def equity(c: Any) -> Any:
    return 2 * c[..., 0] - 1 + c[..., 1] + c[..., 2] - c[..., 3] - c[..., 4]


def test_both_kernels_say_the_same() -> None:
    for weights in (NETWORKS, _core.backgammon_fresh(3)):
        states = to_roll(200, 5)
        assert np.array_equal(chances(weights, states), chances(weights, states, portable=True))
    slow = _core.backgammon(False, True, NETWORKS, True)
    for s in positions(30, 6):
        assert slow.evaluate(s.data, 0) == GAME.handle.evaluate(s.data, 0)


def test_chances_are_chances() -> None:
    found = chances(NETWORKS, to_roll(400, 7))
    assert found.min() >= 0 and found.max() <= 1
    assert (found[:, 1] <= found[:, 0]).all() and (found[:, 2] <= found[:, 1]).all()
    assert (found[:, 3] <= 1 - found[:, 0]).all() and (found[:, 4] <= found[:, 3]).all()


def test_an_evaluation_is_what_the_chances_are_worth() -> None:
    for s in to_roll(60, 8):
        mover = s.data[26]
        expected = float(equity(chances(NETWORKS, [s])[0]))
        assert GAME.evaluate(s, mover) == pytest.approx(expected, abs=1e-6)
        assert GAME.evaluate(s, 1 - mover) == -GAME.evaluate(s, mover)
        data = bytearray(s.data)
        data[26] ^= 1  # the same board with the colours exchanged
        assert GAME.evaluate(State(GAME, bytes(data)), 1 - mover) == GAME.evaluate(s, mover)


def test_a_roll_is_worth_its_best_play() -> None:
    """What is added up play by play is what is reckoned anew."""
    for s in positions(60, 9):
        mover = GAME.player(s)
        _, flat, _ = _core.backgammon_plays(s.data)
        after = [State(GAME, flat[i : i + 32]) for i in range(0, len(flat), 32)]
        best = max(
            GAME.utility(t, mover) if GAME.is_terminal(t) else GAME.evaluate(t, mover)
            for t in after
        )
        assert GAME.evaluate(s, mover) == pytest.approx(best, abs=1e-5)


def test_the_networks_know_what_is_plain() -> None:
    won = GAME.with_checkers({1: 1}, {6: 15})
    lost = GAME.with_checkers({6: 15}, {1: 2})
    even = GAME.initial()
    assert GAME.evaluate(won, 0) > 1.8  # a sure gammon
    assert GAME.evaluate(lost, 0) < -0.9
    assert abs(GAME.evaluate(even, 0)) < 0.2
    plain: Any = zermelo.load("backgammon:score=win")
    assert 0.95 < plain.evaluate(plain.initial(), 0) + 1 < 1.15
    assert 0.95 < plain.evaluate(plain.parse_state(GAME.format_state(won)), 0) <= 1


def test_it_plays_better_than_pips() -> None:
    """And than it did after some hundred games."""
    early, error, count = _core.backgammon_learn(_core.backgammon_fresh(1), 300, 1, 0.3)
    assert 0 < error < 1 and count > 300 * 30
    found = np.array(_core.backgammon_pairs(NETWORKS, early, 200, 1))
    assert found.mean() > 5 * found.std() / len(found) ** 0.5
    same = np.array(_core.backgammon_pairs(early, early, 50, 2))
    assert not same.any()  # the same dice for the same player


def looking_ahead(s: State) -> str:
    """The best of the likeliest plays, over all rolls of the answer."""
    plays = {a: GAME.result(s, a) for a in GAME.actions(s)}
    likely = sorted(plays, key=lambda a: GAME.evaluate(plays[a], 0))[-4:]

    def mean(a: str) -> float:
        after = plays[a]
        return sum(p * GAME.evaluate(GAME.result(after, r), 0) for r, p in GAME.outcomes(after))

    return max(likely, key=mean)


def test_openings_are_the_known_ones() -> None:
    """With one roll looked ahead."""
    known = {
        "3-1": ["8/5 6/5"], "4-2": ["8/4 6/4"], "6-1": ["13/7 8/7"], "5-3": ["8/3 6/3"],
        "6-5": ["24/13"], "2-1": ["13/11 6/5", "24/23 13/11"],
        "4-1": ["24/23 13/9", "13/9 6/5"], "5-1": ["13/8 6/5", "24/23 13/8"],
        "3-2": ["24/21 13/11", "13/11 13/10"], "5-2": ["13/11 13/8", "24/22 13/8"],
        "4-3": ["24/20 13/10", "24/21 13/9", "13/10 13/9"], "6-2": ["24/18 13/11"],
        "6-3": ["24/18 13/10", "24/15"], "6-4": ["24/14", "24/18 13/9", "8/2 6/2"],
        "5-4": ["24/20 13/8", "13/9 13/8"],
    }  # fmt: skip
    for roll, good in known.items():
        s = GAME.result(GAME.initial(), roll)
        assert looking_ahead(s) in good, (roll, looking_ahead(s))


# -- training ----------------------------------------------------------------------------------
def test_training_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = learn.train(learn.Plan(tmp_path / "whole", games=40, seed=5))
    half = learn.Plan(tmp_path / "half", games=20, seed=5)
    learn.train(half)
    half.games = 40
    assert learn.train(half).read_bytes() == whole.read_bytes()
    assert learn.train(half).read_bytes() == whole.read_bytes()  # nothing is left to do
    record = [json.loads(x) for x in (tmp_path / "half" / "record.jsonl").read_text().splitlines()]
    assert [r["games"] for r in record] == [20, 40]
    assert not list(tmp_path.glob("*/*.part"))


def test_a_killed_training_loses_little(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from zermelo.learn import backgammon as b; "
        "b.SAVE_SECONDS = 0.05; b.CHUNK_SECONDS = 0.02; "
        f"b.train(b.Plan(Path({str(tmp_path)!r}), games=10**9))"
    )
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        before = games_in(tmp_path)
        while games_in(tmp_path) <= before:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.wait()
    assert games_in(tmp_path) > 0


def games_in(folder: Path) -> int:
    path = folder / "progress.npz"
    return learn.Progress.read(path).games if path.exists() else 0


def test_a_damaged_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "progress.npz").write_bytes(b"PK nonsense")
    with pytest.raises(UsageError, match="damaged"):
        learn.train(learn.Plan(tmp_path, games=1))
    bad = bytearray(_core.backgammon_fresh(1))
    bad[:4] = struct.pack("<f", float("nan"))
    for weights in (bytes(bad), b"x", bytes(bad[:-4])):
        with pytest.raises(UsageError):
            _core.backgammon(False, True, weights)
    with pytest.raises(UsageError):
        kept.unpack(b"no weights")
    with pytest.raises(UsageError):
        _core.backgammon_learn(b"", 1, 1, 0.1)


def test_a_folder_belongs_to_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was begun in it: no other game, and no other seed, goes on there."""
    monkeypatch.setattr(chess, "BATCH", 2)
    monkeypatch.setattr(othello, "BATCH", 20)
    few = (2, 2, 2)

    def learner(game: str, folder: Path, seed: int) -> Any:
        if game == "backgammon":
            return learn.train(learn.Plan(folder, games=20, seed=seed))
        if game == "chess":
            return chess.train(chess.Plan(folder, 1, 2, 10, epochs=1, seed=seed))
        if game == "othello":
            return othello.train(othello.Plan(folder, 1, 20, 1, 10, seed=seed))
        if game == "holdem":
            return holdem.train(holdem.Plan(folder, iterations=1, seed=seed, groups=few))
        return regret.train(regret.Plan(game, folder, iterations=4, seed=seed))

    games = ("backgammon", "chess", "othello", "holdem", "kuhn")
    for game in games:
        folder = tmp_path / game
        learner(game, folder, 3)
        before = sorted(p.name for p in folder.iterdir())
        for other in games:
            if other == game:
                continue
            with pytest.raises(UsageError, match=f"contains a run of '{game}") as e:
                learner(other, folder, 3)
            assert "another folder" in e.value.hint
        with pytest.raises(UsageError, match="started with --seed 3, not 4"):
            learner(game, folder, 4)
        assert sorted(p.name for p in folder.iterdir()) == before
        learner(game, folder, 3)


def test_time_ends_a_training(tmp_path: Path) -> None:
    path = learn.train(learn.Plan(tmp_path, games=10**9, time=0.3))
    assert len(kept.unpack(path.read_bytes())) == 4 * _core.backgammon_floats


def test_packed_weights_lose_next_to_nothing() -> None:
    exact = _core.backgammon_learn(_core.backgammon_fresh(2), 100, 1, 0.3)[0]
    states = to_roll(100, 12)
    near = chances(kept.unpack(kept.pack(exact)), states)
    assert np.abs(near - chances(exact, states)).max() < 2e-3
