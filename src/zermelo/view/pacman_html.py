"""One HTML file that replays games of Pac-Man: no server, no network, opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arena.pacman import Run, Series, Thought
from ..games.pacman import DIRECTIONS, STEPS, Pacman
from .number import number
from .steps_html import PAGE, POLICY, asset, embed
from .tree_picture import escape

MAX_RUNS = 40  # games per page
KEYS = "Keys: ← → one move, ↑ ↓ other games, Home and End jump, space plays"

BODY = """<header><h1>{title}</h1><p>{notes}<span class="keys"> {keys}</span></p>
<button id="theme" aria-label="light or dark">theme: auto</button></header>
<main class="stepper">
<section class="tree" id="board" tabindex="0" aria-label="the board"></section>
<aside>
<div class="now" aria-live="polite" aria-atomic="true"><p id="count" data-part="count"></p>
<p id="words" data-part="words"></p></div>
<dl class="window"><dt>score</dt><dd id="score"></dd><dt>steps</dt><dd id="steps"></dd></dl>
<table id="thought" aria-label="values of the search"></table>
<div class="steps" id="games" role="group" aria-label="all games"></div>
</aside>
<nav aria-label="playing">
<input type="range" id="slider" data-part="slider" min="0" value="0" step="1" aria-label="move">
<div class="buttons">
<button id="first" aria-label="start" title="start (Home)">|◀</button>
<button id="back" aria-label="one move back" title="back (←)">◀</button>
<button id="play" data-part="play" aria-label="play" title="play or pause (space)">▶&#xfe0e;
play</button>
<button id="next" aria-label="one move forward" title="forward (→)">▶</button>
<button id="last" aria-label="end" title="end (End)">▶|</button>
<label>speed <select id="speed">
<option value="0.5">½×</option><option value="1" selected>1×</option><option value="2">2×</option>
<option value="4">4×</option></select></label>
</div></nav>
</main>
<noscript><p>This page needs JavaScript. It loads nothing from other sites.</p></noscript>"""


def pacman_html(played: Sequence[tuple[Pacman, Series]], title: str = "Pac-Man") -> str:
    """A self-contained page: the board, the searched values, buttons and keys to step.

    The address may end in ``#game=2&move=5``.
    """
    runs = [(game, found, run) for game, found in played for run in found.runs]
    boards: list[Pacman] = []
    for game, _, _ in runs:
        if game not in boards:
            boards.append(game)
    data = {
        "boards": [board(game) for game in boards],
        "games": [
            {"board": boards.index(game), **_run_json(game, found, run)}
            for game, found, run in runs[:MAX_RUNS]
        ],
    }
    notes = "; ".join(map(str, dict.fromkeys(str(found) for _, found in played)))
    if len(runs) > MAX_RUNS:
        notes += f"; this page contains the first {MAX_RUNS} games"
    body = BODY.format(title=escape(title), notes=escape(notes + "."), keys=KEYS)
    return (
        '<!doctype html>\n<html lang="en" data-theme="auto"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{asset('steps.css')}{PAGE}"
        f"{asset('pacman.css')}"
        f"</style></head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{embed(data)}</script>\n'
        f"<script>\n{asset('pacman.js')}</script>\n</body></html>\n"
    )


def board(game: Pacman) -> dict[str, Any]:
    things = [[x, y, int(game.layout.sign((x, y)) == "o")] for x, y in game.layout.things]
    return {"rows": list(game.layout.rows), "things": things}


def _run_json(game: Pacman, found: Series, run: Run) -> dict[str, Any]:
    """A game for the page, one frame per state; coordinates are doubled to be whole numbers."""
    scenes = [game.scene_of(data) for data in run.states]
    frames, gone = [], [-1] * len(game.layout.things)
    facing = 2  # east
    for i, scene in enumerate(scenes):
        if i and scenes[i - 1].turn == 0 and run.actions[i - 1] != "stop":
            facing = DIRECTIONS.index(run.actions[i - 1])
        row = [2 * scene.pacman[0], 2 * scene.pacman[1], facing, scene.score, scene.steps]
        for g in scene.ghosts:
            dx, dy = STEPS[DIRECTIONS.index(g.heading)] if g.half else (0, 0)
            row += [2 * g.place[0] + dx, 2 * g.place[1] + dy, g.scared]
        frames.append(row)
        for k in range(len(gone)):
            if gone[k] < 0 and not scene.things >> k & 1:
                gone[k] = i
    words = [""]
    for before, after, action in zip(scenes, scenes[1:], run.actions, strict=False):
        who = f"ghost {before.turn}" if before.turn else "Pac-Man"
        gain = after.score - before.score
        change = f" ({gain:+d})" if gain and (before.turn or gain != -1) else ""
        words.append(f"{who}: {action}{change}")
    words[-1] += f", {run.end}"
    return {
        "name": f"{found.pacman} v {found.ghost}, {run.number}: {run.end}, {run.score}",
        "end": run.end,
        "frames": frames,
        "gone": gone,
        "words": words,
        "thoughts": [_thought(t) for t in run.thoughts],
    }


def _thought(t: Thought | None) -> list[list[Any]]:
    """Each action with its value for Pac-Man; bounds have a sign."""
    if t is None:
        return []
    sign = {"lower": "≥ ", "upper": "≤ "}
    return [[action, sign.get(kind, "") + number(value)] for action, value, kind in t.moves]
