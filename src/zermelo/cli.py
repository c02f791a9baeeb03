"""The command line: parse, call, show. stdout is data, stderr is progress and errors."""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console

from .errors import SearchBudgetExceeded, UsageError, ZermeloError
from .game import Game
from .result import Result

# typer brings its own click or needs one; its errors are reached through its public subclass.
CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]

PROGRESS_EVERY = 10.0  # seconds

app = typer.Typer(
    name="zermelo",
    help="Adversarial search: every algorithm of the field, on your game or ours.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
err = Console(stderr=True, highlight=False, soft_wrap=True)

GameArg = Annotated[
    str, typer.Argument(metavar="GAME", help="A name, name:option=value, FILE.py:CLASS or a tree.")
]
Position = Annotated[
    str | None, typer.Option("--position", "-p", help="As the game's people write it.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Algo = Annotated[str, typer.Option("--algorithm", "-a", help="See: zermelo algorithms.")]
Cut = Annotated[
    str | None,
    typer.Option("--cut", help="equal: cut when value >= beta (default). strict: only when >."),
]
Fail = Annotated[str | None, typer.Option("--fail", help="soft (default) or hard.")]


Tables = Annotated[
    Path | None, typer.Option("--tablebase", help="Directory of solved positions to ask.")
]


@app.callback()
def start(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if show_version:
        version()
    elif context.invoked_subcommand is None:
        print(context.get_help())


def emit(document: Any) -> None:
    """One JSON document."""
    print(json.dumps(document, ensure_ascii=False, allow_nan=False))


def columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows in aligned columns, never cut short: the output may be piped."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip())


def load_at(game: str, position: str | None) -> tuple[Game, Any]:
    """The game and the state that its people call `position`."""
    from .games import load

    loaded = load(game)
    return loaded, loaded.initial() if position is None else loaded.parse_state(position)


@app.command()
def games(as_json: Json = False) -> None:
    """The games there are."""
    from .games import GAMES

    if as_json:
        emit([{"name": g.name, "summary": g.summary, "options": g.options} for g in GAMES])
        return
    rows = [("GAME", "WHAT", "OPTIONS, WITH THEIR DEFAULTS")]
    rows += [(g.name, g.summary, f"{g.name}:{g.options}") for g in GAMES]
    rows.append(("a tree", "an explicit tree", "max(min(3 12 8) min(2 4 6))"))
    rows.append(("FILE.py:CLASS", "your own rules", "zermelo doctor FILE.py:CLASS checks them"))
    columns(rows)


@app.command()
def algorithms(
    name: Annotated[str | None, typer.Argument(help="One of them, explained.")] = None,
    as_json: Json = False,
) -> None:
    """The algorithms there are, which game each fits, and why."""
    from .algorithms import algorithms as table_of
    from .errors import suggest

    known = table_of()
    if name is not None and name not in known:
        raise UsageError(f"there is no algorithm {name!r}", suggest(name, known))
    chosen = [known[name]] if name else list(known.values())
    if as_json:
        emit(
            [
                {
                    "name": a.name,
                    "summary": a.summary,
                    "options": list(a.options),
                    "chance": a.chance,
                    "hidden": a.hidden,
                    "general_sum": a.general_sum,
                    "many_players": a.many_players,
                    "doc": a.doc,
                }
                for a in chosen
            ]
        )
    elif name:
        print(chosen[0].doc, end="")
    else:
        rows = [("ALGORITHM", "WHAT", "FITS")]
        for a in chosen:
            fits = ["one or two players, zero sum"]
            fits += [w for w, on in (("chance", a.chance), ("hidden", a.hidden)) if on]
            rows.append((a.name, a.summary, ", ".join(fits)))
        columns(rows)
        print("\nauto picks the engine, or alphabeta for trees and traces")
        print("zermelo algorithms NAME explains one")


def stream(as_json: bool) -> Callable[[Result], None] | None:
    """Tells every finished depth on stderr: lines of JSON, or a line of text on a terminal."""
    from .view.json import progress_json
    from .view.text import progress_text

    if as_json:
        return lambda r: print(json.dumps(progress_json(r)), file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        return None
    return lambda r: err.print(progress_text(r), style="dim", markup=False)


@app.command()
def analyze(
    game: GameArg,
    position: Position = None,
    time: Annotated[float | None, typer.Option("--time", "-t", help="Seconds (default 1).")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Moves ahead.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Positions.")] = None,
    algorithm: Algo = "auto",
    lines: Annotated[int, typer.Option("--lines", "-l", help="How many best moves.")] = 1,
    evaluate: Annotated[str | None, typer.Option("--evaluate", help="By name.")] = None,
    cut: Cut = None,
    fail: Fail = None,
    ties: Annotated[bool, typer.Option("--ties", help="Settle which moves are equal.")] = False,
    quiescence: Annotated[bool, typer.Option("--quiescence")] = False,
    table: Annotated[int | None, typer.Option("--table", help="Megabytes.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Kept with the result.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="The result in words.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write the result's page.")] = None,
    tablebase: Tables = None,
    as_json: Json = False,
) -> None:
    """The best move in a position, and what it is worth."""
    from .search import search

    loaded, state = load_at(game, position)
    if time is None and depth is None and nodes is None:
        time = 1.0
    options: dict[str, Any] = {"cut": cut, "fail": fail, "table": table}
    options |= {"ties": ties or None, "quiescence": quiescence or None}
    options["lines"] = lines if lines != 1 else None
    options = {k: v for k, v in options.items() if v is not None}
    r = search(
        loaded,
        state,
        algorithm,
        depth=depth,
        time=time,
        nodes=nodes,
        evaluate=evaluate,
        seed=seed,
        tablebase=tablebase,
        on_depth=stream(as_json),
        **options,
    )
    if html is not None:
        write(html, "<!doctype html><meta charset=utf-8><title>zermelo</title>" + r._repr_html_())
    if as_json:
        emit(r.to_json())
    else:
        print(loaded.board(state), end="\n\n")
        print(r.explain() if explain else r)


@app.command()
def solve(
    game: GameArg,
    position: Position = None,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="auto, engine, proof-number, retrograde…")
    ] = "auto",
    time: Annotated[float | None, typer.Option("--time", "-t", help="Seconds at most.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Positions at most.")] = None,
    table: Annotated[int, typer.Option("--table", help="Megabytes for the table.")] = 64,
    ties: Annotated[bool, typer.Option("--ties", help="Settle which moves are equal.")] = False,
    tablebase: Tables = None,
    as_json: Json = False,
) -> None:
    """The exact value of a position; exit code 1 if the limits are too tight."""
    from .search import solve as solve_game

    loaded, state = load_at(game, position)
    try:
        r = solve_game(
            loaded,
            state,
            algorithm,
            time=time,
            nodes=nodes,
            table=table,
            ties=ties,
            tablebase=tablebase,
        )
    except SearchBudgetExceeded as e:
        if as_json and isinstance(e.result, Result):
            emit(e.result.to_json())
        raise
    if as_json:
        emit(r.to_json())
    else:
        print(loaded.board(state), end="\n\n")
        print(r)


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
    from .tablebase import tablebase as build
    from .view.tables import progress_text, tables_json, tables_text

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
def perft(
    game: GameArg,
    depth: Annotated[int, typer.Option("--depth", "-d", help="Moves ahead.")],
    position: Position = None,
    as_json: Json = False,
) -> None:
    """The leaves of the move tree at a depth: what proves a move generator."""
    from .search import perft as count

    loaded, state = load_at(game, position)
    total, elapsed = count(loaded, state, depth)
    speed = total / elapsed if elapsed > 0 else 0.0
    if as_json:
        document = {"game": loaded.name, "position": loaded.format_state(state), "depth": depth}
        emit(document | {"nodes": total, "elapsed": elapsed, "nps": speed})
    else:
        print(f"{total:,} leaves at depth {depth}, {elapsed:.3f} s, {speed / 1e6:.1f} M leaves/s")


@app.command()
def tree(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="As in max(min(3 12 8) min(2 4 6))")],
    algorithm: Algo = "auto",
    steps: Annotated[bool, typer.Option("--steps", help="Every step in words.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the tree's picture.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page to step through it.")
    ] = None,
    cut: Cut = None,
    fail: Fail = None,
    ties: Annotated[bool, typer.Option("--ties", help="Settle which moves are equal.")] = False,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Moves ahead.")] = None,
    as_json: Json = False,
) -> None:
    """An explicit tree, searched and drawn. TEXT may be @FILE, or - for stdin."""
    from .search import search
    from .tree import tree as parse
    from .view.steps_text import steps_text, tree_text

    options: dict[str, Any] = {"cut": cut, "fail": fail, "ties": ties or None}
    r = search(
        parse(read_text(text)),
        algorithm=algorithm,
        depth=depth,
        trace=True,
        **{k: v for k, v in options.items() if v is not None},
    )
    if r.trace is None:  # a single leaf
        if svg is not None or html is not None:
            raise UsageError("a single leaf is no tree to draw", "as in max(3 5)")
        emit(r.to_json()) if as_json else print(r)
        return
    if svg is not None:
        from .view.tree_svg import tree_svg

        write(svg, tree_svg(r.trace))
    if html is not None:
        from .view.steps_html import steps_html

        write(html, steps_html(r.trace, title=r.game.name))
    if as_json:
        emit(r.to_json())
    elif steps:
        for line in steps_text(r.trace, color=sys.stdout.isatty()):
            print(line)
    else:
        print(tree_text(r.trace), end="\n\n")
        print(r)


def read_text(text: str) -> str:
    """The text itself, a file's (@FILE) or stdin's (-)."""
    if text == "-":
        return sys.stdin.read()
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(
            f"{text[1:]} cannot be read: {e}", "give the path of a text file"
        ) from None


def write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        reason = e.strerror or e
        raise UsageError(f"{path} cannot be written: {reason}", "give another path") from None
    err.print(f"wrote {path}", markup=False)


@app.command()
def play(
    game: GameArg,
    opponent: Annotated[str, typer.Option("--opponent", "-o", help="Algorithm.")] = "auto",
    side: Annotated[int, typer.Option("--side", "-s", help="Your player: 0 moves first.")] = 0,
    time: Annotated[float | None, typer.Option("--time", "-t", help="Its seconds a move.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Its moves ahead.")] = None,
    position: Position = None,
    tablebase: Tables = None,
) -> None:
    """Play in the terminal. Type a move, or help."""
    from .play import play_game

    loaded, state = load_at(game, position)
    play_game(loaded, state, opponent, side, time, depth, tablebase)


@app.command()
def textbook(
    cases: Annotated[list[str] | None, typer.Argument(help="Only these.")] = None,
    as_json: Json = False,
) -> None:
    """Reproduce the lectures' cases; exit code 1 while one does not hold."""
    from .errors import suggest
    from .textbook import CASES, outcomes

    known = [c.id for c in CASES]
    for name in cases or []:
        if name not in known:
            raise UsageError(f"there is no case {name!r}", suggest(name, known))
    found = []
    for o in outcomes(cases):
        found.append(o)
        if not as_json:
            print(f"{o.status:<8} {o.case.id:<17} {o.case.shows}")
            print(f"{'':<8} {'':<17} expected: {o.case.expected}")
            print(f"{'':<8} {'':<17} found:    {o.found}")
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
    from .doctor import diagnose
    from .games import load

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
    second: Annotated[str, typer.Argument(metavar="B", help="As engine:time=0.1, random")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many.")] = 100,
    opening: Annotated[int, typer.Option("--opening", help="Moves by chance at first.")] = 6,
    seed: Annotated[int, typer.Option("--seed", help="Of the openings.")] = 0,
    record: Annotated[
        Path | None, typer.Option("--record", help="A file to go on from, if stopped.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Let two players meet, each opening from both sides, and say how much better one is."""
    from .arena import Match, match

    shown = monotonic()

    def progress(so_far: Match) -> None:
        nonlocal shown
        if monotonic() - shown > PROGRESS_EVERY:
            shown = monotonic()
            err.print(str(so_far), style="dim", markup=False)

    loaded, _ = load_at(game, None)
    result = match(
        loaded,
        (first, second),
        games,
        opening=opening,
        seed=seed,
        record=record,
        on_game=progress,
    )
    if as_json:
        emit(result.to_json())
    else:
        print(result)


@app.command()
def bench(
    seconds: Annotated[float, typer.Option("--seconds", help="For each measurement.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure this machine: nodes a second of each kind of game, against plain Python."""
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
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="othello")],
    folder: Annotated[Path, typer.Option("--folder", help="Keeps everything; goes on there.")],
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Play, then fit, so often.")] = 6,
    games: Annotated[int, typer.Option("--games", min=1, help="In each round.")] = 12_000,
    depth: Annotated[int, typer.Option("--depth", min=1, max=60, help="Of the play.")] = 4,
    seed: Annotated[int, typer.Option("--seed", help="Of the openings.")] = 1,
    install: Annotated[
        bool, typer.Option("--install", help="Use the weights from now on.")
    ] = False,
) -> None:
    """Learn a game's evaluation from play with itself; prints the weights' file."""
    if game != "othello":
        raise UsageError(f"there is nothing to train for {game!r}", "as: zermelo train othello")
    from .learn import othello

    path = othello.train(othello.Plan(folder, rounds, games, depth, seed=seed))
    if install:
        othello.install(path)
    print(path)


@app.command()
def version() -> None:
    """Print the version."""
    from . import __version__

    print(__version__)


def main() -> None:
    """The entry point: every foreseeable error is one sentence and a hint."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a sign shows another
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SearchBudgetExceeded as e:
        code = fail(e.message, e.hint, 1)
    except ZermeloError as e:
        code = fail(e.message, e.hint, 2)
    except CLICK_ERROR as e:
        context = getattr(e, "ctx", None)
        command = context.command_path if context else "zermelo"
        message = e.format_message() if hasattr(e, "format_message") else str(e)
        code = fail(message.rstrip("."), f"{command} --help", 2)
    except (KeyboardInterrupt, typer.Abort):
        code = fail("interrupted", "", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except MemoryError:
        code = fail("there is not enough memory for this", "give a smaller --table or depth", 2)
    except OSError as e:
        code = fail(f"the output cannot be written: {e.strerror or e}", "", 2)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (what is still buffered is lost too)
    except (Exception, SystemExit) as e:  # raised by a user's rules: ours are all caught above
        closed = isinstance(e, SystemExit) and "typer" in raised_in(e)  # a pipe that nobody reads
        code = 0 if closed else fail(*told(e), 2)
    sys.exit(code if isinstance(code, int) else 0)


def raised_in(error: BaseException) -> str:
    return traceback.extract_tb(error.__traceback__)[-1].filename


def told(error: BaseException) -> tuple[str, str]:
    """An exception out of somebody's rules: what, and where in the file."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = str(Path(__file__).parent)
    theirs = [f for f in frames if not f.filename.startswith(ours)]
    at = theirs[-1] if theirs else frames[-1]
    return (
        f"{type(error).__name__}: {error} ({at.filename}, line {at.lineno}, in {at.name})",
        "zermelo doctor FILE.py:CLASS shows the moves that lead there",
    )


def fail(message: str, hint: str, code: int) -> int:
    err.print(f"error: {message}", markup=False)
    if hint:
        err.print(f"hint: {hint}", markup=False)
    return code


if __name__ == "__main__":
    main()
