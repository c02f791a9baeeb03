"""A result as plain text for a terminal."""

from __future__ import annotations

from ..game import CHANCE
from ..result import Result
from .number import number
from .words import STOPS, line_text, told, whose

ROWS = 20
LIKELY = 6  # states of a belief that are shown


def result_text(r: Result) -> str:
    """The answer, the root moves best first, and how it was found."""
    g = r.game
    if r.action is None and r.player != CHANCE:
        return f"the game is over; value {told(r, r)} for {whose(r)}"
    value = told(r, r)
    if r.error is not None:
        value += f" ± {number(r.error)}"
    if r.action is None:
        rows = [f"chance moves   value {value} for {whose(r)} ({r.kind})"]
    else:
        rows = [
            f"{g.format_action(r.action, r.state)}   value {value} for {whose(r)} "
            f"({r.kind}), player {r.player} to move",
            f"line: {line_text(r)}",
        ]
    ordered = r.ranked
    width = max((len(g.format_action(m.action, r.state)) for m in ordered[:ROWS]), default=1)
    wide = max((len(told(r, m)) for m in ordered[:ROWS]), default=8)
    for m in ordered[:ROWS]:
        name = g.format_action(m.action, r.state)
        error = f"  ± {number(m.error)}" if m.error is not None else ""
        value = f"{told(r, m):>{max(8, wide)}}"
        rows.append(f"  {name:<{width}}  {value}  {m.visits:>12,} {unit_of(r)}{error}")
    if len(ordered) > ROWS:
        rows.append(f"  … and {len(ordered) - ROWS} more")
    if r.belief is not None:
        rows += belief_rows(r)
    speed = r.nodes / r.elapsed if r.elapsed > 0 else 0
    rows.append(
        f"depth {r.depth}, {r.nodes:,} {unit_of(r)}"
        + ("" if r.algorithm == "mcts" else f" ({r.leaves:,} leaves)")
        + f", {r.elapsed:.3f} s, {speed / 1e6:.1f} M {unit_of(r)}/s"
        + (f"; stopped: {STOPS[r.stopped]}" if r.stopped else "")
    )
    rows.append(f"{r.algorithm}: {r.why}")
    return "\n".join(rows)


def belief_rows(r: Result) -> list[str]:
    """What the mover may be in, the likeliest first."""
    assert r.belief is not None
    states = f"{len(r.belief):,} states" if len(r.belief) > 1 else "one state"
    rows = [f"player {r.player} may be in {states}:"]
    summary = getattr(r.game, "belief_summary", None)
    rows += [f"  {row}" for row in summary(r.belief)] if summary else []
    for s, p in r.belief.ranked[:LIKELY]:
        rows.append(f"  {p:6.1%}  {r.game.format_state(s)}")
    if len(r.belief) > LIKELY:
        rows.append(f"  … and {len(r.belief) - LIKELY:,} more")
    return rows


def unit_of(r: Result) -> str:
    """What its `nodes` are."""
    return "simulations" if r.algorithm in ("mcts", "ismcts") else "nodes"


def progress_text(r: Result) -> str:
    """One finished depth, in a line."""
    speed = r.nodes / r.elapsed if r.elapsed > 0 else 0
    return (
        f"depth {r.depth:>2}  {told(r, r):>8}  "
        f"{r.nodes:>13,} {unit_of(r)}  "
        f"{r.elapsed:7.2f} s  {speed / 1e6:5.1f} M/s  {line_text(r)}"
    )
