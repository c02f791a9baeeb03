"""Equilibria of one-shot games: :func:`equilibria`, :func:`equilibrium`, :func:`dominated`.

Payoffs are fractions and so are the answers. An equilibrium of two players is a pair of corners:
a strategy of one makes as many actions of the other equally good as it has itself in use. So each
support with each equally large set of replies gives at most one corner, found by solving linear
equations (support enumeration); corners that answer each other are the equilibria. Where payoffs
are degenerate there may be infinitely many; the corners of that set are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from ..errors import NotSupported, SearchBudgetExceeded, UsageError, extra
from .matrix import Matrix, best_replies, matrix
from .policy import Policy

MAX_SYSTEMS = 200_000  # sets of linear equations that are worth solving exactly
Strategy = tuple[Fraction, ...]
Rows = list[list[Fraction]]  # payoffs of one player: own actions by the other's


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A Nash equilibrium: no player gains by changing only its own strategy.

    Attributes:
        strategies: The probabilities of the actions of each player.
        values: The expected payoff of each player.

    Example:
        >>> import zermelo
        >>> [e.pure for e in zermelo.equilibria(zermelo.matrix("3,3 0,5; 5,0 1,1"))]
        [True]
    """

    strategies: tuple[Strategy, ...]
    values: tuple[Fraction, ...]

    @property
    def pure(self) -> bool:
        """Whether every player plays one action with probability 1."""
        return all(max(s) == 1 for s in self.strategies)

    @property
    def profile(self) -> tuple[int, ...]:
        """The actions in use, by number from 0, where it is pure."""
        return tuple(s.index(max(s)) for s in self.strategies)


def _as_matrix(game: Any) -> Matrix:
    if isinstance(game, str):
        return matrix(game)
    if not isinstance(game, Matrix):
        raise NotSupported("equilibria() supports only matrix games", "zermelo.matrix(payoffs)")
    return game


def _payoff_rows(game: Matrix, player: int) -> Rows:
    """What one of two players gets: a row for each of its actions."""
    m, n = game.shape
    if player == 0:
        return [[game.payoff((i, j))[0] for j in range(n)] for i in range(m)]
    return [[game.payoff((i, j))[1] for i in range(m)] for j in range(n)]


def expected(rows: Rows, other: Strategy) -> list[Fraction]:
    """The payoff of each own action against the other's strategy."""
    used = [(j, p) for j, p in enumerate(other) if p]
    return [sum((row[j] * p for j, p in used), Fraction(0)) for row in rows]


# -- pure ---------------------------------------------------------------------------------------
def _pure_equilibria(game: Matrix) -> Iterator[Equilibrium]:
    """All pure equilibria, for any number of players."""
    for profile in game.profiles():
        if all(best_replies(game, profile)):
            strategies = tuple(
                tuple(Fraction(int(k == i)) for k in range(n))
                for i, n in zip(profile, game.shape, strict=True)
            )
            yield Equilibrium(strategies, game.payoff(profile))


