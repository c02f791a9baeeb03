"""``zermelo.search`` and ``zermelo.solve``: check, choose, run, and tell."""

from __future__ import annotations

import math
import operator
import time as clock
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from . import _core
from .advice import advised
from .algorithms import (
    Algorithm,
    algorithms,
    check_options,
    choose,
    convention,
    duel,
    native_options,
    settle_chance,
)
from .beliefs import DRAWN, Belief, given_belief, listed_or_drawn
from .bridge import Bridge, bridge, with_evaluation
from .errors import (
    EndlessGame,
    IllegalAction,
    NotSupported,
    RulesError,
    SearchBudgetExceeded,
    TableError,
    UsageError,
)
from .game import CHANCE, TERMINAL, Game, as_game, facts_of
from .games.native import NativeGame
from .memory import Memory, check_table
from .models import modelled, models_for
from .models import told as models_told
from .plans import Plan, Step
from .result import Move, Result
from .tablebase import Tablebase, as_tablebase, available_memory
from .tablebase import tablebase as build_tables
from .tracing import add_tuples, make_trace, uncollected
from .tracing_mcts import make_mcts_trace
from .view.number import number

DEFAULT_SECONDS = 1.0  # for "auto" without limits on a game of unknown size
AUTO_TABLE_MB = 16  # small: touching fresh memory costs more than a short search
SOLVE_TABLE_MB = 64
SOLVE_CIRCLES_MB = 1024  # for retrograde analysis of a game with circles
PLAIN_OPTIONS = frozenset(("cut", "fail", "ties"))  # of the lectures' alpha-beta alone
Guide = Callable[[Any, list[Any]], tuple[Iterable[float], Any]]
TRACE_NODES = 200_000  # a record of more is cut off
_last_interrupt = -math.inf


