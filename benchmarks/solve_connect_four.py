"""Solve connect four positions: correct scores, and the mean time of one (best of 15 runs).

FILE has a position and its score (for the player to move) on each line, as in "4453 -2"; such sets
are published with solvers of the game. --peer PROGRAM gets the same positions, one per line on its
standard input, in the same run. Its time is reduced by that of a run on one position. If that is
less than the variation of its start-up time, --drawn N measures both on N random positions, as far
into the game as those of the file, and compares the scores.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

import zermelo

ROUNDS = 15


def peer_seconds(program: str, rows: list[list[str]]) -> float:
    with tempfile.TemporaryFile("w+") as positions, open(os.devnull, "w") as nowhere:
        positions.write("".join(f"{position}\n" for position, _ in rows))
        positions.seek(0)
        start = time.perf_counter()
        # Files instead of pipes, so that the cost of pipes does not count for the peer.
        subprocess.run([program], stdin=positions, stdout=nowhere, stderr=nowhere, check=True)
        return time.perf_counter() - start


def drawn(game: zermelo.Game, rows: list[list[str]], count: int, program: str) -> list[list[str]]:
    """Random positions with as many discs as those of `rows`, and the peer's scores."""
    chance = random.Random(1)
    positions: list[str] = []
    while len(positions) < count:
        s = game.initial()
        for _ in chance.choice(rows)[0]:
            if not game.is_terminal(s):
                s = game.result(s, chance.choice(game.actions(s)))
        if not game.is_terminal(s):
            positions.append(game.format_state(s))
    answers = subprocess.run(
        [program], input="\n".join(positions) + "\n", text=True, capture_output=True, check=True
    )
    return [line.split()[:2] for line in answers.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--table", type=int, default=32, help="megabytes")
    parser.add_argument("--peer", help="a program that reads positions")
    parser.add_argument("--drawn", type=int, default=0, metavar="N")
    arguments = parser.parse_args()
    if arguments.drawn and not arguments.peer:
        parser.error("--drawn compares with a peer: name one with --peer")
    game = zermelo.load("connect-four:score=distance")
    for file in arguments.files:
        rows = [line.split() for line in file.read_text().splitlines() if line.strip()]
        if arguments.drawn:
            rows = drawn(game, rows, arguments.drawn, arguments.peer)
        states = [game.parse_state(position) for position, _ in rows]
        runs, whole, start = [], [], []  # in turn, best of each: noise only adds time
        for _ in range(ROUNDS):
            runs.append(zermelo.solve_all(game, states, table=arguments.table))
            if arguments.peer:
                whole.append(peer_seconds(arguments.peer, rows))
                start.append(peer_seconds(arguments.peer, rows[:1]))
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
            peer = min(whole) - min(start)
            line += f"; peer {peer / len(rows) * 1e6:.1f} µs, ratio {peer / seconds:.2f}x"
        print(line)


if __name__ == "__main__":
    main()
