"""The studio and clients that attack it: wide trees, slow and half-sent requests, limits."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import zermelo

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")
from websockets.exceptions import ConnectionClosed, InvalidStatus

from attack_requests import HALF, WIDE
from studio import Server, running, say
from zermelo.ui.web import Limits
from zermelo.ui.web.connections import LOGGED, Bounded
from zermelo.ui.web.visitors import network


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
