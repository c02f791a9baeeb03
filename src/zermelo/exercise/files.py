"""Sheets as files: one file, or one per student with separate keys."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import UsageError, suggest
from ..files import make_folder, read_text, write
from ..view.tree_pdf import A4, LETTER
from .checking import answer_of
from .key import Exercise
from .moodle import moodle_xml
from .recipe import Recipe, make
from .sheet import Sheet, sheet_html, sheet_pdf, sheet_svg, sheet_text

SUFFIXES = {".txt": "text", ".svg": "svg", ".html": "html", ".pdf": "pdf", ".xml": "moodle",
            ".json": "json"}  # fmt: skip
FORMATS = {name: suffix for suffix, name in SUFFIXES.items()}
PAPERS = {"a4": A4, "letter": LETTER}
MAX_STUDENTS = 5000
ELSEWHERE = "choose another --out"


def exercises(recipe: Recipe, seed: str | None, count: int, student: str = "") -> list[Exercise]:
    """The exercises of one student; the seed includes the name."""
    if not 1 <= count <= 1000:
        raise UsageError(f"invalid count={count}", "expected a number from 1 to 1000")
    words = [w for w in (seed, student) if w]
    if not words:
        first = make(recipe)
        return [first, *(make(recipe, f"{first.seed}/{i}") for i in range(1, count))]
    base = "/".join(words)
    return [make(recipe, f"{base}/{i}" if i else base) for i in range(count)]


def render(sheets: Sequence[Sheet], form: str, key: bool, paper: str = "a4") -> bytes:
    """The sheets in one file."""
    if form not in FORMATS:
        raise UsageError(f"unknown format {form!r}", suggest(form, FORMATS))
    if paper not in PAPERS:
        raise UsageError(f"unknown paper size {paper!r}", suggest(paper, PAPERS))
    if form == "pdf":
        return sheet_pdf(sheets, key, PAPERS[paper])
    if form == "html":
        return sheet_html(sheets, key).encode()
    if form == "moodle":
        return moodle_xml(sheets).encode()
    if form == "json":
        made = [{"student": s.student, **e.to_json(), **({"key": answer_of(e)} if key else {})}
                for s in sheets for e in s.exercises]  # fmt: skip
        return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode()
    if form == "svg":
        every = [e for s in sheets for e in s.exercises]
        if len(every) > 1:
            raise UsageError(
                "an SVG file can contain only one exercise",
                "use --format html or pdf, or --count 1",
            )
        return sheet_svg(every[0], key).encode()
    return "\n".join(sheet_text(s, key) for s in sheets).encode()


def read_students(path: Path) -> list[str]:
    """Names, one per line; empty lines and lines that begin with # are ignored."""
    lines = read_text(path, "expected a text file with one name per line").splitlines()
    names = [" ".join(line.split()) for line in lines]
    names = [n for n in names if n and not n.startswith("#")]
    if not names:
        raise UsageError(f"{path} contains no names", "expected one name per line")
    if len(names) > MAX_STUDENTS:
        raise UsageError(
            f"{path} contains {len(names):,} names", f"at most {MAX_STUDENTS:,} at a time"
        )
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise UsageError(f"{path} contains {twice[0]!r} twice", "make the names different")
    return names


def file_names(students: Sequence[str], taken: set[str]) -> list[str]:
    """A unique file name for each student that is valid on every system."""
    found = []
    for name in students:
        stem = re.sub(r"[^\w-]+", "_", name).strip("_").encode()[:80].decode(errors="ignore")
        stem = stem or "student"
        n, free = 1, stem
        while free.lower() in taken:
            n += 1
            free = f"{stem}-{n}"
        taken.add(free.lower())
        found.append(free)
    return found


def write_class(
    folder: Path,
    sheets: Sequence[Sheet],
    form: str,
    paper: str = "a4",
    tell: Callable[[int], object] | None = None,
) -> list[Path]:
    """Write one file per student, and the keys to a separate file (SVG: a separate folder)."""
    suffix = FORMATS.get(form, "")
    for sheet in sheets[:1]:
        render([sheet], form, False, paper)  # refuse a wrong format before anything is written
    make_folder(folder, ELSEWHERE)
    if form == "moodle":  # one question bank with a category per student; it contains the keys
        write(folder / "class.xml", render(sheets, form, False), ELSEWHERE)
        return [folder / "class.xml"]
    if form == "svg":
        make_folder(folder / "keys", ELSEWHERE)
    names = file_names([s.student for s in sheets], {"keys"})
    made = []
    for i, (sheet, name) in enumerate(zip(sheets, names, strict=True)):
        made.append(folder / f"{name}{suffix}")
        write(made[-1], render([sheet], form, False, paper), ELSEWHERE)
        if form == "svg":
            made.append(folder / "keys" / f"{name}{suffix}")
            write(made[-1], render([sheet], form, True), ELSEWHERE)
        if tell is not None:
            tell(i + 1)
    if form != "svg":
        made.append(folder / f"keys{suffix}")
        write(made[-1], render(sheets, form, True, paper), ELSEWHERE)
    return made