def search(
    game: Any,
    state: Any = None,
    algorithm: str = "auto",
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    evaluate: Any = None,
    threads: int = 1,
    seed: int | None = None,
    trace: bool = False,
    on_depth: Callable[[Result], object] | None = None,
    tablebase: Any = None,
    stop: Callable[[], bool] | None = None,
    memory: Memory | None = None,
    among: Iterable[Any] | None = None,
    opponents: Any = None,
    guide: Guide | None = None,
    belief: Any = None,
    **options: Any,
) -> Result:
    """The best action in `state` (by default the initial one), and what it is worth.

    depth, nodes, time (seconds) limit the search; with `nodes` or `time` alone it deepens step by
    step and returns the last finished depth. `evaluate` judges positions at the depth limit: a
    function of (state, player), or the name of one of the game's own. `trace=True` records every
    step. `on_depth` is called with the result of every finished depth. `tablebase` is a directory
    of solved positions (``zermelo tablebase``) that the search asks. `stop` is asked now and then;
    when it says True the search ends with the best answer so far. `memory` keeps what one search
    of the engine found for the next (:class:`Memory`); `among` are the only root actions it looks
    at. `opponents` gives models of other players (:mod:`zermelo.models`): ``{1: "random"}``; their
    moves are then chance's. `guide` is asked by mcts about every new leaf, in place of playouts: a
    function of (state, actions) that returns priors, one an action, and the values, one a player
    (or player 0's alone in a zero-sum game of two). Where something is hidden, only what the mover
    sees of `state` counts; `belief` gives the states it may be in (or {state: probability}), in
    place of all that look the same to it. Options depend on the algorithm
    (``zermelo algorithms``): lines=K, table=MB; of alphabeta cut="equal" or "strict",
    fail="soft" or "hard", ties=True, quiescence=True, deepen=True; of expectiminimax
    prune="none", "star1" or "star2", samples=N.

    Ctrl-C ends a search with the best answer so far (`Result.stopped` says "interrupted"); a second
    within a second raises KeyboardInterrupt.
    """
    the_game = as_game(game)
    depth, time, nodes, threads = check_limits(depth, time, nodes, threads)
    seed = None if seed is None else check_seed(seed)
    facts = facts_of(the_game)
    state = the_game.initial() if state is None else state
    models = models_for(the_game, state, opponents, algorithm)
    if models:
        facts = replace(facts, chance=True)
    plain = trace or bool(facts.tree_nodes) or not PLAIN_OPTIONS.isdisjoint(options)
    own = algorithm == "auto" and hasattr(the_game, "advise") and duel(facts)
    if own and not (models or plain or options or depth) and not the_game.is_terminal(state):
        return advised(the_game, state)
    found, why = choose(algorithm, facts, plain=plain)
    if models:
        why += f"; {models_told(models)}"
    if trace and not found.traces:
        telling = ", ".join(a.name for a in algorithms().values() if a.traces)
        raise UsageError(f"{found.name} keeps no trace", f"these do: {telling}")
    if threads > 1 and "threads" in found.options and many_threads(the_game):
        options["threads"] = threads
    elif threads > 1:
        why += f"; {found.name} uses one thread here"
    chosen = check_options(found, options, algorithm == "auto")
    if found.name == "ismcts" and "rollout" not in options:
        chosen["rollout"] = getattr(the_game, "rollout", chosen["rollout"])
    unlimited = depth is None and time is None and nodes is None
    if simulations := chosen.pop("simulations", 0):
        nodes = min(simulations, nodes or simulations)
        unlimited = False
    endless = found.name in ("mcts", "ismcts")
    if (endless or (algorithm == "auto" and not facts.tree_nodes)) and unlimited:
        time = DEFAULT_SECONDS
        why += f"; no limit was given, so it searches for at most {DEFAULT_SECONDS:g} s"
    if "deepen" not in found.options and depth is not None:
        raise UsageError(f"{found.name} knows no depth", "limit its time or its nodes")
    limited = depth is None and (time is not None or nodes is not None)
    if limited and "deepen" in found.options and "deepen" not in options:
        chosen["deepen"] = True
    plain_search = found.name in ("alphabeta", "maxn")
    if algorithm == "auto" and plain_search and not trace and "table" not in options:
        chosen["table"] = 0 if facts.tree_nodes else AUTO_TABLE_MB
    if algorithm == "auto" and found.name == "maxn" and plain and "pruning" not in options:
        chosen["pruning"] = False  # the lectures' max^n sees every leaf
    how = convention(found.name, chosen)
    if "prune" in chosen:
        how = settle_chance(chosen, options, facts, trace or bool(facts.tree_nodes))
    if how:
        why += f"; {how}"
    job = Job(the_game, state, found.name, chosen, why, evaluate, trace, seed, on_depth)
    job.models, job.convention = models, how
    job.tables = tables_for(the_game, found, tablebase)
    job.stop = stop
    if among is not None and found.name != "engine":
        raise UsageError(f"{found.name} does not take among", "the engine does")
    if memory is not None and found.name not in ("engine", "mcts"):
        raise UsageError(f"{found.name} takes no memory", "the engine and mcts do")
    if memory is not None:
        judged = (evaluate, guide, opponents, chosen.get("rollout"), chosen.get("priors"))
        memory.serve(the_game, judged)
    if belief is not None and not found.hidden:
        raise UsageError(f"{found.name} knows no belief", "pimc, ismcts, belief and guaranteed do")
    job.given, job.deals = belief, chosen.pop("deals", None)
    if guide is not None and found.name != "mcts":
        raise UsageError(f"{found.name} asks no guide", "mcts does")
    job.memory, job.among, job.guide = memory, among, guide
    with uncollected() if trace else nullcontext():
        return job.run(depth, time, nodes)


