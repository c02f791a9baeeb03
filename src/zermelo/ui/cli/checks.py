"""``zermelo textbook``, ``doctor``, ``bench`` and ``version``: check an installation or a game."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from ...errors import UsageError
from .shared import Json, app, emit, err


@app.command()
def textbook(
    cases: Annotated[list[str] | None, typer.Argument(help="Run only these.")] = None,
    as_json: Json = False,
) -> None:
    """Run the textbook examples and check the answers.

    Exits with 1 if an answer is wrong."""
    from ...errors import suggest
    from ...textbook.cases import CASES, outcomes

    known = [c.id for c in CASES]
    for name in cases or []:
        if name not in known:
            raise UsageError(f"unknown example {name!r}", suggest(name, known))
    found, left = [], False
    try:
        for o in outcomes(cases):
            found.append(o)
            if not as_json:
                print(f"{o.status:<8} {o.case.id:<17} {o.case.shows}")
                print(f"{'':<8} {'':<17} expected: {o.case.expected}")
                print(f"{'':<8} {'':<17} found:    {o.found}")
    except KeyboardInterrupt:
        left = True
    if as_json:
        emit(
            [
                {
                    "id": o.case.id,
                    "part": o.case.part,
                    "shows": o.case.shows,
                    "expected": o.case.expected,
                    "found": o.found,
                    "status": o.status,
                }
                for o in found
            ]
        )
    count = {s: sum(o.status == s for o in found) for s in ("ok", "WRONG", "not yet")}
    err.print(f"{count['ok']} ok, {count['WRONG']} wrong, {count['not yet']} not yet")
    if left:
        err.print(f"stopped after {len(found)} of {len(cases or known)} cases")
        raise KeyboardInterrupt
    if count["ok"] < len(found):
        raise typer.Exit(1)


@app.command()
def doctor(
    game: Annotated[
        str, typer.Argument(metavar="FILE:GAME", help="Your game, e.g. mygame.py:MyGame.")
    ],
    games: Annotated[int, typer.Option("--games", help="Number of random games.")] = 200,
    time: Annotated[float, typer.Option("--time", "-t", help="Time limit in seconds.")] = 10.0,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    as_json: Json = False,
) -> None:
    """Check the rules of your own game by random play.

    Exits with 1 if problems are found."""
    from ...doctor import diagnose
    from ...games import load

    if "." in game and ":" not in game and not game.endswith((".py", ".efg")):
        raise UsageError(f"{game!r} is not a game", "expected FILE.py:CLASS, e.g. mygame.py:MyGame")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # misspelled hooks are among the findings
        loaded = load(game)
    d = diagnose(loaded, games=games, time=time, seed=seed)
    if as_json:
        fields = ("check", "severity", "message", "hint", "line")
        emit(
            {
                "game": game,
                "healthy": d.healthy,
                "games": d.games,
                "positions": d.positions,
                "findings": [{f: getattr(x, f) for f in fields} for x in d.findings],
            }
        )
    else:
        print(d)
    if not d.healthy:
        raise typer.Exit(1)


@app.command()
def bench(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.001, help="Seconds per measurement.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure the speed on this machine against plain Python."""
    from .bench import report

    rows = report(seconds)
    if as_json:
        emit(list(rows))
        return
    for row in rows:
        print(
            f"{row['what']:<52} {row['nodes_per_second'] / 1e6:>9.3f} M nodes/s "
            f"{row['ratio']:>9.1f} x plain Python"
        )


@app.command()
def version() -> None:
    """Print the version."""
    from ... import __version__

    print(__version__)
