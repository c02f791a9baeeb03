"""One search as a frozen request, validated once: :meth:`SearchRequest.build`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeGuard

from .. import _core
from ..checks import check_called, check_limits, check_seed
from ..errors import UsageError
from ..game import Facts, Game, as_game, defines, facts_of, first_state
from ..games.native import NativeGame
from ..result import Result
from ..tablebase.tables import Tablebase, as_tablebase
from . import defaults
from .algorithms import (
    FEATURES,
    Algorithm,
    algorithms,
    canonical_name,
    check_inner,
    choose,
    preferred,
    traits_of,
)
from .memory import Memory
from .models import describe, is_model, model_name, models_for
from .options import Situation, shown


class NetworkGuide(Protocol):
    """A ``zermelo.learn.network.Network``, whose import needs NumPy."""

    @property
    def native(self) -> _core.Network: ...
    @property
    def design(self) -> Any: ...
    @property
    def game(self) -> str: ...


Guide = Callable[[Any, list[Any]], tuple[Iterable[float], Any]] | NetworkGuide
LIMIT_NAMES = ("depth", "time", "nodes", "simulations")  # what ends a search
# Options that ask for textbook alpha-beta: no other algorithm that "auto" takes has them.
PLAIN_OPTIONS = frozenset(("cut", "fail", "ties"))
# Options that decide what a kept tree contains: it is dropped if one of them changes.
TREE_OPTIONS = ("rollout", "priors", "rave", "widening")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search; None: no limit."""

    depth: int | None = None
    time: float | None = None  # seconds
    nodes: int | None = None

    @property
    def given(self) -> bool:
        return self.depth is not None or self.time is not None or self.nodes is not None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search, once everything about it is decided."""

    game: Game
    state: Any
    algorithm: Algorithm
    limits: Limits
    options: Mapping[str, Any]  # complete, without those that the front end reads
    notes: tuple[str, ...]  # why this algorithm, and how it searches
    convention: str = ""  # how it cuts or breaks ties, for the trace
    facts: Facts = field(default_factory=Facts)  # with players who have a model as chance
    policies: Mapping[str, Any] = field(default_factory=dict)  # by option
    models: Mapping[int, Any] = field(default_factory=dict)  # by player
    evaluate: Any = None
    guide: Guide | None = None
    memory: Memory | None = None
    belief: Any = None  # as the caller gives it
    deals: int = 0  # states to sample; 0: all that can be listed
    tablebase: Tablebase | None = None
    trace: bool = False
    seed: int | None = None
    bounded: bool = False  # only proofs are wanted
    on_depth: Callable[[Result], object] | None = None
    stop: Callable[[], bool] | None = None
    among: Iterable[Any] | None = None

    @property
    def described_options(self) -> dict[str, Any]:
        """The options as the result reports them: policies in place of words."""
        return {**self.options, **self.policies}


@dataclass(slots=True)
class Wanted:
    """The arguments of ``zermelo.search``, before anything is decided."""

    game: Any
    state: Any
    algorithm: str
    depth: Any
    time: Any
    nodes: Any
    threads: Any
    evaluate: Any
    seed: Any
    trace: bool
    on_depth: Any
    tablebase: Any
    stop: Any
    memory: Any
    among: Any
    opponents: Any
    guide: Any
    belief: Any
    options: dict[str, Any]


def is_network(guide: Any) -> TypeGuard[NetworkGuide]:
    """Whether a guide is a network."""
    return isinstance(getattr(guide, "native", None), _core.Network)


def _check_functions(wanted: Wanted) -> None:
    """Refuses arguments that cannot be called."""
    check_called("on_depth", wanted.on_depth)
    check_called("stop", wanted.stop)
    if not is_network(wanted.guide):
        check_called("guide", wanted.guide)


def build(wanted: Wanted, keywords: Iterable[str]) -> SearchRequest:
    """Checks the arguments and decides the rest.

    Args:
        wanted: The caller's arguments.
        keywords: Names that the caller accepts beside options, to suggest for a misspelled one.

    Raises:
        UsageError: An argument is invalid, or the algorithm does not support it.
        NotSupported: No algorithm, or not the one that is named, supports such a game.
    """
    game = as_game(wanted.game)
    depth, time, nodes, threads = check_limits(
        wanted.depth, wanted.time, wanted.nodes, wanted.threads
    )
    seed = None if wanted.seed is None else check_seed(wanted.seed)
    _check_functions(wanted)
    state = first_state(game) if wanted.state is None else wanted.state
    fill = traits_of(canonical_name(str(wanted.algorithm))).random_opponents
    models = models_for(game, state, wanted.opponents, fill=fill)
    facts = facts_of(game)
    if models:
        facts = replace(facts, chance=True)
    spec, notes = _choose_algorithm(wanted, game, facts, depth)
    if models:
        notes.append(describe(game, models))
    lecture = bool(wanted.trace) or bool(facts.tree_nodes)
    recommended = recommended_options(spec, game, wanted, lecture)
    if recommended:
        notes.append(f"{game.name} recommends {written(recommended)}")
    values = {**recommended, **wanted.options}
    if threads > 1 and FEATURES["threads"](spec) and many_threads(game):
        values["threads"] = threads
    elif threads > 1:
        notes.append(f"{spec.name} uses one thread here")
    policies = _take_policies(spec, values)
    chosen = spec.settle(values, Situation(wanted.algorithm == "auto", lecture), keywords)
    _check_features(spec, wanted, depth)
    check_inner(spec, chosen, facts)
    notes += [f"{option} by {model_name(policy)}" for option, policy in policies.items()]
    endless = spec.limits.required or (wanted.algorithm == "auto" and not facts.tree_nodes)
    limits = _settle_limits(chosen, Limits(depth, time, nodes), endless, notes)
    if spec.limits.depth and limits.depth is None and limits.given and "deepen" not in values:
        chosen["deepen"] = True
    convention = settle_conventions(spec, chosen, facts)
    if convention:
        notes.append(convention)
    return SearchRequest(
        game=game,
        state=state,
        algorithm=spec,
        limits=limits,
        deals=chosen.pop("deals", 0),
        options=chosen,
        notes=tuple(notes),
        convention=convention,
        facts=facts,
        policies=policies,
        models=models,
        evaluate=wanted.evaluate,
        guide=wanted.guide,
        memory=_take_memory(wanted, game, chosen, policies),
        belief=wanted.belief,
        tablebase=None if wanted.tablebase is None else as_tablebase(game, wanted.tablebase),
        trace=wanted.trace,
        seed=seed,
        on_depth=wanted.on_depth,
        stop=wanted.stop,
        among=wanted.among,
    )


def is_plain(wanted: Wanted, facts: Facts) -> bool:
    """Whether textbook alpha-beta is wanted: a trace, an explicit tree, or its options."""
    asks = not PLAIN_OPTIONS.isdisjoint(wanted.options)
    return wanted.trace or bool(facts.tree_nodes) or asks


def _choose_algorithm(
    wanted: Wanted, game: Game, facts: Facts, depth: int | None
) -> tuple[Algorithm, list[str]]:
    """The algorithm that is named, that the game recommends, or that fits; with the reason."""
    plain = is_plain(wanted, facts)
    recommended = "auto" if plain else preferred(game, wanted.algorithm)
    if wanted.algorithm == "auto" != recommended and depth is None:
        known = algorithms()[recommended]
        if all(name in known.options for name in wanted.options):
            reason = f"recommended by {game.name}: other searches see too few moves ahead"
            return choose(recommended, facts)[0], [reason]
    spec, reason = choose(wanted.algorithm, facts, plain=plain)
    return spec, [reason]


def _check_features(spec: Algorithm, wanted: Wanted, depth: int | None) -> None:
    """Refuses what the algorithm does not support."""
    given = {
        "trace": wanted.trace or None,
        "depth": depth,
        "tablebase": wanted.tablebase,
        "among": wanted.among,
        "memory": wanted.memory,
        "belief": wanted.belief,
        "guide": wanted.guide,
    }
    for feature, value in given.items():
        if value is not None:
            spec.require(feature)
    if wanted.memory is not None and not isinstance(wanted.memory, Memory):
        raise UsageError(f"invalid memory={wanted.memory!r}", "expected a zermelo.Memory")


def many_threads(game: Game) -> bool:
    """Whether several threads can call these rules at once (Python's cannot)."""
    return isinstance(game, NativeGame) or hasattr(game, "native_spec")


def recommended_options(
    spec: Algorithm, game: Game, wanted: Wanted, lecture: bool
) -> dict[str, Any]:
    """Options that a game recommends for an algorithm and the caller does not give.

    `algorithm_options` do not apply to lecture searches, where people expect the textbook's
    algorithm, nor with a guide, which replaces playouts.
    """
    found = {}
    if "rollout" in spec.options and defines(game, "rollout"):
        found["rollout"] = game.rollout
    if not lecture and wanted.guide is None:
        found |= game.algorithm_options.get(spec.name, {})
    given = set(spec.canonical_names(wanted.options))
    return {name: value for name, value in found.items() if name not in given}


def written(options: Mapping[str, Any]) -> str:
    """Options as on the command line: rave=300, priors=on."""
    return ", ".join(f"{name}={shown(value)}" for name, value in options.items())


def _take_policies(spec: Algorithm, values: dict[str, Any]) -> dict[str, Any]:
    """Takes the policies out of the options; by option."""
    policies = {name: value for name, value in values.items() if is_model(value)}
    for name in policies:
        owners = [a.name for a in algorithms().values() if _takes_policy(a, name)]
        if owners and spec.name not in owners:
            raise UsageError(
                f"{spec.name} does not support a policy as {name}",
                f"supported by: {', '.join(owners)}",
            )
        if owners:
            del values[name]
    return {name: policy for name, policy in policies.items() if name not in values}


def _takes_policy(spec: Algorithm, option: str) -> bool:
    return option in spec.options and spec.options[option].policy


def _settle_limits(
    chosen: dict[str, Any], limits: Limits, endless: bool, notes: list[str]
) -> Limits:
    """The limits with `simulations` as nodes, or a time where nothing else ends it."""
    if simulations := chosen.pop("simulations", None):
        limits = replace(limits, nodes=min(simulations, limits.nodes or simulations))
    if endless and not limits.given:
        notes.append(f"no limit given: searched for up to {defaults.SECONDS:g} s")
        return replace(limits, time=defaults.SECONDS)
    return limits


def settle_conventions(spec: Algorithm, chosen: dict[str, Any], facts: Facts) -> str:
    """How the search cuts or breaks ties, in words; "auto" pruning at chance nodes is decided."""
    if "prune" not in chosen:
        notes = (o.note(chosen[name]) for name, o in spec.options.items() if o.announced)
        return "; ".join(filter(None, notes))
    bounds = facts.utility_bounds or (-math.inf, math.inf)
    bounded = all(map(math.isfinite, bounds))
    if chosen["prune"] == "auto":
        chosen["prune"] = "star2" if bounded else "star1"
    prune = chosen["prune"]
    if prune == "none":
        return "no pruning (prune=none)"
    if not bounded:
        return f"no utility bounds, so no pruning at chance nodes ({prune})"
    low, high = (f"{b:g}" for b in bounds)
    return f"prunes at chance nodes by the utility bounds {low} and {high} ({prune})"


def _take_memory(
    wanted: Wanted, game: Game, chosen: dict[str, Any], policies: Mapping[str, Any]
) -> Memory | None:
    """The memory, emptied if it belongs to another game or another evaluation."""
    if wanted.memory is not None:
        shaping = [policies.get(name, chosen.get(name)) for name in TREE_OPTIONS]
        wanted.memory.serve(game, (wanted.evaluate, wanted.guide, wanted.opponents, *shaping))
    memory: Memory | None = wanted.memory
    return memory
