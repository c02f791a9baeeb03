"""The table of algorithms: which there are, what they need, and which fits a game ("auto")."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from .. import _core
from ..errors import NotSupported, UsageError, nearest, suggest
from ..game import Facts


@dataclass(frozen=True, slots=True)
class Algorithm:
    name: str
    doc: str  # what it does, when to use it, cost, reference
    options: tuple[str, ...]
    tables: bool  # it asks tables of solved positions
    traces: bool  # it can tell what it did
    chance: bool  # what it can deal with
    hidden: bool
    general_sum: bool
    many_players: bool

    @property
    def summary(self) -> str:
        return self.doc.splitlines()[0].partition(": ")[2]

    def misfit(self, facts: Facts) -> str:
        """Why it cannot play a game of these facts; "" if it can."""
        if facts.hidden and not self.hidden:
            return "hidden information"
        if facts.chance and not self.chance:
            return "chance"
        if facts.players > 2 and not self.many_players:
            return f"{facts.players} players"
        if facts.players == 2 and not facts.zero_sum and not self.general_sum:
            return "utilities that do not add up to zero"
        return ""


# What will play the games that nothing here can play yet.
_MISSING = {
    "utilities that do not add up to zero": "max^n",
}


class Number(NamedTuple):
    """An option that is any number from `least` to `most`."""

    default: float
    least: float
    most: float


# The values an option takes, the default first; a range: whole numbers, its first the default.
CHOICES: dict[str, tuple[Any, ...] | range | Number] = {
    "cut": ("equal", "strict"),
    "fail": ("soft", "hard"),
    "ties": (False, True),
    "quiescence": (False, True),
    "deepen": (False, True),
    "prefer": ("first", "hostile", "friendly"),
    "pvs": (True, False),
    "aspiration": (True, False),
    "killers": (True, False),
    "mirror": (True, False),
    "narrow": (True, False),
    "ahead": (True, False),
    "reductions": (True, False),
    "probcut": (True, False),
    "passing": (True, False),
    "pruning": (True, False),
    "extensions": (True, False),
    "prune": ("auto", "none", "star1", "star2"),
    "samples": range(1_000_001),  # 0: every outcome of chance
    "threads": range(1, 257),
    "lines": range(1, 1001),
    "table": range(65537),  # megabytes
    "simulations": range(2**62),  # 0, as many as the other limits allow, is not for giving
    "explore": Number(1.0, 0.0, 1e6),
    "urgency": Number(math.inf, -1e6, math.inf),
    "rollout": ("random", "greedy", "evaluate", "none"),
    "cutoff": range(1, 100_001),
    "priors": (False, True),
    "solver": (True, False),
    "final": ("visits", "value", "secure"),
    "deals": range(1_000_001),  # 0: all that can be listed
    "inner": ("auto", "engine", "alphabeta", "minimax", "expectiminimax", "maxn", "mcts"),
    "others": ("random", "hostile"),
}
# Where an algorithm's default is another.
DEFAULTS: dict[str, dict[str, Any]] = {
    "engine": {"deepen": True, "quiescence": True, "table": 64},
    "proof-number": {"table": 64},
    "mcts": {"table": 256, "cutoff": 8},
    "ismcts": {"table": 256, "cutoff": 8},
    "pimc": {"table": 16},
}
_ALIASES = {">=": "equal", ">": "strict"}
PRUNES = ("none", "star1", "star2")  # as the native half numbers them
CHANCE_TABLE_MB = 16
ASKED = "requested"  # the reason for an algorithm that the caller names
# Other names of algorithms.
NAMES = {
    "uct": "mcts",
    "max^n": "maxn",
    "max-n": "maxn",
    "brs": "best-reply",
    "best_reply": "best-reply",
    "is-mcts": "ismcts",
    "deals": "pimc",
}


@cache
def algorithms() -> dict[str, Algorithm]:
    """All algorithms by name."""
    return {
        a["name"]: Algorithm(
            a["name"],
            a["doc"],
            tuple(o for o in a["options"].split() if o in CHOICES),
            "tablebase" in a["options"].split(),
            a["traces"],
            a["chance"],
            a["hidden"],
            a["general_sum"],
            a["many_players"],
        )
        for a in _core.algorithms()
    }


def named(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the options in ``"mcts:simulations=1000,rollout=none"``."""
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(
                f"{part!r} is not an option", "expected NAME=VALUE, e.g. engine:time=0.1,threads=2"
            )
        options[key] = _value(value)
    return NAMES.get(name, name), options


