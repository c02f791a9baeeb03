"""Checks an answer against the key, step by step as the search goes, and says what is wrong first.

An answer is plain data, every part as a person would write it::

    {"values": {"root": 3, "B": "<=2", "C": "never"}, "cuts": ["e", "f"],
     "order": "a b c d", "move": "A"}

The value of a node that was cut, or that rests on one, is a bound: `<=2`, `≤2`, `at most 2` and `2`
are all right, `>=2` is not. A node that was never visited is `never`, `-` or `x`, and may stay
empty if a branch above it was struck out. Striking out what hangs below a branch that is struck out
adds nothing and is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import UsageError, suggest
from ..trace import TraceNode
from ..view.folding import many_players
from ..view.number import SIGNS, number
from ..view.trace_text import plain, player_name
from .key import PARTS, ROOT, Exercise
from .values import exactly, is_blank, says_never, value_is_right


@dataclass(frozen=True, slots=True)
class Slip:
    """Something wrong. `step`: of the search, from 1; after its end: one more than it has."""

    step: int
    part: str
    node: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"step": self.step, "part": self.part, "node": self.node, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Marks:
    """What an answer is worth: `score` from 0 to 1, the mean of its parts'."""

    score: float
    parts: dict[str, float]
    slips: list[Slip]  # in the order of the search

    @property
    def right(self) -> bool:
        return not self.slips

    @property
    def first(self) -> Slip | None:
        return self.slips[0] if self.slips else None

    def to_json(self, every: bool = False) -> dict[str, Any]:
        """The first slip only, unless all are wanted: the rest may follow from it."""
        shown = self.slips if every else self.slips[:1]
        return {"right": self.right, "score": self.score, "parts": self.parts,
                "slips": [s.to_json() for s in shown]}  # fmt: skip


@dataclass(slots=True)
class Answer:
    """An answer as it was read."""

    values: dict[str, Any] = field(default_factory=dict)
    cuts: set[str] = field(default_factory=set)
    order: list[str] = field(default_factory=list)
    move: str = ""
    struck: set[str] = field(default_factory=set)  # the cut branches and all below them
    silent: bool = False  # says nothing of cuts, not even that there are none


# -- reading ---------------------------------------------------------------------------------
def read(exercise: Exercise, given: Mapping[str, Any]) -> Answer:
    """The answer; an error where it names what is not there."""
    _check_exercise(exercise)
    if not isinstance(given, Mapping):
        raise UsageError(
            "an answer must be an object with values, cuts, order and move", "see docs/exercises.md"
        )
    for name in given:
        if name not in PARTS:
            raise UsageError(f"unknown part {name!r} of an answer", suggest(str(name), PARTS))
    values = given.get("values") or {}
    if not isinstance(values, Mapping):
        raise UsageError(
            "values must be an object with one entry per node", 'e.g. {"A": 3, "B": "<=2"}'
        )
    answer = Answer(values={_known(n, exercise.inner): v for n, v in values.items()})
    answer.silent = given.get("cuts") is None
    answer.cuts = {_known(n, exercise.branches) for n in _words(given.get("cuts"), exercise)}
    answer.struck = {
        name for name in exercise.branches if answer.cuts.intersection(_above(exercise, name))
    }
    answer.order = _leaves(exercise, _words(given.get("order"), exercise))
    move = given.get("move")
    if move is not None and not isinstance(move, str):
        raise UsageError("move must be the name of a child of the root", 'e.g. "A"')
    answer.move = (move or "").strip()
    return answer


def _above(exercise: Exercise, name: str) -> list[str]:
    """The node itself and those above it."""
    found = []
    node: TraceNode | None = exercise.nodes[name]
    while node is not None:
        found.append(node.label or ROOT)
        node = None if node.parent is None else exercise.trace.nodes[node.parent]
    return found


def _known(name: object, among: list[str]) -> str:
    if isinstance(name, str) and name.strip() in among:
        return name.strip()
    shown = str(name)[:20]
    raise UsageError(f"this tree has no node {shown!r}", suggest(shown, among))


