"""``zermelo.solve`` and ``solve_all``: exact values, or an error."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable
from typing import Any, NamedTuple

from .. import _core
from ..checks import check_given, check_limits
from ..errors import EndlessGame, NotSupported, SearchBudgetExceeded, TableError, UsageError
from ..game import Facts, Game, as_game, facts_of, first_state
from ..result import Result
from ..tablebase.build import tablebase as build_tables
from ..tablebase.space import available_memory
from ..tablebase.tables import as_tablebase
from . import defaults
from .adapter import adapt
from .algorithms import (
    FEATURES,
    REQUESTED,
    Algorithm,
    Capabilities,
    LimitSupport,
    algorithms,
    choose,
    duel,
    find,
)
from .memory import check_table
from .options import Situation
from .request import Limits, SearchRequest, many_threads, settle_conventions
from .run import run

# The one solver that is not a search from the root; it runs in tablebase/.
RETROGRADE = Algorithm(
    name="retrograde",
    doc="retrograde analysis of all positions that can be reached.",
    can=Capabilities(cycles=True),
    limits=LimitSupport(nodes=False),
)
# The options of a proof: no depth limit and no evaluation.
PROVING = {"deepen": False, "quiescence": False}


def solve(
    game: Any,
    state: Any = None,
    algorithm: str = "auto",
    *,
    time: float | None = None,
    nodes: int | None = None,
    table: int = defaults.SOLVE_TABLE_MB,
    ties: bool = False,
    threads: int = 1,
    tablebase: Any = None,
) -> Result:
    """Compute the exact value of a state.

    "auto" takes alpha-beta to the end of the game, and expectiminimax in games with chance. If
    positions can repeat (which is a draw), it takes retrograde analysis of all positions that can
    be reached, or proof-number search if those are too many; with chance, value iteration. If
    superko forbids positions to repeat and there are few positions, it takes "superko".

    Args:
        game: The game.
        state: By default the initial state.
        algorithm: A name from ``zermelo algorithms``, "retrograde" or "auto".
        time: Time limit in seconds.
        nodes: Node limit.
        table: Size of the transposition table in MB.
        ties: Find all moves that are equally good.
        threads: Number of threads.
        tablebase: Directory of solved positions (``zermelo tablebase``), or a Tablebase.

    Returns:
        The result; `exact` is True.

    Raises:
        SearchBudgetExceeded: A limit was reached before the value was proved.
        UsageError: The algorithm cannot prove values.
        NotSupported: The algorithm does not support such a game.

    Example:
        >>> import zermelo
        >>> zermelo.solve(zermelo.load("tic-tac-toe")).value
        0.0
    """
    task = Task.of(game, state, time, nodes, table, ties, threads, tablebase)
    if algorithm == RETROGRADE.name:
        return _solve_retrograde(task, available_memory(), REQUESTED)
    spec, reason = _choose_solver(task, algorithm)
    try:
        return task.prove(spec, reason)
    except EndlessGame:
        if algorithm != "auto" or not duel(task.facts):
            raise
        return _solve_cycles(task)


class Task(NamedTuple):
    """The position to solve, and the limits."""

    game: Game
    state: Any
    facts: Facts
    limits: Limits
    table: int
    ties: bool
    threads: int
    tablebase: Any

    @classmethod
    def of(
        cls,
        game: Any,
        state: Any,
        time: Any,
        nodes: Any,
        table: int = defaults.SOLVE_TABLE_MB,
        ties: bool = False,
        threads: Any = 1,
        tablebase: Any = None,
    ) -> Task:
        the_game = as_game(game)
        _, time, nodes, threads = check_limits(None, time, nodes, threads)
        begin = first_state(the_game) if state is None else state
        limits = Limits(None, time, nodes)
        return cls(the_game, begin, facts_of(the_game), limits, table, ties, threads, tablebase)

    def prove(self, spec: Algorithm, reason: str) -> Result:
        """The result of a search to the end of the game; an error if it is not exact."""
        r = run(self.request(spec, reason))
        if not r.exact or (self.ties and r.stopped):
            raise _not_solved(self, r)
        return r

    def request(self, spec: Algorithm, reason: str) -> SearchRequest:
        """The request of a search that proves the value."""
        if self.tablebase is not None:
            spec.require("tablebase")
        notes = [reason]
        chosen = spec.settle(self.options(spec), Situation())
        chosen.pop("simulations", None)
        if "table" in spec.options:
            notes.append(f"to the end of the game, with a table of {self.table} MB")
        if convention := settle_conventions(spec, chosen, self.facts):
            notes.append(convention)
        return SearchRequest(
            game=self.game,
            state=self.state,
            algorithm=spec,
            limits=self.limits,
            deals=chosen.pop("deals", 0),
            options=chosen,
            notes=tuple(notes),
            facts=self.facts,
            tablebase=None if self.tablebase is None else as_tablebase(self.game, self.tablebase),
            bounded=True,
        )

    def options(self, spec: Algorithm) -> dict[str, Any]:
        """The options of the solver, as far as it has them."""
        wanted: dict[str, Any] = {"table": self.table, **PROVING}
        if self.ties and "ties" in spec.options:  # max^n's root moves are all exact anyway
            wanted["ties"] = True
        elif FEATURES["threads"](spec) and many_threads(self.game):
            wanted["threads"] = self.threads
        return {name: value for name, value in wanted.items() if name in spec.options}


def _choose_solver(task: Task, algorithm: str) -> tuple[Algorithm, str]:
    """The algorithm that proves the value, and why."""
    if task.facts.hidden and algorithm == "auto" and task.facts.players > 1:
        raise NotSupported(
            f"{task.game.name} has hidden information, which solve does not support",
            "zermelo.equilibrium computes the value of small games",
        )
    if algorithm != "auto":
        find(algorithm).require("solve")
    if algorithm == "auto" and task.facts.superko:
        spec = next(a for a in algorithms().values() if a.can.superko)
        return spec, "no position may repeat, and there are few positions"
    spec, reason = choose(algorithm, task.facts, plain=task.ties)
    if spec.traits.coalition and not duel(task.facts):
        fits = [a.name for a in algorithms().values() if _solves_many(a, task.facts)]
        raise UsageError(
            f"{spec.name} does not solve multi-player games", f"supported by: {', '.join(fits)}"
        )
    return spec, reason


def _solves_many(a: Algorithm, facts: Facts) -> bool:
    return a.can.proof and not a.traits.coalition and not a.misfit(facts)


def _not_solved(task: Task, r: Result) -> SearchBudgetExceeded:
    """The error for a value that was not proved."""
    limit = {
        "time": f" within {task.limits.time} s",
        "nodes": f" within {task.limits.nodes} nodes",
        "interrupted": ": interrupted",
        "": ": the game does not have to end",
    }
    hint = "give more time, or accept an estimate: zermelo.search, zermelo analyze"
    return SearchBudgetExceeded(
        f"{task.game.name} is not solved{limit[r.stopped]}; searched {r.nodes:,} nodes",
        hint if r.stopped else "count the moves in the state and end the game after a maximum",
        r,
    )


def _solve_cycles(task: Task) -> Result:
    """Solve a game in which positions can repeat; without chance, repetition is a draw."""
    spec = next(a for a in algorithms().values() if a.can.cycles and not a.misfit(task.facts))
    if task.facts.chance:
        return task.prove(spec, "the game has chance, and positions can repeat")
    try:
        return _solve_retrograde(task, defaults.SOLVE_CYCLES_MB << 20, "positions can repeat")
    except (TableError, NotSupported):  # too many positions, or states without lasting names
        least, greatest = task.facts.utility_bounds or (-math.inf, math.inf)
        if not spec.can.scores and (least < -1 or greatest > 1):
            raise
        reason = "positions can repeat, and there are too many for retrograde analysis"
        return task.prove(spec, reason)


def _solve_retrograde(task: Task, memory: int, reason: str) -> Result:
    """Retrograde analysis of all positions that can be reached, within `memory` bytes."""
    start = clock.perf_counter()
    tables = build_tables(task.game, state=task.state, time=task.limits.time, memory=memory >> 20)
    reads = next(a for a in algorithms().values() if a.can.tablebase)
    note = f"{reason}: retrograde analysis of all {tables.positions:,} positions"
    r = run(
        SearchRequest(
            game=task.game,
            state=task.state,
            algorithm=reads,
            limits=Limits(),
            options=reads.settle({"table": 1, **PROVING}, Situation()),
            notes=(note,),
            facts=task.facts,
            tablebase=tables,
        )
    )
    r.algorithm, r.nodes = RETROGRADE.name, tables.positions
    r.elapsed = clock.perf_counter() - start
    return r


class Solved(NamedTuple):
    """The result of :func:`solve_all` for one position."""

    value: float  # player 0's, exact
    nodes: int
    seconds: float


def solve_all(
    game: Any,
    states: Iterable[Any],
    *,
    time: float | None = None,
    table: int = defaults.SOLVE_TABLE_MB,
) -> list[Solved]:
    """Compute the exact values of many positions of one game, with one table for all of them.

    Args:
        game: The game.
        states: The positions.
        time: Time limit in seconds for all of them.
        table: Size of the transposition table in MB.

    Returns:
        The value, nodes and seconds of every position.

    Raises:
        SearchBudgetExceeded: Not all positions were solved; `result` has those that were.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("tic-tac-toe")
        >>> [solved.value for solved in zermelo.solve_all(game, [game.initial()])]
        [0.0]
    """
    task = Task.of(game, None, time, None, table)
    spec, _ = choose("auto", task.facts)
    if not spec.batch:  # one by one
        each = [solve(task.game, s, time=time, table=table) for s in states]
        return [Solved(r.value, r.nodes, r.elapsed) for r in each]
    chosen = spec.settle({"table": table, **PROVING}, Situation())
    check_table(chosen["table"])
    b = adapt(task.game)
    flat = [b.flat(s) for s in check_given("states", states)]
    options = spec.native_options(chosen)
    solved = _core.solve_all(b.handle, flat, task.limits.time or 0.0, options, algorithm=spec.name)
    if len(solved) < len(flat):
        raise SearchBudgetExceeded(
            f"only {len(solved)} of {len(flat)} positions were solved", "give more time", solved
        )
    return [Solved(*row[:3]) for row in solved]
