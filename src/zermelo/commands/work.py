"""Commands that work: tables, matches, training, checks, measurements."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from ..errors import UsageError
from .shared import GameArg, Json, Position, app, emit, err, load_at

PROGRESS_EVERY = 10.0  # seconds


@app.command()
def tablebase(
    game: GameArg,
    out: Annotated[Path | None, typer.Option("--out", help="Directory to keep it in.")] = None,
    position: Position = None,
    pieces: Annotated[int | None, typer.Option("--pieces", help="Endgames of up to N.")] = None,
    classes: Annotated[
        str | None, typer.Option("--classes", help="Endgames by name, and what they lead to.")
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Replace what is there.")] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Check every position.")] = False,
    threads: Annotated[int, typer.Option("--threads", help="For endgames.")] = 1,
    time: Annotated[float | None, typer.Option("--time", "-t", help="Seconds at most.")] = None,
    memory: Annotated[int | None, typer.Option("--memory", help="Megabytes at most.")] = None,
    as_json: Json = False,
) -> None:
    """Solve every position of a small game, or of its endgames, and keep that on disk.

    Positions that can be reached from the beginning or --position; endgames where the game has
    classes of them. Stopped, it goes on from what is finished when it is started again.
    """
    from ..tablebase import tablebase as build
    from ..view.tables import progress_text, tables_json, tables_text

    loaded, state = load_at(game, position)
    live, last = err.is_terminal, [0.0]
    with err.status("") as status:

        def show(p: Any) -> None:
            if live:
                status.update(progress_text(p))
            elif monotonic() - last[0] >= 2:  # a log wants fewer lines than a terminal
                last[0] = monotonic()
                err.print(progress_text(p), markup=False)

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
                err.print("what is finished is kept: run the same again to go on", markup=False)
            raise
    if as_json:
        emit(tables_json(made, verify))
    else:
        print(tables_text(made, verify))


@app.command()
def textbook(
    cases: Annotated[list[str] | None, typer.Argument(help="Only these.")] = None,
    as_json: Json = False,
) -> None:
    """Reproduce the lectures' cases; exit code 1 while one does not hold."""
    from ..errors import suggest
    from ..textbook import CASES, outcomes

    known = [c.id for c in CASES]
    for name in cases or []:
        if name not in known:
            raise UsageError(f"there is no case {name!r}", suggest(name, known))
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
    game: Annotated[str, typer.Argument(metavar="FILE:GAME", help="As in mygame.py:MyGame.")],
    games: Annotated[int, typer.Option("--games", help="Random games to play.")] = 200,
    time: Annotated[float, typer.Option("--time", "-t", help="Seconds at most.")] = 10.0,
    seed: Annotated[int, typer.Option("--seed")] = 0,
    as_json: Json = False,
) -> None:
    """Check somebody's rules by random play; exit code 1 if they are ill."""
    from ..doctor import diagnose
    from ..games import load

    d = diagnose(load(game), games=games, time=time, seed=seed)
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


@app.command("match")
def play_match(
    game: GameArg,
    first: Annotated[str, typer.Argument(metavar="A", help="As engine:time=0.1,threads=2")],
    others: Annotated[list[str], typer.Argument(metavar="B…", help="As engine:time=0.1, random")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many.")] = 100,
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
    from ..arena import Match, match

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


@app.command()
def bench(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.001, help="For each measurement.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure this machine: nodes a second of each kind of game, against plain Python."""
    from ..bench import report

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
def train(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="backgammon, chess, holdem, othello; or hidden cards"),
    ],
    where: Annotated[str, typer.Option("--folder", help="Keeps everything; goes on there.")],
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Play, then fit, so often.")] = 6,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="In each round; of backgammon, in all.")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", help="Seconds of backgammon, holdem: goes on."),
    ] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=60, help="Of Othello's play.")] = 4,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="A move, of chess's play.")] = 1200,
    seed: Annotated[int, typer.Option("--seed", help="Of the openings.")] = 1,
    algorithm: Annotated[
        str | None,
        typer.Option("--algorithm", "-a", help="cfr, cfr+, dcfr, mccfr, sampling: equilibria."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", min=1, help="Of regret minimisation.")
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", help="Of regret minimisation: a NashConv.")
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Use the weights from now on.")
    ] = False,
) -> None:
    """Learn a game's evaluation from play with itself, or an equilibrium by regret minimisation.

    Prints the file of the weights, or of the policy."""
    from ..learn import backgammon, chess, holdem, othello, regret

    if not where.strip():
        raise UsageError("--folder has no name", "name a folder; . is this one")
    folder = Path(where)
    if game == "holdem":
        print(holdem.command(folder, algorithm, iterations, target, time, seed, install))
        return
    if algorithm is not None:
        if install:
            raise UsageError("a policy is not installed", "give its file to zermelo.Policy.load")
        print(regret.train(regret.Plan(game, folder, algorithm, iterations, target, time, seed)))
        return
    if iterations is not None or target is not None:
        raise UsageError("--iterations and --target are of regret minimisation", "--algorithm cfr+")
    if time is not None and (game != "backgammon" or time <= 0):
        raise UsageError(f"--time {time:g} makes no sense here", "seconds, for backgammon")
    each = 12_000 if games is None else games
    if game == "othello":
        path = othello.train(othello.Plan(folder, rounds, each, depth, seed=seed))
    elif game == "chess":
        path = chess.train(chess.Plan(folder, rounds, each, nodes, seed=seed))
    elif game == "backgammon":
        plan = backgammon.Plan(folder, time=time, seed=seed)
        plan.games = games or plan.games
        path = backgammon.train(plan)
    else:
        raise untrained(game)
    if install:
        {"backgammon": backgammon, "chess": chess, "othello": othello}[game].install(path)
    print(path)


def untrained(game: str) -> UsageError:
    """There is no evaluation to learn; of what hides something there may be an equilibrium."""
    from ..errors import suggest
    from ..game import facts_of
    from ..games import load

    if facts_of(load(game)).hidden:
        return UsageError(f"{game} needs an algorithm to be trained by", "as --algorithm cfr+")
    known = ("backgammon", "chess", "holdem", "othello")
    return UsageError(f"there is nothing to train for {game!r}", suggest(game, known))


@app.command()
def version() -> None:
    """Print the version."""
    from .. import __version__

    print(__version__)
