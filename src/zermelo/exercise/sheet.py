"""Sheets with exercises, and their keys: text, SVG, a page to print, PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ..search.adapter import adapt
from ..search.tracing import drawn_tree
from ..trace import Trace
from ..view.folding import many_players
from ..view.layout import wrap
from ..view.number import pretty
from ..view.steps_text import steps_text, tree_text
from ..view.trace_text import player_name
from ..view.tree_pdf import A4, Document, Page, draw_tree
from ..view.tree_svg import tree_svg
from .checking import answer_of
from .key import Exercise, show_numbers

MARGIN = 50.0  # points
LINE = 17.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some exercises for one student."""

    exercises: Sequence[Exercise]
    title: str = "Exercise"
    student: str = ""


def blank(exercise: Exercise) -> Trace:
    """The tree as it is handed out."""
    game = exercise.game
    trace = drawn_tree(adapt(game), game.data(game.initial()))
    trace.algorithm = exercise.algorithm_name
    return show_numbers(exercise, trace)


def task(exercise: Exercise) -> str:
    """What to do, in a sentence."""
    told = f"Search this tree with {exercise.algorithm_name}, children from left to right."
    if exercise.trace.convention:
        told += f" Convention: {pretty(exercise.trace.convention)}."
    return told


def questions(exercise: Exercise) -> list[tuple[str, str]]:
    """The part and the question, in the order in which they are asked."""
    root = exercise.trace.nodes[0]
    who = player_name(root.player, many_players(exercise.trace))
    bounds = ". Write ≤2 or ≥6 for a bound, and never for a node that is not visited"
    values = "Write the value of every node when the search is over"
    several = ", one per player, as (1, 2, 6)" if many_players(exercise.trace) else ""
    told = {
        "values": f"{values}{several}{bounds if exercise.can_cut else ''}.",
        "cuts": "Which branches are cut? Name the node at the lower end of each; "
        "list only the topmost.",
        "order": "In which order are the leaves visited?",
        "move": f"To which node does {who} move at the root?",
    }
    return [(part, told[part]) for part in exercise.parts]


def _key_lines(exercise: Exercise) -> list[str]:
    """The right answers, a line a part."""
    answer = answer_of(exercise)
    lines = []
    for part, right in answer.items():
        if part == "values":
            told = ", ".join(f"{name} {value}" for name, value in right.items())
        elif part == "move":
            told = " or ".join(exercise.moves)
        else:
            told = " ".join(right) or "none"
        lines.append(f"{part}: {told}")
    return lines


def heading(sheet: Sheet, i: int) -> str:
    number = f" {i + 1}" if len(sheet.exercises) > 1 else ""
    who = f" · {sheet.student}" if sheet.student else ""
    return f"{sheet.title}{number}{who}"


# -- text ------------------------------------------------------------------------------------
def sheet_text(sheet: Sheet, key: bool = False) -> str:
    out: list[str] = []
    for i, e in enumerate(sheet.exercises):
        out += [heading(sheet, i) + (" · key" if key else ""), "", task(e), "", e.tree, ""]
        out += [tree_text(e.shown if key else blank(e), 500), ""]
        if key:
            out += [*_key_lines(e), "", *steps_text(e.shown)]
        else:
            for n, (part, question) in enumerate(questions(e), 1):
                names = (
                    f"\n   {'  '.join(f'{m} ____' for m in e.inner)}" if part == "values" else ""
                )
                out.append(f"{n}. {question}{names}")
        out.append("")
    return "\n".join(out).rstrip() + "\n"


# -- SVG and a page to print --------------------------------------------------------------------
def sheet_svg(exercise: Exercise, key: bool = False) -> str:
    return tree_svg(exercise.shown if key else blank(exercise), max_nodes=500, theme="light")


STYLE = """body{font:16px/1.45 "Helvetica Neue",Arial,sans-serif;max-width:60em;margin:1.5em auto;
padding:0 1em;color:#1f2328;background:#fff}section{break-after:page}section:last-child{
break-after:auto}svg{max-width:100%;height:auto}li{margin:.7em 0}.line{display:block;
border-bottom:1px solid #8a929c;height:1.8em}td,th{border:1px solid #8a929c;padding:.3em .9em;
text-align:center}table{border-collapse:collapse;margin:.5em 0}ol.steps{font-size:85%}
ol.steps li{margin:.1em 0}"""


