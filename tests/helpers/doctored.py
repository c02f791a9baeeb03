"""Healthy games for the doctor, and ways to spoil them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zermelo.doctor import Finding, diagnose
from zermelo.game import CHANCE, Game


class Take(Game):
    """Take 1 or 2 of n; who takes the last one wins. Healthy."""

    def __init__(self, n: int = 5) -> None:
        self.n = n

    def initial(self) -> Any:
        return (self.n, 0)

    def player(self, s: Any) -> Any:
        return s[1]

    def actions(self, s: Any) -> Any:
        return [a for a in (1, 2) if a <= s[0]]

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return s[0] == 0

    def utility(self, s: Any, p: int) -> Any:
        return -1 if s[1] == p else 1


class TicTacToe(Game):
    lines = (*((i, i + 1, i + 2) for i in (0, 3, 6)), *((i, i + 3, i + 6) for i in (0, 1, 2)),
             (0, 4, 8), (2, 4, 6))  # fmt: skip

    def initial(self) -> Any:
        return "." * 9

    def player(self, s: Any) -> int:
        return 1 if s.count("X") > s.count("O") else 0

    def won(self, s: Any, c: str) -> bool:
        return any(all(s[i] == c for i in line) for line in self.lines)

    def actions(self, s: Any) -> Any:
        return [] if self.is_terminal(s) else (i for i in range(9) if s[i] == ".")

    def result(self, s: Any, a: Any) -> Any:
        return s[:a] + "XO"[self.player(s)] + s[a + 1 :]

    def is_terminal(self, s: Any) -> bool:
        return "." not in s or self.won(s, "X") or self.won(s, "O")

    def utility(self, s: Any, p: int) -> int:
        return self.won(s, "XO"[p]) - self.won(s, "OX"[p])


class Dice(Game):
    """Roll a die, then hold it or roll once more; three players take turns, the highest wins."""

    players = 3
    zero_sum = False

    def initial(self) -> Any:
        return ((), 0)

    def player(self, s: Any) -> int:
        return len(s[0]) if s[1] else CHANCE

    def actions(self, s: Any) -> Any:
        return [] if self.is_terminal(s) else ["hold", "up"]

    def outcomes(self, s: Any) -> Any:
        return [(k, 1 / 3) for k in (1, 2, 3)]

    def result(self, s: Any, a: Any) -> Any:
        if a in ("hold", "up"):
            return ((*s[0], s[1] + (a == "up" and s[1] < 3)), 0)
        return (s[0], a)

    def is_terminal(self, s: Any) -> bool:
        return len(s[0]) == 3

    def utility(self, s: Any, p: int) -> float:
        return 1 / s[0].count(max(s[0])) if s[0][p] == max(s[0]) else 0


class Grid(Game):
    """A state that is a NumPy array: fill a row of four, who fills two neighbours wins."""

    utility_bounds = (-1, 1)

    def initial(self) -> Any:
        return np.zeros(4, dtype=np.int8)

    def player(self, s: Any) -> Any:
        return np.count_nonzero(s) % 2

    def actions(self, s: Any) -> Any:
        return np.flatnonzero(s == 0)

    def result(self, s: Any, a: Any) -> Any:
        s = s.copy()
        s[a] = self.player(s) + 1
        return s

    def pair(self, s: Any, p: int) -> bool:
        return any(s[i] == s[i + 1] == p + 1 for i in range(3))

    def is_terminal(self, s: Any) -> Any:
        return np.all(s != 0)

    def utility(self, s: Any, p: int) -> Any:
        return np.float32(self.pair(s, p)) - np.float32(self.pair(s, 1 - p))


class Kuhn(Game):
    """Kuhn's poker: cards by chance, hidden information; no Game methods but the rules."""

    utility_bounds = (-2, 2)

    def initial(self) -> Any:
        return ((), "")

    def player(self, s: Any) -> int:
        return CHANCE if len(s[0]) < 2 else len(s[1]) % 2

    def outcomes(self, s: Any) -> Any:
        left = [c for c in "JQK" if c not in s[0]]
        return [(c, 1 / len(left)) for c in left]

    def actions(self, s: Any) -> Any:
        return [] if self.is_terminal(s) else ["p", "b"]

    def result(self, s: Any, a: Any) -> Any:
        return ((*s[0], a), s[1]) if len(s[0]) < 2 else (s[0], s[1] + a)

    def is_terminal(self, s: Any) -> bool:
        return s[1] in ("pp", "pbp", "pbb", "bp", "bb")

    def utility(self, s: Any, p: int) -> float:
        cards, bets = s
        first = 1 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else -1
        first = {"pbp": -1, "bp": 1}.get(bets, first * (2 if bets[-1] == "b" else 1))
        return first if p == 0 else -first

    def observation(self, s: Any, p: int) -> Any:
        return (s[0][p : p + 1], s[1])

    def sample(self, s: Any, p: int, rng: random.Random) -> Any:
        other = rng.choice([c for c in "JQK" if c != s[0][p]])
        return ((s[0][0], other) if p == 0 else (other, s[0][1]), s[1])


