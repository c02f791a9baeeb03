"""Chess's evaluation: the same for both colours, as its terms say, and trained again."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import _core
from zermelo.errors import BadPosition, UsageError
from zermelo.games.chess import WEIGHTS
from zermelo.games.chess.weights import pack, unpack
from zermelo.learn import chess as learn

RANDOM = np.random.default_rng(1)


@cache
def examples() -> Any:
    """Some thousand positions of quick games."""
    handle = _core.chess(518, False)
    flat, _, _ = _core.chess_games(handle, handle, 70, 5, 100, 8)
    found = np.frombuffer(flat, learn.EXAMPLE)
    assert len(found) > 2000
    return found


def turned(found: Any) -> Any:
    """The same with the colours exchanged."""
    other = found.copy()
    everybody = np.bitwise_or.reduce(found["by"], axis=1)
    other["by"] = found["by"].byteswap()
    other["white"] = (everybody & ~found["white"]).byteswap()
    other["castle"] = found["castle"].byteswap()
    other["mover"] = 1 - found["mover"]
    return other


def some_weights() -> bytes:
    size = len(_core.chess_thumb()) // 2
    return RANDOM.integers(-60, 60, size).astype("<i2").tobytes()


@pytest.mark.parametrize("weights", [b"", some_weights()])
def test_both_colours_are_judged_alike(weights: bytes) -> None:
    found = examples()
    plain, other = (learn.traced(e, weights).values for e in (found, turned(found)))
    assert (plain == -other).all() and plain.any()


@pytest.mark.parametrize("weights", [b"", some_weights()])
def test_the_evaluation_is_the_sum_of_its_terms(weights: bytes) -> None:
    t = learn.traced(examples(), weights)
    pairs = np.frombuffer(weights or _core.chess_thumb(), "<i2").reshape(-1, 2).astype(np.int64)
    parts = t.times[:, None] * pairs[t.terms]
    middle, end = np.add.reduceat(parts, t.starts).T
    total = (
        middle * t.phases * _core.chess_scales + end * (_core.chess_phases - t.phases) * t.scales
    )
    whole = np.abs(total) // (_core.chess_phases * _core.chess_scales)
    assert (np.sign(total) * whole == t.values).all()


def test_the_engine_uses_what_is_traced() -> None:
    game: Any = zermelo.load("chess")
    s = game.parse_state("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
    men = _core.chess_parts(s.data)[0]
    e = np.zeros(1, learn.EXAMPLE)
    for square, man in enumerate(men):
        if man != ".":
            e["by"][0, "PNBRQK".index(man.upper())] |= np.uint64(1 << square)
            e["white"][0] |= np.uint64((man < "a") << square)
    e["castle"], e["mover"] = 0x8100000000000081, 1
    weights = unpack(WEIGHTS.read_bytes()) if WEIGHTS.exists() else b""
    assert learn.traced(e, weights).values[0] == _core.chess_unit * game.evaluate(s, 0)


def test_both_kernels_judge_alike() -> None:
    flat = examples().tobytes()
    assert _core.chess_trace(flat, b"", False) == _core.chess_trace(flat, b"", True)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(BadPosition):
        _core.chess_trace(bytes(_core.chess_example_bytes), b"")


def test_damaged_weights_are_refused() -> None:
    whole = pack(_core.chess_thumb())
    assert unpack(whole) == _core.chess_thumb()
    for wrong in (b"", b"x", whole[:-10], whole[1:], pack(_core.chess_thumb()[:-4])):
        with pytest.raises(UsageError, match="damaged"):
            unpack(wrong)
    with pytest.raises(UsageError, match="not a weight file"):
        _core.chess(518, False, weights=b"1234")


def small(folder: Path) -> learn.Plan:
    return learn.Plan(folder, rounds=2, games=20, nodes=60, epochs=3)


def test_training_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "BATCH", 12)
    last = learn.train(small(tmp_path / "a"))
    whole = last.read_bytes()
    assert unpack(whole) != _core.chess_thumb()
    assert len(list(last.parent.iterdir())) == 2 * (2 + 1)
    # A run that was stopped within its second round: what is there is not made again.
    for name in ("round-2.weights", "round-2-00001.npz"):
        (last.parent / name).unlink()
    first = (last.parent / "round-1-00000.npz").stat().st_mtime_ns
    assert learn.train(small(tmp_path / "a")).read_bytes() == whole
    assert (last.parent / "round-1-00000.npz").stat().st_mtime_ns == first
    assert learn.train(small(tmp_path / "b")).read_bytes() == whole


def test_the_fit_finds_weights_that_made_the_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels by weights of its own: from the thumb's it comes most of the way."""
    monkeypatch.setattr(learn, "ROWS", 256)
    monkeypatch.setattr(learn, "RIDGE", 1.0)  # few examples: it would hold the weights back
    found = examples()
    truth = np.frombuffer(_core.chess_thumb(), "<i2").reshape(-1, 2).astype(float)
    truth[: dict(_core.chess_terms())["man"]] *= 1.5
    t = learn.traced(found, b"")
    labels = learn.chance(learn.whole(t, truth, t.shares) / 300)
    start = np.frombuffer(_core.chess_thumb(), "<i2").reshape(-1, 2).astype(float)
    w = learn.descend(learn.Plan(tmp_path, epochs=20), t, labels, t, labels, start, 300.0)
    errors = [learn.loss(learn.whole(t, x, t.shares) / 300, labels) for x in (start, w, truth)]
    assert errors[1] - errors[2] < 0.5 * (errors[0] - errors[2])


def test_training_keeps_the_scale(tmp_path: Path) -> None:
    """Who is ahead stays ahead, by about as many pawns."""
    last = learn.train(learn.Plan(tmp_path, rounds=2, games=40, nodes=60, epochs=5))
    before = learn.traced(examples(), b"").values
    after = learn.traced(examples(), unpack(last.read_bytes())).values
    assert np.corrcoef(before, after)[0, 1] > 0.9
    assert 0.6 < after.std() / before.std() < 1.6


@pytest.mark.skipif(not WEIGHTS.exists(), reason="nothing is installed")
def test_installed_weights_are_in_pawns() -> None:
    before = learn.traced(examples(), b"").values
    after = learn.traced(examples(), unpack(WEIGHTS.read_bytes())).values
    assert np.corrcoef(before, after)[0, 1] > 0.9
    assert 0.6 < after.std() / before.std() < 1.6


def test_a_slope_is_found() -> None:
    scores = np.linspace(-1000, 1000, 201)
    assert abs(learn.slope(scores, learn.chance(scores / 222)) - 222) < 2


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(UsageError, match="cannot be used"):
        learn.train(small(taken))
