"""Othello's learned evaluation: the same from every side, better than a count, trained again."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from test_othello import near_the_end
from zermelo import _core
from zermelo.errors import UsageError
from zermelo.games import othello as face
from zermelo.learn import othello as learn
from zermelo.ui.cli.main import app


def images(text: str) -> list[str]:
    """The eight ways to look at a board of 64 squares."""
    board = np.array(list(text)).reshape(8, 8)
    turned = [np.rot90(board, k) for k in range(4)]
    return ["".join(b.ravel()) for t in turned for b in (t, t.T)]


def test_every_image_of_a_position_is_worth_the_same() -> None:
    game: Any = zermelo.load("othello")
    rng = random.Random(1)
    for empty in (50, 40, 30, 20, 10, 5):
        squares, side = game.format_state(near_the_end(game, empty, rng)).split()
        found = {game.evaluate(game.parse_state(f"{i} {side}"), 0) for i in images(squares)}
        assert len(found) == 1
        other = str.maketrans("XO", "OX")  # colours exchanged: the mover's value stays
        twin = game.parse_state(f"{squares} {side}".translate(other))
        assert {-game.evaluate(twin, 0)} == found


def test_what_was_learned_guesses_better_than_a_count() -> None:
    game: Any = zermelo.load("othello")
    simple = _core.othello(8)
    rng = random.Random(2)
    flat = [learn.opening(simple, rng, 12) for _ in range(60)]
    for _ in range(50):  # sensible play: that is what it is for
        open_ = [f for f in flat if learn.empties(f) > 14 and game.handle.to_move(f) != -2]
        moves = {f: a[3] for f, a in zip(open_, learn.ask(game.handle, open_, 2), strict=True)}
        flat = [game.handle.play(f, moves[f]) if f in moves else f for f in flat]
    states = [face.State(game, f) for f in flat if game.handle.to_move(f) != -2]
    assert len(states) > 50
    truth = [s.value for s in zermelo.solve_all(game, states)]
    errors = {
        name: np.abs(np.array([h.evaluate(s.data, 0) for s in states]) - truth).mean()
        for name, h in (("learned", game.handle), ("simple", simple))
    }
    assert errors["learned"] < 0.6 * errors["simple"], errors


def test_both_kernels_have_the_same_weights() -> None:
    fast, plain = face.Othello("othello", 8), face.Othello("othello", 8, portable=True)
    rng = random.Random(3)
    for empty in (44, 33, 22, 11):
        s = near_the_end(fast, empty, rng)
        assert fast.handle.evaluate(s.data, 0) == plain.handle.evaluate(s.data, 0)


def test_damaged_weights_are_refused() -> None:
    whole = face.WEIGHTS.read_bytes()
    for wrong in (b"", b"x", whole[:-10], whole[1:], b"\0" + whole, learn.pack(np.zeros(6))):
        with pytest.raises(UsageError, match="damaged"):
            face.expand(wrong)
    with pytest.raises(UsageError, match="weights do not match"):
        _core.othello(8, b"1234")
    with pytest.raises(UsageError, match="weights do not match"):
        _core.othello(6, face.expand(whole))


def test_packing_loses_nothing_but_fractions() -> None:
    classes = face.shapes()
    rng = np.random.default_rng(1)
    weights = rng.normal(0, 3, (_core.othello_stages, int(classes.max()) + 1))
    back = np.frombuffer(face.expand(learn.pack(weights)), "<i2").reshape(len(weights), -1)
    assert np.abs(back / learn.UNIT - weights[:, classes]).max() <= 0.5 / learn.UNIT


def test_regression_finds_the_weights_that_made_the_labels() -> None:
    rng = np.random.default_rng(2)
    true = rng.normal(0, 2, 40)
    rows = rng.integers(0, 40, (4000, 5))
    found, error = learn.regress(rows, true[rows].sum(axis=1), 40)
    assert np.abs(found - true).max() < 0.1 and error < 0.1


def small(folder: Path) -> learn.Plan:
    return learn.Plan(folder, rounds=2, games=5, depth=1, solved=8)


def test_training_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "BATCH", 3)
    monkeypatch.setattr(learn, "STEPS", 4)  # the fit itself is tested above
    last = learn.train(small(tmp_path / "a"))
    whole = last.read_bytes()
    assert any(face.expand(whole))
    kept = sorted(p.name for p in last.parent.iterdir())
    assert len(kept) == 2 * (2 + 1)
    # A run that was stopped within its second round: what is there is not made again.
    for name in ("round-2.weights", "round-2-00001.npz"):
        (last.parent / name).unlink()
    first = (last.parent / "round-1-00000.npz").stat().st_mtime_ns
    assert learn.train(small(tmp_path / "a")).read_bytes() == whole
    assert (last.parent / "round-1-00000.npz").stat().st_mtime_ns == first
    assert learn.train(small(tmp_path / "b")).read_bytes() == whole


def test_labels_are_the_movers_and_exact_near_the_end(tmp_path: Path) -> None:
    game: Any = zermelo.load("othello")
    plan = small(tmp_path)
    states, labels = learn.play_batch(_core.othello(8), plan, 0.0, random.Random(4))
    flat = [s.tobytes() for s in states]
    late = [(f, v) for f, v in zip(flat, labels, strict=True) if learn.empties(f) <= plan.solved]
    assert len(late) > 100 and len(flat) > 2 * len(late)
    for f, v in late[:40]:
        s = face.State(game, f)
        value = zermelo.search(game, s, algorithm="alphabeta").value
        assert v == (value if game.player(s) == 0 else -value)


def test_the_command_says_what_it_cannot_do(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    r = CliRunner().invoke(app, ["train", "nim", "--dir", str(tmp_path)])
    assert isinstance(r.exception, UsageError)
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(UsageError, match="cannot be used"):
        learn.train(small(taken))
