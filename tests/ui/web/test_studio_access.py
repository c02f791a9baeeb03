"""Access to the studio: token, host names, and no word about files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import zermelo

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")
from websockets.exceptions import InvalidStatus

from studio import Server, hear, running, say
from zermelo.ui.web import Limits
from zermelo.ui.web.server import Server as Uvicorn
from zermelo.ui.web.server import prepare, warning


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


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("access") / "games.sqlite") as server:
        yield server


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
