"""``zermelo exercise`` and ``zermelo grade``: exercises with answer keys, graded functions."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import files
from ...errors import UsageError
from .shared import Algo, Json, app, emit, err, option_help, read_text, write

if TYPE_CHECKING:
    from ...exercise import Recipe
    from ...exercise.grading import Grade
    from ...exercise.sheet import Sheet


def _range(name: str, text: str) -> tuple[int, int]:
    """Parse a range option: "3" or "2..4"."""
    m = re.fullmatch(r"\s*(-?\d{1,6})\s*(?:\.\.\s*(-?\d{1,6})\s*)?", text)
    if not m:
        raise UsageError(
            f"invalid --{name} {text!r}", f"expected a range, e.g. --{name} 3 or --{name} 2..4"
        )
    return int(m[1]), int(m[2] or m[1])


Branching = Annotated[
    str, typer.Option("--branching", "-b", help="Children per node, e.g. 2 or 2..3.")
]
Values = Annotated[str | None, typer.Option("--values", help="Range of leaf values, e.g. -9..20.")]
Cuts = Annotated[
    int | None, typer.Option("--cuts", help="Number of branches that alpha-beta prunes.")
]
Above = Annotated[bool, typer.Option("--above", help="Require a cutoff above the leaves.")]
CutRule = Annotated[str, typer.Option("--cut", help=option_help("cut"))]
Ask = Annotated[str, typer.Option("--ask", help="Questions, e.g. values,cuts; also order, move.")]
TreeText = Annotated[
    str | None, typer.Option("--tree", help="Your own tree, @FILE, or - for stdin.")
]
TreeSeed = Annotated[str | None, typer.Option("--seed", help="Random seed: same seed, same tree.")]
Students = Annotated[
    Path | None, typer.Option("--students", help="File of names: one sheet per student.")
]
Format = Annotated[
    str | None,
    typer.Option("--format", "-f", help="Format: text, svg, html, pdf, moodle or json."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Output file (the key is written next to it) or folder."),
]
Check = Annotated[
    Path | None,
    typer.Option("--check", help="Check an answer (JSON); exits with 1 if it is wrong."),
]


@app.command()
def exercise(
    depth: Annotated[int, typer.Option("--depth", "-d", help="Levels of the tree.")] = 3,
    branching: Branching = "2",
    values: Values = None,
    cuts: Cuts = None,
    above: Above = False,
    ties: Annotated[bool, typer.Option("--ties", help="Allow equal values.")] = False,
    root: Annotated[str, typer.Option("--root", help="Player at the root: max or min.")] = "max",
    chance: Annotated[bool, typer.Option("--chance", help="Include chance nodes.")] = False,
    players: Annotated[int, typer.Option("--players", help="Number of players.")] = 2,
    algorithm: Algo = "auto",
    cut: CutRule = "equal",
    ask: Ask = "",
    tree: TreeText = None,
    seed: TreeSeed = None,
    count: Annotated[int, typer.Option("--count", "-n", help="Number of exercises.")] = 1,
    title: Annotated[str, typer.Option("--title", help="Title of each exercise.")] = "Exercise",
    students: Students = None,
    form: Format = None,
    out: Out = None,
    key: Annotated[bool, typer.Option("--key", help="Print the answer key instead.")] = False,
    paper: Annotated[str, typer.Option("--paper", help="Paper size: a4 or letter.")] = "a4",
    check: Check = None,
) -> None:
    """Generate exercise trees with answer keys, or check an answer.

    Without --out the sheet is printed to stdout, as text or in the given --format.
    """
    from ...exercise import Recipe
    from ...exercise.files import exercises, read_students
    from ...exercise.recipe import from_tree
    from ...exercise.sheet import Sheet

    title = title.encode("utf-8", "replace").decode()  # replaces lone surrogates
    parts = tuple(w for w in re.split(r"[\s,]+", ask) if w)
    wide = None if values is None else _range("values", values)
    recipe = Recipe(
        depth, _range("branching", branching), wide, cuts, above, ties,
        root, chance, players, algorithm, cut, parts,  # type: ignore[arg-type]
    )  # fmt: skip
    if tree is not None:
        if students is not None or count != 1:
            raise UsageError("--tree makes one exercise", "omit --students and --count")
        made = [from_tree(read_text(tree), algorithm, recipe.cut, parts)]
    elif students is None:
        made = exercises(recipe, seed, count)
    if check is not None:
        if students is not None or count != 1 or (seed is None and tree is None):
            raise UsageError(
                "--check needs one exercise to check against", "give its --seed, or --tree"
            )
        _check_answer(made[0], check)
        return
    if students is not None:
        _write_students(recipe, seed, count, title, read_students(students), form, out, paper)
        return
    _write_sheet(Sheet(made, title), form, out, key, paper)


def _check_answer(made: Any, path: Path) -> None:
    from ...exercise import check

    hint = 'e.g. {"values": {"A": 3}, "cuts": ["b"], "order": "a c", "move": "A"}'
    text = files.read_text(path, hint)
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise UsageError(f"{path} is not a valid answer: {e}", hint) from None
    marks = check(made, answer)
    emit(marks.to_json())
    if not marks.right:
        raise typer.Exit(1)


def _write_sheet(sheet: Sheet, form: str | None, out: Path | None, key: bool, paper: str) -> None:
    """Write one sheet to stdout, or to a file with its key next to it."""
    from ...exercise.files import SUFFIXES, render

    form = form or (SUFFIXES.get(out.suffix.lower(), "text") if out is not None else "text")
    if out is None:
        if form == "pdf" and sys.stdout.isatty():
            raise UsageError("a PDF cannot be printed on a terminal", "use --out sheet.pdf")
        data = render([sheet], form, key, paper)
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    if not out.name:
        raise UsageError(f"{out} is not a file", "give a file name, e.g. --out sheet.pdf")
    outputs = [(out, key)]
    if not key and form not in ("moodle", "json"):
        outputs.append((out.with_name(f"{out.stem}-key{out.suffix}"), True))
    for path, with_key in outputs:
        data = render([sheet], form, with_key, paper)
        files.write(path, data)
        err.print(f"wrote {path}", markup=False)


def _write_students(
    recipe: Recipe,
    seed: str | None,
    count: int,
    title: str,
    names: list[str],
    form: str | None,
    out: Path | None,
    paper: str,
) -> None:
    """Write one sheet and key per student into a folder."""
    from ...exercise.files import exercises, write_class
    from ...exercise.sheet import Sheet

    if out is None:
        raise UsageError("--students needs a folder", "use --out FOLDER")
    shown = monotonic()

    def report(done: int) -> None:
        nonlocal shown
        if monotonic() - shown > 2:
            shown = monotonic()
            err.print(f"{done} of {len(names)}", style="dim", markup=False)

    sheets = []
    for i, name in enumerate(names):
        sheets.append(Sheet(exercises(recipe, seed, count, name), title, name))
        report(i + 1)
    made = write_class(out, sheets, form or "pdf", paper, report)
    err.print(f"wrote {len(made)} files in {out}", markup=False)


def _write_results(path: Path | None, done: Grade, points: float) -> None:
    """Write Gradescope's results.json, if a path is given."""
    if path is not None:
        text = json.dumps(done.gradescope(points), ensure_ascii=True, indent=1)
        write(path, text + "\n")


