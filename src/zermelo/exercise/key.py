"""An exercise and its key, which zermelo's own search computes."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

from ..errors import UsageError
from ..explicit.numbers import fraction, text_of
from ..explicit.tree import Tree, tree
from ..game import action_label, facts_of
from ..result import Result
from ..search.algorithms import Algorithm, algorithms, choose
from ..search.tracing import cut_reasons
from ..trace import Trace, TraceNode
from ..view.number import Written
from ..view.step_sentences import StepSentences
from .notation import Node, exact_number, read_nodes

PARTS = ("values", "cuts", "order", "move")
ROOT = "root"
Value = float | tuple[float, ...]
Exact = Fraction | tuple[Fraction, ...]
CLOSE = 1e-9  # relative rounding error of a double


def own(v: Any, player: int) -> Any:
    """The value for that player."""
    return v[player] if isinstance(v, tuple) else v if player == 0 else -v


def parts_of(v: Any) -> tuple[Any, ...]:
    """The numbers of a value: one, or one per player."""
    return v if isinstance(v, tuple) else (v,)


def _mean(below: list[tuple[Exact, Fraction]]) -> Exact:
    columns = zip(*(parts_of(v) for v, _ in below), strict=True)
    means = tuple(
        sum((p * x for (_, p), x in zip(below, column, strict=True)), Fraction())
        for column in columns
    )
    return means if isinstance(below[0][0], tuple) else means[0]


def _by_hand(a: Algorithm) -> bool:
    """Whether an algorithm can be done by hand: not random, every node searched once."""
    return a.can.trace and not (a.traits.simulates or a.traits.revisits)


@dataclass(frozen=True)
class Exercise:
    """A tree to search by hand. Nodes are named: `root`, A, B, …; leaves a, b, … left to right.

    A branch is named after the node at its lower end. Everything else is derived from the five
    fields, so an exercise can be sent as text and checked elsewhere.
    """

    tree: str
    algorithm: str = "auto"
    cut: str = "equal"
    requested: tuple[str, ...] = ()
    seed: str = ""

    @cached_property
    def game(self) -> Tree:
        return tree(self.tree)

    @cached_property
    def algorithm_name(self) -> str:
        facts = facts_of(self.game)
        found, _ = choose(self.algorithm, facts, plain=True)
        if not _by_hand(found):
            fits = [a.name for a in algorithms().values() if _by_hand(a) and not a.misfit(facts)]
            raise UsageError(f"exercises do not support {found.name}", "one of: " + ", ".join(fits))
        return found.name

    @cached_property
    def result(self) -> Result:
        from ..search.api import search

        known = algorithms()[self.algorithm_name].options
        # only the cuts of alpha-beta are a question, no other pruning
        wanted = {"cut": self.cut, "pruning": False, "prune": "none"}
        options: dict[str, Any] = {k: v for k, v in wanted.items() if k in known}
        return search(self.game, algorithm=self.algorithm_name, trace=True, **options)

    @cached_property
    def trace(self) -> Trace:
        found = self.result.trace
        if found is None:
            raise UsageError(
                "a single leaf cannot be an exercise", "as in max(min(3 12 8) min(2 4 6))"
            )
        return found

    @cached_property
    def shown(self) -> Trace:
        """The trace for views, with numbers as written in the tree."""
        return show_numbers(self, deepcopy(self.trace))

    @cached_property
    def nodes(self) -> dict[str, TraceNode]:
        """All nodes by name, including those that are cut off."""
        found = {n.label or ROOT: n for n in self.trace.nodes}
        if len(found) < len(self.trace.nodes) or self.trace.truncated:
            raise UsageError(
                "the nodes of this tree have no unique names",
                "use zermelo.exercise.from_tree(text), which names them",
            )
        return found

    @cached_property
    def steps_text(self) -> list[str]:
        """The steps of the search in words."""
        sentences = StepSentences(self.shown)
        return [sentences.describe(event) for event in self.shown.events]

    @property
    def can_cut(self) -> bool:
        return "cut" in algorithms()[self.algorithm_name].options or bool(self.trace.pruned)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The parts of the exercise."""
        if self.requested:
            return tuple(p for p in PARTS if p in self.requested)
        possible = PARTS if self.can_cut else ("values", "move")
        return tuple(p for p in possible if p != "move" or self.trace.nodes[0].player >= 0)

    # -- the key -----------------------------------------------------------------------------
    @cached_property
    def inner(self) -> list[str]:
        """The nodes whose value is a question, from the top, left to right."""
        names = [name for name, n in self.nodes.items() if n.children]
        return sorted(names, key=lambda name: (self.nodes[name].depth, len(name), name))

    @cached_property
    def leaves(self) -> list[str]:
        """From left to right."""
        found: list[str] = []
        todo = [0]
        while todo:
            node = self.trace.nodes[todo.pop()]
            todo += reversed(node.children)
            found += [] if node.children else [node.label]
        return found

    @cached_property
    def branches(self) -> list[str]:
        """The branches that could be cut: every node but the root."""
        return [*(n for n in self.inner if n != ROOT), *self.leaves]

    @cached_property
    def order(self) -> list[str]:
        """The leaves in the order in which they are visited."""
        return [n.label for n in self.trace.leaves]

    @cached_property
    def cuts(self) -> list[str]:
        """The cut branches, topmost nodes only."""
        return [n.label for n in self.trace.pruned]

    @cached_property
    def moves(self) -> list[str]:
        """The right moves at the root; any of several equally good ones is right."""
        root = self.nodes[ROOT]
        if root.player < 0:
            return []
        names = [self.trace.nodes[c].label for c in root.children]
        if self.trace.against is not None:  # the others play against this player
            return [name for name in names if self._seems_best(name)]
        worth = {name: own(self.exact_values[name], root.player) for name in names}
        most = max(worth.values())
        return [name for name in names if worth[name] == most]

    def _seems_best(self, name: str) -> bool:
        """Whether the child is the choice of the search, or exactly as good."""
        if name == action_label(self.game, self.result.action):
            return True
        if not self.visited(name) or self.nodes[name].kind != "exact":
            return False
        player = self.nodes[ROOT].player
        return bool(own(self.value_of(name), player) == own(self.value_of(ROOT), player))

    def value_of(self, name: str) -> Value:
        """The value at the node when the search is over, which may be a bound (see its kind)."""
        node = self.nodes[name]
        several = getattr(node, "values", ())
        if several:
            return tuple(several)
        assert node.value is not None
        return node.value

    # -- numbers as they are written -------------------------------------------------------------
    @cached_property
    def written(self) -> dict[str, Node]:
        """The nodes of the text by name."""
        return {n.name or ROOT: n for n in read_nodes(self.tree).walk()}

    @cached_property
    def leaf_numbers(self) -> dict[float, tuple[Fraction, str]]:
        """The numbers of the leaves, exact and as text, by the double that the search uses."""
        found: dict[float, tuple[Fraction, str]] = {}
        for name in self.leaves:
            doubles = parts_of(self.value_of(name))
            for double, text in zip(doubles, self.written[name].leaf, strict=True):
                exact = exact_number(text)
                known, other = found.setdefault(double, (exact, text))
                if known != exact:
                    raise UsageError(
                        f"the numbers {text} and {other} are equal as floats",
                        "floats have about 16 digits: use fewer digits",
                    )
        return found

    def check_numbers(self) -> None:
        """Refuse leaves that doubles do not distinguish or order correctly."""
        by_size = sorted((exact, double) for double, (exact, _) in self.leaf_numbers.items())
        for (one, low), (other, high) in pairwise(by_size):
            if one == other or low >= high:
                texts = [self.leaf_numbers[double][1] for double in (low, high)]
                raise UsageError(
                    f"{texts[0]} and {texts[1]} change their order when rounded to floats",
                    "write both in the same way",
                )
        for node in self.written.values():
            if node.odds:
                exact_number(node.odds)

    @cached_property
    def exact_values(self) -> dict[str, Exact]:
        """The exact value of every node, also of those that are not visited."""
        worth: list[Exact] = [Fraction()] * len(self.trace.nodes)
        for n in reversed(self.trace.nodes):  # children come after their parents
            below = [(worth[c], self.odds_of(c)) for c in n.children]
            if not below:
                texts = self.written[n.label].leaf
                exact = tuple(map(exact_number, texts))
                worth[n.id] = exact if len(exact) > 1 else exact[0]
            elif n.player < 0:
                worth[n.id] = _mean(below)
            else:
                worth[n.id] = max((v for v, _ in below), key=lambda v: own(v, n.player))
        return {n.label or ROOT: worth[n.id] for n in self.trace.nodes}

    def odds_of(self, node: int) -> Fraction:
        """The probability of this child; 1 for a move of a player."""
        n = self.trace.nodes[node]
        if n.parent is None or self.trace.nodes[n.parent].player >= 0:
            return Fraction(1)
        text = self.written[n.label].odds
        return exact_number(text) if text else Fraction(
            1, len(self.trace.nodes[n.parent].children))  # fmt: skip

    def numbers_of(self, name: str) -> tuple[tuple[Fraction, str], ...]:
        """The value of a node, exact and as text: one pair, or one per player."""
        doubles = parts_of(self.value_of(name))
        exact = parts_of(self.exact_values[name])
        if not self.nodes[name].children:
            return tuple(zip(exact, self.written[name].leaf, strict=True))
        if len(exact) != len(doubles):
            exact = tuple(map(Fraction, doubles))
        return tuple(map(self._number, doubles, exact))

    def _number(self, double: float, exact: Fraction) -> tuple[Fraction, str]:
        """The exact number behind a double: that of a leaf, or the value of the node."""
        if double in self.leaf_numbers:
            return self.leaf_numbers[double]
        if abs(exact - Fraction(double)) > CLOSE * abs(exact):
            exact = fraction(repr(double))
        return exact, text_of(exact)

    @cached_property
    def numbers(self) -> list[Fraction]:
        """All values of the tree in ascending order; an answer must not match another one."""
        every = (parts_of(v) for v in self.exact_values.values())
        return sorted(set(chain.from_iterable(every)))

    @cached_property
    def flipped(self) -> Exercise:
        """The same exercise with the other convention."""
        return replace(self, cut="strict" if self.cut == "equal" else "equal")

    def visited(self, name: str) -> bool:
        return self.nodes[name].status == "visited"

    def to_json(self) -> dict[str, Any]:
        """The fields from which the exercise is recreated, without the key."""
        return {
            "tree": self.tree,
            "algorithm": self.algorithm,
            "cut": self.cut,
            "requested": list(self.requested),
            "seed": self.seed,
        }

    def _repr_html_(self) -> str:
        from .sheet import exercise_html

        return exercise_html(self)


