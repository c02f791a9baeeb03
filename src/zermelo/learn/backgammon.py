"""Backgammon's evaluation, learned: the program plays itself and corrects what it said.

What was said of a position moves toward what is said after the next roll and play (temporal
differences, as in TD-Gammon), by steps that get smaller from game to game. Nothing else is put in:
no games of others, no book.

Everything is kept in one folder. What has been learned is saved at least twice a minute, so that a
run that was stopped, or killed, goes on where it was; `record.jsonl` tells how it went, and the
weights of some moments are kept for its curve (``benchmarks/backgammon.py --curve``).
"""

from __future__ import annotations

import io
import json
import math
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from ..files import append, write
from ..games.backgammon.weights import WEIGHTS, pack
from .kept import claim, damaged

SAVE_SECONDS = 20.0
TELL_SECONDS = 10.0
CHUNK_SECONDS = 1.0  # of games between two looks at the clock
RATE, HALF = 0.3, 20_000  # of learning: at first, and games to half of it
CALM = 0.3  # the last part of the games, in which the rate goes down to 0


@dataclass
class Plan:
    """How to learn."""

    folder: Path
    games: int = 1_500_000
    time: float | None = None  # seconds of this run
    seed: int = 1


@dataclass
class Progress:
    """What is saved."""

    weights: bytes
    games: int = 0
    seconds: float = 0.0

    def write(self, path: Path, seed: int) -> None:
        numbers = np.array([self.games, self.seconds])
        data = io.BytesIO()
        weights = np.frombuffer(self.weights, "<f4")
        np.savez(data, weights=weights, numbers=numbers, seed=str(seed))
        write(path, data.getvalue())

    @staticmethod
    def read(path: Path) -> Progress:
        try:
            with np.load(path) as kept:
                games, seconds = kept["numbers"]
                weights = kept["weights"].astype("<f4")
            if weights.size != _core.backgammon_floats or not np.isfinite(weights).all():
                raise ValueError
        except Exception:  # whatever NumPy finds wrong with a file
            raise damaged(path) from None
        return Progress(weights.tobytes(), int(games), float(seconds))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def train(plan: Plan) -> Path:
    """All games, or as far as the time reaches; returns the file of the weights."""
    claim(plan.folder, "backgammon", plan.seed)
    kept = plan.folder / "progress.npz"
    progress = Progress.read(kept) if kept.exists() else fresh(plan)
    run = Run(plan, progress, kept)
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
    """One run: from what was saved on."""

    def __init__(self, plan: Plan, progress: Progress, kept: Path) -> None:
        self.plan, self.progress, self.kept = plan, progress, kept
        self.began = self.saved = self.told = time.monotonic()
        self.end = None if plan.time is None else self.began + plan.time
        self.unsaved: list[dict[str, Any]] = []

    def learn(self) -> None:
        """The games that are missing."""
        p, total = self.progress, self.plan.games
        chunk = 20
        while p.games < total:
            before = time.monotonic()
            if self.end is not None and before >= self.end:
                return
            done = p.games
            rate = rate_of(done, total)
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
        """Saves and tells now and then, and keeps the weights of some moments."""
        now, p, total = time.monotonic(), self.progress, self.plan.games
        if milestone(before) < milestone(p.games) or p.games == total:
            write(self.plan.folder / f"games-{p.games:09}.weights", pack(p.weights))
        if now - self.told >= TELL_SECONDS or p.games == total:
            self.told = now
            error = sum(r["error"] for r in self.unsaved) / len(self.unsaved)
            speed = p.games / max(p.seconds, 1e-9)
            say(f"{p.games:,} of {total:,} games, error {error:.4f}, {speed:.0f} games a second")
        if now - self.saved >= SAVE_SECONDS or p.games == total:
            self.save()

    def save(self) -> None:
        """Progress first: a record that lacks its last lines is no harm."""
        self.saved = time.monotonic()
        if not self.unsaved:
            return
        self.progress.write(self.kept, self.plan.seed)
        mean = sum(r["error"] for r in self.unsaved) / len(self.unsaved)
        row = self.unsaved[-1] | {"error": round(mean, 6)}
        append(self.plan.folder / "record.jsonl", json.dumps(row) + "\n")
        self.unsaved.clear()


def rate_of(done: int, total: int) -> float:
    """How far a step goes after so many games."""
    return RATE / (1 + done / HALF) * min(1.0, (total - done) / (CALM * total))


def milestone(games: int) -> int:
    """Grows when a moment has come: four times while the games double."""
    return int(4 * math.log2(games + 1))


def install(path: Path) -> None:
    """Makes these the weights that zermelo.load("backgammon") uses."""
    write(WEIGHTS, path.read_bytes())
