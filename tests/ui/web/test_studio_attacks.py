"""The studio among visitors who want it to fail: fair turns, deadlines, limits, and an end."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import logging
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import zermelo

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from websockets.exceptions import ConnectionClosed, InvalidStatus

from studio import Server, hear, running, say, start
from zermelo.ui.web import Limits
from zermelo.ui.web.connections import LOGGED, Bounded
from zermelo.ui.web.executor import Executor, Stop, TooSlow
from zermelo.ui.web.limits import Busy
from zermelo.ui.web.server import Server as Uvicorn
from zermelo.ui.web.server import prepare, warning
from zermelo.ui.web.visitors import Visitor, network

ADA, BEN, EVE = Visitor("ada", "1"), Visitor("ben", "2"), Visitor("eve", "3")
WIDE = "max(" + " ".join(str(i % 7) for i in range(200_000)) + ")"


# -- the executor ----------------------------------------------------------------------------------
def endless(_: Stop) -> None:
    while True:
        pass


def until_stopped(stop: Stop) -> str:
    while not stop():
        time.sleep(0.005)
    return "stopped"


def executor(**more: Any) -> Executor:
    given: dict[str, Any] = {"threads": 1, "waiting": 100, "patience": 30, "seconds": 30} | more
    return Executor(**given)


def test_visitors_take_turns() -> None:
    """Ada asks ten times before Ben and Eve ask once; both come before her second."""
    order: list[str] = []

    async def scene() -> None:
        one = executor()
        go = threading.Event()
        first = asyncio.create_task(one.run(ADA, lambda _: go.wait(10)))
        await asyncio.sleep(0)
        asked = [(ADA, f"ada {i}") for i in range(10)] + [(BEN, "ben"), (EVE, "eve")]
        asked.append((Visitor("another", ADA.address), "another"))
        tasks = [
            asyncio.create_task(one.run(who, lambda _, name=name: order.append(name)))
            for who, name in asked
        ]
        await asyncio.sleep(0.05)
        go.set()
        await asyncio.gather(first, *tasks)
        one.close()

    asyncio.run(scene())
    assert order[:4] == ["ada 0", "ben", "eve", "another"]


def test_whoever_asks_for_most_is_refused_first() -> None:
    async def scene() -> tuple[list[str], object]:
        one = executor(waiting=3)
        go = threading.Event()
        first = asyncio.create_task(one.run(ADA, lambda _: go.wait(10)))
        await asyncio.sleep(0)
        many = [asyncio.create_task(one.run(ADA, lambda _: "done")) for _ in range(3)]
        await asyncio.sleep(0)
        ben = asyncio.create_task(one.run(BEN, lambda _: "ben"))
        await asyncio.sleep(0.05)
        go.set()
        found = await asyncio.gather(*many, return_exceptions=True)
        await first
        one.close()
        return [type(f).__name__ for f in found], await ben

    kinds, ben = asyncio.run(scene())
    assert kinds == ["str", "str", "Busy"] and ben == "ben"


def test_long_searches_make_room_for_others() -> None:
    """Two searches of a minute; those who wait get their turn, and the two answer early."""

    async def scene() -> float:
        two = executor(threads=2, patience=2, seconds=60)
        long = [asyncio.create_task(two.run(who, until_stopped)) for who in (ADA, BEN)]
        await asyncio.sleep(0.05)
        begun = time.monotonic()
        found = await asyncio.gather(*(two.run(Visitor(c, c), str) for c in "abcdef"))
        assert len(found) == 6
        took = time.monotonic() - begun
        assert await long[0] == "stopped"
        long[1].cancel()
        two.close()
        return took

    assert asyncio.run(scene()) < 10


def test_one_visitor_does_not_get_all_threads() -> None:
    async def scene() -> str:
        four = executor(threads=4, per_visitor=2, per_address=3)
        for who in (ADA, Visitor("more", ADA.address), Visitor("still more", ADA.address)):
            for _ in range(4):
                asyncio.create_task(four.run(who, until_stopped))  # noqa: RUF006
        await asyncio.sleep(0.05)
        assert len(four.running) == 3
        found = await asyncio.wait_for(four.run(BEN, lambda _: "ben"), 10)
        four.close()
        return found

    with contextlib.suppress(Busy):
        assert asyncio.run(scene()) == "ben"


def test_work_that_never_ends_is_interrupted() -> None:
    async def scene() -> None:
        one = executor(seconds=0.3)
        with pytest.raises(TooSlow):
            await one.run(ADA, endless)
        left = asyncio.create_task(one.run(ADA, endless))
        await asyncio.sleep(0.05)
        left.cancel()
        assert await asyncio.wait_for(one.run(BEN, lambda _: True), 10)
        for _ in range(50):  # what arrives late must not hit the next work
            with contextlib.suppress(asyncio.TimeoutError, TooSlow):
                await asyncio.wait_for(one.run(ADA, lambda _: sum(range(1000))), 0.0005)
            assert await one.run(BEN, lambda _: sum(range(1000))) == 499500
        one.close()

    asyncio.run(scene())


def test_locks_survive_an_interruption() -> None:
    lock = threading.Lock()

    def work(_: Stop) -> None:
        while True:
            with lock:
                pass

    async def scene() -> None:
        one = executor(seconds=0.05)
        for _ in range(5):
            with pytest.raises(TooSlow):
                await one.run(ADA, work)
            assert lock.acquire(timeout=1)
            lock.release()
        one.close()

    asyncio.run(scene())


def test_no_interruption_inside_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock of a module would stay held, and nobody could import it again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "slow_module.py").write_text("import time\nfor _ in range(100): time.sleep(0.01)\n")

    def work(_: Stop) -> None:
        importlib.import_module("slow_module")
        endless(_)

    async def scene() -> None:
        one = executor(seconds=0.1)
        with pytest.raises(TooSlow):
            await one.run(ADA, work)
        one.close()

    asyncio.run(scene())
    assert "slow_module" in sys.modules


# -- views -----------------------------------------------------------------------------------------
def test_two_hundred_thousand_moves_are_explained() -> None:
    begun = time.process_time()
    for text in (WIDE, "max(" + "1 " * 60_000 + ")"):
        r = zermelo.search(zermelo.tree(text))
        assert r.explain() and str(r)
    assert time.process_time() - begun < 60  # it took hours


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = Limits(time=30, searches=1, head=1.0, send=1.5, connections_per_address=40)
    data = tmp_path_factory.mktemp("attacked") / "games.sqlite"
    with running(data, limits=limits) as server:
        yield server


def idle(server: Server, seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    studio = server.studio
    while studio.searches.at_work or studio.views.at_work:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_a_wide_tree_is_answered_and_abandoned(open_server: Server) -> None:
    got = open_server.post("/api/tree", {"text": WIDE})
    assert got.status == 200 and got.json["nodes"] == 200_001
    body = json.dumps({"text": WIDE + " "}).encode()
    head = f"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    link = socket.create_connection(("127.0.0.1", open_server.port))
    link.sendall(head.encode() + body)
    end = time.monotonic() + 10
    while not open_server.studio.searches.at_work and time.monotonic() < end:
        time.sleep(0.01)
    link.close()
    assert idle(open_server)


def test_no_view_outlasts_its_limit(tmp_path: Path) -> None:
    """Rules whose board is never drawn: the page is told, and the server stays free."""
    (tmp_path / "slow.py").write_text(
        "import zermelo\n"
        "class Slow(zermelo.Game):\n"
        "    def initial(self): return 0\n"
        "    def player(self, s): return 0\n"
        "    def actions(self, s): return [1]\n"
        "    def result(self, s, a): return s + a\n"
        "    def is_terminal(self, s): return s == 3\n"
        "    def utility(self, s, p): return 0\n"
        "    def board(self, s):\n"
        "        while True: pass\n"
    )
    spec = f"{tmp_path}/slow.py:Slow"
    with running(tmp_path / "games.sqlite", spec, Limits(view=0.5, time=1)) as server:
        got = server.post("/api/position", {"game": spec})
        assert got.status == 503 and "0.5 s" in got.json["message"]
        assert server.post("/api/position", {"game": "nim"}).status == 200


# -- connections -----------------------------------------------------------------------------------
HALF = [
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    b"",
    b"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nHo",
]


def closed_after(link: socket.socket, seconds: float) -> bool:
    """Does the other side hang up within that time?"""
    link.settimeout(seconds)
    try:
        while link.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@pytest.mark.parametrize("data", HALF)
def test_half_sent_requests_are_closed(open_server: Server, data: bytes) -> None:
    link = socket.create_connection(("127.0.0.1", open_server.port))
    link.sendall(data)
    assert closed_after(link, 10)
    link.close()


@pytest.mark.parametrize("data", HALF)
def test_half_sent_requests_keep_nobody_out(open_server: Server, data: bytes) -> None:
    """Three times as many as one address may have, which is also the reader's."""
    links = [socket.create_connection(("127.0.0.1", open_server.port)) for _ in range(120)]
    for link in links:
        with contextlib.suppress(OSError):
            link.sendall(data)
    end = time.monotonic() + 5
    answered = False
    while not answered and time.monotonic() < end:
        with contextlib.suppress(OSError):  # refused while 40 requests are being answered
            answered = open_server.get("/").status == 200
    assert answered
    for link in links:
        link.close()


