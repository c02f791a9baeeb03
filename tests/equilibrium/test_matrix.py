"""Matrix games and their equilibria: exact, and the same as other programs find."""

from __future__ import annotations

import json
import pickle
import random
import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import Policy, UsageError, dominated, equilibria, equilibrium, matrix
from zermelo.equilibrium.matrix import CLASSICS
from zermelo.equilibrium.nash import by_linear_program, nash_conv

PRISONERS = "3,3 0,5; 5,0 1,1"


def test_prisoners() -> None:
    game = matrix(PRISONERS)
    (only,) = equilibria(game)
    assert only.pure and only.profile == (1, 1) and only.values == (1, 1)
    assert [(d.player, d.action, d.by, d.strict) for d in dominated(game)] == [
        (0, 1, 2, True), (1, 1, 2, True),
    ]  # fmt: skip
    assert not game.zero_sum and game.facts.hidden and game.players == 2


def test_known_answers() -> None:
    third = Fraction(1, 3)
    rps = equilibria(matrix("rock-paper-scissors"))
    assert [e.strategies for e in rps] == [((third,) * 3, (third,) * 3)]
    assert matrix("rock-paper-scissors").zero_sum
    sexes = equilibria(matrix("battle-of-the-sexes"))
    assert [e.values for e in sexes] == [(3, 2), (2, 3), (Fraction(6, 5), Fraction(6, 5))]
    assert sexes[2].strategies == (
        (Fraction(3, 5), Fraction(2, 5)),
        (Fraction(2, 5), Fraction(3, 5)),
    )
    assert len(equilibria(matrix("stag-hunt"))) == 3
    assert len(equilibria(matrix("chicken"))) == 3
    assert equilibria(matrix("1,1 1,1; 1,1 1,1"))[0].values == (1, 1)  # all of it is an equilibrium
    assert equilibria("1 -1; -1 1", pure=True) == []


def test_it_is_a_game_like_any_other() -> None:
    game = matrix(PRISONERS, names=[("C", "D"), ("c", "d")])
    s = game.initial()
    after = [game.result(s, a) for a in game.actions(s)]
    assert game.actions(s) == ["C", "D"] and [game.player(t) for t in after] == [1, 1]
    assert game.observation(after[0], 1) == game.observation(after[1], 1)
    assert game.observation(after[0], 0) != game.observation(after[1], 0)
    end = game.result(after[1], "c")
    assert game.is_terminal(end) and (game.utility(end, 0), game.utility(end, 1)) == (5, 0)
    again = zermelo.load(game.name)
    assert again.initial() == s and again.name == game.name
    copy = pickle.loads(pickle.dumps(game))
    assert copy.cells == game.cells and copy.initial() == s
    assert "3,3" in game.board(s) and "1*,1*" in game.board(s)
    assert game.svg(s).startswith("<svg") and "underline" in game.svg(s)
    r = zermelo.search(game, nodes=2000)
    assert (r.algorithm, r.action) == ("ismcts", "D")
    with pytest.raises(zermelo.NotSupported, match="hidden"):
        zermelo.search(game, algorithm="maxn")


