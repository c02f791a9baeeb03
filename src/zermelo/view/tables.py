"""Tablebases as text and as plain data."""

from __future__ import annotations

from typing import Any

from ..naming import bare
from ..tablebase.tables import Progress, Tablebase
from .names import player_name, player_names
from .number import count

ROWS = 40


def tables_text(t: Tablebase, verified: bool) -> str:
    """What is in the tables, class by class, and the longest win."""
    where = f"in {t.path}" if t.path else "not stored; use --out DIR to store them"
    rows = [
        f"{t.game.name}: {t.positions:,} positions in {count(len(t.tables), 'table')} ({where})"
    ]
    if len(t.tables) > 1:
        first, second = (f"{bare(name)} wins".upper() for name in (*player_names(t.game), "")[:2])
        cells = [("TABLE", "POSITIONS", first, "DRAWS", second, "LONGEST")]
        for x in t.tables[-ROWS:]:
            longest = "" if x.longest is None else str(x.longest)
            counts = (x.positions, x.wins, x.draws, x.losses)
            cells.append((x.name, *(f"{n:,}" for n in counts), longest))  # type: ignore[arg-type]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            shown = [f"{c:>{w}}" for c, w in zip(row, widths, strict=True)]
            rows.append("  ".join([f"{row[0]:<{widths[0]}}", *shown[1:]]))
    total = _totals(t)
    rows.append(
        f"{player_name(t.game, 0)} wins {total['wins']:,}, draws {total['draws']:,}, "
        f"loses {total['losses']:,}"
    )
    if t.longest is not None:
        rows.append(f"longest win: {t.longest.longest} plies, {t.longest.sample}")
    if t.built:
        rows.append(
            f"built {t.built:,} positions in {t.seconds:.2f} s, "
            f"{t.built / max(t.seconds, 1e-9) / 1e6:.2f} M positions/s"
        )
    else:
        rows.append("nothing to build: all tables exist")
    if verified:
        rows.append(f"verified: all {t.positions:,} positions follow from their successors")
    return "\n".join(rows)


def _totals(t: Tablebase) -> dict[str, int]:
    return {k: sum(getattr(x, k) for x in t.tables) for k in ("wins", "draws", "losses")}


def tables_json(t: Tablebase, verified: bool) -> dict[str, Any]:
    """The document that ``zermelo tablebase --json`` prints."""
    fields = ("name", "layout", "positions", "wins", "draws", "losses", "longest", "sample")
    longest = t.longest
    return {
        "game": t.game.name,
        "path": None if t.path is None else str(t.path),
        "positions": t.positions,
        **_totals(t),
        "longest": None if longest is None else longest.longest,
        "longest_position": None if longest is None else longest.sample,
        "built": t.built,
        "seconds": t.seconds,
        "positions_per_second": t.built / t.seconds if t.built and t.seconds else None,
        "verified": verified,
        "tables": [{f: getattr(x, f) for f in fields} for x in t.tables],
    }


def progress_text(p: Progress) -> str:
    """One line for stderr."""
    part = f"{100 * p.done / p.total:.0f} %" if p.total else f"{p.done:,}"
    speed = p.done / p.seconds / 1e6 if p.seconds > 0 and p.phase != "distances" else 0.0
    rate = f", {speed:.2f} M positions/s" if speed else ""
    return f"{p.table} ({p.number} of {p.of}): {p.phase} {part}{rate}, {p.seconds:.0f} s"
