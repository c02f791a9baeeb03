"""Othello: weights of the evaluation, learned from self-play.

A round plays many games at once with the weights of the round before: some random moves, then the
engine at a small depth, then an exact endgame. Every position is an example. Its label mixes the
exact result of the game with the value of the search. The weights of the patterns in
core/games/othello/evaluation.hpp are fitted by ridge regression, stage by stage. Mirrored patterns
share their weights.

A run directory has one file per batch of games and per round, so an interrupted run resumes.
"""

from __future__ import annotations

import random
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..games.othello import PASS_CODE, WEIGHTS, expand, shapes
from .run_directory import (
    batch_files,
    finish_rounds,
    install_weights,
    load_arrays,
    log,
    open_run,
    save_arrays,
)

Array = npt.NDArray[Any]

BATCH = 250  # games played at once and saved in one file
TABLE_MB = 16
PLAY = {"table": TABLE_MB, "deepen": False, "quiescence": False}
RIDGE = 4.0  # in examples; weights of rare patterns stay near 0
STEPS = 40  # of conjugate gradients
NEAR = 2  # a stage also learns from positions up to 2 discs outside of it
UNIT = 128  # weights are stored in 1/128 of a disc


@dataclass
class Plan:
    """The settings of a run."""

    folder: Path
    rounds: int = 4
    games: int = 10_000  # per round
    depth: int = 4  # of the search in self-play
    solved: int = 14  # empty squares at which exact play starts
    trust: float = 0.5  # weight of the search value in a label (round 1: 0)
    seed: int = 1


def train(plan: Plan) -> Path:
    """Play and fit all rounds; return the file of the last weights."""
    open_run(plan.folder, "othello", plan.seed)
    weights = b""
    path = plan.folder / "none"

    def train_round(number: int) -> bytes:
        _play_round(plan, number, weights)
        return pack(fit(plan, number))

    for number, path in finish_rounds(plan.folder, plan.rounds, train_round):
        weights = expand(path.read_bytes())
        log(f"round {number}: {path} ({path.stat().st_size / 1e6:.2f} MB)")
    return path


# -- play --------------------------------------------------------------------------------------
def _play_round(plan: Plan, number: int, weights: bytes) -> None:
    """Play the games of a round that are not saved yet."""
    handle = _core.othello(8, weights)
    trust = plan.trust if weights else 0.0
    files = batch_files(plan.folder, number, plan.games, BATCH)
    start, fresh = time.monotonic(), 0
    for b, path in enumerate(files):
        if path.exists():
            continue
        rng = random.Random(f"{plan.seed} {number} {b}")
        states, labels = play_batch(handle, plan, trust, rng)
        save_arrays(path, plan.seed, compress=True, states=states, labels=labels)
        fresh += 1
        rate = fresh * BATCH / (time.monotonic() - start)
        log(f"round {number}: {(b + 1) * BATCH} of {len(files) * BATCH} games, {rate:.1f} games/s")


def empties(flat: bytes) -> int:
    own, opp = (int.from_bytes(flat[i : i + 8], "little") for i in (0, 8))
    return 64 - (own | opp).bit_count()


def ask(handle: Any, states: list[bytes], depth: int) -> list[tuple[float, int, float, int]]:
    answers: list[tuple[float, int, float, int]] = _core.solve_all(handle, states, 0.0, PLAY, depth)
    if len(answers) < len(states):
        raise KeyboardInterrupt
    return answers


def play_batch(handle: Any, plan: Plan, trust: float, rng: random.Random) -> tuple[Array, Array]:
    """Play games from random openings; return positions (flat) and labels, for the mover."""
    games = [opening(handle, rng, rng.randint(4, 22)) for _ in range(BATCH)]
    values: list[list[tuple[bytes, float]]] = [[] for _ in games]  # of the search, for player 0
    active = list(range(len(games)))
    while active:
        active = [
            i for i in active if handle.to_move(games[i]) != -2 and empties(games[i]) > plan.solved
        ]
        answers = ask(handle, [games[i] for i in active], plan.depth)
        for i, (value, _, _, action) in zip(active, answers, strict=True):
            if action != PASS_CODE:
                values[i].append((games[i], value))
            games[i] = handle.play(games[i], action)
    results = [row[0] for row in ask(handle, games, -1)]
    states, labels = [], []
    for searched, result in zip(values, results, strict=True):
        for flat, value in searched:
            mixed = trust * value + (1 - trust) * result
            states.append(flat)
            labels.append(mixed if handle.to_move(flat) == 0 else -mixed)
    for flat, value in endings(handle, games, results, rng):
        states.append(flat)
        labels.append(value if handle.to_move(flat) == 0 else -value)
    return np.frombuffer(b"".join(states), np.uint8).reshape(-1, 32), np.array(labels, np.float32)