def _section(sheet: Sheet, i: int, key: bool) -> str:
    e = sheet.exercises[i]
    out = [f"<section><h1>{escape(heading(sheet, i))}{' · key' if key else ''}</h1>"]
    out += [f"<p>{escape(task(e))}</p>", sheet_svg(e, key)]
    if key:
        out += [f"<p>{escape(line)}</p>" for line in _key_lines(e)]
        out.append('<ol class="steps">')
        out += [f"<li>{escape(line)}</li>" for line in e.steps_text]
        return "".join([*out, "</ol></section>"])
    out.append("<ol>")
    for part, question in questions(e):
        out.append(f"<li>{escape(question)}")
        if part == "values":
            heads = "".join(f"<th>{escape(n)}</th>" for n in e.inner)
            cells = "<td>&nbsp;</td>" * len(e.inner)
            out.append(f"<table><tr>{heads}</tr><tr>{cells}</tr></table></li>")
        else:
            out.append('<span class="line"></span></li>')
    return "".join([*out, "</ol></section>"])


def sheet_html(sheets: Sequence[Sheet], key: bool = False) -> str:
    """A page that prints one exercise a sheet of paper."""
    body = "\n".join(_section(s, i, key) for s in sheets for i in range(len(s.exercises)))
    title = escape(sheets[0].title if sheets else "Exercise") + (" · key" if key else "")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def exercise_html(exercise: Exercise) -> str:
    """For a notebook: the tree and the questions."""
    told = "".join(f"<li>{escape(q)}</li>" for _, q in questions(exercise))
    picture = tree_svg(blank(exercise), max_nodes=500)
    return f"<div><p>{escape(task(exercise))}</p>{picture}<ol>{told}</ol></div>"


# -- PDF -------------------------------------------------------------------------------------
def sheet_pdf(sheets: Sequence[Sheet], key: bool = False, paper: tuple[float, float] = A4) -> bytes:
    """One exercise a page; the page lies on its side where the tree is wide."""
    title = (sheets[0].title if sheets else "Exercise") + (" · key" if key else "")
    document = Document(title)
    for sheet in sheets:
        for i, exercise in enumerate(sheet.exercises):
            wide = len(exercise.leaves) > 12
            page = document.page((paper[1], paper[0]) if wide else paper)
            _pdf_page(page, sheet, i, key)
    return document.to_bytes()


def _pdf_page(page: Page, sheet: Sheet, i: int, key: bool) -> None:
    exercise = sheet.exercises[i]
    wide = page.size[0] - 2 * MARGIN
    y = MARGIN + 10
    page.text(MARGIN, y, heading(sheet, i) + (" · key" if key else ""), 16, bold=True)
    y += 8
    for line in wrap(task(exercise), wide, 11, False):
        y += LINE - 2
        page.text(MARGIN, y, line, 11)
    below = _pdf_words(exercise, wide, key)
    room = page.size[1] - MARGIN - y - 20 - sum(step for step, *_ in below)
    y += 14
    y += draw_tree(page, exercise.shown if key else blank(exercise), (MARGIN, y, wide, room)) + 6
    for step, text, ruled in below:
        y += step
        if text:
            page.text(MARGIN, y, text, 11)
        if ruled:
            page.pen("#8a929c", 0.6)
            page.lines([(MARGIN + 14, y), (page.size[0] - MARGIN, y)])


def _pdf_words(exercise: Exercise, wide: float, key: bool) -> list[tuple[float, str, bool]]:
    """Lines below the tree: how far down each is, its text, and whether it is one to write on."""
    out: list[tuple[float, str, bool]] = []
    if key:
        for line in _key_lines(exercise):
            out += [(LINE, part, False) for part in wrap(line, wide, 11, False)]
        return out
    for n, (part, question) in enumerate(questions(exercise), 1):
        lines = wrap(f"{n}. {question}", wide, 11, False)
        out += [(LINE + (6 if k == 0 else 0), line, False) for k, line in enumerate(lines)]
        if part == "values":
            blanks = "    ".join(f"{name} ______" for name in exercise.inner)
            out += [(LINE + 7, "    " + line, False) for line in _wrap_wide(blanks, wide)]
        else:
            out.append((LINE + 5, "", True))
    return out


def _wrap_wide(text: str, wide: float) -> list[str]:
    """As `wrap`, for cells that must not be torn: they are four blanks apart."""
    cells, lines = text.split("    "), [""]
    for cell in cells:
        longer = f"{lines[-1]}    {cell}" if lines[-1] else cell
        if lines[-1] and len(longer) * 6.2 > wide - 30:
            lines.append(cell)
        else:
            lines[-1] = longer
    return lines
