"""Attack the studio and measure how long a page waits, and how soon Ctrl-C stops the server.

Each attack runs for some seconds against its own server, over loopback and from the address of the
reader whose page is measured. This is the worst case for the reader. The reader is a separate
process that requests the page, the list of games and a position in a loop, each on a new
connection. The server may open 1,024 files, the usual limit.

To measure another version: PYTHONPATH=OTHER/src python benchmarks/attacks.py
"""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
from common import Row

LIMIT = 0.5  # seconds of the slowest page
LAST = 2.0  # seconds from Ctrl-C to the end
SECONDS = 6.0  # of an attack
TIMEOUT = 20.0
FILES = 1024
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
        told = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s*(\d+)", told)
        return int(found[1]) / 1024 if found else 0.0


@contextmanager
def serving(*arguments: str, games: int = 0) -> Iterator[Served]:
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


# -- the reader ------------------------------------------------------------------------------------
def read_pages(port: int) -> None:
    """Run in a separate process until its input is closed; print the slowest answers."""
    asked: list[tuple[str, str, Any]] = [
        ("GET", "/", None), ("GET", "/api/games", None), ("POST", "/api/position", {"game": "nim"})
    ]  # fmt: skip
    worst, count, lost, cookie = [0.0, 0.0, 0.0], 0, 0, ""
    ended = False
    while not ended:
        for i, (method, path, body) in enumerate(asked):
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
    command = [sys.executable, __file__, "--read", str(server.port)]
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    time.sleep(0.7)  # the attack has started
    try:
        yield
    finally:
        out, _ = reader.communicate("\n", timeout=3 * TIMEOUT)
        found |= json.loads(out)


# -- attacks ---------------------------------------------------------------------------------------
Attack = Callable[[Served], str]


def repeat(server: Served, threads: int, method: str, path: str, *bodies: Any) -> str:
    """Run this many in parallel, in a loop."""
    end = time.monotonic() + SECONDS
    statuses: list[int] = []

    def run(i: int) -> None:
        while time.monotonic() < end:
            statuses.append(server.ask(method, path, bodies[i % len(bodies)]))

    workers = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(end + 5 - time.monotonic())
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    return f"answers {counts}"


EFG = 'EFG 2 R "x" { "a" "b" }\n'
HEAD = (
    "POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Content-Length: {}\r\n\r\n"
)
WIDE = "max(" + " ".join(str(i % 7) for i in range(200_000)) + ")"


def nothing(server: Served) -> str:
    time.sleep(SECONDS)
    return "no attack"


def trees(server: Served) -> str:
    odds = " ".join(f'"" 1/{"7" * 200}{2 * i + 1}' for i in range(5000))
    texts = ["max(" + "1" * 400 + "x)", "max(1" + " " * 100_000 + "x",
             EFG + 'p "" 1 1 "" { ' + '"" ' * 40_000 + "} 0\n" + 'p "" 1 1 0\n' * 40_000,
             EFG + f'c "" 1 "" {{ {odds} }} 0\n']  # fmt: skip
    return repeat(server, 4, "POST", "/api/tree", *({"text": text} for text in texts))


def positions(server: Served) -> str:
    asked = [{"game": game, "position": "1" * 20_000} for game in ("chess", "checkers")]
    return repeat(server, 8, "POST", "/api/position", *asked)


def wide(server: Served) -> str:
    return repeat(server, 6, "POST", "/api/tree", {"text": WIDE})


def exports(server: Served) -> str:
    asked = [{"text": WIDE, "format": name} for name in ("html", "text", "svg")]
    return repeat(server, 6, "POST", "/api/tree/export", *asked)


def bodies(server: Served) -> str:
    data = b"[" + b"1," * 1_400_000 + b"1]"
    return repeat(server, 8, "POST", "/api/tree", data)


def chunks(server: Served) -> str:
    head = b"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    end = time.monotonic() + SECONDS
    count = 0
    while time.monotonic() < end:
        count += 1
        link = server.send(head + b"1\r\nx\r\n" * 100_000)
        if link is not None:
            link.close()
        time.sleep(0.05)
    return f"{count} bodies in chunks of 1 byte"


