"""The studio as a program: killed and started again, and its command line."""

from __future__ import annotations

import signal
import sqlite3
import sys
import time
from pathlib import Path

import pytest

import zermelo

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from studio import Server, start
from zermelo.ui.web import Limits
from zermelo.ui.web.limits import Busy
from zermelo.ui.web.store import Session, Store
from zermelo.ui.web.visitors import Visitor


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


def add_games(kept: Store, visitor: Visitor, count: int, limits: Limits) -> list[Session]:
    plays = [Session("nim") for _ in range(count)]
    for play in plays:
        kept.add(play, visitor, limits)
        time.sleep(0.002)
    return plays


def test_the_oldest_games_of_a_visitor_are_dropped(tmp_path: Path) -> None:
    kept = Store(tmp_path / "games.sqlite")
    plays = add_games(kept, Visitor("a", "1"), 5, Limits(games_per_visitor=3))
    assert kept.get(plays[4].id) == plays[4]
    with pytest.raises(zermelo.UsageError):
        kept.get(plays[1].id)


@pytest.mark.parametrize("most", ["games", "games_per_address", "games_per_visitor"])
def test_no_visitor_can_drop_the_games_of_another(tmp_path: Path, most: str) -> None:
    kept = Store(tmp_path / "games.sqlite")
    limits = Limits(**{most: 6})
    theirs = add_games(kept, Visitor("a", "1"), 3, limits)
    mine = add_games(kept, Visitor("b", "1"), 20, limits)
    assert [kept.get(play.id) for play in theirs] == theirs
    assert kept.get(mine[-1].id) == mine[-1]
    if most != "games_per_visitor":  # with other cookies, too
        for name in "cdef":
            with pytest.raises(Busy):
                add_games(kept, Visitor(name, "1"), 1, limits)
        assert [kept.get(play.id) for play in theirs] == theirs


def test_a_full_store_drops_games_that_were_left_long_ago(tmp_path: Path) -> None:
    kept = Store(tmp_path / "games.sqlite")
    limits = Limits(games=3)
    add_games(kept, Visitor("a", "1"), 3, limits)
    kept.db.execute("UPDATE plays SET updated = 0")
    assert add_games(kept, Visitor("b", "2"), 1, limits)


def test_a_full_address_drops_abandoned_games_of_that_address(tmp_path: Path) -> None:
    """A thousand games with other cookies must not lock everybody at an address out for good."""
    kept = Store(tmp_path / "games.sqlite")
    limits = Limits(games_per_address=4)
    plays = [add_games(kept, Visitor(name, "1"), 1, limits)[0] for name in "abcd"]
    kept.put(plays[0])  # somebody has moved here
    kept.db.execute("UPDATE plays SET updated = updated - 3600 WHERE id != ?", (plays[3].id,))
    assert add_games(kept, Visitor("e", "1"), 1, limits)
    assert {p.id for p in plays if is_kept(kept, p)} == {plays[0].id, plays[3].id}
    kept.db.execute("UPDATE plays SET updated = updated - 90000")
    add_games(kept, Visitor("f", "1"), 4, limits)
    assert not any(is_kept(kept, p) for p in plays)


def is_kept(kept: Store, play: Session) -> bool:
    try:
        return kept.get(play.id).id == play.id
    except zermelo.UsageError:
        return False


def test_games_of_an_older_version_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    old = sqlite3.connect(path)
    old.execute(
        "CREATE TABLE plays (id TEXT PRIMARY KEY, game TEXT, position TEXT, side INTEGER,"
        " opponent TEXT, time REAL, depth INTEGER, level INTEGER, moves TEXT, version INTEGER,"
        " updated REAL)"
    )
    old.execute("INSERT INTO plays VALUES ('x','nim','',0,'auto',NULL,NULL,NULL,'[]',0,1.0)")
    old.commit()
    old.close()
    kept = Store(path)
    assert kept.get("x") == Session("nim", id="x")
    add_games(kept, Visitor("a", "1"), 1, Limits())


def test_only_the_owner_can_read_the_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.touch(0o644)
    for file in (path, tmp_path / "new.sqlite"):
        kept = Store(file)
        add_games(kept, Visitor("a", "1"), 1, Limits())
        for made in tmp_path.glob(file.name + "*"):
            assert made.stat().st_mode & 0o777 == 0o600, made.name


@pytest.mark.parametrize(
    "arguments",
    [["nosuchgame"], ["--port", "99999"], ["--max-time", "0"], ["--searches", "0"],
     ["--data", "/dev/null/x"], ["--host", "no.such.host.invalid"], ["missing.py:Game"]],
)  # fmt: skip
def test_command_line_errors(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zermelo.ui.cli.main import main

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
