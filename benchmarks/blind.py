"""Blind tic-tac-toe: its size, and how exploitability falls, with both rules.

python benchmarks/blind.py [--iterations N]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import zermelo


def size(game: Any) -> tuple[int, int, int]:
    """Histories, positions and information sets; histories are counted by paths to a position."""
    handle = game.handle
    level = {handle.initial(): 1}
    histories = positions = 0
    known: set[tuple[int, int]] = set()
    while level:  # every attempt leads to a position with one more mark known or placed
        histories += sum(level.values())
        positions += len(level)
        below: dict[bytes, int] = {}
        for s, ways in level.items():
            player = handle.to_move(s)
            if player < 0:
                continue
            known.add((player, handle.observation(s, player)))
            for a in handle.actions(s):
                t = handle.play(s, a)
                below[t] = below.get(t, 0) + ways
        level = below
    return histories, positions, len(known)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=100)
    asked = parser.parse_args()
    for rule in ("classical", "abrupt"):
        game = zermelo.load(f"blind-tic-tac-toe:rule={rule}")
        histories, positions, known = size(game)
        print(f"{rule}: {histories:,} histories, {positions:,} positions, {known:,} views")
        start = time.process_time()
        policy = zermelo.equilibrium(game, "cfr+", iterations=asked.iterations)
        for n, _, conv in policy.curve:
            print(f"  {n:5} iterations: exploitability {conv / 2:.5f}")
        print(f"  value {policy.value:.5f}; {time.process_time() - start:.1f} s of processor time")


if __name__ == "__main__":
    main()
