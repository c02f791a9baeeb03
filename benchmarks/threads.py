"""Compare two threads with one: nodes per second, time to a depth, and a match at equal time.

The speeds are measured in turn on the same positions. The match is `zermelo.match`, each opening
from both sides. Run it on a machine with two idle cores.
"""

from __future__ import annotations

import argparse
import random
import statistics

import zermelo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="othello")
    parser.add_argument("--time", type=float, default=0.05, help="seconds per move")
    parser.add_argument("--depth", type=int, default=13, help="depth of the time comparison")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--record", help="record file; resumes if it exists")
    arguments = parser.parse_args()
    game = zermelo.load(arguments.game)
    rng = random.Random(1)
    speeds, sooner = [], []
    for _ in range(20):
        s = game.initial()
        for _ in range(10):
            s = game.result(s, rng.choice(list(game.actions(s))))
        one, two = (
            zermelo.search(game, s, algorithm="engine", time=0.5, threads=n) for n in (1, 2)
        )
        speeds.append((two.nodes / two.elapsed) / (one.nodes / one.elapsed))
        one, two = (
            zermelo.search(game, s, algorithm="engine", depth=arguments.depth, threads=n)
            for n in (1, 2)
        )
        sooner.append(one.elapsed / two.elapsed)
    print(f"nodes per second, two threads to one: {statistics.median(speeds):.2f} (median of 20)")
    mean = statistics.geometric_mean(sooner)
    print(f"depth {arguments.depth} is reached {mean:.2f} times as fast (geometric mean of 20)")
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