@app.command()
def grade(
    function: Annotated[
        str, typer.Argument(metavar="FILE:FUNCTION", help="Function, e.g. student.py:alphabeta.")
    ],
    cases: Annotated[int, typer.Option("--cases", "-n", help="Number of trees.")] = 40,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="alphabeta or minimax.")
    ] = "alphabeta",
    cut: CutRule = "equal",
    seed: Annotated[str, typer.Option("--seed", help="Random seed of the trees.")] = "grade",
    time: Annotated[float, typer.Option("--time", "-t", help="Seconds per tree.")] = 2.0,
    memory: Annotated[int, typer.Option("--memory", help="Memory limit in MB.")] = 1024,
    gradescope: Annotated[
        Path | None, typer.Option("--gradescope", help="Write Gradescope's results.json.")
    ] = None,
    points: Annotated[float, typer.Option("--points", help="Points for a perfect score.")] = 100.0,
    as_json: Json = False,
) -> None:
    """Grade a student's search function by the nodes it visits.

    The function is called with a game (initial, player, actions, result, is_terminal, utility) and
    a state. It returns the value, the move, or both. Exits with 1 if a tree is wrong.
    """
    from ...exercise.grading import Grade
    from ...exercise.grading import grade as run

    path, colon, name = function.rpartition(":")
    if not colon or not path or not name.isidentifier():
        raise UsageError(
            f"invalid function {function!r}", "expected FILE.py:FUNCTION, e.g. student.py:alphabeta"
        )
    shown = monotonic()

    def report(done: int) -> None:
        nonlocal shown
        if monotonic() - shown > 2:
            shown = monotonic()
            err.print(f"{done} of {cases} trees", style="dim", markup=False)

    if not 0 < points < 1e9:
        raise UsageError(f"invalid --points {points}", "expected a number above 0")
    try:
        done = run(path, name, cases=cases, algorithm=algorithm, cut=cut,
                   seed=seed, seconds=time, megabytes=memory, progress=report)  # fmt: skip
    except Exception as e:  # a grading service needs the file in any case
        _write_results(gradescope, Grade(name, algorithm, cut, [], f"not graded: {e}"), points)
        raise
    _write_results(gradescope, done, points)
    if done.failed.startswith("the file has no function"):
        raise UsageError(done.failed, "choose one of the functions in the file")
    if as_json:
        emit(done.to_json())
    else:
        print(done)
    if not done.right:
        raise typer.Exit(1)
