"""The studio's trees: searched once, folded and unfolded, taken elsewhere."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import zermelo
from zermelo.errors import TreeSyntaxError
from zermelo.search.algorithms import shared_option

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from studio import Server, grown, running

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


@pytest.mark.parametrize("option", ["cut", "fail"])
def test_options_are_validated_by_the_option_table(server: Server, option: str) -> None:
    table = shared_option(option)
    for choice in (*table.choices, *table.value_aliases):
        assert server.post("/api/tree", {"text": TWO_PLY, option: choice}).status == 200
    for wrong in ("never", "", "x" * 1000, 1):
        refused = server.post("/api/tree", {"text": TWO_PLY, option: wrong})
        assert refused.status in (400, 422) and refused.json["message"].startswith(f"{option}: ")
    refused = server.post("/api/tree", {"text": TWO_PLY, option: "never"})
    assert refused.json["message"] == f"{option}: expected {table.accepted}"


def test_a_tree_whose_nodes_look_alike(server: Server) -> None:
    """Matching pennies, the second not seeing the first's coin."""
    pennies = "max(h=min#b(h=1 t=-1) t=min#b(h=-1 t=1))"
    got = server.post("/api/tree", {"text": pennies}).json
    assert got["algorithm"] == "cfr+" and got["svg"].count('class="i"') == 2  # and in the legend
    assert abs(float(got["value"].strip("≈"))) < 0.01 and "equilibrium" in got["why"]
    odds = [float(p) for p in re.findall(r"[ht] · ([\d.]+)<", got["svg"])]
    assert len(odds) == 6 and all(abs(p - 0.5) < 0.03 for p in odds)
    assert "unseen" not in re.sub(r"<style>.*?</style>", "", got["svg"], flags=re.S)
    seen = server.post("/api/tree", {"text": pennies.replace("#b", "")}).json
    assert seen["algorithm"] == "alphabeta" and seen["value"] == "-1"


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


def test_exports_are_what_is_seen(server: Server) -> None:
    asked = {"text": TWO_PLY, "algorithm": "alphabeta", "format": "svg", "closed": [1]}
    whole = server.post("/api/tree/export", asked).body
    assert b"+3" in whole and b"step 4 of" not in whole
    early = server.post("/api/tree/export", asked | {"step": 4}).body
    assert b"step 4 of" in early
    assert b"+3" in server.post("/api/tree/export", asked | {"format": "html"}).body


def test_a_large_tree_is_folded(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite") as server:
        got = server.post("/api/tree", {"text": grown(6, 5), "algorithm": "minimax"})
    assert got.status == 200 and got.json["nodes"] == (6**6 - 1) // 5
    assert len(got.json["up"]) <= 700 and "folded subtrees" in got.json["notes"]
    assert len(got.body) < 5_000_000


def test_a_folded_box_opens_and_closes(server: Server) -> None:
    text = grown(6, 5)
    one = server.post("/api/tree", {"text": text, "algorithm": "alphabeta"}).json
    stub = next(n for n in one["node"] if n < 0)
    asked = {"key": one["key"], "opened": [[~stub, 24]]}
    more = server.post("/api/tree/fold", asked).json
    assert stub not in more["node"] and set(one["node"]) - {stub} < set(more["node"])
    assert more["steps"][-1]["e"] == one["steps"][-1]["e"]  # the same search
    told = {(s["e"], s["k"]): s["t"] for s in more["steps"]}
    assert all(told[s["e"], s["k"]] == s["t"] for s in one["steps"] if "m" not in s)
    closed = server.post("/api/tree/fold", asked | {"closed": [0]}).json
    assert closed["node"] == [0, ~0] and closed["steps"][-1]["k"] == "end"
    whole = server.post("/api/tree", {"text": text, "algorithm": "alphabeta", **asked})
    assert whole.status == 422  # a tree has no key: what is opened goes with it
    asked.pop("key")
    again = server.post("/api/tree", {"text": text, "algorithm": "alphabeta", **asked}).json
    assert again["node"] == more["node"] and again["steps"] == more["steps"]


def test_a_wide_node_opens_by_and_by(server: Server) -> None:
    wide = "max(" + " ".join(f"min({i} {i % 7})" for i in range(900)) + ")"
    one = server.post("/api/tree", {"text": wide, "algorithm": "minimax", "nodes": 30}).json
    shown = sum(up == 0 for up in one["up"]) - 1
    asked = {"key": one["key"], "nodes": 30, "opened": [[0, shown + 24]]}
    more = server.post("/api/tree/fold", asked).json
    assert sum(up == 0 for up in more["up"]) - 1 == shown + 24
    assert -1 in more["node"]  # what is left is still a box
    all_open = asked | {"opened": [[0, 10**6], *([i, 9] for i in range(1, 1900))]}
    assert server.post("/api/tree/fold", all_open).status == 200
    assert server.post("/api/tree/fold", all_open | {"opened": [[0, -1]]}).status == 422
    gone = server.post("/api/tree/fold", asked | {"key": "nobody's"})
    assert gone.status == 410 and gone.json["hint"]


def test_the_traces_that_are_kept_are_bounded(server: Server) -> None:
    from zermelo.ui.web import trees

    cache = server.studio.trace_cache
    for i in range(40):
        text = "max(" + " ".join(f"min({i} {j})" for j in range(300)) + ")"
        assert server.post("/api/tree", {"text": text}).status == 200
    kept = len(cache.trees)
    weights = sum(map(trees.size_of, cache.trees.values()))
    assert kept > 30 and weights <= trees.CACHE_SIZE
    small = trees.TraceCache()
    for cached in list(cache.trees.values())[:3]:
        small.put(cached)
    assert small.get(cached.key) is cached and small.get("nobody's") is None


def test_games_with_hidden_information_are_not_offered_as_trees(server: Server) -> None:
    names = server.get("/api/tree/games").json["games"]
    assert "tic-tac-toe" in names and "backgammon" in names
    assert not {"kuhn", "holdem", "stratego"} & set(names)
