"""Two threads against one at equal time: nodes a second, and a match.

The speeds are taken in turn on the same positions; the match is `zermelo.match`, each opening from
both sides. Run it on a machine with two idle cores.
"""

from __future__ import annotations

import argparse
import random
import statistics

import zermelo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="othello")
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--record", help="a file to go on from, if stopped")
    arguments = parser.parse_args()
    game = zermelo.load(arguments.game)
    rng = random.Random(1)
    ratios = []
    for _ in range(10):
        s = game.initial()
        for _ in range(10):
            s = game.result(s, rng.choice(list(game.actions(s))))
        one, two = (
            zermelo.search(game, s, algorithm="engine", time=0.5, threads=n) for n in (1, 2)
        )
        ratios.append((two.nodes / two.elapsed) / (one.nodes / one.elapsed))
    print(f"nodes a second, two threads to one: {statistics.median(ratios):.2f} (median of 10)")
    limit = f"time={arguments.time}"
    print(
        zermelo.match(
            game,
            (f"engine:{limit},threads=2", f"engine:{limit}"),
            arguments.games,
            opening=8,
            record=arguments.record,
        )
    )


if __name__ == "__main__":
    main()
