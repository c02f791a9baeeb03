"""Shared by the benchmarks: interleaved timing, result rows, and printing.

The machine may be shared and noisy, so every claim is a ratio of two things measured in turn in the
same run. The ratio of each round is taken, and the median round counts. Ratios are of processor
time, all threads together: in wall-clock time, a short run can fit between other people's work
while a long one cannot, which flatters the faster contender. The wall-clock ratio is printed too.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

ROUND_SECONDS = 0.1  # a contender that is faster than this runs again within its turn
ROUNDS = 7


@dataclass
class Row:
    what: str
    ours: float | None = None
    peer: float | None = None
    unit: str = ""
    ratio: float | None = None  # median of the rounds
    best_ratio: float | None = None  # zermelo's best run to the peer's best
    wall_ratio: float | None = None  # median of the rounds, wall-clock time
    target: str = ""
    met: bool | None = None
    note: str = ""


@dataclass
class Contender:
    """Something to time: `run` visits `nodes` nodes."""

    run: Callable[[], Any]
    nodes: int
    seconds: list[float] = field(default_factory=list)  # processor time, median run of the round
    wall: list[float] = field(default_factory=list)  # wall-clock time
    best: float = float("inf")

    def turn(self) -> None:
        end = time.perf_counter() + ROUND_SECONDS
        runs, walls = [], []
        while not runs or time.perf_counter() < end:
            wall, start = time.perf_counter(), time.process_time()
            self.run()
            runs.append(time.process_time() - start)
            walls.append(time.perf_counter() - wall)
        self.seconds.append(statistics.median(runs))
        self.wall.append(statistics.median(walls))
        self.best = min(self.best, *runs)

    @property
    def speed(self) -> float:
        """Nodes per second in the median round."""
        return self.nodes / statistics.median(self.seconds)


def interleave(contenders: Iterable[Contender], rounds: int = ROUNDS) -> None:
    """Run all contenders in turn, `rounds` times, so that a slow minute affects all."""
    everybody = list(contenders)
    for _ in range(rounds):
        for c in everybody:
            c.turn()


def versus(what: str, ours: Contender, peer: Contender, at_least: float = 0, note: str = "") -> Row:
    """The ratio of nodes per second, zermelo to peer."""
    scale = ours.nodes / peer.nodes

    def rounds(mine: list[float], theirs: list[float]) -> float:
        return statistics.median(scale * b / a for a, b in zip(mine, theirs, strict=True))

    found = rounds(ours.seconds, peer.seconds)
    return Row(
        what,
        ours.speed,
        peer.speed,
        "nodes/s",
        found,
        scale * peer.best / ours.best,
        rounds(ours.wall, peer.wall),
        f">= {at_least:g}x" if at_least else "",
        found >= at_least if at_least else None,
        note,
    )


def within(what: str, seconds: list[float], at_most: float, note: str = "") -> Row:
    """A row for seconds with a limit; the median decides."""
    middle = statistics.median(seconds)
    note = f"best {min(seconds):.3g} s" + (f"; {note}" if note else "")
    return Row(
        what, middle, None, "s", target=f"<= {at_most:g} s", met=middle <= at_most, note=note
    )


def skipped(what: str, why: str) -> Row:
    return Row(what, note=f"skipped: {why}")


def worker(*arguments: str, env: dict[str, str] | None = None) -> Any:
    """The JSON that a new Python process prints."""
    out = subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, text=True, env=env
    )
    return json.loads(out.stdout)


def figure(x: float | None, unit: str = "") -> str:
    if x is None:
        return "-"
    if unit == "nodes/s":
        return f"{x / 1e6:.1f} M/s" if x >= 1e6 else f"{x / 1e3:.1f} k/s"
    return f"{x:.3g} {unit}".strip()


def times(x: float | None) -> str:
    return "-" if x is None else f"{x:.0f}x" if x >= 100 else f"{x:.3g}x"


def ratios(row: Row) -> str:
    if row.ratio is None:
        return "-"
    return f"{times(row.ratio)} (best {times(row.best_ratio)}, wall {times(row.wall_ratio)})"


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [["what", "zermelo", "peer", "ratio", "target", "met", "note"]]
    for r in rows:
        met = {True: "yes", False: "NO", None: "-"}[r.met]
        ours, peer = figure(r.ours, r.unit), figure(r.peer, r.unit)
        lines.append([r.what, ours, peer, ratios(r), r.target or "-", met, r.note])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    lines.insert(1, ["-" * w for w in widths])
    return "\n".join(
        "| " + " | ".join(x.ljust(w) for x, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    )


def show(rows: list[Row], as_json: bool) -> None:
    print(json.dumps([asdict(r) for r in rows], indent=1) if as_json else table(rows))


def main(measure: Callable[[], list[Row]], doc: str | None) -> None:
    """The command line of a benchmark."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON document")
    arguments = parser.parse_args()
    show(measure(), arguments.json)
