"""The doctor finds each fault in its smallest game, and nothing in healthy rules."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from doctored import (
    ArrayGame,
    BoxGame,
    Dice,
    Duck,
    Forgetful,
    Grid,
    IdHash,
    Kuhn,
    ListGame,
    Loud,
    Take,
    TicTacToe,
    TrailGame,
    Typed,
    always,
    at,
    broken,
    found,
    peek,
)
from zermelo.doctor import CHECKS, diagnose
from zermelo.game import CHANCE, Game


@pytest.mark.parametrize("kind", [Take, TicTacToe, Dice, Grid, Duck, Typed])
def test_healthy(kind: Any) -> None:
    diagnosis = diagnose(kind(), games=50, time=60)
    assert diagnosis.findings == [] and diagnosis.healthy and diagnosis.complete
    assert diagnosis.games == 50 and diagnosis.positions > 5
    assert "0 errors, 0 warnings" in str(diagnosis)


def test_healthy_hidden() -> None:
    diagnosis = diagnose(Kuhn(), games=50)
    assert [f.check for f in diagnosis.findings] == []


counter = itertools.count()

T = Take

SPOILED = [
    ("result-changes-argument", "error", ListGame(), [2]),
    ("result-changes-argument", "error", ArrayGame(), [3]),
    ("state-unhashable", "error", ListGame(), []),
    ("state-identity", "warning", BoxGame(), []),
    ("hash-differs", "error", broken(BoxGame, box=IdHash), []),
    ("hash-differs", "error", TrailGame(), [2, 1]),
    ("equality-raises", "error", broken(BoxGame, box=Loud), []),
    ("equal-states-differ", "error", broken(BoxGame, box=Forgetful), [1, 1]),
    ("actions-changes-state", "error", broken(BoxGame, actions=peek), [1]),
    ("initial-differs", "error", broken(initial=lambda self: (5 + next(counter), 0)), []),
    ("initial-raises", "error", broken(initial=lambda self: 1 // 0), []),
    ("terminal-start", "warning", broken(initial=always((0, 1))), []),
    ("player-out-of-range", "error", broken(player=at(3, always(2), T.player)), [2]),
    ("player-out-of-range", "error", broken(player=at(3, always(None), T.player)), [2]),
    ("player-raises", "error", broken(player=at(3, lambda *_: 1 // 0, T.player)), [2]),
    ("player-differs", "error", broken(player=lambda *_: next(counter) % 2), []),
    ("chance-without-outcomes", "error", broken(player=at(4, always(CHANCE), T.player)), [1]),
    ("no-actions", "error", broken(actions=at(2, always([]), T.actions)), [1, 2]),
    ("actions-repeat", "error", broken(actions=at(3, always([1, 1]), T.actions)), [2]),
    ("actions-order", "warning",
     broken(actions=at(3, lambda *_: [1, 2][:: (-1) ** next(counter)], T.actions)), [2]),
    ("actions-differs", "error",
     broken(actions=at(3, lambda *_: [1 + next(counter) % 2], T.actions)), [2]),
    ("actions-raises", "error", broken(actions=at(4, always(None), T.actions)), [1]),
    ("actions-endless", "error", broken(actions=at(4, lambda *_: itertools.count(), T.actions)),
     [1]),
    ("action-unhashable", "error", broken(actions=at(4, always([[1]]), T.actions)), [1]),
    ("value-raises", "error",
     broken(actions=at(4, lambda *_: [Loud(1, 0), Loud(1, 0)], T.actions)), [1]),
    ("result-raises", "error", broken(result=at(3, lambda self, s, a: s[9], T.result)), [2, 1]),
    ("result-differs", "error",
     broken(result=lambda self, s, a: (max(0, s[0] - a - next(counter) % 2), 1 - s[1])), [1]),
    ("is_terminal-differs", "error",
     broken(is_terminal=lambda self, s: s[0] == 0 or (s[0] < 4 and next(counter) % 2)), [2]),
    ("is_terminal-raises", "error",
     broken(is_terminal=at(3, lambda *_: 1 // 0, T.is_terminal)), [2]),
    ("utility-type", "error", broken(utility=always((1, -1))), [1, 2, 2]),
    ("utility-type", "error", broken(utility=always(None)), [1, 2, 2]),
    ("utility-type", "error", broken(utility=always("1")), [1, 2, 2]),
    ("utility-nan", "error", broken(utility=always(float("nan"))), [1, 2, 2]),
    ("utility-infinite", "error", broken(utility=always(float("inf"))), [1, 2, 2]),
    ("utility-raises", "error", broken(utility=lambda self, s, p: (1,)[p]), [1, 2, 2]),
    ("utility-differs", "error", broken(utility=lambda *_: next(counter)), [1, 2, 2]),
    ("utility-bounds", "error", broken(utility_bounds=(-1, 0)), [1, 2, 2]),
    ("utility-scale", "warning",
     broken(Typed, utility_bounds=None, utility=lambda self, s, p: 9 - 18 * p), [1, 2, 2]),
    ("not-zero-sum", "error", broken(utility=lambda self, s, p: s[1] != p), [1, 2, 2]),
    ("utility-ignores-player", "error", broken(utility=always(-1)), [1, 2, 2]),
    ("utility-ignores-player", "error",
     broken(utility=lambda self, s, p: 1 if s[1] else -1), [1, 2, 2]),
    ("evaluate-type", "error", broken(evaluate=always(None)), []),
    ("evaluate-nan", "error", broken(evaluate=at(3, always(float("nan")), always(0))), [2]),
    ("evaluate-infinite", "warning", broken(evaluate=at(3, always(float("inf")), always(0))), [2]),
    ("evaluate-raises", "error", broken(evaluate=at(3, lambda *_: 1 // 0, always(0))), [2]),
    ("evaluate-sides", "warning", broken(evaluate=at(3, always(1), always(0))), [2]),
    ("evaluate-bounds", "warning",
     broken(utility_bounds=(-8, 8), evaluate=at(3, lambda s, t, p: 9 - 18 * p, always(0))), [2]),
    ("evaluate-sign", "warning",
     broken(TicTacToe, evaluate=lambda self, s, p: (self.player(s) != p) - 0.5), [0, 1, 3, 2, 6]),
    ("cycle", "warning",
     broken(actions=lambda self, s: [1, 2][: s[0]] + [0] * (s[0] < 5)), [1, 0, 0]),
    ("never-ends", "error", broken(actions=always([0])), []),
    ("never-ends", "error",
     broken(result=lambda self, s, a: (s[0] + a, 1 - s[1])), []),
    ("noisy-not-legal", "error", broken(noisy=always([2])), [2, 2]),
    ("format-repeats", "warning", broken(format_action=always("take")), [2]),
    ("format-type", "warning", broken(format_action=lambda self, s, a: a), [1]),
    ("format_action-raises", "warning", broken(format_action=lambda self, a: "x"), [1]),
    ("parse-action", "warning", broken(Typed, parse_action=always(1)), [2]),
    ("parse_action-raises", "warning", broken(Typed, parse_action=lambda g, s, t: int(t)), [1]),
    ("parse-state", "warning",
     broken(Typed, parse_state=lambda self, text: (int(text.split("/")[0]), 0)), [1]),
    ("outcomes-empty", "error", broken(Dice, outcomes=always([])), []),
    ("outcomes-form", "error", broken(Dice, outcomes=always([1, 2, 3])), []),
    ("outcomes-repeat", "error", broken(Dice, outcomes=always([(1, 0.5), (1, 0.5)])), []),
    ("outcomes-raises", "error", broken(Dice, outcomes=lambda self, s: s[2]), []),
    ("probability-invalid", "error", broken(Dice, outcomes=always([(1, -1), (2, 2)])), []),
    ("probabilities-sum", "error",
     broken(Dice, outcomes=lambda self, s: [(1, 0.5 if s[0] else 1)]), [1, "hold"]),
    ("observation-actions", "error",
     broken(Kuhn, actions=lambda self, s: ["p", "b"] if s[0][1] == "J" else ["p"]), ["Q", "K"]),
    ("observation-unhashable", "error", broken(Kuhn, observation=lambda self, s, p: [p]),
     ["J", "Q"]),
    ("sample-observation", "error",
     broken(Kuhn, sample=lambda self, s, p, rng: (s[0][::-1], s[1])), ["J", "Q"]),
    ("missing-method", "error", broken(Game, initial=always(1)), []),
    ("missing-method", "error", object(), []),
    ("misspelled-name", "warning", broken(evalute=lambda self, s, p: 0.0), []),
    ("misspelled-name", "warning", broken(zero_sums=False), []),
    ("misspelled-name", "warning", broken(utilityBounds=(-1, 1)), []),
    ("players-invalid", "error", broken(players="two"), []),
    ("bounds-invalid", "error", broken(utility_bounds=(1, -1)), []),
    ("bounds-invalid", "error", broken(utility_bounds=3), []),
]  # fmt: skip


@pytest.mark.parametrize(("check", "severity", "game", "moves"), SPOILED)
def test_fault(check: str, severity: str, game: Any, moves: list[Any]) -> None:
    finding = found(game, check, max_moves=1000)
    assert (finding.severity, finding.moves) == (severity, moves)
    assert finding.shortest


def test_every_check_has_a_test() -> None:
    tested = {row[0] for row in SPOILED} | {"long-game"}
    assert tested >= set(CHECKS)