def half_sent(data: bytes) -> Attack:
    def attack(server: Served) -> str:
        links = [server.send(data) for _ in range(1100)]
        time.sleep(SECONDS)
        for link in links:
            if link is not None:
                link.close()
        size = (server.data.parent / "stderr").stat().st_size
        return f"1,100 connections; {size:,} bytes of log"

    return attack


def unread(server: Served) -> str:
    """Large answers that the client does not read."""
    body = json.dumps({"text": "max(" + "min(1 2 3) " * 4000 + ")", "nodes": 4000}).encode()
    links = [server.send(HEAD.format(len(body)).encode() + body) for _ in range(60)]
    time.sleep(SECONDS)
    for link in links:
        if link is not None:
            link.close()
    return f"60 answers; {server.memory():.0f} MB"


def sockets(server: Served) -> str:
    from websockets.sync.client import connect

    end = time.monotonic() + SECONDS
    text = json.dumps({"do": "analyse", "id": 1, "game": "chess", "time": 60})
    count = [0]

    def run() -> None:
        with suppress(Exception), connect(f"ws://127.0.0.1:{server.port}/ws") as page:
            while time.monotonic() < end:
                page.send(text)
                count[0] += 1
                time.sleep(0.002)

    workers = [threading.Thread(target=run, daemon=True) for _ in range(30)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(SECONDS + 5)
    return f"30 pages, {count[0]:,} messages"


ATTACKS: dict[str, Attack] = {
    "nothing": nothing,
    "tree texts that are slow to parse": trees,
    "positions that are slow to parse": positions,
    "trees of 200,000 leaves": wide,
    "exports of 200,000 leaves": exports,
    "bodies of 2.8 MB": bodies,
    "bodies in chunks of one byte": chunks,
    "half-sent headers": half_sent(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"),
    "half-sent bodies": half_sent(
        b"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    ),
    "answers that the client does not read": unread,
    "websockets that send requests without pause": sockets,
}


def under_attack(name: str) -> Row:
    found: dict[str, Any] = {}
    with serving() as server, reading(server, found):
        note = ATTACKS[name](server)
    worst = max(found["worst"])
    each = "page {:.2f} s, games {:.2f} s, position {:.2f} s".format(*found["worst"])
    return Row(
        f"slowest answer: {name}", worst, None, "s", target=f"<= {LIMIT} s",
        met=worst <= LIMIT and not found["lost"],
        note=f"{each}; {found['count']} asked, {found['lost']} without an answer; {note}",
    )  # fmt: skip


# -- fairness --------------------------------------------------------------------------------------
def starved_class() -> Row:
    """Two analyses of 60 s, restarted when they end, and ten analyses of half a second."""
    from websockets.sync.client import connect

    waits: list[float] = []
    busy = [0]

    def analyse(source: str, seconds: float, note: list[float] | None) -> None:
        with suppress(Exception), connect(address, source_address=(source, 0)) as page:
            start = time.monotonic()
            asked = {"do": "analyse", "id": 1, "game": "othello", "time": seconds}
            page.send(json.dumps(asked))
            while (kind := json.loads(page.recv(timeout=70))["kind"]) not in ("done", "busy"):
                pass
            if note is not None and kind == "done":
                note.append(time.monotonic() - start)
            elif note is not None:
                busy[0] += 1

    def hog(source: str) -> None:
        while time.monotonic() < end:
            analyse(source, 60.0, None)

    with serving("--searches", "2") as server:
        address = f"ws://127.0.0.1:{server.port}/ws"
        end = time.monotonic() + 25
        hogs = [threading.Thread(target=hog, args=(f"127.0.0.{i}",), daemon=True) for i in (2, 3)]
        for thread in hogs:
            thread.start()
        time.sleep(1)
        pupils = [threading.Thread(target=analyse, args=(f"127.0.1.{i}", 0.5, waits), daemon=True)
                  for i in range(1, 11)]  # fmt: skip
        for thread in pupils:
            thread.start()
        for thread in pupils:
            thread.join(25)
    return Row("ten analyses of 0.5 s beside two of 60 s: done", len(waits), None, "", target="10",
               met=len(waits) == 10,
               note=f"slowest {max(waits, default=0):.1f} s; {busy[0]} busy")  # fmt: skip


def erased_games() -> Row:
    """Store 20,000 games, start 50 more, and count how many of the others are deleted."""
    with serving(games=19_999) as server:
        statuses = [server.ask("POST", "/api/plays", {"game": "nim"}) for _ in range(50)]
        db = sqlite3.connect(server.data)
        (left,) = db.execute("SELECT COUNT(*) FROM plays WHERE id LIKE 'g%'").fetchone()
        db.close()
    return Row("games of other visitors deleted", 19_999 - left, None, "", target="0",
               met=left == 19_999, note=f"{statuses.count(200)} of 50 games started")  # fmt: skip


# -- leaving and ending ----------------------------------------------------------------------------
def departure() -> Row:
    """The server's work after a client has left a tree of 200,000 leaves."""
    body = json.dumps({"text": WIDE}).encode()
    with serving() as server:
        server.ask("POST", "/api/tree", {"text": "max(1 2)"})
        link = server.send(HEAD.format(len(body)).encode() + body)
        time.sleep(1.5)
        if link is not None:
            link.close()
        time.sleep(1.5)
        before = server.cpu
        time.sleep(2)
        spent = server.cpu - before
    return Row("work in 2 s after the client has left", spent, None, "s", target="<= 0.2 s",
               met=spent <= 0.2, note="a tree of 200,000 leaves")  # fmt: skip


def ended(name: str, begin: Callable[[Served], Any], *arguments: str) -> Row:
    """Seconds from Ctrl-C to the end of the process."""
    with serving(*arguments) as server:
        kept = begin(server)
        time.sleep(1.5)
        start = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        try:
            code: object = server.process.wait(15)
        except subprocess.TimeoutExpired:
            code = "still running"
        took = time.monotonic() - start
        del kept
    return told(Row(f"Ctrl-C: {name}", took, None, "s", target=f"<= {LAST:g} s", met=took <= LAST,
                    note=f"exit code {code}"))  # fmt: skip


def asks(path: str, body: Any) -> Callable[[Served], Any]:
    def begin(server: Served) -> Any:
        threads = [threading.Thread(target=server.ask, args=("POST", path, body), daemon=True)
                   for _ in range(3)]  # fmt: skip
        for thread in threads:
            thread.start()
        return threads

    return begin


def analyses(game: str) -> Callable[[Served], Any]:
    def begin(server: Served) -> Any:
        from websockets.sync.client import connect

        stack = ExitStack()
        pages = [stack.enter_context(connect(f"ws://127.0.0.1:{server.port}/ws")) for _ in range(3)]
        for page in pages:
            page.send(json.dumps({"do": "analyse", "id": 1, "game": game, "time": 60}))
        return stack.pop_all(), pages

    return begin


def endings() -> list[Row]:
    half = [b"GET / HTTP/1.1\r\n", b"POST /api/tree HTTP/1.1\r\nContent-Length: 9\r\n\r\n"]
    return [
        ended("idle", lambda _: None),
        ended("searches", analyses("chess")),
        ended("searches of Python rules", analyses("slow.py:Slow"), "slow.py:Slow"),
        ended("half-sent requests", lambda s: [s.send(half[i % 2]) for i in range(50)]),
        ended("trees of 200,000 leaves", asks("/api/tree", {"text": WIDE})),
        ended("long exports", asks("/api/tree/export", {"text": WIDE, "format": "text"})),
        ended("hard trees", asks("/api/tree", {"text": "max(" + "1" * 400 + "x)"})),
    ]


def measure() -> list[Row]:
    rows = []
    for name in ATTACKS:
        rows.append(told(under_attack(name)))
    for other in (starved_class, erased_games, departure):
        rows.append(told(other()))
    return [*rows, *endings()]


def told(row: Row) -> Row:
    print(f"{row.what}: {row.ours:.2f} {row.unit}; {row.note}", file=sys.stderr)
    return row


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read_pages(int(sys.argv[2]))
    else:
        common.main(measure, __doc__)
