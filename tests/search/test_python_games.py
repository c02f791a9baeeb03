"""Any Python object as a game: asked once, errors unchanged, nothing leaks, rules that are ill."""

from __future__ import annotations

import gc
import itertools
import math
import sys
import weakref
from collections import Counter
from typing import Any

import numpy as np
import pytest

import zermelo
from doctored import Take
from oracle import HashedGame, minimax
from zermelo import CHANCE, Game, RulesError, UsageError, search

BOTH = pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])


RULES = ("player", "actions", "result", "is_terminal", "utility")


@BOTH
def test_nothing_is_asked_twice(algorithm: str) -> None:
    asked: Counter[Any] = Counter()

    class Counted(HashedGame):
        pass

    def counting(name: str) -> Any:
        def method(self: Any, *args: Any) -> Any:
            asked[name, args] += 1
            return getattr(HashedGame, name)(self, *args)

        return method

    for name in (*RULES, "evaluate"):
        setattr(Counted, name, counting(name))
    r = search(Counted(3, 9), algorithm=algorithm, depth=8)
    assert max(asked.values()) == 1
    results = sum(name == "result" for name, _ in asked)
    assert r.nodes > (4 * results if algorithm == "minimax" else results + 1)
    assert {name for name, _ in asked} == {*RULES, "evaluate"}


class Mine(Exception):
    """Nobody else's error."""


@BOTH
@pytest.mark.parametrize("where", [*RULES, "evaluate", "__hash__", "__eq__"])
@pytest.mark.parametrize("error", [Mine, ValueError, KeyboardInterrupt, SystemExit, RecursionError])
def test_errors_inside_the_rules_come_out_unchanged(where: str, algorithm: str, error: Any) -> None:
    thrown = error("in the middle")
    calls = itertools.count()
    at = 0 if where in ("utility", "evaluate") else 4
    armed = True

    def bomb(*args: Any) -> Any:
        if armed and next(calls) == at:
            raise thrown
        return bomb.plain(*args)  # type: ignore[attr-defined]

    class Position(tuple):
        __slots__ = ()

    class Trapped(Take):
        def initial(self) -> Any:
            return Position((self.n, 0))

        def result(self, s: Any, a: Any) -> Any:
            return Position((s[0] - a, 1 - s[1]))

        def evaluate(self, s: Any, p: int) -> float:
            return 0.0

    target: Any = Position if where.startswith("__") else Trapped
    bomb.plain = getattr(target, where)  # type: ignore[attr-defined]
    setattr(target, where, lambda *args: bomb(*args))
    game = Trapped(12)
    with pytest.raises(error) as caught:
        search(game, algorithm=algorithm, depth=9)
    assert caught.value is thrown
    armed = False
    assert search(game, algorithm=algorithm).value == -1


@BOTH
def test_an_error_in_an_evaluation_given_by_hand(algorithm: str) -> None:
    game = zermelo.load("tic-tac-toe")
    thrown = Mine()

    def evaluate(s: Any, p: int) -> float:
        raise thrown

    with pytest.raises(Mine) as caught:
        search(game, algorithm=algorithm, depth=2, evaluate=evaluate)
    assert caught.value is thrown
    assert search(game, algorithm=algorithm, depth=2, evaluate=lambda s, p: 3).value == 3


@pytest.mark.parametrize("said", [None, "1", [1.0, 2.0]])
def test_an_evaluation_that_gives_no_number(said: Any) -> None:
    game = zermelo.load("tic-tac-toe")
    with pytest.raises(UsageError, match="evaluate returned") as e:
        search(game, depth=2, evaluate=lambda s, p: said)
    assert "a single number" in e.value.hint
    with pytest.raises(UsageError, match=r"<lambda>\(s\)") as e:
        search(game, depth=2, evaluate=lambda s: 1.0)
    assert "(state, player)" in e.value.hint
    for fits in (lambda s, p=0: 1.0, lambda *args: 1.0):
        assert search(game, depth=2, evaluate=fits).value == 1


@pytest.mark.parametrize(
    ("name", "wrong", "called"),
    [
        ("utility", lambda self, s: 1, "utility(s, p)"),
        ("utility", lambda self, s, p, q: 1, "utility(s, p)"),
        ("actions", lambda self: [1], "actions(s)"),
        ("initial", lambda self, n: (3, 0), "initial()"),
        ("result", lambda self, a: a, "result(s, a)"),
        ("evaluate", lambda self, s: 0, "evaluate(s, p)"),
    ],
)
def test_rules_that_take_other_arguments(name: str, wrong: Any, called: str) -> None:
    with pytest.raises(RulesError) as e:
        zermelo.perft(type("Ill", (Take,), {name: wrong})(), (3, 0), depth=3)
    assert f"cannot be called as {called}" in e.value.message
    assert __file__ in e.value.message and f"def {name}(self" in e.value.hint


