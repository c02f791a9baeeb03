"""Messages of the command line: hints that are complete, warnings without source lines, options."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from zermelo.equilibrium.variants import VARIANTS


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "mygame.py"
    path.write_text(
        textwrap.dedent("""
        import zermelo
        class Count(zermelo.Game):
            def __init__(self, n): self.n = int(n)
            def initial(self): return (self.n, 0)
            def player(self, s): return s[1]
            def actions(self, s): return [a for a in (1, 2) if a <= s[0]]
            def result(self, s, a): return (s[0] - a, 1 - s[1])
            def is_terminal(self, s): return s[0] == 0
            def utility(self, s, p): return -1 if s[1] == p else 1
            def evalute(self, s, p): return 0
        """)
    )
    return path


def test_a_required_option_is_shown_in_the_hint(run: Any, rules: Path) -> None:
    done = run("analyze", f"{rules}:Count:m=3")
    assert done.code == 2 and "(e.g. Count:n=…)" in done.err
    done = run("analyze", f"{rules}:Count")
    assert done.code == 2 and f"{rules}:Count:n=…" in done.err


def test_a_misspelled_hook_is_one_line_and_doctor_reports_it_once(run: Any, rules: Path) -> None:
    done = run("analyze", f"{rules}:Count:n=4", "--depth", "2")
    assert "warning: Count: evalute() is never used: did you mean evaluate?\n" in done.err
    assert "UserWarning" not in done.err and "loading.py" not in done.err
    done = run("doctor", f"{rules}:Count:n=5")
    assert "evalute() is never used" in done.out and "evalute" not in done.err


def test_an_unknown_layout_gets_a_hint_of_whole_sentences(run: Any) -> None:
    done = run("pacman", "--layout", "qqq")
    assert "trap-one. A file works too" in done.err


def test_options_of_regret_minimization_are_listed(run: Any) -> None:
    for name, variant in VARIANTS.items():
        done = run("algorithms", name)
        assert "OPTION" in done.out and "iterations" in done.out
        assert ("NashConv; default" in done.out) == variant.stores_tree
        assert ("random seed" in done.out) == variant.sampled


def test_a_game_without_options_says_so(run: Any) -> None:
    assert "\nOptions: none\n" in run("games", "holdem").out
    assert "Options: none" not in run("games", "hex").out


def test_a_game_with_perfect_information_has_no_equilibrium_by_regret(run: Any) -> None:
    done = run("equilibrium", "nim")
    assert (
        done.code == 2 and "has no hidden information" in done.err and "zermelo.solve" in done.err
    )
