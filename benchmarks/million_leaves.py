"""A tree of a million leaves: seconds to read it, seconds to search it, and peak memory.

Ten children per node, six plies, leaves from 0 to 99. Each way to make the tree runs in new
processes, so that each has its own peak.
"""

from __future__ import annotations

import json
import random
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

import common
from common import Row, within

import zermelo
from zermelo.explicit.tree import complete

BRANCHING, DEPTH = 10, 6
LEAVES = BRANCHING**DEPTH
RUNS = 3


def text_of(leaves: list[int], depth: int = DEPTH, first: int = 0) -> str:
    """The tree as text."""
    if depth == 0:
        return str(leaves[first])
    width = BRANCHING ** (depth - 1)
    below = " ".join(text_of(leaves, depth - 1, first + i * width) for i in range(BRANCHING))
    return f"{'max' if (DEPTH - depth) % 2 == 0 else 'min'}({below})"


def peak() -> float:
    """Peak memory of this process in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, ru_maxrss starts at the value of the parent process
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(kind: str) -> dict[str, Any]:
    """Run in a separate process: make the tree, then search it."""
    dice = random.Random(1)
    leaves = [dice.randrange(100) for _ in range(LEAVES)]
    text = text_of(leaves) if kind == "text" else ""
    before = peak()
    start = time.perf_counter()
    tree = zermelo.tree(text) if kind == "text" else complete(BRANCHING, DEPTH, leaves)
    found: dict[str, Any] = {"make": time.perf_counter() - start, "before": before}
    found["made"] = peak()
    for algorithm in ("minimax", "alphabeta"):
        start = time.perf_counter()
        r = zermelo.search(tree, algorithm=algorithm)
        found[algorithm] = time.perf_counter() - start
        found[f"{algorithm}_leaves"] = r.leaves
        assert found.setdefault("value", r.value) == r.value
    assert found["minimax_leaves"] == LEAVES
    return found | {"peak": peak()}


def measure() -> list[Row]:
    kinds = ("text", "complete")
    found: dict[str, list[Any]] = {kind: [] for kind in kinds}
    for _ in range(RUNS):
        for kind in kinds:
            found[kind].append(common.worker(__file__, "--worker", kind))
    assert len({f["value"] for runs in found.values() for f in runs}) == 1
    rows = []
    for kind in kinds:
        runs = found[kind]
        made = max(f["peak"] for f in runs)
        note = f"peak {made:.0f} MB, {runs[0]['before']:.0f} MB of it before (Python, the leaves)"
        row = within(f"a million leaves, made from {kind}", [f["make"] for f in runs], 0, note)
        row.target, row.met = "", None
        rows.append(row)
        for algorithm in ("minimax", "alphabeta"):
            what = f"a million leaves, {algorithm} of the {kind} tree"
            note = f"{runs[0][f'{algorithm}_leaves']:,} leaves visited"
            rows.append(within(what, [f[algorithm] for f in runs], 1, note))
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        print(json.dumps(run(sys.argv[2])))
    else:
        common.main(measure, __doc__)
