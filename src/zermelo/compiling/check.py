"""Compares the compiled rules with the Python rules in a short random game."""

from __future__ import annotations

import ctypes
import math
import random
import time
from dataclasses import dataclass, field
from typing import Any

from ..errors import CompileError
from ..game import CHANCE, TERMINAL, defines, legal_actions
from .actioncode import ActionCode
from .layout import State

POSITIONS = 64  # looked at when a game is compiled
SECONDS = 0.15  # time limit, for slow Python rules
CAPACITY = 4096
SEED = 1912

_pointer, _int, _double = ctypes.c_void_p, ctypes.c_int32, ctypes.c_double
PROTOTYPES = {
    "to_move": ctypes.CFUNCTYPE(_int, _pointer, _pointer),
    "actions": ctypes.CFUNCTYPE(_int, _pointer, _pointer, _pointer, _int),
    "play": ctypes.CFUNCTYPE(None, _pointer, _pointer, ctypes.c_uint32, _pointer),
    "utility": ctypes.CFUNCTYPE(_double, _pointer, _pointer, _int),
    "evaluate": ctypes.CFUNCTYPE(_double, _pointer, _pointer, _int),
    "noisy": ctypes.CFUNCTYPE(_int, _pointer, _pointer, _pointer, _int),
    "outcomes": ctypes.CFUNCTYPE(_int, _pointer, _pointer, _pointer, _pointer, _int),
    "observation": ctypes.CFUNCTYPE(ctypes.c_uint64, _pointer, _pointer, _int),
}


@dataclass
class Seen:
    """The answers of the Python rules about one state."""

    state: Any
    to_move: int
    actions: list[Any] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)
    noisy: list[Any] | None = None
    numbers: dict[tuple[str, int], float] = field(default_factory=dict)  # utility, evaluate
    played: list[tuple[Any, Any]] = field(default_factory=list)  # an action and its result


def sample(game: Any, initial: Any) -> list[Seen]:
    """Random play from the start with a fixed seed."""
    rng = random.Random(SEED)
    found: list[Seen] = []
    until = time.monotonic() + SECONDS
    while len(found) < POSITIONS:
        state = initial
        while len(found) < POSITIONS:
            seen = look(game, state, rng)
            found.append(seen)
            if not seen.played or time.monotonic() > until:
                break
            state = rng.choice(seen.played)[1]
        if time.monotonic() > until or len(found) == 1:
            break
    return found


def look(game: Any, state: Any, rng: random.Random) -> Seen:
    """The answers of the rules about `state`, and the results of a few actions."""
    players = range(int(getattr(game, "players", 2)))
    if game.is_terminal(state):
        seen = Seen(state, TERMINAL)
        seen.numbers = {("utility", p): _number_of(game, "utility", state, p) for p in players}
        return seen
    seen = Seen(state, int(game.player(state)))
    if seen.to_move == CHANCE and defines(game, "outcomes"):
        for action, probability in game.outcomes(state):
            seen.actions.append(action)
            seen.odds.append(float(probability))
    else:
        seen.actions = legal_actions(game, state)
        if defines(game, "noisy"):
            seen.noisy = list(game.noisy(state))
        if defines(game, "evaluate"):
            seen.numbers = {
                ("evaluate", p): _number_of(game, "evaluate", state, p) for p in players
            }
    few = seen.actions if len(seen.actions) <= 4 else rng.sample(seen.actions, 4)
    seen.played = [(a, game.result(state, a)) for a in few]
    return seen


def _number_of(game: Any, rule: str, state: Any, player: int) -> float:
    """A utility, which is not NaN, or an evaluation, which is finite."""
    value = float(getattr(game, rule)(state, player))
    if math.isnan(value) or (rule == "evaluate" and math.isinf(value)):
        raise CompileError(f"{rule} returned {value} in {state!r}", "return a finite number")
    return value


