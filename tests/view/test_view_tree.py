"""The picture of a search tree: every node once, no overlaps, large trees folded."""

from __future__ import annotations

import itertools
import re
import time
import xml.etree.ElementTree as ET

import pytest

from traced_trees import (
    ALL,
    NASTY,
    SVG,
    TREES,
    TUPLES,
    TWO_PLY,
    boxes,
    chain,
    groups,
    nasty,
    texts,
    traced,
    uniform,
)
from zermelo.trace import Trace, TraceNode
from zermelo.view.folding import fold
from zermelo.view.replay import Replay
from zermelo.view.steps_html import steps_html
from zermelo.view.steps_text import steps_text, tree_text
from zermelo.view.tree_svg import tree_svg


@ALL
def test_every_node_is_drawn_once(trace: Trace) -> None:
    svg = tree_svg(trace)
    drawn = [int(g.get("data-n", "")) for g in groups(svg, "n")]
    spots = fold(trace, 150).spots
    assert drawn == list(range(len(spots)))
    assert len(groups(svg, "e")) == len(spots) - 1
    assert sum(1 if s.node is not None else s.hidden for s in spots) == len(trace.nodes)
    shown = [s.node for s in spots if s.node is not None]
    assert len(shown) == len(set(shown)) <= 150


def test_it_reads_like_the_lecture() -> None:
    svg = tree_svg(TREES["two-ply"])
    nodes = groups(svg, "n")
    values = [texts(g, "v") for g in nodes]
    assert values == ["3", "3", "3", "12", "8", "≤2", "2", "4", "6", "≤2", "14", "5", "2"]
    assert [texts(g, "v") for g in nodes if "pv" in g.get("class", "")] == ["3", "3", "3"]
    assert [texts(g, "v") for g in nodes if "struck" in g.get("class", "")] == ["4", "6"]
    assert [texts(g, "c") for g in nodes if texts(g, "c")] == ["2 ≤ α 3"]
    assert texts(nodes[5], "w") == "[3, 2]"
    assert [texts(g, "l") for g in groups(svg, "top")] == ["2", "3"]
    assert len([g for g in groups(svg, "top") if len(list(g.iter(f"{SVG}line"))) == 1]) == 2
    root = ET.fromstring(svg)
    assert root.get("role") == "img" and root.find(f"{SVG}title") is not None
    assert "cuts when value >= beta" in (root.findtext(f"{SVG}desc") or "")
    assert "cuts when value ≥ β" in svg and "7 of 9 leaves visited, 2 branches cut" in svg


def test_chance_and_many_players() -> None:
    svg = tree_svg(TREES["odds"])
    assert len(groups(svg, "chance")) == 2
    assert [texts(g, "l") for g in groups(svg, "e")][:4] == ["safe", "0.9", "0.1", "bold"]
    players = [texts(g, "p") for g in groups(tree_svg(TREES["tuples"]), "other")]
    assert players == ["p1", "p2", "p3", "p3", "p2", "p3", "p3"]
    unknown = traced(TUPLES, "maxn")
    for n in unknown.nodes:
        n.value = None
    for e in unknown.events:
        e.value = None
    ET.fromstring(tree_svg(unknown))
    assert "value" not in list(steps_text(unknown))[-1]
    steps_html(unknown)


@ALL
@pytest.mark.parametrize("step", [None, 12])
def test_no_texts_overlap(trace: Trace, step: int | None) -> None:
    found = sorted(boxes(tree_svg(trace, step=step)))
    width = float(re.search(r'viewBox="0 0 (\d+)', tree_svg(trace, step=step))[1])  # type: ignore[index]
    for i, a in enumerate(found):
        assert a[0] >= 0 and a[2] <= width + 1, a
        for b in itertools.takewhile(lambda b, a=a: b[0] < a[2], found[i + 1 :]):
            assert a[3] <= b[1] or b[3] <= a[1], (a, b)


@ALL
def test_parents_stand_above_the_middle_of_their_children(trace: Trace) -> None:
    ends = {}
    for g in groups(tree_svg(trace), "e"):
        points = next(iter(g.iter(f"{SVG}polyline"))).get("points", "").split()
        ends[int(g.get("data-n", ""))] = [float(v) for p in points for v in p.split(",")]
    spots = fold(trace, 150).spots
    for spot in spots:
        if spot.children:
            first, last = ends[spot.children[0]], ends[spot.children[-1]]
            assert abs((first[-2] + last[-2]) / 2 - first[0]) < 0.2
        assert all(ends[c][1] < ends[c][-1] for c in spot.children)