# -- two players --------------------------------------------------------------------------------
def _solve_linear(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The only solution of these equations (the last column is the right side), or None."""
    n = len(rows)
    for i in range(n):
        pivot = next((k for k in range(i, n) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        head = rows[i][i]
        rows[i] = [x / head for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                f = rows[k][i]
                rows[k] = [x - f * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[n] for row in rows]


def corners(theirs: Rows, own: Sequence[int], replies: Sequence[int], size: int) -> Iterator[Any]:
    """Own strategies that make as many of the other's actions equally good as they use.

    `theirs`: the other's payoffs, a row for each of its actions. Yields (strategy, best replies).
    """
    for count in range(1, min(len(own), len(replies)) + 1):
        for support in combinations(own, count):
            for tight in combinations(replies, count):
                # unknown: the odds of the support, and what each of the tight replies brings
                system = [[*(theirs[t][s] for s in support), Fraction(-1), Fraction(0)]
                          for t in tight]  # fmt: skip
                system.append([*[Fraction(1)] * count, Fraction(0), Fraction(1)])
                found = _solve_linear(system)
                if found is None or min(found[:count]) <= 0:
                    continue
                strategy = [Fraction(0)] * size
                for s, p in zip(support, found, strict=False):
                    strategy[s] = p
                brings = expected(theirs, tuple(strategy))
                if max(brings) == found[count]:
                    best = frozenset(t for t, u in enumerate(brings) if u == found[count])
                    yield tuple(strategy), best


def _undominated(game: Matrix) -> tuple[list[int], list[int]]:
    """The actions that survive iterated elimination of strictly dominated actions."""
    left = [list(range(n)) for n in game.shape]
    payoffs = [_payoff_rows(game, 0), _payoff_rows(game, 1)]
    changed = True
    while changed:
        changed = False
        for p in (0, 1):
            rows, others = payoffs[p], left[1 - p]
            keep = [
                i for i in left[p]
                if not any(all(rows[k][j] > rows[i][j] for j in others) for k in left[p])
            ]  # fmt: skip
            changed |= len(keep) < len(left[p])
            left[p] = keep
    return left[0], left[1]


def _mixed_equilibria(game: Matrix) -> Iterator[Equilibrium]:
    """All corners of the set of equilibria of two players; those of small supports first."""
    rows, columns = _undominated(game)
    a, b = _payoff_rows(game, 0), _payoff_rows(game, 1)
    m, n = game.shape
    firsts = dict(corners(b, rows, columns, m))
    seconds = dict(corners(a, columns, rows, n))
    for x, best_of_1 in firsts.items():
        used = {i for i, p in enumerate(x) if p}
        for y, best_of_0 in seconds.items():
            if used <= best_of_0 and all(j in best_of_1 for j, p in enumerate(y) if p):
                yield Equilibrium((x, y), (expected(a, y)[min(used)], _value(b, y, x)))


def _value(rows: Rows, own: Strategy, other: Strategy) -> Fraction:
    brings = expected(rows, other)
    return sum((p * u for p, u in zip(own, brings, strict=True)), Fraction(0))


def work(game: Matrix) -> int:
    """How many systems of equations the enumeration solves."""
    rows, columns = _undominated(game)
    return 2 * comb(len(rows) + len(columns), len(rows))


def equilibria(game: Any, *, pure: bool = False) -> list[Equilibrium]:
    """Find all Nash equilibria of a matrix game.

    Two-player games are solved exactly. In degenerate games, which have infinitely many equilibria,
    these are the extreme points. With more than two players only pure equilibria are found.

    Args:
        game: A matrix game.
        pure: Whether to find only pure equilibria.

    Returns:
        The equilibria, pure ones first.

    Raises:
        NotSupported: The game is not a matrix game, or has too many supports.

    Example:
        >>> import zermelo
        >>> len(zermelo.equilibria(zermelo.matrix("3,2 0,0; 0,0 2,3")))
        3
    """
    found = _as_matrix(game)
    if pure or len(found.shape) > 2:
        return list(_pure_equilibria(found))
    if work(found) > MAX_SYSTEMS:
        raise SearchBudgetExceeded(
            f"a {found.shape[0]} by {found.shape[1]} game has too many supports to enumerate",
            "zermelo.equilibrium(game) finds one, equilibria(game, pure=True) all pure ones",
        )
    unique = dict.fromkeys(_mixed_equilibria(found))
    return sorted(unique, key=lambda e: (not e.pure, [[-p for p in s] for s in e.strategies]))


# -- one ----------------------------------------------------------------------------------------
def by_linear_program(game: Matrix) -> Equilibrium:
    """One equilibrium of two players, zero sum, by scipy's HiGHS."""
    try:
        import numpy as np
        from scipy.optimize import linprog  # large, and small games need it not
    except ImportError:
        raise UsageError(
            "large zero-sum games need scipy, which is not installed",
            extra("equilibrium", "scipy"),
        ) from None
    a = np.array([[float(u) for u in row] for row in _payoff_rows(game, 0)])

    def guarantee(rows: Any) -> list[float]:
        """The maximin strategy over `rows`."""
        m, n = rows.shape
        bound = np.hstack([-rows.T, np.ones((n, 1))])
        total = np.array([[1.0] * m + [0.0]])
        cost = np.array([0.0] * m + [-1.0])
        limits = [(0, None)] * m + [(None, None)]
        answer = linprog(cost, bound, np.zeros(n), total, [1.0], limits, method="highs")
        if answer.status != 0:
            raise SearchBudgetExceeded(
                "the linear program could not be solved", str(answer.message)
            )
        odds = np.clip(answer.x[:m], 0, None)
        return [float(x) for x in odds / odds.sum()]

    x, y = guarantee(a), guarantee(-a.T)
    strategies = tuple(tuple(Fraction(p) for p in s) for s in (x, y))
    value = _value(_payoff_rows(game, 0), strategies[0], strategies[1])
    return Equilibrium(strategies, (value, -value))


def equilibrium(game: Any, algorithm: str = "auto", **limits: Any) -> Policy:
    """Find one Nash equilibrium of a matrix game or of a game with hidden information.

    Args:
        game: The game.
        algorithm: For games with hidden information: a variant of counterfactual regret
            minimization ("cfr+", "cfr", "dcfr", "mccfr", or "sampling" if the tree does not fit in
            memory). For matrix games:
            "supports" (small games) or "linear-program" (zero-sum, needs scipy). "auto" chooses
            one of the exact algorithms for matrix games, else cfr+.
        limits: `iterations`, `target` (a NashConv), `time` (seconds), `seed`, `on_progress`; only
            for regret minimization.

    Returns:
        A policy with `values`, `nash_conv` and `action_probabilities(state)`.

    Raises:
        NotSupported: The algorithm does not support the game.

    Example:
        >>> import zermelo
        >>> policy = zermelo.equilibrium(zermelo.load("kuhn"), target=1e-3)
        >>> round(policy.value, 2)
        -0.06
    """
    from .cfr import minimize
    from .variants import DEFAULT_VARIANT, VARIANTS

    is_matrix = isinstance(game, Matrix | str) and (not isinstance(game, str) or "(" not in game)
    known = ("auto", "supports", "linear-program", *VARIANTS)
    if algorithm not in known:
        ways = known if is_matrix else ("auto", *VARIANTS)
        raise UsageError(f"unknown algorithm {algorithm!r}", "one of: " + ", ".join(ways))
    if algorithm in VARIANTS or (algorithm == "auto" and not is_matrix):
        return minimize(game, DEFAULT_VARIANT if algorithm == "auto" else algorithm, **limits)
    if not is_matrix:
        raise UsageError(
            f"{algorithm!r} supports only matrix games", "use auto, or " + ", ".join(VARIANTS)
        )
    if limits:
        raise UsageError(
            f"{algorithm} does not support `{next(iter(limits))}`",
            f'algorithm="{DEFAULT_VARIANT}" supports it',
        )
    found = _as_matrix(game)
    if len(found.shape) > 2:
        best = next(_pure_equilibria(found), None)
        if best is None:
            raise NotSupported(
                "this multi-player game has no pure equilibrium",
                "mixed equilibria are supported for two players",
            )
        return _as_policy(found, best, "pure")
    if algorithm == "linear-program" and not found.zero_sum:
        raise UsageError("linear-program needs a zero-sum game", 'algorithm="supports"')
    small = work(found) <= MAX_SYSTEMS
    if algorithm != "linear-program" and (small or algorithm == "supports"):
        return _as_policy(found, equilibria(found)[0], "supports")
    if not found.zero_sum:
        best = next(_pure_equilibria(found), None)
        if best is not None:
            return _as_policy(found, best, "pure")
        return _as_policy(found, equilibria(found)[0], "supports")  # says that it is too large
    return _as_policy(found, by_linear_program(found), "linear-program")


def nash_conv(game: Matrix, strategies: tuple[Strategy, ...]) -> Fraction:
    """NashConv: the sum of what each player could gain by deviating alone."""
    total = Fraction(0)
    for p in range(len(game.shape)):
        brings = [Fraction(0)] * game.shape[p]
        for profile in game.profiles():
            odds = Fraction(1)
            for q, i in enumerate(profile):
                if q != p and odds:
                    odds *= strategies[q][i]
            if odds:
                brings[profile[p]] += odds * game.payoff(profile)[p]
        mean = sum((x * u for x, u in zip(strategies[p], brings, strict=True)), Fraction(0))
        total += max(brings) - mean
    return total


def _as_policy(game: Matrix, found: Equilibrium, algorithm: str) -> Policy:
    """The equilibrium as a policy over the game's states."""
    table: dict[tuple[int, Any], dict[Any, float]] = {}
    s = game.initial()
    for p, (names, odds) in enumerate(zip(game.action_names, found.strategies, strict=True)):
        seen = game.observation(s, p)
        table[p, seen] = {a: float(x) for a, x in zip(names, odds, strict=True)}
        s = game.result(s, names[0])
    conv = float(nash_conv(game, found.strategies))
    values = tuple(float(v) + 0.0 for v in found.values)
    details = {"strategies": [[str(x) for x in s] for s in found.strategies]}
    return Policy(
        game, table, values, conv, algorithm, {} if algorithm == "linear-program" else details
    )


# -- dominance ----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Dominated:
    """A dominated action."""

    player: int
    action: Any
    by: Any
    strict: bool  # the other is better whatever the others do; else never worse


def dominated(game: Any) -> list[Dominated]:
    """Find the dominated actions of a matrix game.

    Args:
        game: A matrix game.

    Returns:
        Each action that another action of the same player dominates, with the dominating one.

    Example:
        >>> import zermelo
        >>> [d.action for d in zermelo.dominated(zermelo.matrix("prisoners-dilemma"))]
        ['C', 'C']
    """
    found = _as_matrix(game)
    out: list[Dominated] = []
    for p, names in enumerate(found.action_names):
        rest = [q for q in found.profiles() if q[p] == 0]
        for i, name in enumerate(names):
            for k, other in enumerate(names):
                gains = [
                    found.payoff((*q[:p], k, *q[p + 1 :]))[p]
                    - found.payoff((*q[:p], i, *q[p + 1 :]))[p]
                    for q in rest
                ]
                if k != i and min(gains) >= 0 and max(gains) > 0:
                    out.append(Dominated(p, name, other, min(gains) > 0))
                    break
    return out


def better_for_all(game: Matrix, than: Equilibrium) -> tuple[int, ...] | None:
    """A profile in which everybody gets more than in this equilibrium, or None."""
    for profile in game.profiles():
        if all(u > v for u, v in zip(game.payoff(profile), than.values, strict=True)):
            return profile
    return None


# -- telling ------------------------------------------------------------------------------------
def equilibrium_text(game: Matrix, found: Equilibrium) -> str:
    """The equilibrium in one line: "D, D: values (1,1)", "1/2 heads + 1/2 tails, ..."."""
    parts = []
    for names, odds in zip(game.action_names, found.strategies, strict=True):
        used = [(x, n) for x, n in zip(odds, names, strict=True) if x]
        parts.append(" + ".join(str(n) if x == 1 else f"{x} {n}" for x, n in used))
    values = ",".join(map(str, found.values))
    return f"{' | '.join(parts)}   values ({values})"
