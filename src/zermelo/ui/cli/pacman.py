"""``zermelo pacman``: play, watch and demonstrate Pac-Man with any algorithm."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console

from ...errors import UsageError
from .shared import Json, app, emit, err, write

PROGRESS_EVERY = 5.0  # seconds


Layout = Annotated[
    str, typer.Option("--layout", "-l", help="Name of a layout, or path of a layout file.")
]
PacmanPlayer = Annotated[
    str,
    typer.Option("--pacman", "-p", help="Player, e.g. expectimax:depth=3, or human."),
]
GhostPlayer = Annotated[
    str,
    typer.Option("--ghost", "-g", help="Ghosts: random, directional or e.g. minimax:depth=2."),
]
DemoName = Annotated[
    str | None,
    typer.Option("--demo", help="Run a demo: pac-man, starving, smart-ghosts or deeper-is-better."),
]


@app.command()
def pacman(
    layout: Layout = "small",
    him: PacmanPlayer = "alphabeta:depth=4",
    ghost: GhostPlayer = "directional",
    games: Annotated[int | None, typer.Option("--games", "-n", help="Number of games.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    stop: Annotated[bool, typer.Option(help="Whether Pac-Man can stand still.")] = True,
    steps: Annotated[int, typer.Option("--steps", help="Maximum number of Pac-Man's steps.")] = 500,
    demo: DemoName = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a web page that replays the games.")
    ] = None,
    animation: Annotated[bool, typer.Option(help="Animate on a terminal.")] = True,
    speed: Annotated[float, typer.Option("--speed", help="Rounds per second.")] = 8.0,
    as_json: Json = False,
) -> None:
    """Play Pac-Man with any algorithm and watch.

    Depth counts rounds: one move of Pac-Man and of each ghost."""
    if not 0 < speed < 1e6:
        raise UsageError(f"invalid --speed {speed:g}", "expected rounds per second, e.g. 8")
    if demo is not None:
        _show_demo(demo, games, seed, html, as_json)
        return
    games = 1 if games is None else games
    from ...arena.pacman import board, series
    from ...view.pacman_text import Animation

    game = board(layout, "minimax", stop, steps)
    watch = animation and not as_json and sys.stdout.isatty()
    options: dict[str, Any] = {"seed": seed, "stop": stop, "steps": steps}
    if him == "human":
        from ..terminal_pacman import Keyboard

        with Keyboard(game) as keys:
            found = series(layout, keys.controller, ghost, games, on_state=keys.show, **options)
    elif watch:
        with Animation(Console(), game, speed) as shown:
            found = series(layout, him, ghost, games, on_state=shown.show, **options)
    else:
        found = series(layout, him, ghost, games, on_run=_progress(games), **options)
    if len(found.runs) < games:
        err.print(f"stopped after {len(found.runs)} of {games} games", markup=False)
    if html is not None:
        from ...view.pacman_html import pacman_html

        write(html, pacman_html([(game, found)], f"Pac-Man on {game.layout.name}"))
    if as_json:
        emit(found.to_json())
    else:
        _print_games(game, found, games, board=not watch and him != "human")


def _print_games(game: Any, found: Any, games: int, board: bool) -> None:
    if board and games == 1:
        print("\n".join(game.picture(game.scene_of(found.runs[-1].states[-1]))), end="\n\n")
    for run in found.runs:
        print(f"game {run.number}: {run.end}, score {run.score}, {run.steps} steps")
    if games > 1:
        print(found)


def _progress(games: int) -> Any:
    """Return a callback that reports the games played so far on stderr."""
    last = monotonic()

    def report(found: Any) -> None:
        nonlocal last
        if monotonic() - last > PROGRESS_EVERY and len(found.runs) < games:
            last = monotonic()
            err.print(str(found), style="dim", markup=False)

    return report


def _show_demo(name: str, games: int | None, seed: int, html: Path | None, as_json: bool) -> None:
    from ...arena.pacman_demos import DEMOS, find

    if games is not None and games < 1:
        raise UsageError(f"invalid number of games {games}", "expected 1 or more")
    demo = find(name, DEMOS)
    rows = []
    for row in demo.play(games, seed):
        rows.append(row)
        if not as_json:
            print(f"{row.label}: {row}")
    if html is not None:
        from ...view.pacman_html import pacman_html

        write(html, pacman_html([(r.game, r.series) for r in rows], f"Pac-Man: {demo.shows}"))
    if as_json:
        emit(
            {
                "demo": demo.name,
                "shows": demo.shows,
                "rows": [{"label": r.label, **r.series.to_json()} for r in rows],
                "verdict": demo.verdict(rows),
            }
        )
    else:
        print(demo.verdict(rows))
