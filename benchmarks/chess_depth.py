"""The depth that a million nodes reach on 20 middlegame positions (textbook alpha-beta: 8 plies).

The positions come from self-play games of the engine, 24 plies after a random opening.
"""

from __future__ import annotations

import argparse
import random
import statistics
from typing import Any

import zermelo


def middlegame(game: Any, number: int) -> Any:
    """A position of an even game with most pieces on the board."""
    rng = random.Random(number)
    while True:
        s = game.initial()
        for _ in range(6):
            s = game.result(s, rng.choice(game.actions(s)))
        for _ in range(18):
            if game.is_terminal(s):
                break
            r = zermelo.search(game, s, algorithm="engine", nodes=3000)
            s = game.result(s, r.action)
        men = sum(c.isalpha() for c in game.format_state(s).split()[0])
        if not game.is_terminal(s) and abs(r.value) < 1 and men >= 24:
            return s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--positions", type=int, default=20)
    arguments = parser.parse_args()
    game = zermelo.load("chess")
    depths = []
    for number in range(arguments.positions):
        s = middlegame(game, number)
        r = zermelo.search(game, s, algorithm="engine", nodes=arguments.nodes)
        depths.append(r.depth)
        print(f"depth {r.depth:>2}  {game.format_state(s)}  {game.format_action(s, r.action)}")
    print(
        f"{arguments.nodes:,} nodes: depth {min(depths)} to {max(depths)}, "
        f"mean {statistics.mean(depths):.1f}"
    )


if __name__ == "__main__":
    main()
