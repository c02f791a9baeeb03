"""The command in a shell: Ctrl-C, pipes and output that cannot be written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "zermelo"]


def shell(line: str, timeout: float = 60, **env: str) -> subprocess.CompletedProcess[str]:
    """Through a real shell, for pipes."""
    line = line.replace("zermelo ", f"{sys.executable} -m zermelo ")
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=timeout, env=os.environ | env
    )


def interrupted(words: list[str], wait: float) -> tuple[int, str, str]:
    child = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(wait)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    return child.returncode, out, err


def test_ctrl_c_ends_a_solve() -> None:
    code, out, err = interrupted(["solve", "connect-four"], 2.0)
    assert (code, out) == (1, "") and "not solved" in err and "Traceback" not in err


def test_ctrl_c_ends_an_analysis() -> None:
    code, out, err = interrupted(["analyze", "connect-four", "--time", "60", "--json"], 2.0)
    assert code == 0 and json.loads(out)["stopped"] == "interrupted"
    assert [json.loads(line)["depth"] for line in err.splitlines()] == list(
        range(1, json.loads(out)["depth"] + 1)
    )


MATCH = ["match", "tic-tac-toe", "random:1", "random:2", "--games", "10000000"]


def test_ctrl_c_ends_a_match() -> None:
    code, out, err = interrupted(MATCH, 3.0)
    assert code == 0 and "(interrupted)" in out and "of 10000000 games" in err


def test_ctrl_c_ends_a_match_in_json() -> None:
    code, out, _ = interrupted([*MATCH, "--json"], 3.0)
    document = json.loads(out)
    assert code == 0 and document["stopped"] == "interrupted" and document["games"] > 1


def test_ctrl_c_ends_perft() -> None:
    code, out, err = interrupted(["perft", "connect-four", "--depth", "30"], 2.0)
    assert code == 130 and not out and "Traceback" not in err


def test_a_closed_pipe_is_quiet() -> None:
    for line in (
        "zermelo games | head -1",
        "zermelo tree 'max(1 2)' --steps | true",
        "zermelo --help | true",
    ):
        done = shell(line)
        assert done.returncode == 0 and done.stderr == "", line


def test_data_and_words_go_apart() -> None:
    done = shell("zermelo analyze nim --json 2>/dev/null | python3 -m json.tool")
    assert done.returncode == 0
    assert "\x1b[" not in shell("zermelo tree 'max(1 2)' --steps").stdout
    assert shell("zermelo nosuch 2>/dev/null").stdout == ""


@pytest.mark.parametrize("where", ["> /dev/full", ">&-"])
def test_output_that_cannot_be_written(where: str) -> None:
    assert "Traceback" not in shell(f"zermelo games {where}").stderr


def test_importing_zermelo_is_light() -> None:
    code = "import sys, zermelo; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    loaded = set(done.stdout.replace("'", "").strip("[]\n").split(", "))
    assert "zermelo" in loaded
    assert not loaded & {"numpy", "typer", "rich", "numba", "click", "fastapi"}
