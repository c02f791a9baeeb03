"""The studio's searches: they stream, end with their page, and leave the server free."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from pathlib import Path

import pytest

import zermelo
from zermelo.view.number import worth

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from websockets.exceptions import ConnectionClosed

from studio import LIMITS, Server, hear, running, say
from zermelo.ui.web import Limits
from zermelo.ui.web.executor import Executor, Stop
from zermelo.ui.web.visitors import Visitor


def test_analysis_streams_and_agrees_with_search(server: Server) -> None:
    game = zermelo.load("connect-four")
    right = zermelo.search(game, game.parse_state("4455"), depth=6)
    with server.talk() as page:
        say(page, do="analyse", id=7, game="connect-four", position="4455", depth=6, lines=1000)
        first = hear(page, "depth", "done")
        done = first if first["kind"] == "done" else hear(page, "done")
    assert done["id"] == 7
    assert done["value"] == worth(right.value, right.kind, right.distance, "win")
    assert done["line"][0] == game.format_action(right.state, right.action)
    assert len(done["moves"]) == 7 and "Red wins with best play" in done["explain"]


def test_no_request_outlasts_the_limit(server: Server) -> None:
    with server.talk() as page:
        start = time.monotonic()
        say(page, do="analyse", id=1, game="chess", time=1e9)
        done = hear(page, "done", seconds=20)
        assert done["stopped"] == "time" and done["elapsed"] < LIMITS.time + 3
        say(page, do="analyse", id=2, game="chess", depth=1000)
        assert hear(page, "done", seconds=20)["elapsed"] < LIMITS.time + 3
        assert time.monotonic() - start < 18


def at_work(server: Server) -> int:
    found: int = server.studio.searches.at_work
    return found


def wait_idle(server: Server, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while at_work(server):
        assert time.monotonic() < end, "a search outlived its client"
        time.sleep(0.02)


def test_a_search_ends_when_its_client_leaves(tmp_path: Path) -> None:
    limits = Limits(time=600, searches=2)
    with running(tmp_path / "games.sqlite", limits=limits) as server:
        for leave in ("close", "stop", "kill"):
            page = server.talk().__enter__()
            say(page, do="analyse", id=1, game="chess", time=600)
            hear(page, "depth")
            assert at_work(server) == 1
            if leave == "stop":
                say(page, do="stop")
            elif leave == "kill":
                page.socket.shutdown(socket.SHUT_RDWR)
            else:
                page.close()
            wait_idle(server)


@pytest.mark.parametrize("ticks", range(8))
def test_a_client_leaves_just_when_its_turn_comes(ticks: int) -> None:
    """A turn that comes in the same moment must not make the server forget that it left."""

    async def scene() -> bool:
        executor, goes_on = Executor(1, waiting=2, patience=15, seconds=60), threading.Event()
        somebody = Visitor("a", "b")
        ended = threading.Event()

        def long(stop: Stop) -> None:
            while not stop() and not ended.wait(0.001):
                pass

        first = asyncio.create_task(executor.run(somebody, lambda _: goes_on.wait(20)))
        second = asyncio.create_task(executor.run(somebody, long))
        await asyncio.sleep(0.01)
        goes_on.set()
        time.sleep(0.02)  # the loop stands still until the first search has really ended
        for _ in range(ticks):
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait({first, second}, timeout=1)
        try:
            return await asyncio.wait_for(executor.run(somebody, lambda _: True), 5)
        finally:
            ended.set()
            executor.close()

    assert asyncio.run(scene())


def test_fifty_at_once_get_an_answer_or_busy(server: Server) -> None:
    kinds: list[str] = []

    def one() -> None:
        with server.talk() as page:
            say(page, do="analyse", id=1, game="othello", time=1.0)
            kinds.append(hear(page, "done", "busy", "error", seconds=40)["kind"])

    threads = [threading.Thread(target=one) for _ in range(50)]
    for t in threads:
        t.start()
    while len(kinds) < 25:
        assert server.get("/api/games").status == 200  # it still answers
        time.sleep(0.05)
    for t in threads:
        t.join()
    assert set(kinds) == {"done", "busy"} and len(kinds) == 50
    wait_idle(server)


@pytest.mark.parametrize(
    "message",
    ["", "{", "null", "[]", '"go"', '{"do": "fly"}', '{"do": {"a": 1}}', '{"do": "go"}',
     '{"do": "go", "id": -1, "play": "x"}', '{"do": "analyse", "id": 1}',
     '{"do": "analyse", "id": 1, "game": "chess", "time": NaN}',
     '{"do": "analyse", "id": 1, "game": "mine.py:G"}', "[" * 50_000],
)  # fmt: skip
def test_broken_messages(server: Server, message: str) -> None:
    with server.talk() as page:
        page.send(message)
        assert hear(page, "error")["message"]
        say(page, do="analyse", id=3, game="nim", time=0.05)
        assert hear(page, "done")["id"] == 3


def test_broken_websockets(server: Server) -> None:
    with server.talk() as page:
        page.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            page.recv(timeout=10)
    with server.talk() as page:
        page.send(b"\x00\xff")
        with pytest.raises(ConnectionClosed):
            page.recv(timeout=10)
    link = socket.create_connection(("127.0.0.1", server.port))
    link.sendall(b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n\r\n\xff\xff")
    link.close()
    assert server.get("/api/games").status == 200
