"""Kriegspiel: guaranteed mates with king and rook, with their plans.

Each row is a belief: White's pieces and the possible squares of the black king. The plan is
replayed against every reply in every state, by the rules alone.
"""

from __future__ import annotations

import argparse
import json
import time

import zermelo

CORNER = "a1 b1 c1 a2 b2 c2 a3 b3 c3"
BELIEFS = [
    ("8/8/8/8/8/2K5/3R4/8", "a1 b1 c1 a3"),
    ("8/8/8/8/3K4/3R4/8/8", "a1 b1 c1 a2 b2 c2"),
    ("8/8/8/3K4/3R4/8/8/8", CORNER),
    ("8/8/8/8/3RK3/8/8/8", CORNER),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=float, default=60, help="time limit per belief in seconds")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game = zermelo.load("kriegspiel")
    rows = []
    for men, squares in BELIEFS:
        states = game.somewhere(men, squares.split())
        start = time.process_time()
        r = zermelo.search(game, states[0], "guaranteed", belief=states, time=given.time)
        row = {"men": men, "squares": len(states), "nodes": r.nodes,
               "seconds": time.process_time() - start}  # fmt: skip
        if r.plan is not None and r.belief is not None:
            told = r.plan.replay(r.belief)
            row |= {"decisions": told.moves, "sets": told.sets, "ends": told.ends}
        rows.append(row)
    if given.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'squares':>7}{'decisions':>10}{'sets':>6}{'mates':>7}{'nodes':>9}{'s':>7}  men")
    for row in rows:
        told = [row.get(name, "-") for name in ("decisions", "sets", "ends")]
        print(f"{row['squares']:>7}{told[0]:>10}{told[1]:>6}{told[2]:>7}{row['nodes']:>9,}"
              f"{row['seconds']:>7.2f}  {row['men']}")  # fmt: skip


if __name__ == "__main__":
    main()
