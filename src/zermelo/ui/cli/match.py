"""``zermelo match``: play a match between algorithms."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from .shared import GameArg, Json, app, emit, err, load_at

PROGRESS_EVERY = 10.0  # seconds


@app.command("match")
def play_match(
    game: GameArg,
    first: Annotated[
        str, typer.Argument(metavar="A", help="Player, e.g. engine:time=0.1,threads=2.")
    ],
    others: Annotated[
        list[str], typer.Argument(metavar="B…", help="More players, e.g. mcts:time=0.1 or random.")
    ],
    games: Annotated[int, typer.Option("--games", "-n", help="Number of games.")] = 100,
    opening: Annotated[
        str,
        typer.Option(
            "--opening", help="Random opening moves: a number, or auto (by the game's length)."
        ),
    ] = "auto",
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the openings.")] = 0,
    record: Annotated[
        Path | None, typer.Option("--record", help="File of finished games; resumes if it exists.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a match; each opening is played from both sides."""
    from ...arena import Match, match

    shown = monotonic()

    def progress(so_far: Match) -> None:
        nonlocal shown
        if monotonic() - shown > PROGRESS_EVERY:
            shown = monotonic()
            err.print(str(so_far).removesuffix(so_far.start), style="dim", markup=False)

    loaded, _ = load_at(game, None)
    result = match(
        loaded,
        (first, *others),
        games,
        opening=int(opening) if opening.lstrip("-").isdecimal() else opening,
        seed=seed,
        record=record,
        on_game=progress,
    )
    if result.stopped:
        err.print(f"stopped after {len(result.results)} of {games} games", markup=False)
    if as_json:
        emit(result.to_json())
    else:
        print(result)