def opening(handle: Any, rng: random.Random, plies: int) -> bytes:
    flat: bytes = handle.initial()
    for _ in range(plies):
        if handle.to_move(flat) == -2:
            return opening(handle, rng, plies)
        flat = handle.play(flat, rng.choice(handle.actions(flat)))
    return flat


def endings(
    handle: Any, games: list[bytes], results: list[float], rng: random.Random
) -> list[tuple[bytes, float]]:
    """The solved positions, and solved positions that follow from them by random moves."""
    found = [(g, r) for g, r in zip(games, results, strict=True) if handle.to_move(g) != -2]
    later = []
    for flat, _ in found:
        for _ in range(rng.randint(1, 10)):
            if handle.to_move(flat) != -2:
                flat = handle.play(flat, rng.choice(handle.actions(flat)))
        if handle.to_move(flat) != -2:
            later.append(flat)
    solved = ask(handle, later, -1)
    return found + [(flat, row[0]) for flat, row in zip(later, solved, strict=True)]


# -- the fit -----------------------------------------------------------------------------------
def fit(plan: Plan, number: int) -> Array:
    """Fit the weights of all stages to the later rounds, one per class of patterns."""
    rounds = range((number + 1) // 2, number + 1)  # early rounds are too weak
    files = [p for n in rounds for p in batch_files(plan.folder, n, plan.games, BATCH)]
    parts = [load_arrays(p, "states", "labels") for p in files if p.exists()]
    states = np.concatenate([states for states, _ in parts])
    labels = np.concatenate([labels for _, labels in parts])
    discs = np.unpackbits(states[:, :16], axis=1).sum(axis=1, dtype=np.int64)
    classes = shapes()
    size = int(classes.max()) + 1
    weights = np.zeros((_core.othello_stages, size), np.float32)
    for stage in range(_core.othello_stages):
        low, high = 4 + 4 * stage, 7 + 4 * stage
        near = (discs >= low - NEAR) & (discs <= high + NEAR)
        if not near.any():
            continue
        raw = _core.othello_features(states[near].tobytes())
        table = np.frombuffer(raw, np.uint32).reshape(-1, 1 + _core.othello_features_each)
        rows = classes[table[:, 1:]]
        weights[stage], error = regress(rows, labels[near], size)
        log(f"  stage {stage}: {len(rows)} examples, mean error {error:.2f} discs")
    return weights


def regress(rows: Array, labels: Array, size: int) -> tuple[Array, float]:
    """Ridge regression of sums of weights by conjugate gradients; returns also the mean error."""
    flat = rows.ravel()
    each = rows.shape[1]

    def spread(residual: Array) -> Array:
        return np.bincount(flat, np.repeat(residual, each), size)

    scale = 1 / (np.bincount(flat, minlength=size) + RIDGE)
    w = np.zeros(size)
    g = spread(labels)
    z = scale * g
    p, rho = z, float(g @ z)
    for _ in range(STEPS):
        q = spread(p[rows].sum(axis=1)) + RIDGE * p
        step = rho / float(p @ q)
        w += step * p
        g = g - step * q
        z = scale * g
        before, rho = rho, float(g @ z)
        if rho < 1e-9:
            break
        p = z + rho / before * p
    return w.astype(np.float32), float(np.abs(labels - w[rows].sum(axis=1)).mean())


def pack(weights: Array) -> bytes:
    """The file format: 16-bit integers by stage, all low bytes first, compressed by zlib."""
    whole = np.clip(np.rint(weights * UNIT), -32767, 32767).astype("<i2")
    data = whole.view(np.uint8).reshape(-1, 2)
    return zlib.compress(data[:, 0].tobytes() + data[:, 1].tobytes(), 9)


def install(path: Path) -> None:
    """Make these the weights that zermelo.load("othello") uses."""
    install_weights(path, WEIGHTS)
