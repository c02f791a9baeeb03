"""What the commands share: the Typer app, common options, reading and writing text."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ... import files
from ...checks import check_rules
from ...errors import UsageError
from ...game import Game, first_state
from ...search.algorithms import algorithms, option_owners
from ...view.columns import columns as aligned

app = typer.Typer(
    name="zermelo",
    help="Adversarial search for built-in games and your own: analyze, solve, play, teach.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)

GameArg = Annotated[
    str, typer.Argument(metavar="GAME", help="NAME, NAME:option=value, FILE.py:CLASS or a tree.")
]
Position = Annotated[
    str | None,
    typer.Option("--position", "-p", help="Position in the game's usual notation, e.g. FEN."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Algo = Annotated[
    str,
    typer.Option(
        "--algorithm",
        "-a",
        help="Algorithm, e.g. engine or mcts:exploration=2. List: zermelo algorithms.",
    ),
]


def option_help(name: str) -> str:
    """The help of an algorithm's option, as the algorithm declares it."""
    spec = algorithms()[option_owners()[name][0]]
    option = spec.options[name]
    text = option.doc[:1].upper() + option.doc[1:]
    return f"{text}. Choices: {', '.join(option.choices)}." if option.choices else f"{text}."


Cut = Annotated[str | None, typer.Option("--cut", help=option_help("cut"))]
Prune = Annotated[str | None, typer.Option("--prune", help=option_help("prune"))]
Fail = Annotated[str | None, typer.Option("--fail", help=option_help("fail"))]
Tables = Annotated[
    Path | None, typer.Option("--tablebase", help="Directory of a tablebase to probe.")
]
Time = Annotated[float | None, typer.Option("--time", "-t", help="Time limit in seconds.")]
Depth = Annotated[int | None, typer.Option("--depth", "-d", help="Search depth in plies.")]
Nodes = Annotated[int | None, typer.Option("--nodes", "-n", help="Node limit.")]
Ties = Annotated[bool, typer.Option("--ties", help=option_help("ties"))]
Seed = Annotated[int | None, typer.Option("--seed", help="Random seed.")]


def emit(document: Any) -> None:
    """Print one JSON document to stdout."""
    print(json.dumps(document, ensure_ascii=False, allow_nan=False))


def columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows in aligned columns."""
    for row in aligned(rows):
        print(row)


def load_at(game: str, position: str | None) -> tuple[Game, Any]:
    """Load a game and parse `position`; without a position, take the initial state."""
    from ...games import load

    loaded = load(game)
    check_rules(loaded)  # a wrong signature is reported before the rules are called
    return loaded, first_state(loaded) if position is None else loaded.parse_state(position)


def located(error: BaseException) -> str:
    """Describe an exception raised by a user's function: type, message, file and line."""
    frames = traceback.extract_tb(error.__traceback__)
    ours, shell = str(Path(__file__).parents[2]), {"typer", "click"}
    inside = dropwhile(
        lambda f: not f.filename.startswith(ours), frames
    )  # skip the caller's frames
    theirs = [f for f in inside if not f.filename.startswith(ours)]
    theirs = [f for f in theirs if shell.isdisjoint(Path(f.filename).parts)]
    at = theirs[-1] if theirs else frames[-1]
    return f"{type(error).__name__}: {error} ({at.filename}, line {at.lineno}, in {at.name})"


def read_text(text: str) -> str:
    """Return the text itself, the content of a file (@FILE) or of stdin (-)."""
    if text == "-":
        return sys.stdin.read()
    if not text.startswith("@"):
        return text
    if text == "@":
        raise UsageError("no file name after @", "expected @FILE, or - for stdin")
    return files.read_text(text[1:])


def write(path: Path, text: str) -> None:
    """Write a file and report it."""
    files.write(path, text)
    err.print(f"wrote {path}", markup=False)
