"""Exercises as Moodle XML: a question with gaps (values, order, move) and one with several answers
(cuts). Both show the tree and give partial credit."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from decimal import Decimal
from html import escape
from xml.sax.saxutils import escape as xml_escape

from ..explicit.numbers import text_of
from ..view.tree_picture import UNFIT
from .checking import answer_of, penalty
from .key import Exercise
from .notation import LONGEST_NUMBER
from .sheet import Sheet, heading, questions, sheet_svg, task
from .values import NEVER, value_is_right

# The only shares of a mark that Moodle accepts.
SHARES = (100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667,
          14.28571, 12.5, 11.11111, 10, 5)  # fmt: skip
MAX_CUTS = 10
PENALTY = "<penalty>0.3333333</penalty>"  # penalty of each further try
FEEDBACK = ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback")


def moodle_xml(sheets: Sequence[Sheet]) -> str:
    """A quiz to import: Question bank, Import, Moodle XML format."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>"]
    for sheet in sheets:
        if sheet.student:
            names = [name.replace("/", "//") for name in (sheet.title, sheet.student)]
            place = xml_escape("/".join(["$course$/top", *names]))
            out.append(f'<question type="category"><category><text>{place}</text></category>'
                       '<info format="html"><text></text></info></question>')  # fmt: skip
        for i, exercise in enumerate(sheet.exercises):
            out += [_gaps(sheet, i, exercise)] if set(exercise.parts) - {"cuts"} else []
            out += [_cuts(sheet, i, exercise)] if "cuts" in exercise.parts else []
    return UNFIT.sub("�", "\n".join([*out, "</quiz>"]) + "\n")


def _picture(exercise: Exercise) -> tuple[str, str]:
    """The image tag, and the file that it shows."""
    data = b64encode(sheet_svg(exercise).encode()).decode()
    alt = escape(f"the tree {exercise.tree}")
    return (f'<p><img src="@@PLUGINFILE@@/tree.svg" alt="{alt}"></p>',
            f'<file name="tree.svg" path="/" encoding="base64">{data}</file>')  # fmt: skip


def _question(kind: str, name: str, html: str, file: str, rest: str = "") -> str:
    text = html.replace("]]>", "]]]]><![CDATA[>")
    return (
        f'<question type="{kind}"><name><text>{xml_escape(name)}</text></name>'
        f'<questiontext format="html"><text><![CDATA[{text}]]></text>{file}</questiontext>'
        f'<generalfeedback format="html"><text></text></generalfeedback>{PENALTY}'
        f"<hidden>0</hidden>{rest}</question>"
    )


# -- gaps ------------------------------------------------------------------------------------
def _gap(kind: str, answers: Sequence[str]) -> str:
    """A gap with its right answers, which start with `=`; special characters are escaped."""
    parts = []
    for answer in answers:
        right, text = answer[0] == "=", answer[1:]
        shown = re.sub(r'([\\}#~/"])', r"\\\1", escape(text, quote=False))
        parts.append(("=" if right else "") + shown)
    return f"{{1:{kind}:{'~'.join(parts)}}}"


def value_texts(exercise: Exercise, name: str) -> list[str]:
    """The accepted texts of the value of a node."""
    if not exercise.visited(name):
        return sorted(NEVER)
    numbers = exercise.numbers_of(name)
    if len(numbers) > 1:
        texts = [text for _, text in numbers]
        return [f"({', '.join(texts)})", f"({','.join(texts)})", ",".join(texts),
                ", ".join(texts), " ".join(texts)]  # fmt: skip
    ways = _number_texts(exercise, name)
    signs = {"lower": ("≥", ">=", "=>"), "upper": ("≤", "<=", "=<")}
    for sign in signs.get(exercise.nodes[name].kind, ()):
        ways += [
            gap.join((sign, way)) for way in _number_texts(exercise, name) for gap in ("", " ")
        ]
    return ways


