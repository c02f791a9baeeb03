"""A result as plain text for a terminal."""

from __future__ import annotations

from ..game import CHANCE
from ..result import Result
from .explain import STOPS, line_text, simulates, value_text, whose
from .names import outcome, player_name
from .number import count, number, rate

ROWS = 20
LIKELY = 6  # states of a belief that are shown


def result_text(r: Result) -> str:
    """The answer, the root moves best first, and how it was found."""
    g = r.game
    if r.action is None and r.player != CHANCE:
        return f"the game is over: {outcome(g, r.values)}; value {value_text(r, r)} for {whose(r)}"
    value = value_text(r, r)
    if r.error is not None:
        value += f" ± {number(r.error)}"
    if r.action is None:
        rows = [f"chance moves   value {value} for {whose(r)} ({r.kind})"]
    else:
        rows = [
            f"{g.format_action(r.state, r.action)}   value {value} for {whose(r)} "
            f"({r.kind}), {player_name(g, r.player)} to move",
            f"line: {line_text(r)}",
        ]
    ordered = r.ranked
    width = max((len(g.format_action(r.state, m.action)) for m in ordered[:ROWS]), default=1)
    wide = max((len(value_text(r, m)) for m in ordered[:ROWS]), default=8)
    for m in ordered[:ROWS]:
        name = g.format_action(r.state, m.action)
        error = f"  ± {number(m.error)}" if m.error is not None else ""
        value = f"{value_text(r, m):>{max(8, wide)}}"
        unit = _unit_of(r).removesuffix("s" * (m.visits == 1))
        rows.append(f"  {name:<{width}}  {value}  {m.visits:>12,} {unit}{error}")
    if len(ordered) > ROWS:
        rows.append(f"  … and {len(ordered) - ROWS} more")
    if r.belief is not None:
        rows += _belief_rows(r)
    leaves = f"{r.leaves:,} {'leaf' if r.leaves == 1 else 'leaves'}"
    rows.append(
        f"depth {r.depth}, {count(r.nodes, _unit_of(r)[:-1])}"
        + ("" if simulates(r) else f" ({leaves})")
        + f", {r.elapsed:.3f} s, {rate(r.nodes, r.elapsed, _unit_of(r))}"
        + (f"; stopped: {STOPS[r.stopped]}" if r.stopped else "")
    )
    rows.append(f"algorithm: {r.algorithm}, {r.why}")
    return "\n".join(rows)


def _belief_rows(r: Result) -> list[str]:
    """The states consistent with what the player has observed, the likeliest first."""
    assert r.belief is not None
    states = count(len(r.belief), "state")
    rows = [f"consistent with what {player_name(r.game, r.player)} has observed: {states}"]
    summary = getattr(r.game, "belief_summary", None)
    rows += [f"  {row}" for row in summary(r.belief)] if summary else []
    for s, p in r.belief.ranked[:LIKELY]:
        rows.append(f"  {p:6.1%}  {r.game.format_state(s)}")
    if len(r.belief) > LIKELY:
        rows.append(f"  … and {len(r.belief) - LIKELY:,} more")
    return rows


def _unit_of(r: Result) -> str:
    """What its `nodes` are."""
    return "simulations" if simulates(r) else "nodes"


def progress_text(r: Result) -> str:
    """One finished depth, in a line."""
    return (
        f"depth {r.depth:>2}  {value_text(r, r):>8}  "
        f"{r.nodes:>13,} {_unit_of(r)}  "
        f"{r.elapsed:7.2f} s  {rate(r.nodes, r.elapsed, _unit_of(r)):>15}  {line_text(r)}"
    )
