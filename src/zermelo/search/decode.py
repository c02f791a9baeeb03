"""From the native side's numbers to a :class:`Result` with the game's own states and actions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .. import _core
from ..game import facts_of
from ..hidden.beliefs import Belief
from ..hidden.plans import Plan, Step
from ..result import Move, Result
from ..trace import Trace
from .adapter import Adapter
from .algorithms import duel
from .request import SearchRequest
from .tracing import add_tuples, make_trace
from .tracing_mcts import make_mcts_trace


@dataclass
class Decoder:
    """Gives names to what one search found."""

    request: SearchRequest
    adapter: Adapter
    handle: _core.Handle  # the game as the search sees it
    flat: bytes  # the root
    player: int  # who moves there
    belief: Belief | None
    notes: list[str]

    def result(self, raw: dict[str, Any]) -> Result:
        """The native side's result."""
        key = self.adapter.handle.key(self.flat)
        name = self.adapter.action
        pv = self.line(raw["line"])
        value, kind = raw["value"], "estimate" if self.sampled else raw["kind"]
        if not raw["has_value"]:  # stopped before anything was known
            value = self.handle.evaluate(self.flat, 0) if self.handle.has_evaluate else 0.0
            kind = "estimate"
        return Result(
            action=pv[0] if pv else None,
            value=value,
            values=tuple(raw["values"]) or self.values_of(value),
            pv=pv,
            moves=self.moves(key, raw["moves"]),
            distance=plies(raw["distance"]),
            story=[(depth, name(key, a), v) for depth, a, v in raw["story"]],
            depth=raw["depth"],
            deepest=raw["deepest"],
            nodes=raw["nodes"],
            leaves=raw["leaves"],
            elapsed=raw["elapsed"],
            kind=kind,
            stopped=raw["stopped"],
            trace=self.trace(raw),
            error=raw["error"] if 0 <= raw["error"] < math.inf else None,
            ties=raw["ties"],
            evaluated=self.handle.has_evaluate,
            plan=self.plan(raw),
            **self.about(),
        )

    def moves(self, key: int, rows: list[Any]) -> list[Move]:
        """The root actions, in one loop: short searches spend most of their time here."""
        name, keys, flat = self.adapter.action, self.adapter.handle.keys, self.flat
        sampled = self.sampled
        return [
            Move(
                name(key, action),
                value,
                "estimate" if sampled else kind,
                visits,
                list(map(name, keys(flat, line), line)),
                None if end < 0 else end,
                tuple(values),
                None if error < 0 else error,
                "exact" in (found, kind),
            )
            for action, value, kind, visits, line, end, values, error, found in rows
        ]

    def line(self, codes: list[int]) -> list[Any]:
        """The actions along a line from the root."""
        b = self.adapter
        return list(map(b.action, b.handle.keys(self.flat, codes), codes))

    @property
    def sampled(self) -> bool:
        """Whether only some of the possible states were searched: then nothing is proved."""
        return self.belief is not None and bool(self.belief.drawn)

    def trace(self, raw: dict[str, Any]) -> Trace | None:
        """The recorded steps, with names."""
        if raw["trace"] is None:
            return None
        spec, options = self.request.algorithm, self.request.described_options
        make = make_mcts_trace if spec.traits.simulates else make_trace
        trace = make(
            raw["trace"], self.adapter, self.flat, spec.name, self.request.convention, options,
            self.handle,
        )  # fmt: skip
        if raw["tuples"]:
            against = max(0, self.player) if spec.traits.coalition else None
            add_tuples(trace, raw["tuples"], against)
        return trace

    def plan(self, raw: dict[str, Any]) -> Plan | None:
        """The steps of a guaranteed win."""
        if not raw["plan"]:
            return None
        b, steps = self.adapter, {}
        for flats, code, moves in raw["plan"]:
            action = b.action(b.handle.key(flats[0]), code)
            steps[frozenset(map(b.state, flats))] = Step(action, moves)
        mine = raw["value"] if self.player == 0 else -raw["value"]
        return Plan(self.request.game, self.player, mine, steps)

    def values_of(self, value: float) -> tuple[float, ...]:
        """One value per player, where only player 0's is known."""
        players = self.handle.facts.players
        if duel(facts_of(self.request.game)):
            return (value, 0.0 - value) if players == 2 else (value,)
        if not self.handle.has_evaluate:
            return (value,) * players
        return tuple(self.handle.evaluate(self.flat, p) for p in range(players))

    def finished(self) -> Result:
        """The result of a game that is over."""
        handle = self.adapter.handle
        values = tuple(handle.utility(self.flat, p) for p in range(handle.facts.players))
        return Result(
            action=None,
            value=values[0],
            values=values,
            pv=[],
            moves=[],
            depth=0,
            nodes=1,
            leaves=1,
            elapsed=0.0,
            kind="exact",
            **self.about() | {"why": "the game is over"},
        )

    def about(self) -> dict[str, Any]:
        """What a result says of its search."""
        request = self.request
        return {
            "algorithm": request.algorithm.name,
            "why": "; ".join(self.notes),
            "game": request.game,
            "state": request.state,
            "player": self.player,
            "seed": request.seed,
            "options": request.described_options,
            "belief": self.belief,
        }


def plies(distance: int) -> int | None:
    """How far the end of a decided game is, where that is known."""
    return None if distance < 0 else distance
