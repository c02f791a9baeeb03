"""Running a request: the native search, and its answer with names."""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass, field
from typing import Any

from .. import _core
from ..checks import check_given
from ..errors import IllegalAction, UsageError
from ..game import CHANCE, TERMINAL, action_label, facts_of
from ..hidden.beliefs import Belief, given_belief, listed_or_sampled
from ..result import Result
from ..view.names import player_name
from ..view.number import count
from . import defaults
from .adapter import Adapter, adapt, naming, with_evaluation
from .decode import Decoder
from .memory import check_table
from .models import modelled
from .models import native as native_model
from .notes import notes_on
from .request import NetworkGuide, SearchRequest, is_network

_last_interrupt = -math.inf


def run(request: SearchRequest) -> Result:
    """Searches, and returns the result with the game's names for states and actions."""
    search = Search(request, adapt(request.game))
    if search.player == TERMINAL:
        return search.decoder().finished()
    return search.run()


@dataclass
class Search:
    """A running search."""

    request: SearchRequest
    adapter: Adapter
    notes: list[str] = field(default_factory=list)
    belief: Belief | None = None  # that the search works with

    def __post_init__(self) -> None:
        self.notes.extend(self.request.notes)
        self.flat = self.adapter.flat(self.request.state)
        self.handle = self.adapter.handle
        self.player = self.handle.to_move(self.flat)

    def run(self) -> Result:
        request = self.request
        check_table(request.options.get("table", 0))
        handle = with_evaluation(self.adapter, request.evaluate)
        self.handle = modelled(self.adapter, handle, request.models, facts_of(request.game))
        self.player = self.handle.to_move(self.flat)
        _check_hints(request, self.handle)
        time = self.take_belief(request.limits.time)
        with naming(self.adapter):
            raw = _core.search(self.native_request(time))
        decoder = self.decoder()
        self.notes += notes_on(raw, decoder)
        if request.stop is None or not request.stop():
            note_interrupt(raw["stopped"])
        return decoder.result(raw)

    def decoder(self) -> Decoder:
        """Decodes results with the notes made so far and later."""
        return Decoder(
            self.request, self.adapter, self.handle, self.flat, self.player, self.belief, self.notes
        )

    def take_belief(self, time: float | None) -> float | None:
        """Find the states consistent with what the mover has observed, if they are needed.

        Returns the time that is left for the search."""
        request = self.request
        if not request.algorithm.can.hidden or self.player < 0:
            return time
        start = clock.perf_counter()
        if request.belief is not None:
            self.belief = given_belief(request.game, request.state, request.belief)
            self.notes.append(f"searched {count(len(self.belief), 'given state')}")
        elif facts_of(request.game).hidden:
            found, sampled = listed_or_sampled(
                self.adapter, request.state, self.player, request.deals, request.seed or 0,
                request.algorithm.sampled_states, time,
            )  # fmt: skip
            self.belief = Belief(request.game, self.player, found, sampled)
            number = count(sampled, "sampled state") if sampled else all_of(len(found))
            who = player_name(request.game, self.player)
            self.notes.append(f"{number} consistent with what {who} has observed")
        spent = clock.perf_counter() - start
        return None if time is None else max(time / 2, time - spent)

    def native_request(self, time: float | None) -> _core.SearchRequest:
        """The request in the native format; omitted fields keep their defaults."""
        request = self.request
        native = _core.SearchRequest(self.handle, self.flat, request.algorithm.name)
        native.options = request.algorithm.native_options(request.options)
        if request.limits.depth is not None:
            native.depth = request.limits.depth
        if request.limits.nodes is not None:
            native.nodes = request.limits.nodes
        if time is not None:
            native.seconds = time
        if request.seed is not None:
            native.seed = request.seed
        if request.bounded:
            native.bounded = True
        if request.trace:
            native.trace = defaults.TRACE_NODES
        if (report := request.on_depth) is not None:
            native.on_depth = lambda raw: report(self.decoder().result(raw))
        if request.stop is not None:
            native.stop = request.stop
        if request.tablebase is not None:
            native.tables, native.tables_game = request.tablebase.native, self.adapter.handle
        if request.memory is not None:
            native.memory = request.memory.native
        if request.among is not None:
            native.without = self.without(request.among)
        if is_network(request.guide):
            native.network = request.guide.native
        elif request.guide is not None:
            native.guide = self.guided
        if self.belief is not None:
            flat = self.adapter.flat
            native.belief = [(flat(s), self.belief[s]) for s in self.belief]
            native.sampled = bool(self.belief.drawn)
        if request.policies:
            native.policies = self.native_policies()
        return native

    def native_policies(self) -> dict[str, Any]:
        """The caller's policies by option."""
        facts = facts_of(self.request.game)
        return {
            option: native_model(self.adapter, f"{option}=", policy, facts)
            for option, policy in self.request.policies.items()
        }

    def guided(self, flat: bytes, codes: list[int]) -> tuple[list[float], list[float]]:
        """The guide's priors and values of a state."""
        b = self.adapter
        key = b.handle.key(flat)
        guide = self.request.guide
        assert callable(guide)
        answer = guide(b.state(flat), [b.action(key, code) for code in codes])
        return _check_guide(answer, len(codes), b.handle.facts)

    def without(self, among: Any) -> list[int]:
        """The root actions that are not searched."""
        b = self.adapter
        if self.player == CHANCE:
            raise UsageError(
                "among restricts the choice of a player, but this state is a chance node",
                "omit among; the moves of modelled players count as chance",
            )
        key = b.handle.key(self.flat)
        names = {code: b.action(key, code) for code in b.handle.actions(self.flat)}
        wanted = check_given("among", among)
        for action in wanted:
            if action not in names.values():
                raise IllegalAction(
                    f"{action_label(b.game, action)} is not a legal action here",
                    "see game.actions(state)",
                )
        if not wanted:
            raise UsageError("among is empty", "omit it to search all actions")
        return [code for code, name in names.items() if name not in wanted]


