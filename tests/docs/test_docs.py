"""The Python blocks of each page in docs/ run in order, and its commands and paths exist."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [p for p in sorted(ROOT.glob("docs/*.md")) if BLOCK.search(p.read_text(encoding="utf-8"))]
# The same calls with smaller limits, so that the tests are fast.
CHEAPER = {
    r"\btime=[\d.]+": "time=0.01",
    r"\bgames=\d+": "games=2",
    r"\b(samples|deals)=\d+": r"\1=4",
    r"\brounds=\d+": "rounds=20",
    r"\bsimulations=[\d_]+": "simulations=100",
}


def expected_value(line: str) -> Any:
    """The value in the comment after an expression, if it is a plain value."""
    _, mark, comment = line.rpartition("  # ")
    try:
        return ast.literal_eval(comment) if mark else None
    except (SyntaxError, ValueError):
        return None


def run(block: str, page: Path, space: dict[str, Any]) -> None:
    for pattern, cheap in CHEAPER.items():
        block = re.sub(pattern, cheap, block)
    if ">>>" in block:
        test = doctest.DocTestParser().get_doctest(block, space, page.name, str(page), 0)
        runner = doctest.DocTestRunner()
        runner.run(test, clear_globs=False)
        assert runner.summarize(verbose=False).failed == 0
        space.update(test.globs)
        return
    lines = block.splitlines()
    for node in ast.parse(block).body:
        code = compile(ast.Module([node], []), page.name, "exec")
        wanted = expected_value(lines[(node.end_lineno or 1) - 1])
        if isinstance(node, ast.Expr) and wanted is not None:
            assert eval(compile(ast.Expression(node.value), page.name, "eval"), space) == wanted
        else:
            exec(code, space)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_python_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZERMELO_WORDS", str(ROOT / "tests" / "words.txt"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    if page.stem == "uci":
        pytest.importorskip("chess", reason="python-chess is not installed")
    if page.stem == "holdem":  # stands for the policy of a training run
        (tmp_path / "run").mkdir()
        weights = Path(zermelo.__file__).with_name("games") / "holdem" / "holdem.weights"
        shutil.copy(weights, tmp_path / "run" / "last.policy")
    space: dict[str, Any] = {"__name__": "page"}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        run(block, page, space)


DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]


def commands(page: Path) -> list[str]:
    """The command lines in the code blocks and in the inline code of a page."""
    text = page.read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"^```(?:sh)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    inline = re.findall(r"`(zermelo [a-z][^`]*)`", text)
    return [line.partition("  #")[0] for line in [*blocks.splitlines(), *inline]]


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda p: p.stem)
def test_commands_and_their_options_exist(page: Path) -> None:
    from typer.main import get_command

    from zermelo.ui.cli.main import app

    known = dict(getattr(get_command(app), "commands", {}))
    for line in commands(page):
        match = re.match(r"(?:zermelo|.*bin/zermelo) ([a-z]+)(.*)", line)
        if not match:
            continue
        name, rest = match.groups()
        assert name in known, line
        options = {o for p in known[name].params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
        assert set(re.findall(r"(?<=\s)--[a-z][a-z-]*", rest)) <= options, line
