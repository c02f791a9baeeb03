"""``zermelo equilibrium`` of a game with hidden information."""

from __future__ import annotations

import math
from pathlib import Path
from time import monotonic
from typing import Any

from ...equilibrium.policy import Policy, number
from ...game import action_label
from ...games import names
from .shared import columns, emit, err, load_at

PROGRESS_EVERY = 1.0  # seconds
MOST_ROWS = 60


def names_a_game(text: str) -> bool:
    """A game that :func:`zermelo.load` makes, not payoffs."""
    named = text.strip().partition(":")[0] in names() or text.strip().endswith(".efg")
    return named or ".py:" in text or "(" in text


def report(
    text: str, algorithm: str, limits: dict[str, Any], out: Path | None, as_json: bool
) -> None:
    """Finds it, keeps it, prints it."""
    from ...equilibrium.nash import equilibrium

    shown = monotonic()

    def progress(iterations: int, seconds: float, conv: float) -> None:
        nonlocal shown
        if monotonic() - shown > PROGRESS_EVERY:
            shown = monotonic()
            known = "" if math.isnan(conv) else f", NashConv {conv:.3g}"
            err.print(f"{iterations:,} iterations, {seconds:.1f} s{known}", style="dim")

    game, _ = load_at(text, None)
    policy = equilibrium(game, algorithm, on_progress=progress, **limits)
    if out is not None:
        policy.save(out)
    if as_json:
        emit(document(policy))
        return
    told = [(f"player {p}", str(seen) or "-", odds_of(game, odds))
            for (p, seen), odds in policy.table.items()]  # fmt: skip
    columns(told[:MOST_ROWS])
    if len(told) > MOST_ROWS:
        print(f"… {len(told):,} in all: --json or --out FILE has them")
    if math.isnan(policy.nash_conv):
        print(f"{len(told):,} information sets met in {policy.iterations:,} iterations of "
              f"{policy.algorithm}; NashConv was not measured")  # fmt: skip
        return
    values = ", ".join(f"{v:.6g}" for v in policy.values)
    print(f"values {values}; NashConv {policy.nash_conv:.3g}, "
          f"exploitability {policy.exploitability:.3g}; {policy.iterations:,} iterations of "
          f"{policy.algorithm}")  # fmt: skip


def odds_of(game: Any, odds: Any) -> str:
    return "  ".join(f"{action_label(game, a)} {p:.3f}" for a, p in odds.items())


def document(policy: Policy) -> dict[str, Any]:
    return {
        "game": policy.game.name,
        "algorithm": policy.algorithm,
        "iterations": policy.iterations,
        "values": [number(v) for v in policy.values],
        "nash_conv": number(policy.nash_conv),
        "exploitability": number(policy.exploitability),
        "policy": [
            {"player": p, "sees": seen,
             "odds": {action_label(policy.game, a): x for a, x in odds.items()}}
            for (p, seen), odds in policy.table.items()
        ],
        "curve": [{"iterations": n, "seconds": s, "nash_conv": c} for n, s, c in policy.curve],
    }  # fmt: skip