def test_ways_to_write_it() -> None:
    a, b = np.array([[3, 0], [5, 1]]), [[3, 5], [0, 1]]
    forms = [
        matrix(PRISONERS), matrix(a, b), matrix("3,3 0,5\n5,0 1,1"), matrix("3,3|0,5;5,0|1,1;"),
        matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]), matrix("3,3 0,5; 5,0 1.0,1"),
    ]  # fmt: skip
    assert {f.name for f in forms} == {"3,3 0,5; 5,0 1,1"}
    assert matrix([[0.1, 0.2]]).cells == [
        (Fraction(1, 10), Fraction(-1, 10)),
        (Fraction(1, 5), -Fraction(1, 5)),
    ]
    assert matrix("C: 3,3 0,5; D: 5,0 1,1").action_names == (("C", "D"), ("C", "D"))
    assert matrix("x y z; 1 2 3; 4 5 6").action_names == (("r1", "r2"), ("x", "y", "z"))
    for name in CLASSICS:
        assert zermelo.load(matrix(name).name).name == matrix(name).name
    single = matrix("1,2 3,4;")
    assert zermelo.load(single.name).name == single.name and single.shape == (1, 2)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("",), "empty"), (("3,3 0,5; 5,0",), "row 2"), (("3,3,3 1,1,1",), "3,3,3"),
        (("a,b c,d; 1,2 3,4",), "action name"), (("prisoner",), "prisoner"), ((), "no payoffs"),
        (([[1, 2], [3]],), "length"), (([[1, float("nan")]],), "not a number"),
        (([[1, 2]], [[1, 2], [3, 4]]), "shape"), (([1, 2],), "dimensions"),
        (("1,1/0 2,2",), "1,1/0"), (([[]],), "empty"), (([["x"]],), "not a number"),
        (("C: 1 2; 3 4",), "some rows"), (("1,2 3",), "different numbers of payoffs"),
        (("x y; 1 2 3; 4 5 6",), "2 names"),
    ],
)  # fmt: skip
def test_wrong_matrices(args: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        matrix(*args)
    assert caught.value.hint


@pytest.mark.parametrize("names", [5, [("a",)], [("a", "a"), ("b", "c")], [("1", "2"), ("x", "y")]])
def test_wrong_names(names: Any) -> None:
    with pytest.raises(UsageError):
        matrix(PRISONERS, names=names)


def is_equilibrium(game: Any, strategies: Any) -> bool:
    return nash_conv(game, strategies) == 0


def random_game(rng: random.Random, most: int = 4, size: int = 100) -> tuple[Any, Any, Any]:
    m, n = rng.randint(1, most), rng.randint(1, most)
    a = [[rng.randint(-size, size) for _ in range(n)] for _ in range(m)]
    b = [[rng.randint(-size, size) for _ in range(n)] for _ in range(m)]
    return matrix(a, b), a, b


def test_every_answer_is_an_equilibrium_and_there_is_one() -> None:
    rng = random.Random(1)
    for k in range(300):
        game, _, _ = random_game(rng, size=3 if k % 2 else 100)  # small numbers: degenerate
        found = equilibria(game)
        assert found
        for e in found:
            assert is_equilibrium(game, e.strategies)
            assert all(sum(s) == 1 and min(s) >= 0 for s in e.strategies)
        pure = {e.profile for e in equilibria(game, pure=True)}
        assert pure == {e.profile for e in found if e.pure}


def has_ties(a: Any, b: Any) -> bool:
    """Has some action two equally good answers?"""
    columns = zip(*a, strict=True)
    return any(len(set(row)) < len(row) for row in [*b, *columns])


def rounded(strategies: Any) -> tuple[float, ...]:
    return tuple(round(float(x), 8) for s in strategies for x in s)


def test_the_same_as_nashpy() -> None:
    nashpy = pytest.importorskip("nashpy", reason="nashpy is not installed")
    rng = random.Random(7)
    compared = 0
    for _ in range(1000):
        game, a, b = random_game(rng, 3)
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            asked = nashpy.Game(np.array(a), np.array(b))
            theirs = list(asked.support_enumeration())
        if raised or has_ties(a, b):
            continue  # degenerate
        ours = {rounded(e.strategies) for e in equilibria(game)}
        found = set(map(rounded, theirs))
        if ours > found:  # rounding made support enumeration miss one: nashpy's other method has it
            found |= set(map(rounded, asked.vertex_enumeration()))
        assert ours == found
        compared += 1
    assert compared > 900


def test_the_same_as_gambit() -> None:
    gambit = pytest.importorskip("pygambit", reason="pygambit is not installed")
    rng = random.Random(11)
    for _ in range(120):
        game, a, b = random_game(rng)
        g = gambit.Game.from_arrays(np.array(a), np.array(b))
        theirs = set()
        for found in gambit.nash.enummixed_solve(g, rational=True).equilibria:
            row = [Fraction(str(found[s])) for p in g.players for s in p.strategies]
            theirs.add(tuple(row))
        assert {tuple(x for s in e.strategies for x in s) for e in equilibria(game)} == theirs


def test_linear_program() -> None:
    pytest.importorskip("scipy", reason="scipy is not installed")
    rng = random.Random(2)
    for _ in range(40):
        game = matrix([[rng.randint(-9, 9) for _ in range(4)] for _ in range(3)])
        exact = equilibria(game)
        assert len({e.values for e in exact}) == 1  # zero sum: one value
        found = by_linear_program(game)
        assert float(found.values[0]) == pytest.approx(float(exact[0].values[0]), abs=1e-9)
        policy = equilibrium(game, "linear-program")
        assert policy.nash_conv < 1e-9 and policy.algorithm == "linear-program"
    large = matrix([[rng.randint(-99, 99) for _ in range(30)] for _ in range(30)])
    policy = equilibrium(large)
    assert policy.algorithm == "linear-program" and policy.nash_conv < 1e-7
    with pytest.raises(zermelo.SearchBudgetExceeded):
        equilibria(large)
    with pytest.raises(UsageError, match="zero-sum"):
        equilibrium(matrix(PRISONERS), "linear-program")


def test_policy(tmp_path: Any) -> None:
    game = matrix("matching-pennies")
    policy = equilibrium(game)
    assert policy.action_probabilities() == {"heads": 0.5, "tails": 0.5}
    s = game.result(game.initial(), "tails")
    assert policy.action_probabilities(s) == {"heads": 0.5, "tails": 0.5}
    assert policy.values == (0.0, 0.0) and policy.nash_conv == policy.exploitability == 0
    file = tmp_path / "policy.json"
    policy.save(file)
    again = Policy.load(file)
    assert again.table == policy.table and again.values == policy.values
    assert again.action_probabilities(s) == policy.action_probabilities(s)
    file.write_text('{"format": "another"}')
    with pytest.raises(UsageError, match="not a policy"):
        Policy.load(file)
    with pytest.raises(UsageError, match="cannot be read"):
        Policy.load(tmp_path / "none")
    with pytest.raises(zermelo.IllegalAction):
        policy.action_probabilities(game.result(s, "tails"))


def test_many_players() -> None:
    """Three voters; all for A, all for B, and nobody alone changes it."""
    cells = {p: (1, 1, 1) if sum(p) < 2 else (0, 2, 2) for p in product((0, 1), repeat=3)}
    arrays = [np.array([[[cells[i, j, k][p] for k in (0, 1)] for j in (0, 1)] for i in (0, 1)])
              for p in range(3)]  # fmt: skip
    game = matrix(*arrays)
    assert game.players == 3
    stable = {e.profile for e in equilibria(game)}
    expected = set()
    for p in cells:
        moves = [(*p[:q], 1 - p[q], *p[q + 1 :]) for q in range(3)]
        if all(cells[m][q] <= cells[p][q] for q, m in enumerate(moves)):
            expected.add(p)
    assert stable == expected and (0, 0, 0) in stable
    assert equilibrium(game).nash_conv == 0


def test_command(run: Any) -> None:
    told = run("equilibrium", PRISONERS)
    assert told.code == 0 and "values (1,1)" in told.out and "strictly dominated" in told.out
    assert "all players would get more from 1, 1, which is not an equilibrium" in told.out
    document = json.loads(run("equilibrium", "rock-paper-scissors", "--json").out)
    assert document["equilibria"][0]["exact"]["strategies"][0] == ["1/3"] * 3
    assert json.loads(run("equilibrium", "1 -1; -1 1", "--one", "--json").out)["equilibrium"][
        "values"] == [0, 0]  # fmt: skip
    assert run("equilibrium", "1 -1; -1 1", "--pure").code == 1
    wrong = run("equilibrium", "1,2 3; x")
    assert wrong.code == 2 and "hint:" in wrong.err


@pytest.mark.parametrize("word", ["1e999999999", "1E-99999999999999999999", "9" * 400])
def test_numbers_that_nobody_needs_are_refused_at_once(word: str) -> None:
    with pytest.raises(UsageError):
        matrix(f"{word},1 2,2; 3,3 4,4")
    efg = f'EFG 2 R "x" {{ "a" "b" }}\nt "" 1 "" {{ {word}, 1 }}\n'
    with pytest.raises(UsageError, match="not a number"):
        zermelo.tree(efg)
