"""`zermelo gtp` as a process: bytes on pipes, analysis that ends, signals, closed pipes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator

import pytest

from gtp_client import Client

GAME = ("--game", "hex:size=5,swap=no", "--time", "0.05")


@pytest.fixture(name="client", scope="module")
def running() -> Iterator[Client]:
    client = Client(*GAME)
    yield client
    client.quit()


@pytest.fixture(autouse=True)
def new_game(client: Client) -> None:
    client.ask("boardsize 5")
    client.ask("clear_board")


def test_bytes_that_are_not_text(client: Client) -> None:
    client.send(b"1 name\r\n\x00\xff\xfe\n\n# \xff\n2 n\x00ame\n3 pl\xffay b a1\n4 name\r\n")
    assert [client.reply() for _ in range(5)] == [
        "=1 Zermelo", "? unknown command", "=2 Zermelo", "?3 unknown command", "=4 Zermelo",
    ]  # fmt: skip
    assert client.silent()


def test_a_long_line_is_answered_once(client: Client) -> None:
    client.send(b"5 play b " + b"a" * 3_000_000 + b"\n6 name\n" + "é".encode() * 15_000 + b"\n")
    assert client.reply().startswith("?5 the line is too long")
    assert client.reply() == "=6 Zermelo"
    assert client.reply().startswith("? the line is too long")


def test_commands_sent_ahead_are_answered_in_order(client: Client) -> None:
    for number in range(50):
        client.send(f"{number} {'genmove b' if number == 0 else 'name'}")
    assert [client.reply().split()[0] for _ in range(50)] == [f"={n}" for n in range(50)]


# -- analysis ------------------------------------------------------------------------------------
def fields(line: str) -> list[dict[str, str]]:
    """The fields of each move of an info line; "pv" has the whole line."""
    moves = []
    for part in line.split("info ")[1:]:
        head, _, pv = part.strip().partition(" pv ")
        words = head.split()
        moves.append(dict(zip(words[::2], words[1::2], strict=True)) | {"pv": pv})
    return moves


@pytest.mark.parametrize("algorithm", ["mcts", "engine"])
@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_analysis_reports_until_the_next_command(
    client: Client, command: str, algorithm: str
) -> None:
    client.ask("boardsize 9")
    client.ask(f"zermelo-param algorithm {algorithm}")
    client.ask("play b e5")
    client.send(f"12 {command} w 5")
    assert client.line() == "=12"
    lines = [client.line() for _ in range(3 if algorithm == "mcts" else 1)]
    client.send("13 name")
    while (line := client.line()) and line.startswith("info"):
        lines.append(line)
    assert line == "" and client.reply() == "=13 Zermelo" and client.silent()
    for line in lines:
        moves = fields(line)
        assert [m["order"] for m in moves] == [str(i) for i in range(len(moves))]
        for m in moves:
            rate = float(m["winrate"]) / (10_000 if command == "lz-analyze" else 1)
            assert 0 <= rate <= 1 and int(m["visits"]) >= 0
            assert m["pv"].split()[0] == m["move"] != "E5"
    if algorithm == "mcts":
        visits = [sum(int(m["visits"]) for m in fields(line)) for line in lines]
        assert visits == sorted(visits) and visits[0] < visits[-1]
        assert visits[-1] > 100
    assert client.ask("gogui-rules_side_to_move") == "white"


def test_analysis_of_a_solved_position_waits_for_the_next_command(client: Client) -> None:
    client.ask("boardsize 2")
    client.send("lz-analyze")
    assert client.line() == "="
    assert "winrate 10000" in client.line()
    assert client.silent(0.3)
    client.send("")  # an empty line is enough
    assert client.line() == ""
    assert client.ask("name") == "Zermelo"


def test_options_of_the_analysis(client: Client) -> None:
    client.ask("zermelo-param algorithm engine")
    client.send("lz-analyze interval 5 maxmoves 2 minmoves 1")
    client.line()
    assert len(fields(client.line())) <= 2
    client.send("kata-analyze b 1 allow b a1,B2,c3 10 avoid b b2 1 avoid w c3 1")
    while not client.line().startswith("="):
        pass
    seen = {m["move"] for _ in range(3) for m in fields(client.line())}
    client.send("name")
    while client.line() != "= Zermelo":
        pass
    client.line()
    assert "A1" in seen and seen <= {"A1", "C3"}
    client.send("lz-analyze allow b z9 3")
    assert client.reply().startswith("? no move is left")


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_genmove_with_analysis(client: Client, command: str) -> None:
    client.send(f"4 {command} b 1")
    client.send("5 name")  # does not end it
    lines = client.reply().split("\n")
    assert lines[0] == "=4" and lines[-1].startswith("play ")
    assert len(lines) > 2 and all(line.startswith("info move ") for line in lines[1:-1])
    assert client.reply() == "=5 Zermelo"
    assert client.ask("gogui-rules_side_to_move") == "white"
    move = lines[-1].split()[1]
    assert move not in client.ask("gogui-rules_legal_moves").split()


def test_random_analysis_and_moves(client: Client) -> None:
    """As many replies as commands, in order, whatever the timing."""
    rng = random.Random(2)
    known = (
        "lz-analyze 1", "kata-analyze b 2", "name", "genmove b", "genmove w", "undo",
        "clear_board", "play b a1", "", "# interrupt", "lz-genmove_analyze w 1", "nonsense",
    )  # fmt: skip
    commands = rng.choices(known, k=200)
    expected = []
    for number, command in enumerate(commands):
        client.send(f"{number} {command}" if command and command[0] != "#" else command)
        if command and command[0] != "#":
            expected.append(number)
        if rng.random() < 0.1:
            time.sleep(rng.random() / 30)
    client.send("999 name")
    seen: list[int] = []
    while not (line := client.line()).startswith("=999"):
        if line[:1] in "=?" and line[1:2].isdigit():
            seen.append(int(line[1:].split()[0]))
    client.line()
    assert seen == expected


# -- ending --------------------------------------------------------------------------------------
def test_an_interrupt_ends_a_search() -> None:
    client = Client("--game", "hex:size=9", "--time", "60")
    client.send("genmove b")
    time.sleep(0.5)
    start = time.monotonic()
    client.send("# interrupt")
    assert client.reply().startswith("= ")
    assert time.monotonic() - start < 10
    client.send("# interrupt")  # comes too late, and does not end the next search
    client.send("zermelo-param time 3")
    client.reply()
    start = time.monotonic()
    client.ask("genmove w")  # a search may end before its time if the choice is clear
    assert time.monotonic() - start > 0.5
    client.quit()


def test_commands_from_a_file_are_all_answered() -> None:
    text = "name\n1 genmove b\n2 showboard"  # no newline at the end, no quit
    run = [sys.executable, "-m", "zermelo", "gtp", *GAME]
    done = subprocess.run(run, input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    assert [r[:2] for r in done.stdout.split("\n\n")[:-1]] == ["= ", "=1", "=2"]


@pytest.mark.parametrize("command", ["lz-analyze 5", "name"])
def test_a_closed_input_ends_it(command: str) -> None:
    client = Client(*GAME)
    client.send(command)
    client.line()
    assert client.process.stdin is not None and client.process.stderr is not None
    client.process.stdin.close()
    assert client.process.wait(timeout=20) == 0 and client.process.stderr.read() == b""


@pytest.mark.parametrize("command", ["lz-analyze 5", "genmove b", "name"])
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(sign: signal.Signals, command: str) -> None:
    client = Client("--game", "hex:size=9", "--time", "60")
    client.send("name")
    client.reply()
    client.send(command)
    time.sleep(0.3)
    client.process.send_signal(sign)
    client.process.wait(timeout=20)
    assert client.process.stderr is not None
    assert b"Traceback" not in client.process.stderr.read()


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads /proc")
@pytest.mark.parametrize("command", ["lz-analyze 5", "genmove b"])
def test_a_killed_parent_leaves_no_engine(command: str) -> None:
    code = f"""
    import subprocess, sys, time
    p = subprocess.Popen([sys.executable, "-m", "zermelo", "gtp", "--game", "hex:size=9",
                          "--time", "600"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    p.stdin.write(b"name\\n")
    p.stdin.flush()
    p.stdout.readline()
    p.stdin.write(b"{command}\\n")
    p.stdin.flush()
    print(p.pid, flush=True)
    time.sleep(60)
    """
    run = [sys.executable, "-c", textwrap.dedent(code)]
    parent = subprocess.Popen(run, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    for _ in range(200):
        if not alive(pid):
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the engine still runs")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as f:  # a zombie is not running
        return f.read().rsplit(")")[-1].split()[0] != "Z"


def test_pondering_keeps_the_tree_growing() -> None:
    client = Client("--game", "hex:size=7,swap=no", "--algorithm", "mcts", "--playouts", "50",
                    "--ponder")  # fmt: skip
    client.ask("genmove b")
    time.sleep(0.5)
    legal = client.ask("gogui-rules_legal_moves").split()
    client.ask(f"play w {legal[0]}")
    client.ask("genmove b")
    assert "were kept from before" in client.ask("gomill-explain_last_move")
    client.quit()
