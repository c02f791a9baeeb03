"""Grades a student's search function by the nodes that it visits, not only by its answer.

The function gets trees as games (initial, player, actions, result, is_terminal, utility), and the
calls are recorded: ``actions(s)`` expands a state, ``utility(s, p)`` visits a leaf. The order must
be that of the search. The function runs in a process with limits, because it may hang or crash;
the trees and the record of visits stay in this process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..files import is_file
from ..search.algorithms import algorithms
from ..view.number import number
from .checking import why_not_cut
from .key import ROOT, Exercise
from .recipe import Recipe, make
from .student import Process, Report

ANSWER_ONLY = 0.25  # share of the mark for a right answer with wrong visits
TRIES = 300  # to find a tree that reveals mistakes


@dataclass(frozen=True, slots=True)
class Case:
    """One tree, and what the function did with it."""

    exercise: Exercise
    score: float
    reason: str  # "" if all is right
    visits: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        return self.score == 1


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of a function: all cases."""

    name: str
    algorithm: str
    cut: str
    cases: list[Case]
    failed: str = ""  # why the function could not be run

    @property
    def right(self) -> bool:
        return not self.failed and all(c.right for c in self.cases)

    @property
    def score(self) -> float:
        """From 0 to 1."""
        if self.failed or not self.cases:
            return 0.0
        return sum(c.score for c in self.cases) / len(self.cases)

    def to_json(self) -> dict[str, Any]:
        return {
            "function": self.name, "algorithm": self.algorithm, "cut": self.cut,
            "right": self.right, "score": self.score, "failed": self.failed,
            "cases": [{"tree": c.exercise.tree, "score": c.score, "reason": c.reason,
                       "visits": c.visits} for c in self.cases],
        }  # fmt: skip

    def gradescope(self, points: float = 100.0) -> dict[str, Any]:
        """Gradescope's results.json."""
        if self.failed or not self.cases:
            test = {"name": self.name, "score": 0.0, "max_score": points, "status": "failed",
                    "output": self.failed}  # fmt: skip
            return {"output": self.failed, "tests": [test]}
        each = points / len(self.cases)
        tests = [
            {
                "name": f"tree {i}",
                "score": round(each * c.score, 4),
                "max_score": round(each, 4),
                "status": "passed" if c.right else "failed",
                "output": f"{c.exercise.tree}\n{c.reason or 'right'}",
            }
            for i, c in enumerate(self.cases, 1)
        ]
        return {"output": str(self), "tests": tests, "score": round(points * self.score, 4)}

    def __str__(self) -> str:
        if self.failed:
            return f"{self.name}: {self.failed}"
        right = sum(c.right for c in self.cases)
        text = f"{self.name}: {right} of {len(self.cases)} trees right, score {self.score:.2f}"
        wrong = [c for c in self.cases if not c.right]
        if not wrong:
            return text
        c = min(wrong, key=lambda c: len(c.exercise.leaves))  # the smallest is easiest to follow
        return f"{text}\nfirst wrong tree: {c.exercise.tree}\n{c.reason}"


# -- judging ---------------------------------------------------------------------------------
def visits_of(exercise: Exercise) -> list[str]:
    """The states in the order in which the search visits them."""
    nodes = exercise.trace.nodes
    return [nodes[e.node].label or ROOT for e in exercise.trace.events if e.kind == "enter"]


def judge(exercise: Exercise, did: Report) -> Case:
    """The mark of a run on this tree, and its first mistake."""
    visits = did.visits
    if did.error:
        after = f" after {len(visits)} visits, the last {visits[-1]}" if visits else ""
        return Case(exercise, 0.0, f"{did.error}{after}", visits)
    answer = _answer_slip(exercise, did.answer)
    visit = _visit_slip(exercise, visits)
    if not visit:
        return Case(exercise, 0.5 if answer else 1.0, answer, visits)
    return Case(exercise, 0.0 if answer else ANSWER_ONLY, visit + (f"; {answer}" if answer else ""),
                visits)  # fmt: skip


def _answer_slip(exercise: Exercise, answer: list[Any]) -> str:
    """The mistake in the returned value, move, or both in any order; "" if there is none."""
    values = [x for x in answer if isinstance(x, float)]
    moves = [x for x in answer if isinstance(x, str)]
    right = exercise.value_of(ROOT)
    assert isinstance(right, float)
    if not values and not moves:
        return "it returned neither the value nor the move"
    if len(values) > 1 or len(moves) > 1:
        return "it returned more than a value and a move"
    if values and not abs(values[0] - right) <= 1e-9:  # NaN is not close to anything
        return f"it returned the value {number(values[0])}; the correct value is {number(right)}"
    if moves and moves[0] not in exercise.moves:
        return (
            f"it returned the move {moves[0][:20]}; the best move is {' or '.join(exercise.moves)}"
        )
    return ""


