"""Grades by the trace: right functions pass, wrong ones are told where, hanging ones stopped."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import UsageError
from zermelo.exercise import from_tree
from zermelo.exercise.grading import Grade, grade, judge, trees, visits_of
from zermelo.exercise.student import Report
from zermelo.search.algorithms import algorithms
from zermelo.ui.cli import main as cli

STUDENT = '''
from math import inf
import helper  # a module of the student's own, beside the file

def search(game, state, cuts=lambda best, limit: best >= limit, window=True, off=0):
    """(value, move); cuts: when to stop; window: are alpha and beta handed down?"""
    def value(s, alpha, beta):
        if game.is_terminal(s):
            return game.utility(s, 0), None
        me = 1 if game.player(s) == 0 else -1
        best, move = -me * inf, None
        for a in game.actions(s):
            v, _ = value(game.result(s, a), *((alpha, beta) if window else (-inf, inf)))
            if move is None or me * v > me * best:
                best, move = v, a
            if me > 0 and cuts(best, beta) or me < 0 and cuts(-best, -alpha):
                break
            if me > 0:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best, move
    v, move = value(state, -inf, inf)
    return v + off, move

def alphabeta(game, state):
    print("what it prints disturbs nothing")
    return search(game, state)

def by_number(game, state, alpha=-inf, beta=inf):
    """Asks for the actions anew for every child, as beginners do."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    me = 1 if game.player(state) == 0 else -1
    best = -me * inf
    for i in range(len(game.actions(state))):
        child = game.result(state, game.actions(state)[i])
        v = by_number(game, child, alpha, beta)
        best = max(best, v) if me > 0 else min(best, v)
        if (best >= beta if me > 0 else best <= alpha):
            return best
        alpha, beta = (max(alpha, best), beta) if me > 0 else (alpha, min(beta, best))
    return best

def negamax(game, state, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, 0)
    def value(s, alpha, beta, mover):
        if game.is_terminal(s):
            return game.utility(s, mover)
        best = -inf
        for a in game.actions(s):
            best = max(best, -value(game.result(s, a), -beta, -max(alpha, best), 1 - mover))
            if best >= beta:
                break
        return best
    me = game.player(state)
    return value(state, -inf, inf, me) * (1 if me == 0 else -1)

def value_only(game):
    return search(game, game.initial())[0]

def move_only(state, game):
    return search(game, state)[1]

def recursive(game, state, alpha, beta):
    return search(game, state)

def strict(game, state):
    return search(game, state, cuts=lambda best, limit: best > limit)

def greedy(game, state):
    return search(game, state, cuts=lambda best, limit: best > limit - 3)

def no_window(game, state):
    return search(game, state, window=False)

def minimax(game, state):
    return search(game, state, cuts=lambda best, limit: False)

def backwards(game, state):
    class Turned:
        def __getattr__(self, name):
            return getattr(game, name)
        def actions(self, s):
            return game.actions(s)[::-1]
    return search(Turned(), state)

def twice(game, state):
    search(game, state)
    return search(game, state)

def wrong_value(game, state):
    return search(game, state, off=1)

def nothing(game, state):
    search(game, state)

def hang(game, state):
    while True:
        pass

def patient(game, state):
    while True:
        try:
            while True:
                game.actions(state)
        except Exception:
            pass

def hungry(game, state):
    kept = []
    while True:
        kept.append(bytearray(1 << 24))

def crash(game, state):
    import os
    os.abort()

def leave(game, state):
    raise SystemExit(3)

def buggy(game, state):
    return game.result(state, "nowhere")