def _number_texts(exercise: Exercise, name: str) -> list[str]:
    """The accepted texts of a number: as in the tree, decimal, ratio, and rounded."""
    [(exact, text)] = exercise.numbers_of(name)
    ways = [text, text_of(exact)]
    if len(str(exact)) <= LONGEST_NUMBER:
        ways.append(str(exact))
    if exact.denominator == 1:
        ways.append(f"{ways[-1]}.0")
    elif abs(exact) < 10**12:
        ways += [f"{Decimal(round(exact * 10**n)).scaleb(-n):f}" for n in (2, 3)]
    return [way for way in dict.fromkeys(ways) if value_is_right(exercise, name, way)]


def _gaps(sheet: Sheet, i: int, exercise: Exercise) -> str:
    tag, file = _picture(exercise)
    html = [f"<p>{escape(task(exercise))}</p>", tag]
    for part, question in questions(exercise):
        if part == "cuts":
            continue
        html.append(f"<p>{escape(question)}</p>")
        if part == "values":
            ways = {n: ["=" + t for t in value_texts(exercise, n)] for n in exercise.inner}
            gaps = (f"{n} {_gap('SHORTANSWER', ways[n])}" for n in exercise.inner)
            html.append("<p>" + " &nbsp; ".join(gaps) + "</p>")
        elif part == "order":
            order = exercise.order
            lists = ["=" + sep.join(order) for sep in (" ", ",", ", ")]
            lists += ["=" + "".join(order)] if all(len(x) == 1 for x in order) else []
            html.append(f"<p>{_gap('SHORTANSWER_C', lists)}</p>")
        else:
            tops = [exercise.trace.nodes[c].label for c in exercise.trace.nodes[0].children]
            choices = [("=" if t in exercise.moves else " ") + t for t in tops]
            kind = "MULTICHOICE" if len(tops) > 1 else "SHORTANSWER_C"  # Moodle needs two choices
            html.append(f"<p>{_gap(kind, choices)}</p>")
    name = heading(sheet, i) + ": values"
    return _question("cloze", name, "".join(html), file)


# -- cuts ------------------------------------------------------------------------------------
def cut_shares(exercise: Exercise) -> dict[str, float]:
    """The share of the mark for striking out each branch, in percent."""
    cuts = exercise.cuts
    seen = [b for b in exercise.branches if exercise.visited(b)]
    lost = 100 * penalty(len(cuts), len(seen))
    least = next(s for s in reversed(SHARES) if s >= lost - 1e-4)
    share = dict.fromkeys(exercise.branches, 0.0)  # below a cut: no effect
    share |= {b: -float(least) for b in seen}
    return share | {c: round(100 / len(cuts), 5) for c in cuts}


def _cuts(sheet: Sheet, i: int, exercise: Exercise) -> str:
    if len(exercise.cuts) > MAX_CUTS:
        return _cuts_as_gap(sheet, i, exercise)
    tag, file = _picture(exercise)
    question = dict(questions(exercise))["cuts"]
    html = f"<p>{escape(task(exercise))}</p>{tag}<p>{escape(question)}</p>"
    share = cut_shares(exercise)
    none = 100.0 if not exercise.cuts else -100.0
    answers = "".join(
        f'<answer fraction="{worth:.7g}" format="plain_text"><text>{xml_escape(text)}</text>'
        '<feedback format="html"><text></text></feedback></answer>'
        for text, worth in [*share.items(), ("nothing is cut", none)]
    )
    alt = "".join(f'<{name} format="html"><text></text></{name}>' for name in FEEDBACK)
    rest = (
        "<defaultgrade>1</defaultgrade><single>false</single><shuffleanswers>false</shuffleanswers>"
        f"<answernumbering>none</answernumbering>{alt}{answers}"
    )
    return _question("multichoice", heading(sheet, i) + ": cuts", html, file, rest)


def _cuts_as_gap(sheet: Sheet, i: int, exercise: Exercise) -> str:
    """A gap for more than ten cuts, for which Moodle has no shares: all or nothing."""
    tag, file = _picture(exercise)
    cuts = answer_of(exercise)["cuts"]
    ways = ["=" + sep.join(cuts) for sep in (" ", ",", ", ")]
    question = dict(questions(exercise))["cuts"] + " From left to right:"
    html = f"<p>{escape(task(exercise))}</p>{tag}<p>{escape(question)}</p>"
    html += f"<p>{_gap('SHORTANSWER_C', ways)}</p>"
    return _question("cloze", heading(sheet, i) + ": cuts", html, file)
