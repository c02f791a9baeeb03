"""Hidden information in the studio: a page learns what its seat sees, and nothing else."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import zermelo
from zermelo.game import CHANCE

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from studio import Server, hear, say
from zermelo.ui.web.sessions import options_at, replay
from zermelo.ui.web.views import position_view, who

GAMES = [
    "battleships:size=5,fleet=3,2",
    "holdem",
    "stratego:board=barrage",
    "kriegspiel",
    "liars-dice",
    "blind-tic-tac-toe",
    "kuhn",
    "leduc",
    "bridge:tricks=4,cards=hidden",
    "scrabble",
]
LEAVES = [  # ways out of seat 0
    {"side": 1},
    {"side": -1},
    {"side": 0, "opponent": "person"},
    {"side": -1, "opponent": "person"},
]


def begin(server: Server, game: str, **more: Any) -> dict[str, Any]:
    asked = {"game": game, "opponent": "ismcts", "time": 0.05, **more}
    view: dict[str, Any] = server.post("/api/plays", asked).json
    assert "id" in view, view
    return view


def seen_by(server: Server, key: str, seat: int) -> dict[str, Any]:
    """What the seat sees, from the rules alone."""
    game, states = replay(server.studio.catalog, server.studio.store.get(key))
    return position_view(game, states[-1], seat, seat)


def post_go(server: Server, view: dict[str, Any]) -> list[dict[str, Any]]:
    """All messages until the opponent has moved."""
    with server.talk() as page:
        say(page, do="watch", play=view["id"])
        say(page, do="go", id=1, play=view["id"])
        told = [hear(page, "depth", "done", "play", "error", seconds=30)]
        while told[-1]["kind"] not in ("play", "error"):
            told.append(hear(page, "depth", "done", "play", "error", seconds=30))
        return told


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_cannot_be_left_in_a_hidden_game(server: Server, game: str) -> None:
    """Not for the other's seat, nor for all seats at once, at no moment of the game."""
    view, rng = begin(server, game), random.Random(game)
    for _ in range(6):
        for leave in LEAVES:
            path = f"/api/plays/{view['id']}/opponent"
            got = server.post(path, {"version": view["version"], **leave})
            assert got.status == 400 and "change sides" in got.json["message"], leave
        assert server.get(f"/api/plays/{view['id']}").json == view  # nothing has changed
        stronger = {"version": view["version"], "opponent": view["opponent"], "time": 0.1}
        view = server.post(f"/api/plays/{view['id']}/opponent", stronger).json  # a strength may
        assert view["side"] == 0
        if view["turn"] == "over":
            break
        if view["turn"] == "engine":
            view = post_go(server, view)[-1]["play"]
            continue
        move = {"move": rng.randrange(len(view["moves"])), "version": view["version"]}
        view = server.post(f"/api/plays/{view['id']}/move", move).json


@pytest.mark.parametrize("game", GAMES)
def test_no_move_of_a_hidden_game_is_taken_back(server: Server, game: str) -> None:
    """A shot that is taken back has still been answered."""
    view = begin(server, game)
    while view["turn"] == "engine":
        view = post_go(server, view)[-1]["play"]
    after = server.post(f"/api/plays/{view['id']}/move", {"move": 0, "version": view["version"]})
    got = server.post(f"/api/plays/{view['id']}/undo", {"version": after.json["version"]})
    assert got.status == 400 and "hidden information" in got.json["message"]


@pytest.mark.parametrize("game", ["holdem", "battleships:size=5,fleet=3,2"])
def test_every_answer_shows_the_own_seat_only(server: Server, game: str) -> None:
    """Two windows, old versions, the opponent's search and its analysis: always the same view."""
    rng = random.Random(game)
    for side in (0, 1):
        view = begin(server, game, side=side, opponent="pimc", time=0.4)
        for _ in range(5):
            own = json.loads(json.dumps(seen_by(server, view["id"], side)))
            assert {k: view[k] for k in own} == own
            stale = server.post(f"/api/plays/{view['id']}/move", {"move": 0, "version": 10**6})
            assert stale.status == 409 and stale.json == view  # a window that is behind
            with server.talk() as page:
                say(page, do="analyse", id=1, play=view["id"], lines=1000)
                assert "hidden" in hear(page, "error", "done", "depth")["message"]
            if view["turn"] == "over":
                break
            if view["turn"] == "engine":
                told = post_go(server, view)
                assert [m["kind"] for m in told] == ["play"]  # no values, no lines
                view = told[-1]["play"]
                continue
            move = {"move": rng.randrange(len(view["moves"])), "version": view["version"]}
            view = server.post(f"/api/plays/{view['id']}/move", move).json


@pytest.mark.parametrize("game", GAMES)
def test_views_of_states_that_look_alike_are_equal(game: str) -> None:
    """The view must be a function of the observation: random states, and samples of their twins."""
    rules, rng, twins = zermelo.load(game), random.Random(7), 0
    sample = getattr(rules, "sample", None)
    known: dict[Any, tuple[Any, str]] = {}
    for _ in range(150 if sample is None else 12):
        s = rules.initial()
        for _ in range(60):
            mover = who(rules, s)
            if mover >= 0:
                p = rng.randrange(2)
                key = (p, repr(rules.observation(s, p)))
                text = json.dumps(position_view(rules, s, p, p), sort_keys=True)
                other = known.setdefault(key, (s, text))
                if sample is not None:
                    twin = sample(s, p, rng)
                    other = (twin, json.dumps(position_view(rules, twin, p, p), sort_keys=True))
                    assert repr(rules.observation(twin, p)) == key[1]
                assert text == other[1]
                twins += other[0] != s
            elif mover != CHANCE:
                break
            s = rules.result(s, rng.choice(options_at(rules, s)))
    assert twins > 10


def test_persons_at_one_screen_see_the_hand_of_the_mover_only(server: Server) -> None:
    """After a fold the cards of the one who folded are seen, by the one who sits there."""
    for _ in range(4):
        view = begin(server, "kuhn", side=-1, opponent="person")
        for text in ("bet", "pass"):
            mover = view["player"]
            assert seen_by(server, view["id"], mover)["svg"] == view["svg"]
            index = [m["text"] for m in view["moves"]].index(text)
            move = {"move": index, "version": view["version"]}
            view = server.post(f"/api/plays/{view['id']}/move", move).json
        assert view["turn"] == "over"
        assert view["svg"] == seen_by(server, view["id"], 1)["svg"]
