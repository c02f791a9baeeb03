"""The views of a search tree: pictures, steps in words, the page that steps through a search."""

from __future__ import annotations

import html
import itertools
import json
import math
import re
import shutil
import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo.trace import Trace, TraceEvent, TraceNode
from zermelo.view.folding import fold
from zermelo.view.layout import text_width
from zermelo.view.number import bounded, number, pretty, probability, window
from zermelo.view.replay import Replay
from zermelo.view.steps_html import steps_html
from zermelo.view.steps_text import steps_text, tree_text
from zermelo.view.tree_svg import tree_svg

TWO_PLY = "max(a1=min(3 12 8) a2=min(2 4 6) a3=min(14 5 2))"
LUGER = "max(min(max(2 3) max(5 9)) min(max(0) max(7 4)) min(max(2 1) max(5 6)))"
FOUR_LEVEL = (
    "max(min(max(min(5 6) min(7 4 5)) max(min(3))) min(max(min(6) min(6 9)) max(min(7))) "
    "min(max(min(5)) max(min(9 8) min(6))))"
)
THREE_PLY = "max(L=min(L=max(L=3 R=5) R=max(L=6 R=9)) R=min(L=max(L=1 R=2) R=max(L=0 R=-1)))"
COIN = "max(chance(min(2 4) min(7 4)) chance(min(6 0) min(5 -2)))"
ODDS = "max(safe=chance(0.9:2 0.1:3) bold=chance(1/3:min(1 5) 1/6:4 1/2:-12))"
TUPLES = (
    "p1(p2(p3((1,6,6) (7,1,2)) p3((6,1,2) (7,2,1))) p2(p3((5,1,7) (1,5,2)) p3((7,7,1) (5,2,5))))"
)
PLAYERS = {"max": 0, "min": 1, "chance": -1}


# -- a small search that fills in a trace, as the real one does --------------------------------
def parse(text: str) -> list[TraceNode]:
    """A tree in the textbook's notation; leaves hold their values."""
    nodes: list[TraceNode] = []
    stack: list[int] = []
    token = re.compile(
        r"\s*(?:(\w+)=)?(?:([\d./]+):)?(?:(max|min|chance|p\d)\(|(\([-\d,]+\)|[-\d.]+)|(\)))"
    )
    at = 0
    while at < len(text.rstrip()):
        m = token.match(text, at)
        assert m, text[at:]
        at = m.end()
        if m[5]:
            stack.pop()
            continue
        up = stack[-1] if stack else None
        label = m[1] or ("" if up is None else str(len(nodes[up].children) + 1))
        player = -2 if m[4] else PLAYERS.get(m[3]) if m[3] in PLAYERS else int(m[3][1:]) - 1
        node = TraceNode(len(nodes), up, label or None, label, player, len(stack))
        node.probability = float(Fraction(m[2])) if m[2] else None
        if m[4]:
            node.value = float(m[4].strip("()").split(",")[0])
        if up is not None:
            nodes[up].children.append(node.id)
        nodes.append(node)
        if not m[4]:
            stack.append(node.id)
    for n in nodes:
        if n.player == -1:
            for c in n.children:
                nodes[c].probability = nodes[c].probability or 1 / len(n.children)
    return nodes


def run(nodes: list[TraceNode], algorithm: str = "alphabeta", **told: Any) -> Trace:
    """Minimax, alpha-beta or max^n (player 0's values only) over a parsed tree."""
    prune = algorithm == "alphabeta"
    events: list[TraceEvent] = []
    for n in nodes:
        n.status = "pruned"

    def visit(n: TraceNode, alpha: float, beta: float) -> float:
        n.status = "visited"
        if prune:
            n.alpha, n.beta = alpha, beta
        events.append(TraceEvent("enter", n.id, None, n.alpha, n.beta))
        if not n.children:
            n.leaf = n.leaf or "terminal"
            events.append(TraceEvent("leaf", n.id, n.value))
            return n.value or 0.0
        low, high = alpha, beta
        best = 0.0 if n.player == -1 else math.inf if n.player == 1 else -math.inf
        for k, c in enumerate(n.children):
            child = nodes[c]
            inside = (-math.inf, math.inf) if n.player == -1 else (alpha, beta)
            v = visit(child, *inside)
            if n.player == -1:
                best, better = best + (child.probability or 0) * v, False
            else:
                better = v < best if n.player == 1 else v > best
                best = v if better else best
            n.best = c if better else n.best
            if n.player == 1:
                beta = min(beta, best)
            elif n.player >= 0:
                alpha = max(alpha, best)
            window = (alpha, beta) if prune else (None, None)
            events.append(TraceEvent("backup", n.id, best, *window, child=c, improved=better))
            if prune and n.player >= 0 and alpha >= beta and k + 1 < len(n.children):
                n.cut = f"{best:g} <= alpha {low:g}" if n.player else f"{best:g} >= beta {high:g}"
                events.append(TraceEvent("cut", n.id, best, *window, text=n.cut))
                break
        n.value = best
        n.kind = "exact" if low < best < high else "upper" if best <= low else "lower"
        n.kind = n.kind if prune and n.player >= 0 else "exact"
        events.append(TraceEvent("leave", n.id, best, *window))
        return best

    visit(nodes[0], -math.inf, math.inf)
    return Trace(algorithm, nodes, events, "cuts when value >= beta" if prune else "", **told)