def solve(
    game: Any,
    state: Any = None,
    algorithm: str = "auto",
    *,
    time: float | None = None,
    nodes: int | None = None,
    table: int = SOLVE_TABLE_MB,
    ties: bool = False,
    threads: int = 1,
    tablebase: Any = None,
) -> Result:
    """The exact value of `state`; :class:`SearchBudgetExceeded` when the limits are too tight.

    "auto" takes alpha-beta to the end of the game. Where play can go round in circles (that is a
    draw) it takes retrograde analysis of all positions that can be reached, and where those are too
    many proof-number search; "retrograde" and "proof-number" ask for these by name. With chance it
    takes expectiminimax, and value iteration where play can come back. `tablebase` is
    a directory of solved positions (``zermelo tablebase``) that the search asks.
    """
    the_game = as_game(game)
    _, time, nodes, threads = check_limits(None, time, nodes, threads)
    if facts_of(the_game).hidden and algorithm == "auto" and the_game.players > 1:
        raise NotSupported(
            f"{the_game.name} hides something from its players: no line of play proves its value",
            "zermelo.equilibrium finds it, where the game is not too large",
        )
    if algorithm == "retrograde":
        return solve_backwards(the_game, state, time, available_memory(), "asked for")
    found, why = choose(algorithm, facts_of(the_game), plain=ties)
    wanted: dict[str, Any] = {"table": table, "deepen": False, "quiescence": False}
    wanted = {k: v for k, v in wanted.items() if k in found.options}  # only what is sure
    if found.name in ("paranoid", "best-reply") and not duel(facts_of(the_game)):
        raise UsageError(f"{found.name} does not solve a game of many players", "maxn does")
    if ties and "ties" in found.options:  # max^n's root moves are all exact anyhow
        wanted["ties"] = True
    elif many_threads(the_game) and "threads" in found.options:
        wanted["threads"] = threads
    chosen = check_options(found, wanted) | {"bounded": True}
    chosen.pop("simulations", None)
    if "prune" in chosen:
        settle_chance(chosen, wanted, facts_of(the_game), plain=False)
    if "table" in found.options:
        why += f"; to the end of the game, with a table of {table} MB"
    if "prefer" in chosen:
        why += f"; {convention(found.name, chosen)}"
    job = Job(the_game, state, found.name, chosen, why)
    job.tables = tables_for(the_game, found, tablebase)
    try:
        r = job.run(None, time, nodes)
    except EndlessGame:
        if algorithm != "auto" or not duel(facts_of(the_game)):
            raise
        if facts_of(the_game).chance:
            return solve(the_game, state, "value-iteration", time=time, nodes=nodes)
        return solve_circles(the_game, state, time, nodes, table)
    if not r.exact:
        limit = {"time": f" within {time} s", "nodes": f" within {nodes} nodes"}
        raise SearchBudgetExceeded(
            f"{the_game.name} is not solved{limit.get(r.stopped, ': interrupted')} "
            f"({r.nodes:,} nodes)",
            "give more time, or be content with an estimate (search, zermelo analyze)",
            r,
        )
    return r


def solve_circles(
    game: Game, state: Any, time: float | None, nodes: int | None, table: int
) -> Result:
    """A game in which play can come back to a position, which is a draw."""
    try:
        why = "play can go round in circles"
        return solve_backwards(game, state, time, SOLVE_CIRCLES_MB << 20, why)
    except (TableError, NotSupported):  # too many positions, or names for them that do not last
        return solve(game, state, "proof-number", time=time, nodes=nodes, table=table)


def solve_backwards(game: Game, state: Any, time: float | None, memory: int, why: str) -> Result:
    """By retrograde analysis of all positions that can be reached."""
    begin = game.initial() if state is None else state
    start = clock.perf_counter()
    tables = build_tables(game, state=begin, time=time, memory=memory >> 20)
    job = Job(game, begin, "engine", {}, f"{why}: all {tables.positions:,} positions, backwards")
    job.tables = tables
    r = job.run(None, None, None)
    r.algorithm, r.nodes, r.elapsed = "retrograde", tables.positions, clock.perf_counter() - start
    return r


class Solved(NamedTuple):
    """What :func:`solve_all` says of one position."""

    value: float  # player 0's, exact
    nodes: int
    seconds: float


