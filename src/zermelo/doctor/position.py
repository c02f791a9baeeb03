"""The checks of one position."""

from __future__ import annotations

import contextlib
import math
import operator
import random
from collections.abc import Callable, Hashable
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any

import numpy as np

from ..game import CHANCE, Facts, Game
from .calls import MAX_ACTIONS, Asker, article, call, short_text
from .hints import NOTATION, Fault, Stuck, View
from .states import Watch, alike, by_value, equal, key, look, plain, short, spot

MAX_OBSERVATIONS = 100_000  # remembered, so that memory stays bounded
TOLERANCE = 1e-6  # rounding error of sums
Pick = Callable[[list[Any]], list[Any]]
"""Chooses those of the legal actions of which the results are looked at."""


class Examiner(Asker):
    """Asks the rules about one position after the other, each question twice."""

    def __init__(self, game: Game, facts: Facts, seed: int) -> None:
        super().__init__(game)
        self.facts = facts
        self.rng = random.Random(seed)
        optional = ("evaluate", "noisy", "sample")
        self.has = {m for m in optional if callable(getattr(game, m, None))}
        self.own = {m for m in NOTATION if _overrides(game, m)}
        self.seen_by: dict[Hashable, tuple[frozenset[Hashable], str, str]] = {}
        self.positions = 0
        self.deadline = float("inf")  # of the clock monotonic()

    # -- one position ------------------------------------------------------------------------
    def examine(self, s: Any, pick: Pick | None = None) -> View:
        """All checks at `s`; results of all actions, or only of those that `pick` chooses."""
        self.positions += 1
        self.view = view = View()
        try:
            self.at = Watch(s, self.shared)
            self._hashable("state-unhashable", s, "the state is")
            view.terminal = bool(self.ask("is_terminal"))
            if view.terminal:
                self._finished()
            else:
                self._running(pick)
        except Stuck:
            pass
        except Exception as e:  # from an __eq__, __hash__, … that nobody called on purpose
            text = f"{type(e).__name__}: {short_text(e)}{spot(e, self.game)}"
            self.fault("value-raises", f"comparing or hashing the states and actions raised {text}")
        view.state = self.at.state
        return view

    def identity(self, s: Any) -> Hashable:
        """What the doctor recognizes a state by, also where the search could not."""
        if not self.by_look and by_value(s):
            try:
                return key(s)
            except Exception:
                self.by_look = True
        return ("look", self.look(s))

    def start(self) -> tuple[Any, list[Fault]]:
        """The initial state and its faults; Stuck if there is none."""
        self.view = View()
        first = self.guard("initial", self.game.initial, ())
        second = self.guard("initial", self.game.initial, ())
        self._twins(first, second, "initial", (), ())
        return first, self.view.faults

    def _running(self, pick: Pick | None) -> None:
        view = self.view
        view.mover = self._mover()
        chance = view.mover == CHANCE
        actions = self._outcomes() if chance else self._actions()
        chosen = actions if pick is None else pick(actions)
        for check in (self._evaluate, self._observe, self._noisy, self._notation):
            with contextlib.suppress(Stuck):  # a fault in a hint hides no other
                check(actions, chosen)
        for a in chosen:
            if monotonic() > self.deadline:
                view.cut = True
                break
            try:
                view.children.append((a, self._result(a)))
            except Stuck:
                if not self.at.can_restore and not self.at.frozen:
                    raise

    # -- the rules ---------------------------------------------------------------------------
    def _mover(self) -> int | None:
        answer = self.ask("player")
        n = self.facts.players
        try:
            p = operator.index(answer)
        except Exception:
            p = -99
        if p == CHANCE and not self.facts.chance:
            self.fault("chance-without-outcomes", f"player({short(self.at.state)}) is CHANCE, but "
                       "there is no outcomes(s)")  # fmt: skip
            raise Stuck
        if p != CHANCE and not 0 <= p < n:
            may = f"0 to {n - 1}" if n > 1 else "0"
            self.fault("player-out-of-range", f"player({short(self.at.state)}) is {short(answer)}, "
                       f"but the players are {may}; chance is CHANCE ({CHANCE})")  # fmt: skip
            return None
        return p

    def _actions(self) -> list[Any]:
        listed = self.ask("actions", many=True)
        state = short(self.at.state)
        if not listed:
            self.fault("no-actions", f"actions({state}) is empty, but is_terminal is False there")
        if len(listed) >= MAX_ACTIONS:
            self.fault("actions-endless", f"actions({state}) returned {MAX_ACTIONS:,} actions and "
                       "did not stop")  # fmt: skip
            raise Stuck
        return self._distinct(listed, "actions", "action")

    def _distinct(self, listed: list[Any], method: str, what: str) -> list[Any]:
        """`listed` without repetitions and unhashable items, both of which are faults."""
        found: dict[Hashable, Any] = {}
        unhashable = []
        for a in listed:
            try:
                k = key(a)
            except Exception:
                unhashable.append(a)
                continue
            if k in found:
                self.fault(f"{method}-repeat", f"{method}({short(self.at.state)}) contains the "
                           f"{what} {short(a)} more than once")  # fmt: skip
            found.setdefault(k, a)
        if unhashable:
            self._hashable("action-unhashable", unhashable[0], f"an {what} is")
        return [*found.values(), *unhashable]

    def _outcomes(self) -> list[Any]:
        odds = self.ask("outcomes", many=True)
        text = call("outcomes", self.at.state)
        if not odds:
            self.fault("outcomes-empty", f"{text} is empty where chance moves")
            return []
        total = 0.0
        for pair in odds:
            try:
                _, weight = pair
                weight = float(weight)
            except Exception:
                self.fault("outcomes-form", f"{text} contains {short(pair)}, which is not an "
                           "(action, probability) pair")  # fmt: skip
                raise Stuck from None
            if not 0 <= weight <= 1 + TOLERANCE:
                self.fault("probability-invalid", f"{text} gives {short(pair[0])} the probability "
                           f"{weight:g}")  # fmt: skip
            total += weight
        if not abs(total - 1) <= TOLERANCE:
            self.fault("probabilities-sum", f"the probabilities of {text} add up to {total:.9g}, "
                       "not to 1")  # fmt: skip
        return self._distinct([a for a, _ in odds], "outcomes", "outcome")

    def _result(self, a: Any) -> Any:
        first = self.once("result", a, moves=(a,))
        second = self.once("result", a, moves=(a,))
        self._twins(first, second, "result", (self.at.state, a), (a,))
        return first

    def _twins(
        self, x: Any, y: Any, method: str, args: tuple[Any, ...], moves: tuple[Any, ...]
    ) -> None:
        """`x` and `y` should be the same state, made twice."""
        if x is y or (type(x) in (int, str, tuple) and plain(x) and alike(x, y)):
            return
        try:
            same = equal(x, y)
        except Exception as e:
            self.by_look = True
            text = f"two states of {call(method, *args)}, compared by ==, raised "
            self.fault("equality-raises", text + f"{type(e).__name__}: {short_text(e)}", *moves)
            return

        def again() -> str:
            return f"{call(method, *args)}, called twice, returned {short(x)} and {short(y)}"

        if not same and self.look(x) != self.look(y):
            self.fault(f"{method}-differs", again(), *moves)
        elif not same:
            self.by_look = True
            self.fault("state-identity", f"{again()}, which look the same but are not ==", *moves)
        else:
            self.compare_hashes(x, y, again, moves)

    def compare_hashes(
        self, x: Any, y: Any, how: Callable[[], str], moves: tuple[Any, ...]
    ) -> None:
        """`x` and `y` are equal, so their hashes should be."""
        try:
            differ = hash(key(x)) != hash(key(y))
        except Exception:  # reported where the state itself is examined
            return
        if differ:
            self.by_look = True
            self.fault("hash-differs", f"{how()}, which are == but have different hashes", *moves)

    # -- the end -----------------------------------------------------------------------------
    def _finished(self) -> None:
        n = self.facts.players
        values = [self._number("utility", p) for p in range(n)]
        known = tuple(v for v in values if v is not None)
        if len(known) < n:
            return
        self.view.utilities = known
        self._bounds("utility", known)
        undeclared = self.facts.win_loss and self.facts.utility_bounds is None
        if undeclared and "evaluate" in self.has and max(map(abs, known)) > 1 + TOLERANCE:
            self.fault("utility-scale", f"{call('utility', self.at.state, 0)} is {known[0]:g}: "
                       "these are scores, not wins and losses, but utility_bounds is not "
                       "declared")  # fmt: skip
        if self.facts.zero_sum and n > 1 and abs(sum(known)) > TOLERANCE * max(1, *map(abs, known)):
            each = ", ".join(f"{v:g} for player {p}" for p, v in enumerate(known))
            self.fault("not-zero-sum", f"zero_sum is True, but the utilities of "
                       f"{short(self.at.state)} are {each}: their sum is {sum(known):g}, "
                       "not 0")  # fmt: skip

    def _number(self, method: str, p: int) -> float | None:
        answer = self.ask(method, p)
        several = isinstance(answer, (tuple, list)) or (
            isinstance(answer, np.ndarray) and answer.ndim > 0
        )
        try:
            if several or isinstance(answer, (str, bytes)):
                raise TypeError
            x = float(answer)
        except Exception:
            much = f" of {len(answer)} instead of the number of player {p}" if several else ""
            kind = article(type(answer).__name__)
            self.fault(f"{method}-type", f"{call(method, self.at.state, p)} is {short(answer)}, "
                       f"{kind}{much}: it must be a single number")  # fmt: skip
            return None
        if math.isfinite(x):
            return x
        check = f"{method}-{'nan' if x != x else 'infinite'}"
        self.fault(check, f"{call(method, self.at.state, p)} is {x}")
        return None

    def _bounds(self, method: str, values: tuple[float, ...]) -> None:
        if self.facts.utility_bounds is None:
            return
        lo, hi = self.facts.utility_bounds
        slack = TOLERANCE * max(1.0, abs(lo), abs(hi))
        if len(values) == 2 and self.facts.zero_sum:
            values = values[:1]  # player 1 has the negative, for which (2, 12) would be wrong
        for p, v in enumerate(values):
            if not lo - slack <= v <= hi + slack:
                self.fault(f"{method}-bounds", f"{method}({short(self.at.state)}, {p}) is {v:g}, "
                           f"outside utility_bounds ({lo:g}, {hi:g})")  # fmt: skip
                return

    # -- hints, hidden information, notation: (all actions, those that are tried) -----------------
    def _evaluate(self, _: list[Any], __: list[Any]) -> None:
        if "evaluate" not in self.has:
            return
        values = [self._number("evaluate", p) for p in range(self.facts.players)]
        known = tuple(v for v in values if v is not None)
        if len(known) < len(values):
            return
        self.view.evaluations = known
        if not self.facts.win_loss:
            self._bounds("evaluate", known)
        if self.facts.zero_sum and len(known) == 2:
            e0, e1 = known
            if abs(e0 + e1) > TOLERANCE * max(1.0, abs(e0), abs(e1)):
                self.fault("evaluate-sides", f"evaluate({short(self.at.state)}, p) is {e0:g} for "
                           f"player 0 and {e1:g} for player 1: in a zero-sum game one is the "
                           "negative of the other")  # fmt: skip

    def _observe(self, actions: list[Any], _: list[Any]) -> None:
        p = self.view.mover
        if not self.facts.hidden or p is None or p == CHANCE:
            return
        seen = self.ask("observation", p)
        if self._hashable("observation-unhashable", seen, f"what player {p} observes is"):
            self._same_actions(p, seen, actions)
        if "sample" in self.has:
            self._sample(p, seen)

    def _same_actions(self, p: int, seen: Any, actions: list[Any]) -> None:
        legal = frozenset(map(self._action_key, actions))
        other = self.seen_by.get((p, key(seen)))
        if other is None:
            if len(self.seen_by) < MAX_OBSERVATIONS:
                self.seen_by[p, key(seen)] = (legal, short(self.at.state), short(actions))
        elif other[0] != legal:
            self.fault("observation-actions", f"player {p} observes {short(seen)} both in "
                       f"{other[1]} with the actions {other[2]} and in {short(self.at.state)} with "
                       f"the actions {short(actions)}")  # fmt: skip

    def _sample(self, p: int, seen: Any) -> None:
        rng = random.Random(self.rng.random())
        guess = self.once("sample", p, rng)
        observe: Callable[[Any, int], Any] = self.game.observation
        view = self.guard("observation", lambda: observe(guess, p), (guess, p))
        if not alike(seen, view):
            self.fault("sample-observation", f"sample({short(self.at.state)}, {p}, rng) returned "
                       f"{short(guess)}, in which player {p} would observe {short(view)} instead "
                       f"of {short(seen)}")  # fmt: skip

    def _noisy(self, actions: list[Any], _: list[Any]) -> None:
        if "noisy" not in self.has or self.view.mover == CHANCE:
            return
        legal = set(map(self._action_key, actions))
        for a in self.ask("noisy", many=True):
            if self._action_key(a) not in legal:
                self.fault("noisy-not-legal", f"noisy({short(self.at.state)}) contains {short(a)}, "
                           "which is not in actions(s)")  # fmt: skip
                return

    def _action_key(self, a: Any) -> Hashable:
        try:
            return key(a)
        except Exception:
            return look(a)

    def _notation(self, actions: list[Any], chosen: list[Any]) -> None:
        s = self.at.state
        if self.own >= {"format_state", "parse_state"}:
            self._round_trip(s)
        if self.view.mover == CHANCE:
            return
        written: dict[str, Any] = {}
        for a in actions:
            text = self.guard("format_action", partial(self.game.format_action, s, a), (s, a), a)
            if not isinstance(text, str):
                self.fault("format-type", f"{call('format_action', s, a)} is {short(text)}", a)
                return
            other = written.setdefault("".join(text.split()), a)
            if other is not a:
                self.fault("format-repeats", f"the actions {short(other)} and {short(a)} of "
                           f"{short(s)} are both written {text!r}", a)  # fmt: skip
                return
        for a in chosen if "parse_action" in self.own else ():
            text = self.game.format_action(s, a)
            read = partial(self.game.parse_action, s, text)
            back = self.guard("parse_action", read, (s, text), a)
            if not alike(a, back):
                self.fault("parse-action", f"{short(a)} is written {text!r}, which parse_action "
                           f"reads as {short(back)}", a)  # fmt: skip
                return

    def _round_trip(self, s: Any) -> None:
        game = self.game
        text = self.guard("format_state", partial(game.format_state, s), (s,))
        back = self.guard("parse_state", partial(game.parse_state, text), (text,))
        if alike(s, back):
            return
        try:  # what text leaves out may be history, which does no harm if the play is the same
            again = game.format_state(back) == text and self.signature(s) == self.signature(back)
        except Exception:
            again = False
        if not again:
            self.fault("parse-state", f"{short(s)} is written {short(text)}, which parse_state "
                       f"reads as {short(back)}")  # fmt: skip

    def signature(self, s: Any) -> Hashable:
        """What can be done in `s`: states that are equal have it in common."""
        if self.game.is_terminal(s):
            return ("over", tuple(self.game.utility(s, p) for p in range(self.facts.players)))
        mover = self.game.player(s)
        listed = getattr(self.game, "outcomes" if mover == CHANCE else "actions")(s)
        return (mover, frozenset(map(look, islice(listed, MAX_ACTIONS))))


def _overrides(game: Game, method: str) -> bool:
    bound = getattr(game, method, None)
    return getattr(bound, "__func__", bound) is not getattr(Game, method)
