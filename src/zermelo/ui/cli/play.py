"""``zermelo play``: play in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from .shared import GameArg, Position, Seed, Tables, app, load_at


@app.command()
def play(
    game: GameArg,
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent", "-o", help="Algorithm, e.g. mcts:time=2 or alphabeta:depth=4, or random."
        ),
    ] = "auto",
    side: Annotated[
        str,
        typer.Option("--side", "-s", help="Your side: a player's name, e.g. White, or 0, 1, …"),
    ] = "0",
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Seconds per move of the opponent.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", help="Search depth of the opponent.")
    ] = None,
    seed: Seed = None,
    position: Position = None,
    tablebase: Tables = None,
) -> None:
    """Play against an algorithm in the terminal."""
    from ..terminal import play_game

    loaded, state = load_at(game, position)
    play_game(loaded, state, opponent, side, time, depth, tablebase, seed)
