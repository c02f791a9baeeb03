"""Commands of chess alone: the engine for other programs, files of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .shared import Json, app, emit, err


@app.command()
def uci() -> None:
    """Run the chess engine with the UCI protocol."""
    from ..uci import main

    main()


@app.command()
def pgn(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Chess games in PGN.")],
    as_json: Json = False,
) -> None:
    """Check a PGN file and print one line per game.

    Exits with 1 if a game cannot be read."""
    from ...games.chess.pgn import PgnError, read

    faults: list[PgnError] = []

    def note(fault: PgnError) -> None:
        faults.append(fault)
        if not as_json:
            err.print(f"game {fault.game}, {fault.message}", markup=False)

    rows: list[dict[str, Any]] = []
    for number, game in enumerate(read(file, strict=False, on_error=note), 1):
        row = {
            "line": game.line,
            "white": game.tags.get("White", "?"),
            "black": game.tags.get("Black", "?"),
            "result": game.result,
            "plies": len(game.moves),
            "final": game.game.format_state(game.final),
        }
        if as_json:
            rows.append(row)
        else:
            print(
                f"{number}. {row['white']} - {row['black']}  {row['result']}  "
                f"{row['plies']} plies  {row['final']}"
            )
    if as_json:
        rows_of_faults = [{"game": f.game, "line": f.line, "message": f.message} for f in faults]
        emit({"games": rows, "faults": rows_of_faults})
    if faults:
        raise typer.Exit(1)
