"""Equilibria of games with hidden information, by minimising regret (core/search/regret)."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from typing import Any, Protocol

from .. import _core
from ..checks import check_called, check_seconds, check_seed, check_whole
from ..errors import NotSupported, SearchBudgetExceeded, UsageError, suggest
from ..game import as_game, first_state
from ..search.adapter import adapt, naming
from .policy import Policy

WAYS = ("cfr", "cfr+", "dcfr", "mccfr", "sampling")
MOST_HISTORIES = 20_000_000
MOST_SETS = 20_000_000  # of a game that is sampled
MOST_WALKED = 1_000_000_000  # nodes of one iteration of sampling
FORGOTTEN = 10**8  # histories that lead to one position, at most
DOUBT = 1000  # times too large must a tree be judged to be refused before it is built
SAMPLES_AT_ONCE = 1000
DEFAULT_TARGET = 1e-3  # NashConv, where nothing else ends it
DEFAULT_SECONDS = 10.0
FIRST, GROWTH = 10, 1.25  # iterations until it is measured for the first time, and how much later
SEARCH_INSTEAD = "use a smaller game, or search it with zermelo analyze"

Curve = list[tuple[int, float, float]]  # iterations, seconds, NashConv


class Kept(Protocol):
    """Where a run keeps what it has learned."""

    def go_on(self, solver: Any) -> Curve: ...
    def save(self, solver: Any, curve: Curve, now: bool = False) -> None: ...


def minimise(
    game: Any,
    algorithm: str = "cfr+",
    *,
    iterations: int | None = None,
    target: float | None = None,
    time: float | None = None,
    seed: int | None = None,
    on_progress: Callable[[int, float, float], object] | None = None,
    keep: Kept | None = None,
) -> Policy:
    """The average strategy after so many iterations, or when NashConv is at most `target`.

    `on_progress` is told iterations, seconds and NashConv whenever that is measured. `keep` is
    where what is learned is kept, and found again. "sampling" holds no tree, so that it measures
    nothing: it ends after `iterations` or `time`, and the policy's NashConv is not a number.
    """
    the_game = as_game(game)
    check_way(algorithm)
    time = check_seconds(time)
    iterations = None if iterations is None else check_whole("iterations", iterations)
    seed = 0 if seed is None else check_seed(seed)
    if target is not None and not (isinstance(target, int | float) and target >= 0):
        raise UsageError(f"invalid target={target!r}", "expected a number of at least 0")
    check_called("on_progress", on_progress)
    if algorithm == "sampling":
        if target is not None:
            raise UsageError(
                "sampling does not support `target`: it stores no tree to measure NashConv",
                "give iterations or time; policy.measured() measures it if the tree fits in memory",
            )
        return sampled(the_game, iterations, time, seed, on_progress, keep)
    if iterations is None and target is None:
        target, time = DEFAULT_TARGET, time or DEFAULT_SECONDS
    b = adapt(the_game)
    start = clock.perf_counter()
    solver = _solver_of(b, algorithm, seed)
    curve: Curve = []
    if keep is not None:
        curve = keep.go_on(solver)
        start -= curve[-1][1] if curve else 0.0
        time = None if time is None else time + (curve[-1][1] if curve else 0.0)
    due = max(FIRST, int(solver.iterations * GROWTH))
    while True:
        count = due if iterations is None else min(due, iterations)
        left = 0.0 if time is None else max(1e-3, time - (clock.perf_counter() - start))
        stopped = solver.iterate(max(0, count - solver.iterations), left)
        try:
            values, conv = measured(solver)
        except KeyboardInterrupt:
            if keep is not None and curve:
                keep.save(solver, curve, now=True)
            raise
        elapsed = clock.perf_counter() - start
        curve.append((solver.iterations, elapsed, conv))
        if on_progress is not None:
            on_progress(*curve[-1])
        if keep is not None:
            keep.save(solver, curve)
        reached = target is not None and conv <= target
        spent = time is not None and elapsed >= time
        if stopped or reached or spent or solver.iterations == iterations:
            break
        due = max(due + 1, int(due * GROWTH))
    if solver.iterations == 0:
        raise SearchBudgetExceeded(
            "the time limit was reached before the first iteration", "give more time"
        )
    policy = Policy(the_game, table_of(b, solver), values, conv, algorithm)
    policy.iterations, policy.curve = solver.iterations, curve
    return policy


def check_way(algorithm: Any) -> None:
    if algorithm not in WAYS:
        raise UsageError(f"unknown algorithm {algorithm!r}", suggest(str(algorithm), WAYS))


def sampled(
    game: Any,
    iterations: int | None,
    time: float | None,
    seed: int,
    on_progress: Callable[[int, float, float], object] | None,
    keep: Kept | None = None,
) -> Policy:
    """By external sampling of what is met; for games whose tree is too large to hold."""
    if iterations is None and time is None:
        time = DEFAULT_SECONDS
    b = adapt(game)
    start = clock.perf_counter()
    flat = b.flat(first_state(game))
    walked = _core.tree_size(b.handle, flat)[1]
    if walked > math.log10(MOST_WALKED * DOUBT):
        raise NotSupported(
            f"{game.name} is too large to sample: "
            f"one iteration would visit about 10^{walked:.0f} nodes",
            SEARCH_INSTEAD,
        )
    solver = _core.SamplingRegret(b.handle, flat, seed, MOST_SETS)
    curve = [] if keep is None else keep.go_on(solver)
    before = curve[-1][1] if curve else 0.0  # seconds of earlier runs
    stopped = ""
    while not stopped and (iterations is None or solver.iterations < iterations):
        left = 0.0 if time is None else max(1e-3, time - (clock.perf_counter() - start))
        more = SAMPLES_AT_ONCE if iterations is None else iterations - solver.iterations
        with naming(b):
            stopped = solver.iterate(min(more, SAMPLES_AT_ONCE), left)
        curve = [(solver.iterations, before + clock.perf_counter() - start, math.nan)]
        if on_progress is not None:
            on_progress(*curve[-1])
        if keep is not None:
            keep.save(solver, curve)
    if solver.iterations == 0:
        raise SearchBudgetExceeded(
            "the time limit was reached before the first iteration", "give more time"
        )
    unknown = tuple(math.nan for _ in range(b.handle.facts.players))
    policy = Policy(game, table_of(b, solver), unknown, math.nan, "sampling")
    policy.iterations = solver.iterations
    return policy


def measure(policy: Policy) -> tuple[tuple[float, ...], float]:
    """Values and NashConv of a policy, over the whole tree; refused where that is too large.

    Where it knows nothing of an information set it plays all actions alike.
    """
    b = adapt(policy.game)
    solver = _solver_of(b, "cfr", 0)
    odds: list[float] = []
    for player, flat, codes, _ in solver.strategy():
        key = b.handle.key(flat)
        row = policy.table.get((player, policy.game.observation(b.state(flat), player)))
        names = [b.action(key, code) for code in codes]
        odds += [1 / len(names) if row is None else row[name] for name in names]
    values, replies = solver.measure_of(odds)
    return tuple(values), max(0.0, sum(replies) - sum(values))


def _solver_of(b: Any, algorithm: str, seed: int) -> Any:
    """The tree of histories, or the positions where players forget (recall = False)."""
    flat = b.flat(first_state(b.game))
    recall = getattr(b.game, "recall", True)
    histories, walked = _core.tree_size(b.handle, flat)
    if histories > math.log10(MOST_HISTORIES * (DOUBT if recall else FORGOTTEN)):
        sampling = walked <= math.log10(MOST_WALKED * DOUBT)
        raise NotSupported(
            f"{b.game.name} has about 10^{histories:.0f} histories; at most {MOST_HISTORIES:,} fit",
            "use the algorithm sampling, which stores no tree" if sampling else SEARCH_INSTEAD,
        )
    if recall:
        with naming(b):
            return _core.Regret(b.handle, flat, algorithm, seed, MOST_HISTORIES)
    if algorithm == "mccfr":
        raise UsageError(
            "mccfr needs perfect recall, but this game declares recall = False",
            "use cfr+, cfr or dcfr, e.g. -a cfr+",
        )
    with naming(b):
        return _core.ForgetfulRegret(b.handle, flat, algorithm, seed, MOST_HISTORIES)


def measured(solver: Any) -> tuple[tuple[float, ...], float]:
    """What each player gets, and what all could gain by playing otherwise, added up."""
    values, replies = solver.measure()
    return tuple(values), max(0.0, sum(replies) - sum(values))


def table_of(b: Any, solver: Any) -> dict[tuple[int, Any], dict[Any, float]]:
    """The average strategy by what its player sees."""
    table: dict[tuple[int, Any], dict[Any, float]] = {}
    for player, flat, codes, odds in solver.strategy():
        key = b.handle.key(flat)
        names = [b.action(key, code) for code in codes]
        seen = b.game.observation(b.state(flat), player)
        table[player, seen] = dict(zip(names, odds, strict=True))
    return table
