"""Equilibria by regret minimization, in a run directory.

Saves at least twice a minute; an interrupted run resumes. `policy.json` is the average strategy,
`curve.svg` plots its NashConv (if the algorithm stores the tree, which measuring needs).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..equilibrium.cfr import Curve, minimize
from ..equilibrium.variants import DEFAULT_VARIANT, find_variant
from ..errors import UsageError
from ..files import write
from ..games import load
from ..view.curve_svg import curve_svg
from .run_directory import (
    SAVE_SECONDS,
    Timer,
    damaged,
    load_arrays,
    log,
    open_run,
    save_arrays,
)

REPORT_SECONDS = 1.0
WIDE, HIGH, EDGE = 640, 300, 56


@dataclass
class Plan:
    """The settings of a run."""

    game: str
    folder: Path
    algorithm: str = DEFAULT_VARIANT
    iterations: int | None = None
    target: float | None = None
    time: float | None = None
    seed: int = 1


class Keeper:
    """Saves the progress of a solver at intervals."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.name = f"{plan.game} {plan.algorithm}"
        self.path = open_run(plan.folder, self.name, plan.seed)
        self.save_timer, self.report_timer = Timer(SAVE_SECONDS), Timer(REPORT_SECONDS)
        self.solver: Any = None
        self.curve: Curve = []

    def resume(self, solver: Any) -> Curve:
        """Resume the saved run, if there is one; return its curve."""
        if not self.path.exists():
            return []
        learned, curve = load_arrays(self.path, "learned", "curve")
        try:
            done = int(curve[-1][0])
        except (LookupError, TypeError, ValueError):
            raise damaged(self.path) from None
        if not solver.resume(learned.tolist(), done):
            raise UsageError(
                f"{self.path} does not match {self.plan.game}: the rules have changed",
                "choose another folder",
            )
        return [(int(n), float(s), float(c)) for n, s, c in curve]

    def save(self, solver: Any, curve: Curve, now: bool = False) -> None:
        if self.report_timer.due():
            done, seconds, conv = curve[-1]
            known = "" if math.isnan(conv) else f", NashConv {conv:.3g}"
            log(f"{done:,} iterations, {seconds:.1f} s{known}")
        self.solver, self.curve = solver, curve
        if self.save_timer.due() or now:
            learned = np.array(solver.learned())
            save_arrays(self.path, self.plan.seed, name=np.array(self.name), learned=learned,
                        curve=np.array(curve))  # fmt: skip


def train(plan: Plan) -> Path:
    """Minimize regret until a limit is reached; return the path of the policy."""
    variant = find_variant(plan.algorithm)
    keeper = Keeper(plan)
    path = plan.folder / "policy.json"
    try:
        policy = minimize(
            load(plan.game), plan.algorithm, iterations=plan.iterations, target=plan.target,
            time=plan.time, seed=plan.seed, keep=keeper,
        )  # fmt: skip
    finally:
        if keeper.curve:
            keeper.save(keeper.solver, keeper.curve, now=True)
    policy.save(path)
    if variant.stores_tree:
        write(plan.folder / "curve.svg", picture(keeper.curve, keeper.name).encode())
    return path


def picture(curve: Curve, title: str) -> str:
    """Plot NashConv by iterations on logarithmic axes."""
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
