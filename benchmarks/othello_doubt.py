"""How far a deep Othello search is from a shallow one: mean and standard deviation.

The hint `doubt` (core/games/othello) was fitted to such a table. The positions come from games of a
shallow search that plays a tenth of its moves randomly.
"""

from __future__ import annotations

import argparse
import random
import statistics
from typing import Any

import zermelo

PAIRS = ((4, 2), (5, 3), (6, 2), (7, 3), (8, 4), (9, 5))
STAGES = ((14, 24), (24, 34), (34, 44), (44, 56))  # empty squares


def position(game: Any, rng: random.Random) -> tuple[Any, int]:
    while True:
        s, plies = game.initial(), rng.randint(8, 46)
        for ply in range(plies):
            if game.is_terminal(s):
                break
            if ply < 6 or rng.random() < 0.1:
                s = game.result(s, rng.choice(list(game.actions(s))))
            else:
                s = game.result(s, zermelo.search(game, s, algorithm="engine", depth=2).action)
        if not game.is_terminal(s):
            return s, sum(c in "-." for c in game.format_state(s).split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=400)
    arguments = parser.parse_args()
    game, rng = zermelo.load("othello"), random.Random(11)
    rows = [position(game, rng) for _ in range(arguments.positions)]
    depths = sorted({d for pair in PAIRS for d in pair})
    said = {
        d: [
            zermelo.search(game, s, algorithm="engine", depth=d, probcut=False).value
            for s, _ in rows
        ]
        for d in depths
    }
    print("deep shallow " + " ".join(f"{a:>3}-{b} empty" for a, b in STAGES))
    for deep, shallow in PAIRS:
        cells = []
        for low, high in STAGES:
            gaps = [
                said[deep][i] - said[shallow][i] for i, (_, e) in enumerate(rows) if low <= e < high
            ]
            cells.append(f"{statistics.mean(gaps):+5.2f} {statistics.stdev(gaps):5.2f}")
        print(f"{deep:4} {shallow:7} " + "  ".join(cells))


if __name__ == "__main__":
    main()
