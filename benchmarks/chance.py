"""Compare expectiminimax on Pig with OpenSpiel, and measure what Star1, Star2 and the table save.

Both search the same tree to the same depth without pruning. Equal values and nodes are asserted,
and nodes per second are compared. The search in OpenSpiel's Python package is Python over C++
rules. `--peer PROGRAM DEPTH` compares with a program that uses its C++ library. It gets the depth
as its argument and prints the nodes it visited and its seconds.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
from typing import Any

from common import Contender, Row, interleave, show, skipped, versus

import zermelo

DEPTH = 6  # moves of players; chance outcomes cost no depth
DEEP = 10  # for zermelo's speed alone


def ours(depth: int, **options: Any) -> Any:
    return zermelo.search(
        zermelo.load("pig"),
        algorithm="expectiminimax",
        depth=depth,
        evaluate=None,
        **{"prune": "none", "table": 0, **options},
    )


def open_spiel(depth: int) -> tuple[Contender, float]:
    """OpenSpiel's Python expectiminimax with zermelo's evaluation, so that the values are equal."""
    spiel = importlib.import_module("pyspiel")
    search = importlib.import_module("open_spiel.python.algorithms.minimax")
    game = spiel.load_game("pig(horizon=100000)")
    nodes = 0

    def count(state: Any) -> int:
        return 1 + sum(count(state.child(a)) for a in state.legal_actions())

    def run(worth: Any = lambda state: 0.0) -> float:
        value, _ = search.expectiminimax(game.new_initial_state(), depth, worth, 0)
        return float(value)

    def walk(state: Any, left: int) -> None:
        nonlocal nodes
        nodes += 1
        if state.is_terminal() or left == 0:
            return
        below = left if state.is_chance_node() else left - 1
        for a in state.legal_actions():
            walk(state.child(a), below)

    walk(game.new_initial_state(), depth)
    return Contender(run, nodes), run()


def speed() -> list[Row]:
    what = f"pig to depth {DEPTH}, no pruning, OpenSpiel's Python search"
    game = zermelo.load("pig")
    blind: dict[str, Any] = {"algorithm": "expectiminimax", "prune": "none", "table": 0}
    try:
        peer, value = open_spiel(DEPTH)
    except ImportError as e:
        return [skipped(what, str(e))]
    mine = zermelo.search(game, depth=DEPTH, evaluate=lambda s, p: 0.0, **blind)
    assert mine.nodes == peer.nodes and abs(mine.value - value) < 1e-9
    me = Contender(lambda: zermelo.search(game, depth=DEPTH, **blind), mine.nodes)
    interleave([me, peer], 3)
    return [versus(what, me, peer, 100, "ours with its evaluation at every leaf, theirs 0")]


def program(path: str, depth: int) -> list[Row]:
    """Compare with a peer that prints "nodes seconds", in wall-clock time."""
    mine = ours(depth)
    ratios = []
    for _ in range(5):
        out = subprocess.run([path, str(depth)], check=True, capture_output=True, text=True).stdout
        nodes, seconds = (float(x) for x in out.split()[:2])
        again = ours(depth)
        ratios.append((again.nodes / again.elapsed) / (nodes / seconds))
    ratios.sort()
    note = f"{mine.nodes:,} nodes ours, {nodes:,.0f} theirs"
    return [Row(f"pig to depth {depth}, {path}", mine.nodes / mine.elapsed, nodes / seconds,
                "nodes/s", ratios[2], note=note)]  # fmt: skip


def savings() -> list[Row]:
    rows = []
    plain = ours(DEEP)
    for label, options in (
        ("nothing", {}),
        ("Star1", {"prune": "star1"}),
        ("Star2", {"prune": "star2"}),
        ("a table", {"table": 16}),
        ("Star2 and a table", {"prune": "star2", "table": 16}),
    ):
        r = ours(DEEP, **options)
        assert abs(r.value - plain.value) < 1e-12 and r.action == plain.action
        note = f"{r.nodes:,} nodes, {r.leaves:,} leaves, {plain.leaves / r.leaves:.3g} times fewer"
        rows.append(Row(f"pig to depth {DEEP} with {label}", r.elapsed, None, "s",
                        plain.elapsed / r.elapsed, plain.elapsed / r.elapsed,
                        plain.elapsed / r.elapsed, note=note))  # fmt: skip
    return rows


def measure() -> list[Row]:
    return [*speed(), *savings()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--peer", nargs=2, metavar=("PROGRAM", "DEPTH"))
    given = parser.parse_args()
    rows = program(given.peer[0], int(given.peer[1])) if given.peer else measure()
    show(rows, given.json)
