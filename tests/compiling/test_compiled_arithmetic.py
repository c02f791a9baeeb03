"""Compiled arithmetic: Python's number, or an error; never another number."""

from __future__ import annotations

import itertools
import math
import random
from typing import NamedTuple

import pytest

pytest.importorskip("numba")

import zermelo
from zermelo import Game, RulesError
from zermelo.compiling.api import compile
from zermelo.errors import CompileError

WHOLE = (-9, -7, -3, -2, -1, 0, 1, 2, 3, 5, 8, 62, 63, 64, 70)
REAL = (-2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 3.25, 700.0)


class Numbers(NamedTuple):
    rule: int
    x: int
    y: int
    u: float
    v: float


class Arithmetic(Game):
    """Every utility is an expression of the state's numbers, chosen by `rule`."""

    def initial(self) -> Numbers:
        return Numbers(-1, 1, 1, 1.0, 1.0)

    def player(self, s: Numbers) -> int:
        return 0

    def actions(self, s: Numbers) -> list[int]:
        return [0]

    def result(self, s: Numbers, a: int) -> Numbers:
        return Numbers(0, s.x, s.y, s.u, s.v)

    def is_terminal(self, s: Numbers) -> bool:
        return s.rule >= 0

    def utility(self, s: Numbers, p: int) -> float:
        return self.reals(s) if s.rule >= 12 else self.ints(s)

    def ints(self, s: Numbers) -> float:
        x, y = s.x, s.y
        if s.rule == 0:
            return float(x // y)
        if s.rule == 1:
            return float(x % y)
        if s.rule == 2:
            return x / y
        if s.rule == 3:
            return float(2**y)
        if s.rule == 4:
            return float(x**y)
        if s.rule == 5:
            return float(pow(x, y))
        if s.rule == 6:
            return float(x >> y)
        if s.rule == 7:
            return float(x << y)
        if s.rule == 8:
            return x**-2
        if s.rule == 9:
            whole, rest = divmod(x, y)
            return float(100 * whole + rest)
        if s.rule == 10:
            x //= y
            x %= y
            return float(x)
        x <<= y
        return float(x)

    def reals(self, s: Numbers) -> float:
        x, u, v = s.x, s.u, s.v
        if s.rule == 12:
            return u / v
        if s.rule == 13:
            return u // v
        if s.rule == 14:
            return u % v
        if s.rule == 15:
            return float(u**v)
        if s.rule == 16:
            return float(u**x)
        if s.rule == 17:
            return math.sqrt(u)
        if s.rule == 18:
            return math.log(u)
        if s.rule == 19:
            return math.exp(u)
        if s.rule == 20:
            return x / v
        if s.rule == 21:
            return math.pow(u, v)
        u /= v
        return u


RULES = 23
# Python's int grows beyond 64 bits; compiled ones wrap round, as documented. And a power of ints is
# an int when compiled, so that a negative exponent is an error.
BEYOND = 2.0**62


def test_compiled_arithmetic_is_python_s_or_an_error() -> None:
    game, draw = Arithmetic(), random.Random(1)
    fast = compile(game)
    raised = 0
    states = [
        Numbers(rule, x, y, u, v)
        for rule in range(RULES)
        for x, y in itertools.product(WHOLE, WHOLE)
        for u, v in [(draw.choice(REAL), draw.choice(REAL))]
    ]
    for s in states:
        try:
            want: float | None = float(game.utility(s, 0))
        except (ZeroDivisionError, ValueError, OverflowError, TypeError):
            want = None
        if want is not None and s.rule < 12 and abs(want) >= BEYOND:
            continue
        try:
            got: float | None = zermelo.search(fast, s).value
        except RulesError:
            got, raised = None, raised + 1
        if want is None or (s.rule in (3, 4, 5) and s.y < 0):
            assert got is None, s
        else:
            assert got == pytest.approx(want, rel=1e-15), s
    assert raised > 500


class Judging(Arithmetic):
    def is_terminal(self, s: Numbers) -> bool:
        return s.rule >= 2

    def result(self, s: Numbers, a: int) -> Numbers:
        return Numbers(s.rule + 1, s.x, s.y, s.u, s.v)

    def evaluate(self, s: Numbers, p: int) -> float:
        return s.u * s.v - s.v * s.u * s.x


@pytest.mark.parametrize("x", [0, 1])
def test_a_compiled_evaluation_is_finite(x: int) -> None:
    fast = compile(Judging())
    assert zermelo.search(fast, algorithm="alphabeta", depth=1).action == 0
    huge = Numbers(-1, x, 1, 1e200, 1e200)  # infinity, or infinity less infinity
    with pytest.raises(RulesError, match="compiled rules raised"):
        zermelo.search(fast, huge, algorithm="alphabeta", depth=1)


def test_an_infinite_evaluation_is_noticed_when_compiling() -> None:
    class Boundless(Judging):
        def evaluate(self, s: Numbers, p: int) -> float:
            return s.u * math.inf

    with pytest.raises(CompileError, match="evaluate returned inf"):
        compile(Boundless())