class Native:
    """Compiled rules, called through their addresses."""

    def __init__(self, addresses: dict[str, int], state_size: int) -> None:
        self.calls = {name: PROTOTYPES[name](at) for name, at in addresses.items()}
        self.flag = ctypes.c_int32(0)
        self._flag = ctypes.addressof(self.flag)
        self._out = (ctypes.c_uint32 * CAPACITY)()
        self._odds = (ctypes.c_double * CAPACITY)()
        self._size = state_size

    def to_move(self, state: bytes) -> int:
        return int(self.calls["to_move"](self._flag, _at(state)))

    def actions(self, state: bytes, rule: str = "actions") -> list[int]:
        n = self.calls[rule](self._flag, _at(state), ctypes.addressof(self._out), CAPACITY)
        return list(self._out[: min(n, CAPACITY)])

    def outcomes(self, state: bytes) -> tuple[list[int], list[float]]:
        out, odds = ctypes.addressof(self._out), ctypes.addressof(self._odds)
        n = self.calls["outcomes"](self._flag, _at(state), out, odds, CAPACITY)
        return list(self._out[:n]), list(self._odds[:n])

    def play(self, state: bytes, code: int) -> bytes:
        after = ctypes.create_string_buffer(self._size)
        self.calls["play"](self._flag, _at(state), code, ctypes.addressof(after))
        return after.raw

    def number(self, rule: str, state: bytes, player: int) -> float:
        return float(self.calls[rule](self._flag, _at(state), player))


def _at(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


class Checker:
    """Compares the two and reports the first difference."""

    def __init__(self, native: Native, layout: State, actions: ActionCode, place: str) -> None:
        self.native, self.layout, self.code, self.place = native, layout, actions, place

    def check(self, found: list[Seen]) -> None:
        for seen in found:
            data = self._encoded(seen.state, "initial")
            before = bytes(bytearray(data))
            self._same("player", seen.state, seen.to_move, self.native.to_move(data))
            if seen.to_move == CHANCE and seen.odds:
                codes, odds = self.native.outcomes(data)
                self._same("outcomes", seen.state, seen.odds, odds)
                self._same("outcomes", seen.state, seen.actions, self._decoded(codes))
            elif seen.to_move != TERMINAL:
                self._same(
                    "actions", seen.state, seen.actions, self._decoded(self.native.actions(data))
                )
                if seen.noisy is not None:
                    noisy = self._decoded(self.native.actions(data, "noisy"))
                    self._same("noisy", seen.state, seen.noisy, noisy)
            for action, after in seen.played:
                want = self._encoded(after, "result")
                got = self.native.play(data, self.code.encode(action))
                if got != want:
                    rule = f"result with action {action!r}"
                    self._same(rule, seen.state, after, self.layout.decode(got), differ=True)
            for (rule, player), value in seen.numbers.items():
                got_number = self.native.number(rule, data, player)
                self._same(f"{rule} for player {player}", seen.state, value, got_number)
            self._same("the state after asking", seen.state, before, data)

    def _decoded(self, codes: list[int]) -> list[Any]:
        return [self.code.decode(c) for c in codes]

    def _encoded(self, state: Any, rule: str) -> bytes:
        try:
            return self.layout.encode(state)
        except ValueError as e:
            hint = "annotate the field np.uint64" if "signed 64-bit" in str(e) else (
                "every state must have the same fields with the same types")  # fmt: skip
            raise CompileError(f"{self.place}: {rule} returned {state!r}: {e}", hint) from None

    def _same(self, rule: str, state: Any, want: Any, got: Any, differ: bool = False) -> None:
        if self.native.flag.value:
            raise CompileError(
                f"{self.place}: compiled {rule} raises in {state!r}, Python's does not",
                "check for numbers beyond 64 bits and for indices out of range",
            )
        close = isinstance(want, float) and abs(want - got) <= 1e-9 * max(1.0, abs(want))
        if differ or (want != got and not close and not (want != want and got != got)):
            raise CompileError(
                f"{self.place}: compiled {rule} differs in {state!r}: "
                f"Python says {_short(want)}, compiled {_short(got)}",
                "compiled ints have 64 bits: keep values within them, and annotate fields "
                "that use all 64 as np.uint64",
            )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 200 else text[:200] + "…"