def all_of(states: int) -> str:
    return f"all {states} states" if states > 1 else "the only state"


def _check_hints(request: SearchRequest, handle: _core.Handle) -> None:
    """Refuses options that need a hint which the game does not have."""
    game, rollout = request.game, request.described_options.get("rollout", "random")
    if rollout in ("evaluate", "none") and not handle.has_evaluate:
        raise UsageError(
            f"{game.name} has no evaluation for the leaves", "pass evaluate=, or use rollout=random"
        )
    if rollout == "greedy" and not (handle.has_evaluate or handle.has_narrow):
        raise UsageError(f"{game.name} has no evaluation for rollout=greedy", "pass evaluate=")
    if rollout == "playout" and not handle.has_playout:
        raise UsageError(
            f"{game.name} has no playout policy", "pass a policy as rollout=, or use rollout=random"
        )
    options, facts = request.options, handle.facts
    if options.get("rave") and not (handle.has_amaf and facts.players <= 2 and facts.zero_sum):
        raise UsageError(
            f"{game.name} does not support rave={options['rave']:g}",
            "expected rave=0; RAVE needs a two-player zero-sum game with AMAF indices",
        )
    if is_network(request.guide):
        _check_network(request.guide, game, handle)
    priors = options.get("priors") or "priors" in request.policies or request.guide
    if options.get("widening") and not priors:
        raise UsageError(
            f"widening={options['widening']} needs priors", "add priors=True, or omit widening"
        )


def _check_network(network: NetworkGuide, game: Any, handle: _core.Handle) -> None:
    """Refuses a network that reads or answers something else than this game has."""
    facts, design = handle.facts, network.design
    if not handle.has_encode:
        raise UsageError(
            f"{game.name} has no native encoding for networks", "pass a function as guide="
        )
    values = 1 if facts.players == 2 and facts.zero_sum else facts.players
    expected = ((facts.planes, facts.rows, facts.columns), facts.policy_size, values)
    if (design.inputs, design.policy, design.values) != expected:
        raise UsageError(
            f"the network has inputs {design.inputs}, {design.policy} policy outputs and "
            f"{design.values} values; {game.name} has {expected[0]}, {expected[1]} and {values}",
            f"it was trained for {network.game}" if network.game else "use a network for this game",
        )


def _check_guide(answer: Any, count: int, facts: Any) -> tuple[list[float], list[float]]:
    """A guide's priors, scaled to add up to 1, and its values."""
    try:
        priors, values = answer
        priors = [float(p) for p in priors]
        values = [float(values)] if hasattr(values, "__float__") else [float(v) for v in values]
    except (TypeError, ValueError):
        raise UsageError(
            f"the guide returned {answer!r}", "expected (priors, values), e.g. ([0.5, 0.5], 0.1)"
        ) from None
    if len(values) == 1 and facts.players == 2 and facts.zero_sum:
        values.append(0.0 - values[0])
    total = sum(priors)
    if len(priors) != count or len(values) != facts.players:
        raise UsageError(
            f"the guide returned {len(priors)} priors and {len(values)} values",
            f"there are {count} actions and {facts.players} players",
        )
    if not all(0 <= p < math.inf for p in priors) or not 0 < total < math.inf:
        raise UsageError(
            "the guide's priors are not probabilities", "expected numbers of at least 0, not all 0"
        )
    if not all(math.isfinite(v) for v in values):
        raise UsageError("the guide returned a value that is not finite", "check for NaN")
    return [p / total for p in priors], values


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
