"""The studio's trees: searched once, folded and unfolded, taken elsewhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import zermelo
from zermelo.errors import TreeSyntaxError

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from studio import Server, running

TWO_PLY = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


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
