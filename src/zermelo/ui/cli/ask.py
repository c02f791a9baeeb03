"""Commands that ask: what there is, what is best, how it was found."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ...checks import misfit
from ...errors import SearchBudgetExceeded, UsageError, ZermeloError
from ...game import CHANCE, Game, facts_of
from ...result import Result
from .shared import (
    Algo,
    Cut,
    Fail,
    GameArg,
    Json,
    Position,
    Prune,
    Tables,
    app,
    columns,
    emit,
    err,
    load_at,
    located,
    read_text,
    write,
)

EQUILIBRIUM_SECONDS = 10.0  # at most, for a tree with hidden information
FEW = "one or two players, zero sum"


@app.command()
def algorithms(
    name: Annotated[str | None, typer.Argument(help="Explain this algorithm.")] = None,
    as_json: Json = False,
) -> None:
    """List the algorithms and the games that each supports."""
    from ...errors import suggest
    from ...search.algorithms import NAMES
    from ...search.algorithms import algorithms as table_of

    known = table_of()
    name = NAMES.get(name, name) if name is not None else None
    if name is not None and name not in known:
        raise UsageError(f"there is no algorithm {name!r}", suggest(name, known))
    chosen = [known[name]] if name else list(known.values())
    if as_json:
        emit(
            [
                {
                    "name": a.name,
                    "summary": a.summary,
                    "options": list(a.options),
                    "chance": a.chance,
                    "hidden": a.hidden,
                    "general_sum": a.general_sum,
                    "many_players": a.many_players,
                    "doc": a.doc,
                }
                for a in chosen
            ]
        )
    elif name:
        print(chosen[0].doc, end="")
    else:
        rows = [("ALGORITHM", "WHAT", "SUPPORTS")]
        for a in chosen:
            fits = ["any number of players, general sum" if a.many_players else FEW]
            fits += [w for w, on in (("chance", a.chance), ("hidden", a.hidden)) if on]
            rows.append((a.name, a.summary, ", ".join(fits)))
        columns(rows)
        print(
            "\nauto takes engine; alphabeta for trees and traces; expectiminimax with chance moves;"
        )
        print("maxn for multi-player and general-sum games; ismcts with hidden information.")
        print("zermelo algorithms NAME explains one algorithm.")


def stream(as_json: bool) -> Callable[[Result], None] | None:
    """Tells every finished depth on stderr: lines of JSON, or a line of text on a terminal."""
    from ...view.json import progress_json
    from ...view.text import progress_text

    if as_json:
        return lambda r: print(json.dumps(progress_json(r)), file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        return None
    return lambda r: err.print(progress_text(r), style="dim", markup=False)


@app.command()
def analyze(
    game: GameArg,
    position: Position = None,
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Time limit in seconds (default 1).")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", help="Search depth in plies.")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Node limit.")] = None,
    algorithm: Algo = "auto",
    lines: Annotated[
        int, typer.Option("--lines", "-l", help="Number of best moves to rank (MultiPV).")
    ] = 1,
    evaluate: Annotated[
        str | None, typer.Option("--evaluate", help="Name of the evaluation function.")
    ] = None,
    cut: Cut = None,
    fail: Fail = None,
    ties: Annotated[
        bool, typer.Option("--ties", help="Find all moves that are equally good.")
    ] = False,
    quiescence: Annotated[
        bool, typer.Option("--quiescence", help="Quiescence search at the depth limit.")
    ] = False,
    table: Annotated[
        int | None, typer.Option("--table", help="Size of the transposition table in MB.")
    ] = None,
    prune: Prune = None,
    samples: Annotated[
        int | None,
        typer.Option("--samples", help="Outcomes to sample at chance nodes that have more."),
    ] = None,
    opponent_model: Annotated[
        str | None,
        typer.Option(
            "--opponent-model",
            help="Opponent model: random, depth=2,best=0.8 or FILE.py:FUNCTION of (game, state).",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain the result in sentences.")
    ] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write a picture of the board.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the result as a web page.")
    ] = None,
    tablebase: Tables = None,
    as_json: Json = False,
) -> None:
    """Find the best move in a position and its value."""
    from ...search.algorithms import named
    from ...search.api import search

    loaded, state = load_at(game, position)
    algorithm, options = named(algorithm)
    limits = {"time": time, "depth": depth, "nodes": nodes}
    options = limits | {"evaluate": evaluate, "seed": seed, "table": table} | options
    if all(options.get(limit) is None for limit in (*limits, "simulations")):
        options["time"] = 1.0
    options |= {"cut": cut, "fail": fail}
    options |= {"ties": ties or None, "quiescence": quiescence or None}
    options |= {"prune": prune, "samples": samples, "opponents": model_of(opponent_model)}
    options["lines"] = lines if lines != 1 else None
    options = {k: v for k, v in options.items() if v is not None}
    r = search(
        loaded,
        state,
        algorithm,
        tablebase=tablebase,
        on_depth=stream(as_json),
        **options,
    )
    if svg is not None:
        picture = r._repr_svg_()
        if picture is None:
            raise UsageError(f"{loaded.name} has no picture", "omit --svg")
        write(svg, picture)
    if html is not None:
        write(html, "<!doctype html><meta charset=utf-8><title>zermelo</title>" + r._repr_html_())
    if as_json:
        emit(r.to_json())
    else:
        print(shown(loaded, state), end="\n\n")
        if belief := loaded.believed(state):
            print(belief, end="\n\n")
        print(r.explain() if explain else r)


def model_of(text: str | None) -> Any:
    """How others are taken to play: a text that the search knows, or a function in a file."""
    from ...games import function_of

    if text is None or ".py:" not in text:
        return text
    path, _, name = text.rpartition(":")
    policy = function_of(path, name)

    def asked(game: Game, state: Any) -> Any:
        try:
            return policy(game, state)
        except ZermeloError:
            raise
        except Exception as e:
            hint = "a model is called with (game, state), and returns an action or their odds"
            raise UsageError(located(e), hint) from e

    if wrong := misfit(policy, "game, state"):
        raise UsageError(f"{wrong} cannot be called with (game, state)", f"def {name}(game, state)")
    asked.__name__ = name
    return asked


@app.command()
def solve(
    game: GameArg,
    position: Position = None,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="auto, engine, proof-number, retrograde, …")
    ] = "auto",
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Time limit in seconds.")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Node limit.")] = None,
    table: Annotated[
        int, typer.Option("--table", help="Size of the transposition table in MB.")
    ] = 64,
    ties: Annotated[
        bool, typer.Option("--ties", help="Find all moves that are equally good.")
    ] = False,
    tablebase: Tables = None,
    as_json: Json = False,
) -> None:
    """Prove the exact value of a position.

    Exits with 1 if a limit is reached first."""
    from ...search.api import solve as solve_game

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
        print(shown(loaded, state), end="\n\n")
        print(r)


@app.command()
def perft(
    game: GameArg,
    depth: Annotated[int, typer.Option("--depth", "-d", help="Search depth in plies.")],
    position: Position = None,
    as_json: Json = False,
) -> None:
    """Count the leaves of the move tree (tests a move generator)."""
    from ...search.api import perft as count
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
def tree(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", help="A tree, e.g. max(min(3 12 8) min(2 4 6)); @FILE; - for stdin."
        ),
    ],
    algorithm: Algo = "auto",
    steps: Annotated[bool, typer.Option("--steps", help="Print every step of the search.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write a picture of the tree.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a web page that steps through the search.")
    ] = None,
    cut: Cut = None,
    fail: Fail = None,
    ties: Annotated[
        bool, typer.Option("--ties", help="Find all moves that are equally good.")
    ] = False,
    prune: Prune = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", help="Search depth in plies.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed.")] = None,
    as_json: Json = False,
) -> None:
    """Search an explicit tree and draw it."""
    from ...equilibrium.policy_trace import at_equilibrium
    from ...explicit.tree import tree as parse
    from ...search.algorithms import named
    from ...search.api import search
    from ...view.steps_text import steps_text, tree_text

    algorithm, options = named(algorithm)
    options = {"depth": depth, "seed": seed} | options
    options |= {"cut": cut, "fail": fail, "ties": ties or None, "prune": prune}
    options = {k: v for k, v in options.items() if v is not None}
    made = parse(read_text(text))
    if facts_of(made).hidden and algorithm == "auto" and not options:
        r = at_equilibrium(made, EQUILIBRIUM_SECONDS)[0]
    else:
        r = search(made, algorithm=algorithm, trace=True, **options)
    if r.trace is None:  # a single leaf
        if svg is not None or html is not None:
            raise UsageError("a single leaf is not a tree", "e.g. max(3 5)")
        emit(r.to_json()) if as_json else print(r)
        return
    if svg is not None:
        from ...view.tree_svg import tree_svg

        write(svg, tree_svg(r.trace))
    if html is not None:
        from ...view.steps_html import steps_html

        write(html, steps_html(r.trace, title=r.game.name))
    if as_json:
        emit(r.to_json())
    elif steps:
        for line in steps_text(r.trace, color=sys.stdout.isatty()):
            print(line)
    else:
        print(tree_text(r.trace), end="\n\n")
        print(r)


@app.command()
def play(
    game: GameArg,
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent", "-o", help="Algorithm, e.g. mcts:time=2 or alphabeta:depth=4, or random."
        ),
    ] = "auto",
    side: Annotated[int, typer.Option("--side", "-s", help="Your side: 0 moves first.")] = 0,
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Seconds per move of the opponent.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", help="Search depth of the opponent.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed.")] = None,
    position: Position = None,
    tablebase: Tables = None,
) -> None:
    """Play against an algorithm in the terminal."""
    from ..terminal import play_game

    loaded, state = load_at(game, position)
    play_game(loaded, state, opponent, side, time, depth, tablebase, seed)


def shown(game: Game, state: Any) -> str:
    """The board; where something is hidden, what the mover sees of it."""
    hidden = facts_of(game).hidden and not game.is_terminal(state) and game.player(state) != CHANCE
    return game.view(state, game.player(state)) if hidden else game.board(state)
