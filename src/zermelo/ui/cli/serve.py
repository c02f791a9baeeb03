"""``zermelo serve``: open the studio."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ...errors import UsageError
from ...search.tracing import uncollected
from .shared import app


@app.command()
def serve(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Game to open first, e.g. FILE.py:CLASS."),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Address to bind; 0.0.0.0 allows other computers.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port; 0 chooses a free one.")] = 8765,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="Host name under which visitors open the studio (repeatable). Without it, "
            "visitors need the token that is printed.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
    data: Annotated[Path | None, typer.Option("--data", help="Database file of the games.")] = None,
    max_time: Annotated[
        float, typer.Option("--max-time", help="Time limit per search in seconds.")
    ] = 60.0,
    max_table: Annotated[
        int, typer.Option("--max-table", help="Memory limit per search in MB.")
    ] = 64,
    searches: Annotated[
        int | None,
        typer.Option("--searches", help="Concurrent searches (default: one per core)."),
    ] = None,
) -> None:
    """Open the studio (trees, play, analysis) in a browser."""
    try:
        with uncollected():  # the garbage collector need not scan imported modules
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
    run(
        game,
        host=host,
        port=port,
        browser=not no_browser,
        data=data,
        limits=limits,
        allowed=tuple(allow_host or ()),
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # freeing large traces would take seconds