def test_rules_that_take_more_than_they_need() -> None:
    class Wide(Take):
        def utility(self, s: Any, p: int = 0, scale: float = 1.0) -> float:
            return super().utility(s, p) * scale

        def actions(self, *args: Any) -> Any:
            return super().actions(*args)

    assert search(Wide(6)).value == search(Take(6)).value


def test_nothing_leaks() -> None:
    class State:
        def __init__(self, n: int, p: int) -> None:
            self.n, self.p = n, p
            alive.add(self)

        def __hash__(self) -> int:
            return hash((self.n, self.p))

        def __eq__(self, other: Any) -> bool:
            return (self.n, self.p) == (other.n, other.p)

    class Objects(Take):
        def initial(self) -> Any:
            return State(self.n, 0)

        def player(self, s: Any) -> int:
            return s.p

        def actions(self, s: Any) -> Any:
            return [action for action in acts if action[0] <= s.n]

        def result(self, s: Any, a: Any) -> Any:
            return State(s.n - a[0], 1 - s.p)

        def is_terminal(self, s: Any) -> bool:
            return s.n == 0

        def utility(self, s: Any, p: int) -> float:
            if broken:
                raise Mine
            return -1.0 if s.p == p else 1.0

    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    acts = [(1, "one"), (2, "two")]
    broken = False
    game = Objects(12)
    before = [sys.getrefcount(x) for x in (acts[0], acts[1], game)]
    for algorithm, trace in itertools.product(("minimax", "alphabeta"), (False, True)):
        search(game, algorithm=algorithm, trace=trace)
    broken = True
    for _ in range(3):
        with pytest.raises(Mine):
            search(game, algorithm="minimax")
    gc.collect()
    assert len(alive) == 0
    assert [sys.getrefcount(x) for x in (acts[0], acts[1], game)] == before


def test_memory_stays_level() -> None:
    """Blocks that Python allocated do not pile up over many searches."""
    game, native = Take(9), zermelo.load("tic-tac-toe:m=3,n=2,k=2")

    def rounds(n: int) -> int:
        for _ in range(n):
            search(game, algorithm="alphabeta", trace=True)
            search(game, algorithm="minimax", depth=3, evaluate=lambda s, p: 0.5)
            search(native, algorithm="alphabeta", depth=2, evaluate=lambda s, p: 0.5)
        gc.collect()
        return sys.getallocatedblocks()

    rounds(20)
    first = rounds(20)
    assert rounds(100) - first < 200


ILL: list[tuple[str, Any, str]] = [
    ("utility", lambda self, s, p: math.nan, "NaN"),
    ("utility", lambda self, s, p: "won", "'won'"),
    ("utility", lambda self, s, p: None, "None"),
    ("utility", lambda self, s, p: (1, -1), "(1, -1)"),
    ("evaluate", lambda self, s, p: math.nan, "NaN"),
    ("evaluate", lambda self, s, p: [], "[]"),
    ("actions", lambda self, s: [], "empty"),
    ("actions", lambda self, s: iter(()), "empty"),
    ("player", lambda self, s: 2, "player(s) returned 2"),
    ("player", lambda self, s: -1, "outcomes"),
    ("player", lambda self, s: -7, "-7"),
    ("player", lambda self, s: "MAX", "'MAX'"),
    ("player", lambda self, s: None, "None"),
    ("player", lambda self, s: 0.5, "0.5"),
    ("player", lambda self, s: 10**30, "player(s) returned 1000"),
    ("result", lambda self, s, a: [s[0] - a, 1 - s[1]], "hashed"),
    ("result", lambda self, s, a: (s[0] - a, [1 - s[1]]), "hashed"),
    ("initial", lambda self: {"n": 3}, "hashed"),
]


@BOTH
@pytest.mark.parametrize(("method", "wrong", "words"), ILL)
def test_ill_rules_are_told(method: str, wrong: Any, words: str, algorithm: str) -> None:
    game = type("Ill", (Take,), {method: wrong})()
    with pytest.raises(RulesError) as caught:
        search(game, algorithm=algorithm, depth=1 if method == "evaluate" else 6)
    assert words in str(caught.value)
    assert "\n" not in caught.value.message


@BOTH
def test_actions_that_are_not_iterable(algorithm: str) -> None:
    game = type("Ill", (Take,), {"actions": lambda self, s: None})()
    with pytest.raises((RulesError, TypeError)):
        search(game, algorithm=algorithm)


def test_messages_about_states_with_accents() -> None:
    class Accents(Take):
        def initial(self) -> Any:
            return "a" + "é" * 100

        def is_terminal(self, s: Any) -> bool:
            return False

        def player(self, s: Any) -> int:
            return 9

    with pytest.raises(RulesError):
        search(Accents(), algorithm="minimax")


