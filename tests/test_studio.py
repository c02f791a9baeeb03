"""The studio's server: what it answers, what it refuses, what it survives."""

from __future__ import annotations

import contextlib
import json
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.errors import TreeSyntaxError
from zermelo.game import facts_of
from zermelo.games import GAMES
from zermelo.view.number import worth

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from websockets.exceptions import ConnectionClosed, InvalidStatus

from studio import OWN_GAMES, Server, hear, running, say
from zermelo.web import Limits
from zermelo.web.app import STATIC
from zermelo.web.plays import replay
from zermelo.web.store import Store

LIMITS = Limits(time=2.0, table=16, searches=2, waiting=6, patience=1.5, body=200_000)
TWO_PLY = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("studio") / "games.sqlite", limits=LIMITS) as found:
        yield found


def own(tmp_path: Path, name: str) -> str:
    file = tmp_path / "own_games.py"
    file.write_text(OWN_GAMES, "utf-8")
    return f"{file}:{name}"


# -- the page and what keeps it closed -----------------------------------------------------------
def test_every_answer_is_closed_to_others(server: Server) -> None:
    for path in ("/", "/static/studio.js", "/static/steps.js", "/api/games", "/nothing"):
        headers = server.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


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
    for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
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
    with contextlib.suppress(ConnectionError):
        assert b"413" in link.recv(4096).split(b"\r\n")[0]
    link.close()
    assert server.get("/api/games").status == 200


def test_broken_trees_are_underlined_where_the_parser_stops(server: Server) -> None:
    rng, seen = random.Random(5), 0
    for _ in range(60):
        at = rng.randrange(len(TWO_PLY))
        text = TWO_PLY[:at] + rng.choice(["", ")", "(", ",", "x", "max", "#"]) + TWO_PLY[at + 1 :]
        got = server.post("/api/tree", {"text": text})
        try:
            zermelo.tree(text)
        except TreeSyntaxError as e:
            seen += 1
            assert got.status == 400
            assert (got.json["message"], got.json["position"]) == (e.message, e.position)
        else:
            assert got.status == 200, text
    assert seen > 20


# -- trees ---------------------------------------------------------------------------------------
def test_a_tree_and_all_its_steps_in_one_answer(server: Server) -> None:
    one = server.post("/api/tree", {"text": TWO_PLY, "algorithm": "alphabeta"}).json
    assert (one["value"], one["leaves"]["visited"], one["leaves"]["cut"]) == ("3", 7, 2)
    trace = zermelo.search(zermelo.tree(TWO_PLY), trace=True).trace
    assert trace is not None
    assert one["order"] == [f"{leaf.value:g}" for leaf in trace.leaves]
    assert one["steps"][-1]["t"].startswith("value 3")
    plain = server.post("/api/tree", {"text": TWO_PLY, "algorithm": "minimax", "cut": "strict"})
    assert plain.json["leaves"]["visited"] == 9


def test_a_tree_from_a_game(server: Server) -> None:
    asked = {"game": "tic-tac-toe", "position": "XO./XO./...", "depth": 2, "algorithm": "minimax"}
    got = server.post("/api/tree", asked).json
    game = zermelo.load("tic-tac-toe")
    state = game.parse_state("XO./XO./...")
    right = zermelo.search(game, state, "minimax", depth=2, trace=True)
    assert right.trace is not None and got["nodes"] == len(right.trace.nodes)


@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<svg"), ("html", b"<!doctype html>"), ("text", b"MAX 3")]
)
def test_exports(server: Server, kind: str, start: bytes) -> None:
    got = server.post("/api/tree/export", {"text": TWO_PLY, "format": kind})
    assert got.status == 200 and got.body.startswith(start)
    assert got.headers["content-disposition"].startswith("attachment")


def test_a_large_tree_is_folded(tmp_path: Path) -> None:
    rng = random.Random(1)

    def grow(depth: int) -> str:
        if not depth:
            return str(rng.randrange(100))
        return f"{('max', 'min')[depth % 2]}({' '.join(grow(depth - 1) for _ in range(6))})"

    with running(tmp_path / "games.sqlite") as server:
        got = server.post("/api/tree", {"text": grow(5), "algorithm": "minimax"})
    assert got.status == 200 and got.json["nodes"] == (6**6 - 1) // 5
    assert len(got.json["up"]) <= 700 and "folded away" in got.json["notes"]
    assert len(got.body) < 5_000_000


# -- games ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [g.name for g in GAMES])
def test_a_random_game_of_persons_follows_the_rules(server: Server, name: str) -> None:
    rng, game = random.Random(name), zermelo.load(name)
    hidden = facts_of(game).hidden
    view = server.post("/api/plays", {"game": name, "side": -1, "opponent": "person"}).json
    for _ in range(40):
        s = state_of(server, view)
        if view["turn"] == "over":
            assert view["outcome"] and len(view["utilities"]) == game.players
            break
        assert view["svg"].startswith("<svg")
        actions = list(game.actions(s))
        assert [m["text"] for m in view["moves"]] == [game.format_action(a, s) for a in actions]
        move = rng.randrange(len(actions))
        squares = set(re.findall(r'data-square="([^"]*)"', view["svg"]))
        if squares and view["moves"][move]["text"] != "pass":
            assert set(view["moves"][move]["places"]) <= squares
        after = game.result(s, actions[move])
        body = {"move": move, "version": view["version"]}
        view = server.post(f"/api/plays/{view['id']}/move", body).json
        if game.is_terminal(after) or game.player(after) != zermelo.CHANCE:
            assert hidden or view["position"] == game.format_state(after)
    again = server.get(f"/api/plays/{view['id']}").json
    assert again == view


