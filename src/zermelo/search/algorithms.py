"""The table of algorithms: capabilities, options, and the choice of "auto".

Every entry is declared beside the algorithm's code in ``core/search``. Nothing here or elsewhere
in Python asks for an algorithm by its name: capabilities decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from .. import _core
from ..errors import NotSupported, UsageError, nearest, suggest
from ..game import Facts
from ..options import parse_key_values, parse_value
from .options import SearchOption, Situation, option_from

REQUESTED = "requested"  # the reason for an algorithm that the caller names


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The games that an algorithm supports, and the features of its search."""

    chance: bool = False
    hidden: bool = False  # hidden information; takes a belief
    general_sum: bool = False
    many_players: bool = False
    trace: bool = False
    tablebase: bool = False
    guide: bool = False
    among: bool = False
    superko: bool = False  # solves games with superko, and plays no others
    cycles: bool = False  # solves games in which positions repeat
    scores: bool = True  # utilities beyond win, draw and loss
    proof: bool = True  # can prove values, so `solve` takes it
    memory: str = ""  # what it keeps in a Memory: "table", "tree" or ""


@dataclass(frozen=True, slots=True)
class LimitSupport:
    """The limits that an algorithm obeys."""

    depth: bool = False
    nodes: bool = True
    time: bool = True
    required: bool = False  # it never ends by itself


@dataclass(frozen=True, slots=True)
class Traits:
    """How to read an algorithm's results and traces."""

    simulates: bool = False  # its nodes are simulations, its values their means
    expected: bool = False  # its values are expectations over chance
    coalition: bool = False  # treats all other players as one opponent
    maximin: bool = False  # to the end of the game its value is guaranteed
    revisits: bool = False  # searches the same node several times
    random_opponents: bool = False  # players without a model are assumed to move randomly


@dataclass(frozen=True, slots=True)
class Automatic:
    """When "auto" takes an algorithm."""

    lectures: bool = False
    play: bool = False
    min_players: int = 1
    max_players: int = 1 << 30
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm as it declares itself."""

    name: str
    doc: str  # title, description, when to use it, cost, reference
    can: Capabilities = Capabilities()
    limits: LimitSupport = LimitSupport()
    traits: Traits = Traits()
    automatic: Automatic = Automatic()
    options: Mapping[str, SearchOption] = field(default_factory=dict)  # by name
    aliases: tuple[str, ...] = ()
    sampled_states: int = (
        0  # hidden information: number of samples if the states are too many to list
    )
    batch: bool = False  # solves several positions with one table

    @property
    def summary(self) -> str:
        return self.doc.splitlines()[0]

    def misfit(self, facts: Facts) -> str:
        """Why it cannot play a game of these facts; "" if it can."""
        if facts.hidden and not self.can.hidden:
            return "hidden information"
        if facts.chance and not self.can.chance:
            return "chance"
        if facts.players > 2 and not self.can.many_players:
            return f"{facts.players} players"
        if facts.players == 2 and not facts.zero_sum and not self.can.general_sum:
            return "utilities that do not sum to zero"
        if self.can.superko and not facts.superko:
            return "repetition rules other than superko on a small board"
        return ""

    def require(self, feature: str) -> None:
        """Refuses a feature that the algorithm does not support, and names those that do."""
        if not FEATURES[feature](self):
            raise UsageError(
                f"{self.name} does not support `{feature}`", f"supported by: {_supporting(feature)}"
            )

    def settle(
        self, given: Mapping[str, Any], situation: Situation, keywords: Iterable[str] = ()
    ) -> dict[str, Any]:
        """All options: as given and checked, or their defaults in this situation.

        Args:
            given: Values by the options' names or aliases; None: the default.
            situation: What the defaults depend on.
            keywords: Other names that the caller accepts, to suggest.

        Raises:
            UsageError: An option does not exist, is given twice or has an invalid value.
        """
        chosen = dict(_default_options(self.name, situation))
        for name, value in self.canonical(given, keywords).items():
            if value is not None:
                chosen[name] = self.options[name].check(value)
        return chosen

    def canonical(self, given: Mapping[str, Any], keywords: Iterable[str] = ()) -> dict[str, Any]:
        """The given options under their present names."""
        found: dict[str, Any] = {}
        for name, value in given.items():
            key = name if name in self.options else self._formerly(name)
            if key is None:
                hint = _option_hint(name, [*self.options, *keywords])
                raise UsageError(f"{self.name} has no option {name!r}", hint)
            if key in found:
                raise UsageError(f"{key} and its former name are both given", f"give only {key}")
            found[key] = value
        return found

    def canonical_names(self, given: Iterable[str]) -> list[str]:
        """The present names of the given options; unknown ones are left out."""
        names = (name if name in self.options else self._formerly(name) for name in given)
        return [name for name in names if name is not None]

    def _formerly(self, name: str) -> str | None:
        return next((o.name for o in self.options.values() if name in o.aliases), None)

    def native_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The options for the native search: those that differ from their defaults."""
        usual = _default_options(self.name, Situation())
        return {name: value for name, value in chosen.items() if value != usual[name]}

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON and the studio."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "summary": self.summary,
            "options": [o.to_dict() for o in self.options.values()],
            "chance": self.can.chance,
            "hidden": self.can.hidden,
            "general_sum": self.can.general_sum,
            "many_players": self.can.many_players,
            "supports": [f for f, has in FEATURES.items() if has(self)],
            "doc": self.doc,
        }


