"""Leduc poker to a NashConv of 0.01, next to OpenSpiel's C++ solver of the same algorithm (CFR+).

Both run in turn on the same tree with six distinct cards and are checked every few iterations with
the clock stopped. Then zermelo runs on the tree with three ranks, which is the same game.
"""

from __future__ import annotations

import argparse
import time

import pyspiel

import zermelo
from zermelo import _core


def theirs(target: float) -> tuple[float, int]:
    game = pyspiel.load_game("leduc_poker")
    start = time.process_time()
    solver = pyspiel.CFRPlusSolver(game)
    spent = time.process_time() - start
    for iteration in range(1, 100_000):
        start = time.process_time()
        solver.evaluate_and_update_policy()
        spent += time.process_time() - start
        if iteration % 10 == 0:
            conv = pyspiel.nash_conv(game, solver.tabular_average_policy())
            if conv <= target:
                return spent, iteration
    raise SystemExit("the target was not reached")


def ours(spec: str, target: float) -> tuple[float, int]:
    game = zermelo.load(spec)
    start = time.process_time()
    solver = _core.Regret(game.handle, game.handle.initial(), "cfr+", 0, 1 << 24)
    spent = time.process_time() - start
    while True:
        start = time.process_time()
        solver.iterate(10, 0.0)
        spent += time.process_time() - start
        values, replies = solver.measure()
        if sum(replies) - sum(values) <= target:
            return spent, solver.iterations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=float, default=1e-2)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    best = {"peer": (9e9, 0), "leduc:suits=yes": (9e9, 0), "leduc": (9e9, 0)}
    for _ in range(arguments.rounds):
        best["peer"] = min(best["peer"], theirs(arguments.target))
        for spec in ("leduc:suits=yes", "leduc"):
            best[spec] = min(best[spec], ours(spec, arguments.target))
    for name, (seconds, iterations) in best.items():
        ratio = best["peer"][0] / seconds
        print(f"{name:16} {iterations} iterations, {1000 * seconds:8.1f} ms, {ratio:.0f}x")


if __name__ == "__main__":
    main()
