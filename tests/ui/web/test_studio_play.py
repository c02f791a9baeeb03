"""The studio's games: their rules, the replies, two pages on one game, somebody's own rules."""

from __future__ import annotations

import json
import random
import re
import threading
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.game import facts_of
from zermelo.games import GAMES

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from studio import OWN_GAMES, Server, hear, running, say
from zermelo.ui.web.sessions import replay


def own(tmp_path: Path, name: str) -> str:
    file = tmp_path / "own_games.py"
    file.write_text(OWN_GAMES, "utf-8")
    return f"{file}:{name}"


@pytest.mark.parametrize("name", GAMES)
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
        assert [m["text"] for m in view["moves"]] == [game.format_action(s, a) for a in actions]
        move = rng.randrange(len(actions))
        squares = set(re.findall(r'data-square="([^"]*)"', view["svg"]))
        if squares and view["moves"][move]["text"] != "pass":
            assert set(view["moves"][move]["places"]) - {""} <= squares
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


def test_the_page_is_shown_the_final_result_of_a_reply(server: Server) -> None:
    """Depths that are finished within milliseconds are skipped, but not the last one."""
    view = server.post("/api/plays", {"game": "tic-tac-toe", "side": 1, "time": 5.0}).json
    with server.talk() as page:
        say(page, do="watch", play=view["id"])
        say(page, do="go", id=1, play=view["id"])
        heard = [hear(page, "depth", "play", "error")]
        while heard[-1]["kind"] == "depth":
            heard.append(hear(page, "depth", "play", "error"))
    assert heard[-1]["kind"] == "play"
    assert heard[-2]["score"] == 0.5 and heard[-2]["depth"] == 9  # a proved draw


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


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_games_with_hidden_cards_are_played_by_an_equilibrium(
    server: Server, game: str, side: int
) -> None:
    assert server.get(f"/api/about?game={game}").json["auto"] == "cfr+"
    view = server.post("/api/plays", {"game": game, "side": side}).json
    rng = random.Random(side)
    for _ in range(40):
        if view["turn"] == "over":
            folded = view["board"].endswith(("fold", "bet pass"))  # else all is shown now
            assert ('class="back"' in view["svg"]) == folded
            break
        s = state_of(server, view)
        words = zermelo.load(game).format_state(s).split()
        known = [words[side], *(w for w in words[2:] if w in ("J", "Q", "K"))]
        shown = re.findall(r'class="rank"[^>]*>([^<]*)<', view["svg"])
        assert sorted(shown) == sorted(known) and view["history"] == []
        assert view["position"] == "" and view["board"].split()[1 - side] == "?"
        if view["turn"] == "engine":
            view = reply(server, view)
            continue
        body = {"move": rng.randrange(len(view["moves"])), "version": view["version"]}
        view = server.post(f"/api/plays/{view['id']}/move", body).json
    assert view["turn"] == "over"


@pytest.mark.parametrize(("game", "square"), [("chess", "a8"), ("checkers", "32")])
def test_the_board_is_turned_to_whoever_sits_there(server: Server, game: str, square: str) -> None:
    def top(side: int, opponent: str = "auto") -> float:
        asked = {"game": game, "side": side, "opponent": opponent}
        svg = server.post("/api/plays", asked).json["svg"]
        found = re.search(rf'data-square="{square}" x="[\d.]+" y="([\d.]+)"', svg)
        assert found
        return float(found[1])

    assert top(0) != top(1) and top(-1, "person") in (top(0), top(1))
    own_side = {"chess": 1, "checkers": 1}[game]  # whose men begin on that square
    assert top(own_side) > top(1 - own_side)  # they stand below


def test_parts_of_a_play_go_in_any_order(server: Server) -> None:
    asked = {"game": "backgammon", "position": "4HPwATDgc/ABMA 31"}
    moves = server.post("/api/position", asked).json["moves"]
    both = next(m for m in moves if m["text"] == "8/5 6/5")
    assert both["places"] == ["8", "5", "", "6", "5"]


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
        assert gone.status == 400 and "files cannot be opened" in gone.json["message"]


