"""Othello's evaluation, learned: play, solve the ends, fit the weights, and again.

A round plays games with the weights of the round before, many at once: some random moves, then the
engine at a small depth, then the exact end. Every position on the way becomes an example; its label
is the game's exact result mixed with what the search said there. The weights are a ridge regression
by stages over the patterns of core/games/othello/evaluation.hpp, equal for mirrored patterns.

Everything is kept in one folder, a file for each batch and round, so that a run that was stopped
goes on where it was.
"""

from __future__ import annotations

import io
import random
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..files import write
from ..games.othello import PASS_CODE, WEIGHTS, expand, shapes
from .kept import arrays, claim

Array = npt.NDArray[Any]

BATCH = 250  # games played side by side, and kept in one file
TABLE_MB = 16
PLAY = {"table": TABLE_MB, "deepen": False, "quiescence": False}
RIDGE = 4.0  # in examples: a weight seen seldom stays near 0
STEPS = 40  # of conjugate gradients
NEAR = 2  # discs beyond its own stage that a stage still learns from
UNIT = 128  # weights are kept in 1/128 of a disc


@dataclass
class Plan:
    """How to learn."""

    folder: Path
    rounds: int = 4
    games: int = 10_000  # in each round
    depth: int = 4  # of the search that plays
    solved: int = 14  # empty squares from which on play is exact
    trust: float = 0.5  # how much a label is the search's word, not the result's (round 1: not)
    seed: int = 1


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def train(plan: Plan) -> Path:
    """All rounds; returns the file of the last weights."""
    claim(plan.folder, "othello", plan.seed)
    weights = b""
    path = plan.folder / "none"
    for number in range(1, plan.rounds + 1):
        path = plan.folder / f"round-{number}.weights"
        if not path.exists():
            play_round(plan, number, weights)
            fitted = fit(plan, number)
            write(path, pack(fitted))
        weights = expand(path.read_bytes())
        say(f"round {number}: {path} ({path.stat().st_size / 1e6:.2f} MB)")
    return path


# -- play --------------------------------------------------------------------------------------
def batches(plan: Plan, number: int) -> Iterator[tuple[int, Path]]:
    for b in range(-(-plan.games // BATCH)):
        yield b, plan.folder / f"round-{number}-{b:05}.npz"


def play_round(plan: Plan, number: int, weights: bytes) -> None:
    handle = _core.othello(8, weights)
    trust = plan.trust if weights else 0.0
    files = list(batches(plan, number))
    start, fresh = time.monotonic(), 0
    for b, path in files:
        if path.exists():
            continue
        rng = random.Random(f"{plan.seed} {number} {b}")
        states, labels = play_batch(handle, plan, trust, rng)
        data = io.BytesIO()
        np.savez_compressed(data, states=states, labels=labels, seed=str(plan.seed))
        write(path, data.getvalue())
        fresh += 1
        rate = fresh * BATCH / (time.monotonic() - start)
        say(f"round {number}: {(b + 1) * BATCH} of {len(files) * BATCH} games, {rate:.1f} a second")


def empties(flat: bytes) -> int:
    own, opp = (int.from_bytes(flat[i : i + 8], "little") for i in (0, 8))
    return 64 - (own | opp).bit_count()


def ask(handle: Any, states: list[bytes], depth: int) -> list[tuple[float, int, float, int]]:
    answers: list[tuple[float, int, float, int]] = _core.solve_all(handle, states, 0.0, PLAY, depth)
    if len(answers) < len(states):
        raise KeyboardInterrupt
    return answers


def play_batch(handle: Any, plan: Plan, trust: float, rng: random.Random) -> tuple[Array, Array]:
    """Games from random openings; the positions met (flat) and their labels, the mover's."""
    games = [opening(handle, rng, rng.randint(4, 22)) for _ in range(BATCH)]
    said: list[list[tuple[bytes, float]]] = [[] for _ in games]  # by the search, player 0's
    active = list(range(len(games)))
    while active:
        active = [
            i for i in active if handle.to_move(games[i]) != -2 and empties(games[i]) > plan.solved
        ]
        answers = ask(handle, [games[i] for i in active], plan.depth)
        for i, (value, _, _, action) in zip(active, answers, strict=True):
            if action != PASS_CODE:
                said[i].append((games[i], value))
            games[i] = handle.play(games[i], action)
    results = [row[0] for row in ask(handle, games, -1)]
    states, labels = [], []
    for heard, result in zip(said, results, strict=True):
        for flat, value in heard:
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
    """The solved positions, and some that random moves make of them, solved as well."""
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
    """Weights of all stages from the examples of the later rounds, one for each pattern's class."""
    rounds = range((number + 1) // 2, number + 1)  # the first ones knew too little
    files = [p for n in rounds for _, p in batches(plan, n) if p.exists()]
    parts = [arrays(p, "states", "labels") for p in files]
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
        say(f"  stage {stage}: {len(rows)} examples, {error:.2f} discs off")
    return weights


def regress(rows: Array, labels: Array, size: int) -> tuple[Array, float]:
    """Ridge regression of sums of weights, by conjugate gradients; and its mean error."""
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
    """The file: zlib over whole numbers of 16 bits, stage by stage, their low bytes first."""
    whole = np.clip(np.rint(weights * UNIT), -32767, 32767).astype("<i2")
    data = whole.view(np.uint8).reshape(-1, 2)
    return zlib.compress(data[:, 0].tobytes() + data[:, 1].tobytes(), 9)


def install(path: Path) -> None:
    """Makes these the weights that zermelo.load("othello") uses."""
    write(WEIGHTS, path.read_bytes())
