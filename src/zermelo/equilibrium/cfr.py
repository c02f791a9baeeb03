"""Counterfactual regret minimization for games with hidden information (core/search/regret)."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from .. import _core
from ..checks import check_called, check_seconds, check_seed, check_whole
from ..errors import NotSupported, SearchBudgetExceeded, UsageError
from ..game import as_game, first_state
from ..search.adapter import adapt, naming
from .policy import Policy
from .variants import DEFAULT_VARIANT, VARIANTS, find_variant, names_where

MAX_HISTORIES = 20_000_000
MAX_SETS = 20_000_000  # information sets that sampling stores
MAX_VISITED = 1_000_000_000  # nodes of one iteration of sampling
HISTORIES_PER_POSITION = 10**8  # allowed where positions are stored instead of histories
ESTIMATE_ERROR = 1000  # an estimated size is refused only beyond this factor
SAMPLES_PER_CALL = 1000
DEFAULT_TARGET = 1e-3  # NashConv, if no limit is given
DEFAULT_SECONDS = 10.0
FIRST_MEASURE, GROWTH = 10, 1.25  # iterations before NashConv is first measured, then the factor
SEARCH_INSTEAD = "use a smaller game, or search it with zermelo analyze"

Curve = list[tuple[int, float, float]]  # iterations, seconds, NashConv
Progress = Callable[[int, float, float], object]


class Checkpoint(Protocol):
    """Where a run saves its progress."""

    def resume(self, solver: Any) -> Curve: ...
    def save(self, solver: Any, curve: Curve, now: bool = False) -> None: ...


class _Limits(NamedTuple):
    iterations: int | None
    target: float | None
    time: float | None


def minimize(
    game: Any,
    algorithm: str = DEFAULT_VARIANT,
    *,
    iterations: int | None = None,
    target: float | None = None,
    time: float | None = None,
    seed: int | None = None,
    on_progress: Progress | None = None,
    keep: Checkpoint | None = None,
) -> Policy:
    """Minimize regret until a limit is reached; return the average strategy.

    `on_progress(iterations, seconds, nash_conv)` is called after every measurement. `keep` saves
    the progress and resumes an earlier run. A variant that stores no tree cannot measure: it stops
    after `iterations` or `time`, and the NashConv of its policy is NaN.
    """
    the_game = as_game(game)
    variant = find_variant(algorithm)
    time = check_seconds(time)
    iterations = None if iterations is None else check_whole("iterations", iterations)
    seed = 0 if seed is None else check_seed(seed)
    if target is not None and not (isinstance(target, int | float) and target >= 0):
        raise UsageError(f"invalid target={target!r}", "expected a number of at least 0")
    check_called("on_progress", on_progress)
    limits = _Limits(iterations, target, time)
    if variant.stores_tree:
        return _minimize_stored(the_game, algorithm, limits, seed, on_progress, keep)
    if target is not None:
        raise UsageError(
            f"{algorithm} does not support `target`: it stores no tree to measure NashConv",
            "give iterations or time; policy.measured() measures it if the tree fits in memory",
        )
    return _minimize_sampled(the_game, algorithm, limits, seed, on_progress, keep)


def _minimize_stored(
    game: Any,
    algorithm: str,
    limits: _Limits,
    seed: int,
    on_progress: Progress | None,
    keep: Checkpoint | None,
) -> Policy:
    """Over the stored tree, or the stored positions of a game with imperfect recall."""
    iterations, target, time = limits
    if iterations is None and target is None:
        target, time = DEFAULT_TARGET, time or DEFAULT_SECONDS
    adapter = adapt(game)
    start = clock.perf_counter()
    solver = _stored_solver(adapter, algorithm, seed)
    curve: Curve = []
    if keep is not None:
        curve = keep.resume(solver)
        start -= curve[-1][1] if curve else 0.0
        time = None if time is None else time + (curve[-1][1] if curve else 0.0)
    due = max(FIRST_MEASURE, int(solver.iterations * GROWTH))
    while True:
        count = due if iterations is None else min(due, iterations)
        left = 0.0 if time is None else max(1e-3, time - (clock.perf_counter() - start))
        stopped = solver.iterate(max(0, count - solver.iterations), left)
        try:
            values, conv = _values_and_nash_conv(*solver.measure())
        except KeyboardInterrupt:
            if keep is not None and curve:
                keep.save(solver, curve, now=True)
            raise
        elapsed = clock.perf_counter() - start
        curve.append((solver.iterations, elapsed, conv))
        _report(solver, curve, on_progress, keep)
        reached = target is not None and conv <= target
        spent = time is not None and elapsed >= time
        if stopped or reached or spent or solver.iterations == iterations:
            break
        due = max(due + 1, int(due * GROWTH))
    _check_started(solver)
    policy = Policy(game, _strategy_table(adapter, solver), values, conv, algorithm)
    policy.iterations, policy.curve = solver.iterations, curve
    return policy


def _minimize_sampled(
    game: Any,
    algorithm: str,
    limits: _Limits,
    seed: int,
    on_progress: Progress | None,
    keep: Checkpoint | None,
) -> Policy:
    """By external sampling without a tree, for games whose tree does not fit in memory."""
    iterations, _, time = limits
    if iterations is None and time is None:
        time = DEFAULT_SECONDS
    adapter = adapt(game)
    start = clock.perf_counter()
    flat = adapter.flat(first_state(game))
    visited = _core.tree_size(adapter.handle, flat)[1]
    if visited > math.log10(MAX_VISITED * ESTIMATE_ERROR):
        raise NotSupported(
            f"{game.name} is too large to sample: "
            f"one iteration would visit about 10^{visited:.0f} nodes",
            SEARCH_INSTEAD,
        )
    solver = _core.SamplingRegret(adapter.handle, flat, seed, MAX_SETS)
    curve = [] if keep is None else keep.resume(solver)
    before = curve[-1][1] if curve else 0.0  # seconds of earlier runs
    stopped = ""
    while not stopped and (iterations is None or solver.iterations < iterations):
        left = 0.0 if time is None else max(1e-3, time - (clock.perf_counter() - start))
        more = SAMPLES_PER_CALL if iterations is None else iterations - solver.iterations
        with naming(adapter):
            stopped = solver.iterate(min(more, SAMPLES_PER_CALL), left)
        curve = [(solver.iterations, before + clock.perf_counter() - start, math.nan)]
        _report(solver, curve, on_progress, keep)
    _check_started(solver)
    unknown = tuple(math.nan for _ in range(adapter.handle.facts.players))
    policy = Policy(game, _strategy_table(adapter, solver), unknown, math.nan, algorithm)
    policy.iterations = solver.iterations
    return policy


def measure(policy: Policy) -> tuple[tuple[float, ...], float]:
    """Compute the values and the NashConv of a policy over the whole tree, if it fits in memory.

    The policy is uniform in information sets that it does not contain.
    """
    adapter = adapt(policy.game)
    # Any variant will do: the solver only holds the tree.
    solver = _stored_solver(adapter, DEFAULT_VARIANT, 0)
    probabilities: list[float] = []
    for player, flat, codes, _ in solver.strategy():
        key = adapter.handle.key(flat)
        row = policy.table.get((player, policy.game.observation(adapter.state(flat), player)))
        names = [adapter.action(key, code) for code in codes]
        probabilities += [1 / len(names) if row is None else row[name] for name in names]
    return _values_and_nash_conv(*solver.measure_of(probabilities))


def _stored_solver(adapter: Any, algorithm: str, seed: int) -> Any:
    """A solver over histories, or over positions if the game declares imperfect recall."""
    flat = adapter.flat(first_state(adapter.game))
    recall = getattr(adapter.game, "recall", True)
    histories, visited = _core.tree_size(adapter.handle, flat)
    factor = ESTIMATE_ERROR if recall else HISTORIES_PER_POSITION
    if histories > math.log10(MAX_HISTORIES * factor):
        sampled = names_where(stores_tree=False)
        fits = visited <= math.log10(MAX_VISITED * ESTIMATE_ERROR)
        raise NotSupported(
            f"{adapter.game.name} has about 10^{histories:.0f} histories; "
            f"at most {MAX_HISTORIES:,} fit",
            f"use the algorithm {sampled}, which stores no tree" if fits else SEARCH_INSTEAD,
        )
    if not recall and not VARIANTS[algorithm].imperfect_recall:
        raise UsageError(
            f"{algorithm} needs perfect recall, but this game declares recall = False",
            f"these do not: {names_where(imperfect_recall=True)}, "
            f'e.g. algorithm="{DEFAULT_VARIANT}" (-a {DEFAULT_VARIANT})',
        )
    kind = _core.Regret if recall else _core.ImperfectRecallRegret
    with naming(adapter):
        return kind(adapter.handle, flat, algorithm, seed, MAX_HISTORIES)


def _report(
    solver: Any, curve: Curve, on_progress: Progress | None, keep: Checkpoint | None
) -> None:
    if on_progress is not None:
        on_progress(*curve[-1])
    if keep is not None:
        keep.save(solver, curve)


def _check_started(solver: Any) -> None:
    if solver.iterations == 0:
        raise SearchBudgetExceeded(
            "the time limit was reached before the first iteration", "give more time"
        )


def _values_and_nash_conv(
    values: list[float], best_responses: list[float]
) -> tuple[tuple[float, ...], float]:
    """The values, and what all players together could gain by their best responses."""
    return tuple(values), max(0.0, sum(best_responses) - sum(values))


def _strategy_table(adapter: Any, solver: Any) -> dict[tuple[int, Any], dict[Any, float]]:
    """The average strategy by player and observation."""
    table: dict[tuple[int, Any], dict[Any, float]] = {}
    for player, flat, codes, probabilities in solver.strategy():
        key = adapter.handle.key(flat)
        names = [adapter.action(key, code) for code in codes]
        observation = adapter.game.observation(adapter.state(flat), player)
        table[player, observation] = dict(zip(names, probabilities, strict=True))
    return table
