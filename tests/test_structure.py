"""The shape of the repository: who may depend on whom, and how long things may be."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "zermelo"
MAX_TOP_LEVEL_MODULES = 14
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
PYTHON = sorted(PACKAGE.rglob("*.py"))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def includes(path: Path) -> list[str]:
    return re.findall(r'#include [<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_few_modules_stand_at_the_top_level() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= MAX_TOP_LEVEL_MODULES


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_file_is_short(path: Path) -> None:
    assert len(lines(path)) <= LONGEST_FILE


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_functions_are_short(path: Path) -> None:
    def length(f: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        assert f.end_lineno is not None
        documented = ast.get_docstring(f) is not None
        first = f.body[0].end_lineno if documented else f.lineno - 1
        assert first is not None
        return f.end_lineno - first

    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {f.name: length(f) for f in found if length(f) > LONGEST_FUNCTION}
    assert long == {}


@pytest.mark.parametrize("path", sorted((ROOT / "core").rglob("*.?pp")), ids=relative)
def test_core_layers(path: Path) -> None:
    """Rules include no search, searches include no rules, and the core knows nothing of Python."""
    folder = path.relative_to(ROOT / "core").parts[0]
    found = includes(path)
    assert not [i for i in found if i.startswith(("nanobind", "Python.h", "bindings/"))]
    if folder == "games":
        assert not [i for i in found if i.startswith("search/")]
    if folder in ("search", "parts"):
        assert not [i for i in found if i.startswith("games/")]