class Duck:
    """A game by its methods only, with a state class that caches, sets and a pass action None."""

    players = 2
    zero_sum = True
    utility_bounds = None

    @dataclass(frozen=True)
    class State:
        left: frozenset[int]
        turn: int

    def initial(self) -> Any:
        return self.State(frozenset({1, 2, 3}), 0)

    def player(self, s: Any) -> int:
        return s.turn

    def actions(self, s: Any) -> Any:
        object.__setattr__(s, "cache", [1, 2])  # not a field: equality does not see it
        return [*sorted(s.left), None] if s.left else []

    def result(self, s: Any, a: Any) -> Any:
        return replace(s, left=s.left - {a if a is not None else max(s.left)}, turn=1 - s.turn)

    def is_terminal(self, s: Any) -> bool:
        return not s.left

    def utility(self, s: Any, p: int) -> Any:
        return 0.0

    def evaluate(self, s: Any, p: int) -> float:
        return (1000.0 if s.turn else -1000.0) * (1 - 2 * p)  # beyond 1: wins outrank it


class Typed(Take):
    """Notation of its own, evaluation in the unit of its scores."""

    utility_bounds = (-1, 1)

    def evaluate(self, s: Any, p: int) -> float:
        return (1 if s[0] % 3 else -1) * (0.5 if s[1] == p else -0.5)

    def noisy(self, s: Any) -> Any:
        return [a for a in self.actions(s) if a == 2]

    def format_action(self, s: Any, a: Any) -> str:
        return "ab"[a - 1]

    def parse_action(self, s: Any, text: str) -> Any:
        return " ab".index(text)

    def format_state(self, s: Any) -> str:
        return f"{s[0]}/{s[1]}"

    def parse_state(self, text: str) -> Any:
        return tuple(map(int, text.split("/")))


def broken(base: type = Take, **members: Any) -> Game:
    return type("Broken", (base,), members)()


def found(game: Any, check: str, **options: Any) -> Finding:
    """The one finding of `check`, after all that holds of every finding."""
    diagnosis = diagnose(game, **{"games": 30, "time": 20.0, **options})
    named = {f.check: f for f in diagnosis.findings}
    assert len(named) == len(diagnosis.findings)
    for f in diagnosis.findings:
        assert f.message and f.hint and f.severity in ("error", "warning")
        assert f.message in str(diagnosis) and "\n" not in f.message + f.hint
    assert diagnosis.healthy == all(f.severity == "warning" for f in diagnosis.findings)
    assert check in named, str(diagnosis)
    return named[check]


class Box:
    """A state compared by identity."""

    def __init__(self, n: int, turn: int) -> None:
        self.n, self.turn = n, turn


class BoxGame(Take):
    box: Any = Box

    def initial(self) -> Any:
        return self.box(5, 0)

    def player(self, s: Any) -> Any:
        return s.turn

    def actions(self, s: Any) -> Any:
        return [a for a in (1, 2) if a <= s.n]

    def result(self, s: Any, a: Any) -> Any:
        return self.box(s.n - a, 1 - s.turn)

    def is_terminal(self, s: Any) -> bool:
        return s.n == 0

    def utility(self, s: Any, p: int) -> Any:
        return -1 if s.turn == p else 1


class IdHash(Box):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.n, self.turn) == (other.n, other.turn)

    def __hash__(self) -> int:
        return id(self)


class Forgetful(Box):
    """Equal whoever is to move."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.n == other.n

    def __hash__(self) -> int:
        return self.n


class Trail(IdHash):
    """Hashes by how it was reached, which == does not see."""

    way: tuple[int, ...] = ()

    def __hash__(self) -> int:
        return hash((self.n, self.turn, self.way))


class TrailGame(BoxGame):
    box = Trail

    def result(self, s: Any, a: Any) -> Any:
        t = Trail(s.n - a, 1 - s.turn)
        t.way = (*s.way, a)
        return t


class Loud(Box):
    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    def __hash__(self) -> int:
        return self.n


class ListGame(Take):
    """A list as the state, which result() changes when 2 are taken."""

    def initial(self) -> Any:
        return [5, 0]

    def result(self, s: Any, a: Any) -> Any:
        t = s if a == 2 else s[:]
        t[0], t[1] = t[0] - a, 1 - t[1]
        return t


class ArrayGame(Grid):
    def result(self, s: Any, a: Any) -> Any:
        if a != 3:
            return super().result(s, a)
        s[a] = self.player(s) + 1
        return s.copy()


def peek(self: Any, s: Any) -> Any:
    s.turn = s.turn  # a question that leaves a trace
    s.n += 0 if s.n != 4 else 1
    return [1, 2] if s.n > 1 else [1]


def at(n: int, then: Any, otherwise: Any) -> Any:
    """A method that answers `then` where n are left."""
    return lambda self, s, *rest: (then if s[0] == n else otherwise)(self, s, *rest)


def always(x: Any) -> Any:
    return lambda *_: x
