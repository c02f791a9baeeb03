"""A studio to attack, and a reader that measures its answers."""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import select
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIMEOUT = 20.0
FILES = 1024  # the usual limit of open files
RULES = """
import zermelo
class Slow(zermelo.Game):
    def initial(self): return ()
    def player(self, s): return len(s) % 2
    def actions(self, s): return [sum(range(200_000)) * 0 + i for i in range(9)]
    def result(self, s, a): return (*s, a)
    def is_terminal(self, s): return len(s) == 30
    def utility(self, s, p): return 0
"""


@dataclass
class Served:
    """A studio in its own process."""

    process: subprocess.Popen[str]
    port: int
    data: Path

    def ask(self, method: str, path: str, body: Any = None, source: str = "127.0.0.1") -> int:
        """The status of an answer; 0 if there was none."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, TIMEOUT, (source, 0))
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            link.request(method, path, data, {"Content-Type": "application/json"})
            answer = link.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            link.close()

    def send(self, data: bytes) -> socket.socket | None:
        """A connection on which only this was sent."""
        try:
            link = socket.create_connection(("127.0.0.1", self.port), 5)
            link.sendall(data)
            return link
        except OSError:
            return None

    @property
    def cpu(self) -> float:
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Peak memory in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s*(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0


@contextmanager
def serving(*arguments: str, games: int = 0) -> Iterator[Served]:
    """A running studio with a free port; `games` saved games of other visitors."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "games.sqlite"
        (Path(folder) / "slow.py").write_text(RULES)
        command = [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--port", "0"]
        whole = [*command, "--data", str(data), *arguments]
        if games:
            fill(whole, data, games)
        with open(f"{folder}/stderr", "w") as log:
            process = subprocess.Popen(
                whole, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES,) * 2),
            )  # fmt: skip
        assert process.stdout is not None
        port = re.search(r":(\d+)/", process.stdout.readline())
        assert port
        try:
            yield Served(process, int(port[1]), data)
        finally:
            process.kill()
            process.wait()


def fill(command: list[str], data: Path, games: int) -> None:
    """A file with recent games of other visitors."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.wait()
    db = sqlite3.connect(data)
    rows = ((f"g{i}", time.time() - 3600 + i / 100) for i in range(games))
    db.executemany(
        "INSERT INTO plays (id, game, position, side, opponent, moves, version, updated)"
        " VALUES (?, 'nim', '', -1, 'person', '[]', 0, ?)", rows)  # fmt: skip
    db.commit()
    db.close()


def read_pages(port: int) -> None:
    """Run in a separate process until its input is closed; print the slowest answers."""
    requests: list[tuple[str, str, Any]] = [
        ("GET", "/", None), ("GET", "/api/games", None), ("POST", "/api/position", {"game": "nim"})
    ]  # fmt: skip
    worst, count, lost, cookie = [0.0, 0.0, 0.0], 0, 0, ""
    ended = False
    while not ended:
        for i, (method, path, body) in enumerate(requests):
            ended = ended or bool(select.select([sys.stdin], [], [], 0.01)[0])
            if ended:
                break
            start = time.monotonic()
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
            data = None if body is None else json.dumps(body)
            try:
                headers = {"Content-Type": "application/json", "Cookie": cookie}
                link.request(method, path, data, headers)
                answer = link.getresponse()
                answer.read()
                lost += answer.status != 200
                cookie = (answer.getheader("Set-Cookie") or cookie).partition(";")[0]
            except (OSError, http.client.HTTPException):
                lost += 1
            link.close()
            worst[i] = max(worst[i], time.monotonic() - start)
            count += 1
    print(json.dumps({"worst": worst, "count": count, "lost": lost}))


@contextmanager
def reading(server: Served, found: dict[str, Any]) -> Iterator[None]:
    """Read pages in a separate process meanwhile; its figures are added to `found`."""
    command = [sys.executable, __file__, str(server.port)]
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    time.sleep(0.7)  # the attack has started
    try:
        yield
    finally:
        out, _ = reader.communicate("\n", timeout=3 * TIMEOUT)
        found |= json.loads(out)


if __name__ == "__main__":
    read_pages(int(sys.argv[1]))