def _value(text: str) -> Any:
    words: dict[str, Any] = {"on": True, "true": True, "off": False, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def choose(name: str, facts: Facts, *, plain: bool = False) -> tuple[Algorithm, str]:
    """The algorithm of that name, or the one that fits best; and why.

    plain: the lectures' algorithm is wanted (a trace, a small tree), not the strongest.
    """
    table = algorithms()
    if not isinstance(name, str):
        raise UsageError(f"invalid algorithm={name!r}", "expected a name, e.g. 'auto' or 'engine'")
    name = NAMES.get(name, name)
    if name != "auto":
        if name not in table:
            raise UsageError(f"there is no algorithm {name!r}", suggest(name, [*table, "auto"]))
        check_fit(name, facts, table)
        return table[name], ASKED
    if facts.hidden:
        if facts.players == 1:
            return table["belief"], "one player, hidden information: search over belief states"
        return table["ismcts"], "hidden information: search over information sets"
    if not table["maxn"].misfit(facts) and not duel(facts):
        many = f"{facts.players} players" if facts.players > 2 else "general-sum game"
        return table["maxn"], f"{many}, perfect information: every player maximises its own value"
    best = table["expectiminimax" if facts.chance else "alphabeta" if plain else "engine"]
    misfit = best.misfit(facts)
    if misfit:
        raise NotSupported(f"no algorithm supports games with {misfit} yet", _missing(misfit))
    if facts.chance:
        return best, "chance moves: expected values over their outcomes"
    if facts.players == 1:
        return best, "one player: the best reachable outcome"
    return (
        best,
        "two-player zero-sum game with perfect information: alpha-beta finds the minimax value",
    )


def check_fit(name: str, facts: Facts, known: Iterable[str], role: str = "") -> None:
    """Refuses an algorithm that cannot play a game of these facts; names those `known` that can."""
    table = algorithms()
    if misfit := table[name].misfit(facts):
        fits = [other for other in known if not table[other].misfit(facts)]
        raise NotSupported(
            f"{role}{name} does not support games with {misfit}",
            f"supported by: {', '.join(fits)}" if fits else _missing(misfit),
        )


def check_inner(chosen: dict[str, Any], facts: Facts) -> None:
    """The search inside `pimc` must fit the game as it is with nothing hidden."""
    name = chosen.get("inner", "auto")
    if name != "auto":
        known = [str(c) for c in CHOICES["inner"] if c != "auto"]
        check_fit(name, replace(facts, hidden=False), known, "inner=")


def duel(facts: Facts) -> bool:
    """One player, or a two-player zero-sum game: player 0's value determines the other's."""
    return facts.players == 1 or (facts.players == 2 and facts.zero_sum)


def _missing(misfit: str) -> str:
    return f"needs {_MISSING.get(misfit, 'max^n')}, which is not implemented yet"


def preferred(game: Any, name: str = "auto") -> str:
    """The algorithm that "auto" stands for in a game that names one (`prefers`); else `name`."""
    return game.prefers or name if name == "auto" else name


def check_options(
    algorithm: Algorithm, given: dict[str, Any], keywords: Iterable[str] = ()
) -> dict[str, Any]:
    """The options with their defaults filled in; an error names the nearest known.

    Args:
        algorithm: Whose options.
        given: What the caller gave.
        keywords: Other names that the caller can give, to suggest.
    """
    for name in given:
        if name not in algorithm.options:
            hint = option_hint(name, [*algorithm.options, *keywords])
            raise UsageError(f"{algorithm.name} has no option {name!r}", hint)
    chosen: dict[str, Any] = {}
    for name in algorithm.options:
        choices = CHOICES[name]
        value = given.get(name)
        if value is None:
            value = DEFAULTS.get(algorithm.name, {}).get(name, choices[0])
        elif isinstance(choices, Number):
            value = check_number(name, value, choices)
        elif isinstance(choices, range):
            allowed = choices[1:] if name == "simulations" else choices
            if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
                raise UsageError(
                    f"invalid {name}={value!r}",
                    f"expected a whole number from {allowed[0]} to {allowed[-1]}",
                )
        else:
            value = _ALIASES.get(value, value) if isinstance(value, str) else value
            if value not in choices or isinstance(value, bool) != isinstance(choices[0], bool):
                known = ", ".join(str(c) for c in choices)
                raise UsageError(f"invalid {name}={value!r}", f"expected one of: {known}")
        chosen[name] = value
    return chosen


def option_hint(name: str, known: Iterable[str]) -> str:
    """The option that `name` may stand for, and which algorithms have it if this one has not."""
    known = list(known)
    near = name if name in CHOICES else nearest(name, [*known, *CHOICES])
    if not near or near in known:
        return suggest(name, known)
    having = ", ".join(a.name for a in algorithms().values() if near in a.options)
    return f"supported by: {having}" if near == name else f"did you mean {near!r}? ({having})"


def settle_chance(chosen: dict[str, Any], given: dict[str, Any], facts: Facts, plain: bool) -> str:
    """Fills in what expectiminimax does if nobody says; and tells how it cuts.

    plain: the lectures' algorithm, which sees every leaf.
    """
    bounds = facts.utility_bounds or (-math.inf, math.inf)
    bounded = all(map(math.isfinite, bounds))
    if chosen["prune"] == "auto":
        chosen["prune"] = "none" if plain else "star2" if bounded else "star1"
    if "table" not in given:
        chosen["table"] = 0 if plain else CHANCE_TABLE_MB
    if chosen["prune"] == "none":
        return "no pruning (prune=none)"
    if not bounded:
        return f"no utility bounds, so no pruning at chance nodes ({chosen['prune']})"
    low, high = (f"{b:g}" for b in bounds)
    return f"prunes at chance nodes by the utility bounds {low} and {high} ({chosen['prune']})"


def check_number(name: str, value: Any, allowed: Number) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    if not fits or not allowed.least <= value <= allowed.most:
        raise UsageError(
            f"invalid {name}={value!r}",
            f"expected a number from {allowed.least:g} to {allowed.most:g}",
        )
    return float(value)


def native_options(options: dict[str, Any]) -> dict[str, Any]:
    """The same in the native half's words."""
    native = dict(options)
    if "cut" in native:
        native["cut_on_equality"] = native.pop("cut") == "equal"
    if "prune" in native:
        native["prune"] = PRUNES.index(native["prune"])
    if "prefer" in native:
        native["tie"] = CHOICES["prefer"].index(native.pop("prefer"))
    if "others" in native:
        native["hostile"] = native.pop("others") == "hostile"
    if "fail" in native:
        native["fail_soft"] = native.pop("fail") == "soft"
    return native


def convention(algorithm: str, options: dict[str, Any]) -> str:
    """How the algorithm cuts or chooses among equals, in words; "" if it does not."""
    if "prefer" in options:
        taken = {"first": "the first", "hostile": "the worst for the player at the root",
                 "friendly": "the best for the player at the root"}  # fmt: skip
        return f"ties: {taken[options['prefer']]} (prefer={options['prefer']})"
    if "cut" not in options:
        return ""
    if options["cut"] == "equal":
        return "cuts when value >= beta or value <= alpha (cut=equal)"
    return "cuts only when value > beta or value < alpha (cut=strict)"
