"""How well depth-limited expectimax plays 2048: tiles reached, scores, moves per second.

python benchmarks/game_2048.py --games 20 --depth 2 --depth 3
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from typing import Any

import zermelo
from zermelo import CHANCE


def play(game: Any, seed: int, depth: int) -> tuple[int, int, int]:
    """The largest tile, the score and the moves of one game to its end."""
    rng = random.Random(seed)
    s = game.initial()
    moves = 0
    while not game.is_terminal(s):
        if game.player(s) == CHANCE:
            actions, odds = zip(*game.outcomes(s), strict=True)
            a = rng.choices(actions, odds)[0]
        else:
            a = zermelo.search(game, s, depth=depth, table=1).action
            moves += 1
        s = game.result(s, a)
    return max(game.tiles(s)), game.score(s), moves


def measure(games: int, depth: int, seed: int) -> dict[str, Any]:
    game: Any = zermelo.load("2048")
    start = time.process_time()
    played = []
    for i in range(games):
        played.append(play(game, seed + i, depth))
        print(f"depth {depth}, game {i + 1}: {played[-1]}", file=sys.stderr)
    seconds = time.process_time() - start
    tiles = Counter(tile for tile, _, _ in played)
    scores = [score for _, score, _ in played]
    share = sum(n for tile, n in tiles.items() if tile >= 2048) / games
    return {
        "depth": depth,
        "games": games,
        "reached 2048": share,
        "standard error": (share * (1 - share) / games) ** 0.5,
        "largest tiles": dict(sorted(tiles.items())),
        "mean score": round(statistics.mean(scores)),
        "moves per second": round(sum(m for _, _, m in played) / seconds),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--depth", type=int, action="append")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for depth in given.depth or [2, 3]:
        print(json.dumps(measure(given.games, depth, given.seed)))