def test_answers_that_nobody_reads(open_server: Server) -> None:
    text = "max(" + "min(1 2 3) " * 4000 + ")"
    body = json.dumps({"text": text, "nodes": 4000}).encode()
    head = f"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", open_server.port))
    link.sendall((head.encode() + body) * 8)
    time.sleep(4)
    link.settimeout(10)
    got = 0
    with contextlib.suppress(OSError):
        while more := link.recv(1 << 20):
            got += len(more)
    link.close()
    assert got < 8 * 500_000  # it hung up in between


def test_the_log_is_bounded() -> None:
    records: list[str] = []
    logger = logging.Logger("a")
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())  # type: ignore[method-assign]
    bounded = Bounded()
    logger.addHandler(handler)
    logger.addFilter(bounded)
    for _ in range(10_000):
        logger.warning("Invalid HTTP request received.")
    assert len(records) == LOGGED
    bounded.begun -= 61
    logger.warning("again %s", 1)
    assert records[-1] == "again 1 (9,995 more messages in the last minute)"


def test_pages_of_one_address_are_limited(tmp_path: Path) -> None:
    limits = Limits(clients_per_address=2)
    with running(tmp_path / "g.sqlite", limits=limits) as server, server.talk() as one:
        say(one, do="stop")
        with server.talk() as two:
            say(two, do="stop")
            with pytest.raises((InvalidStatus, ConnectionClosed)), server.talk() as three:
                three.recv(timeout=10)


