"""What each part of Monte Carlo tree search is worth at equal time per move.

    python benchmarks/mcts_parts.py --records build/mcts_parts
    python benchmarks/mcts_parts.py --games go:size=9 --parts rave playouts --time 0.1 --count 100

Each row is a match of two option sets of `mcts`. Every opening is played from both sides. The
score is that of the first set, with a 95 % interval in which both games of an opening are one
sample. With --records, every match has a JSONL file in that directory and resumes if it exists.
Both players run in turn in one process, so a busy machine slows them alike.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import zermelo

Options = dict[str, Any]
PLAIN: Options = {"rave": 0, "rollout": "random", "priors": False, "widening": 0}
# By game: the exploration constant of plain UCT, and what each part changes.
GAMES: dict[str, dict[str, Options]] = {
    "hex:size=7": {
        "uct": {"exploration": 1.0},
        "rave": {"rave": 1000, "exploration": 0.0},
        "playouts": {"rollout": "playout"},
        "priors": {"priors": True},
        "widening": {"widening": 8},
    },
    "connect-four": {
        "uct": {"exploration": 1.0},
        "rave": {"rave": 30},
        "playouts": {"rollout": "playout"},
        "priors": {"priors": True},
        "widening": {"widening": 3},
    },
    "go:size=9": {
        "uct": {"exploration": 0.5},
        "rave": {"rave": 1000, "exploration": 0.05},
        "playouts": {"rollout": "playout"},
        "priors": {"priors": True, "exploration": 1.0},
        "widening": {"widening": 8},
    },
}
# By row: the parts of the first player, and those of its opponent beyond plain UCT.
ROWS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rave": (("rave",), ()),
    "playouts": (("playouts",), ()),
    "priors": (("priors",), ()),
    "widening": (("priors", "widening"), ("priors",)),
    "rave+playouts": (("playouts", "rave"), ()),
    "all": (("playouts", "rave", "priors"), ()),
}


def player(game: str, parts: tuple[str, ...], seconds: float) -> str:
    """An `mcts` player for zermelo.match with these parts."""
    options: Options = dict(PLAIN)
    for part in ("uct", *parts):
        options |= GAMES[game][part]
    chosen = {k: v for k, v in options.items() if v != PLAIN.get(k) or k in ("rave", "rollout")}
    words = {True: "on", False: "off"}
    texts = [f"{k}={words[v] if isinstance(v, bool) else v}" for k, v in chosen.items()]
    return ",".join([f"mcts:time={seconds:g}", *texts])


def row(game: str, name: str, arguments: argparse.Namespace) -> zermelo.Match:
    """One match, resumed from its record if there is one."""
    mine, theirs = (player(game, parts, arguments.time) for parts in ROWS[name])
    record = None
    if arguments.records is not None:
        arguments.records.mkdir(parents=True, exist_ok=True)
        record = arguments.records / f"{re.sub(r'[^a-z0-9]+', '-', f'{game} {name}')}.jsonl"

    def progress(m: zermelo.Match) -> None:
        print(f"\r{game} {name}: {len(m.results)}/{arguments.count}", end="", file=sys.stderr)

    found = zermelo.match(
        zermelo.load(game), (mine, theirs), arguments.count, record=record, on_game=progress
    )
    print(file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    parser.add_argument("--parts", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--time", type=float, default=0.05, help="seconds per move")
    parser.add_argument("--count", type=int, default=200, help="games per row")
    parser.add_argument("--records", type=Path, default=None, help="directory of match records")
    arguments = parser.parse_args()
    print("| game | part | against | games | score | 95 % interval | Elo |")
    print("|---|---|---|---|---|---|---|")
    for game in arguments.games:
        for name in arguments.parts:
            m = row(game, name, arguments)
            against = "+".join(ROWS[name][1]) or "uct"
            (low, high), (elo, *_) = m.interval, m.elo
            print(
                f"| {game} | {name} | {against} | {len(m.results)} | {m.score:.1%} | "
                f"{low:.1%} to {high:.1%} | {elo:+.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