def _words(given: Any, exercise: Exercise) -> list[str]:
    """Names separated by blanks or commas, or a list of them."""
    if given is None:
        return []
    if isinstance(given, str):
        given = re.split(r"[\s,;]+", given.strip()) if given.strip() else []
    if not isinstance(given, (list, tuple, set, frozenset)) or len(given) > 4 * len(exercise.nodes):
        raise UsageError("cuts and order must be lists of names", 'e.g. ["a", "b"] or "a b"')
    if not all(isinstance(w, (str, int, float)) and not isinstance(w, bool) for w in given):
        raise UsageError("cuts and order must be lists of names", 'e.g. ["a", "b"] or "a b"')
    return [str(w).strip() for w in given]


def _leaves(exercise: Exercise, words: list[str]) -> list[str]:
    """Leaves by name, or by value where no two are alike."""
    if len(words) == 1 and len(words[0]) > 1 and set(words[0]) <= set(exercise.leaves):
        words = list(words[0])  # "abc"
    by_value = {exercise.exact_values[name]: name for name in exercise.leaves}
    if len(by_value) == len(exercise.leaves):
        words = [by_value.get(exactly(w), w) if w not in exercise.leaves else w for w in words]
    return [_known(w, exercise.leaves) for w in words]


# -- checking --------------------------------------------------------------------------------
class Checker:
    """Goes through the search's steps with the answer in hand."""

    def __init__(self, exercise: Exercise, answer: Answer) -> None:
        self.exercise, self.answer = exercise, answer
        self.trace = exercise.shown
        self.slips: list[Slip] = []
        self.best: dict[int, float | None] = {}  # of the open nodes, so far
        self.looked = 0  # leaves so far
        self.in_order = True

    def run(self) -> list[Slip]:
        for step, event in enumerate(self.trace.events, 1):
            node = self.trace.nodes[event.node]
            told = self.exercise.steps_text[step - 1]
            if event.kind == "enter":
                self.come_to(step, node)
            elif event.kind == "leaf":
                self.leaf(step, node)
            elif event.kind == "backup":
                self.best[node.id] = event.value
            elif event.kind == "cut":
                self.cut(step, node, told)
            elif event.kind == "leave":
                self.value(step, node, told)
        self.end(len(self.trace.events) + 1)
        return self.slips

    def slip(self, step: int, part: str, node: str, reason: str) -> None:
        if part in self.exercise.parts:
            self.slips.append(Slip(step, part, node, reason))

    def come_to(self, step: int, node: TraceNode) -> None:
        if node.label in self.answer.cuts:
            self.slip(step, "cuts", node.label, why_not_cut(self.exercise, node, self.best))

    def leaf(self, step: int, node: TraceNode) -> None:
        order = self.answer.order
        if self.in_order and (self.looked >= len(order) or order[self.looked] != node.label):
            self.in_order = False
            wrote = (
                f"not {order[self.looked]}"
                if self.looked < len(order)
                else "but your list ends there"
            )
            told = f"leaf {self.looked + 1} in search order is {node.label}, {wrote}"
            self.slip(step, "order", node.label, told)
        self.looked += 1

    def cut(self, step: int, node: TraceNode, told: str) -> None:
        cut = [self.trace.nodes[c] for c in node.children
               if self.trace.nodes[c].status == "pruned"]  # fmt: skip
        missing = [n.label for n in cut if n.label not in self.answer.cuts]
        if missing:
            self.slip(step, "cuts", missing[0], f"{', '.join(missing)} should be cut. {told}")
        while cut:
            below = cut.pop(0)
            cut += [self.trace.nodes[c] for c in below.children]
            given = self.answer.values.get(below.label)
            silent = is_blank(given) and below.label in self.answer.struck
            if below.children and not silent and not says_never(given):
                self.slip(step, "values", below.label, f"{below.label} is never visited. {told}")

    def value(self, step: int, node: TraceNode, told: str) -> None:
        name = node.label or ROOT
        given = self.answer.values.get(name)
        if value_is_right(self.exercise, name, given):
            return
        wrote = (
            f"you wrote {plain(str(given)[:30])}" if not is_blank(given) else "you gave no value"
        )
        self.slip(step, "values", name, f"{told}; {wrote}")

    def end(self, step: int) -> None:
        if self.answer.silent and not self.exercise.cuts:
            self.slip(step, "cuts", ROOT, "nothing is cut, but your answer does not say so")
        if self.in_order and self.looked < len(self.answer.order):
            extra = self.answer.order[self.looked]
            told = f"after {self.looked} leaves the search is over; {extra} is not visited again"
            if not self.exercise.visited(extra):
                told = f"{extra} is never visited"
            self.slip(step, "order", extra, told)
        moves = self.exercise.moves
        if self.answer.move not in moves:
            wrote = (
                f"not {plain(self.answer.move[:20])}"
                if self.answer.move
                else "but you chose no move"
            )
            root = self.trace.nodes[0]
            who = player_name(root.player, many_players(self.trace))
            told = f"{who} at the root moves to {' or '.join(moves)}, {wrote}"
            self.slip(step, "move", ROOT, told)