'''


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("student")
    (folder / "helper.py").write_text("x = 1\n", encoding="utf-8")
    path = folder / "student.py"
    path.write_text(STUDENT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name", ["alphabeta", "value_only", "move_only", "recursive", "by_number", "negamax"]
)
def test_right_functions_pass(student: Path, name: str) -> None:
    done = grade(student, name, cases=16)
    assert done.right and done.score == 1, str(done)


def test_each_algorithm_and_convention_has_its_own_order(student: Path) -> None:
    assert grade(student, "strict", cases=16, cut="strict").right
    assert not grade(student, "alphabeta", cases=16, cut="strict").right
    assert grade(student, "minimax", cases=8, algorithm="minimax").right
    assert not grade(student, "alphabeta", cases=8, algorithm="minimax").right


WRONG = {
    "strict": "this is the order for cut=strict; the exercise asks for cut=equal",
    "greedy": "is not cut",
    "no_window": "which is cut",
    "minimax": "which is cut",
    "backwards": "it should visit A",
    "twice": "again",
    "wrong_value": "it returned the value",
    "nothing": "neither the value nor the move",
    "leave": "SystemExit: 3 (line",
    "buggy": "ValueError: 'nowhere' is not an action",
    "patient": "again and again",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_functions_are_told_where(student: Path, name: str) -> None:
    done = grade(student, name, cases=8)
    assert not done.right and done.score < 1
    assert WRONG[name] in str(done) or any(WRONG[name] in c.reason for c in done.cases), str(done)


def test_minimax_fails_every_tree_of_alpha_beta(student: Path) -> None:
    """Its values are right: only the trace tells."""
    done = grade(student, "minimax", cases=16)
    assert not any(c.right for c in done.cases)
    assert all(c.score == 0.25 for c in done.cases)


@pytest.mark.parametrize(
    ("name", "why"), [("hang", "more than 0.3 s"), ("crash", "SIGABRT"), ("hungry", "MemoryError")]
)
def test_what_hangs_or_crashes_is_stopped(student: Path, name: str, why: str) -> None:
    seconds = 20.0 if name == "hungry" else 0.3
    done = grade(student, name, cases=6, seconds=seconds, megabytes=256)
    assert done.score == 0 and why in done.cases[0].reason
    if name != "hungry":
        assert "not run" in done.cases[-1].reason  # three times is enough


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(:\n", "SyntaxError"), ("import nowhere\n", "ModuleNotFoundError"),
        ("raise SystemExit\n", "SystemExit"), ("import os; os._exit(0)\n", "ended the process"),
        ("x = 1\n", "the file has no function"), ("alphabeta = 3\n", "the file has no function"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_run(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "s.py"
    path.write_text(text, encoding="utf-8")
    done = grade(path, cases=2)
    assert why in done.failed and done.score == 0 and not done.right
    [test] = done.gradescope()["tests"]
    assert test["score"] == 0 and test["status"] == "failed"


def test_what_a_run_is_worth() -> None:
    e = from_tree("max(min(3 12 8) min(2 4 6) min(14 5 2))")
    assert visits_of(e) == ["root", "A", "a", "b", "c", "B", "d", "C", "g", "h", "i"]
    case = judge(e, Report(visits_of(e), [3.0]))
    assert case.right
    early = judge(e, Report(visits_of(e)[:4], [3.0]))
    assert early.score == 0.25 and "it stops here; it should visit c" in early.reason


def test_trees_on_which_mistakes_show() -> None:
    made = trees(16, "alphabeta", "equal", "some")
    assert all(e.cuts for e in made)
    assert sum(visits_of(e) != visits_of(e.flipped) for e in made) >= 6


def test_limits_that_make_no_sense(student: Path) -> None:
    for wrong in ({"cases": 0}, {"seconds": -1}, {"seconds": float("nan")}, {"megabytes": 1}):
        with pytest.raises(UsageError):
            grade(student, **wrong)  # type: ignore[arg-type]
    for name in (
        "engine",
        *(n for n, a in algorithms().items() if a.can.chance or a.can.many_players),
    ):
        with pytest.raises(UsageError, match="cannot be graded"):
            grade(student, algorithm=name)
    with pytest.raises(UsageError, match="does not exist"):
        grade("nowhere.py")


# -- the command -----------------------------------------------------------------------------
def run(monkeypatch: Any, capsys: Any, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["zermelo", *words])
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        cli.main()
    out = capsys.readouterr()
    assert "Traceback" not in out.err
    return int(left.value.code or 0), out.out, out.err


def test_the_command(student: Path, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    results = tmp_path / "results.json"
    code, out, _ = run(monkeypatch, capsys, "grade", f"{student}:alphabeta", "--cases", "4",
                       "--gradescope", str(results))  # fmt: skip
    assert code == 0 and "4 of 4" in out
    document = json.loads(results.read_text(encoding="utf-8"))
    assert document["score"] == 100 and len(document["tests"]) == 4
    assert sum(t["max_score"] for t in document["tests"]) == pytest.approx(100)
    code, out, _ = run(monkeypatch, capsys, "grade", f"{student}:minimax", "--cases", "3", "--json")
    assert code == 1 and json.loads(out)["right"] is False


@pytest.mark.parametrize(
    "words",
    [
        ["student.py"], [":f"], ["nowhere.py:f"], ["{}:no_such"], ["{}:alphabeta", "--cases", "0"],
        ["{}:alphabeta", "--algorithm", "alphabetta"], ["{}:alphabeta", "--cut", "x"],
        ["{}:a b"], ["{}:alphabeta", "--algorithm", "engine"],
    ],
)  # fmt: skip
def test_wrong_commands(student: Path, words: list[str], monkeypatch: Any, capsys: Any) -> None:
    code, _, err = run(monkeypatch, capsys, "grade", *(w.format(student) for w in words))
    assert code == 2 and err.startswith("error: ") and "hint: " in err


def test_a_grade_in_words(student: Path) -> None:
    done = grade(student, "wrong_value", cases=3)
    assert isinstance(done, Grade)
    assert textwrap.dedent(str(done)).startswith("wrong_value: 0 of 3 trees right, score 0.50")
