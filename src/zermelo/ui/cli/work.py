"""Commands that work: tables, matches, training, checks, measurements."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from ...errors import UsageError
from .shared import GameArg, Json, Position, app, emit, err, load_at

PROGRESS_EVERY = 10.0  # seconds


@app.command()
def tablebase(
    game: GameArg,
    out: Annotated[Path | None, typer.Option("--out", help="Directory to write.")] = None,
    position: Position = None,
    pieces: Annotated[
        int | None, typer.Option("--pieces", help="Endgames with up to N pieces.")
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option("--classes", help="Endgame classes by name, with those they lead to."),
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Replace existing files.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Verify every position afterwards.")
    ] = False,
    threads: Annotated[int, typer.Option("--threads", help="Threads for endgames.")] = 1,
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Time limit in seconds.")
    ] = None,
    memory: Annotated[int | None, typer.Option("--memory", help="Memory limit in MB.")] = None,
    as_json: Json = False,
) -> None:
    """Build a tablebase of a small game or of its endgames.

    Solves all positions reachable from the start or --position, or the endgame classes of games
    that have them. Safe to interrupt: the next run resumes.
    """
    from ...tablebase.tables import tablebase as build
    from ...view.tables import progress_text, tables_json, tables_text

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
            raise UsageError(f"there is no example {name!r}", suggest(name, known))
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
    first: Annotated[
        str, typer.Argument(metavar="A", help="Player, e.g. engine:time=0.1,threads=2.")
    ],
    others: Annotated[
        list[str], typer.Argument(metavar="B…", help="More players, e.g. mcts:time=0.1 or random.")
    ],
    games: Annotated[int, typer.Option("--games", "-n", help="Number of games.")] = 100,
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
    from ...arena import Match, match

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
        float, typer.Option("--seconds", min=0.001, help="Seconds per measurement.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure the speed on this machine against plain Python."""
    from .speed import report

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
        typer.Argument(
            metavar="GAME", help="backgammon, chess, holdem, othello, or a hidden-information game."
        ),
    ],
    where: Annotated[str, typer.Option("--folder", help="Run directory; resumes if it exists.")],
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Rounds of self-play and fitting.")
    ] = 6,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="Games per round (backgammon: in total).")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", help="Seconds to train (backgammon, holdem, equilibria)."),
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=60, help="Search depth of Othello self-play.")
    ] = 4,
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, help="Nodes per move of chess self-play.")
    ] = 1200,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the openings.")] = 1,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm", "-a", help="Regret minimisation: cfr, cfr+, dcfr, mccfr or sampling."
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", "-n", min=1, help="Iterations of regret minimisation."),
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", help="Stop regret minimisation at this NashConv.")
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Install the weights for later use.")
    ] = False,
) -> None:
    """Train an evaluation by self-play, or an equilibrium policy.

    Prints the path of the weights or the policy. Saves regularly; safe to interrupt."""
    from ...learn import backgammon, chess, holdem, othello
    from ...learn import cfr as regret

    if not where.strip():
        raise UsageError("--folder is empty", "name a folder; . is the current one")
    folder = Path(where)
    if game == "holdem":
        print(holdem.command(folder, algorithm, iterations, target, time, seed, install))
        return
    if algorithm is not None:
        if install:
            raise UsageError(
                "--install does not apply to policies", "load the file with zermelo.Policy.load"
            )
        print(regret.train(regret.Plan(game, folder, algorithm, iterations, target, time, seed)))
        return
    if iterations is not None or target is not None:
        raise UsageError("--iterations and --target need --algorithm", "e.g. --algorithm cfr+")
    if time is not None and (game != "backgammon" or time <= 0):
        raise UsageError(
            f"invalid --time {time:g}", "expected a positive number of seconds; only for backgammon"
        )
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
    from ...errors import suggest
    from ...game import facts_of
    from ...games import load

    if facts_of(load(game)).hidden:
        return UsageError(f"training {game} needs an algorithm", "e.g. --algorithm cfr+")
    known = ("backgammon", "chess", "holdem", "othello")
    return UsageError(f"{game!r} cannot be trained", suggest(game, known))


@app.command()
def version() -> None:
    """Print the version."""
    from ... import __version__

    print(__version__)