def _visit_slip(exercise: Exercise, visits: list[str]) -> str:
    """The first wrong visit, with the text of the search; "" if there is none."""
    right = visits_of(exercise)
    at = next((i for i, (a, b) in enumerate(zip(visits, right, strict=False)) if a != b),
              min(len(visits), len(right)))  # fmt: skip
    if at == len(visits) == len(right):
        return ""
    place = f"visit {at + 1}: "
    other = _other_convention(exercise, visits)
    if at == len(visits):
        return place + _left_out(exercise, right, at, "it stops here") + other
    came = visits[at]
    if came in visits[:at]:
        next_ = f"next is {right[at]}" if at < len(right) else "the search is over"
        return f"{place}it visits {came} again; {next_}"
    if not exercise.visited(came):
        return f"{place}it visits {came}, which is cut. {_cut_words(exercise, came)}{other}"
    return place + _left_out(exercise, right, at, f"it visits {came}") + other


def _left_out(exercise: Exercise, right: list[str], at: int, did: str) -> str:
    """The text for a node that should have been visited; often the function cut too early."""
    name = right[at]
    node = exercise.nodes[name]
    if node.parent is None:
        return f"{did}; it should visit the root first"
    best: dict[int, float | None] = {}
    for event in exercise.trace.events:
        if event.kind == "enter" and event.node == node.id:
            break
        if event.kind == "backup":
            best[event.node] = event.value
    return f"{did}; it should visit {name}: {why_not_cut(exercise, node, best)}"


def _cut_words(exercise: Exercise, name: str) -> str:
    """The step that cut off this node, in words."""
    node = exercise.nodes[name]
    while node.parent is not None and exercise.trace.nodes[node.parent].status == "pruned":
        node = exercise.trace.nodes[node.parent]
    for event, text in zip(exercise.trace.events, exercise.steps_text, strict=True):
        if event.kind == "cut" and event.node == node.parent:
            return text
    return ""


def _other_convention(exercise: Exercise, visits: list[str]) -> str:
    """A hint if the function is right by the other cut-off convention."""
    if not exercise.can_cut:
        return ""
    other = exercise.flipped
    if visits_of(other) != visits:
        return ""
    return f" (this is the order for cut={other.cut}; the exercise asks for cut={exercise.cut})"


def trees(cases: int, algorithm: str, cut: str, seed: str) -> list[Exercise]:
    """Test trees: small ones first, MAX and MIN at the root, ties that show the convention."""
    shapes = [
        Recipe(2, (2, 3)), Recipe(2, (3, 3), ties=True, values=(0, 5)), Recipe(3, (2, 2)),
        Recipe(3, (2, 3), root="min"), Recipe(3, (2, 3), ties=True, values=(-3, 3)),
        Recipe(4, (2, 2), root="min", values=(-40, 40)), Recipe(4, (1, 3), values=(-60, 60)),
        Recipe(5, (2, 2), ties=True, values=(-5, 5)),
    ]  # fmt: skip
    made = []
    for i in range(cases):
        shape = shapes[i % len(shapes)]
        recipe = replace(shape, algorithm=algorithm, cut=cut)
        for k in range(TRIES):
            found = make(recipe, f"{seed}/{i}/{k}")
            if _reveals_mistakes(found, shape.ties):
                break
        made.append(found)
    return made


def _reveals_mistakes(exercise: Exercise, ties: bool) -> bool:
    """Whether a search without cuts, or with the other convention, fails on the tree."""
    if not exercise.can_cut:
        return True
    if not exercise.cuts:
        return False
    return not ties or visits_of(exercise.flipped) != visits_of(exercise)


def grade(
    path: str | Path,
    name: str = "alphabeta",
    *,
    cases: int = 40,
    algorithm: str = "alphabeta",
    cut: str = "equal",
    seed: str = "grade",
    seconds: float = 2.0,
    megabytes: int = 1024,
    progress: Callable[[int], object] | None = None,
) -> Grade:
    """Run the function ``name`` of a file on `cases` trees and compare its visits with the search.

    The function is called as f(game, state), f(state, game) or f(game) and returns the value, the
    move, or both. `seconds` is the limit per tree.
    """
    path = Path(path)
    if not is_file(path):
        raise UsageError(
            f"the file {path} does not exist",
            "expected FILE.py:FUNCTION, e.g. student.py:alphabeta",
        )
    if not isinstance(name, str) or not name.isidentifier():
        raise UsageError(
            f"{name!r} is not the name of a function",
            "expected FILE.py:FUNCTION, e.g. student.py:alphabeta",
        )
    for what, value, least, most in (("cases", cases, 1, 10_000), ("seconds", seconds, 0.01, 600),
                                     ("megabytes", megabytes, 64, 1 << 20)):  # fmt: skip
        if not least <= value <= most:
            raise UsageError(f"invalid {what}={value}", f"expected {least} to {most}")
    known = algorithms()
    fit = [
        a.name for a in known.values() if a.can.trace and not (a.can.chance or a.can.many_players)
    ]
    if algorithm in known and algorithm not in fit:
        raise UsageError(f"{algorithm} functions cannot be graded", "one of: " + ", ".join(fit))
    exercises = trees(cases, algorithm, cut, seed)
    process = Process(path.resolve(), name, seconds, megabytes, cases)
    done: list[Case] = []
    try:
        if failed := process.start():
            return Grade(name, algorithm, cut, [], failed)
        for i, exercise in enumerate(exercises):
            done.append(judge(exercise, process.ask(exercise)))
            if progress is not None:
                progress(i + 1)
    finally:
        process.stop()
    return Grade(name, algorithm, cut, done)
