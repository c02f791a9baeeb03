"""``zermelo sgf``: check files of Go games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...view.number import count
from .shared import Json, app, emit, err

if TYPE_CHECKING:
    from ...games.go.sgf import SgfGame

MAX_SHOWN = 10  # problems per game; --json has all


@app.command()
def sgf(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Go games in SGF.")],
    as_json: Json = False,
) -> None:
    """Check an SGF file of Go games and print one line per game.

    Replays all variations. Exits with 1 if problems are found, e.g. an illegal move."""
    from ...files import read_bytes
    from ...games.go.sgf import MAX_BYTES, check, iterate

    rows: list[dict[str, Any]] = []
    faults: list[dict[str, Any]] = []
    for number, game in enumerate(iterate(read_bytes(file, "expected an SGF file", MAX_BYTES)), 1):
        problems = check(game)
        row = summary(game)
        rows.append(row)
        faults += [
            {"game": number, "line": p.line, "column": p.column, "message": p.message}
            for p in problems
        ]
        if not as_json:
            print(f"{number}. {line_of(row)}")
            for problem in problems[:MAX_SHOWN]:
                err.print(f"game {number}, {problem}", markup=False)
            if len(problems) > MAX_SHOWN:
                err.print(f"game {number}: {len(problems) - MAX_SHOWN} more problems")
    if as_json:
        emit({"games": rows, "problems": faults})
    if faults:
        raise typer.Exit(1)


def summary(game: SgfGame) -> dict[str, Any]:
    """What the command prints about a game. Values that cannot be read are None."""
    from ...errors import ZermeloError

    def value(name: str) -> Any:
        try:
            return getattr(game, name)
        except ZermeloError:
            return None

    black, white = game.players
    return {
        "line": game.root.line,
        "black": black,
        "white": white,
        "size": game.size,
        "komi": value("komi"),
        "rules": game.rules,
        "handicap": value("handicap"),
        "result": game.result,
        "moves": sum("B" in n.properties or "W" in n.properties for n in game.main_line()),
        "variations": game.variations,
    }


def line_of(row: dict[str, Any]) -> str:
    """A game in one line, e.g. "Ann - Ben  9x9, komi 7, Chinese  B+R  40 moves"."""
    about = [f"{row['size']}x{row['size']}"]
    if row["komi"] is not None:
        about.append(f"komi {row['komi']:g}")
    about += [row["rules"]] if row["rules"] else []
    about += [f"handicap {row['handicap']}"] if row["handicap"] else []
    counts = count(row["moves"], "move")
    if row["variations"]:
        counts += f", {count(row['variations'], 'variation')}"
    names = f"{row['black'] or '?'} - {row['white'] or '?'}"
    line = f"{names}  {', '.join(about)}  {row['result'] or '?'}  {counts}"
    return "".join(c if c.isprintable() else "\ufffd" for c in line)
