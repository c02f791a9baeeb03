"""Functions that cheat or do harm: the grader records visits itself, ends all, writes results."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from zermelo.exercise import student, supervisor
from zermelo.exercise.grading import Grade, grade
from zermelo.ui.cli import main as cli

HONEST = """
from math import inf
import gc, os, resource, subprocess, sys

def honest(game, state):
    def value(s, alpha, beta):
        if game.is_terminal(s):
            return game.utility(s, 0)
        me = 1 if game.player(s) == 0 else -1
        best = -me * inf
        for a in game.actions(s):
            v = value(game.result(s, a), alpha, beta)
            best = max(best, v) if me > 0 else min(best, v)
            if (best >= beta if me > 0 else best <= alpha):
                break
            alpha, beta = (max(alpha, best), beta) if me > 0 else (alpha, min(beta, best))
        return best
    return value(state, -inf, inf)

def nan(game, state):
    honest(game, state)
    return float("nan")

def two_values(game, state):
    return honest(game, state), float("nan")

def infinite(game, state):
    honest(game, state)
    return inf

def huge(game, state):
    honest(game, state)
    return 10 ** 400

def line(game):
    return next(x for x in gc.get_objects() if type(x).__name__ == "Line")

def raw(game, data):
    os.write(line(game)._reply.fileno(), data)

def peek(game, state):
    # looks at every leaf first, then tries to make that undone
    def all_of(s):
        if game.is_terminal(s):
            return game.utility(s, 0)
        for a in game.actions(s):
            all_of(game.result(s, a))
    all_of(state)
    for x in gc.get_objects():
        if isinstance(x, list) and x and all(isinstance(i, str) for i in x):
            if x[0] == "root":
                del x[:]
        if isinstance(x, dict) and "visits" in x:
            x["visits"] = []
    return honest(game, state)

def raises_limits(game, state):
    told = []
    for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE):
        try:
            resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            told.append("raised")
        except (ValueError, OSError):
            told.append("refused")
    raise RuntimeError(" ".join(told))

def leaves_processes(game, state):
    for _ in range(3):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", MARK],
                         start_new_session=True)
    if os.fork() == 0:  # a grandchild that nobody waits for, in a session of its own
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", MARK])
        os._exit(0)
    return honest(game, state)

def leaves_and_hangs(game, state):
    leaves_processes(game, state)
    while True:
        pass

def leaves_and_dies(game, state):
    leaves_processes(game, state)
    os._exit(3)

def kills_its_parent(game, state):
    if os.getppid() > 1:
        os.kill(os.getppid(), 9)
    raise RuntimeError("still there")

def never_reads(game, state):
    for _ in range(100_000):
        raw(game, b'["ask", "player", 0, null]\\n')

def __getattr__(name):
    if not name.startswith("sends_"):
        raise AttributeError(name)
    def send(game, state):
        raw(game, LINES[int(name[6:])])
        return honest(game, state)
    return send
