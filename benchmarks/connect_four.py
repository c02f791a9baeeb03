"""Connect four, alpha-beta at one depth: native, compiled and plain Python rules next to peers.

The three kinds of game and a plain Python alpha-beta search the same tree (asserted): same move
order, same evaluation at the depth limit. easyAI has its own rules and evaluation, so only its
nodes per second are comparable.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from typing import Any

import common
import rules
from common import Contender, Row, interleave, skipped, versus, within
from tic_tac_toe import easyai

import zermelo

DEPTH = 8
COMPILES = 3  # new processes


def python_alphabeta(game: Any, depth: int) -> tuple[float, int]:
    """Alpha-beta in plain Python: fail-soft, prunes at equality; a win outranks any evaluation."""
    nodes, win = 0, 1e6

    def value(s: Any, depth: int, alpha: float, beta: float) -> float:
        nonlocal nodes
        nodes += 1
        if game.is_terminal(s):
            return win * game.utility(s, 0)
        if depth == 0:
            return game.evaluate(s, 0)
        if game.player(s) == 0:
            best = -2 * win
            for a in game.actions(s):
                best = max(best, value(game.result(s, a), depth - 1, alpha, beta))
                if best >= beta:
                    break
                alpha = max(alpha, best)
        else:
            best = 2 * win
            for a in game.actions(s):
                best = min(best, value(game.result(s, a), depth - 1, alpha, beta))
                if best <= alpha:
                    break
                beta = min(beta, best)
        return best

    return value(game.initial(), depth, -2 * win, 2 * win), nodes


def searched(game: Any, value: float, nodes: int) -> Contender:
    def run() -> None:
        r = zermelo.search(game, algorithm="alphabeta", depth=DEPTH)
        assert (r.value, r.nodes) == (value, nodes), (r.value, r.nodes, value, nodes)

    return Contender(run, nodes)


def compile_once() -> float:
    """Seconds of zermelo.compile in this new process, the import of Numba included."""
    game = rules.ConnectFour()
    start = time.perf_counter()
    zermelo.compile(game)
    return time.perf_counter() - start


def compile_times() -> list[Row]:
    first, cached = [], []
    for _ in range(COMPILES):
        with tempfile.TemporaryDirectory() as cache:
            env = os.environ | {"ZERMELO_CACHE": cache}
            first.append(common.worker(__file__, "--compile-once", env=env))
            cached.append(common.worker(__file__, "--compile-once", env=env))
    return [
        within("connect four, compiling, first time", first, 8, "new process, empty cache"),
        within("connect four, compiling, from the cache", cached, 2, "new process"),
    ]


def measure() -> list[Row]:
    own = rules.ConnectFour()
    value, nodes = python_alphabeta(own, DEPTH)
    native = searched(zermelo.load("connect-four"), value, nodes)
    plain = searched(own, value, nodes)
    baseline = Contender(lambda: python_alphabeta(own, DEPTH), nodes)
    everybody = [native, plain, baseline]
    rest: list[Row] = []
    name = f"connect four depth {DEPTH},"
    same = f"{nodes:,} nodes each"
    compiled = peer = None
    try:
        compiled = searched(zermelo.compile(own), value, nodes)
        everybody.append(compiled)
    except zermelo.CompileError as e:
        rest.append(skipped(f"{name} compiled", str(e)))
    try:
        peer = easyai("ConnectFour", DEPTH)
        everybody.append(peer)
    except ImportError as e:
        rest.append(skipped(f"{name} easyAI", f"{e.name} is not installed"))
    interleave(everybody, 5)
    rows = []
    if compiled:
        rows.append(versus(f"{name} compiled / native", compiled, native, 0.5, same))
        rows += compile_times()
        rows.append(versus(f"{name} compiled / plain alpha-beta", compiled, baseline, note=same))
    rows.append(versus(f"{name} Python rules / plain alpha-beta", plain, baseline, 2, same))
    rows.append(versus(f"{name} native / plain alpha-beta", native, baseline, note=same))
    if peer:
        note = f"easyAI {peer.nodes:,} nodes in {min(peer.wall):.1f} s"
        rows.append(versus(f"{name} native / easyAI", native, peer, 50, note))
        rows.append(versus(f"{name} Python rules / easyAI", plain, peer, note=note))
    return rows + rest


if __name__ == "__main__":
    if sys.argv[1:] == ["--compile-once"]:
        print(json.dumps(compile_once()))
    else:
        common.main(measure, __doc__)
