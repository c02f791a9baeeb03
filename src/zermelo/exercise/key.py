"""An exercise and its key, which comes out of the product's own search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from ..algorithms import algorithms, choose
from ..errors import UsageError
from ..game import facts_of
from ..result import Result
from ..trace import Trace, TraceNode
from ..tree import Tree, tree
from ..view.steps_text import Words

PARTS = ("values", "cuts", "order", "move")
ROOT = "root"
Value = float | tuple[float, ...]


def players_of(movers: Iterable[int]) -> int:
    return max(movers, default=0) + 1


def own(v: Value, player: int) -> float:
    """What it is worth to that player."""
    return v[player] if isinstance(v, tuple) else v if player == 0 else -v


def _mean(below: list[tuple[Value, float | None]]) -> Value:
    odds = [p or 1 / len(below) for _, p in below]
    if all(isinstance(v, tuple) for v, _ in below):
        columns = zip(*(v for v, _ in below if isinstance(v, tuple)), strict=True)
        return tuple(sum(p * x for p, x in zip(odds, column, strict=True)) for column in columns)
    return sum(p * v for p, (v, _) in zip(odds, below, strict=True) if isinstance(v, float))


@dataclass(frozen=True)
class Exercise:
    """A tree to search by hand. Nodes are named: `root`, A, B, …; leaves a, b, … left to right.

    A branch is named after the node at its lower end. Everything else follows from the five
    fields, so that an exercise can be sent as text and checked elsewhere.
    """

    tree: str
    algorithm: str = "auto"
    cut: Literal["equal", "strict"] = "equal"
    asked: tuple[str, ...] = ()
    seed: str = ""

    @cached_property
    def game(self) -> Tree:
        return tree(self.tree)

    @cached_property
    def algorithm_name(self) -> str:
        found, _ = choose(self.algorithm, facts_of(self.game), plain=True)
        if not found.traces:
            fits = [a.name for a in algorithms().values()
                    if a.traces and not a.misfit(facts_of(self.game))]  # fmt: skip
            raise UsageError(f"{found.name} keeps no trace to learn from", ", ".join(fits))
        return found.name

    @cached_property
    def result(self) -> Result:
        from ..search import search

        known = algorithms()[self.algorithm_name].options
        # of what a search may leave out only alpha-beta's cuts are asked
        wanted = {"cut": self.cut, "pruning": False, "prune": "none"}
        options: dict[str, Any] = {k: v for k, v in wanted.items() if k in known}
        return search(self.game, algorithm=self.algorithm_name, trace=True, **options)

    @cached_property
    def trace(self) -> Trace:
        found = self.result.trace
        if found is None:
            raise UsageError("a single leaf is no exercise", "as in max(min(3 12 8) min(2 4 6))")
        return found

    @cached_property
    def nodes(self) -> dict[str, TraceNode]:
        """By name, those that were cut off too."""
        found = {n.label or ROOT: n for n in self.trace.nodes}
        if len(found) < len(self.trace.nodes) or self.trace.truncated:
            raise UsageError(
                "the nodes of this tree have no names of their own",
                "zermelo.exercise.from_tree(text) gives them some",
            )
        return found

    @cached_property
    def told(self) -> list[str]:
        """The search's steps in words."""
        words = Words(self.trace)
        return [words.tell(event) for event in self.trace.events]

    @property
    def can_cut(self) -> bool:
        return "cut" in algorithms()[self.algorithm_name].options or bool(self.trace.pruned)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What is asked."""
        if self.asked:
            return tuple(p for p in PARTS if p in self.asked)
        possible = PARTS if self.can_cut else ("values", "move")
        return tuple(p for p in possible if p != "move" or self.trace.nodes[0].player >= 0)

    # -- the key -----------------------------------------------------------------------------
    @cached_property
    def inner(self) -> list[str]:
        """The nodes whose value is asked, as they are read: from the top, left to right."""
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
        """All that could be cut: every node but the root."""
        return [*(n for n in self.inner if n != ROOT), *self.leaves]

    @cached_property
    def order(self) -> list[str]:
        """The leaves in the order in which they are looked at."""
        return [n.label for n in self.trace.leaves]

    @cached_property
    def cuts(self) -> list[str]:
        """The branches that are cut: the topmost ones."""
        return [n.label for n in self.trace.pruned]

    @cached_property
    def moves(self) -> list[str]:
        """The moves that are right at the root: of all that are equally good, any."""
        root = self.nodes[ROOT]
        if root.player < 0:
            return []
        exact = self.exact_values
        kids = {self.trace.nodes[c].label: exact[self.trace.nodes[c].label] for c in root.children}
        most = max(own(v, root.player) for v in kids.values())
        return [name for name, v in kids.items() if own(v, root.player) == most]

    def value_of(self, name: str) -> Value:
        """What stands at the node when the search is over: a value, or a bound (see its kind)."""
        node = self.nodes[name]
        several = getattr(node, "values", ())
        if several:
            return tuple(several)
        assert node.value is not None
        return node.value

    @cached_property
    def exact_values(self) -> dict[str, Value]:
        """What every node is worth, those that no search looks at too."""
        worth: list[Value] = [0.0] * len(self.trace.nodes)
        for n in reversed(self.trace.nodes):  # children come after their parents
            below = [(worth[c], self.trace.nodes[c].probability) for c in n.children]
            if not below:
                worth[n.id] = self.value_of(n.label)
            elif n.player < 0:
                worth[n.id] = _mean(below)
            else:
                worth[n.id] = max((v for v, _ in below), key=lambda v: own(v, n.player))
        return {n.label or ROOT: worth[n.id] for n in self.trace.nodes}

    @cached_property
    def flipped(self) -> Exercise:
        """The same by the other convention."""
        return replace(self, cut="strict" if self.cut == "equal" else "equal")

    def visited(self, name: str) -> bool:
        return self.nodes[name].status == "visited"

    def to_json(self) -> dict[str, Any]:
        """All that is needed to make it again; the key is not in it."""
        return {
            "tree": self.tree,
            "algorithm": self.algorithm,
            "cut": self.cut,
            "asked": list(self.asked),
            "seed": self.seed,
        }

    def _repr_html_(self) -> str:
        from .sheet import exercise_html

        return exercise_html(self)
