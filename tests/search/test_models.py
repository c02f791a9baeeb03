"""Players as policies: what the search expects of them is what they do."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import oracle
import zermelo
from zermelo import CHANCE, models, search, tree

FOUR = "connect-four:width=4,height=4"


def worth(game: Any, s: Any, policies: dict[int, Any], depth: int) -> float:
    """Expectation with some players' odds given, the others' best; in plain Python."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    player = game.player(s)
    if player in policies:
        return math.fsum(
            p * worth(game, game.result(s, a), policies, depth)
            for a, p in policies[player](game, s).items()
        )
    if depth == 0:
        return 0.0
    values = [worth(game, game.result(s, a), policies, depth - 1) for a in game.actions(s)]
    return max(values) if player == 0 else min(values)


def uniform(game: Any, s: Any) -> dict[Any, float]:
    actions = list(game.actions(s))
    return {a: 1 / len(actions) for a in actions}


def erring(game: Any, s: Any) -> dict[Any, float]:
    """The lectures' opponent: 80 % its depth-2 move, else any."""
    actions = list(game.actions(s))
    odds = {a: 0.2 / len(actions) for a in actions}
    odds[search(game, s, "alphabeta", depth=2).action] += 0.8
    return odds


def positions(spec: str, count: int, plies: int) -> list[Any]:
    game = zermelo.load(spec)
    rng = random.Random(spec)
    found = []
    while len(found) < count:
        s = game.initial()
        for _ in range(plies):
            if not game.is_terminal(s):
                s = game.result(s, rng.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            found.append(s)
    return found


@pytest.mark.parametrize(("spec", "plies"), [("tic-tac-toe", 3), (FOUR, 8), ("nim", 1)])
@pytest.mark.parametrize(
    ("model", "plain"), [("random", uniform), (models.mixed(2, 0.8), erring), (erring, erring)]
)
def test_the_models_of_either_player(spec: str, plies: int, model: Any, plain: Any) -> None:
    game = zermelo.load(spec)
    for s in positions(spec, 4, plies):
        other = 1 - game.player(s)
        quiet = {"evaluate": lambda s, p: 0.0} if hasattr(game, "evaluate") else {}
        true = worth(game, s, {other: plain}, 99) if plain is uniform else None
        for prune in ("none", "star1", "star2"):
            r = search(game, s, "expectiminimax", opponents={other: model}, prune=prune)
            assert r.exact and r.player == game.player(s) and r.action in game.actions(s)
            if true is not None:
                assert r.value == pytest.approx(true)
        if plain is erring:
            own = search(game, s, "expectiminimax", opponents={other: models.mixed(2, 0.8)})
            assert r.value == pytest.approx(own.value)
        assert quiet is not None


def test_the_lectures_opponent_by_hand() -> None:
    game = zermelo.load("tic-tac-toe")
    for s in positions("tic-tac-toe", 6, 4):
        r = search(
            game, s, opponents={1 - game.player(s): models.mixed(depth=2, best=0.8)}, depth=9
        )
        assert r.value == pytest.approx(worth(game, s, {1 - game.player(s): erring}, 9))


def test_both_players_as_policies_is_what_they_earn() -> None:
    game = zermelo.load("nim")
    r = search(game, algorithm="expectiminimax", opponents={0: "random", 1: "random"})
    assert r.action is None and r.player == CHANCE
    assert r.value == pytest.approx(worth(game, game.initial(), {0: uniform, 1: uniform}, 0))
    best = search(game, algorithm="expectiminimax", opponents={1: "random"})
    assert best.value > r.value


def test_a_model_earns_what_minimax_does_not() -> None:
    game = zermelo.load("tic-tac-toe")
    model = models.mixed(2, 0.8)
    best = search(game, opponents={1: model}, algorithm="expectiminimax")
    safe = search(game, opponents={0: models.searching(9), 1: model}, algorithm="expectiminimax")
    assert best.exact and safe.exact and 1 > best.value > safe.value > 0


def test_one_model_for_everybody_else_and_texts() -> None:
    game = zermelo.load("tic-tac-toe")
    for text, model in (
        ("random", models.uniform()), ("depth=2,best=0.8", models.mixed(2, 0.8)),
        ("depth=3", models.searching(3)), ("mixed:depth=1,best=0.5", models.mixed(1, 0.5)),
    ):  # fmt: skip
        a = search(game, opponents=text, depth=4, algorithm="expectiminimax")
        b = search(game, opponents={1: model}, depth=4, algorithm="expectiminimax")
        assert (a.value, a.action, a.nodes) == (b.value, b.action, b.nodes)
    assert "randomly" in search(game, opponents="random", depth=2).why


def test_functions_may_answer_in_three_ways() -> None:
    game = tree("max(L=min(a=1 b=9) R=min(a=5 b=5))")
    for answer in ("b", {"b": 1.0}, [("b", 1.0)], {"b": 1, "a": 0}):
        r = search(game, opponents={1: lambda g, s, answer=answer: answer})
        assert (r.value, r.action) == (9.0, "L")
    half = search(game, opponents={1: lambda g, s: {"a": 0.5, "b": 0.5}})
    assert half.moves[0].value == 5.0 and half.value == 5.0


def test_python_and_compiled_games() -> None:
    game = oracle.HashedGame(5, 5)
    uni = search(game, algorithm="expectimax")
    own = search(game, algorithm="expectiminimax", opponents={1 - game.player((0, 0)): uniform})
    assert uni.value == pytest.approx(own.value) and uni.exact
    assert uni.value == pytest.approx(worth(game, (0, 0), {1 - game.player((0, 0)): uniform}, 99))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (99, "99"), ({99: 1.0}, "99"), ({1: 0.4, 2: 0.4}, "sum to 0.8"), ({}, "sum to 0"),
        ({1: -0.5, 2: 1.5}, "probability"), ({1: "half", 2: 0.5}, "probability"),
        (None, "None"), ([1], r"\[1\]"), ({1: math.nan}, "probability"),
    ],
)  # fmt: skip
def test_a_policy_that_errs_is_told_so(answer: Any, said: str) -> None:
    game = zermelo.load(FOUR)
    with pytest.raises(zermelo.UsageError, match=said) as e:
        search(game, opponents={1: lambda g, s: answer}, depth=3)
    assert "player 1" in str(e.value) and e.value.hint


