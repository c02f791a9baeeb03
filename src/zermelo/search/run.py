"""One search: what the native half is given, and its answer with names."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import _core
from ..checks import check_given
from ..errors import IllegalAction, UsageError
from ..game import TERMINAL, Game, action_label, facts_of, first_state
from ..hidden.beliefs import DRAWN, Belief, given_belief, listed_or_drawn
from ..hidden.plans import Plan, Step
from ..result import Move, Result
from ..tablebase.tables import Tablebase
from ..view.number import number
from .adapter import Adapter, PythonAdapter, adapt, naming, with_evaluation
from .algorithms import duel, native_options
from .memory import Memory, check_table
from .models import is_model, modelled
from .models import native as native_model
from .tracing import add_tuples, make_trace
from .tracing_mcts import make_mcts_trace

TRACE_NODES = 200_000  # a record of more is cut off
Guide = Callable[[Any, list[Any]], tuple[Iterable[float], Any]]
_last_interrupt = -math.inf


@dataclass
class Job:
    """One search, once everything but its limits is decided."""

    game: Game
    state: Any
    algorithm: str
    options: dict[str, Any]
    why: str
    evaluate: Any = None
    trace: bool = False
    seed: int | None = None
    on_depth: Callable[[Result], object] | None = None
    tables: Tablebase | None = None
    stop: Callable[[], bool] | None = None
    memory: Memory | None = None
    among: Iterable[Any] | None = None
    models: Mapping[int, Any] = field(default_factory=dict)
    convention: str = ""  # how it cuts, in words
    guide: Guide | None = None
    given: Any = None  # a belief, by the user
    deals: int | None = None  # to draw; 0: all; None: this algorithm knows no deals
    belief: Belief | None = None  # that the search works with

    def run(self, depth: int | None, time: float | None, nodes: int | None) -> Result:
        if self.state is None:
            self.state = first_state(self.game)
        self.adapter = adapt(self.game)
        self.flat = self.adapter.flat(self.state)
        self.player = self.adapter.handle.to_move(self.flat)
        if self.player == TERMINAL:
            return self.finished()
        check_table(self.options.get("table", 0))
        handle = with_evaluation(self.adapter, self.evaluate)
        self.handle = modelled(self.adapter, handle, self.models, facts_of(self.game))
        self.player = self.handle.to_move(self.flat)
        check_hints(self.game, self.handle, self.options)
        time = self.take_belief(time)
        with naming(self.adapter):
            raw = self.ask(depth, time, nodes)
        if raw["note"]:
            self.why += f"; {raw['note']}"
        if self.tables is not None:
            self.why += told(raw, self.tables)
        if raw["error"] >= 0:
            self.why += accuracy(raw["error"], self.options.get("samples", 0))
        self.why += self.remarks(raw) + self.sums(raw["line"])
        if self.stop is None or not self.stop():
            note_interrupt(raw["stopped"])
        return self.result(raw)

    def take_belief(self, time: float | None) -> float | None:
        """Finds the states consistent with what the mover has observed, where the algorithm needs
        them. Returns the time that is left for the search."""
        if self.deals is None or self.player < 0:
            return time
        start = clock.perf_counter()
        if self.given is not None:
            self.belief = given_belief(self.game, self.state, self.given)
            self.why += f"; over the {len(self.belief)} given states"
        elif facts_of(self.game).hidden:
            found, drawn = listed_or_drawn(
                self.adapter, self.state, self.player, self.deals, self.seed or 0,
                DRAWN[self.algorithm], time,
            )  # fmt: skip
            self.belief = Belief(self.game, self.player, found, drawn)
            said = f"{drawn} sampled" if drawn else all_of(len(found))
            self.why += (
                f"; over the states consistent with what player {self.player} observed: {said}"
            )
        spent = clock.perf_counter() - start
        return None if time is None else max(time / 2, time - spent)

    def ask(self, depth: int | None, time: float | None, nodes: int | None) -> dict[str, Any]:
        """The native half's answer."""
        tell = self.on_depth
        return _core.search(
            self.handle,
            self.flat,
            self.algorithm,
            -1 if depth is None else depth,
            nodes or 0,
            time or 0.0,
            self.native_options(),
            TRACE_NODES if self.trace else 0,
            None if tell is None else lambda raw: tell(self.result(raw)),
            None if self.tables is None else self.tables.native,
            self.adapter.handle,
            self.stop,
            None if self.memory is None else self.memory.native,
            self.without(),
            None if self.guide is None else self.guided,
            []
            if self.belief is None
            else [(self.adapter.flat(s), self.belief[s]) for s in self.belief],
            self.policy("rollout"),
            self.policy("priors"),
        )

    def policy(self, option: str) -> Any:
        """The user's, in place of a word; None: there is none."""
        given = self.options.get(option)
        if not is_model(given):
            return None
        return native_model(self.adapter, f"{option}=", given, facts_of(self.game))

    def native_options(self) -> dict[str, Any]:
        words = {k: v for k, v in self.options.items() if not is_model(v)}
        chosen = native_options(words)
        if self.seed is not None:
            chosen["seed"] = self.seed
        if self.belief is not None and self.belief.drawn:
            chosen["drawn"] = True
        return chosen

    def guided(self, flat: bytes, codes: list[int]) -> tuple[list[float], list[float]]:
        """What the guide says of a state, in the native half's words."""
        b = self.adapter
        key = b.handle.key(flat)
        assert self.guide is not None
        said = self.guide(b.state(flat), [b.action(key, code) for code in codes])
        return check_guide(said, len(codes), b.handle.facts)

    def without(self) -> list[int]:
        """The root actions that are not looked at."""
        if self.among is None:
            return []
        b, legal = self.adapter, self.adapter.handle.actions(self.flat)
        key = b.handle.key(self.flat)
        names = {code: b.action(key, code) for code in legal}
        wanted = check_given("among", self.among)
        for action in wanted:
            if action not in names.values():
                raise IllegalAction(
                    f"{action_label(self.game, action)} is not a legal action here", "see actions()"
                )
        if not wanted:
            raise UsageError("among is empty", "omit it to search all actions")
        return [code for code, name in names.items() if name not in wanted]

    def result(self, raw: dict[str, Any]) -> Result:
        """The native half's numbers, with names."""
        b, flat = self.adapter, self.flat
        key = b.handle.key(flat)
        pv = decode_line(b, flat, raw["line"])
        value, kind = raw["value"], self.sure(raw["kind"])
        if not raw["has_value"]:  # stopped before anything was known
            value = self.handle.evaluate(flat, 0) if self.handle.has_evaluate else 0.0
            kind = "estimate"
        story = None
        if raw["trace"] is not None:
            how, seen = self.convention, self.handle
            make = make_mcts_trace if self.algorithm == "mcts" else make_trace
            story = make(raw["trace"], b, flat, self.algorithm, how, self.options, seen)
            if raw["tuples"]:
                add_tuples(story, raw["tuples"], self.player)
        return Result(
            action=pv[0] if pv else None,
            value=value,
            values=tuple(raw["values"]) or self.values_of(value),
            pv=pv,
            moves=[
                Move(
                    b.action(key, a),
                    v,
                    self.sure(kind),
                    n,
                    decode_line(b, flat, line),
                    plies(end),
                    tuple(vs),
                    None if error < 0 else error,
                    "exact" in (found, kind),
                )
                for a, v, kind, n, line, end, vs, error, found in raw["moves"]
            ],
            distance=plies(raw["distance"]),
            story=[(depth, b.action(key, a), v) for depth, a, v in raw["story"]],
            depth=raw["depth"],
            deepest=raw["deepest"],
            nodes=raw["nodes"],
            leaves=raw["leaves"],
            elapsed=raw["elapsed"],
            kind=kind,
            stopped=raw["stopped"],
            trace=story,
            error=raw["error"] if 0 <= raw["error"] < math.inf else None,
            ties=raw["ties"],
            evaluated=self.handle.has_evaluate,
            plan=self.plan(raw),
            **self.about(),
        )

    def sure(self, kind: str) -> str:
        """What holds in the states that were sampled need not hold in all."""
        sampled = self.belief is not None and self.belief.drawn
        return "estimate" if sampled else kind

    def plan(self, raw: dict[str, Any]) -> Plan | None:
        """The steps of a win that is sure, with names."""
        if not raw["plan"]:
            return None
        b, steps = self.adapter, {}
        for flats, code, moves in raw["plan"]:
            action = b.action(b.handle.key(flats[0]), code)
            steps[frozenset(map(b.state, flats))] = Step(action, moves)
        mine = raw["value"] if self.player == 0 else -raw["value"]
        return Plan(self.game, self.player, mine, steps)

    def values_of(self, value: float) -> tuple[float, ...]:
        """One a player, where only player 0's is known."""
        players = self.handle.facts.players
        if duel(facts_of(self.game)):
            return (value, 0.0 - value) if players == 2 else (value,)
        if not self.handle.has_evaluate:
            return (value,) * players
        return tuple(self.handle.evaluate(self.flat, p) for p in range(players))

    def remarks(self, raw: dict[str, Any]) -> str:
        """Whether ties made choices; what a search that is no solution promises all the same."""
        said = f"; ties decided {raw['ties']:,} of its choices" if raw["ties"] else ""
        whole = raw["values"] and not raw["horizon"] and not raw["stopped"]
        if self.algorithm != "paranoid" or not whole or self.player < 0:
            return said
        if duel(facts_of(self.game)):
            return said
        least = number(raw["values"][self.player])
        return f"{said}; whatever the others do, player {self.player} gets at least {least}"

    def sums(self, line: list[int]) -> str:
        """A warning where a Python game that is taken for one of zero sum is none, by the end of
        the best line."""
        b = self.adapter
        if not isinstance(b, PythonAdapter) or self.models or not duel(facts_of(self.game)):
            return ""
        flat = self.flat
        for code in line:
            flat = b.handle.play(flat, code)
        if not line or b.handle.facts.players < 2 or b.handle.to_move(flat) != TERMINAL:
            return ""
        try:
            first, second = (b.handle.utility(flat, p) for p in (0, 1))
        except Exception:  # a rule that knows player 0 alone is enough for the search
            return ""
        if math.isclose(first, -second, abs_tol=1e-9):
            return ""
        return (
            f"; but the utilities at its end are {number(first)} and {number(second)}: only player "
            "0's counted (zero_sum = False lets max^n play for both)"
        )

    def finished(self) -> Result:
        """The result of a game that is over."""
        handle = self.adapter.handle
        values = tuple(handle.utility(self.flat, p) for p in range(handle.facts.players))
        self.why = "the game is over"
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
            **self.about(),
        )

    def about(self) -> dict[str, Any]:
        return {
            "algorithm": self.algorithm,
            "why": self.why,
            "game": self.game,
            "state": self.state,
            "player": self.player,
            "seed": self.seed,
            "options": self.options,
            "belief": self.belief,
        }


