"""Rules with common mistakes: lists without end, infinite evaluations, a forgotten return."""

from __future__ import annotations

import itertools
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zermelo
from zermelo import CHANCE, Game, RulesError


class Plain(Game):
    """Three moves, then a draw."""

    def initial(self) -> Any:
        return 0

    def player(self, s: int) -> int:
        return s % 2

    def actions(self, s: int) -> Any:
        return [0, 1]

    def result(self, s: int, a: int) -> Any:
        return s + 1

    def is_terminal(self, s: int) -> bool:
        return s >= 3

    def utility(self, s: int, p: int) -> float:
        return 0.0


class Counting(Plain):
    """``actions`` is an iterator in C that never ends and never lets other threads run."""

    def actions(self, s: int) -> Iterator[int]:
        return itertools.count() if s else iter([0, 1])


class Yielding(Plain):
    """Every action of a list without end takes a while."""

    def actions(self, s: int) -> Iterator[int]:
        if s == 0:
            yield from (0, 1)
            return
        for i in itertools.count():
            time.sleep(0.01)
            yield i


class Rolling(Plain):
    def player(self, s: int) -> int:
        return CHANCE if s == 1 else 0

    def outcomes(self, s: int) -> Iterator[tuple[int, float]]:
        return ((i, 2.0**-i) for i in itertools.count(1))


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "engine", "mcts", "auto"])
def test_a_list_of_actions_without_end_is_an_error(algorithm: str) -> None:
    with pytest.raises(RulesError, match=r"actions\(s\) returned more than 1048576 actions in 1"):
        zermelo.search(Counting(), algorithm=algorithm, time=20)


def test_a_list_of_actions_without_end_in_a_match() -> None:
    with pytest.raises(RulesError, match=r"actions\(s\) returned more than 1048576 actions in 1"):
        zermelo.match(Counting(), ("random", "random"), games=2, opening=0)


def test_a_list_of_outcomes_without_end_is_an_error() -> None:
    with pytest.raises(RulesError, match=r"outcomes\(s\) returned more than"):
        zermelo.solve(Rolling())


@pytest.mark.parametrize("algorithm", ["alphabeta", "engine", "mcts"])
def test_the_time_limit_holds_within_a_list(algorithm: str) -> None:
    start = time.monotonic()
    r = zermelo.search(Yielding(), algorithm=algorithm, time=0.2)
    assert r.stopped == "time"
    assert r.action in (0, 1)
    assert time.monotonic() - start < 20


class YieldingFirst(Yielding):
    """The same, at the root already: no legal action is known when the time is up."""

    def actions(self, s: int) -> Iterator[int]:
        return super().actions(1)


@pytest.mark.parametrize("algorithm", ["auto", "minimax", "mcts", "maxn"])
def test_the_time_limit_holds_within_the_list_of_the_root(algorithm: str) -> None:
    start = time.monotonic()
    with pytest.raises(RulesError, match="still yielding actions"):
        zermelo.search(YieldingFirst(), algorithm=algorithm, time=0.1)
    assert time.monotonic() - start < 10


def test_an_interrupt_ends_a_list() -> None:
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    r = zermelo.search(Yielding(), algorithm="alphabeta", depth=3)
    timer.join()
    assert r.stopped == "interrupted"


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_evaluations_are_finite(value: float) -> None:
    class Judging(Plain):
        def evaluate(self, s: int, p: int) -> float:
            return value

    for algorithm in ("minimax", "alphabeta", "engine", "maxn"):
        with pytest.raises(RulesError, match=r"the evaluation is (-?inf|NaN)"):
            zermelo.search(Judging(), algorithm=algorithm, depth=1)
        with pytest.raises(RulesError, match=r"the evaluation is (-?inf|NaN)"):
            zermelo.search(Plain(), algorithm=algorithm, depth=1, evaluate=lambda s, p: value)


class NoBeginning(Plain):
    def initial(self) -> Any:
        pass

    def observation(self, s: Any, p: int) -> Any:
        return s


class NoResult(Plain):
    def result(self, s: int, a: int) -> Any:
        pass


USES: dict[str, Callable[[Game], Any]] = {
    "search": zermelo.search,
    "perft": lambda game: zermelo.perft(game, depth=2),
    "playouts": lambda game: zermelo.playouts(game, games=3),
    "match": lambda game: zermelo.match(game, ("random", "random"), games=2),
}


@pytest.mark.parametrize("use", USES)
def test_a_forgotten_return_in_initial(use: str) -> None:
    with pytest.raises(RulesError, match=r"initial\(\) returned None") as caught:
        USES[use](NoBeginning())
    assert "return missing" in caught.value.hint


def test_a_forgotten_return_in_initial_of_a_hidden_game() -> None:
    for use in (zermelo.equilibrium, zermelo.belief_of):
        with pytest.raises(RulesError, match=r"initial\(\) returned None"):
            use(NoBeginning())


@pytest.mark.parametrize("use", USES)
def test_a_forgotten_return_in_result(use: str) -> None:
    with pytest.raises(RulesError, match=r"result\(s, a\) returned None") as caught:
        USES[use](NoResult())
    assert "return missing" in caught.value.hint


def test_a_forgotten_return_on_the_command_line(tmp_path: Any) -> None:
    from typer.testing import CliRunner

    from zermelo.ui.cli.main import app

    path = tmp_path / "mine.py"
    path.write_text(
        "from zermelo import Game\n\n\nclass Mine(Game):\n"
        "    def initial(self): pass\n    def player(self, s): return 0\n"
        "    def actions(self, s): return [0]\n    def result(self, s, a): return s\n"
        "    def is_terminal(self, s): return s > 0\n    def utility(self, s, p): return 0\n"
    )
    for command in ("analyze", "solve"):
        said = CliRunner().invoke(app, [command, f"{path}:Mine"])
        assert said.exit_code in (1, 2)
        assert "initial() returned None" in said.output + str(said.exception)