def test_a_policy_that_raises_is_not_swallowed() -> None:
    def broken(game: Any, s: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        search(zermelo.load(FOUR), opponents={1: broken}, depth=3)


@pytest.mark.parametrize(
    "opponents", [{2: "random"}, {"1": "random"}, {1: "clever"}, {1: 7}, "clever", {True: "random"}]
)
def test_wrong_models(opponents: Any) -> None:
    with pytest.raises(zermelo.UsageError) as e:
        search(zermelo.load(FOUR), opponents=opponents, depth=2)
    assert e.value.hint


@pytest.mark.parametrize("bad", [
    {"depth": 0}, {"depth": 1.5}, {"best": 1.2}, {"best": -1}, {"best": "x"}, {"best": "0.5"},
    {"best": None}, {"best": True}, {"best": float("nan")},
])  # fmt: skip
def test_wrong_numbers(bad: dict[str, Any]) -> None:
    with pytest.raises(zermelo.UsageError) as e:
        models.mixed(**bad)
    assert e.value.hint


def test_a_function_of_other_arguments_is_told_before_it_is_called() -> None:
    with pytest.raises(zermelo.UsageError, match="player 1") as e:
        search(zermelo.load(FOUR), opponents={1: lambda s: 0}, depth=2)
    assert "<lambda>(s)" in e.value.message and "(game, state)" in e.value.hint


def test_a_function_in_a_file_on_the_command_line(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def last(game, s): return list(game.actions(s))[-1]\n"
        "def one(s): return 1\n"
        "def broken(game, s): return {}[3]\n"
        "def illegal(game, s): return 'z9'\n"
    )
    words = ("analyze", "tic-tac-toe", "-d", "3", "--json", "--opponent-model")
    found = json.loads(run(*words, f"{file}:last").out)
    game = zermelo.load("tic-tac-toe")
    r = search(game, depth=3, opponents=lambda g, s: list(g.actions(s))[-1])
    assert (found["value"], found["action"]) == (r.value, r.action)
    assert "O plays last" in found["why"]
    for name, said in (
        ("one", "one(s)"),
        ("broken", f"KeyError: 3 ({file}, line 3, in broken)"),
        ("illegal", "'z9', which is not legal"),
        ("lost", "no function lost"),
    ):
        done = run(*words, f"{file}:{name}")
        assert done.code == 2 and said in done.err and "hint: " in done.err
        assert "doctor" not in done.err


def test_a_deep_model_can_be_stopped() -> None:
    r = search(zermelo.load("connect-four"), opponents={1: models.searching(30)}, time=0.2)
    assert r.stopped == "time" and r.elapsed < 3


def test_algorithms_without_chance_refuse_models() -> None:
    with pytest.raises(zermelo.NotSupported, match="chance"):
        search(zermelo.load(FOUR), algorithm="alphabeta", opponents={1: "random"})


def test_the_command_line() -> None:
    def run(*words: str) -> Any:
        return subprocess.run(
            [sys.executable, "-m", "zermelo", *words],
            capture_output=True,
            text=True,
            timeout=60,
        )

    good = run("analyze", "tic-tac-toe", "--opponent-model", "depth=2,best=0.8", "-d", "4")
    assert good.returncode == 0 and "expectiminimax" in good.stdout
    bad = run("analyze", "tic-tac-toe", "--opponent-model", "clever", "-d", "4")
    assert bad.returncode == 2 and "hint:" in bad.stderr and "Traceback" not in bad.stderr
    cut = run("tree", "max(chance(3 12 9) chance(2 4 6))", "--prune", "star1", "--steps")
    assert cut.returncode == 0 and "even if all remaining outcomes were 12" in cut.stdout
