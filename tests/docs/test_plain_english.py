"""User-facing text is plain modern English: a list of phrases that must not return.

Each entry is a regular expression and what to write instead. To list all hits with their places:
``python tests/docs/test_plain_english.py``.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())

UNIT = (
    r"(?:action|board|box|call|cell|class|core|deal|deck|file|game|gigabyte|hand|hour|human|input|"
    r"iteration|leaf|line|minute|move|node|outcome|page|panel|pass|pile|play|player|ply|point|"
    r"position|question|round|row|seat|second|ship|shot|side|simulation|square|state|student|suit|"
    r"thread|tree|trick|turn|visitor|word)"
)
COUNTED = (
    r"(?:bets?|bytes?|cards?|deals?|errors?|games?|hands?|iterations?|kB|leaves|lines?|marks?|MB|"
    r"megabytes?|memory|moves?|nodes?|numbers?|once|one|pieces?|plies|points?|positions?|"
    r"seconds?|sets?|shots?|simulations?|states?|steps?|stones?|times?|turns?|utility|values?|"
    r"weights?)"
)
PHRASES = {
    rf"\b{COUNTED} an? {UNIT}\b": "per",
    r"\bone a (?!tie\b|action\b)": "one per",
    r"\b(?:is|are|were|was|be|being) told\b|\btold (?:apart|by|of|to|with|what)\b": "reported",
    r"\btells (?:how|its|of|on|what)\b": "shows, reports",
    r"\bmakes? no sense\b": "invalid …: expected …",
    r"\bmay be in\b(?! any\b)": "states consistent with what the player has observed",
    r"\bha[ds] (?:a|its) (?:part|say)\b": "based on a heuristic evaluation",
    r"\bas (?:its|the game's) people\b|\bpeople write\b": "in the game's usual notation",
    r"\bgo(?:es)? on (?!to\b|the\b|a\b)|\bgo(?:es)? on[.,;:]|\bgo(?:es)? on$": "resumes, continues",
    r"\bby chance\b": "random, randomly",
    r"\bis to move and plays\b": "name the player and the move",
    r"\bfor certain\b": "proved",
    r"\bother sums\b": "general-sum",
    r"\bnames? nobody\b": "returned 7, but this game has players 0 and 1",
    r"\b(?:asks?|knows?|takes?|wants?) no\b": "does not support",
    r"\bcomes? back to\b": "repeats",
    r"\bin circles\b|\bin a circle\b": "cycle",
    r"\banew\b": "again",
    r"\bthat pays\b": "say what is gained",
    r"\bit is young\b": "early release",
    r"\bopen no\b": "do not open",
    r"\bnobody is to move\b": "say what to do: roll the dice first",
    r"\blays:|\bis laid\b|\bare laid\b|\blaid (?:by|out|first|unseen)\b": "place, placed",
    r"\bso many\b(?! that\b)": "this many",
    r"\bon end\b": "in a row",
    r"\bfor ever\b": "forever, endless",
    r"\bseldom\b": "rarely",
    r"\bsomebody\b": "a player, a user",
    r"\bhence\b|\bthereof\b|\bwhereof\b": "so, therefore",
    r"(?<!player )\bwho (?:begins|remembers|forgets)\b": "the first player, a player who …",
    r"\bto a recipe\b": "generated",
    r"\bclick(?:ed)? \w+ together\b|\bclicked together\b": "build by clicking",
    r"\bthe same (\w+), the same\b": "same seed, same tree",
    r"\b(?:is|are) ill\b": "has problems",
    r"\blets? \w+(?: \w+)? meet\b": "plays a match",
    r"\bby (?:its|their|the) odds\b": "sampled, by their probabilities",
    r"\b(?:is|are) taken to\b": "is assumed to",
    r"\bgrows? no\b|\blikes? best\b|\bpolic\w+ of (?:ours|yours)\b": "subject, verb, object",
    r"\bwithout end\b|\bat last\b": "endless, finally",
    r"\bfor sure\b": "proved, always",
    r"\bhow it (?:goes|went)\b": "progress",
    r"\bas likely as any other\b": "equally likely",
    r"\bwhere it was stopped\b": "resumes",
    r"\bcomes? to nothing\b": "fails",
    r"\bwhat (?:cannot be|is not so|is drawn|is missing says so)\b": "name the thing",
    r"\bwhom it\b|\bwhom to\b": "name the person or the address",
    r"\bof what is\b": "name the thing",
    r"\bif nobody says\b": "by default",
    r"\btoo violent\b": "noisy moves, e.g. captures",
    r"\bcannot arise in play\b|\bcannot be there\b": "is impossible",
    r"\bthere is no (?:algorithm|demo|example|game|layout|model|such|training|way)\b": "unknown …",
    r"\b(?:is|are) no (?:layout|probability|state|states|table|weights)\b": "is not a …",
    r"\bwaits? for an answer\b|\bnothing was to be decided\b": "is pending",
    r"\bcome to an end\b|\bcame to nothing\b": "end",
    r"\bcut short\b": "truncated",
    r"\bwhere nature\b|\bnature (?:moves|does)\b": "chance",
    r"\blooks? alike\b|\bstrategies that tell\b": "cannot be distinguished",
    r"\b(?:be|is|are) tabled\b": "stored in a tablebase",
    r"\bgo back a move\b": "take back a move",
    r"\bgive another (?:file|path|word|directory)\b": "choose another …",
    r"\bzermelo train \w+ makes\b|\bmake them (?:again|with)\b": "train weights with: …",
    r"\bto and fro\b|\bwithout a strike\b": "back and forth, without an attack",
    r"\blays? (?:no|the|a)\b|\bto lay\b": "place",
    r"\blet (?:actions|evaluate|is_terminal|observation|utility|__\w+__)\b": "… must return",
    r"\b(?:plan|win) is sure\b|\bhow sure\b": "certain, proved",
    r"\bdo their worst\b|\bat random\b": "randomly",
    r"\bthe record was full\b|\bwent on without\b": "the recording limit was reached",
    r"\b(?:was|were) met before\b|\bwere met\b": "visited",
    r"\bhas not been tried\b": "is unvisited",
    r"\bholds the first\b": "contains the first",
    r"\bthe sea of\b|\bof this sea\b": "grid",
    r"\bby force, whatever\b": "wins by force",
    r"\bof all it earns\b|\ba dear one\b": "say who earns more, expensive",
    r"\bdoes not say (?:that|who|what)\b": "does not declare, does not name",
    r"\bsays neither\b|\bmeans nothing\b": "needs …, unknown …",
    r"\bhas several ways\b|\bcan be several moves\b": "is ambiguous",
    r"\bin its own place\b|\bone's own\b": "its own value",
    r"\bhow things stand\b": "the state of the game",
    r"\bone behind the other\b": "concatenated",
    r"\bonly what play leads to\b": "reachable states",
    r"\bthe native half\b": "the native side",
    r"\bthe lectures'|\bas the lectures\b|\bof the lectures\b": "textbook",
    r"\b(?:is|are) to be (?:done|decided|expected|rolled)\b": "pending, expected",
    r"\bby lot\b|\bby turns\b|\bunder way\b|\bfor want of\b": "random, in turn, current",
    r"\bwithout further ado\b|\bgives way\b|\bfor granted\b": "name what happens",
    r"\bhow likely (?:each|it|one|the other)\b": "the probability of",
    r"\bas players write (?:them|it)\b": "in the game's notation, e.g. SAN",
    r"\bbrings? along\b|\bmeans to come\b": "has, approaches",
}
COMPILED = [(re.compile(p, re.I | re.M), instead) for p, instead in PHRASES.items()]

ALLOWED = {
    "one a tie": "grammar: 'make one a tie'",
}


class Text(NamedTuple):
    """A piece of user-facing text and where it stands."""

    place: str
    text: str


def hits(texts: Iterable[Text]) -> list[str]:
    """Every phrase found, one line each."""
    found = []
    for place, text in texts:
        for pattern, instead in COMPILED:
            for m in pattern.finditer(text):
                if any(m[0].lower() in a for a in ALLOWED):
                    continue
                around = text[max(0, m.start() - 30) : m.end() + 30].replace("\n", " ")
                found.append(f"{place}: …{around}… → {instead}")
    return found


def documents() -> list[Path]:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "benchmarks" / "README.md"]
    return sorted(pages)


def document(page: Path) -> list[Text]:
    """The prose of a page and the comments of its code blocks, without inline code."""
    text = page.read_text(encoding="utf-8")
    return [Text(page.name, re.sub(r"`[^`\n]+`", "`…`", text))]


def script(file: Path) -> list[Text]:
    """The strings and the comments of a Python file."""
    source = file.read_text(encoding="utf-8")
    texts = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            texts.append(Text(f"{file.name}:{token.start[0]}", token.string))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            texts.append(Text(f"{file.name}:{node.lineno}", node.value))
    return texts


SCRIPTS = [*sorted(ROOT.glob("examples/*.py")), *sorted(ROOT.glob("benchmarks/*.py"))]


def command_help() -> Iterator[Text]:
    """The help of every command, as ``zermelo COMMAND --help`` prints it."""
    from typer.main import get_command

    from zermelo.ui.cli.main import app

    root = get_command(app)
    pages = {"zermelo": root} | dict(getattr(root, "commands", {}))
    for name, command in pages.items():
        parts = [command.help or "", command.epilog or ""]
        parts += [str(getattr(option, "help", "") or "") for option in command.params]
        yield Text(f"zermelo {name} --help", "\n".join(parts))


def messages() -> Iterator[Text]:
    """Strings of the package that are not docstrings: errors, hints, notes, printed text."""
    for file in sorted((ROOT / "src" / "zermelo").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documented = [n for n in ast.walk(tree) if isinstance(n, DOCUMENTED)]
        docstrings = {id(d.body[0].value) for d in documented if ast.get_docstring(d, clean=False)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in docstrings:
                continue
            if isinstance(node.value, str) and " " in node.value:
                yield Text(f"{file.relative_to(ROOT)}:{node.lineno}", node.value)


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings() -> Iterator[Text]:
    """The docstrings of the public names and of their public methods and attributes."""
    for name in zermelo.__all__:
        thing = getattr(zermelo, name)
        yield Text(f"zermelo.{name}", inspect.getdoc(thing) or "")
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield Text(f"zermelo.{name}.{member}", inspect.getdoc(value) or "")


def internals() -> Iterator[Text]:
    """All docstrings and comments of the package, private ones too."""
    for file in sorted((ROOT / "src" / "zermelo").rglob("*.py")):
        source, place = file.read_text(encoding="utf-8"), file.relative_to(ROOT)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, DOCUMENTED) and (doc := ast.get_docstring(node)):
                yield Text(f"{place}:{node.body[0].lineno}", doc)
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield Text(f"{place}:{token.start[0]}", token.string)


def core_comments() -> Iterator[Text]:
    """The comments of the C++ code."""
    comment = re.compile(r"//.*(?:\n\s*//.*)*")
    for folder in ("core", "bindings"):
        for file in sorted((ROOT / folder).rglob("*.[ch]pp")):
            code = file.read_text(encoding="utf-8")
            for m in comment.finditer(code):
                line = 1 + code.count("\n", 0, m.start())
                text = re.sub(r"\n\s*//+", "", m[0])
                yield Text(f"{file.relative_to(ROOT)}:{line}", text)


def native() -> Iterator[Text]:
    """The string literals of the C++ code: errors, hints and the texts of the algorithms."""
    literal = re.compile(r'R"\w*\((.*?)\)\w*"|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
    for folder in ("core", "bindings"):
        for file in sorted((ROOT / folder).rglob("*.[ch]pp")):
            code = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
            for m in literal.finditer(code):
                yield Text(str(file.relative_to(ROOT)), m[1] or m[2] or "")


def studio() -> Iterator[Text]:
    """The page: its HTML, and the string literals of its scripts."""
    literal = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`")
    for folder in ("ui/web/static", "view"):
        for file in sorted((ROOT / "src" / "zermelo" / folder).iterdir()):
            text = file.read_text(encoding="utf-8") if file.suffix in (".js", ".html") else ""
            texts = [text] if file.suffix == ".html" else literal.findall(re.sub("//.*", "", text))
            for found in texts:
                yield Text(file.name, found)


@pytest.mark.parametrize("page", documents(), ids=lambda p: p.stem)
def test_documents(page: Path) -> None:
    assert hits(document(page)) == []


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda p: p.stem)
def test_examples_and_benchmarks(file: Path) -> None:
    assert hits(script(file)) == []


PROGRAM = [command_help, studio, messages, docstrings, native, internals, core_comments]


@pytest.mark.parametrize("texts", PROGRAM)
def test_program(texts: Callable[[], Iterator[Text]]) -> None:
    assert hits(texts()) == []


def test_the_phrases_are_found_and_plain_text_is_not() -> None:
    old = "It goes on by chance, one a player; 3 points a game. time makes no sense. He is told."
    assert len(hits([Text("x", old)])) == 6
    plain = "Goes on to win. One action per player; 3 points per game. Moves may be in any order."
    assert hits([Text("x", plain)]) == []


if __name__ == "__main__":
    found = [h for p in documents() for h in hits(document(p))]
    found += [h for p in SCRIPTS for h in hits(script(p))]
    for part in PROGRAM:
        found += hits(part())
    print("\n".join(found))
