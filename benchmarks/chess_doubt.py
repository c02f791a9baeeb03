"""How far the value of a chess search is from the evaluation: mean and deviation, in pawns.

The hint `doubt` (core/games/chess) was fitted to such a table. The positions are quiet ones from
self-play games of the engine. The table also shows half the width of the middle 68 %, which is
robust against rare large differences. Decided games are left out.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

import zermelo
from zermelo import _core
from zermelo.games.native import State
from zermelo.learn.chess import EXAMPLE

DEPTHS = range(1, 8)
PAIRS = ((3, 1), (4, 2), (5, 3), (6, 4), (7, 5), (6, 2), (7, 3))
STAGES = ((0, 6), (6, 14), (14, 25))  # a queen counts 4, a rook 2, a minor piece 1
WORTH = (0, 1, 1, 2, 4, 0)


def state(game: Any, e: Any) -> tuple[State, int]:
    men, phase = ["."] * 64, 0
    for piece, board in enumerate(e["by"].tolist()):
        for square in range(64):
            if board >> square & 1:
                white = int(e["white"]) >> square & 1
                men[square] = "pPnNbBrRqQkK"[2 * piece + white]
                phase += WORTH[piece]
    flat = _core.chess_state("".join(men), int(e["mover"]), int(e["castle"]), 0, 0, 1)
    return State(game, flat), phase


def row(gaps: Any) -> str:
    if len(gaps) < 20:
        return f"{'':>20}"
    low, high = np.percentile(gaps, [16, 84])
    return f"{gaps.mean():+6.2f} {gaps.std():6.2f} {(high - low) / 2:6.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=1000, help="nodes per move of the games")
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    game: Any = zermelo.load("chess")
    flat, _, _ = _core.chess_games(
        game.handle, game.handle, arguments.positions // 8 + 1, arguments.seed, arguments.nodes, 8
    )
    found = np.frombuffer(flat, EXAMPLE)
    rng = random.Random(arguments.seed)
    chosen = rng.sample(range(len(found)), min(arguments.positions, len(found)))
    said: dict[int, list[float]] = {d: [] for d in (0, *DEPTHS)}
    phases = []
    for i in chosen:
        s, phase = state(game, found[i])
        sign = -1 if game.player(s) else 1  # for the player to move
        searched = [
            zermelo.search(game, s, algorithm="engine", depth=d, pruning=False) for d in DEPTHS
        ]
        if any(r.kind != "estimate" for r in searched):
            continue
        values = (game.evaluate(s, 0), *(r.value for r in searched))
        for d, value in zip((0, *DEPTHS), values, strict=True):
            said[d].append(sign * value)
        phases.append(phase)
    words = {d: np.array(v) for d, v in said.items()}
    stage = np.array(phases)
    print(f"{len(stage)} positions; mean, standard deviation, half of the middle 68 %")
    heads = "".join(f"  phase {a:>2} to {b - 1:<2}      " for a, b in STAGES)
    print(f"deep shallow  all                 {heads}")
    for deep, shallow in (*((d, 0) for d in DEPTHS), *PAIRS):
        gaps = words[deep] - words[shallow]
        cells = [row(gaps), *(row(gaps[(stage >= a) & (stage < b)]) for a, b in STAGES)]
        print(f"{deep:4} {shallow:7}  " + "  ".join(cells))


if __name__ == "__main__":
    main()
