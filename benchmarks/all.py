"""Run all benchmarks and print one table: zermelo, peer, ratio, target, met or not."""

from __future__ import annotations

import sys

import common
import connect_four
import import_time
import mcts
import million_leaves
import playouts
import tic_tac_toe
from common import Row

BENCHMARKS = (tic_tac_toe, connect_four, mcts, playouts, million_leaves, import_time)


def measure() -> list[Row]:
    rows = []
    for benchmark in BENCHMARKS:
        print(f"{benchmark.__name__} …", file=sys.stderr)
        try:
            rows += benchmark.measure()
        except Exception as e:  # one that fails must not hide the others
            rows.append(Row(benchmark.__name__, note=f"FAILED: {type(e).__name__}: {e}", met=False))
    return rows


if __name__ == "__main__":
    common.main(measure, __doc__)
