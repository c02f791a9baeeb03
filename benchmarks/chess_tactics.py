"""Count the solved positions of an EPD file with known best moves (bm, am).

    python benchmarks/chess_tactics.py FILE.epd --time 1

The files are not in the repository; well-known ones are "Win at Chess" and "Bratko-Kopec".
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import zermelo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--time", type=float, default=1.0, help="seconds per position")
    parser.add_argument("--nodes", type=int, help="nodes per position, instead of a time")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    limit = {"nodes": arguments.nodes} if arguments.nodes else {"time": arguments.time}
    game = zermelo.load("chess")
    solved = total = 0
    for number, line in enumerate(Path(arguments.file).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        s, operations = game.parse_epd(line.strip())
        best, avoid = (
            {game.parse_action(s, m) for m in operations.get(name, [])} for name in ("bm", "am")
        )
        # Only the answer at the end of the search counts.
        r = zermelo.search(game, s, algorithm="engine", threads=arguments.threads, **limit)
        good = (r.action in best or not best) and r.action not in avoid
        total += 1
        solved += good
        if not good:
            name = " ".join(operations.get("id", [f"line {number}"]))
            print(f"{name}: {game.format_action(s, r.action)}, depth {r.depth}", file=sys.stderr)
    print(f"{solved} of {total} solved, {' '.join(f'{k} {v}' for k, v in limit.items())} each")


if __name__ == "__main__":
    main()
