"""The doctor: each fault by its smallest game, and not a word about healthy rules."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from zermelo.doctor import CHECKS, Finding, diagnose
from zermelo.errors import UsageError
from zermelo.game import CHANCE, Game


class Take(Game):
    """Take 1 or 2 of 5; who takes the last one wins. Healthy."""

    def initial(self) -> Any:
        return (5, 0)

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


@pytest.mark.parametrize("kind", [Take, TicTacToe, Dice, Grid, Duck, Typed])
def test_healthy(kind: Any) -> None:
    diagnosis = diagnose(kind(), games=50, time=60)
    assert diagnosis.findings == [] and diagnosis.healthy and diagnosis.complete
    assert diagnosis.games == 50 and diagnosis.positions > 5
    assert "0 errors, 0 warnings" in str(diagnosis)


def test_healthy_hidden() -> None:
    diagnosis = diagnose(Kuhn(), games=50)
    assert [f.check for f in diagnosis.findings] == []


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


counter = itertools.count()


def peek(self: Any, s: Any) -> Any:
    s.turn = s.turn  # a question that leaves a trace
    s.n += 0 if s.n != 4 else 1
    return [1, 2] if s.n > 1 else [1]


def at(n: int, then: Any, otherwise: Any) -> Any:
    """A method that answers `then` where n are left."""
    return lambda self, s, *rest: (then if s[0] == n else otherwise)(self, s, *rest)


def always(x: Any) -> Any:
    return lambda *_: x


T = Take
SPOILED = [
    ("result-changes-argument", "error", ListGame(), [2]),
    ("result-changes-argument", "error", ArrayGame(), [3]),
    ("state-unhashable", "error", ListGame(), []),
    ("state-identity", "warning", BoxGame(), []),
    ("hash-differs", "error", broken(BoxGame, box=IdHash), []),
    ("hash-differs", "error", TrailGame(), [2, 1]),
    ("equality-raises", "error", broken(BoxGame, box=Loud), []),
    ("equal-states-differ", "error", broken(BoxGame, box=Forgetful), [1, 1]),
    ("actions-changes-state", "error", broken(BoxGame, actions=peek), [1]),
    ("initial-differs", "error", broken(initial=lambda self: (5 + next(counter), 0)), []),
    ("initial-raises", "error", broken(initial=lambda self: 1 // 0), []),
    ("terminal-start", "warning", broken(initial=always((0, 1))), []),
    ("player-out-of-range", "error", broken(player=at(3, always(2), T.player)), [2]),
    ("player-out-of-range", "error", broken(player=at(3, always(None), T.player)), [2]),
    ("player-raises", "error", broken(player=at(3, lambda *_: 1 // 0, T.player)), [2]),
    ("player-differs", "error", broken(player=lambda *_: next(counter) % 2), []),
    ("chance-without-outcomes", "error", broken(player=at(4, always(CHANCE), T.player)), [1]),
    ("no-actions", "error", broken(actions=at(2, always([]), T.actions)), [1, 2]),
    ("actions-repeat", "error", broken(actions=at(3, always([1, 1]), T.actions)), [2]),
    ("actions-order", "warning",
     broken(actions=at(3, lambda *_: [1, 2][:: (-1) ** next(counter)], T.actions)), [2]),
    ("actions-differs", "error",
     broken(actions=at(3, lambda *_: [1 + next(counter) % 2], T.actions)), [2]),
    ("actions-raises", "error", broken(actions=at(4, always(None), T.actions)), [1]),
    ("actions-endless", "error", broken(actions=at(4, lambda *_: itertools.count(), T.actions)),
     [1]),
    ("action-unhashable", "error", broken(actions=at(4, always([[1]]), T.actions)), [1]),
    ("value-raises", "error",
     broken(actions=at(4, lambda *_: [Loud(1, 0), Loud(1, 0)], T.actions)), [1]),
    ("result-raises", "error", broken(result=at(3, lambda self, s, a: s[9], T.result)), [2, 1]),
    ("result-differs", "error",
     broken(result=lambda self, s, a: (max(0, s[0] - a - next(counter) % 2), 1 - s[1])), [1]),
    ("is_terminal-differs", "error",
     broken(is_terminal=lambda self, s: s[0] == 0 or (s[0] < 4 and next(counter) % 2)), [2]),
    ("is_terminal-raises", "error",
     broken(is_terminal=at(3, lambda *_: 1 // 0, T.is_terminal)), [2]),
    ("utility-type", "error", broken(utility=always((1, -1))), [1, 2, 2]),
    ("utility-type", "error", broken(utility=always(None)), [1, 2, 2]),
    ("utility-type", "error", broken(utility=always("1")), [1, 2, 2]),
    ("utility-nan", "error", broken(utility=always(float("nan"))), [1, 2, 2]),
    ("utility-infinite", "error", broken(utility=always(float("inf"))), [1, 2, 2]),
    ("utility-raises", "error", broken(utility=lambda self, s, p: (1,)[p]), [1, 2, 2]),
    ("utility-differs", "error", broken(utility=lambda *_: next(counter)), [1, 2, 2]),
    ("utility-bounds", "error", broken(utility_bounds=(-1, 0)), [1, 2, 2]),
    ("utility-scale", "warning",
     broken(Typed, utility_bounds=None, utility=lambda self, s, p: 9 - 18 * p), [1, 2, 2]),
    ("not-zero-sum", "error", broken(utility=lambda self, s, p: s[1] != p), [1, 2, 2]),
    ("utility-ignores-player", "error", broken(utility=always(-1)), [1, 2, 2]),
    ("utility-ignores-player", "error",
     broken(utility=lambda self, s, p: 1 if s[1] else -1), [1, 2, 2]),
    ("evaluate-type", "error", broken(evaluate=always(None)), []),
    ("evaluate-nan", "error", broken(evaluate=at(3, always(float("nan")), always(0))), [2]),
    ("evaluate-infinite", "warning", broken(evaluate=at(3, always(float("inf")), always(0))), [2]),
    ("evaluate-raises", "error", broken(evaluate=at(3, lambda *_: 1 // 0, always(0))), [2]),
    ("evaluate-sides", "warning", broken(evaluate=at(3, always(1), always(0))), [2]),
    ("evaluate-bounds", "warning",
     broken(utility_bounds=(-8, 8), evaluate=at(3, lambda s, t, p: 9 - 18 * p, always(0))), [2]),
    ("evaluate-sign", "warning",
     broken(TicTacToe, evaluate=lambda self, s, p: (self.player(s) != p) - 0.5), [0, 1, 3, 2, 6]),
    ("cycle", "warning",
     broken(actions=lambda self, s: [1, 2][: s[0]] + [0] * (s[0] < 5)), [1, 0, 0]),
    ("never-ends", "error", broken(actions=always([0])), []),
    ("never-ends", "error",
     broken(result=lambda self, s, a: (s[0] + a, 1 - s[1])), []),
    ("noisy-not-legal", "error", broken(noisy=always([2])), [2, 2]),
    ("format-repeats", "warning", broken(format_action=always("take")), [2]),
    ("format-type", "warning", broken(format_action=lambda self, s, a: a), [1]),
    ("format_action-raises", "warning", broken(format_action=lambda self, a: "x"), [1]),
    ("parse-action", "warning", broken(Typed, parse_action=always(1)), [2]),
    ("parse_action-raises", "warning", broken(Typed, parse_action=lambda g, s, t: int(t)), [1]),
    ("parse-state", "warning",
     broken(Typed, parse_state=lambda self, text: (int(text.split("/")[0]), 0)), [1]),
    ("outcomes-empty", "error", broken(Dice, outcomes=always([])), []),
    ("outcomes-form", "error", broken(Dice, outcomes=always([1, 2, 3])), []),
    ("outcomes-repeat", "error", broken(Dice, outcomes=always([(1, 0.5), (1, 0.5)])), []),
    ("outcomes-raises", "error", broken(Dice, outcomes=lambda self, s: s[2]), []),
    ("probability-invalid", "error", broken(Dice, outcomes=always([(1, -1), (2, 2)])), []),
    ("probabilities-sum", "error",
     broken(Dice, outcomes=lambda self, s: [(1, 0.5 if s[0] else 1)]), [1, "hold"]),
    ("observation-actions", "error",
     broken(Kuhn, actions=lambda self, s: ["p", "b"] if s[0][1] == "J" else ["p"]), ["Q", "K"]),
    ("observation-unhashable", "error", broken(Kuhn, observation=lambda self, s, p: [p]),
     ["J", "Q"]),
    ("sample-observation", "error",
     broken(Kuhn, sample=lambda self, s, p, rng: (s[0][::-1], s[1])), ["J", "Q"]),
    ("missing-method", "error", broken(Game, initial=always(1)), []),
    ("missing-method", "error", object(), []),
    ("misspelled-name", "warning", broken(evalute=lambda self, s, p: 0.0), []),
    ("misspelled-name", "warning", broken(zero_sums=False), []),
    ("misspelled-name", "warning", broken(utilityBounds=(-1, 1)), []),
    ("players-invalid", "error", broken(players="two"), []),
    ("bounds-invalid", "error", broken(utility_bounds=(1, -1)), []),
    ("bounds-invalid", "error", broken(utility_bounds=3), []),
]  # fmt: skip


@pytest.mark.parametrize(("check", "severity", "game", "moves"), SPOILED)
def test_fault(check: str, severity: str, game: Any, moves: list[Any]) -> None:
    finding = found(game, check, max_moves=1000)
    assert (finding.severity, finding.moves) == (severity, moves)
    assert finding.shortest


def test_every_check_has_a_test() -> None:
    tested = {row[0] for row in SPOILED} | {"long-game"}
    assert tested >= set(CHECKS)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("evalute", "evaluate"), ("outcome", "outcomes"), ("obervation", "observation"),
     ("smaple", "sample"), ("formatAction", "format_action")],
)  # fmt: skip
def test_a_misspelled_hook_is_named(wrong: str, meant: str) -> None:
    finding = found(broken(**{wrong: lambda self, s: 0}), "misspelled-name")
    assert finding.message == f"{wrong}() is never used: did you mean {meant}?"


def misspelled_names(game: Any) -> list[str]:
    findings = diagnose(game, games=5).findings
    return [f.message for f in findings if f.check == "misspelled-name"]


@pytest.mark.parametrize(
    ("name", "member", "said"),
    [
        ("utilty_bounds", lambda self: (-1, 1),
         "utilty_bounds() is never used: did you mean utility_bounds?"),
        ("evalaute", 3, "evalaute is never used: did you mean evaluate?"),
        ("acitons", lambda self, s: [],  # the class has actions() too
         "acitons() is never used: did you mean actions?"),
        ("utilty", lambda self, s, p: 0.0, "utilty() is never used: did you mean utility?"),
        ("zero_sum", lambda self: False, "zero_sum is a method, but must be an attribute"),
        ("evaluate", 3, "evaluate is an attribute, but must be a method"),
    ],
)  # fmt: skip
def test_a_name_is_compared_whatever_its_kind(name: str, member: Any, said: str) -> None:
    assert misspelled_names(broken(**{name: member})) == [said]


def test_attributes_beside_hooks_are_helpers() -> None:
    game = broken(samples=100, boards=(), action=1, scale=2, played=3, zero_sum=True)
    assert not misspelled_names(game)


def test_helpers_are_no_misspelled_hooks() -> None:
    helpers = ("action", "moves", "won", "lines", "plays", "is_over", "values", "neighbours",
               "evaluate", "_evalute", "score", "legal", "opponent", "heuristic")  # fmt: skip
    game = broken(**{name: lambda self, s, p=0: 0.0 for name in helpers})
    assert not [f for f in diagnose(game, games=5).findings if f.check == "misspelled-name"]


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ((3.0, 5.0), "player 0 won 0, player 1 won 20"),  # both gain, one more
        ((-3.0, -5.0), "player 0 won 20, player 1 won 0"),
        ((2.0, 2.0), "player 0 won 0, player 1 won 0, 20 draws"),
        ((4.0, 4.0, 1.0), "player 0 won 0, player 1 won 0, player 2 won 0, 20 shared first places"),
    ],
)
def test_winners_of_general_sum_games(values: tuple[float, ...], note: str) -> None:
    game = broken(
        players=len(values), zero_sum=False, utility=lambda self, s, p: values[p],
        player=lambda self, s: 0,
    )  # fmt: skip
    assert any(n.endswith(note) for n in diagnose(game, games=20).notes)


def test_exceptions_name_the_line() -> None:
    finding = found(broken(result=at(3, lambda self, s, a: s[9], T.result)), "result-raises")
    assert "IndexError" in finding.message and "test_doctor.py:" in finding.message
    assert finding.message.startswith("result((3, 1), 1) raised")  # as after 2


def test_line_is_in_the_players_notation() -> None:
    assert found(broken(Typed, utility=always(None)), "utility-type").line == "a b b"


class Corridor(Game):
    """Too wide for the sweep: 40 actions a move; the fault needs four small ones."""

    def initial(self) -> Any:
        return (0, 0)  # moves made, small ones among them, and all of them

    def player(self, s: Any) -> int:
        return s[0] % 2

    def actions(self, s: Any) -> Any:
        return [] if s[0] == 40 else range(40)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + 1, s[1] + (a < 10), a, *s[2:])

    def is_terminal(self, s: Any) -> bool:
        return s[0] == 40

    def utility(self, s: Any, p: int) -> float:
        return 0

    def evaluate(self, s: Any, p: int) -> float:
        return float("nan") if s[1] >= 4 else 0


def test_random_witness_is_shrunk() -> None:
    finding = found(Corridor(), "evaluate-nan", time=6.0)
    assert len(finding.moves) == 4 and all(a < 10 for a in finding.moves)
    assert not finding.shortest


class Walk(Game):
    """A walk on a wide plain, from which the exit is far away."""

    wide = 40

    def initial(self) -> Any:
        return (0, 0, 0)

    def player(self, s: Any) -> int:
        return 0

    def actions(self, s: Any) -> Any:
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        return [] if self.is_terminal(s) else steps

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a[0], s[1] + a[1], 0)

    def is_terminal(self, s: Any) -> bool:
        return abs(s[0]) + abs(s[1]) >= self.wide

    def utility(self, s: Any, p: int) -> float:
        return 0


def test_long_games_and_shortest_cycle() -> None:
    diagnosis = diagnose(Walk(), games=20, max_moves=100, time=20)
    assert {f.check: f.severity for f in diagnosis.findings} == {
        "cycle": "warning", "long-game": "warning"}  # fmt: skip
    cycle = next(f for f in diagnosis.findings if f.check == "cycle")
    assert len(cycle.moves) == 2 and cycle.shortest
    assert "the starting position repeats after move 2" in cycle.message


def test_misere_is_a_note_only() -> None:
    diagnosis = diagnose(broken(utility=lambda self, s, p: 1 if s[1] == p else -1), games=50)
    assert not diagnosis.findings and any("misère" in n for n in diagnosis.notes)


def test_time_is_kept() -> None:
    diagnosis = diagnose(Corridor(), games=10**6, time=0.5)
    assert diagnosis.elapsed < 3


def test_interrupt_gives_what_was_found() -> None:
    def stop(what: str, share: float) -> None:
        if what == "random games":
            raise KeyboardInterrupt

    diagnosis = diagnose(broken(noisy=always([9])), progress=stop)
    assert diagnosis.interrupted and [f.check for f in diagnosis.findings] == ["noisy-not-legal"]


def test_interrupt_in_the_rules() -> None:
    def stop(self: Any, s: Any, p: int) -> float:
        raise KeyboardInterrupt

    assert diagnose(broken(utility=stop)).interrupted


def test_same_seed_same_diagnosis() -> None:
    one, two = (str(diagnose(TicTacToe(), games=20, seed=7, time=60)) for _ in "12")
    assert one == two


class Thorny:
    """A value on which everything fails."""

    def fail(self, *_: Any) -> Any:
        raise RuntimeError("thorns")

    __eq__ = __hash__ = __repr__ = __bool__ = __iter__ = __deepcopy__ = __reduce_ex__ = fail
    __len__ = __float__ = __index__ = __getattr__ = fail


def leave(*_: Any) -> Any:
    raise SystemExit(3)


JUNK = [None, "x", [], {}, [[]], [None], -7, True, float("nan"), 10**400, object(), Thorny(),
        [Thorny()], np.zeros(3), np.zeros((2, 2)), [(1, 2, 3)], [("x", "y")]]  # fmt: skip
METHODS = ("initial", "player", "actions", "result", "is_terminal", "utility", "outcomes", "noisy",
           "evaluate", "observation", "sample", "format_action", "parse_action", "format_state",
           "parse_state", "name")  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", [Typed, Kuhn, BoxGame])
def test_nothing_escapes(method: str, base: type) -> None:
    for answer in [*map(always, JUNK), leave, lambda self: 0]:
        for start in (answer, at(3, answer, getattr(base, method, always(0)))):
            member = property(answer) if method == "name" else start
            diagnosis = diagnose(broken(base, **{method: member}), games=2, max_moves=20, time=0.2)
            assert str(diagnosis)


@pytest.mark.parametrize("thing", [Take, "tic-tac-toe"])
def test_no_game_at_all(thing: Any) -> None:
    with pytest.raises(UsageError):
        diagnose(thing)
