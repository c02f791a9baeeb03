"""``zermelo games``: list the games."""

from __future__ import annotations

from .shared import Json, app, columns, emit


@app.command()
def games(as_json: Json = False) -> None:
    """List the games and their options."""
    from ...games import GAMES

    if as_json:
        emit([{"name": g.name, "summary": g.summary, "options": g.options} for g in GAMES])
        return
    rows = [("GAME", "WHAT", "OPTIONS (DEFAULTS)")]
    rows += [(g.name, g.summary, f"{g.name}:{g.options}".rstrip(":")) for g in GAMES]
    rows.append(("TREE", "explicit game tree", "max(min(3 12 8) min(2 4 6))"))
    rows.append(("FILE.py:CLASS", "your own game", "zermelo doctor FILE.py:CLASS checks them"))
    columns(rows)
