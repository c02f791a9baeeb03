"""One HTML file that steps through a search: no server, no network, opens from disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from ..trace import Trace
from .folding import Survey, Wishes
from .replay import Change
from .step_sentences import StepSentences
from .trace_text import path, plain, summary
from .tree_picture import Picture, escape
from .tree_svg import compose, convention

MAX_BYTES = 3_000_000  # of steps; with the picture the file stays below 5 MB
MAX_STEPS = 20_000
SHORT_WALK = 6  # a shorter walk in a folded part is not a step of its own
MAX_WORDS = 240  # characters of a step's sentence
FIELDS = {"state": "s", "value": "v", "window": "w", "cut": "c", "best": "b", "struck": "x",
          "top": "t"}  # fmt: skip
IMPORT = 'import { Picture, put } from "./steps_picture.js";\n'
KEYS = "Keys: ← → step, Home and End jump, space plays"

# Labels come from users: the page may neither load nor send anything
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"
)

PAGE = """html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;background:var(--bg);color:var(--fg);
 font:16px/1.4 "Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif}
header{padding:12px 20px 8px;display:grid;grid-template-columns:1fr auto}
h1{font-size:1.25rem;margin:0;overflow-wrap:anywhere}
header p{margin:2px 0 0;color:var(--soft);font-size:.85rem;grid-column:1}
header button{grid-column:2;grid-row:1/3;font:inherit;min-height:42px;padding:4px 12px;
 border-radius:8px;border:1px solid var(--edge);background:var(--card);color:var(--fg)}
main{flex:1;padding:0 20px 14px}
@media (min-width:1700px){body{font-size:20px}}
@media (max-width:760px){header{padding:8px 12px 6px}.keys{display:none}h1{font-size:1.05rem}
 main{padding:0 8px 8px}}
@media print{html,body{height:auto;background:#fff}header button{display:none}main{padding:0}}
"""
BODY = """<header><h1>{title}</h1><p>{notes}<span class="keys"> {keys}</span></p>
<button id="theme" aria-label="light or dark">theme: auto</button></header>
<main id="stepper" class="stepper">{svg}</main>
<noscript><p>This page needs JavaScript. It loads nothing from other sites.</p></noscript>"""
START = """
const theme = document.getElementById("theme");
theme.addEventListener("click", () => { theme.textContent = "theme: " + nextTheme(); });
mount(document.getElementById("stepper"), JSON.parse(document.getElementById("data").textContent),
      { address: true, keys: document });
"""


@dataclass(frozen=True)
class Stepper:
    """The input of steps.js: a picture, and the text and changes of every step."""

    svg: str
    data: dict[str, Any]  # steps, up, windows
    notes: str


def stepper(
    trace: Trace,
    max_nodes: int = 600,
    wishes: Wishes | None = None,
    survey: Survey | None = None,
) -> Stepper:
    """The steps of a search; large traces are folded and truncated, and the notes say so."""
    picture = Picture(trace, max_nodes, wishes, survey)
    final = picture.run(None, record=True)
    steps, used = _steps(trace, picture)
    svg = compose(picture, picture.first if trace.events else final, [], live=True)
    spots = picture.spots
    data = {
        "steps": steps,
        "up": [s.parent for s in spots],
        "node": [~spots[s.parent or 0].node if s.node is None else s.node for s in spots],  # type: ignore[operator]
        "box": [round(v) for s in spots for v in (s.x, s.y + picture.top, s.left, s.right)],
        "windows": picture.replay.windows,
    }
    notes = [convention(trace)]
    if any(s.node is None for s in picture.spots):
        notes.append(f"{len(trace.nodes):,} nodes: boxes such as +12 are folded subtrees")
    if used < len(trace.events):
        notes.append(f"this page contains the first {used:,} of {len(trace.events):,} steps")
    return Stepper(svg, data, "; ".join(notes) + ".")


def steps_html(
    trace: Trace, *, title: str = "", max_nodes: int = 600, wishes: Wishes | None = None
) -> str:
    """A self-contained page: the tree, the steps in words, buttons and keys to step.

    The address may end in ``#step=5``. Large traces are folded and truncated, and the page says so.
    """
    made = stepper(trace, max_nodes, wishes)
    name = escape(title or f"{trace.algorithm}, step by step")
    body = BODY.format(title=name, notes=escape(made.notes), keys=KEYS, svg=made.svg)
    return (
        '<!doctype html>\n<html lang="en" data-theme="auto"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>\n{asset('steps.css')}{PAGE}</style></head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{embed(made.data)}</script>\n'
        f'<script type="module">\n{module()}{START}</script>\n</body></html>\n'
    )


def _steps(trace: Trace, picture: Picture) -> tuple[list[dict[str, Any]], int]:
    """The text and changes of each step, as many as fit, and the number of events they cover."""
    sentences = StepSentences(trace, picture.survey)
    steps: list[dict[str, Any]] = []
    place, spots = picture.folded.place, picture.spots
    room = MAX_BYTES
    waiting: Sequence[Change] = ()  # changes of entering a leaf, which is one step with its value
    for k, run, new in zip(picture.shown, picture.runs, picture.changes, strict=True):
        event = trace.events[k]
        at = place[event.node]
        folded = spots[at].node is None
        changes = [*waiting, *new] if waiting else new
        waiting = ()
        if event.kind == "enter" and trace.nodes[event.node].leaf and not folded:
            sentences.follow(event)
            waiting = changes
            continue
        before: list[list[str | int]] = []
        if not folded:
            text = plain(sentences.describe(event))
        else:  # one step for a walk through a folded part
            above = spots[at].parent
            top = None if above is None else spots[above].node
            text = plain(f"in the folded part below {path(trace, top or 0)}")
        step: dict[str, Any] = {
            "n": at,
            "k": event.kind,
            "i": spots[at].depth,
            "e": k + run,  # events that are finished after this step
            "t": text if len(text) <= MAX_WORDS else text[: MAX_WORDS - 1] + "…",
        }
        if folded:
            step["m"] = run
        elif steps and steps[-1].get("m", SHORT_WALK) < SHORT_WALK:
            before = steps.pop().get("d", [])  # too short for a step of its own
        if before or changes:
            step["d"] = before + [[i, FIELDS[name], what] for i, name, what in changes]
        room -= len(json.dumps(step)) + 1
        if room < 0 or len(steps) >= MAX_STEPS:
            return steps, k
        steps.append(step)
    end = len(trace.events)
    if not trace.truncated:
        picture.survey.summary = picture.survey.summary or summary(trace)
        text = plain(picture.survey.summary)[:MAX_WORDS]
        steps.append({"n": None, "k": "end", "i": 0, "e": end, "t": text})
    return steps, end


def embed(data: dict[str, Any]) -> str:
    """JSON that cannot close the script element around it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def asset(name: str) -> str:
    """The text of a file beside this module: a script or a style sheet."""
    return files(__package__).joinpath(name).read_text("utf-8")


def module() -> str:
    """The two scripts of the stepper as one module, for a stand-alone page."""
    steps = asset("steps.js").replace(IMPORT, "")
    return asset("steps_picture.js").replace("export ", "") + steps
