"""Solve Othello endgames: correct scores and moves, and the time next to a peer.

FILE has one position per line in OBF: 64 squares, the side, then the score of every good move, as
in "…X; A2:+38; C7:+36;". --peer COMMAND is a program with the NBoard protocol that solves the same
positions in turn with zermelo; --folder is its working directory.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from nboard import NBoard

import zermelo

DEPTH = 60  # depth of the peer: to the end of the game


def scores_of(line: str) -> dict[str, int]:
    """The scores of the moves, for the player to move."""
    pairs = (part.split(":") for part in line.split(";")[1:] if ":" in part)
    return {move.strip().lower(): int(score) for move, score in pairs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--table", type=int, default=64, help="megabytes")
    parser.add_argument("--first", type=int, help="use only the first N positions of each file")
    parser.add_argument("--peer", help="a program with the NBoard protocol")
    parser.add_argument("--folder", help="working directory of the peer")
    arguments = parser.parse_args()
    game: Any = zermelo.load("othello")
    for file in arguments.files:
        ours = peers = 0.0
        wrong = peer_wrong = nodes = 0
        lines = [line for line in file.read_text().splitlines() if line.strip()]
        for line in lines[: arguments.first]:
            s = game.parse_state(line)
            scores = scores_of(line)
            best = max(scores.values())
            start = time.perf_counter()
            r = zermelo.solve(game, s, table=arguments.table)
            seconds = time.perf_counter() - start
            value = r.value if game.player(s) == 0 else -r.value
            right = value == best == scores.get(r.action)
            row = f"{sum(g.count(-1) for g in game.grid(s))} empty  {r.action} {value:+.0f}  "
            row += f"{'right' if right else 'WRONG'}  {seconds:8.3f} s  {r.nodes:>10,} nodes"
            ours, wrong, nodes = ours + seconds, wrong + (not right), nodes + r.nodes
            if arguments.peer:
                with NBoard(arguments.peer, arguments.folder, DEPTH) as peer:
                    move, worth, seconds = peer.ask(game, s)
                peer_right = scores.get(move) == best and worth in (
                    None,
                    best,
                )  # the peer may not report it
                row += f"  peer {move} {'right' if peer_right else 'WRONG'} {seconds:8.3f} s"
                peers, peer_wrong = peers + seconds, peer_wrong + (not peer_right)
            print(row, flush=True)
        total = f"{file.name}: {len(lines[: arguments.first])} positions, {wrong} wrong, "
        total += f"{ours:.2f} s, {nodes:,} nodes"
        if arguments.peer:
            total += f"; peer {peer_wrong} wrong, {peers:.2f} s; ratio {peers / ours:.2f}x"
        print(total)


if __name__ == "__main__":
    main()
