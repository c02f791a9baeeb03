"""Max^n next to a few lines of Python, and what pruning and transposition tables save.

python benchmarks/many.py [TREES]    number of random trees with three players (default 200)
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import zermelo
from zermelo import search

GAMES = ["nim:piles=3,3,3,players=3", "nim:piles=3,4,4,players=4"]
ALGORITHMS: list[tuple[str, dict[str, Any]]] = [
    ("maxn", {"pruning": False}), ("maxn", {}), ("maxn", {"table": 16}), ("paranoid", {}),
    ("paranoid", {"table": 16}), ("best-reply", {}),
]  # fmt: skip


def plain(game: Any, s: Any, count: Callable[[], None]) -> tuple[float, ...]:
    """Max^n as in a textbook."""
    count()
    if game.is_terminal(s):
        return tuple(game.utility(s, p) for p in range(game.players))
    player = game.player(s)
    return max((plain(game, game.result(s, a), count) for a in game.actions(s)),
               key=lambda v: v[player])  # fmt: skip


def speed(spec: str) -> None:
    """Nodes per second on the same tree, in Python and in zermelo."""
    game = zermelo.load(spec)
    nodes = 0

    def count() -> None:
        nonlocal nodes
        nodes += 1

    start = time.perf_counter()
    values = plain(game, game.initial(), count)
    slow = nodes / (time.perf_counter() - start)
    r = search(game, algorithm="maxn", pruning=False)
    assert r.values == values and r.nodes == nodes
    fast = r.nodes / r.elapsed
    print(f"{spec}: {nodes:,} nodes; Python {slow / 1e3:.0f} k nodes/s, zermelo "
          f"{fast / 1e6:.2f} M nodes/s, {fast / slow:.0f} times")  # fmt: skip


def text(rng: random.Random, depth: int, mover: int) -> str:
    """A complete tree with three players whose utilities sum to 10."""
    if depth == 0:
        a, b = sorted((rng.randint(0, 10), rng.randint(0, 10)))
        return f"({a},{b - a},{10 - b})"
    below = " ".join(text(rng, depth - 1, mover % 3 + 1) for _ in range(3))
    return f"p{mover}({below})"


def savings(trees: int) -> None:
    rng = random.Random(1)
    games = [zermelo.tree(text(rng, 6, 1)) for _ in range(trees)]
    print(f"\nleaves of {trees} trees with three players, utility sum 10, 3^6 leaves each:")
    whole = 0
    for algorithm, options in ALGORITHMS:
        leaves = sum(search(g, algorithm=algorithm, **options).leaves for g in games)
        whole = whole or leaves
        told = " ".join(f"{k}={v}" for k, v in options.items())
        print(f"  {algorithm:<11} {told:<14} {leaves:>12,}  {leaves / whole:6.1%}")


def nodes(spec: str) -> None:
    print(f"\nnodes to the end of {spec}:")
    for algorithm, options in ALGORITHMS:
        r = search(zermelo.load(spec), algorithm=algorithm, **options)
        told = " ".join(f"{k}={v}" for k, v in options.items())
        print(f"  {algorithm:<11} {told:<14} {r.nodes:>12,}  {r.elapsed:7.3f} s")


def main() -> None:
    speed(GAMES[0])
    savings(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    for spec in GAMES:
        nodes(spec)


if __name__ == "__main__":
    main()