def traced(text: str, algorithm: str = "alphabeta") -> Trace:
    return run(parse(text), algorithm)


def uniform(branching: int, depth: int, seed: int = 1, algorithm: str = "alphabeta") -> Trace:
    """A complete tree with leaves that look random."""
    nodes = [TraceNode(0, None, None, "", 0, 0)]
    for node in nodes:
        if node.depth == depth:
            seed = (seed * 1103515245 + 12345) % 2**31
            node.value, node.player = float(seed >> 16 & 63), -2
            continue
        for k in range(branching):
            label = "abcdefghijklmnopqrstuvwxyz"[node.depth] + str(k + 1)
            child = TraceNode(
                len(nodes), node.id, label, label, (node.depth + 1) % 2, node.depth + 1
            )
            node.children.append(child.id)
            nodes.append(child)
    return run(nodes, algorithm)


def chain(length: int) -> Trace:
    """One line, very deep."""
    nodes, inner = [], length - 1
    for i in range(length):
        below = i + 1 if i < inner else None
        node = TraceNode(i, i - 1 if i else None, i, f"m{i}" if i else "", i % 2, i, value=1.0)
        node.best, node.children = below, [] if below is None else [below]
        nodes.append(node)
    nodes[-1].leaf, nodes[-1].player = "terminal", -2
    events = [TraceEvent("enter", i) for i in range(length)] + [TraceEvent("leaf", inner, 1.0)]
    for i in range(inner - 1, -1, -1):
        events.append(TraceEvent("backup", i, 1.0, child=i + 1, improved=True))
        events.append(TraceEvent("leave", i, 1.0))
    return Trace("minimax", nodes, events)


TREES = {
    "two-ply": traced(TWO_PLY),
    "luger": traced(LUGER),
    "four-level": traced(FOUR_LEVEL),
    "three-ply": traced(THREE_PLY),
    "coin": traced(COIN, "expectimax"),
    "odds": traced(ODDS, "expectimax"),
    "tuples": traced(TUPLES, "maxn"),
    "27 leaves": uniform(3, 3),
    "wide": uniform(30, 1),
    "binary": uniform(2, 6),
    "folded": uniform(17, 3),
    "chain": chain(40),
}
ALL = pytest.mark.parametrize("trace", TREES.values(), ids=TREES.keys())
SVG = "{http://www.w3.org/2000/svg}"
NASTY = "</script><img src=x onerror=\"alert('1')\">&<!--]]>\x00\x1b[31m\u202e{title}"


def groups(svg: str, kind: str) -> list[ET.Element]:
    return [
        g
        for g in ET.fromstring(svg).iter(f"{SVG}g")
        if g.get("data-n") and kind in g.get("class", "").split()
    ]


def texts(group: ET.Element, kind: str) -> str:
    return "".join(t.text or "" for t in group.iter(f"{SVG}text") if kind in t.get("class", ""))


# -- numbers ------------------------------------------------------------------------------------
def test_numbers_as_a_person_writes_them() -> None:
    said = {3.0: "3", 54.5: "54.5", -0.0: "0", math.inf: "∞", -math.inf: "-∞", 1 / 3: "0.333"}
    said |= {-0.0001: "-0.0001", 1e15: "1e+15", 100.0: "100", -8.0: "-8", 0.9996: "1"}
    assert {v: number(v) for v in said} == said
    assert number(None) == "" and number(math.nan) == "?"
    assert [bounded(6, "lower"), bounded(2, "upper"), bounded(1, "estimate")] == ["≥6", "≤2", "≈1"]
    assert window(-math.inf, 3) == "[-∞, 3]" and window(None, None) == ""
    assert [probability(p) for p in (0.5, 1 / 3, 1 / 36, None)] == ["0.5", "1/3", "1/36", ""]
    assert pretty("2 <= alpha 3") == "2 ≤ α 3"