# Features besides options, and the algorithms that support them.
FEATURES: dict[str, Callable[[Algorithm], bool]] = {
    "depth": lambda a: a.limits.depth,
    "nodes": lambda a: a.limits.nodes,
    "time": lambda a: a.limits.time,
    "threads": lambda a: "threads" in a.options,
    "trace": lambda a: a.can.trace,
    "tablebase": lambda a: a.can.tablebase,
    "memory": lambda a: bool(a.can.memory),
    "among": lambda a: a.can.among,
    "guide": lambda a: a.can.guide,
    "belief": lambda a: a.can.hidden,
    "solve": lambda a: a.can.proof,
}


def _supporting(feature: str) -> str:
    """The names of the algorithms that support a feature."""
    return ", ".join(a.name for a in algorithms().values() if FEATURES[feature](a))


@cache
def algorithms() -> dict[str, Algorithm]:
    """All algorithms by name."""
    return {raw["name"]: _algorithm_from(raw) for raw in _core.algorithms()}


def _algorithm_from(raw: Mapping[str, Any]) -> Algorithm:
    return Algorithm(
        name=raw["name"],
        doc=raw["doc"],
        can=Capabilities(**raw["can"]),
        limits=LimitSupport(**raw["limits"]),
        traits=Traits(**raw["traits"]),
        automatic=Automatic(**raw["automatic"]),
        options={o["name"]: option_from(o) for o in raw["options"]},
        aliases=tuple(raw["aliases"]),
        sampled_states=raw["sampled_states"],
        batch=raw["batch"],
    )


@cache
def _default_options(name: str, situation: Situation) -> dict[str, Any]:
    """The defaults of an algorithm's options."""
    return {o.name: o.default_in(situation) for o in algorithms()[name].options.values()}


@cache
def _names() -> dict[str, str]:
    """Every accepted name of an algorithm, and its present one."""
    found = {name: name for name in algorithms()}
    return found | {alias: a.name for a in algorithms().values() for alias in a.aliases}


def canonical_name(name: str) -> str:
    """The present name of an algorithm; an unknown one is returned as it is."""
    return _names().get(name, name)


def traits_of(name: str) -> Traits:
    """How to read the results of an algorithm; those of a game's own player have no traits."""
    found = algorithms().get(name)
    return found.traits if found else Traits()


@cache
def option_owners() -> dict[str, list[str]]:
    """For every option, former names included, the algorithms that have it."""
    owners: dict[str, list[str]] = {}
    for a in algorithms().values():
        for option in a.options.values():
            for name in (option.name, *option.aliases):
                owners.setdefault(name, []).append(a.name)
    return owners


