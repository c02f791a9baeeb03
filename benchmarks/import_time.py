"""The time of ``import zermelo`` in new processes, and the size of a wheel (``--wheel PATH``)."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import common
from common import Row, within

RUNS = 9
PROBE = """
import time
start = time.perf_counter()
{what}
print(time.perf_counter() - start)
"""


def seconds(what: str) -> float:
    return float(common.worker("-c", PROBE.format(what=what)))


def measure(wheel: str | None = None) -> list[Row]:
    seconds("import zermelo")  # the first run writes bytecode
    imports, trees = [], []
    for _ in range(RUNS):
        imports.append(seconds("import zermelo"))
        trees.append(seconds("import zermelo; zermelo.tree('max(1 2)')"))
    rows = [
        within("import zermelo", imports, 0.3, "new processes"),
        within("import zermelo, and a first tree", trees, 0.3, "loads NumPy"),
    ]
    wheel = wheel or os.environ.get("ZERMELO_WHEEL")
    if wheel:
        file = Path(wheel)
        rows.append(Row("the wheel", file.stat().st_size / 1e6, None, "MB", note=file.name))
    else:
        rows.append(common.skipped("the wheel", "give --wheel PATH or ZERMELO_WHEEL"))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--wheel", help="also print the size of this file")
    arguments = parser.parse_args()
    common.show(measure(arguments.wheel), arguments.json)
