"""A result for a notebook: the picture and a table of the root moves."""

from __future__ import annotations

from html import escape

from ..game import CHANCE
from ..result import Result
from .explain import line_text, simulates, value_text, whose

ROWS = 12


def result_html(r: Result) -> str:
    """A self-contained fragment; colours follow the page."""
    picture = r._repr_svg_() or f"<pre>{escape(r.game.board(r.state))}</pre>"
    if r.action is None and r.player != CHANCE:
        return f"<div>{picture}<p>The game is over: {value_text(r, r)} for {whose(r)}.</p></div>"
    rows = "".join(
        f"<tr><td>{escape(r.game.format_action(r.state, m.action))}</td>"
        f"<td style='text-align:right'>{value_text(r, m)}</td>"
        f"<td style='text-align:right'>{m.visits:,}</td></tr>"
        for m in r.ranked[:ROWS]
    )
    move = "Chance moves" if r.action is None else r.game.format_action(r.state, r.action)
    unit = "simulations" if simulates(r) else "nodes"
    line = f" &nbsp; line: {escape(line_text(r))}" if r.pv else ""
    return (
        f"<div>{picture}<p><b>{escape(move)}</b> &nbsp; value "
        f"{value_text(r, r)} for {whose(r)} ({r.kind}){line}</p>"
        f"<table><tr><th>move</th><th>value</th><th>{unit}</th></tr>"
        f"{rows}</table><p>{r.nodes:,} {unit}, depth {r.depth}, {r.elapsed:.3f} s. "
        f"Algorithm: {escape(r.algorithm)}, {escape(r.why)}.</p></div>"
    )
