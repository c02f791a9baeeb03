"""The studio as a program: killed and started again, and its command line."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

import zermelo

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from studio import Server, start
from zermelo.web.store import Store


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
