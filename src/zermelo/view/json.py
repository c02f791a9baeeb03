"""A result as plain data, for ``--json``."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..result import Result

MAX_STATES = 100  # of a belief


def plain(game: Game, action: Any, state: Any) -> Any:
    """An action as JSON: numbers, strings and lists unchanged, otherwise its notation."""
    if action is None or isinstance(action, bool | int | float | str):
        return action
    if isinstance(action, tuple | list) and all(isinstance(a, int | float | str) for a in action):
        return list(action)
    if hasattr(action, "item") and not hasattr(action, "__len__"):
        return action.item()  # a NumPy scalar
    return game.format_action(state, action)


def line(r: Result, actions: list[Any]) -> list[Any]:
    out, s = [], r.state
    for a in actions:
        out.append(plain(r.game, a, s))
        s = r.game.result(s, a)
    return out


def result_json(r: Result) -> dict[str, Any]:
    """The document that analyze and solve print."""
    return {
        "game": r.game.name,
        "position": r.game.format_state(r.state),
        "algorithm": r.algorithm,
        "value": finite(r.value),
        "values": [finite(v) for v in r.values],
        "action": plain(r.game, r.action, r.state),
        "pv": line(r, r.pv),
        "depth": r.depth,
        "nodes": r.nodes,
        "leaves": r.leaves,
        "elapsed": r.elapsed,
        "exact": r.exact,
        "kind": r.kind,
        "distance": r.distance,
        "player": r.player,
        "stopped": r.stopped,
        "error": r.error,
        "moves": [
            {
                "action": plain(r.game, m.action, r.state),
                "value": finite(m.value),
                **({"values": [finite(v) for v in m.values]} if m.values else {}),
                "kind": m.kind,
                "distance": m.distance,
                "visits": m.visits,
                "error": m.error,
                "pv": line(r, m.pv),
            }
            for m in r.moves
        ],
        **({"belief": _belief_json(r)} if r.belief is not None else {}),
        "why": r.why,
        "options": {k: finite(v) if isinstance(v, float) else v for k, v in r.options.items()},
        "seed": r.seed,
    }


def _belief_json(r: Result) -> dict[str, Any]:
    """The states consistent with what the player has observed, the likeliest first."""
    assert r.belief is not None
    likely = r.belief.ranked[:MAX_STATES]
    return {
        "states": len(r.belief),
        "drawn": r.belief.drawn,
        "likely": [[r.game.format_state(s), p] for s, p in likely],
    }


def progress_json(r: Result) -> dict[str, Any]:
    """One finished depth, which analyze prints while it searches on."""
    whole = result_json(r)
    fields = ("depth", "value", "kind", "distance", "action", "pv", "nodes", "elapsed")
    moves = [row for row, m in zip(whole["moves"], r.moves, strict=True) if m.resolved]
    speed = r.nodes / r.elapsed if r.elapsed > 0 else 0.0
    return {k: whole[k] for k in fields} | {"nps": round(speed), "moves": moves}


def finite(value: float) -> float | str:
    """JSON has no infinity."""
    return value if value - value == 0 else str(value)
