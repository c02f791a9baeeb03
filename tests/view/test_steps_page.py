"""The page that steps through a search, also in a browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from traced_trees import NASTY, TREES, nasty
from zermelo.view.steps_html import steps_html
from zermelo.view.tree_svg import tree_svg


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
