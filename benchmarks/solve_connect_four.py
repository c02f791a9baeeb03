"""Exact scores of connect four positions: all right, and the mean time of one (best of nine runs).

FILE has a position and its score (of the player to move) on each line, as in "4453 -2"; such sets
are published with solvers of the game. --peer PROGRAM is run on the same positions, one a line on
its standard input, in the same run: its time, less that of a run on one position, beside ours.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path

import zermelo

ROUNDS = 9


def peer_seconds(program: str, rows: list[list[str]]) -> float:
    """The least of some runs: what the machine does besides only adds."""
    text = "".join(f"{position}\n" for position, _ in rows)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([program], input=text, text=True, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--table", type=int, default=32, help="megabytes")
    parser.add_argument("--peer", help="a program that reads positions")
    arguments = parser.parse_args()
    game = zermelo.load("connect-four:score=distance")
    for file in arguments.files:
        rows = [line.split() for line in file.read_text().splitlines() if line.strip()]
        states = [game.parse_state(position) for position, _ in rows]
        runs = [zermelo.solve_all(game, states, table=arguments.table) for _ in range(ROUNDS)]
        solved = min(runs, key=lambda run: sum(f.seconds for f in run))
        wrong = 0
        for s, (_, score), found in zip(states, rows, solved, strict=True):
            wrong += found.value != (int(score) if game.player(s) == 0 else -int(score))
        seconds = sum(f.seconds for f in solved)
        nodes = sum(f.nodes for f in solved)
        line = (
            f"{file.name}: {len(rows)} positions, {wrong} wrong; each "
            f"{seconds / len(rows) * 1e6:.1f} µs "
            f"and {nodes / len(rows):.0f} nodes, {nodes / seconds / 1e6:.2f} M nodes/s"
        )
        if arguments.peer:
            peer = peer_seconds(arguments.peer, rows) - peer_seconds(arguments.peer, rows[:1])
            line += f"; peer {peer / len(rows) * 1e6:.1f} µs, ratio {peer / seconds:.2f}x"
        print(line)


if __name__ == "__main__":
    main()
