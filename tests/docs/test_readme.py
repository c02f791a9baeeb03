"""The examples, the picture and the links of the README and the docs are correct."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import zermelo
from zermelo.view.tree_svg import tree_svg

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_session():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 10
    assert failed == 0


def test_package_docstring():
    failed, tried = doctest.testmod(zermelo)
    assert tried and not failed


def test_own_game_runs_and_is_healthy(tmp_path):
    block = next(b for b in re.findall(r"```python\n(.*?)```", README, re.S) if "class " in b)
    rules = [line for line in block.splitlines() if line.strip() and "print" not in line]
    assert len(rules) <= 15
    file = tmp_path / "mygame.py"
    file.write_text(block, encoding="utf-8")
    shown = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert "value 1 for the first player (exact)" in shown.stdout
    doctor = [sys.executable, "-m", "zermelo", "doctor", f"{file}:Matches", "--time", "3"]
    assert subprocess.run(doctor, capture_output=True).returncode == 0


def test_picture_is_what_the_program_draws():
    game = zermelo.tree("max(min(3 12 8) min(2 4 6) min(14 5 2))")
    drawn = tree_svg(zermelo.search(game, trace=True).trace)
    assert (ROOT / "docs" / "two-ply.svg").read_text(encoding="utf-8") == drawn


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "benchmarks" / "README.md"]:
        for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            if "://" in link:
                continue
            target, _, anchor = link.partition("#")
            file = page.parent / target if target else page
            assert file.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in anchors(file), f"{page.name}: {link}"


def test_extras_are_installed_from_the_checkout():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.py")]
    for page in [*pages, *(ROOT / "src").rglob("*.py")]:
        assert "zermelo[" not in page.read_text(encoding="utf-8"), page.name


def test_no_line_of_the_readme_is_there_twice():
    text = re.sub(r"```.*?```", "", README, flags=re.S)
    lines = [line for line in text.splitlines() if len(line) > 12]
    starts = [line[:22] for line in lines if not line.startswith("- ")]
    assert len(set(starts)) == len(starts)