def solve_all(
    game: Any, states: Iterable[Any], *, time: float | None = None, table: int = SOLVE_TABLE_MB
) -> list[Solved]:
    """The exact values of many positions of one game, with one table for all of them."""
    the_game = as_game(game)
    _, time, _, _ = check_limits(None, time, None, 1)
    found, _ = choose("auto", facts_of(the_game))
    if found.name != "engine":  # chance: one by one
        each = [solve(the_game, s, time=time, table=table) for s in states]
        return [Solved(r.value, r.nodes, r.elapsed) for r in each]
    chosen = check_options(found, {"table": table, "deepen": False, "quiescence": False})
    check_table(chosen["table"])
    b = bridge(the_game)
    flat = [b.flat(s) for s in states]
    solved = _core.solve_all(b.handle, flat, time or 0.0, native_options(chosen))
    if len(solved) < len(flat):
        raise SearchBudgetExceeded(
            f"{len(solved)} of {len(flat)} positions are solved", "give it more time", solved
        )
    return [Solved(*row[:3]) for row in solved]


def check_limits(
    depth: Any, time: Any, nodes: Any, threads: Any
) -> tuple[int | None, float | None, int | None, int]:
    """The limits as plain numbers (NumPy's are welcome), or an error."""
    whole: dict[str, int | None] = {}
    for name, value in (("depth", depth), ("nodes", nodes), ("threads", threads)):
        try:
            number = None if value is None else operator.index(value)
        except TypeError:
            number = 0
        if isinstance(value, bool) or (number is not None and not 1 <= number < 2**63):
            raise UsageError(f"{name}={value!r} makes no sense", "a whole number from 1 on")
        whole[name] = number
    if (whole["depth"] or 0) >= 1 << 30:
        raise UsageError(f"depth={depth} is too large", "leave it out to search to the end")
    if time is not None:
        if isinstance(time, bool | str) or not hasattr(time, "__float__") or not 0 < time < 1e9:
            raise UsageError(f"time={time!r} makes no sense", "seconds, more than 0")
        time = float(time)
    return whole["depth"], time, whole["nodes"], whole["threads"] or 1


