"""The doctor names misspelled hooks and leaves helpers alone."""

from __future__ import annotations

from typing import Any

import pytest

from doctored import broken, found
from zermelo.doctor import diagnose


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("evalute", "evaluate"), ("outcome", "outcomes"), ("obervation", "observation"),
     ("smaple", "sample"), ("formatAction", "format_action")],
)  # fmt: skip
def test_a_misspelled_hook_is_named(wrong: str, meant: str) -> None:
    finding = found(broken(**{wrong: lambda self, s: 0}), "misspelled-name")
    assert finding.message == f"{wrong}() is never used: did you mean {meant}?"


def misspelled_names(game: Any) -> list[str]:
    findings = diagnose(game, games=5).findings
    return [f.message for f in findings if f.check == "misspelled-name"]


@pytest.mark.parametrize(
    ("name", "member", "said"),
    [
        ("utilty_bounds", lambda self: (-1, 1),
         "utilty_bounds() is never used: did you mean utility_bounds?"),
        ("evalaute", 3, "evalaute is never used: did you mean evaluate?"),
        ("acitons", lambda self, s: [],  # the class has actions() too
         "acitons() is never used: did you mean actions?"),
        ("utilty", lambda self, s, p: 0.0, "utilty() is never used: did you mean utility?"),
        ("zero_sum", lambda self: False, "zero_sum is a method, but must be an attribute"),
        ("evaluate", 3, "evaluate is an attribute, but must be a method"),
    ],
)  # fmt: skip
def test_a_name_is_compared_whatever_its_kind(name: str, member: Any, said: str) -> None:
    assert misspelled_names(broken(**{name: member})) == [said]


def test_attributes_beside_hooks_are_helpers() -> None:
    game = broken(samples=100, boards=(), action=1, scale=2, played=3, zero_sum=True)
    assert not misspelled_names(game)


def test_helpers_are_no_misspelled_hooks() -> None:
    helpers = ("action", "moves", "won", "lines", "plays", "is_over", "values", "neighbours",
               "evaluate", "_evalute", "score", "legal", "opponent", "heuristic")  # fmt: skip
    game = broken(**{name: lambda self, s, p=0: 0.0 for name in helpers})
    assert not [f for f in diagnose(game, games=5).findings if f.check == "misspelled-name"]
