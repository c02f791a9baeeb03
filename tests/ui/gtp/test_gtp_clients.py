"""Programs of others: games against GNU Go, and matches that gomill's ringmaster runs."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_client import Client, Local

GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")
PYTHONS_2 = sorted(Path.home().glob(".pyenv/versions/2.7*/bin/python"))


def gnugo(*arguments: str) -> Client:
    assert GNUGO is not None
    return Client(command=[GNUGO, "--mode", "gtp", "--chinese-rules", "--seed", "1", *arguments])


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
@pytest.mark.parametrize(
    ("size", "handicap"), [(9, 0), (9, 3), pytest.param(13, 0, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("ours", [0, 1])
def test_a_game_against_gnu_go(size: int, handicap: int, ours: int) -> None:
    """GNU Go accepts every move of ours, we accept all of its own, and both find the same score."""
    local = Local(f"go:size={size}", playouts=100 if size == 9 else 20)
    other = gnugo("--level", "1", "--capture-all-dead")
    for command in (f"boardsize {size}", "clear_board", "komi 6.5"):
        local.ask(command)
        other.ask(command)
    if handicap:
        points = local.ask(f"fixed_handicap {handicap}")
        assert set(points.split()) == set(other.ask(f"fixed_handicap {handicap}").split())
    moves: list[str] = []
    for player in itertools.cycle((1, 0) if handicap else (0, 1)):
        colour = "bw"[player]
        mover, listener = (local, other) if player == ours else (other, local)
        move = mover.ask(f"genmove {colour}")
        listener.ask(f"play {colour} {move}")
        moves.append(move.lower())
        if moves[-2:] == ["pass", "pass"]:
            break
        assert len(moves) < 4 * size * size
    assert stones(local) == stones(other)
    # By GNU Go's Chinese rules, White gets a point for each handicap stone.
    assert margin(local.ask("final_score")) == margin(other.ask("final_score")) + handicap
    other.ask("quit")


def margin(score: str) -> float:
    """Black's margin."""
    return float(score[2:]) * (1 if score[0] == "B" else -1) if score != "0" else 0.0


def stones(program: Local | Client) -> list[set[str]]:
    """The stones of both colours."""
    if isinstance(program, Client):
        return [set(program.ask(f"list_stones {c}").split()) for c in ("black", "white")]
    text = "\n".join(program.ask(f"final_status_list {s}") for s in ("alive", "dead", "seki"))
    board = program.engine.board
    rows = [line.split() for line in program.ask("showboard").split("\n")[:-1]]
    names = program.ask("showboard").split("\n")[-1].split()
    found = [
        {
            f"{name}{row[0]}"
            for row in rows
            for name, c in zip(names, row[1:], strict=True)
            if c == x
        }
        for x in "XO"
    ]
    assert set(text.split()) == found[0] | found[1] and board.size == len(rows)
    return found


def python_with_gomill() -> str | None:
    """A Python 2 that can import gomill, which was never ported to Python 3."""
    candidates = [shutil.which("python2.7"), shutil.which("python2"), *map(str, PYTHONS_2)]
    for python in filter(None, candidates):
        run = subprocess.run([python, "-c", "import gomill.ringmasters"], capture_output=True)
        if run.returncode == 0:
            return python
    return None


CONTROL = """
competition_type = 'playoff'
board_size = 7
komi = 9
players = {{
    'one': Player("{engine} --playouts 60 --seed 1"),
    'two': Player("{engine} --playouts 30 --seed 2 --resign 0"),
}}
matchups = [
    Matchup('one', 'two', number_of_games=2, alternating=True, scorer='players'),
    Matchup('one', 'two', number_of_games=2, alternating=True, scorer='internal',
            handicap=2, handicap_style='free'),
    Matchup('one', 'two', number_of_games=1, scorer='internal', board_size=9, handicap=4,
            handicap_style='fixed'),
]
"""


def test_a_tournament_of_gomill(tmp_path: Path) -> None:
    python = python_with_gomill()
    if python is None:
        pytest.skip("needs Python 2.7 with gomill")
    control = tmp_path / "match.ctl"
    control.write_text(CONTROL.format(engine=f"{sys.executable} -m zermelo gtp"))
    code = "from gomill import ringmaster_command_line as r; r.main()"
    for command in ("check", "run"):
        arguments = ["-c", code, str(control), command, "-q"]
        done = subprocess.run(
            [python, *arguments[: None if command == "run" else -1]],
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    report = control.with_suffix(".report").read_text()
    log = control.with_suffix(".log").read_text()
    assert "(2/2 games)" in report and "(1/1 games)" in report
    assert "Zermelo" in report
    for word in ("forfeit", "error", "void", "illegal"):
        assert word not in report + log, report + log
