"""C++ functions have at most 60 lines and files at most 400."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_LINES_OF_FUNCTION = 60
MAX_LINES_OF_FILE = 400

SCOPE = re.compile(
    r"(template\s*<.*?>\s*)?(inline\s+)?(namespace|class|struct|enum|union|extern)\b", re.S
)


def blank(text: str) -> str:
    """The code with comments, literals and preprocessor lines replaced by blanks."""

    def spaces(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group(0))

    for pattern, flags in (
        (r'R"\(.*?\)"', re.S),
        (r"//[^\n]*|/\*.*?\*/", re.S),
        (r'"(?:\\.|[^"\\\n])*"', 0),
        (r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])'", 0),
        (r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M),
    ):
        text = re.sub(pattern, spaces, text, flags=flags)
    return text


def functions(code: str) -> Iterator[tuple[str, int, int]]:
    """(name, first line, number of lines) of each function that is not inside another one."""
    code = blank(code)
    blocks: list[tuple[bool, int, str, int]] = []
    inside = parentheses = start = 0
    for i, c in enumerate(code):
        if c in "()":
            parentheses += 1 if c == "(" else -1
        elif c == "{":
            head = code[start:i].strip()
            scope = SCOPE.match(head) and not re.search(
                r"\)\s*(const|noexcept|override|\s)*$", head
            )
            is_function = (
                not (inside or parentheses or scope) and "(" in head and not head.endswith("=")
            )
            first = code.count("\n", 0, i - len(code[start:i].lstrip())) + 1
            blocks.append((is_function, first, head, parentheses))
            parentheses = 0
            inside += is_function
            if not inside or is_function:
                start = i + 1
        elif c == "}":
            is_function, first, head, parentheses = blocks.pop()
            if is_function:
                inside -= 1
                name = re.findall(r"[~\w]+(?=\s*\()", head)
                yield (name[0] if name else head), first, code.count("\n", 0, i) + 2 - first
            if not inside:
                start = i + 1
        elif not inside and (
            (c == ";" and not parentheses)
            or re.search(r"\b(public|private|protected):$", code[max(0, i - 12) : i + 1])
        ):
            start = i + 1


def sources() -> list[Path]:
    return [
        p
        for d in ("core", "bindings")
        for p in sorted((ROOT / d).rglob("*"))
        if p.suffix in (".hpp", ".cpp")
    ]


def test_functions_are_short() -> None:
    long = []
    for path in sources():
        file = str(path.relative_to(ROOT))
        for name, first, lines in functions(path.read_text()):
            if lines > MAX_LINES_OF_FUNCTION:
                long.append(f"{file}:{first}: {name} has {lines} lines")
    assert not long, "\n".join(long)


def test_files_are_short() -> None:
    long = []
    for path in sources():
        file, lines = str(path.relative_to(ROOT)), len(path.read_text().splitlines())
        if lines > MAX_LINES_OF_FILE:
            long.append(f"{file} has {lines} lines")
    assert not long, "\n".join(long)


def test_the_counter_sees_functions() -> None:
    lines = (
        *(
            "class A {",
            " public:",
            "  int f(int x) {",
            "    if (x) {",
            "    }",
            "    return 0;",
            "  }",
        ),
        *("  int y = 0;", "};", "void g() {}", ""),
    )
    code = "\n".join(lines)
    assert list(functions(code)) == [("f", 3, 5), ("g", 10, 1)]
