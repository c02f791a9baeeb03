"""A studio for the tests: a real server on a free port, asked as a page asks it."""

from __future__ import annotations

import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from zermelo.ui.web import Limits
from zermelo.ui.web.server import prepare

LIMITS = Limits(time=2.0, table=16, searches=2, waiting=6, patience=1.5, body=200_000)
OWN_GAMES = '''
import zermelo

class Grid(zermelo.Game):
    """Tic-tac-toe in the README's words: no notation, no drawing."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    def initial(self): return "." * 9
    def player(self, s): return s.count("X") - s.count("O")
    def actions(self, s): return [i for i in range(9) if s[i] == "."]
    def result(self, s, a): return s[:a] + "XO"[self.player(s)] + s[a + 1 :]
    def won(self, s, who): return any(s[a] == s[b] == s[c] == who for a, b, c in self.lines)
    def is_terminal(self, s): return "." not in s or self.won(s, "X") or self.won(s, "O")
    def utility(self, s, p): return (self.won(s, "X") - self.won(s, "O")) * (1 if p == 0 else -1)

class Secret(zermelo.Game):
    """Both choose a number; the second must not see the first's."""
    def initial(self): return ()
    def player(self, s): return len(s)
    def actions(self, s): return [11, 22, 33]
    def result(self, s, a): return (*s, a)
    def is_terminal(self, s): return len(s) == 2
    def utility(self, s, p): return (1 if s[0] == s[1] else -1) * (1 if p == 0 else -1)
    def observation(self, s, p): return (len(s), s[p] if len(s) > p else None)

class Coin(zermelo.Game):
    """Chance moves between the players."""
    def initial(self): return ()
    def player(self, s): return (0, zermelo.CHANCE, 1)[len(s)]
    def actions(self, s): return ["left", "right"]
    def outcomes(self, s): return [("heads", 0.5), ("tails", 0.5)]
    def result(self, s, a): return (*s, a)
    def is_terminal(self, s): return len(s) == 3
    def utility(self, s, p): return (1 if s[0] == s[2] else -1) * (1 if p == 0 else -1)

class Broken(Grid):
    def result(self, s, a): raise RuntimeError("these rules are ill")
'''


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Server:
    url: str
    port: int
    studio: Any

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} | (headers or {})
        link.request(method, path, data, sent)
        got = link.getresponse()
        answer = Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        link.close()
        return answer

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, body: Any) -> Answer:
        return self.ask("POST", path, body)

    def talk(self, **more: Any) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/ws", open_timeout=30, **more)


def say(page: ClientConnection, **message: Any) -> None:
    page.send(json.dumps(message))


def hear(page: ClientConnection, *kinds: str, seconds: float = 12) -> dict[str, Any]:
    """The next message of one of these kinds."""
    end = time.monotonic() + seconds
    while True:
        message: dict[str, Any] = json.loads(page.recv(timeout=max(0.01, end - time.monotonic())))
        if message["kind"] in kinds:
            return message


@contextmanager
def running(
    data: Path,
    game: str | None = None,
    limits: Limits | None = None,
    host: str = "127.0.0.1",
    allowed: Sequence[str] = (),
) -> Iterator[Server]:
    server, bound, url = prepare(game, host, 0, data, limits or Limits(), allowed)
    app = server.config.app
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Server(url, bound.getsockname()[1], app.state.studio)  # type: ignore[union-attr]
    server.should_exit = True
    thread.join(20)
    bound.close()


def start(*arguments: str) -> tuple[subprocess.Popen[str], int]:
    """The program itself, and its port."""
    command = [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = re.search(r":(\d+)/", process.stdout.readline())
    assert port
    return process, int(port[1])


def grown(branching: int, depth: int) -> str:
    """A regular tree as text, the same every time."""
    rng = random.Random(1)

    def grow(level: int) -> str:
        if not level:
            return str(rng.randrange(100))
        inside = " ".join(grow(level - 1) for _ in range(branching))
        return f"{('max', 'min')[level % 2]}({inside})"

    return grow(depth)