def all_of(states: int) -> str:
    return f"all {states} of them" if states > 1 else "only one"


def accuracy(error: float, samples: int) -> str:
    """How sure a value is that was found by drawing outcomes of chance, or by iteration."""
    if not samples:
        return f"; the value is within {error:.2g}"
    drawn = f"; where chance has more than {samples} outcomes, {samples} were sampled"
    if error == math.inf:
        return f"{drawn}: without utility bounds the error is unknown"
    return f"{drawn}: with 95 % confidence the value is within {error:.3g} (Hoeffding's bound)"


def check_hints(game: Game, handle: _core.Handle, options: dict[str, Any]) -> None:
    """Playouts by hints need some."""
    rollout = options.get("rollout", "random")
    if rollout in ("evaluate", "none") and not handle.has_evaluate:
        raise UsageError(
            f"{game.name} has no evaluation for the leaves", "give evaluate=, or rollout=random"
        )
    if rollout == "greedy" and not (handle.has_evaluate or handle.has_narrow):
        raise UsageError(f"{game.name} has no evaluation for rollout=greedy", "give evaluate=")


def check_guide(said: Any, count: int, facts: Any) -> tuple[list[float], list[float]]:
    """Priors and values that make sense, the priors adding up to 1."""
    try:
        priors, values = said
        priors = [float(p) for p in priors]
        values = [float(values)] if hasattr(values, "__float__") else [float(v) for v in values]
    except (TypeError, ValueError):
        raise UsageError(
            f"the guide gave {said!r}", "it returns (priors, values), as ([0.5, 0.5], 0.1)"
        ) from None
    if len(values) == 1 and facts.players == 2 and facts.zero_sum:
        values.append(0.0 - values[0])
    total = sum(priors)
    if len(priors) != count or len(values) != facts.players:
        raise UsageError(
            f"the guide gave {len(priors)} priors and {len(values)} values",
            f"there are {count} actions and {facts.players} players",
        )
    if not all(0 <= p < math.inf for p in priors) or not 0 < total < math.inf:
        raise UsageError(
            "the guide's priors are not probabilities", "expected numbers of at least 0, not all 0"
        )
    if not all(math.isfinite(v) for v in values):
        raise UsageError("the guide returned a value that is not finite", "check for NaN")
    return [p / total for p in priors], values


def told(raw: dict[str, Any], tables: Tablebase) -> str:
    """What the tables had to do with it."""
    where = f"the tables in {tables.path}" if tables.path else "the tables"
    if raw["tabled"] and raw["tabled"] == raw["nodes"]:
        return f"; the position is in {where}: the move is chosen by the distance to the end"
    return f"; {where} answered {raw['tabled']:,} of its positions"


def decode_line(b: Adapter, flat: bytes, codes: list[int]) -> list[Any]:
    """The actions that native numbers stand for, along a line from `flat`."""
    return list(map(b.action, b.handle.keys(flat, codes), codes))


def note_interrupt(stopped: str) -> None:
    """The second Ctrl-C within a second is meant for the caller, not for the search."""
    global _last_interrupt
    if stopped != "interrupted":
        return
    now = clock.monotonic()
    again = now - _last_interrupt < 1.0
    _last_interrupt = now
    if again:
        raise KeyboardInterrupt


def plies(distance: int) -> int | None:
    """How far the end of a decided game is, where that is known."""
    return None if distance < 0 else distance
