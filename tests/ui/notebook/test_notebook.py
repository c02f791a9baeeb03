"""In notebooks: trees, boards, results and traces show themselves; searches can be stepped."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.errors import UsageError
from zermelo.exercise import from_tree
from zermelo.view.steps_html import module

PAGE = """<!doctype html><meta charset=utf-8><title></title><style>CSS</style><div id=el></div>
<script type=module>MODULE
const state = STATE;
const set = (k, v) => { state[k] = v; };
const model = { get: (k) => state[k], set, save_changes() {}, on() {} };
made.render({ model, el: document.getElementById("el") });
for (let i = 0; i < 4; i++) document.querySelector("[data-part=next]").click();
const words = document.querySelector("[data-part=words]").textContent;
document.title = "step " + state.step + ": " + words;
</script>"""
TREE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


def traced() -> zermelo.Result:
    return zermelo.search(zermelo.tree(TREE), algorithm="alphabeta", trace=True)


def texts(svg: str) -> list[str]:
    return [t.text or "" for t in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_pictures_of_their_own() -> None:
    assert {"3", "12", "14"} <= set(texts(zermelo.tree(TREE)._repr_svg_()))
    r = traced()
    assert r.trace is not None
    assert "≤2" in texts(r.trace._repr_svg_()) and "≤2" in texts(r._repr_svg_() or "")
    assert "<table>" in r._repr_html_() and "<svg" in from_tree(TREE)._repr_html_()
    for name in ("tic-tac-toe", "connect-four", "chess", "othello", "checkers"):
        game: Any = zermelo.load(name)
        ET.fromstring(game.initial()._repr_svg_())
        assert "<svg" in zermelo.search(game, depth=1)._repr_html_()


def test_the_widget() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from zermelo.ui.notebook import RENDER, steps

    widget = steps(traced())
    assert module() in str(widget._esm) and RENDER in str(widget._esm)
    assert widget.data["steps"][-1]["k"] == "end" and "<svg" in widget.svg
    json.dumps(widget.data)
    with pytest.raises(UsageError, match="no trace"):
        steps(zermelo.search(zermelo.tree(TREE)))
    with pytest.raises(UsageError, match="height"):
        steps(traced(), height=0)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from zermelo.ui import notebook

    monkeypatch.setitem(sys.modules, "anywidget", None)
    notebook._widget.cache_clear()
    with pytest.raises(UsageError, match="anywidget") as told:
        notebook.steps(traced())
    assert 'pip install ".[notebook]"' in told.value.hint


def test_in_a_kernel(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    import nbformat

    book = nbformat.v4.new_notebook()
    book.cells = [
        nbformat.v4.new_code_cell(code)
        for code in (
            f"import zermelo\ng = zermelo.tree({TREE!r})\ng",
            "r = zermelo.search(g, algorithm='alphabeta', trace=True)\nr",
            "r.trace",
            "zermelo.load('chess').initial()",
            "from zermelo.ui.notebook import steps\nsteps(r)",
        )
    ]
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    kinds = [set(cell.outputs[-1].data) for cell in book.cells]
    assert all("image/svg+xml" in kinds[i] for i in (0, 1, 2, 3)) and "text/html" in kinds[1]
    assert "application/vnd.jupyter.widget-view+json" in kinds[4]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_the_module_in_a_browser(tmp_path: Path) -> None:
    """The widget's own module, with a model such as a notebook gives it."""
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from zermelo.ui.notebook import steps

    widget = steps(traced())
    state = {"svg": widget.svg, "data": widget.data, "height": 400, "step": 0}
    module = str(widget._esm).replace("export default {", "const made = {").replace("export ", "")
    page = PAGE.replace("CSS", str(widget._css)).replace("MODULE", module)
    page = page.replace("STATE", json.dumps(state).replace("</", "<\\/"))
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    out = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", f"--user-data-dir={tmp_path}/profile",
         "--virtual-time-budget=3000", "--dump-dom", (tmp_path / "page.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    ).stdout  # fmt: skip
    title = html.unescape(out.partition("<title>")[2].partition("</title>")[0])
    assert title == f"step 4: {widget.data['steps'][3]['t']}", out[:2000]