def test_a_browser_becomes_a_visitor(open_server: Server) -> None:
    first = open_server.get("/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite" in cookie
    again = open_server.ask("GET", "/", headers={"Cookie": cookie.partition(";")[0]})
    assert "set-cookie" not in again.headers
    tag = first.headers["etag"]
    assert open_server.ask("GET", "/", headers={"If-None-Match": tag}).status == 304


def test_addresses_of_one_network() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff") != network("2001:db8:0:1::1")
    assert network("::ffff:10.0.0.1") == network("10.0.0.1") != network("10.0.0.2")


# -- who may ask -----------------------------------------------------------------------------------
def test_a_server_for_others_needs_its_token(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", host="0.0.0.0") as server:
        found = re.fullmatch(r"http://[\d.]+:\d+/\?token=([\w-]{20,})", server.url)
        assert found
        assert server.get("/").status == 403
        assert server.get("/api/games").status == 403
        assert server.get("/?token=wrong").status == 403
        assert server.ask("POST", "/api/plays", {"game": "nim"}).status == 403
        with pytest.raises(InvalidStatus):
            server.talk()
        opened = server.get(f"/?token={found[1]}")
        assert opened.status == 303 and opened.headers["location"] == "/"
        cookie = opened.headers["set-cookie"].partition(";")[0]
        for path in ("/", "/static/studio.js", "/api/games"):
            assert server.ask("GET", path, headers={"Cookie": cookie}).status == 200
        evil = {"Cookie": cookie, "Origin": "http://evil.example"}
        assert server.ask("POST", "/api/plays", {"game": "nim"}, evil).status == 403
        with server.talk(additional_headers={"Cookie": cookie}) as page:
            say(page, do="analyse", id=1, game="nim", time=0.05)
            assert hear(page, "done")


def test_a_server_for_others_answers_to_its_names(tmp_path: Path) -> None:
    names = ("lab.example", "10.1.2.3")
    with running(tmp_path / "games.sqlite", host="0.0.0.0", allowed=names) as server:
        assert server.url == f"http://lab.example:{server.port}/"
        for host in ("lab.example", "LAB.example:80", "10.1.2.3", f"127.0.0.1:{server.port}"):
            assert server.ask("GET", "/", headers={"Host": host}).status == 200, host
        for host in ("evil.example", "lab.example.evil", "", "0.0.0.0"):
            assert server.ask("GET", "/", headers={"Host": host}).status == 403, host


def test_the_operator_is_warned(tmp_path: Path) -> None:
    for host, names, said in (
        ("127.0.0.1", (), ""),
        ("0.0.0.0", (), "token"),
        ("0.0.0.0", ("lab.example",), "lab.example"),
    ):
        server, bound, _ = prepare(None, host, 0, tmp_path / "x.sqlite", Limits(), names)
        found = warning(host, bound, names)
        assert found.startswith("warning: --host 0.0.0.0") == bool(said) and said in found
        bound.close()
        assert isinstance(server, Uvicorn)


@pytest.mark.parametrize("name", ["a:1", "http://x/", "*", "", "a b"])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(zermelo.UsageError, match="--allow-host"):
        prepare(None, "0.0.0.0", 0, tmp_path / "x.sqlite", Limits(), (name,))


FORMS = ["scrabble:words={}", "pacman:layout={}", "pacman:layout={},stop=yes", "nim:piles={}",
         "chess:{}"]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_no_answer_tells_whether_a_file_exists(
    open_server: Server, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").write_text("word\n")
    Path("there.efg").write_text("EFG 2 R")
    for exists, missing in (
        ("there", "wrong"),
        ("./there", "./wrong"),
        (f"{tmp_path}/there", f"{tmp_path}/wrong"),
        ("there.efg", "wrong.efg"),
        ("~root", "~nobody-has-this-name"),
        ("~root/", "~nobody-has-this-name/"),
        ("/etc/passwd", "/etc/passwords"),
    ):
        answers = []
        for word in (exists, missing):
            got = open_server.post("/api/plays", {"game": form.format(word)})
            assert got.status == 400
            answers.append(json.dumps(got.json).replace(word.rpartition("/")[2] or word, "WORD"))
            answers[-1] = answers[-1].replace(word, "WORD")
        assert answers[0] == answers[1]


# -- the end ---------------------------------------------------------------------------------------
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
