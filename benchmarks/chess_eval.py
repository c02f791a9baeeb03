"""Play a match between two chess evaluations at equal nodes.

A player is a weight file made by zermelo train chess, "installed" (used by zermelo.load), "thumb"
(the weights that training starts from) or "material". Each opening is a few random moves that leave
the game roughly even, and is played from both sides. Games that both sides consider decided are
adjudicated.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from zermelo import _core
from zermelo.arena import Match
from zermelo.games.chess import WEIGHTS
from zermelo.games.chess.weights import unpack

PAIRS = 10  # games in parallel


def player(name: str) -> Any:
    if name == "material":
        return _core.chess(518, False, material=True)
    if name == "thumb":
        return _core.chess(518, False)
    path = WEIGHTS if name == "installed" else Path(name)
    return _core.chess(518, False, weights=unpack(path.read_bytes()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes per move")
    parser.add_argument("--plies", type=int, default=8, help="random moves per opening")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    a, b = player(arguments.first), player(arguments.second)
    match = Match("chess", (arguments.first, arguments.second), arguments.seed)
    for number in range(-(-arguments.games // (2 * PAIRS))):
        seed = random.Random(f"{arguments.seed} {number}").getrandbits(48)
        pairs = min(PAIRS, -(-arguments.games // 2) - number * PAIRS)
        _, results, whole = _core.chess_games(a, b, pairs, seed, arguments.nodes, arguments.plies)
        match.results += results[: len(results) // 2 * 2]
        print(match, flush=True)
        if not whole:
            break


if __name__ == "__main__":
    main()
