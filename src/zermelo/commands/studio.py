"""The command that opens the studio."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..tracing import uncollected
from .shared import app, err


@app.command()
def serve(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Shown first; FILE.py:CLASS is yours.")
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Whom it listens to.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0 takes a free one.")] = 8765,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no page.")] = False,
    data: Annotated[Path | None, typer.Option("--data", help="The file that keeps games.")] = None,
    max_time: Annotated[float, typer.Option("--max-time", help="Seconds of a search.")] = 60.0,
    max_table: Annotated[int, typer.Option("--max-table", help="Megabytes of a search.")] = 64,
    searches: Annotated[
        int | None, typer.Option("--searches", help="At once; one a processor by default.")
    ] = None,
) -> None:
    """The studio: trees, play and analysis in a browser."""
    try:
        with uncollected():  # all that is imported stays
            from ..web import Limits
            from ..web import serve as run
    except ImportError as e:
        raise UsageError(
            f"the studio needs {e.name}, which is not installed",
            "pip install fastapi uvicorn websockets",
        ) from None
    limits = Limits(time=max_time, table=max_table)
    if searches is not None:
        limits = Limits(time=max_time, table=max_table, searches=searches)
    err.print("the studio is open; Ctrl-C ends it", markup=False)
    run(game, host=host, port=port, browser=not no_browser, data=data, limits=limits)
