"""Rules with wrong probabilities, and chance that repeats or never ends."""

from __future__ import annotations

import math
from typing import Any

import pytest

import zermelo
from chance import expectiminimax
from zermelo import CHANCE, search, tree


class Crooked(zermelo.Game):
    utility_bounds = (-1.0, 1.0)

    def __init__(self, odds: Any) -> None:
        self.odds = odds

    def initial(self) -> str:
        return "start"

    def player(self, s: str) -> int:
        return CHANCE if s == "dice" else 0

    def actions(self, s: str) -> list[str]:
        return ["dice"]

    def outcomes(self, s: str) -> Any:
        return self.odds

    def result(self, s: str, a: str) -> str:
        return a

    def is_terminal(self, s: str) -> bool:
        return s not in ("start", "dice")

    def utility(self, s: str, p: int) -> float:
        return 0.0


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        ([("a", 0.5), ("b", 0.4)], "sum to 0.9, not 1"),
        ([("a", 1.5), ("b", -0.5)], "returned 'b' with probability -0.5"),
        ([], "empty"),
        ([("a", math.nan)], "NaN"),
        (["a"], "returned 'a'"),
        (7, "returned 7"),
    ],
)
def test_bad_odds_are_told_with_their_state(odds: Any, said: str) -> None:
    with pytest.raises(zermelo.RulesError, match=said) as e:
        search(Crooked(odds), algorithm="expectiminimax")
    assert "dice" in str(e.value) and e.value.hint


def test_an_outcome_that_cannot_happen_is_left_out() -> None:
    r = search(Crooked([("a", 1.0), ("b", 0.0)]), algorithm="expectiminimax")
    assert r.exact and r.nodes == 3


def test_infinite_utilities_cannot_be_averaged() -> None:
    class Infinite(Crooked):
        utility_bounds = None

        def utility(self, s: str, p: int) -> float:
            return math.inf if s == "a" else -math.inf

    with pytest.raises(zermelo.RulesError, match="averaged"):
        search(Infinite([("a", 0.5), ("b", 0.5)]), algorithm="expectiminimax")


class Again(zermelo.Game):
    """Chance may come back to itself, or go on through new states for ever."""

    utility_bounds = (-1, 1)

    def __init__(self, counts: bool) -> None:
        self.counts = counts

    def initial(self) -> Any:
        return "start"

    def player(self, s: Any) -> int:
        return 0 if s == "start" else CHANCE

    def actions(self, s: Any) -> list[str]:
        return ["throw", "stop"]

    def outcomes(self, s: Any) -> list[tuple[Any, float]]:
        return [("again", 0.5), ("won", 0.375), ("lost", 0.125)]

    def result(self, s: Any, a: Any) -> Any:
        if a in ("throw", "again"):
            return 0 if s == "start" else s + self.counts
        return "lost" if a == "stop" else a

    def is_terminal(self, s: Any) -> bool:
        return s in ("won", "lost")

    def utility(self, s: Any, p: int) -> float:
        return (1 if s == "won" else -1) * (1 - 2 * p)


@pytest.mark.parametrize("counts", [False, True])
@pytest.mark.parametrize("algorithm", ["auto", "expectiminimax", "maxn", "paranoid", "best-reply"])
def test_chance_alone_does_not_go_on_for_ever(counts: bool, algorithm: str) -> None:
    r = search(Again(counts), algorithm=algorithm, depth=2)
    assert (r.action, r.kind) == ("throw", "estimate")
    assert r.value == pytest.approx(0.5, abs=1e-9)  # three of four that end
    if not counts:
        assert zermelo.solve(Again(counts)).value == pytest.approx(0.5, abs=1e-9)


def test_where_no_end_can_be_reached() -> None:
    class Never(Again):
        def outcomes(self, s: Any) -> list[tuple[Any, float]]:
            return [("again", 1.0)]

    with pytest.raises(zermelo.SearchBudgetExceeded, match="does not have to end"):
        zermelo.solve(Never(False))


def test_a_game_that_may_never_end_needs_a_limit() -> None:
    with pytest.raises(zermelo.EndlessGame):
        search(zermelo.load("pig"), algorithm="expectiminimax")
    assert search(zermelo.load("pig"), time=0.05).stopped == "time"


def test_options_are_checked() -> None:
    game = tree("max(chance(1 2) 3)")
    for bad in ({"prune": "star3"}, {"samples": -1}, {"samples": 1.5}, {"cut": "equal"}):
        with pytest.raises(zermelo.UsageError):
            expectiminimax(game, **bad)
    with pytest.raises(zermelo.NotSupported, match="chance"):
        search(game, algorithm="alphabeta")


def test_auto_says_why() -> None:
    r = search(tree("max(chance(1 2) 3)"))
    assert r.algorithm == "expectiminimax" and "chance" in r.why and "no pruning" in r.why
    assert "star2" in search(zermelo.load("pig"), depth=2).why
    two = search(zermelo.load("pig"), depth=2, prune="star1")
    assert "star1" in two.why and "-1 and 1" in two.why
