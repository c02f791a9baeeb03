"""``zermelo analyze``, ``solve``, ``perft`` and ``positions``: search one position, or count."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ...checks import misfit
from ...errors import SearchBudgetExceeded, UsageError, ZermeloError
from ...game import CHANCE, Game, defines, facts_of
from ...result import Result
from ...search import defaults
from .shared import (
    Algo,
    Cut,
    Depth,
    Fail,
    GameArg,
    Json,
    Nodes,
    Position,
    Prune,
    Seed,
    Tables,
    Ties,
    Time,
    app,
    emit,
    err,
    load_at,
    located,
    option_help,
    write,
)

Lines = Annotated[int, typer.Option("--lines", "-l", help=option_help("lines"))]
Evaluate = Annotated[
    str | None, typer.Option("--evaluate", help="Name of the evaluation function.")
]
Quiescence = Annotated[bool, typer.Option("--quiescence", help=option_help("quiescence"))]
Table = Annotated[int | None, typer.Option("--table", help=option_help("table"))]
Samples = Annotated[int | None, typer.Option("--samples", help=option_help("samples"))]
OpponentModel = Annotated[
    str | None,
    typer.Option(
        "--opponent-model",
        help="Opponent model: random, depth=2,best=0.8 or FILE.py:FUNCTION of (game, state).",
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Explain the result in sentences.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Write a picture of the board.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write the result as a web page.")]


@app.command()
def analyze(
    game: GameArg,
    position: Position = None,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", help=f"Time limit in seconds (default {defaults.SECONDS:g})."),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    algorithm: Algo = "auto",
    lines: Lines = 1,
    evaluate: Evaluate = None,
    cut: Cut = None,
    fail: Fail = None,
    ties: Ties = False,
    quiescence: Quiescence = False,
    table: Table = None,
    prune: Prune = None,
    samples: Samples = None,
    opponent_model: OpponentModel = None,
    seed: Seed = None,
    explain: Explain = False,
    svg: Svg = None,
    html: Html = None,
    tablebase: Tables = None,
    as_json: Json = False,
) -> None:
    """Find the best move in a position and its value."""
    from ...search.algorithms import named
    from ...search.api import search
    from ...search.request import LIMIT_NAMES

    loaded, state = load_at(game, position)
    algorithm, options = named(algorithm)
    limits = {"time": time, "depth": depth, "nodes": nodes}
    options = limits | {"evaluate": evaluate, "seed": seed, "table": table} | options
    if all(options.get(limit) is None for limit in LIMIT_NAMES):
        options["time"] = defaults.SECONDS
    options |= {"cut": cut, "fail": fail, "prune": prune, "samples": samples}
    options |= {"ties": ties or None, "quiescence": quiescence or None}
    options |= {
        "opponents": _opponent_model(opponent_model),
        "lines": None if lines == 1 else lines,
    }
    options = {k: v for k, v in options.items() if v is not None}
    r = search(
        loaded, state, algorithm, tablebase=tablebase, on_depth=_progress(as_json), **options
    )
    _write_pictures(r, svg, html)
    if as_json:
        emit(r.to_json())
        return
    print(_board_text(loaded, state), end="\n\n")
    if belief := loaded.belief_text(state):
        print(belief, end="\n\n")
    print(r.explain() if explain else r)


def _write_pictures(r: Result, svg: Path | None, html: Path | None) -> None:
    if svg is not None:
        picture = r._repr_svg_()
        if picture is None:
            raise UsageError(f"{r.game.name} has no picture of its board", "omit --svg")
        write(svg, picture)
    if html is not None:
        write(html, "<!doctype html><meta charset=utf-8><title>zermelo</title>" + r._repr_html_())


def _progress(as_json: bool) -> Callable[[Result], None] | None:
    """Return a callback that reports each depth on stderr: JSON, or text on a terminal."""
    from ...view.json import progress_json
    from ...view.text import progress_text

    if as_json:
        return lambda r: print(json.dumps(progress_json(r)), file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        return None
    return lambda r: err.print(progress_text(r), style="dim", markup=False)


def _opponent_model(text: str | None) -> Any:
    """Resolve --opponent-model: FILE.py:FUNCTION becomes a function, other text is passed on."""
    from ...games import function_of

    if text is None or ".py:" not in text:
        return text
    path, _, name = text.rpartition(":")
    policy = function_of(path, name)

    def model(game: Game, state: Any) -> Any:
        try:
            return policy(game, state)
        except ZermeloError:
            raise
        except Exception as e:
            hint = "a model takes (game, state) and returns an action, or {action: probability}"
            raise UsageError(located(e), hint) from e

    if wrong := misfit(policy, "game, state"):
        raise UsageError(
            f"{wrong} cannot be called with (game, state)", f"def {name}(game, state): …"
        )
    model.__name__ = name
    return model


@app.command()
def solve(
    game: GameArg,
    position: Position = None,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm", "-a", help="Algorithm: auto, engine, proof-number, retrograde, …"
        ),
    ] = "auto",
    time: Time = None,
    nodes: Nodes = None,
    table: Annotated[
        int, typer.Option("--table", help=option_help("table"))
    ] = defaults.SOLVE_TABLE_MB,
    ties: Ties = False,
    tablebase: Tables = None,
    as_json: Json = False,
) -> None:
    """Prove the exact value of a position.

    Exits with 1 if a limit is reached first."""
    from ...search.solve import solve as solve_game

    loaded, state = load_at(game, position)
    try:
        r = solve_game(
            loaded,
            state,
            algorithm,
            time=time,
            nodes=nodes,
            table=table,
            ties=ties,
            tablebase=tablebase,
        )
    except SearchBudgetExceeded as e:
        if as_json and isinstance(e.result, Result):
            emit(e.result.to_json())
        raise
    if as_json:
        emit(r.to_json())
    else:
        print(_board_text(loaded, state), end="\n\n")
        print(r)


@app.command()
def perft(
    game: GameArg,
    depth: Annotated[int, typer.Option("--depth", "-d", help="Search depth in plies.")],
    position: Position = None,
    as_json: Json = False,
) -> None:
    """Count the leaves of the move tree (tests a move generator)."""
    from ...search.counting import perft as count
    from ...view.number import rate

    loaded, state = load_at(game, position)
    total, elapsed = count(loaded, state, depth)
    speed = total / elapsed if elapsed > 0 else 0.0
    leaves = f"{total:,} {'leaf' if total == 1 else 'leaves'}"
    if as_json:
        document = {"game": loaded.name, "position": loaded.format_state(state), "depth": depth}
        emit(document | {"nodes": total, "elapsed": elapsed, "nps": speed})
    else:
        print(f"{leaves} at depth {depth}, {elapsed:.3f} s, {rate(total, elapsed, 'leaves')}")


@app.command()
def positions(
    game: GameArg,
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Time limit in seconds.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the positions of a game.

    In Go these are the legal positions of the board. In other games, those that can be reached."""
    from ...search.counting import count_positions

    loaded, _ = load_at(game, None)
    legal = defines(loaded, "legal_positions")
    total = loaded.legal_positions(time) if legal else count_positions(loaded, time=time)
    kind = "legal" if legal else "reachable"
    if as_json:
        emit({"game": loaded.name, "positions": total, "kind": kind})
    else:
        print(f"{total:,} {kind} {'position' if total == 1 else 'positions'}")


def _board_text(game: Game, state: Any) -> str:
    """Return the board. In a game with hidden information, only what the player to move sees."""
    hidden = facts_of(game).hidden and not game.is_terminal(state) and game.player(state) != CHANCE
    return game.view(state, game.player(state)) if hidden else game.board(state)