def state_of(server: Server, view: dict[str, Any]) -> Any:
    """The state that the server has."""
    return replay(server.studio.catalog, server.studio.store.get(view["id"]))[1][-1]


def reply(server: Server, view: dict[str, Any]) -> dict[str, Any]:
    with server.talk() as page:
        say(page, do="watch", play=view["id"])
        say(page, do="go", id=1, play=view["id"])
        got = hear(page, "play", "error")
        assert got["kind"] == "play", got
        found: dict[str, Any] = got["play"]
        return found


@pytest.mark.parametrize("strength", [{"time": 0.1}, {"depth": 2}, {"level": 1}, {"level": 10}])
def test_the_server_replies_at_every_strength(server: Server, strength: dict[str, Any]) -> None:
    view = server.post("/api/plays", {"game": "connect-four", "side": 1, **strength}).json
    assert view["turn"] == "engine"
    after = reply(server, view)
    assert after["turn"] == "you" and len(after["history"]) == 1
    undone = server.post(f"/api/plays/{view['id']}/undo", {"version": after["version"]})
    assert undone.status == 400  # the person has not moved yet
    move = {"move": 3, "version": after["version"]}
    after = server.post(f"/api/plays/{view['id']}/move", move).json
    assert after["turn"] == "engine"
    early = server.post(f"/api/plays/{view['id']}/move", {"move": 0, "version": after["version"]})
    assert early.status == 400 and "not your turn" in early.json["message"]
    back = server.post(f"/api/plays/{view['id']}/undo", {"version": after["version"]}).json
    assert back["turn"] == "you" and len(back["history"]) == 1


def test_two_pages_on_one_game(server: Server) -> None:
    view = server.post("/api/plays", {"game": "nim", "side": -1, "opponent": "person"}).json
    with server.talk() as one, server.talk() as two:
        for page in (one, two):
            say(page, do="watch", play=view["id"])
            say(page, do="analyse", id=1, game="nim", time=0.05)  # so that it is watching by now
            hear(page, "done")
        path = f"/api/plays/{view['id']}/move"
        first = server.post(path, {"move": 0, "version": view["version"]})
        late = server.post(path, {"move": 1, "version": view["version"]})
        assert (first.status, late.status) == (200, 409) and late.json == first.json
        for page in (one, two):
            assert hear(page, "play")["play"] == first.json


