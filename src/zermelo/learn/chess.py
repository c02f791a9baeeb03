"""Chess: weights of the evaluation, learned from self-play.

A round plays games with the weights of the round before: some random moves, then the engine with a
small node limit per move. Every quiet position is an example. Its label mixes the result of the
game with the win probability that corresponds to the score of the search. The weights of the terms
in core/games/chess/terms.hpp are fitted by logistic regression with Adam. The fit starts from the
weights of the round before and stops when the loss on held-out games no longer falls.

A run directory has one file per batch of games and per round, so an interrupted run resumes.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..games.chess import WEIGHTS
from ..games.chess.weights import pack, unpack
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

TERMS = _core.chess_terms()  # names and sizes
EXAMPLE = np.dtype(
    [
        ("by", "<u8", 6),  # bitboards of the pieces by type
        ("white", "<u8"),
        ("castle", "<u8"),
        ("score", "<i2"),  # of the search for White, in units of the evaluation
        ("result", "i1"),  # of the game: 1 White won, 0, -1
        ("mover", "u1"),
        ("game", "<u4"),  # its number in the batch
    ]
)
BATCH = 200  # games per file
HELD = 16  # one game in 16 is held out
# Units of the evaluation at odds of e to 1, measured with the hand-set weights. It fixes the scale
# of all rounds. No single weight could, because the value of a pawn is spread over many terms.
ODDS = 290.0
RIDGE = 500.0  # in examples; weights of rare terms change little
ROWS = 8192  # examples per step
STEP = 1.0  # initial step size, in units
LAST_STEP = 0.05
BETAS = (0.9, 0.999)  # of Adam
FIXED = ("bare",)  # not fitted: such games are adjudicated too early


@dataclass
class Plan:
    """The settings of a run."""

    folder: Path
    rounds: int = 2
    games: int = 10_000  # per round
    nodes: int = 1200  # per move of self-play
    opening: int = 8  # random plies
    trust: float = 0.8  # weight of the search score in a label; the rest is the result
    epochs: int = 40  # at most
    seed: int = 1


def train(plan: Plan) -> Path:
    """Play and fit all rounds; return the file of the last weights."""
    open_run(plan.folder, "chess", plan.seed)
    weights = _core.chess_thumb()
    path = plan.folder / "none"

    def train_round(number: int) -> bytes:
        _play_round(plan, number, weights)
        return pack(fit(plan, number, weights))

    for number, path in finish_rounds(plan.folder, plan.rounds, train_round):
        weights = unpack(path.read_bytes())
        log(f"round {number}: {path}")
    return path


def install(path: Path) -> None:
    """Make these the weights that zermelo.load("chess") uses."""
    install_weights(path, WEIGHTS)


# -- play --------------------------------------------------------------------------------------
def _play_round(plan: Plan, number: int, weights: bytes) -> None:
    """Play the games of a round that are not saved yet."""
    handle = _core.chess(518, False, weights=weights)
    start, fresh = time.monotonic(), 0
    for b, path in enumerate(batch_files(plan.folder, number, plan.games, BATCH)):
        if path.exists():
            continue
        games = min(BATCH, plan.games - b * BATCH)
        seed = random.Random(f"{plan.seed} {number} {b}").getrandbits(48)
        flat, results, complete = _core.chess_games(
            handle, handle, games, seed, plan.nodes, plan.opening
        )
        if not complete:
            raise KeyboardInterrupt
        save_arrays(path, plan.seed, compress=True, examples=np.frombuffer(flat, EXAMPLE))
        fresh += games
        rate = fresh / (time.monotonic() - start)
        log(
            f"round {number}: {b * BATCH + games} of {plan.games} games, {rate:.1f} games/s, "
            f"{results.count(0) / games:.0%} drawn"
        )


def recall(plan: Plan, number: int) -> tuple[Array, Array, Array]:
    """Examples of the later rounds in random order, their labels, and which are held out."""
    rounds = range((number + 1) // 2, number + 1)  # early rounds are too weak
    found, labels = [], []
    for n in rounds:
        files = batch_files(plan.folder, n, plan.games, BATCH)
        parts = [load_arrays(p, "examples") for p in files if p.exists()]
        examples = np.concatenate([examples for [examples] in parts])
        scores, results = examples["score"].astype(float), (examples["result"] + 1) / 2
        unit = slope(scores, results)  # the scale depends on the weights
        log(f"  {len(examples)} examples of round {n}: {unit:.0f} units per factor e in the odds")
        found.append(examples)
        labels.append(plan.trust * chance(scores / unit) + (1 - plan.trust) * results)
    examples = np.concatenate(found)
    order = np.random.default_rng(plan.seed).permutation(len(examples))
    held = examples["game"] % HELD == 0
    return examples[order], np.concatenate(labels)[order], held[order]


# -- terms -------------------------------------------------------------------------------------
@dataclass
class Traced:
    """The terms of all examples, concatenated."""

    sizes: Array  # number of terms per example
    starts: Array  # index of the first term per example
    terms: Array  # indices of the terms
    times: Array  # count of each term: White's minus Black's
    phases: Array
    scales: Array
    values: Array  # the evaluation, in units

    @property
    def shares(self) -> Array:
        """The weights of the middlegame sum and of the endgame sum."""
        middle = self.phases / _core.chess_phases
        return np.stack([middle, (1 - middle) * self.scales / _core.chess_scales], axis=1)


def traced(examples: Array, weights: bytes) -> Traced:
    kinds = (np.uint16, np.uint16, np.int16, np.uint8, np.uint8, np.int32)
    found = _core.chess_trace(examples.tobytes(), weights)
    sizes, terms, times, phases, scales, values = (
        np.frombuffer(raw, kind) for raw, kind in zip(found, kinds, strict=True)
    )
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    return Traced(
        sizes, starts, terms, times, phases.astype(np.int64), scales.astype(np.int64), values
    )


def judged(t: Traced, rows: slice, weights: Array, shares: Array) -> tuple[Array, slice]:
    """The evaluations of some examples, in units, and the indices of their terms."""
    first = int(t.starts[rows][0])
    span = slice(first, int(t.starts[rows][-1]) + int(t.sizes[rows][-1]))
    parts = weights[t.terms[span]] * t.times[span, None]
    sums = np.add.reduceat(parts, t.starts[rows] - first, axis=0)
    return (sums * shares[rows]).sum(axis=1), span


# -- the fit -----------------------------------------------------------------------------------
def chance(logits: Array) -> Array:
    odds: Array = 1 / (1 + np.exp(-np.clip(logits, -40, 40)))
    return odds


def loss(logits: Array, labels: Array) -> float:
    """Cross entropy."""
    return float(np.mean(np.logaddexp(0, logits) - labels * logits))


def slope(scores: Array, results: Array) -> float:
    """The units of score at odds of e to 1, by golden-section search."""
    low, high, ratio = 50.0, 2000.0, (5**0.5 - 1) / 2
    while high - low > 0.5:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if loss(scores / a, results) < loss(scores / b, results):
            high = b
        else:
            low = a
    return (low + high) / 2


def fit(plan: Plan, number: int, weights: bytes) -> bytes:
    """Fit weights to the examples of this round and earlier ones, starting from `weights`."""
    examples, labels, held = recall(plan, number)
    train, check = (traced(examples[m], weights) for m in (~held, held))
    start = np.frombuffer(weights, "<i2").reshape(-1, 2).astype(float)
    best = descend(plan, train, labels[~held], check, labels[held], start, ODDS)
    return np.clip(np.rint(best), -32767, 32767).astype("<i2").tobytes()


def descend(
    plan: Plan, t: Traced, labels: Array, check: Traced, truth: Array, start: Array, unit: float
) -> Array:
    """Run Adam from `start` until the held-out loss no longer falls."""
    w, shares, others = start.copy(), t.shares, check.shares
    mean, square = np.zeros_like(w), np.zeros_like(w)
    rows = [slice(i, i + ROWS) for i in range(0, len(labels), ROWS)]
    ridge = RIDGE * 0.2 / unit**2 / len(labels)
    free = np.repeat([n not in FIXED for n, _ in TERMS], [s for _, s in TERMS])[:, None]
    rng = np.random.default_rng(plan.seed)
    total = plan.epochs * len(rows)
    best, least, waited, n = w.copy(), np.inf, 0, 0
    for epoch in range(plan.epochs + 1):
        seen = loss(whole(check, w, others) / unit, truth)
        log(f"  epoch {epoch}: {seen:.5f} on held-out games")
        waited = 0 if seen < least - 1e-6 else waited + 1
        if seen < least:
            best, least = w.copy(), seen
        if waited == 4 or epoch == plan.epochs:
            break
        for i in rng.permutation(len(rows)):
            value, span = judged(t, rows[i], w, shares)
            error = (chance(value / unit) - labels[rows[i]]) / unit / len(value)
            pull = np.repeat(error[:, None] * shares[rows[i]], t.sizes[rows[i]], axis=0)
            pull *= t.times[span, None]
            sums = [np.bincount(t.terms[span], p, len(w)) for p in pull.T]
            g = np.stack(sums, axis=1) + ridge * (w - start)
            n += 1
            mean += (1 - BETAS[0]) * (g - mean)
            square += (1 - BETAS[1]) * (g * g - square)
            size = LAST_STEP + (STEP - LAST_STEP) * (1 + np.cos(np.pi * n / total)) / 2
            far = np.sqrt(square / (1 - BETAS[1] ** n)) + 1e-12
            w -= free * size * mean / (1 - BETAS[0] ** n) / far
    return best


def whole(t: Traced, weights: Array, shares: Array) -> Array:
    """The evaluations of all examples."""
    parts = [
        judged(t, slice(i, i + ROWS), weights, shares)[0] for i in range(0, len(t.sizes), ROWS)
    ]
    return np.concatenate(parts)
