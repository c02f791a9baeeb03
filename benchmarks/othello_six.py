"""How far 6x6 Othello is from being solved: the time of exact solutions, ply by ply.

    python benchmarks/othello_six.py --until 60

The engine plays both sides from the start position. Then the positions of that game are solved from
the end backwards, one ply earlier each time, until one takes longer than --until seconds. The
growth per ply shows how long the empty board would take. (The published value is -4: 16-20.)
"""

from __future__ import annotations

import argparse
import time

import zermelo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--until", type=float, default=60, help="time limit of the last solution in seconds"
    )
    parser.add_argument("--table", type=int, default=1024, help="megabytes")
    parser.add_argument("--think", type=float, default=1, help="seconds per move of the game")
    arguments = parser.parse_args()
    game = zermelo.load("othello:size=6")
    states = [game.initial()]
    while not game.is_terminal(states[-1]):
        r = zermelo.search(game, states[-1], algorithm="engine", time=arguments.think)
        states.append(game.result(states[-1], r.action))
    times: list[tuple[int, float]] = []
    for s in reversed(states[:-1]):
        empty = game.format_state(s).split()[0].count("-")
        start = time.process_time()
        r = zermelo.solve(game, s, table=arguments.table)
        seconds = time.process_time() - start
        times.append((empty, seconds))
        print(f"{empty:2} empty: {r.value:+.0f}, {r.nodes:,} nodes, {seconds:.2f} s", flush=True)
        if seconds > arguments.until:
            break
    slow = [(e, s) for e, s in times if s > 0.1]
    if len(slow) > 2:
        growth = (slow[-1][1] / slow[0][1]) ** (1 / (slow[-1][0] - slow[0][0]))
        days = slow[-1][1] * growth ** (32 - slow[-1][0]) / 86400
        print(f"each empty square takes {growth:.2f} times as long; all 32: about {days:.1f} days")


if __name__ == "__main__":
    main()
