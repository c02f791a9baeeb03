"""An equilibrium, learned by regret minimisation and kept in a folder.

What has been learned is saved at least twice a minute, so that a run that was stopped, or killed,
goes on where it was. `policy.json` is the average strategy, `curve.svg` how its NashConv fell
("sampling" measures none).
"""

from __future__ import annotations

import io
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..equilibrium.cfr import Curve, check_way, minimise
from ..errors import UsageError
from ..files import write
from ..games import load
from ..view.curve_svg import curve_svg
from .backgammon import say
from .kept import claim, damaged

SAVE_SECONDS = 20.0
TELL_SECONDS = 1.0
WIDE, HIGH, EDGE = 640, 300, 56


@dataclass
class Plan:
    """How to learn."""

    game: str
    folder: Path
    algorithm: str = "cfr+"
    iterations: int | None = None
    target: float | None = None
    time: float | None = None
    seed: int = 1


class Keeper:
    """Saves now and then what a solver has learned."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.path = plan.folder / "progress.npz"
        self.name = f"{plan.game} {plan.algorithm}"
        self.saved = self.told = time.monotonic()
        self.solver: Any = None
        self.curve: Curve = []

    def go_on(self, solver: Any) -> Curve:
        if not self.path.exists():
            return []
        try:
            with np.load(self.path) as kept:
                learned, curve = kept["learned"], kept["curve"]
            done = int(curve[-1][0])
        except Exception:  # whatever NumPy finds wrong with a file
            raise damaged(self.path) from None
        if not solver.go_on(learned.tolist(), done):
            raise UsageError(
                f"what {self.path} holds does not fit {self.plan.game}: its rules have changed",
                "name another folder",
            )
        return [(int(n), float(s), float(c)) for n, s, c in curve]

    def save(self, solver: Any, curve: Curve, now: bool = False) -> None:
        if time.monotonic() - self.told >= TELL_SECONDS:
            self.told = time.monotonic()
            done, seconds, conv = curve[-1]
            known = "" if math.isnan(conv) else f", NashConv {conv:.3g}"
            say(f"{done:,} iterations, {seconds:.1f} s{known}")
        self.solver, self.curve = solver, curve
        if now or time.monotonic() - self.saved >= SAVE_SECONDS:
            self.saved = time.monotonic()
            data = io.BytesIO()
            np.savez(
                data, name=np.array(self.name), seed=np.array(self.plan.seed, np.uint64),
                learned=np.array(solver.learned()), curve=np.array(curve),
            )  # fmt: skip
            write(self.path, data.getvalue())


def train(plan: Plan) -> Path:
    """Until its limits; returns the file of the policy."""
    check_way(plan.algorithm)
    keeper = Keeper(plan)
    claim(plan.folder, keeper.name, plan.seed)
    path = plan.folder / "policy.json"
    try:
        policy = minimise(
            load(plan.game), plan.algorithm, iterations=plan.iterations, target=plan.target,
            time=plan.time, seed=plan.seed, keep=keeper,
        )  # fmt: skip
    finally:
        if keeper.curve:
            keeper.save(keeper.solver, keeper.curve, now=True)
    policy.save(path)
    if plan.algorithm != "sampling":  # which holds no tree, so that it measures nothing
        write(plan.folder / "curve.svg", picture(keeper.curve, keeper.name).encode())
    return path


def picture(curve: Curve, title: str) -> str:
    """NashConv by iterations, both in powers of ten."""
    points = [(math.log10(max(1, n)), math.log10(max(c, 1e-12))) for n, _, c in curve]
    left, right = 0.0, max(1.0, math.ceil(max(x for x, _ in points)))
    low, high = math.floor(min(y for _, y in points)), math.ceil(max(y for _, y in points))
    high = max(high, low + 1)

    def x(v: float) -> float:
        return EDGE + (v - left) / (right - left) * (WIDE - EDGE - 36)

    def y(v: float) -> float:
        return 30 + (high - v) / (high - low) * (HIGH - 80)

    parts = [f'<text x="{WIDE / 2}" y="18" class="mid">{title}</text>']
    for tick in range(low, high + 1):
        parts.append(f'<path class="grid" d="M{EDGE} {y(tick):.1f}H{WIDE - 36}"/>')
        parts.append(
            f'<text x="{EDGE - 6}" y="{y(tick) + 4:.1f}" class="end">{10.0**tick:g}</text>'
        )
    for tick in range(int(left), int(right) + 1):
        parts.append(f'<text x="{x(tick):.1f}" y="{HIGH - 32}" class="mid">{10**tick:,}</text>')
    line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
    parts.append(f'<polyline class="line" points="{line}"/>')
    return curve_svg(title, "NashConv by iterations", parts, WIDE, HIGH)
