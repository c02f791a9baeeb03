"""What ``Result.why`` says about a search after it has run."""

from __future__ import annotations

import math
from typing import Any

from ..game import TERMINAL, facts_of
from ..tablebase.tables import Tablebase
from ..view.names import player_name
from ..view.number import count, number
from .adapter import PythonAdapter
from .algorithms import duel
from .decode import Decoder


def notes_on(raw: dict[str, Any], d: Decoder) -> list[str]:
    """Remarks on a native result: its own, and what the user should know about it."""
    notes = [raw["note"]] if raw["note"] else []
    if d.request.tablebase is not None:
        notes.append(_tablebase_note(raw, d.request.tablebase))
    if raw["error"] >= 0:
        notes.append(_accuracy(raw["error"], d.request.options.get("samples", 0)))
    if raw["ties"]:
        notes.append(count(raw["ties"], "tie"))
    return [*notes, *guarantee(raw, d), *_sum_warning(raw["line"], d)]


def _tablebase_note(raw: dict[str, Any], tables: Tablebase) -> str:
    """The number of tablebase hits."""
    where = f"the tables in {tables.path}" if tables.path else "the tables"
    if raw["tabled"] and raw["tabled"] == raw["nodes"]:
        return f"the position is in {where}: the move has the best distance to the end"
    return f"{where} contained {count(raw['tabled'], 'searched position')}"


def _accuracy(error: float, samples: int) -> str:
    """How accurate a value is that was found by sampling chance, or by iteration."""
    if not samples:
        return f"the value is within {error:.2g}"
    sampled = f"at chance nodes with more than {samples} outcomes, {samples} were sampled"
    if error == math.inf:
        return f"{sampled}: without utility bounds the error is unknown"
    return f"{sampled}: with 95 % confidence the value is within {error:.3g} (Hoeffding's bound)"


def guarantee(raw: dict[str, Any], d: Decoder) -> list[str]:
    """The guarantee of a maximin search to the end of a multi-player game."""
    complete = raw["values"] and not raw["horizon"] and not raw["stopped"]
    game = d.request.game
    if not d.request.algorithm.traits.maximin or not complete or d.player < 0:
        return []
    if duel(facts_of(game)):
        return []
    who, least = player_name(game, d.player), number(raw["values"][d.player])
    return [f"{who} gets at least {least}, whatever the others do"]


def _sum_warning(line: list[int], d: Decoder) -> list[str]:
    """A warning if the end of the best line shows that a Python game is not zero-sum after all."""
    b = d.adapter
    if not isinstance(b, PythonAdapter) or d.request.models or not duel(facts_of(d.request.game)):
        return []
    flat = d.flat
    for code in line:
        flat = b.handle.play(flat, code)
    if not line or b.handle.facts.players < 2 or b.handle.to_move(flat) != TERMINAL:
        return []
    try:
        first, second = (b.handle.utility(flat, p) for p in (0, 1))
    except Exception:  # utility(s, p) may support player 0 alone
        return []
    if math.isclose(first, -second, abs_tol=1e-9):
        return []
    return [
        f"warning: the utilities at the end of the line are {number(first)} and {number(second)}, "
        "which is not zero-sum; the search used only those of player 0 (set zero_sum = False)"
    ]