@ALL
def test_steps_add_up(trace: Trace) -> None:
    """The last step's picture is the final one; nothing is struck out before its cut."""
    final = tree_svg(trace)
    last = tree_svg(trace, step=len(trace.events))
    told = ("v", "w", "c")
    assert [[texts(g, k) for k in told] for g in groups(last, "n")] == [
        [texts(g, k) for k in told] for g in groups(final, "n")
    ]
    assert len(groups(last, "top")) == len(groups(final, "top"))
    assert len(groups(last, "cur")) == 1
    cuts = [k for k, e in enumerate(trace.events, 1) if e.kind == "cut"]
    if cuts:
        before = tree_svg(trace, step=cuts[0] - 1)
        assert not groups(before, "struck") and not groups(before, "top")
    start = tree_svg(trace, step=0)
    inner = [
        g for g in groups(start, "n") if not {"leaf", "stub"} & set(g.get("class", "").split())
    ]
    assert all("unseen" in g.get("class", "") and not texts(g, "v") for g in inner)
    assert not groups(start, "cur") and tree_svg(trace, step=-5) == start
    assert tree_svg(trace, step=10**9) == last


def test_a_bound_in_hand_is_not_a_promise() -> None:
    """MAX whose only child failed low has no lower bound yet: "2…", not "≥2"."""
    trace = traced("max(min(5 6) min(max(min(2 9) min(9 9)) 1))")
    replay = Replay(trace, fold(trace, 150))
    seen = []
    for event in trace.events:
        replay.apply(event)
        seen += [replay.looks[replay.place[event.node]].value] if event.kind == "backup" else []
    assert "2…" in seen and "≥2" not in seen and "≥5" in seen


def test_unknown_branches_do_not_show_before_they_are_cut() -> None:
    trace = traced(TWO_PLY)
    for n in trace.nodes:
        if n.status == "pruned":
            n.value = None
    assert 'class="zt auto grow"' in tree_svg(trace, step=5)
    assert 'class="zt auto"' in tree_svg(TREES["two-ply"], step=5)


def test_themes_and_width() -> None:
    trace = TREES["two-ply"]
    assert "prefers-color-scheme" in tree_svg(trace)
    light, dark = tree_svg(trace, theme="light"), tree_svg(trace, theme="dark")
    assert "var(" not in light + dark and light != dark
    assert 'width="800"' in tree_svg(trace, width=800)
    assert tree_svg(trace) == tree_svg(trace)


def test_labels_cannot_break_out() -> None:
    for step in (None, 20):
        root = ET.fromstring(tree_svg(nasty(), step=step))
        assert not list(root.iter(f"{SVG}img")) and not list(root.iter("img"))
    page = steps_html(nasty(), title=NASTY)
    assert page.count("<script") == page.count("</script") == 2
    assert "<img" not in page
    assert all(c.isprintable() for line in steps_text(nasty()) for c in line)
    assert "\x1b" not in tree_text(nasty())


def test_empty_and_single() -> None:
    empty = Trace("minimax", [], [])
    ET.fromstring(tree_svg(empty))
    assert tree_text(empty) == "" and list(steps_text(empty))
    assert "<svg" in steps_html(empty)
    one = Trace("minimax", [TraceNode(0, None, None, "", -2, 0, leaf="terminal", value=-0.0)], [])
    assert [texts(g, "v") for g in groups(tree_svg(one), "n")] == ["0"]


def test_large_traces_fold_quickly() -> None:
    trace = uniform(58, 3, algorithm="minimax")
    assert len(trace.nodes) > 198_000
    start = time.process_time()
    svg = tree_svg(trace)
    page = steps_html(trace)
    lines = sum(1 for _ in itertools.islice(steps_text(trace), 10_000))
    assert time.process_time() - start < 15
    assert lines == 10_000 and len(svg) < 300_000 and len(page) < 5_000_000
    assert len(groups(svg, "n")) <= 300
    for most in (1, 2, 10, 151):
        spots = fold(trace, most).spots
        assert sum(s.node is not None for s in spots) <= most
        assert sum(s.hidden or 1 for s in spots) == len(trace.nodes)
    best = [texts(g, "v") for g in groups(svg, "n") if "pv" in g.get("class", "")]
    assert len(best) == 4 and len(set(best)) == 1  # the whole best line is shown


def test_deep_chain() -> None:
    trace = chain(100_000)
    start = time.process_time()
    ET.fromstring(tree_svg(trace))
    ET.fromstring(tree_svg(trace, step=150_000))
    assert len(steps_html(trace)) < 5_000_000
    assert max(len(line) for line in steps_text(trace)) < 300
    assert len(tree_text(trace)) < 200_000
    assert time.process_time() - start < 40


def test_page_is_capped() -> None:
    trace = chain(500)
    trace.events *= 40
    page = steps_html(trace)
    assert len(page) < 5_000_000
    assert re.search(r"this page contains the first [\d,]+ of [\d,]+ steps", page)
