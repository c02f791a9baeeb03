"""``zermelo.search`` and ``zermelo.solve``: check, choose, run, and tell."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from inspect import signature
from typing import Any, NamedTuple

from .. import _core
from ..checks import check_called, check_given, check_limits, check_seconds, check_seed, check_whole
from ..errors import EndlessGame, NotSupported, SearchBudgetExceeded, TableError, UsageError
from ..game import Game, as_game, defines, facts_of, first_state
from ..games.native import NativeGame
from ..result import Result
from ..tablebase.tables import Tablebase, as_tablebase, available_memory
from ..tablebase.tables import tablebase as build_tables
from .adapter import adapt
from .advice import advised
from .algorithms import (
    ASKED,
    Algorithm,
    algorithms,
    check_inner,
    check_options,
    choose,
    convention,
    duel,
    native_options,
    preferred,
    settle_chance,
)
from .memory import Memory, check_table
from .models import is_model, model_name, models_for
from .models import told as models_told
from .run import Guide, Job
from .tracing import uncollected

DEFAULT_SECONDS = 1.0  # for "auto" without limits on a game of unknown size
AUTO_TABLE_MB = 16  # small: touching fresh memory costs more than a short search
SOLVE_TABLE_MB = 64
SOLVE_CIRCLES_MB = 1024  # for retrograde analysis of a game with circles
PLAIN_OPTIONS = frozenset(("cut", "fail", "ties"))  # of the lectures' alpha-beta alone


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
    (or player 0's alone in a zero-sum game of two); its rollout and its priors may be policies of
    yours, as in `opponents`. Where something is hidden, only what the mover
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
    check_called("on_depth", on_depth)
    check_called("stop", stop)
    check_called("guide", guide)
    facts = facts_of(the_game)
    state = first_state(the_game) if state is None else state
    models = models_for(the_game, state, opponents, algorithm)
    if models:
        facts = replace(facts, chance=True)
    plain = trace or bool(facts.tree_nodes) or not PLAIN_OPTIONS.isdisjoint(options)
    own = algorithm == "auto" and defines(the_game, "advise") and duel(facts)
    if own and not (models or plain or options or depth) and not the_game.is_terminal(state):
        return advised(the_game, state)
    prefers = "auto" if plain else preferred(the_game, algorithm)
    own_choice = algorithm == "auto" != prefers and depth is None
    if own_choice and options.keys() <= set(algorithms()[prefers].options):
        found, why = (
            choose(prefers, facts)[0],
            f"{the_game.name} recommends it: other searches see too few moves ahead",
        )
    else:
        found, why = choose(algorithm, facts, plain=plain)
    if models:
        why += f"; {models_told(models)}"
    if trace and not found.traces:
        telling = ", ".join(a.name for a in algorithms().values() if a.traces)
        raise UsageError(f"{found.name} does not support trace", f"supported by: {telling}")
    if threads > 1 and "threads" in found.options and many_threads(the_game):
        options["threads"] = threads
    elif threads > 1:
        why += f"; {found.name} uses one thread here"
    policies = {k: v for k, v in options.items() if k in ("rollout", "priors") and is_model(v)}
    words = {k: v for k, v in options.items() if k not in policies}
    if policies and found.name != "mcts":
        raise UsageError(
            f"{found.name} does not support a policy as {min(policies)}", "supported by: mcts"
        )
    chosen = check_options(found, words, ("state", "algorithm", *keywords())) | policies
    check_inner(chosen, facts)
    for option, policy in policies.items():
        why += f"; {option} by {model_name(policy)}"
    if found.name == "ismcts" and "rollout" not in options:
        chosen["rollout"] = getattr(the_game, "rollout", chosen["rollout"])
    unlimited = depth is None and time is None and nodes is None
    if simulations := chosen.pop("simulations", 0):
        nodes = min(simulations, nodes or simulations)
        unlimited = False
    endless = found.name in ("mcts", "ismcts")
    if (endless or (algorithm == "auto" and not facts.tree_nodes)) and unlimited:
        time = DEFAULT_SECONDS
        why += f"; no limit given: searched for up to {DEFAULT_SECONDS:g} s"
    if "deepen" not in found.options and depth is not None:
        raise UsageError(f"{found.name} does not support depth", "give time or nodes instead")
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
        raise UsageError(f"{found.name} does not support among", "supported by: engine")
    if memory is not None and found.name not in ("engine", "mcts"):
        raise UsageError(f"{found.name} does not support memory", "supported by: engine, mcts")
    if memory is not None and not isinstance(memory, Memory):
        raise UsageError(f"invalid memory={memory!r}", "expected a zermelo.Memory")
    if memory is not None:
        judged = (evaluate, guide, opponents, chosen.get("rollout"), chosen.get("priors"))
        memory.serve(the_game, judged)
    if belief is not None and not found.hidden:
        raise UsageError(
            f"{found.name} does not support belief",
            "supported by: pimc, ismcts, belief, guaranteed",
        )
    job.given, job.deals = belief, chosen.pop("deals", None)
    if guide is not None and found.name != "mcts":
        raise UsageError(f"{found.name} does not support guide", "supported by: mcts")
    job.memory, job.among, job.guide = memory, among, guide
    with uncollected() if trace else nullcontext():
        return job.run(depth, time, nodes)


@cache
def keywords() -> tuple[str, ...]:
    """What :func:`search` takes by name beside the options of the algorithms."""
    kinds = signature(search).parameters.items()
    return tuple(name for name, p in kinds if p.kind is p.KEYWORD_ONLY)


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
            f"{the_game.name} has hidden information: no line of play proves its value",
            "zermelo.equilibrium computes it for small games",
        )
    if algorithm == "retrograde":
        return solve_backwards(the_game, state, time, available_memory(), ASKED)
    found, why = choose(algorithm, facts_of(the_game), plain=ties)
    wanted: dict[str, Any] = {"table": table, "deepen": False, "quiescence": False}
    wanted = {k: v for k, v in wanted.items() if k in found.options}  # only what is sure
    if found.name in ("paranoid", "best-reply") and not duel(facts_of(the_game)):
        raise UsageError(f"{found.name} does not solve multi-player games", "use maxn")
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
            r = solve(the_game, state, "value-iteration", time=time, nodes=nodes)
            return because(r, "chance moves, and positions can repeat")
        return solve_circles(the_game, state, time, nodes, table)
    if not r.exact or (ties and r.stopped):
        limit = {
            "time": f" within {time} s",
            "nodes": f" within {nodes} nodes",
            "interrupted": ": interrupted",
            "": ": the game does not have to end",
        }
        hint = "give more time, or accept an estimate: zermelo.search, zermelo analyze"
        raise SearchBudgetExceeded(
            f"{the_game.name} is not solved{limit[r.stopped]} ({r.nodes:,} nodes)",
            hint if r.stopped else "count the moves in the state and end the game at some number",
            r,
        )
    return r


def solve_circles(
    game: Game, state: Any, time: float | None, nodes: int | None, table: int
) -> Result:
    """Solve a game in which positions can repeat; repetition for ever is a draw."""
    try:
        why = "positions can repeat"
        return solve_backwards(game, state, time, SOLVE_CIRCLES_MB << 20, why)
    except (TableError, NotSupported):  # too many positions, or names for them that do not last
        least, greatest = facts_of(game).utility_bounds or (-math.inf, math.inf)
        if least < -1 or greatest > 1:  # proof-number search is for wins, draws and losses
            raise
        r = solve(game, state, "proof-number", time=time, nodes=nodes, table=table)
        return because(r, "positions can repeat, and too many can be reached to list them")


def because(r: Result, reason: str) -> Result:
    """The result with the reason for an algorithm that nobody named."""
    r.why = reason + r.why.removeprefix(ASKED)
    return r


def solve_backwards(game: Game, state: Any, time: float | None, memory: int, why: str) -> Result:
    """By retrograde analysis of all positions that can be reached."""
    begin = first_state(game) if state is None else state
    start = clock.perf_counter()
    tables = build_tables(game, state=begin, time=time, memory=memory >> 20)
    job = Job(
        game,
        begin,
        "engine",
        {},
        f"{why}: retrograde analysis of all {tables.positions:,} positions",
    )
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
    b = adapt(the_game)
    flat = [b.flat(s) for s in check_given("states", states)]
    solved = _core.solve_all(b.handle, flat, time or 0.0, native_options(chosen))
    if len(solved) < len(flat):
        raise SearchBudgetExceeded(
            f"only {len(solved)} of {len(flat)} positions were solved", "give more time", solved
        )
    return [Solved(*row[:3]) for row in solved]


def many_threads(game: Game) -> bool:
    """Can several threads ask these rules at once? (Python's cannot.)"""
    return isinstance(game, NativeGame) or hasattr(game, "native_spec")


def tables_for(game: Game, algorithm: Algorithm, given: Any) -> Tablebase | None:
    if given is None:
        return None
    if not algorithm.tables:
        asks = ", ".join(a.name for a in algorithms().values() if a.tables)
        raise UsageError(f"{algorithm.name} does not support tablebase", f"supported by: {asks}")
    return as_tablebase(game, given)


def perft(
    game: Any, state: Any = None, depth: int = 1, *, time: float | None = None
) -> tuple[int, float]:
    """How many leaves the move tree has at `depth`, and the seconds it took to count them."""
    depth, time = check_whole("depth", depth, 0, (1 << 20) - 1), check_seconds(time)
    return counted(game, state, lambda h, flat: _core.perft(h, flat, depth, time or 0.0))


def count_positions(game: Any, state: Any = None, *, time: float | None = None) -> int:
    """How many positions can be reached from `state`, it included."""
    time = check_seconds(time)
    return counted(game, state, lambda h, flat: _core.count_positions(h, flat, time or 0.0))[0]


def grundy(game: Any, state: Any = None, *, time: float | None = None) -> int:
    """The Sprague-Grundy value of an impartial position in which the last to move wins.

    0: the player to move loses. The game must say that it is impartial (`impartial = True`).
    """
    the_game, time = as_game(game), check_seconds(time)
    if not the_game.impartial:
        raise NotSupported(
            f"{the_game.name} does not say that it is impartial",
            "set impartial = True in a game in which both players have the same moves "
            "and the last to move wins",
        )
    return counted(the_game, state, lambda h, flat: _core.grundy(h, flat, time or 0.0))[0]


def counted(game: Any, state: Any, count: Any) -> tuple[int, float]:
    the_game = as_game(game)
    b = adapt(the_game)
    total, elapsed, stopped = count(
        b.handle, b.flat(first_state(the_game) if state is None else state)
    )
    if stopped == "interrupted":  # half a count says nothing
        raise KeyboardInterrupt
    if stopped:
        raise SearchBudgetExceeded(f"the count was stopped ({stopped})", "give more time")
    return total, elapsed


__all__ = [
    "algorithms",
    "check_limits",
    "check_seed",
    "count_positions",
    "grundy",
    "perft",
    "search",
    "solve",
    "solve_all",
]
