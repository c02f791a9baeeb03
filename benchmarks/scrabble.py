"""Scrabble: the word graph, the move generator next to plain Python, and matches of the players.

Positions come from games of the greedy player. Both generators must find the same plays (checked).
Times are of the same positions, one after the other. Matches use the same bags from both seats
(pairs); the error is half the 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from scrabble_plain import plays, trie_of

import zermelo
from zermelo import _core
from zermelo.games.scrabble import greedy, simulation
from zermelo.games.scrabble.words import find


def positions(game: Any, count: int, seed: int) -> list[Any]:
    """States of greedy games in which a player moves."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s):
            if game.player(s) < 0:
                tiles, odds = zip(*game.outcomes(s), strict=True)
                s = game.result(s, rng.choices(tiles, odds)[0])
                continue
            found.append(s)
            s = game.result(s, greedy(game, s))
    return rng.sample(found, count)


def generators(game: Any, path: Path, count: int, plain: int, seed: int) -> dict[str, Any]:
    """Measure both generators and check that they agree."""
    text = path.read_bytes()
    start = time.perf_counter()
    words = _core.scrabble_words(text.lower() if text.isupper() else text)
    built = time.perf_counter() - start
    states = positions(game, count, seed)
    flat = [game.data(s) for s in states]
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        found = _core.scrabble_count(game.handle, flat)
        seconds.append(time.perf_counter() - start)
    known = [w.upper() for w in text.decode(errors="replace").lower().split() if words.has(w)]
    trie = trie_of(known)
    start = time.perf_counter()
    slow = sum(1 for s in states[:plain] for _ in plays(trie, game.table(s).board, game.rack(s)))
    by_python = (time.perf_counter() - start) / plain
    alike = _core.scrabble_count(game.handle, flat[:plain])
    if alike != slow:
        raise SystemExit(f"the generators disagree: {alike} and {slow} plays")
    native = statistics.median(seconds) / count
    return {"words": words.count, "nodes": words.nodes, "arcs": words.arcs, "build_seconds": built,
            "positions": count, "plays": found / count, "native_us": native * 1e6,
            "python_us": by_python * 1e6, "ratio": by_python / native}  # fmt: skip


def meet(game: Any, a: Any, b: Any, games: int, seed: int) -> dict[str, Any]:
    """Play a match in pairs; returns the mean points and the score."""

    def told(m: Any) -> None:
        print(f"\r{len(m.results)} of {games}", end="", file=sys.stderr)

    m = zermelo.match(game, [a, b], games, opening=0, seed=seed, on_game=told)
    print(file=sys.stderr)
    if m.stopped:  # interrupted: fewer games than planned
        raise KeyboardInterrupt
    pairs = [sum(m.results[i : i + 2]) / 2 for i in range(0, len(m.results) - 1, 2)]
    error = 1.96 * statistics.stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else float("nan")
    return {"players": list(m.players), "games": games, "score": m.score, "error": m.error,
            "points": statistics.mean(m.results), "points_error": error}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", default="default", help="the word list, a file")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument(
        "--plain", type=int, default=50, help="number of positions for plain Python"
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--deals", type=int, default=50, help="deals per simulation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game: Any = zermelo.load(f"scrabble:words={given.words}")
    path = find(given.words)
    said: dict[str, Any] = {}
    said["generator"] = generators(game, path, given.positions, given.plain, given.seed)
    rows = []
    pairs: list[tuple[Any, Any]] = []
    if given.games:
        pairs = [(greedy, "random:1"), (simulation(deals=given.deals, seed=given.seed), greedy)]
    for a, b in pairs:
        rows.append(meet(game, a, b, given.games, given.seed))
    said["matches"] = rows
    if given.json:
        print(json.dumps(said, indent=1))
        return
    g = said["generator"]
    print(f"{g['words']} words: {g['nodes']} nodes, {g['arcs']} arcs, {g['build_seconds']:.3f} s")
    print(f"{g['plays']:.0f} plays per position; native {g['native_us']:.0f} us, plain Python "
          f"{g['python_us']:.0f} us: {g['ratio']:.0f} times")  # fmt: skip
    for r in rows:
        a, b = r["players"]
        print(f"{a} against {b}: {r['score']:.1%} ± {r['error']:.1%} of {r['games']}, "
              f"{r['points']:+.1f} ± {r['points_error']:.1f} points per game")  # fmt: skip


if __name__ == "__main__":
    main()
