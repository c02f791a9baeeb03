"""Switch off each part of the engine and measure nodes and processor time to the same depth.

All rows use the same random positions. The ratio is relative to the engine with everything on.
Parts that trade certainty for depth (reductions, probcut) should also be measured in matches:
`zermelo match othello engine:time=0.1 engine:time=0.1,probcut=off`.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import zermelo

PARTS = (
    "pvs", "aspiration", "killers", "symmetry", "move_hints", "etc", "lmr",
    "probcut", "null_move", "pruning", "extensions", "quiescence",
)  # fmt: skip
GAMES = {
    "connect-four": 14,
    "checkers": 13,
    "othello": 10,
    "chess": 8,
    "tic-tac-toe:m=5,n=5,k=4": 6,
}


def positions(game: Any, count: int, seed: int) -> list[Any]:
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        s = game.initial()
        for _ in range(rng.choice((2, 4, 8, 12))):
            if not game.is_terminal(s):
                s = game.result(s, rng.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            found.append(s)
    return found


def cost(game: Any, states: list[Any], depth: int, options: dict[str, Any]) -> tuple[int, float]:
    """Nodes, and the shortest processor time of three rounds."""
    nodes, seconds = 0, float("inf")
    for _ in range(3):
        start = time.process_time()
        results = [
            zermelo.search(game, s, algorithm="engine", depth=depth, **options) for s in states
        ]
        seconds = min(seconds, time.process_time() - start)
        nodes = sum(r.nodes for r in results)
    return nodes, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| game, depth | switched off | nodes | seconds | nodes, ratio | time, ratio |")
    print("|---|---|---|---|---|---|")
    for name, depth in GAMES.items():
        game = zermelo.load(name)
        states = positions(game, arguments.positions, arguments.seed)
        rows: list[tuple[str, dict[str, Any]]] = [("nothing", {})]
        rows += [(part, {part: False}) for part in PARTS]
        rows.append(("most of the table", {"table": 1}))
        base = cost(game, states, depth, {})
        for part, options in rows:
            nodes, seconds = cost(game, states, depth, options)
            if part != "nothing" and nodes == base[0]:
                continue  # this part is not used in this game
            print(
                f"| {name}, {depth} | {part} | {nodes:,} | {seconds:.2f} | "
                f"{nodes / base[0]:.2f} | {seconds / base[1]:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
