"""The panel Practise in a real browser: an exercise answered by clicks and keys, and checked."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.exercise import answer_of, api

STATIC = Path(zermelo.__file__).parent / "ui" / "web" / "static"
RECIPE = {
    "depth": 3,
    "branching": [2, 2],
    "cut": "equal",
    "root": "max",
    "cuts": 2,
    "seed": "alice",
}
pytestmark = [
    pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed"),
    pytest.mark.skipif(not (STATIC / "dom.js").exists(), reason="the studio is not here"),
]

PAGE = """<!doctype html><html data-theme="auto"><head><meta charset="utf-8"><title>wait</title>
</head><body><section id="practise"></section><script type="module" src="/drive.js"></script></body>
</html>"""
DRIVE = """
import { mount } from "/static/practise.js";
const right = RIGHT, at = AT, told = [];
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const until = async (what) => { while (!what()) await new Promise((r) => setTimeout(r, 20)); };
const node = (name) => document.querySelector(`g.n[data-n="${at[name]}"]`);
const press = (name, key) => node(name).dispatchEvent(new KeyboardEvent("keydown", { key }));
const check = async () => {
  part("status").textContent = "";
  part("answer").requestSubmit();
  await until(() => part("status").textContent);
  told.push([part("status").textContent, part("why").textContent]);
};
await mount(document.getElementById("practise"));
part("seed").value = "alice";
const before = document.querySelector("svg.zt");
part("recipe").requestSubmit();
await until(() => document.querySelector("svg.zt") !== before);
for (const leaf of right.order) node(leaf).dispatchEvent(new MouseEvent("click"));
for (const [name, value] of Object.entries(right.values))
  document.querySelector(`[data-value="${name}"]`).value = value;
part("move").value = right.move;
await check();                                               // no cut yet
press(right.cuts[0], "x");
const edge = document.querySelector(`g.e[data-n="${at[right.cuts[1]]}"] .hit`);
edge.dispatchEvent(new MouseEvent("click", { bubbles: true }));
await check();
press("root", "ArrowDown");
told.push(document.activeElement.getAttribute("aria-label"));
document.title = JSON.stringify(told);
"""


def serve(drive: str) -> tuple[Any, int]:
    """A page with the panel alone, on a free port."""
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import HTMLResponse, Response
    from fastapi.staticfiles import StaticFiles

    from zermelo.search.algorithms import shared_option
    from zermelo.ui.web.catalog import choices
    from zermelo.ui.web.exercises import add_exercise_routes

    app = FastAPI()
    add_exercise_routes(app)
    app.get("/api/games")(lambda: {"tree_options": [choices(shared_option("cut"))]})
    app.get("/")(lambda: HTMLResponse(PAGE))
    app.get("/drive.js")(lambda: Response(drive, media_type="text/javascript"))
    app.mount("/static", StaticFiles(directory=STATIC))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    return server, server.servers[0].sockets[0].getsockname()[1]


def test_answered_by_clicks_and_keys(tmp_path: Path) -> None:
    made = api.new(RECIPE)
    right = answer_of(api.read(made["exercise"]))
    at = {n["name"]: n["at"] for n in made["nodes"]}
    drive = DRIVE.replace("RIGHT", json.dumps(right)).replace("AT,", json.dumps(at) + ",")
    server, port = serve(drive)
    try:
        out = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={tmp_path}/profile",
             "--timeout=15000", "--virtual-time-budget=15000", "--dump-dom",
             f"http://127.0.0.1:{port}/"],
            capture_output=True, text=True, timeout=120, check=False,
        ).stdout  # fmt: skip
    finally:
        server.should_exit = True
    title = html.unescape(out.partition("<title>")[2].partition("</title>")[0])
    assert title.startswith("["), out[:3000]
    first, second, focused = json.loads(title)
    missing = api.check_answer({"exercise": made["exercise"], "answer": right | {"cuts": []}})
    assert first[0].startswith("Not correct yet: pruned branches")
    assert first[1] == missing["slips"][0]["reason"]
    assert second == ["Correct.", ""]
    assert focused == f"MIN at A, value {right['values']['A']}"
