"""Pac-Man: the textbook table of four pairings over many games with error bars, and the speed.

The textbook table has five games per cell: minimax or expectimax, 4 rounds deep, against a ghost
that searches 2 rounds deep and approaches Pac-Man, or moves randomly. Here each cell has --games
games, with the 95 % intervals of the games won and of the mean score. Then minimax over the native
rules is compared with minimax over the same rules in plain Python, in states per second.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import common
from common import Contender, Row, interleave, versus

import zermelo
from zermelo.arena.pacman_demos import DEMOS, find

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from slow_pacman import SlowPacman

LECTURE = ("5/5, 483", "5/5, 493", "1/5, -303", "5/5, 503")
ROUNDS = 3  # depth of the speed comparison: Pac-Man and both ghosts


def slow_minimax(game: SlowPacman, depth: int) -> tuple[float, int]:
    """The value and the number of visited states."""
    if game.over() or depth == 0:
        return game.score, 1
    values, states = [], 1
    for way in game.legal():
        after = game.copy()
        after.play(way)
        v, n = slow_minimax(after, depth - 1)
        values.append(v)
        states += n
    return (max if game.turn == 0 else min)(values), states


def measure() -> list[Row]:
    game: Any = zermelo.load("pacman:layout=medium")
    agents = 1 + game.layout.ghosts
    slow = SlowPacman(list(game.layout.rows))
    value, states = slow_minimax(slow, agents * 2)
    same = zermelo.search(game, algorithm="minimax", depth=agents * 2, evaluate="score")
    assert (same.value, same.nodes) == (value, states)
    depth = agents * ROUNDS * 2
    nodes = zermelo.search(game, algorithm="minimax", depth=depth, evaluate="score").nodes
    ours = Contender(
        lambda: zermelo.search(game, algorithm="minimax", depth=depth, evaluate="score"), nodes
    )
    peer = Contender(lambda: slow_minimax(slow, agents * 2), states)
    interleave([ours, peer])
    note = f"{nodes:,} states; the same values and nodes at depth {agents * 2}"
    return [versus("Pac-Man minimax, two ghosts / plain Python", ours, peer, note=note)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games per cell")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    demo = find("pac-man", DEMOS)
    rows = []
    for row, told in zip(demo.play(arguments.games, arguments.seed), LECTURE, strict=True):
        rows.append(row)
        low, high = row.series.interval
        if not arguments.json:
            print(
                f"{row.label:<32} won {row.series.won:>4} of {len(row.series.runs)} "
                f"({low:.1%} to {high:.1%})  score {row.series.score:7.1f} ± "
                f"{row.series.score_error:5.1f}   lecture: {told}",
                flush=True,
            )
    if arguments.json:
        print(json.dumps([{"label": r.label, **r.series.to_json(), "runs": []} for r in rows]))
        return
    print(demo.verdict(rows), end="\n\n")
    print(common.table(measure()))


if __name__ == "__main__":
    main()