# -- the picture --------------------------------------------------------------------------------
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


SIZES = {"l": 12, "v": 15, "w": 12, "c": 12, "p": 13, "k": 12, "t1": 17, "t2": 13, "t3": 14}


def boxes(svg: str) -> Iterator[tuple[float, float, float, float, str]]:
    for t in ET.fromstring(svg).iter(f"{SVG}text"):
        names = t.get("class", "").split()
        size = SIZES[names[0]]
        bold = names[0] in ("v", "t1", "t3")
        wide = text_width(t.text or "", size, bold)
        x, y = float(t.get("x", "")), float(t.get("y", ""))
        if names[0] in ("l", "p") or names == ["v"]:
            x -= wide / 2
        yield x, y - 0.75 * size, x + wide, y + 0.15 * size, t.text or ""


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
def test_lines_of_steps_are_numbered_one_by_one(trace: Trace) -> None:
    _, *steps, _ = (line for line in steps_text(trace) if not line.startswith("…"))
    assert [int(line.split()[0]) for line in steps] == list(range(1, len(steps) + 1))


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


def nasty() -> Trace:
    trace = traced(TWO_PLY)
    for n in trace.nodes[1:]:
        n.label = NASTY
    for e in trace.events:
        e.text = NASTY if e.kind == "cut" else e.text
    trace.algorithm, trace.convention, trace.nodes[5].cut = NASTY, NASTY, NASTY
    return trace


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


# -- large traces -------------------------------------------------------------------------------
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


# -- words --------------------------------------------------------------------------------------
def test_steps_in_words() -> None:
    said = list(steps_text(TREES["two-ply"]))
    assert said[0] == "alphabeta: cuts when value ≥ β"
    assert said[1].split(maxsplit=1) == ["1", "MAX at the root, window [-∞, ∞]"]
    assert any(s.endswith("    MIN at a2: best so far 2 by 1, β becomes 2") for s in said)
    assert any("✂ MIN at a2: 2 ≤ α 3, so 2 branches cut (2, 3)" in s for s in said)
    assert said[-1] == "alphabeta: value 3, best move a1; 7 of 9 leaves visited, 2 branches cut"
    assert not any("\x1b" in s for s in said)
    assert "\x1b[1;31m" in "".join(steps_text(TREES["two-ply"], color=True))
    luger = list(steps_text(TREES["luger"]))
    assert any("so 1 branch cut (2), 2 leaves saved" in s for s in luger)
    assert luger[-1].endswith("6 of 11 leaves visited, 3 branches cut")
    assert any("1 gives 2 with probability 0.9, so far 1.8" in s for s in steps_text(TREES["odds"]))


def test_the_searchs_own_words_win() -> None:
    trace = traced(TWO_PLY)
    trace.events[0].text = "depth 2 with alpha -inf"
    assert "the root: depth 2 with α -inf" in list(steps_text(trace))[1]


def test_tree_as_text() -> None:
    lines = tree_text(TREES["two-ply"]).splitlines()
    assert lines[0] == "MAX 3 [-∞, ∞]"
    assert lines[1:3] == ["├─ a1: MIN 3 [-∞, ∞] *", "│  ├─ 1: 3 *"]
    assert lines[5:8] == ["├─ a2: MIN ≤2 [3, ∞] ✂ 2 ≤ α 3", "│  ├─ 1: 2", "│  ├╌ 2: 4 ✂"]
    assert len(tree_text(TREES["folded"], 50).splitlines()) <= 100


# -- the page -----------------------------------------------------------------------------------
def data_of(page: str) -> list[dict[str, Any]]:
    found = re.search(r'id="data">(.*?)</script>', page, re.S)
    assert found
    steps: list[dict[str, Any]] = json.loads(found[1])["steps"]
    return steps


