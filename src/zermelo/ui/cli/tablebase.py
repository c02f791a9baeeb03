"""``zermelo tablebase``: build and verify a tablebase."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from .shared import GameArg, Json, Position, Time, app, emit, err, load_at


@app.command()
def tablebase(
    game: GameArg,
    out: Annotated[Path | None, typer.Option("--out", help="Directory for the tables.")] = None,
    position: Position = None,
    pieces: Annotated[
        int | None, typer.Option("--pieces", help="Endgames with up to N pieces.")
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes", help="Endgame classes by name; the classes they lead to are added."
        ),
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Replace existing files.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Verify every position afterwards.")
    ] = False,
    threads: Annotated[
        int, typer.Option("--threads", help="Threads that build endgame tables.")
    ] = 1,
    time: Time = None,
    memory: Annotated[int | None, typer.Option("--memory", help="Memory limit in MB.")] = None,
    as_json: Json = False,
) -> None:
    """Build a tablebase of a small game or of its endgames.

    Solves all positions reachable from the start or --position, or the endgame classes of games
    that have them. Safe to interrupt: the next run resumes.
    """
    from ...tablebase.build import tablebase as build
    from ...view.tables import tables_json, tables_text

    loaded, state = load_at(game, position)
    with err.status("") as status:
        show = _progress(status)
        try:
            made = build(
                loaded,
                out,
                state=None if position is None else state,
                pieces=pieces,
                classes=classes,
                rebuild=rebuild,
                threads=threads,
                time=time,
                memory=memory,
                progress=show,
            )
            if verify:
                made.verify(progress=show)
        except KeyboardInterrupt:
            if out is not None:
                err.print(
                    "finished tables are saved; run the command again to resume", markup=False
                )
            raise
    if as_json:
        emit(tables_json(made, verify))
    else:
        print(tables_text(made, verify))


def _progress(status: Any) -> Callable[[Any], None]:
    """Return a callback: a live line on a terminal, a line every two seconds in a log."""
    from ...view.tables import progress_text

    last = 0.0

    def show(p: Any) -> None:
        nonlocal last
        if err.is_terminal:
            status.update(progress_text(p))
        elif monotonic() - last >= 2:
            last = monotonic()
            err.print(progress_text(p), markup=False)

    return show