def test_missing_methods_are_named() -> None:
    class Nothing:
        def initial(self) -> int:
            return 0

    with pytest.raises(UsageError, match=r"player, actions, result, is_terminal, utility"):
        search(Nothing())
    with pytest.raises(UsageError, match="is a class"):
        search(Take)
    with pytest.raises(UsageError, match="is a name"):
        search("nim")
    for players in (0, 65, True, "2", None, 2.0):
        with pytest.raises(UsageError, match="players"):
            search(type("Many", (Take,), {"players": players})())
    with pytest.raises(UsageError, match="utility_bounds"):
        search(type("Bounds", (Take,), {"utility_bounds": (1, -1)})())
    with pytest.raises(NotImplementedError, match=r"no initial\(\)"):
        search(Game())


@BOTH
@pytest.mark.parametrize("period", [1, 2, 50])
def test_games_that_go_round_in_circles(period: int, algorithm: str) -> None:
    class Round(Take):
        def initial(self) -> Any:
            return 0

        def player(self, s: Any) -> int:
            return s % 2

        def actions(self, s: Any) -> Any:
            return ["on"]

        def result(self, s: Any, a: Any) -> Any:
            return (s + 1) % period

        def is_terminal(self, s: Any) -> bool:
            return False

    with pytest.raises(RulesError, match="never ends"):
        search(Round(), algorithm=algorithm)
    assert search(Round(), algorithm=algorithm, depth=20).kind == "estimate"
    assert zermelo.count_positions(Round()) == period
    assert search(Round(), time=0.1).stopped == "time"


class Shapes:
    """Rules without the base class, with slots, generators for actions and NumPy states."""

    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = 4

    def initial(self) -> Any:
        return np.zeros((2, self.size), dtype=np.int8)

    def player(self, s: Any) -> Any:
        return np.int64(np.count_nonzero(s) % 2)

    def actions(self, s: Any) -> Any:
        for i, j in np.argwhere(s == 0):
            yield int(i), int(j)

    def result(self, s: Any, a: Any) -> Any:
        after = s.copy()
        after[a] = 1 + self.player(s)
        return after

    def is_terminal(self, s: Any) -> Any:
        return np.bool_(np.count_nonzero(s) >= 5)

    def utility(self, s: Any, p: int) -> Any:
        total = np.float32((s[0] == 1).sum() - (s[1] == 1).sum())
        return total if p == 0 else -total


@BOTH
def test_duck_typed_rules_with_slots_and_numpy(algorithm: str) -> None:
    game = Shapes()
    r = search(game, algorithm=algorithm)
    assert r.value == minimax(game, game.initial())
    assert r.action in list(game.actions(game.initial()))
    assert isinstance(r.value, float) and r.game.name == "Shapes"
    start = game.initial()
    search(game, start, algorithm)
    assert not start.any(), "the caller's state was changed"


@BOTH
def test_one_player(algorithm: str) -> None:
    class Climb(Take):
        players = 1

        def player(self, s: Any) -> int:
            return 0

        def utility(self, s: Any, p: int) -> float:
            return float(s[1])

        def result(self, s: Any, a: Any) -> Any:
            return (s[0] - a, s[1] + (3 if a == 2 else 1))

    r = search(Climb(7), algorithm=algorithm)
    assert r.value == 10 and r.values == (10,)
    assert r.value == minimax(Climb(7), (7, 0))


def test_chance_in_python_rules_is_checked() -> None:
    class Coin(Take):
        def player(self, s: Any) -> int:
            return CHANCE

        def outcomes(self, s: Any) -> Any:
            return odds

    odds: Any = [(1, 0.5), (2, 0.5)]
    assert zermelo.perft(Coin(), depth=2)[0] == 4
    for wrong, said, hint in (
        ([(1, 0.5), (2, 0.6)], "sum to 1.1, not 1", "pairs"),
        ([], "outcomes(s) is empty", "return all outcomes"),
        ([(1, -0.5), (2, 1.5)], "returned 1 with probability -0.5", "negative"),
        ([1, 2], "outcomes(s) returned 1", "pairs"),
        ({1: 0.5, 2: 0.5}, "the dict {1: 0.5, 2: 0.5}", ".items()"),
        ([(1, "x")], "a probability is 'x'", "number"),
        ([(1, math.nan)], "NaN", "number"),
    ):
        odds = wrong
        with pytest.raises(RulesError) as e:
            zermelo.perft(Coin(), depth=2)
        assert said in e.value.message and hint in e.value.hint, e.value
    odds = {1: 0.5, 2: 0.5}.items()
    assert zermelo.perft(Coin(), depth=2)[0] == 4


@pytest.mark.parametrize("given", [None, "chance", -3, 2])
def test_who_moves_where_chance_does_is_told(given: Any) -> None:
    class Coin(Take):
        def player(self, s: Any) -> Any:
            return given

        def outcomes(self, s: Any) -> Any:
            return [(1, 1.0)]

    with pytest.raises(RulesError, match=r"player\(s\) returned") as e:
        zermelo.perft(Coin(), depth=2)
    assert "expected 0 to 1" in e.value.hint and "zermelo.CHANCE" in e.value.hint
