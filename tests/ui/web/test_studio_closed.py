"""What the studio refuses: other pages, files of the machine, what is misshapen or too large."""

from __future__ import annotations

import contextlib
import re
import socket
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from websockets.exceptions import InvalidStatus

from studio import Server, say
from zermelo.ui.web.app import STATIC, VIEW

TWO_PLY = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


def test_every_answer_is_closed_to_others(server: Server) -> None:
    for path in ("/", "/static/studio.js", "/static/steps.js", "/api/games", "/nothing"):
        headers = server.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


def test_every_module_is_fetched_at_once() -> None:
    """A page that finds its modules one after the other opens later."""
    page = (STATIC / "index.html").read_text("utf-8")
    told = set(re.findall(r'modulepreload" href="/static/([\w.]+)"', page)) | {"studio.js"}
    needed, todo = {"studio.js"}, ["studio.js"]
    while todo:
        name = todo.pop()
        folder = STATIC if (STATIC / name).exists() else VIEW
        found = set(re.findall(r'^import .* from "\./([\w.]+)"', (folder / name).read_text(), re.M))
        todo += found - needed
        needed |= found
    assert told == needed


def test_nothing_inline_and_nothing_from_elsewhere() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|<style|javascript:", page)
    for file in STATIC.iterdir():
        text = file.read_text("utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), file.name


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/steps.py",
        "/static/steps./../steps_html.py",
        "/static/steps.js%00.py",
        "/..%5c..%5cetc/passwd",
    ],
)
def test_no_file_of_the_machine(server: Server, path: str) -> None:
    got = server.get(path)
    assert got.status in (400, 404) and b"import" not in got.body and b"root:" not in got.body


@pytest.mark.parametrize(
    "spec",
    ["mine.py:Game", "/etc/passwd", "chess:x.py:Y", "../x.py:G", "open_spiel:hex", "", "max(1 2)",
     "nim:piles=/etc/passwd", "nim:piles=..", "nim:piles=" + Path(__file__).name,
     "chess:" + "a" * 500],
)  # fmt: skip
def test_only_games_that_were_named(server: Server, spec: str) -> None:
    got = server.post("/api/plays", {"game": spec})
    assert got.status in (400, 422) and got.json["message"]


def test_other_pages_may_not_ask(server: Server) -> None:
    evil = ({"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"})  # fmt: skip
    for headers in evil:
        got = server.ask("POST", "/api/plays", {"game": "nim"}, headers)
        assert got.status == 403 and got.json["message"]
    with pytest.raises(InvalidStatus):
        server.talk(origin="http://evil.example")
    with server.talk(origin=server.url.rstrip("/")) as page:
        say(page, do="stop")


# -- wrong input ---------------------------------------------------------------------------------
WRONG: list[tuple[str, Any]] = [
    ("/api/plays", {"game": "nim", "side": 7}),
    ("/api/plays", {"game": "nim", "opponent": "nobody"}),
    ("/api/plays", {"game": "nim", "time": -1}),
    ("/api/plays", {"game": "nim", "depth": 10**9}),
    ("/api/plays", {"game": "nim", "level": 11}),
    ("/api/plays", {"game": "nim", "surprise": 1}),
    ("/api/plays", {"game": "chess", "position": "not a position"}),
    ("/api/plays", {"game": "tic-tac-toe:m=99"}),
    ("/api/plays", {"game": 5}),
    ("/api/plays", []),
    ("/api/plays/nobody/undo", {"version": 0}),
    ("/api/position", {"game": "nim", "moves": [99999]}),
    ("/api/position", {"game": "chess", "position": "x" * 30_000}),
    ("/api/tree", {}),
    ("/api/tree", {"text": "7"}),
    ("/api/tree", {"text": TWO_PLY, "algorithm": "engine"}),
    ("/api/tree", {"text": TWO_PLY, "nodes": 10**6}),
    ("/api/tree", {"game": "nim", "depth": 65}),
    ("/api/tree/export", {"text": TWO_PLY, "format": "exe"}),
]


@pytest.mark.parametrize(("path", "body"), WRONG)
def test_wrong_input_gets_a_sentence(server: Server, path: str, body: Any) -> None:
    got = server.post(path, body)
    assert got.status in (400, 422)
    assert got.json["message"] and "Traceback" not in got.json["message"]


def test_bodies_that_are_no_json(server: Server) -> None:
    for body in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"game": NaN}', b"null"):
        assert server.ask("POST", "/api/plays", body).status in (400, 422), body[:20]


def test_oversized_bodies(server: Server) -> None:
    assert server.ask("POST", "/api/tree", b"x" * 200_001).status == 413
    link = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    link.sendall(
        b"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"4000\r\n" + b"y" * 0x4000 + b"\r\n"
    try:
        for _ in range(40):  # more than the limit, its length never told
            link.sendall(chunk)
    except OSError:
        pass  # it may hang up first
    with contextlib.suppress(ConnectionError):  # chunks are refused before the first is read
        assert b"400" in link.recv(4096).split(b"\r\n")[0]
    link.close()
    assert server.get("/api/games").status == 200
