"""Iterated dilemmas: a round-robin tournament of classical strategies and your own.

A strategy is a function of both histories, ``(mine, theirs) -> "C" or "D"``. Histories are strings
of C and D, oldest first. A randomized strategy takes a third argument, a ``random.Random``.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..checks import check_text, check_whole
from ..equilibrium.matrix import CLASSICS, read
from ..errors import UsageError

Strategy = Callable[..., str]
PAYOFFS = CLASSICS["prisoners-dilemma"]
MOST = 100_000  # limits of rounds and of repeats
LEAST = 5e-324  # discount: any number more than 0
NOISY_REPEATS = 20  # matches per pair, if strategies or noise are random


def tit_for_tat(mine: str, theirs: str) -> str:
    """Cooperate first, then do what the other did."""
    return theirs[-1:] or "C"


def suspicious_tit_for_tat(mine: str, theirs: str) -> str:
    """As tit for tat, but defect first."""
    return theirs[-1:] or "D"


def generous_tit_for_tat(mine: str, theirs: str, rng: random.Random) -> str:
    """As tit for tat, but forgive a third of the defections."""
    return "D" if theirs.endswith("D") and rng.random() >= 1 / 3 else "C"


def tit_for_two_tats(mine: str, theirs: str) -> str:
    """Defect only after two defections in a row."""
    return "D" if theirs.endswith("DD") else "C"


def two_tits_for_tat(mine: str, theirs: str) -> str:
    """Defect twice after every defection."""
    return "D" if "D" in theirs[-2:] else "C"


def grim(mine: str, theirs: str) -> str:
    """Cooperate until the first defection, then never again."""
    return "D" if "D" in theirs else "C"


def pavlov(mine: str, theirs: str) -> str:
    """Win, stay; lose, shift: cooperate after both did the same."""
    return "C" if mine[-1:] == theirs[-1:] else "D"


def joss(mine: str, theirs: str, rng: random.Random) -> str:
    """As tit for tat, but one time in ten defect instead of cooperating."""
    return "D" if theirs.endswith("D") or rng.random() < 0.1 else "C"


def coin(mine: str, theirs: str, rng: random.Random) -> str:
    """Toss a coin."""
    return rng.choice("CD")


def alternate(mine: str, theirs: str) -> str:
    """Cooperate and defect alternately."""
    return "D" if mine.endswith("C") else "C"


CLASSICAL: dict[str, Strategy] = {
    "always cooperate": lambda mine, theirs: "C",
    "always defect": lambda mine, theirs: "D",
    "tit for tat": tit_for_tat,
    "suspicious tit for tat": suspicious_tit_for_tat,
    "generous tit for tat": generous_tit_for_tat,
    "tit for two tats": tit_for_two_tats,
    "two tits for tat": two_tits_for_tat,
    "grim": grim,
    "pavlov": pavlov,
    "joss": joss,
    "random": coin,
    "alternate": alternate,
}


@dataclass(frozen=True)
class Entrant:
    name: str
    act: Strategy
    draws: bool  # it takes a random.Random


@dataclass
class Dilemma:
    """The result of a round-robin tournament: mean payoffs per round.

    Attributes:
        names: The strategies.
        table: The mean payoff of each strategy against each other one, in the order of `names`.
        cooperation: How often each strategy cooperated.

    Example:
        >>> import zermelo
        >>> zermelo.dilemma(rounds=10).pair("tit for tat", "always cooperate")
        (3.0, 3.0)
    """

    names: list[str]
    rounds: int
    noise: float
    discount: float
    seed: int
    table: list[list[float]] = field(default_factory=list)  # of the row against the column
    cooperation: list[float] = field(default_factory=list)  # how often each cooperated

    @property
    def scores(self) -> dict[str, float]:
        """The mean payoff of each strategy over all matches, including the one against itself."""
        return {n: sum(row) / len(row) for n, row in zip(self.names, self.table, strict=True)}

    @property
    def ranking(self) -> list[str]:
        """The names of the strategies, best first."""
        return sorted(self.names, key=lambda n: -self.scores[n])

    def pair(self, one: str, other: str) -> tuple[float, float]:
        """The mean payoffs per round of two strategies against each other."""
        i, j = self.names.index(one), self.names.index(other)
        return self.table[i][j], self.table[j][i]

    def to_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds, "noise": self.noise, "discount": self.discount,
            "seed": self.seed,
            "ranking": [{"name": n, "score": self.scores[n],
                         "cooperation": self.cooperation[self.names.index(n)],
                         "against": dict(zip(self.names, self.table[self.names.index(n)],
                                             strict=True))} for n in self.ranking],
        }  # fmt: skip

    def __str__(self) -> str:
        order = [self.names.index(n) for n in self.ranking]
        wide = max(map(len, self.names))
        head = " ".join(f"{k:>5}" for k in range(1, len(order) + 1))
        rows = [f"{'':>2}  {'strategy':<{wide}}  score  coop  {head}"]
        for k, i in enumerate(order, 1):
            cells = " ".join(f"{self.table[i][j]:5.2f}" for j in order)
            coop = f"{self.cooperation[i]:4.0%}"
            rows.append(f"{k:>2}  {self.names[i]:<{wide}}  {self.scores[self.names[i]]:5.3f}  "
                        f"{coop:>4}  {cells}")  # fmt: skip
        return "\n".join(rows)


def dilemma(
    yours: Any = (),
    *,
    rounds: int = 200,
    noise: float = 0.0,
    discount: float = 1.0,
    payoffs: str = PAYOFFS,
    classical: bool = True,
    repeats: int | None = None,
    seed: int = 0,
) -> Dilemma:
    """Play a round-robin tournament of an iterated dilemma.

    Every strategy plays every strategy, including a copy of itself.

    Args:
        yours: Strategies of your own: a function, several functions, or {name: function}. A
            strategy takes both histories (strings of "C" and "D") and returns "C" or "D".
        rounds: Rounds per match.
        noise: The probability that a move is flipped.
        discount: The weight of each round relative to the one before.
        payoffs: A symmetric 2 by 2 payoff matrix, cooperation first.
        repeats: Matches per pair if strategies or noise are random.
        seed: The random seed.
        classical: Whether the classical strategies take part.

    Returns:
        The mean payoffs per round, by strategy and by pair.

    Raises:
        UsageError: An argument is invalid, or two strategies have the same name.

    Example:
        >>> import zermelo
        >>> result = zermelo.dilemma(rounds=10)
        >>> result.scores["tit for tat"] > result.scores["always defect"]
        True
    """
    _check(rounds, noise, discount, repeats)
    gain = _payoffs(payoffs)
    entrants = [entrant(n, f) for n, f in CLASSICAL.items()] if classical else []
    for name, f in _yours(yours):
        if name in [e.name for e in entrants]:
            raise UsageError(f"two strategies are called {name!r}", "rename your strategy")
        entrants.append(entrant(name, f))
    if not entrants:
        raise UsageError("there are no strategies", "pass a strategy, or keep classical=True")
    size = len(entrants)
    result = Dilemma([e.name for e in entrants], rounds, noise, discount, seed)
    result.table = [[0.0] * size for _ in entrants]
    kept: list[list[float]] = [[] for _ in entrants]
    for i, one in enumerate(entrants):
        for j, other in enumerate(entrants[i:], i):
            lots = one.draws or other.draws or noise > 0
            count = (repeats or NOISY_REPEATS) if lots else 1
            rng = random.Random(f"{seed} {one.name} {other.name}")
            met = [meet(one, other, rounds, noise, discount, gain, rng) for _ in range(count)]
            result.table[i][j] = sum(m[0] for m in met) / count
            if i == j:  # twins share what they get
                result.table[i][j] = sum(m[0] + m[1] for m in met) / (2 * count)
            else:
                result.table[j][i] = sum(m[1] for m in met) / count
                kept[j].append(sum(m[3] for m in met) / count)
            kept[i].append(sum(m[2] for m in met) / count)
    result.cooperation = [sum(k) / len(k) for k in kept]
    return result


def meet(
    one: Entrant,
    other: Entrant,
    rounds: int,
    noise: float,
    discount: float,
    gain: Mapping[str, tuple[float, float]],
    rng: random.Random,
) -> tuple[float, float, float, float]:
    """The mean payoffs per round of both, and their rates of cooperation."""
    mine = theirs = ""
    first = second = weight = 0.0
    factor = 1.0
    for _ in range(rounds):
        a, b = _act(one, mine, theirs, rng), _act(other, theirs, mine, rng)
        if noise:
            a, b = (("D" if x == "C" else "C") if rng.random() < noise else x for x in (a, b))
        u, v = gain[a + b]
        first, second, weight = first + factor * u, second + factor * v, weight + factor
        factor *= discount
        mine, theirs = mine + a, theirs + b
    kept = mine.count("C") / rounds, theirs.count("C") / rounds
    return first / weight, second / weight, *kept


def _act(e: Entrant, mine: str, theirs: str, rng: random.Random) -> str:
    act = e.act(mine, theirs, rng) if e.draws else e.act(mine, theirs)
    if act not in ("C", "D"):
        raise UsageError(
            f"{e.name} returned {act!r} in round {len(mine) + 1}",
            'a strategy must return "C" or "D"',
        )
    return act


def entrant(name: str, f: Any) -> Entrant:
    """A strategy with its name; does it take the third argument?"""
    if not callable(f):
        raise UsageError(
            f"the strategy {name!r} is not a function", 'e.g. def mine(mine, theirs): return "C"'
        )
    try:
        places = [
            p for p in inspect.signature(f).parameters.values()
            if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]  # fmt: skip
    except (TypeError, ValueError):
        places = []
    if len(places) not in (0, 2, 3):
        raise UsageError(
            f"the strategy {name!r} takes {len(places)} arguments",
            "expected (mine, theirs) or (mine, theirs, rng)",
        )
    return Entrant(name, f, len(places) == 3)


def _yours(given: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(given, Mapping):
        return [(str(n), f) for n, f in given.items()]
    if callable(given):
        given = [given]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UsageError(f"{given!r} is not a strategy", 'e.g. def mine(mine, theirs): return "C"')
    return [(getattr(f, "__name__", f"yours {i}").replace("_", " "), f)
            for i, f in enumerate(given, 1)]  # fmt: skip


def _payoffs(text: str) -> dict[str, tuple[float, float]]:
    shape, cells, _ = read(check_text("the payoffs", text))
    cc, cd, dc, dd = (cells + [(Fraction(0), Fraction(0))] * 4)[:4]
    if shape != (2, 2) or cc[0] != cc[1] or dd[0] != dd[1] or cd != dc[::-1]:
        raise UsageError("the payoff matrix must be symmetric and 2 by 2", f"e.g. {PAYOFFS!r}")
    pairs = {"CC": cc, "CD": cd, "DC": dc, "DD": dd}
    return {k: (float(c[0]), float(c[1])) for k, c in pairs.items()}


def _check(rounds: Any, noise: Any, discount: Any, repeats: Any) -> None:
    check_whole("rounds", rounds, most=MOST)
    check_whole("repeats", 1 if repeats is None else repeats, most=MOST)
    for name, value, least, allowed in (
        ("noise", noise, 0.0, "a number from 0 to 1"),
        ("discount", discount, LEAST, "a number above 0 and at most 1"),
    ):
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1:
            raise UsageError(f"invalid {name}={value!r}", f"expected {allowed}")
