"""Play an Othello match against a program with the NBoard protocol, at equal times.

Every opening is a few random moves and is played from both sides. The peer searches to a fixed
depth (--depth). For each move, zermelo gets the mean time of the peer's moves in that game so far.
Both times are printed.
"""

from __future__ import annotations

import argparse
import random
import statistics
from typing import Any

from nboard import NBoard

import zermelo

LEAST = 0.005  # seconds per move before the peer has moved
PASS = "pass"


def opening(game: Any, rng: random.Random, plies: int) -> Any:
    s = game.initial()
    for _ in range(plies):
        s = game.result(s, rng.choice(game.actions(s)))
    return s


def play(game: Any, s: Any, ours: int, peer: NBoard, table: int) -> tuple[float, float, float]:
    """Play one game from `s`; returns zermelo's disc lead and the seconds of both."""
    spent: list[float] = []
    used = 0.0
    while not game.is_terminal(s):
        if game.actions(s) == [PASS]:
            s = game.result(s, PASS)
        elif game.player(s) == ours:
            allowed = max(LEAST, statistics.mean(spent) if spent else 0.0)
            r = zermelo.search(game, s, algorithm="engine", time=allowed, table=table)
            used += r.elapsed
            s = game.result(s, r.action)
        else:
            move, _, seconds = peer.ask(game, s)
            spent.append(seconds)
            s = game.result(s, move)
    return game.utility(s, ours), used, sum(spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True, help="a program with the NBoard protocol")
    parser.add_argument("--folder", help="working directory of the peer")
    parser.add_argument("--depth", type=int, default=10, help="depth of the peer's search")
    parser.add_argument("--openings", type=int, default=50, help="each is played from both sides")
    parser.add_argument("--plies", type=int, default=10, help="random moves per opening")
    parser.add_argument(
        "--table", type=int, default=16, help="zermelo's transposition table in megabytes"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = zermelo.load("othello")
    rng = random.Random(arguments.seed)
    leads: list[float] = []
    ours = peers = 0.0
    with NBoard(arguments.peer, arguments.folder, arguments.depth) as peer:
        for number in range(arguments.openings):
            s = opening(game, rng, arguments.plies)
            for side in (0, 1):
                lead, mine, theirs = play(game, s, side, peer, arguments.table)
                leads.append(lead)
                ours, peers = ours + mine, peers + theirs
            print(f"opening {number + 1}: {leads[-2]:+.0f} {leads[-1]:+.0f}", flush=True)
    won, lost = sum(x > 0 for x in leads), sum(x < 0 for x in leads)
    drawn = len(leads) - won - lost
    print(
        f"{won} won, {drawn} drawn, {lost} lost of {len(leads)}: "
        f"{100 * (won + drawn / 2) / len(leads):.1f} %, "
        f"{statistics.mean(leads):+.2f} discs per game; "
        f"zermelo {ours:.1f} s, peer {peers:.1f} s"
    )


if __name__ == "__main__":
    main()
