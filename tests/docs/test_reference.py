"""Names in the documents exist in the code: hints, hooks and paths."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zermelo.game import hooks

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]


def first_cells(page: str, header: str) -> list[str]:
    """The code in the first column of the table that has this header."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = text.partition(header)[2].partition("\n\n")[0].splitlines()
    cells = [row.split(" | ")[0] for row in rows if row.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`(\w+)", cell)]


def test_hints_of_the_engine_exist() -> None:
    contract = (ROOT / "core" / "contract.def").read_text() + (ROOT / "core/game.hpp").read_text()
    names = first_cells("engine.md", "| hint |")
    assert len(names) >= 10
    assert [n for n in names if not re.search(rf"\b{n}\b", contract)] == []


def test_hooks_of_a_game_exist() -> None:
    named = [*first_cells("own-games.md", "| | |"), *first_cells("studio.md", "| hook |")]
    assert len(named) >= 20
    assert set(named) <= set(hooks())


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda p: p.stem)
def test_paths_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    folders = "benchmarks|bindings|core|docs|examples|src|tests"
    paths = re.findall(rf"(?<=`)(?:{folders})/[\w./-]+|(?<=`)\.ci/\w+", text)
    assert [p for p in paths if not (ROOT / p).exists()] == []
    tests = re.findall(r"`(test_\w+\.py)`", text)
    assert [t for t in tests if not list(ROOT.glob(f"tests/**/{t}"))] == []
