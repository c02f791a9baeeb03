"""The Python of the pages in docs/ runs: the blocks of a page one after the other, as one reads."""

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
# The same calls, for less time than a reader has.
CHEAPER = {
    r"\btime=[\d.]+": "time=0.01",
    r"\bgames=\d+": "games=2",
    r"\b(samples|deals)=\d+": r"\1=4",
    r"\brounds=\d+": "rounds=20",
    r"\bsimulations=[\d_]+": "simulations=100",
}


def told(line: str) -> Any:
    """What the comment behind an expression says it is worth, where that is a plain value."""
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
        wanted = told(lines[(node.end_lineno or 1) - 1])
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
    if page.stem == "holdem":  # a policy such as training leaves behind
        (tmp_path / "run").mkdir()
        weights = Path(zermelo.__file__).with_name("games") / "holdem.weights"
        shutil.copy(weights, tmp_path / "run" / "last.policy")
    space: dict[str, Any] = {"__name__": "page"}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        run(block, page, space)
