"""Attack the studio and measure how long a page waits, and how soon Ctrl-C stops the server.

Each attack runs for some seconds against its own server, over loopback and from the address of the
reader whose page is measured. This is the worst case for the reader. The reader is a separate
process that requests the page, the list of games and a position in a loop, each on a new
connection. The server may open 1,024 files, the usual limit.

To measure another version: PYTHONPATH=OTHER/src python benchmarks/attacks.py
"""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import common
from common import Row
from studio_server import Served, reading, serving

LIMIT = 0.5  # seconds of the slowest page
LAST = 2.0  # seconds from Ctrl-C to the end
SECONDS = 6.0  # of an attack


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
    target = f"<= {LAST:g} s"
    note = f"exit code {code}"
    row = Row(f"Ctrl-C: {name}", took, None, "s", target=target, met=took <= LAST, note=note)
    return reported(row)


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
        rows.append(reported(under_attack(name)))
    for other in (starved_class, erased_games, departure):
        rows.append(reported(other()))
    return [*rows, *endings()]


def reported(row: Row) -> Row:
    """The row, printed as progress."""
    print(f"{row.what}: {row.ours:.2f} {row.unit}; {row.note}", file=sys.stderr)
    return row


if __name__ == "__main__":
    common.main(measure, __doc__)