def test_two_changes_at_once_are_one(server: Server) -> None:
    view = server.post("/api/plays", {"game": "nim", "side": -1, "opponent": "person"}).json
    body, statuses = {"move": 0, "version": view["version"]}, []

    def push() -> None:
        statuses.append(server.post(f"/api/plays/{view['id']}/move", body).status)

    threads = [threading.Thread(target=push) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(statuses) == [200, *[409] * 7]
    assert len(server.get(f"/api/plays/{view['id']}").json["history"]) == 1


# -- somebody's own rules ------------------------------------------------------------------------
def test_a_file_that_was_named(tmp_path: Path) -> None:
    spec = own(tmp_path, "Grid")
    with running(tmp_path / "games.sqlite", spec) as server:
        games = server.get("/api/games").json
        assert games["first"] == spec and games["games"][0]["game"] == spec
        view = server.post("/api/plays", {"game": spec, "side": 0, "time": 0.2}).json
        assert view["moves"][4] == {"text": "4", "places": ["4"]}
        assert view["svg"].count("data-square") == 9
        after = server.post(f"/api/plays/{view['id']}/move", {"move": 4, "version": 0}).json
        assert reply(server, after)["turn"] == "you"
        other = server.post("/api/plays", {"game": spec.replace("Grid", "Coin")})
        assert other.status == 400
    with running(tmp_path / "games.sqlite") as server:  # the same games, without the file
        gone = server.get(f"/api/plays/{view['id']}")
        assert gone.status == 400 and "runs no such file" in gone.json["message"]


def test_hidden_things_stay_hidden(tmp_path: Path) -> None:
    spec = own(tmp_path, "Secret")
    with running(tmp_path / "games.sqlite", spec) as server:
        asked = {"game": spec, "side": -1, "opponent": "person"}
        view = server.post("/api/plays", asked).json
        got = server.post(f"/api/plays/{view['id']}/move", {"move": 1, "version": 0})
        assert b"22" not in json.dumps(got.json | {"moves": []}).encode()
        assert "cannot be shown" in got.json["board"]
        with server.talk() as page:
            say(page, do="analyse", id=1, play=view["id"])
            assert "hidden" in hear(page, "error")["message"]


def test_chance_moves_by_itself(tmp_path: Path) -> None:
    spec = own(tmp_path, "Coin")
    with running(tmp_path / "games.sqlite", spec) as server:
        seen = set()
        for _ in range(20):
            view = server.post("/api/plays", {"game": spec, "opponent": "person"}).json
            got = server.post(f"/api/plays/{view['id']}/move", {"move": 0, "version": 0}).json
            assert got["player"] == 1 and len(got["history"]) == 2
            seen.add(got["history"][1]["text"])
        assert seen == {"heads", "tails"}


def test_ill_rules_are_told_in_a_sentence(tmp_path: Path) -> None:
    spec = own(tmp_path, "Broken")
    with running(tmp_path / "games.sqlite", spec) as server:
        view = server.post("/api/plays", {"game": spec, "opponent": "person"}).json
        got = server.post(f"/api/plays/{view['id']}/move", {"move": 0, "version": 0})
        assert got.status == 500 and "these rules are ill" in got.json["message"]
        with server.talk() as page:
            say(page, do="analyse", id=1, game=spec)
            assert "these rules are ill" in hear(page, "error")["message"]


# -- searches ------------------------------------------------------------------------------------
def test_analysis_streams_and_agrees_with_search(server: Server) -> None:
    game = zermelo.load("connect-four")
    right = zermelo.search(game, game.parse_state("4455"), depth=6)
    with server.talk() as page:
        say(page, do="analyse", id=7, game="connect-four", position="4455", depth=6, lines=1000)
        first = hear(page, "depth", "done")
        done = first if first["kind"] == "done" else hear(page, "done")
    assert done["id"] == 7
    assert done["value"] == worth(right.value, right.kind, right.distance, "win")
    assert done["line"][0] == game.format_action(right.action, right.state)
    assert len(done["moves"]) == 7 and "player 0 wins" in done["explain"]


def test_no_request_outlasts_the_limit(server: Server) -> None:
    with server.talk() as page:
        start = time.monotonic()
        say(page, do="analyse", id=1, game="chess", time=1e9)
        done = hear(page, "done", seconds=20)
        assert done["stopped"] == "time" and done["elapsed"] < LIMITS.time + 1
        say(page, do="analyse", id=2, game="chess", depth=1000)
        assert hear(page, "done", seconds=20)["elapsed"] < LIMITS.time + 1
        assert time.monotonic() - start < 18


def free(server: Server) -> int:
    found: int = server.studio.desk.free._value
    return found


def wait_free(server: Server, count: int, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while free(server) != count:
        assert time.monotonic() < end, "a search outlived its client"
        time.sleep(0.02)


def test_a_search_ends_when_its_client_leaves(tmp_path: Path) -> None:
    limits = Limits(time=600, searches=2)
    with running(tmp_path / "games.sqlite", limits=limits) as server:
        for leave in ("close", "stop", "kill"):
            page = server.talk().__enter__()
            say(page, do="analyse", id=1, game="chess", time=600)
            hear(page, "depth")
            assert free(server) == 1
            if leave == "stop":
                say(page, do="stop")
            elif leave == "kill":
                page.socket.shutdown(socket.SHUT_RDWR)
            else:
                page.close()
            wait_free(server, 2)


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
    wait_free(server, 2)


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


# -- lasting -------------------------------------------------------------------------------------
def start(*arguments: str) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = re.search(r":(\d+)/", process.stdout.readline())
    assert port
    return process, int(port[1])


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "games.sqlite"
    process, port = start("--data", str(data))
    one = Server("", port, None)
    view = one.post("/api/plays", {"game": "othello", "side": -1, "opponent": "person"}).json
    for _ in range(5):
        body = {"move": 0, "version": view["version"]}
        view = one.post(f"/api/plays/{view['id']}/move", body).json
    process.kill()
    process.wait()
    process, port = start("--data", str(data))
    assert Server("", port, None).get(f"/api/plays/{view['id']}").json == view
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert process.stderr is not None and "Traceback" not in process.stderr.read()


def test_the_oldest_games_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.web import store as module

    monkeypatch.setattr(module, "MOST_GAMES", 3)
    kept = Store(tmp_path / "games.sqlite")
    plays = [module.Play("nim") for _ in range(5)]
    for play in plays:
        kept.add(play)
        time.sleep(0.002)
    assert kept.get(plays[4].id) == plays[4]
    with pytest.raises(zermelo.UsageError):
        kept.get(plays[1].id)


@pytest.mark.parametrize(
    "arguments",
    [["nosuchgame"], ["--port", "99999"], ["--max-time", "0"], ["--searches", "0"],
     ["--data", "/dev/null/x"], ["--host", "no.such.host.invalid"], ["missing.py:Game"]],
)  # fmt: skip
def test_command_line_errors(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zermelo.cli import main

    monkeypatch.setattr(sys, "argv", ["zermelo", "serve", "--no-browser", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == 2 and said.out == ""
    assert "error: " in said.err and "hint: " in said.err and "Traceback" not in said.err


def test_a_port_that_is_taken(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    test_command_line_errors(["--port", str(server.port)], monkeypatch, capsys)