def why_not_cut(exercise: Exercise, node: TraceNode, best: Mapping[int, float | None]) -> str:
    """Why the search does look at this node."""
    if not exercise.can_cut:
        return f"{node.label} is not cut: {exercise.algorithm_name} visits every branch"
    assert node.parent is not None
    parent = exercise.shown.nodes[node.parent]
    who = f"{player_name(parent.player, False)} at {parent.label or 'the root'}"
    so_far = best.get(parent.id)
    if so_far is None:
        return f"{node.label} is not cut: it is the first branch of {who}, so there is no bound yet"
    strict = exercise.cut == "strict"
    if parent.player == 0:
        name, limit, sign = "β", parent.beta, ">" if strict else "≥"
    else:
        name, limit, sign = "α", parent.alpha, "<" if strict else "≤"
    return (
        f"{node.label} is not cut: {who} has {number(so_far)} so far and {name} is "
        f"{number(limit)}; it cuts only when its value {sign} {name}"
    )


def check(exercise: Exercise, given: Mapping[str, Any]) -> Marks:
    """What the answer is worth, and what is wrong, the first wrong step first."""
    answer = read(exercise, given)
    slips = Checker(exercise, answer).run()
    parts = {part: SCORES[part](exercise, answer, slips) for part in exercise.parts}
    score = sum(parts.values()) / len(parts) if parts else 1.0
    return Marks(score, parts, slips)


def _score_values(exercise: Exercise, answer: Answer, slips: list[Slip]) -> float:
    wrong = sum(s.part == "values" for s in slips)
    return 1 - wrong / len(exercise.inner)


def penalty(cuts: int, others: int) -> float:
    """What a branch wrongly struck out costs: striking out everything must earn nothing."""
    return 1 / max(1, min(cuts, others)) if cuts else 1.0


def _score_cuts(exercise: Exercise, answer: Answer, slips: list[Slip]) -> float:
    if answer.silent:
        return 0.0
    key = exercise.cuts
    others = [b for b in exercise.branches if exercise.visited(b)]
    wrong = penalty(len(key), len(others)) * sum(b in answer.cuts for b in others)
    right = sum(c in answer.cuts for c in key) / len(key) if key else 1.0
    return max(0.0, right - wrong)


def _score_order(exercise: Exercise, answer: Answer, slips: list[Slip]) -> float:
    same = 0
    for mine, right in zip(answer.order, exercise.order, strict=False):
        if mine != right:
            break
        same += 1
    return same / max(len(answer.order), len(exercise.order), 1)


def _score_move(exercise: Exercise, answer: Answer, slips: list[Slip]) -> float:
    return float(answer.move in exercise.moves)


SCORES = {
    "values": _score_values,
    "cuts": _score_cuts,
    "order": _score_order,
    "move": _score_move,
}


def _check_exercise(given: Any) -> None:
    if not hasattr(given, "inner"):
        raise UsageError(
            f"{given!r} is not an exercise", "use make(recipe, seed) or from_tree(text)"
        )


def answer_of(exercise: Exercise) -> dict[str, Any]:
    """The right answer, as a student would write it."""
    _check_exercise(exercise)
    values = {}
    for name in exercise.inner:
        if not exercise.visited(name):
            values[name] = "never"
            continue
        texts = [text for _, text in exercise.numbers_of(name)]
        sign = SIGNS.get(exercise.nodes[name].kind, "").replace("≈", "")
        values[name] = f"({', '.join(texts)})" if len(texts) > 1 else sign + texts[0]
    full = {
        "values": values,
        "cuts": list(exercise.cuts),
        "order": list(exercise.order),
        "move": exercise.moves[0] if exercise.moves else "",
    }
    return {part: full[part] for part in exercise.parts}
