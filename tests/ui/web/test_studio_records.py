"""Resigning, score estimates and game records, by HTTP."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import zermelo

pytest.importorskip("fastapi", reason="the studio needs fastapi")

from studio import Server, running
from zermelo.ui.web import Limits


def new(server: Server, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = server.post("/api/plays", {"opponent": "person"} | options).json
    return found


def change(server: Server, view: dict[str, Any], what: str, **body: Any) -> Any:
    return server.post(f"/api/plays/{view['id']}/{what}", body | {"version": view["version"]})


# -- resigning -------------------------------------------------------------------------------------
@pytest.mark.parametrize("side", [0, 1])
def test_the_person_resigns_whoever_moves(server: Server, side: int) -> None:
    view = new(server, game="othello", opponent="auto", side=side)
    view = change(server, view, "resign").json
    winner = ("Black", "White")[1 - side]
    assert view["turn"] == "over" and view["outcome"].endswith(f"{winner} wins.")
    assert view["final"] == 1 - (1 - side) and view["moves"] == []


def test_the_player_to_move_resigns_if_people_play_all_sides(server: Server) -> None:
    view = new(server, game="go:size=7", side=-1)
    view = change(server, view, "move", move=3).json
    assert change(server, view, "resign").json["outcome"] == "White resigned. Black wins."


def test_after_a_resignation_nothing_is_played(server: Server) -> None:
    view = change(server, new(server, game="chess"), "resign").json
    assert change(server, view, "move", move=0).json["message"] == "the game is over"
    assert change(server, view, "resign").json["message"] == "the game is over"
    again = change(server, view, "undo").json
    assert again["turn"] == "you" and len(again["moves"]) == 20 and not again["resigned"]


def test_hidden_cards_stay_hidden_after_a_resignation(server: Server) -> None:
    view = new(server, game="kuhn", opponent="auto", side=0)
    ended = change(server, view, "resign").json
    assert ended["turn"] == "over" and ended["svg"].count('class="rank"') <= 1
    assert ended["position"] == "" and ended["history"] == []


def test_games_of_one_or_many_players_are_not_resigned(server: Server) -> None:
    for game in ("2048", "nim:players=3"):
        view = new(server, game=game)
        assert not view["resigns"]
        answer = change(server, view, "resign")
        assert answer.status == 400 and "two players" in answer.json["message"]


def test_a_resignation_is_stored(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with running(data) as server:
        view = new(server, game="go")
        change(server, view, "resign")
    with running(data) as server:
        stored = server.get(f"/api/plays/{view['id']}").json
        assert stored["outcome"] == "Black resigned. White wins."
    with sqlite3.connect(data) as db:
        assert db.execute("SELECT resigned FROM plays").fetchall() == [(0,)]


# -- the score -------------------------------------------------------------------------------------
ROWS = "/".join(["...X.O..."] * 9)


def test_a_finished_game_is_scored_without_dead_stones(server: Server) -> None:
    rows = ROWS.replace("...X.O...", "...X.O.X.", 1)
    view = server.post("/api/position", {"game": "go", "position": f"{rows} black pass pass"}).json
    game: Any = zermelo.load("go")
    margin = game.final_margin(game.parse_state(f"{rows} black pass pass"))
    assert view["outcome"] == f"White wins by {-margin:g} points." and view["final"] == 0
    assert view["end"] == "1 dead stone removed: H9"


def test_the_estimate_of_a_position_and_of_a_saved_game(server: Server) -> None:
    asked = {"game": "go:komi=0.5", "position": f"{ROWS} black"}
    by_position = server.post("/api/estimate", asked).json
    by_game = server.post("/api/estimate", {"play": new(server, **asked)["id"]}).json
    assert by_position == by_game and 40 < len(by_position["owners"]) <= 81
    assert by_position["owners"]["A5"] > 0.6 and by_position["owners"]["J5"] < -0.6
    assert by_position["text"].startswith("Score estimate: ")


@pytest.mark.parametrize(("body", "message"), [
    ({"game": "othello"}, "othello does not estimate the score"),
    ({"game": "kuhn"}, "hidden"), ({}, "no game was chosen"), ({"game": "go", "moves": [99]}, "99"),
])  # fmt: skip
def test_estimates_that_cannot_be_made(server: Server, body: Any, message: str) -> None:
    answer = server.post("/api/estimate", body)
    assert answer.status == 400 and message in answer.json["message"]


def test_the_reason_of_an_illegal_move(server: Server) -> None:
    place = {"game": "go", "position": "E5"}
    key = new(server, **place)["id"]
    for asked in (place, {"play": key}):
        for square, text in (("E5", "E5: the point is occupied"), ("D4", "")):
            assert server.post("/api/illegal", asked | {"square": square}).json == {"text": text}
    hidden = server.post("/api/illegal", {"game": "kuhn", "square": "x"})
    assert hidden.status == 400 and "hidden" in hidden.json["message"]


# -- records ---------------------------------------------------------------------------------------
def test_a_record_is_read_and_written(server: Server) -> None:
    text = "(;SZ[9]KM[6.5]RU[Japanese]AB[aa]PL[W];W[ee];B[](;W[cc])(;W[gg]))"
    record = server.post("/api/record/read", {"game": "go", "text": text}).json
    assert [line["texts"] for line in record["lines"]] == [
        ["E5", "pass", "C7"], ["E5", "pass", "G3"]]  # fmt: skip
    place = {k: record[k] for k in ("game", "position")} | {"moves": record["lines"][1]["moves"]}
    shown = server.post("/api/position", place).json
    assert shown["history"] == ["E5", "pass", "G3"]
    written = server.post("/api/record/write", place)
    assert written.headers["content-disposition"] == 'attachment; filename="game.sgf"'
    again = server.post("/api/record/read", {"game": "go", "text": written.body.decode()}).json
    assert again == record | {"lines": [record["lines"][1]]}


@pytest.mark.parametrize(("text", "message"), [
    ("", "line 1, column 1: no game found"),
    ("(;SZ[9];B[ee]\n;W[ee])", "line 2, column 1: white plays E5: the point is occupied"),
    ("(;GM[3])", "line 1, column 2: GM[3] (chess) is not Go"),
])  # fmt: skip
def test_bad_records_are_explained(server: Server, text: str, message: str) -> None:
    answer = server.post("/api/record/read", {"game": "go", "text": text})
    assert answer.status == 400 and answer.json["message"] == message


def test_chess_has_pgn(server: Server) -> None:
    text = '[White "Ann"] 1. e4 e5 (1... c5) 2. Nf3 *'
    record = server.post("/api/record/read", {"game": "chess", "text": text}).json
    assert [line["texts"] for line in record["lines"]] == [["e4", "e5", "Nf3"], ["e4", "c5"]]
    place = {"game": record["game"], "moves": record["lines"][0]["moves"]}
    written = server.post("/api/record/write", place)
    assert written.headers["content-disposition"] == 'attachment; filename="game.pgn"'
    assert written.body == b"1. e4 e5 2. Nf3 *\n"


def test_a_record_may_not_be_longer_than_a_game(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=Limits(plies=2)) as server:
        answers = [
            server.post("/api/record/read", {"game": "go", "text": f"(;SZ[9]{moves})"})
            for moves in (";B[aa];W[bb]", ";B[aa];W[bb];B[cc]")
        ]
    assert [answer.status for answer in answers] == [200, 400]
    assert answers[1].json["message"] == "the game is too long: at most 2 moves"


def test_games_without_records(server: Server) -> None:
    assert server.get("/api/about?game=go").json["record"] == "SGF"
    assert server.get("/api/about?game=nim").json["record"] == ""
    for path, body in (("read", {"text": "x"}), ("write", {})):
        answer = server.post(f"/api/record/{path}", {"game": "nim"} | body)
        assert answer.status == 400 and answer.json["message"] == "nim has no game records"