"""
LINES = [
    b"\xff\xfe\n", b"[" * 60_000 + b"\n", b"x" * 200_000, b"\n", b"null\n", b"{}\n", b'"ask"\n',
    b'["answer", {}]\n', b'["answer", [{"state": 1}]]\n', b'["answer", [[], {}, null, true]]\n',
    b'["answer", [1' + b"0" * 4000 + b"]]\n", b'["answer", [1' + b"0" * 5000 + b"]]\n",
    b'["answer", [NaN, "a"]]\n', b'["answer"]\n', b'["error", "\\ud800"]\n', b'["error", 3]\n',
    b'["ask", "utility", 999, 0]\n', b'["ask", "utility", -1, 0]\n', b'["ask", "", true, 0]\n',
    b'["ask", "utility", 1e9, 0]\n', b'["ask", "__init__", 0, 0]\n', b'["ask", ["player"], 0, 0]\n',
    b'["ask", "result", 0, {"a": 1}]\n["ask", "result", 0, ["a"]]\n', b'["ready"]\n',
    b'["answer", [0.0]]\n["answer", [0.0]]\n["answer", [0.0]]\n',
]  # fmt: skip
SPACES = [True, False]  # with and without a namespace of its own


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("attack") / "student.py"
    mark = f"MARK = {path.parent.name!r}\nLINES = {LINES!r}\n"
    path.write_text(mark + HONEST, encoding="utf-8")
    return path


@pytest.fixture(params=SPACES, ids=["namespace", "subreaper"])
def spaces(request: Any, tmp_path: Path, monkeypatch: Any) -> bool:
    """Both ways to end processes: the second is for systems that allow no namespaces."""
    if not request.param:
        source = Path(str(supervisor.__file__)).read_text(encoding="utf-8")
        copy = tmp_path / "supervisor.py"
        copy.write_text(source.replace("and new_namespace(calls)", "and False"), encoding="utf-8")
        monkeypatch.setattr(student.supervisor, "__file__", str(copy))
    return bool(request.param)


def left_behind(file: Path) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if file.parent.name.encode() in words:
            found.append(entry.name)
    return found


def document(done: Grade) -> Any:
    """As a grading service reads it."""
    return json.loads(json.dumps(done.gradescope(), allow_nan=False))


@pytest.mark.parametrize(("name", "why"), [
    ("nan", "?"), ("infinite", "∞"), ("huge", "neither"), ("two_values", "more than"),
])  # fmt: skip
def test_a_number_that_is_none_is_no_answer(file: Path, name: str, why: str) -> None:
    done = grade(file, name, cases=3)
    assert [c.score for c in done.cases] == [0.5] * 3 and why in done.cases[0].reason
    assert grade(file, "honest", cases=3).right


def test_visits_cannot_be_undone(file: Path) -> None:
    done = grade(file, "peek", cases=4)
    assert not any(c.right for c in done.cases)
    assert all(c.score <= 0.25 and len(c.visits) > len(c.exercise.order) for c in done.cases)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_limits_cannot_be_raised(file: Path, spaces: bool) -> None:
    done = grade(file, "raises_limits", cases=1)
    assert "refused refused refused" in done.cases[0].reason


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("name", ["leaves_processes", "leaves_and_hangs", "leaves_and_dies"])
def test_no_process_is_left_behind(file: Path, name: str, spaces: bool) -> None:
    done = grade(file, name, cases=2, seconds=1.0)
    assert done.right == (name == "leaves_processes")
    end = time.monotonic() + 5
    while left_behind(file) and time.monotonic() < end:
        time.sleep(0.05)  # the kernel may still be at it
    assert left_behind(file) == []


@pytest.mark.parametrize("number", range(len(LINES)))
def test_malformed_replies_are_graded(file: Path, number: int) -> None:
    done = grade(file, f"sends_{number}", cases=1)
    assert not done.right and done.cases[0].score < 1 and done.cases[0].reason
    assert document(done)["tests"][0]["status"] == "failed"


def test_a_process_that_never_reads_does_not_block_the_grader(file: Path) -> None:
    begun = time.monotonic()
    done = grade(file, "never_reads", cases=1, seconds=1)
    assert done.score == 0 and time.monotonic() - begun < 30
    assert done.cases[0].reason


def test_a_process_that_kills_its_parent(file: Path, spaces: bool) -> None:
    done = grade(file, "kills_its_parent", cases=1)
    assert done.score == 0 and done.cases[0].reason
    if spaces and os.path.exists("/proc/self/ns/pid"):
        assert document(done)["tests"]


def run(monkeypatch: Any, capsys: Any, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["zermelo", *words])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert "Traceback" not in capsys.readouterr().err
    return int(left.value.code or 0)


@pytest.mark.parametrize(
    "function", ["{}:sends_14", "{}:no_such", "nowhere.py:f", "{}:honest --cases 0", "/:f"]
)
def test_results_are_always_written(
    file: Path, function: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    results = tmp_path / "results.json"
    words = function.format(file).split()
    code = run(monkeypatch, capsys, "grade", *words, "--gradescope", str(results), "--cases", "1",
               *words[1:])  # fmt: skip
    assert code in (1, 2)
    [test] = json.loads(results.read_text(encoding="utf-8"))["tests"]
    assert test["score"] < 100 and test["output"]


@pytest.mark.parametrize("points", ["nan", "inf", "0", "-3"])
def test_points_that_make_no_sense(file: Path, points: str, monkeypatch: Any, capsys: Any) -> None:
    assert run(monkeypatch, capsys, "grade", f"{file}:honest", "--points", points) == 2


def test_a_function_s_name(file: Path) -> None:
    with pytest.raises(Exception, match="not the name of a function"):
        grade(file, "a\0b")