def shared_option(name: str) -> SearchOption:
    """The declaration of an option, for callers that do not know the algorithm yet."""
    return algorithms()[option_owners()[name][0]].options[name]


def _option_hint(name: str, known: Iterable[str]) -> str:
    """The option that `name` may stand for, and which algorithms have it if this one does not."""
    known, owners = list(known), option_owners()
    near = name if name in owners else nearest(name, [*known, *owners])
    if not near or near in known:
        return suggest(name, known)
    having = ", ".join(owners[near])
    return f"supported by: {having}" if near == name else f"did you mean {near!r}? ({having})"


def named(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the options in ``"mcts:simulations=1000,rollout=none"``."""
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for key, value in parse_key_values(rest).items():
        if value is None:
            raise UsageError(
                f"option {key!r} has no value",
                "expected NAME=VALUE, e.g. engine:time=0.1,threads=2",
            )
        options[key] = parse_value(value)
    return canonical_name(name), options


def find(name: Any) -> Algorithm:
    """The algorithm of that name.

    Raises:
        UsageError: There is none.
    """
    if not isinstance(name, str):
        raise UsageError(f"invalid algorithm={name!r}", "expected a name, e.g. 'auto' or 'engine'")
    found = algorithms().get(canonical_name(name))
    if found is None:
        raise UsageError(f"unknown algorithm {name!r}", suggest(name, [*algorithms(), "auto"]))
    return found


def choose(name: str, facts: Facts, *, plain: bool = False) -> tuple[Algorithm, str]:
    """The algorithm of that name, or the one that "auto" takes; and why.

    Args:
        name: An algorithm's name, or "auto".
        facts: What the game is like.
        plain: "auto" takes the textbook algorithm instead of the strongest.

    Raises:
        UsageError: The algorithm is unknown.
        NotSupported: It does not support such a game.
    """
    if name != "auto":
        found = find(name)
        _check_fit(found, facts, algorithms().values())
        return found, REQUESTED
    for a in algorithms().values():
        auto = a.automatic
        wanted = auto.lectures if plain else auto.play
        if wanted and auto.min_players <= facts.players <= auto.max_players and not a.misfit(facts):
            return a, f"chosen for {_kind_of_game(facts)}: {auto.reason}"
    raise NotSupported(f"no algorithm supports {_kind_of_game(facts)}")


def _kind_of_game(facts: Facts) -> str:
    """The facts that determine the choice, in words."""
    if facts.hidden:
        one = "a one-player game" if facts.players == 1 else "a game"
        return f"{one} with hidden information"
    if facts.players > 2:
        return f"a game with {facts.players} players"
    if not duel(facts):
        return "a general-sum game"
    if facts.chance:
        return "a game with chance"
    if facts.players == 1:
        return "a one-player game with perfect information"
    return "a two-player zero-sum game with perfect information"


def _check_fit(a: Algorithm, facts: Facts, others: Iterable[Algorithm], role: str = "") -> None:
    """Refuses an algorithm that cannot play a game of these facts; names `others` that can."""
    if misfit := a.misfit(facts):
        fits = [other.name for other in others if not other.misfit(facts)]
        raise NotSupported(
            f"{role}{a.name} does not support games with {misfit}",
            f"supported by: {', '.join(fits)}" if fits else "",
        )


def check_inner(spec: Algorithm, chosen: Mapping[str, Any], facts: Facts) -> None:
    """An algorithm that an option names must fit the game as it is with nothing hidden."""
    for option in spec.options.values():
        if option.type != "algorithm":
            continue
        known = algorithms()
        if inner := known.get(chosen[option.name]):
            others = [known[name] for name in option.choices if name in known]
            _check_fit(inner, replace(facts, hidden=False), others, f"{option.name}=")


def duel(facts: Facts) -> bool:
    """One player, or a two-player zero-sum game: player 0's value determines the other's."""
    return facts.players == 1 or (facts.players == 2 and facts.zero_sum)


def preferred(game: Any, name: str = "auto") -> str:
    """The algorithm that "auto" stands for in a game that names one (`prefers`); else `name`."""
    return game.prefers or name if name == "auto" else name
