"""Training of backgammon's evaluation by self-play and temporal differences.

The value of a position moves toward the value after the next roll and play (temporal
differences, as in TD-Gammon), by steps that get smaller from game to game. Nothing else is used: no
games of other players, no opening book.

A run has one directory. Progress is saved at least twice a minute, so an interrupted run resumes.
`record.jsonl` has the progress, and the weights of some milestones are saved for the training curve
(``benchmarks/backgammon.py --curve``).
"""

from __future__ import annotations

import json
import math
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from ..files import append, write
from ..games.backgammon.weights import WEIGHTS, pack
from .run_directory import (
    SAVE_SECONDS,
    Timer,
    damaged,
    install_weights,
    load_arrays,
    log,
    open_run,
    save_arrays,
)

REPORT_SECONDS = 10.0
CHUNK_SECONDS = 1.0  # of games between two checks of the time limit
RATE, HALF = 0.3, 20_000  # initial learning rate, and the games after which it is halved
CALM = 0.3  # share of the games at the end, in which the rate falls to 0


@dataclass
class Plan:
    """The settings of a run."""

    folder: Path
    games: int = 1_500_000
    time: float | None = None  # seconds of this run
    seed: int = 1


@dataclass
class Progress:
    """The saved state of a run."""

    weights: bytes
    games: int = 0
    seconds: float = 0.0

    def write(self, path: Path, seed: int) -> None:
        numbers = np.array([self.games, self.seconds])
        save_arrays(path, seed, weights=np.frombuffer(self.weights, "<f4"), numbers=numbers)

    @staticmethod
    def read(path: Path) -> Progress:
        numbers, weights = load_arrays(path, "numbers", "weights")
        try:
            games, seconds = numbers
            weights = weights.astype("<f4")
            if weights.size != _core.backgammon_floats or not np.isfinite(weights).all():
                raise ValueError
        except (ValueError, TypeError):
            raise damaged(path) from None
        return Progress(weights.tobytes(), int(games), float(seconds))


def train(plan: Plan) -> Path:
    """Play and learn until the games or the time are used up; return the file of the weights."""
    file = open_run(plan.folder, "backgammon", plan.seed)
    progress = Progress.read(file) if file.exists() else fresh(plan)
    run = Run(plan, progress, file)
    try:
        run.learn()
    finally:
        run.save()
    path = plan.folder / "last.weights"
    write(path, pack(progress.weights))
    return path


def fresh(plan: Plan) -> Progress:
    return Progress(_core.backgammon_fresh(plan.seed))


class Run:
    """One run, starting from the saved progress."""

    def __init__(self, plan: Plan, progress: Progress, file: Path) -> None:
        self.plan, self.progress, self.file = plan, progress, file
        self.save_timer, self.report_timer = Timer(SAVE_SECONDS), Timer(REPORT_SECONDS)
        self.end = None if plan.time is None else time.monotonic() + plan.time
        self.unsaved: list[dict[str, Any]] = []

    def learn(self) -> None:
        """Play the missing games."""
        p, total = self.progress, self.plan.games
        chunk = 20
        while p.games < total:
            before = time.monotonic()
            if self.end is not None and before >= self.end:
                return
            done = p.games
            rate = _rate_of(done, total)
            games = min(chunk, total - done)
            seed = random.Random(f"{self.plan.seed} {done}").getrandbits(63)
            p.weights, error, _ = _core.backgammon_learn(p.weights, games, seed, rate)
            took = time.monotonic() - before
            p.games += games
            p.seconds += took
            self.unsaved.append(
                {"games": p.games, "seconds": round(p.seconds, 2), "rate": rate, "error": error}
            )
            self.look(done)
            chunk = max(1, min(2 * chunk, int(chunk * CHUNK_SECONDS / max(took, 1e-3))))

    def look(self, before: int) -> None:
        """Save and report at intervals; keep the weights of some milestones."""
        p, total = self.progress, self.plan.games
        if _milestone(before) < _milestone(p.games) or p.games == total:
            write(self.plan.folder / f"games-{p.games:09}.weights", pack(p.weights))
        if self.report_timer.due() or p.games == total:
            error = sum(r["error"] for r in self.unsaved) / len(self.unsaved)
            speed = p.games / max(p.seconds, 1e-9)
            log(f"{p.games:,} of {total:,} games, error {error:.4f}, {speed:.0f} games/s")
        if self.save_timer.due() or p.games == total:
            self.save()

    def save(self) -> None:
        """Save the progress, then the record: missing last lines of the record do no harm."""
        self.save_timer.restart()
        if not self.unsaved:
            return
        self.progress.write(self.file, self.plan.seed)
        mean = sum(r["error"] for r in self.unsaved) / len(self.unsaved)
        row = self.unsaved[-1] | {"error": round(mean, 6)}
        append(self.plan.folder / "record.jsonl", json.dumps(row) + "\n")
        self.unsaved.clear()


def _rate_of(done: int, total: int) -> float:
    """The learning rate after a number of games."""
    return RATE / (1 + done / HALF) * min(1.0, (total - done) / (CALM * total))


def _milestone(games: int) -> int:
    """The index of the milestone: four milestones per doubling of the games."""
    return int(4 * math.log2(games + 1))


def install(path: Path) -> None:
    """Make these the weights that zermelo.load("backgammon") uses."""
    install_weights(path, WEIGHTS)