def show_numbers(exercise: Exercise, trace: Trace) -> Trace:
    """Replace the numbers of a trace by `Written` ones, which views show as in the tree."""
    texts = {double: text for double, (_, text) in exercise.leaf_numbers.items()}
    for name in exercise.inner:
        if exercise.visited(name):
            doubles = parts_of(exercise.value_of(name))
            for double, (_, text) in zip(doubles, exercise.numbers_of(name), strict=True):
                texts.setdefault(double, text)

    def one(x: float | None) -> float | None:
        return Written(x, texts[x]) if x in texts else x

    for node in trace.nodes:
        source = exercise.written[node.label or ROOT]
        node.value, node.alpha, node.beta = one(node.value), one(node.alpha), one(node.beta)
        node.values = tuple(one(x) or 0.0 for x in node.values)
        if (
            not node.children and node.value is not None
        ):  # two leaves may write the same number differently
            node.value = Written(node.value, source.leaf[0])
            node.values = tuple(map(Written, node.values, source.leaf))
        if node.probability is not None and source.odds:
            node.probability = Written(node.probability, source.odds)
    for event in trace.events:
        event.value, event.low, event.high = one(event.value), one(event.low), one(event.high)
        event.alpha, event.beta = one(event.alpha), one(event.beta)
        event.values = tuple(one(x) or 0.0 for x in event.values)
        if event.kind == "leaf":
            event.value, event.values = (
                trace.nodes[event.node].value,
                trace.nodes[event.node].values,
            )
    cut_reasons(trace, exercise.cut == "strict")
    return trace
