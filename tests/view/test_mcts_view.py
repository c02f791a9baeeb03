"""Monte Carlo search step by step: the trace is what happened, and the views tell it."""

from __future__ import annotations

import itertools
import json
import math
import random
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import oracle
import zermelo
from zermelo.view.steps_html import steps_html
from zermelo.view.steps_text import steps_text, tree_text
from zermelo.view.tree_svg import tree_svg

TREES = [
    "max(min(3 12 8) min(2 4 6) min(14 5 2))",
    "max(chance(min(2 4) min(7 4)) chance(min(6 0) min(5 -2)))",
    "p1(p2(p3((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1))) p2(p3((5,1,1) (1,5,2)) p3((7,7,1) (5,4,5))))",
]
PHASES = ["select", "expand", "simulate", "update"]


def traced(text: str, **options: Any) -> Any:
    return zermelo.search(zermelo.tree(text), algorithm="mcts", trace=True, **options)


def check_story(trace: Any, simulations: int) -> None:
    """Phases come in their order, and the statistics are those of a replay."""
    visits = [0] * len(trace.nodes)
    kinds = [e.kind for e in trace.events]
    assert kinds.count("simulate") == simulations == trace.simulations
    for before, after in itertools.pairwise(kinds):
        allowed = {
            "select": ("select", "expand", "simulate"),
            "expand": ("select",),
            "simulate": ("update",),
            "update": ("update", "select", "expand", "simulate"),
        }
        assert after in allowed[before], (before, after)
    for e in trace.events:
        if e.kind == "update":
            visits[e.node] += 1
            assert e.visits == visits[e.node]
    assert [n.visits for n in trace.nodes] == visits
    for n in trace.nodes:
        below = sum(visits[c] for c in n.children)
        assert below == max(0, visits[n.id] - 1) or not n.children


@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("solver", [True, False])
def test_the_story(text: str, solver: bool) -> None:
    r = traced(text, simulations=40, solver=solver, seed=3)
    check_story(r.trace, r.nodes)
    assert r.exact == solver


def test_each_choice_has_the_greatest_bound() -> None:
    rng = random.Random(6)
    chosen = 0
    for seed in range(60):
        node = oracle.random_tree(rng, 3, -9, 9)
        r = traced(oracle.text_of(node), simulations=60, solver=False, explore=0.5, seed=seed)
        for e in r.trace.events:
            if e.kind != "select" or e.child not in e.bounds:
                continue
            sign = 1 if r.trace.nodes[e.node].player == 0 else -1
            most = max(sign * b for b in e.bounds.values())
            assert math.isclose(sign * e.bounds[e.child], most, abs_tol=1e-4)
            chosen += 1
    assert chosen > 500


def test_tracing_changes_nothing() -> None:
    rng = random.Random(2)
    for seed in range(50):
        text = oracle.text_of(oracle.random_tree(rng, 4, -9, 9))
        plain = zermelo.search(zermelo.tree(text), algorithm="mcts", simulations=50, seed=seed)
        r = traced(text, simulations=50, seed=seed)
        assert r.moves == plain.moves and r.nodes == plain.nodes
        root = r.trace.nodes[0]
        assert r.nodes < 2 or r.trace.nodes[root.best].action == r.action


def test_native_games_too() -> None:
    r = zermelo.search(zermelo.load("tic-tac-toe"), algorithm="mcts", simulations=50, trace=True)
    check_story(r.trace, 50)
    assert "simulate: playout of" in "\n".join(steps_text(r.trace))


def test_in_words() -> None:
    told = "\n".join(steps_text(traced(TREES[0], simulations=30).trace))
    for words in ("is unvisited", "expand: 3 children", "simulate: terminal state: 3",
                  "back up: 1 visit", "upper bound", "proved, exactly 3"):  # fmt: skip
        assert words in told, told
    assert told.splitlines()[-1] == "mcts: value 3, best move 1; " + (
        f"{traced(TREES[0], simulations=30).nodes} simulations"
    )
    chance = "\n".join(steps_text(traced(TREES[1], simulations=30).trace))
    assert "chance samples" in chance and "0.5" in chance


@pytest.mark.parametrize("text", TREES)
def test_pictures(text: str) -> None:
    trace = traced(text, simulations=25, solver=False).trace
    assert "×25" in tree_text(trace)
    svg = tree_svg(trace)
    ET.fromstring(svg)
    assert "UCB" in svg and "×25" in svg
    for step in (1, 10, len(trace.events)):
        ET.fromstring(tree_svg(trace, step=step))


def test_the_page() -> None:
    page = steps_html(traced(TREES[0], simulations=25).trace, title="two-ply")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    kinds = {s["k"] for s in data["steps"]}
    assert set(PHASES) <= kinds and not data["windows"]
    assert any("UCB" in str(c[2]) for s in data["steps"] for c in s.get("d", []))


def test_a_long_record_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setattr(sys.modules["zermelo.search.defaults"], "TRACE_NODES", 20)
    r = zermelo.search(zermelo.load("tic-tac-toe"), algorithm="mcts", simulations=50, trace=True)
    assert r.trace.truncated and len(r.trace.nodes) <= 20 and r.nodes == 50
    assert "trace limit reached" in "\n".join(steps_text(r.trace))


# -- the command line ----------------------------------------------------------------------------
def test_tree_command(run: Any, tmp_path: Path) -> None:
    done = run("tree", TREES[0], "--algorithm", "mcts", "--steps")
    assert done.code == 0 and "select:" in done.out
    page = tmp_path / "page.html"
    done = run("tree", TREES[0], "-a", "mcts:simulations=9,explore=2", "--html", str(page))
    assert done.code == 0 and "9 simulations" in done.out and page.stat().st_size > 10_000


def test_analyze_command(run: Any) -> None:
    words = ("analyze", "connect-four", "--algorithm", "mcts:simulations=3000", "--json", "--seed")
    done = run(*words, "4")
    found = json.loads(done.out)
    assert found["nodes"] == 3000 and found["algorithm"] == "mcts" and found["seed"] == 4
    assert sum(m["visits"] for m in found["moves"]) == 2999
    told = [json.loads(line) for line in done.err.splitlines()]
    assert told[-1]["nodes"] == 3000 and len(told) >= 2
    assert run("analyze", "connect-four", "-a", "uct", "--nodes", "200").code == 0
    assert run("algorithms", "uct").out.startswith("mcts: ")


def test_play_and_match_commands(run: Any) -> None:
    words = ("play", "tic-tac-toe", "--opponent", "mcts:simulations=200", "--side", "1")
    played = run(*words, stdin="quit\n")
    assert played.code == 0 and "mcts:simulations=200" in played.out
    done = run("match", "tic-tac-toe", "mcts:simulations=300", "random", "--games", "10", "--json")
    assert json.loads(done.out)["score"] > 0.6
