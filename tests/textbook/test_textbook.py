"""The lectures' cases: what is implemented holds, and the command says what is not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import zermelo
from zermelo.arena.pacman import Run, series
from zermelo.errors import NotSupported
from zermelo.textbook import cases as textbook
from zermelo.textbook.cases import CASES, Case, Outcome, outcomes
from zermelo.ui.cli import main as cli

ZERMELO = [sys.executable, "-m", "zermelo"]
IDS = [c.id for c in CASES]
# Cases that hold today: none of these may fall back to "not yet".
HOLD = {
    "two-ply", "best-reply", "ghosts", "single-agent", "root-ties", "luger", "four-level",
    "three-ply", "conventions", "best-order", "ordinal", "tic-tac-toe", "open-lines", "split-nim",
    "horizon", "budget", "classification", "pessimist", "expectation", "expectimax", "coin",
    "cardinal",
    "chance-bounds", "dice", "backgammon-65", "opponent-80-20", "tuples", "three-players",
    "prisoners", "pac-man", "starving", "smart-ghosts", "deeper-is-better", "kriegspiel",
}  # fmt: skip
# The ids of the table that the project is built to (TEXTBOOK.md), in its order.
WANTED = [
    "two-ply",
    "best-reply",
    "ghosts",
    "single-agent",
    "pessimist",
    "root-ties",
    "luger",
    "four-level",
    "three-ply",
    "conventions",
    "best-order",
    "reordering",
    "ordinal",
    "tic-tac-toe",
    "open-lines",
    "split-nim",
    "horizon",
    "budget",
    "classification",
    "expectation",
    "expectimax",
    "coin",
    "cardinal",
    "chance-bounds",
    "dice",
    "backgammon-65",
    "opponent-80-20",
    "pac-man",
    "starving",
    "smart-ghosts",
    "deeper-is-better",
    "tuples",
    "three-players",
    "prisoners",
    "roads",
    "deals",
    "kriegspiel",
    "information",
]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_case_holds_or_is_not_yet(case: Case) -> None:
    (o,) = outcomes([case.id])
    assert o.status == ("ok" if case.id in HOLD else o.status), o.found
    assert o.status in ("ok", "not yet"), f"{o.found} instead of {case.expected}"


def test_all_cases_of_the_table_are_there_once() -> None:
    assert IDS == WANTED
    assert {c.part for c in CASES} == {"deterministic", "chance", "many players", "hidden"}


def test_outcomes_run_only_what_is_asked_and_survive_a_broken_case(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> str:
        raise ZeroDivisionError("by zero")

    def missing() -> str:
        raise NotSupported("later")

    cases = (
        Case("broken", "chance", "", "1", broken),
        Case("missing", "chance", "", "1", missing),
        Case("wrong", "chance", "", "1", lambda: "2"),
        Case("right", "chance", "", "1", lambda: "1"),
        Case("none", "chance", "", "1", None),
    )
    monkeypatch.setattr(textbook, "CASES", cases)
    assert [o.status for o in outcomes()] == ["WRONG", "not yet", "WRONG", "ok", "not yet"]
    assert [o.case.id for o in outcomes(["right", "none"])] == ["right", "none"]
    assert next(iter(outcomes())).found == "ZeroDivisionError: by zero"


def test_half_an_answer_is_not_an_answer() -> None:
    case = Case("x", "chance", "", "a; b", None)
    assert Outcome(case, "a; not yet").status == "not yet"
    assert Outcome(case, "a; c").status == "WRONG"
    assert Outcome(case, "a; b").status == "ok"


def run_command(
    cases: tuple[Case, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr(textbook, "CASES", cases)
    monkeypatch.setattr(sys, "argv", ["zermelo", "textbook"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    printed = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, printed.out, printed.err


def test_ctrl_c_ends_the_cases_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever it comes: in a search, in a series of games, or between them."""

    def in_a_search() -> str:
        four = zermelo.load("connect-four")
        for _ in range(2):
            with ThreadPoolExecutor(1) as pool:
                pool.submit(lambda: (time.sleep(0.2), os.kill(os.getpid(), signal.SIGINT)))
                zermelo.search(four, time=20)
        return "went on"

    def in_a_series() -> str:
        series("small", "random", "random", 3, on_state=press_once)
        return "went on"

    def press_once(game: Run) -> None:
        if game.number == 2:
            os.kill(os.getpid(), signal.SIGINT)

    for breaking in (in_a_search, in_a_series):
        cases = (
            Case("right", "chance", "", "1", lambda: "1"),
            Case("long", "chance", "", "1", breaking),
            Case("never", "chance", "", "1", lambda: "1"),
        )
        code, out, err = run_command(cases, monkeypatch, capsys)
        assert code == 130 and "right" in out and "long" not in out and "never" not in out
        assert "1 ok, 0 wrong" in err and "stopped after 1 of 3 cases" in err
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_command_prints_each_case(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cases themselves run above; here each one finds what it expects at once."""
    cases = tuple(replace(c, run=lambda c=c: c.expected) for c in CASES)
    code, out, err = run_command(cases, monkeypatch, capsys)
    rows = out.splitlines()
    heads = [r for r in rows if not r.startswith(" ")]
    assert [h[8:].split()[0] for h in heads] == IDS
    assert len(rows) == 3 * len(IDS)
    assert "expected: 3; visits 2 3 5 0 2 1 (6 of 11)" in out
    assert "found:    3; visits 2 3 5 0 2 1 (6 of 11)" in out
    assert code == 0 and f"{len(IDS)} ok, 0 wrong" in err


@pytest.mark.parametrize(("given", "code"), [("1", 0), ("2", 1), ("not yet", 1), ("1; not yet", 1)])
def test_the_exit_code_tells_whether_all_hold(
    given: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = (Case("a", "chance", "", "1", lambda: "1"), Case("b", "chance", "", "1", lambda: given))
    assert run_command(cases, monkeypatch, capsys)[0] == code


def test_json() -> None:
    run = subprocess.run(
        [*ZERMELO, "textbook", "luger", "two-ply", "--json"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    rows = json.loads(run.stdout)
    assert [r["id"] for r in rows] == ["two-ply", "luger"]
    assert all(r["status"] == "ok" and r["found"] == r["expected"] for r in rows)
