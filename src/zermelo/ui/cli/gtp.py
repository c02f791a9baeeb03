"""The command `gtp`: the engine for programs that speak the Go Text Protocol."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..gtp.options import BY_NAME
from .shared import app


def option(name: str) -> Any:
    """A parameter of the engine as an option of the command line."""
    doc = BY_NAME[name].doc
    return typer.Option(f"--{name}", help=f"{doc[:1].upper()}{doc[1:]}.")


@app.command()
def gtp(
    game: Annotated[
        str, typer.Option("--game", "-g", help="NAME or NAME:option=value, e.g. hex:size=11.")
    ] = "go:size=9",
    algorithm: Annotated[str | None, option("algorithm")] = None,
    time: Annotated[str | None, option("time")] = None,
    playouts: Annotated[str | None, option("playouts")] = None,
    threads: Annotated[str | None, option("threads")] = None,
    memory: Annotated[str | None, option("memory")] = None,
    resign: Annotated[str | None, option("resign")] = None,
    overhead: Annotated[str | None, option("overhead")] = None,
    seed: Annotated[str | None, option("seed")] = None,
    ponder: Annotated[bool, option("ponder")] = False,
) -> None:
    """Run the engine with the Go Text Protocol (GTP), for Go and other board games."""
    from ..gtp.board import Board
    from ..gtp.engine import main
    from ..gtp.options import Settings

    given = {
        "algorithm": algorithm, "time": time, "playouts": playouts, "threads": threads,
        "memory": memory, "resign": resign, "overhead": overhead, "seed": seed,
        "ponder": "yes" if ponder else None,
    }  # fmt: skip
    board, settings = Board(game), Settings()
    for name, value in given.items():
        if value is not None:
            settings.set(board.game, name, value)
    main(board, settings)