def check_seed(seed: Any) -> int:
    """A seed as a plain number, or an error."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 2**64:
        raise UsageError(f"seed={seed!r} makes no sense", "a whole number from 0 on")
    return number


def many_threads(game: Game) -> bool:
    """Can several threads ask these rules at once? (Python's cannot.)"""
    return isinstance(game, NativeGame) or hasattr(game, "native_spec")


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
            self.state = self.game.initial()
        self.bridge = bridge(self.game)
        self.flat = self.bridge.flat(self.state)
        self.player = self.bridge.handle.to_move(self.flat)
        if self.player == TERMINAL:
            return self.finished()
        check_table(self.options.get("table", 0))
        handle = with_evaluation(self.bridge, self.evaluate)
        self.handle = modelled(self.bridge, handle, self.models, facts_of(self.game))
        self.player = self.handle.to_move(self.flat)
        check_hints(self.game, self.handle, self.options)
        self.take_belief()
        try:
            raw = self.ask(depth, time, nodes)
        except RulesError as e:
            raise self.named(e) from None
        if raw["note"]:
            self.why += f"; {raw['note']}"
        if self.tables is not None:
            self.why += told(raw, self.tables)
        if raw["error"] >= 0:
            self.why += accuracy(raw["error"], self.options.get("samples", 0))
        self.why += self.remarks(raw)
        if self.stop is None or not self.stop():
            note_interrupt(raw["stopped"])
        return self.result(raw)

    def take_belief(self) -> None:
        """What the mover may be in, where the algorithm wants to know."""
        if self.deals is None or self.player < 0:
            return
        if self.given is not None:
            self.belief = given_belief(self.game, self.state, self.given)
            self.why += f"; over the {len(self.belief)} states that were given"
        elif facts_of(self.game).hidden:
            found, drawn = listed_or_drawn(
                self.bridge, self.state, self.player, self.deals, self.seed or 0,
                DRAWN[self.algorithm],
            )  # fmt: skip
            self.belief = Belief(self.game, self.player, found, drawn)
            said = f"{drawn} deals were drawn" if drawn else f"all {len(found)} possible states"
            self.why += f"; over what player {self.player} may be in: {said}"

    def named(self, error: RulesError) -> RulesError:
        """The error with the state in which it was found, where that is known."""
        flat = getattr(error, "flat", None)
        if flat is None:
            return error
        place = self.game.format_state(self.bridge.state(flat))
        return type(error)(f"{error.message} in {place!r}", error.hint)

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
            self.bridge.handle,
            self.stop,
            None if self.memory is None else self.memory.native,
            self.without(),
            None if self.guide is None else self.guided,
            []
            if self.belief is None
            else [(self.bridge.flat(s), self.belief[s]) for s in self.belief],
        )

    def native_options(self) -> dict[str, Any]:
        chosen = native_options(self.options)
        if self.seed is not None:
            chosen["seed"] = self.seed
        if self.belief is not None and self.belief.drawn:
            chosen["drawn"] = True
        return chosen

    def guided(self, flat: bytes, codes: list[int]) -> tuple[list[float], list[float]]:
        """What the guide says of a state, in the native half's words."""
        b = self.bridge
        key = b.handle.key(flat)
        assert self.guide is not None
        said = self.guide(b.state(flat), [b.action(key, code) for code in codes])
        return check_guide(said, len(codes), b.handle.facts)

    def without(self) -> list[int]:
        """The root actions that are not looked at."""
        if self.among is None:
            return []
        b, legal = self.bridge, self.bridge.handle.actions(self.flat)
        key = b.handle.key(self.flat)
        names = {code: b.action(key, code) for code in legal}
        wanted = list(self.among)
        for action in wanted:
            if action not in names.values():
                raise IllegalAction(
                    f"{self.game.format_action(action)} is not a legal action here", "see actions()"
                )
        if not wanted:
            raise UsageError("among names no action", "leave it out to look at all")
        return [code for code, name in names.items() if name not in wanted]

    def result(self, raw: dict[str, Any]) -> Result:
        """The native half's numbers, with names."""
        b, flat = self.bridge, self.flat
        key = b.handle.key(flat)
        pv = decode_line(b, flat, raw["line"])
        value, kind = raw["value"], self.sure(raw["kind"])
        if not raw["has_value"]:  # stopped at once: the first legal move, and a guess
            chance = self.player == CHANCE
            pv = [] if chance else [b.action(key, b.handle.actions(flat)[0])]
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
                )
                for a, v, kind, n, line, end, vs, error in raw["moves"]
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
            plan=self.plan(raw),
            **self.about(),
        )

    def sure(self, kind: str) -> str:
        """What holds in the states that were drawn need not hold in all."""
        drawn = self.belief is not None and self.belief.drawn
        return "estimate" if drawn and kind == "exact" else kind

    def plan(self, raw: dict[str, Any]) -> Plan | None:
        """The steps of a win that is sure, with names."""
        if not raw["plan"]:
            return None
        b, steps = self.bridge, {}
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
        said = f"; ties made {raw['ties']:,} of its choices" if raw["ties"] else ""
        whole = raw["values"] and not raw["horizon"] and not raw["stopped"]
        if self.algorithm != "paranoid" or not whole or self.player < 0:
            return said
        if duel(facts_of(self.game)):
            return said
        least = number(raw["values"][self.player])
        return f"{said}; whatever the others do, player {self.player} gets at least {least}"

    def finished(self) -> Result:
        """The result of a game that is over."""
        handle = self.bridge.handle
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


def accuracy(error: float, samples: int) -> str:
    """How sure a value is that was found by drawing outcomes of chance, or by iteration."""
    if not samples:
        return f"; the value is within {error:.2g}"
    drawn = f"; where chance has more than {samples} outcomes, {samples} were drawn"
    if error == math.inf:
        return f"{drawn}: without utility bounds nothing is known of the error"
    return f"{drawn}: with 95 % confidence the value is within {error:.3g} (Hoeffding's bound)"


