"""How the studio looks: at every width, in light and dark, and by keyboard alone."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from browser import CHROMIUM, Browser
from studio import Server

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to open the studio in")

# Visible texts whose contrast to what is behind them is below WCAG's 4.5
FAINT = """(() => {
  const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => c.slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0.9) return c;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const e of document.querySelectorAll("main *, .top *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.offsetParent || e.disabled || e.closest("svg, pre, .sr, select")) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${e.textContent.trim().slice(0, 30)}: ${ratio.toFixed(1)}`);
  }
  return found;
})()"""


PANELS = ["play", "trees", "analyse", "practise"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("panel", PANELS)
def test_nothing_sticks_out_at_any_width(
    page: Browser, server: Server, width: int, panel: str
) -> None:
    page.size(width, 844, dark=width == 390)
    page.open(server.url + "#" + panel)
    page.js("new Promise((done) => setTimeout(done, 150))")
    assert page.js("document.documentElement.scrollWidth") <= width
    small = page.js(
        "[...document.querySelectorAll('button, select')].filter((e) => e.offsetParent"
        " && e.getBoundingClientRect().height < 26 && !e.closest('.steps')).length"
    )
    assert small == 0
    unnamed = page.js(
        "[...document.querySelectorAll('button, select, input, textarea')].filter((e) =>"
        " e.offsetParent && !e.textContent.trim() && !e.getAttribute('aria-label')"
        " && !(e.labels && e.labels.length)).length"
    )
    assert unnamed == 0


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("panel", PANELS)
def test_texts_can_be_read(page: Browser, server: Server, panel: str, dark: bool) -> None:
    page.size(1280, 860, dark=dark)
    page.open(server.url + "#" + panel)
    page.js("new Promise((done) => setTimeout(done, 150))")
    assert page.js(FAINT) == []


@pytest.mark.parametrize("panel", PANELS)
def test_the_keyboard_reaches_everything(page: Browser, server: Server, panel: str) -> None:
    """Every control that is seen is on the way of the Tab key, and shows that it is there."""
    page.size(1280, 860)
    page.open(server.url + "#" + panel)
    page.js("new Promise((done) => setTimeout(done, 150))")
    reached, unseen = set(), []
    wanted = page.js(
        "[...document.querySelectorAll('button, select, input, textarea, summary, g[tabindex]')]"
        ".filter((e) => e.checkVisibility() && !e.closest('details:not([open]) > :not(summary)')"
        " && !e.disabled && e.tabIndex >= 0)"
        ".map((e, i) => (e.dataset.tab = i))"
    )
    page.js("document.body.tabIndex = -1; document.body.focus()")
    for _ in range(len(wanted) + 30):
        page.key("Tab")
        got = page.js(
            "(() => { const e = document.activeElement, lined = getComputedStyle(e).outlineStyle;"
            " return [e.dataset.tab ?? null, lined !== 'none' || e.closest('svg') !== null]; })()"
        )
        if got[0] is not None:
            reached.add(int(got[0]))
            unseen += [] if got[1] else [got[0]]
    assert reached == set(wanted) and unseen == []


@pytest.mark.parametrize("width", [390, 1280])
def test_a_board_without_a_meter_keeps_its_room(page: Browser, server: Server, width: int) -> None:
    """Where something is hidden no value is shown: the board must not slip into its place."""
    key = server.post("/api/plays", {"game": "kuhn", "side": 0}).json["id"]
    page.size(width, 844)
    page.open(f"{server.url}#play?id={key}")
    page.wait("document.querySelector('#play [data-part=meter]').hidden")
    boxes = "[...document.querySelectorAll('#play .board, #play .side')]"
    board, side = page.js(f"{boxes}.map((e) => e.getBoundingClientRect().width)")
    assert board > 300 and side > 290