def test_hidden_things_stay_hidden(tmp_path: Path) -> None:
    spec = own(tmp_path, "Secret")
    with running(tmp_path / "games.sqlite", spec) as server:
        asked = {"game": spec, "side": -1, "opponent": "person"}
        view = server.post("/api/plays", asked).json
        got = server.post(f"/api/plays/{view['id']}/move", {"move": 1, "version": 0})
        # The identifier is random, and the path of the rules may contain any number.
        assert b"22" not in json.dumps(got.json | {"moves": [], "id": "", "game": ""}).encode()
        assert "cannot be shown" in got.json["board"]
        with server.talk() as page:
            say(page, do="analyse", id=1, play=view["id"])
            assert "hidden" in hear(page, "error")["message"]


SEEN = {"kuhn": 9, "battleships:size=4,fleet=2": 40, "bridge:tricks=3,cards=hidden": 20,
        "kriegspiel": 5}  # moves of the person, at most  # fmt: skip


def answer(page: Any, view: Any) -> Any:
    """What is seen after the opponent's move; the news of one's own moves come too."""
    say(page, do="go", id=1, play=view["id"])
    told = {"play": view}
    while told["play"]["version"] <= view["version"]:
        told = hear(page, "play", "error", "busy", seconds=30)
        assert told["kind"] == "play", told
    return told["play"]


@pytest.mark.parametrize("game", SEEN)
def test_games_that_hide_something_are_drawn_and_played(server: Server, game: str) -> None:
    """The opponent answers whatever happens, and only one's own view is sent."""
    view = server.post("/api/plays", {"game": game, "side": 0, "time": 0.05}).json
    rng = random.Random(4)
    with server.talk() as page:
        say(page, do="watch", play=view["id"])
        for _ in range(SEEN[game]):
            while view["turn"] == "engine":
                assert view["moves"] == []
                view = answer(page, view)
            if view["turn"] == "over":
                break
            assert view["svg"].startswith("<svg") and view["position"] == ""
            assert '<text class="t"' not in view["svg"]  # drawn, not written
            move = rng.randrange(len(view["moves"]))
            if game != "kuhn":  # its buttons are all there is
                for square in view["moves"][move]["places"]:
                    assert f'data-square="{square}"' in view["svg"]
            body = {"move": move, "version": view["version"]}
            view = server.post(f"/api/plays/{view['id']}/move", body).json


WHOLE = {
    "bridge:cards=hidden": "",  # 52 cards, four hands
    "kriegspiel": "4k3/pp6/8/8/8/8/R7/R3K3 w - - 84 60",  # ends by mate, or by fifty moves
    "holdem": "",
}


@pytest.mark.parametrize("game", WHOLE)
def test_games_that_hide_something_are_played_to_the_end(server: Server, game: str) -> None:
    asked = {"game": game, "side": 0, "time": 0.02, "opponent": "ismcts", "position": WHOLE[game]}
    view = server.post("/api/plays", asked).json
    rng, own = random.Random(6), 0
    with server.talk() as page:
        say(page, do="watch", play=view["id"])
        while view["turn"] != "over":
            if view["turn"] == "you":
                own += 1
                body = {"move": rng.randrange(len(view["moves"])), "version": view["version"]}
                view = server.post(f"/api/plays/{view['id']}/move", body).json
                continue
            view = answer(page, view)
    assert own >= (13 if game.startswith("bridge") else 1)
    assert view["outcome"] and view["utilities"]


def test_cards_stay_hidden_after_a_fold(server: Server) -> None:
    """Who folds shows nothing, and is shown nothing."""
    for _ in range(3):
        view = server.post("/api/plays", {"game": "holdem", "side": 0, "time": 0.02}).json
        fold = [m["text"] for m in view["moves"]].index("fold")
        body = {"move": fold, "version": view["version"]}
        view = server.post(f"/api/plays/{view['id']}/move", body).json
        assert view["turn"] == "over" and view["position"] == ""
        assert "??" in view["board"]


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