def test_page_is_self_contained() -> None:
    page = steps_html(TREES["two-ply"], title="Two <ply>")
    assert "<title>Two &lt;ply&gt;</title>" in page
    assert not re.search(
        r"""(src|href)\s*=|@import|url\(|fetch\(|https?://(?!www\.w3\.org/2000)""", page
    )
    steps = data_of(page)
    cut = next(k for k, s in enumerate(steps) if s["k"] == "cut")
    assert not any(c[1] in "xtc" for s in steps[:cut] for c in s.get("d", []))
    assert sorted(c[0] for c in steps[cut]["d"] if c[1] == "t") == [7, 8]
    assert steps[-1]["t"].startswith("value 3, best move a1")
    assert not re.search(r'<g class="[^"]*struck[^"]*" data-n', page)


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to run the page in")


def dom(tmp_path: Path, page: str, tail: str = "") -> str:
    """The document after its scripts ran."""
    file = tmp_path / "page.html"
    file.write_text(page, "utf-8")
    quiet = "--disable-gpu --disable-quic --no-first-run --disable-background-networking"
    quiet += " --disable-component-update --disable-sync --virtual-time-budget=5000"
    command = [str(CHROMIUM), "--headless", "--no-sandbox", *quiet.split()]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"{file.as_uri()}{tail}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout


def node_texts(page: str) -> list[list[str]]:
    found = re.findall(r'<g class="n[^"]*" data-n="\d+">(.*?)</g>', page, re.S)
    assert found
    texts_of = [re.findall(r'<text class="([vwc])[^"]*"[^>]*>([^<]*)<', g) for g in found]
    return [[html.unescape(v) for k, v in sorted(t) if v] for t in texts_of]


@needs_chromium
@pytest.mark.parametrize("name", ["two-ply", "odds", "folded"])
def test_page_steps_in_a_browser(tmp_path: Path, name: str) -> None:
    trace = TREES[name]
    page = steps_html(trace, max_nodes=150)
    steps = data_of(page)
    shown = dom(tmp_path, page, f"#step={len(steps)}")
    assert node_texts(shown) == node_texts(tree_svg(trace))
    assert shown.count("data-step=") > 3 and f"step {len(steps)} of {len(steps)}" in shown
    half = len(steps) // 2
    there = dom(tmp_path, page, f"#step={half}")
    assert html.escape(steps[half - 1]["t"], quote=False) in there and "cur" in there
    begin = dom(tmp_path, page)
    assert not re.search(r'<g class="[^"]*(struck|cur|pv)[^"]*" data-n', begin)


@needs_chromium
def test_keys_and_buttons_in_a_browser(tmp_path: Path) -> None:
    page = steps_html(TREES["two-ply"])
    script = """<script type="module">
    const part = (name) => document.querySelector(`[data-part="${name}"]`);
    const at = () => part("count").textContent, seen = [];
    for (const k of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"]) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
      seen.push(at().split(" ")[1]);
    }
    for (const name of ["next", "next", "back", "last", "first", "theme", "theme"]) {
      (part(name) || document.getElementById(name)).click(); seen.push(at().split(" ")[1]);
    }
    seen.push(document.querySelector("svg").classList[1]);
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: " ", bubbles: true}));
    seen.push(part("play").getAttribute("aria-label"));
    document.title = seen.join(" ");
    </script></body>"""
    shown = dom(tmp_path, page.replace("</body>", script))
    n = len(data_of(page))
    title = re.search(r"<title>(.*?)</title>", shown)
    assert title
    assert title[1] == f"1 2 1 {n} {n} 0 1 2 1 {n} 0 0 0 dark pause"


@needs_chromium
@pytest.mark.parametrize("name", ["27 leaves", "odds", "tuples", "binary", "four-level"])
def test_no_texts_overlap_in_a_browser(tmp_path: Path, name: str) -> None:
    script = """<script>
    const texts = [...document.querySelectorAll("svg text")];
    const boxes = texts.map((t) => [t.getBBox(), t.textContent]);
    const hits = [];
    boxes.forEach(([a, s], i) => boxes.slice(i + 1).forEach(([b, t]) => {
      const dx = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const dy = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (dx > 0 && dy > 4) hits.push(s + " on " + t);
    }));
    document.title = boxes.length + " texts, " + hits.length + " hits " + hits.join("; ");
    </script>"""
    page = f"<!doctype html><title></title><body>{tree_svg(TREES[name])}{script}"
    assert re.search(r"<title>\d\d+ texts, 0 hits", dom(tmp_path, page)), dom(tmp_path, page)[:200]


@needs_chromium
def test_nasty_labels_do_nothing_in_a_browser(tmp_path: Path) -> None:
    shown = dom(tmp_path, steps_html(nasty(), title=NASTY), "#step=15")
    assert "step 15 of" in shown and "<img" not in shown