def check_hints(game: Game, handle: _core.Handle, options: dict[str, Any]) -> None:
    """Playouts by hints need some."""
    rollout = options.get("rollout", "random")
    if rollout in ("evaluate", "none") and not handle.has_evaluate:
        raise UsageError(
            f"{game.name} has no evaluation to judge a leaf by", "give evaluate=, or rollout=random"
        )
    if rollout == "greedy" and not (handle.has_evaluate or handle.has_narrow):
        raise UsageError(f"{game.name} gives no hints to be greedy by", "give evaluate=")


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
        raise UsageError("the guide's priors are not probabilities", "at least 0, not all 0")
    if not all(math.isfinite(v) for v in values):
        raise UsageError("the guide gave a value that is no finite number")
    return [p / total for p in priors], values


def tables_for(game: Game, algorithm: Algorithm, given: Any) -> Tablebase | None:
    if given is None:
        return None
    if not algorithm.tables:
        asks = ", ".join(a.name for a in algorithms().values() if a.tables)
        raise UsageError(f"{algorithm.name} asks no tables", f"these do: {asks}")
    return as_tablebase(game, given)


def told(raw: dict[str, Any], tables: Tablebase) -> str:
    """What the tables had to do with it."""
    where = f"the tables in {tables.path}" if tables.path else "the tables"
    if raw["tabled"] and raw["tabled"] == raw["nodes"]:
        return f"; the position is in {where}: the move was chosen by its distance from the end"
    return f"; {where} answered {raw['tabled']:,} of its positions"


def decode_line(b: Bridge, flat: bytes, codes: list[int]) -> list[Any]:
    """The actions that native numbers stand for, along a line from `flat`."""
    line: list[Any] = []
    for i, code in enumerate(codes):
        if i:
            flat = b.handle.play(flat, codes[i - 1])
        line.append(b.action(b.handle.key(flat), code))
    return line


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


def perft(
    game: Any, state: Any = None, depth: int = 1, *, time: float | None = None
) -> tuple[int, float]:
    """How many leaves the move tree has at `depth`, and the seconds it took to count them."""
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth < 1 << 20:
        raise UsageError(f"depth={depth!r} makes no sense", "a whole number from 0 on")
    return counted(game, state, lambda h, flat: _core.perft(h, flat, depth, time or 0.0))


def count_positions(game: Any, state: Any = None, *, time: float | None = None) -> int:
    """How many positions can be reached from `state`, it included."""
    return counted(game, state, lambda h, flat: _core.count_positions(h, flat, time or 0.0))[0]


def grundy(game: Any, state: Any = None, *, time: float | None = None) -> int:
    """The Sprague-Grundy value of an impartial position in which the last to move wins.

    0: the player to move loses. The game must say that it is impartial (`impartial = True`).
    """
    the_game = as_game(game)
    if not getattr(the_game, "impartial", False):
        raise NotSupported(
            f"{the_game.name} does not say that it is impartial",
            "set impartial = True in a game in which both players have the same moves "
            "and the last to move wins",
        )
    return counted(the_game, state, lambda h, flat: _core.grundy(h, flat, time or 0.0))[0]


def counted(game: Any, state: Any, count: Any) -> tuple[int, float]:
    the_game = as_game(game)
    b = bridge(the_game)
    total, elapsed, stopped = count(
        b.handle, b.flat(the_game.initial() if state is None else state)
    )
    note_interrupt(stopped)
    if stopped:
        raise SearchBudgetExceeded(f"the count was stopped ({stopped})", "give it more time")
    return total, elapsed


__all__ = ["algorithms", "count_positions", "grundy", "perft", "search", "solve", "solve_all"]


def plies(distance: int) -> int | None:
    """How far the end of a decided game is, where that is known."""
    return None if distance < 0 else distance
