"""The first interrupt ends the studio, whatever it does."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")
from attack_requests import HALF, WIDE
from studio import Server, say, start

RULES = """
import zermelo
class Slow(zermelo.Game):
    def initial(self): return ()
    def player(self, s): return len(s) % 2
    def actions(self, s): return [sum(range(300_000)) * 0 + i for i in range(9)]
    def result(self, s, a): return (*s, a)
    def is_terminal(self, s): return len(s) == 30
    def utility(self, s, p): return 0
    def board(self, s):
        while len(s) > 0: pass
        return "start"
"""


def searching(server: Server, spec: str) -> object:
    pages = [server.talk().__enter__() for _ in range(3)]
    for page in pages:
        say(page, do="analyse", id=1, game=spec, time=60)
    return pages


def half_open(server: Server, spec: str) -> object:
    links = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(40)]
    for i, link in enumerate(links):
        link.sendall(HALF[i % len(HALF)])
    return links


def asking(server: Server, path: str, body: Any) -> object:
    def ask() -> None:
        with contextlib.suppress(Exception):
            server.post(path, body)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    return threads


def viewing(server: Server, spec: str) -> object:
    return asking(server, "/api/position", {"game": spec, "moves": [0]})


def wide_trees(server: Server, spec: str) -> object:
    return asking(server, "/api/tree", {"text": WIDE})


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("scene", [searching, half_open, viewing, wide_trees])
def test_the_first_interrupt_ends_the_server(
    tmp_path: Path, scene: Callable[[Server, str], object]
) -> None:
    (tmp_path / "slow.py").write_text(RULES)
    spec = f"{tmp_path}/slow.py:Slow"
    process, port = start(spec, "--data", str(tmp_path / "games.sqlite"))
    kept = scene(Server("", port, None), spec)
    time.sleep(1)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(20)
    assert time.monotonic() - begun < 10  # 2 on an idle machine
    assert process.stderr is not None and "Traceback" not in process.stderr.read()
    del kept
