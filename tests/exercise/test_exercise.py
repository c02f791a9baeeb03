"""Exercises: trees to a recipe, and a checker that accepts the right answers and no others."""

from __future__ import annotations

import copy
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import many
import oracle
from zermelo.errors import UsageError
from zermelo.exercise import PARTS, Exercise, Recipe, answer_of, check, from_tree, make
from zermelo.exercise.recipe import has_ties
from zermelo.search.algorithms import algorithms
from zermelo.view.number import number

TWO_PLY = "max(min(3 12 8) min(2 4 6) min(14 5 2))"
CHANCE = any(a.can.chance and a.can.trace for a in algorithms().values())
MANY = any(a.can.many_players and a.can.trace for a in algorithms().values())
ALWAYS = ("everything cut", "one cut missing", "one cut too many", "one value off")
RECIPES = [
    Recipe(depth=2, branching=(2, 4)),
    Recipe(depth=3),
    Recipe(depth=3, branching=(1, 3), root="min"),
    Recipe(depth=3, branching=(2, 3), ties=True, values=(0, 6)),
    Recipe(depth=4, ties=True, values=(-3, 3), cut="strict"),
]


def by_hand(exercise: Exercise) -> tuple[float, list[str], list[str]]:
    """Alpha-beta as the lectures write it: the value, the leaves looked at, the branches cut."""
    game: Any = exercise.game
    strict = exercise.cut == "strict"
    leaves: list[str] = []
    cuts: list[str] = []

    def value(s: Any, name: str, alpha: float, beta: float) -> float:
        if game.is_terminal(s):
            leaves.append(name)
            return float(game.utility(s, 0))
        sign = 1 if game.player(s) == 0 else -1
        best = -sign * float("inf")
        actions = list(game.actions(s))
        for i, a in enumerate(actions):
            v = value(game.result(s, a), str(a), alpha, beta)
            best = max(best, v) if sign > 0 else min(best, v)
            limit = beta if sign > 0 else alpha
            if sign * best > sign * limit or (best == limit and not strict):
                cuts.extend(str(x) for x in actions[i + 1 :])
                break
            if sign > 0:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best

    found = value(game.initial(), "", -float("inf"), float("inf"))
    return found, leaves, cuts


def states(exercise: Exercise) -> dict[str, Any]:
    """The state of every node, by its name."""
    game: Any = exercise.game
    found = {"root": game.initial()}

    def walk(s: Any) -> None:
        if not game.is_terminal(s):
            for a in game.actions(s):
                found[str(a)] = game.result(s, a)
                walk(found[str(a)])

    walk(game.initial())
    return found


def spoilt(exercise: Exercise, right: dict[str, Any], rng: random.Random) -> list[tuple[str, Any]]:
    """The right answer, made wrong in one way each."""
    made = []

    def add(why: str, **change: Any) -> None:
        made.append((why, {**copy.deepcopy(right), **change}))

    add("everything cut", cuts=exercise.branches)
    if exercise.cuts:
        gone = rng.choice(exercise.cuts)
        add("one cut missing", cuts=[c for c in exercise.cuts if c != gone])
        node = exercise.nodes[gone]
        if node.children:  # its children instead of itself: then it would be visited
            kids = [exercise.trace.nodes[c].label for c in node.children]
            add("cut too low", cuts=[c for c in exercise.cuts if c != gone] + kids)
    seen = [b for b in exercise.branches if exercise.visited(b)]
    add("one cut too many", cuts=[*exercise.cuts, rng.choice(seen)])
    visited = [n for n in exercise.inner if exercise.visited(n)]
    off = rng.choice(visited)
    value = exercise.value_of(off)
    assert isinstance(value, float)
    add("one value off", values={**right["values"], off: number(value + rng.choice((-1, 1)))})
    wrong_sign = {"lower": "<=", "upper": ">="}.get(
        exercise.nodes[off].kind, rng.choice("<>") + "="
    )
    add("a bound of the wrong kind", values={**right["values"], off: wrong_sign + number(value)})
    unseen = [n for n in exercise.inner if not exercise.visited(n)]
    if unseen:
        add("a value of what is never visited", values={**right["values"], rng.choice(unseen): "3"})
    add("visited, not never", values={**right["values"], off: "never"})
    add("a leaf left out", order=exercise.order[:-1])
    others = [leaf for leaf in exercise.leaves if not exercise.visited(leaf)]
    if others:
        add("a leaf too many", order=[*exercise.order, others[0]])
    if len(exercise.order) > 1:
        add(
            "two leaves exchanged",
            order=[exercise.order[1], exercise.order[0], *exercise.order[2:]],
        )
    bad = [
        m.label for m in exercise.nodes.values() if m.depth == 1 and m.label not in exercise.moves
    ]
    if bad:
        add("another move", move=rng.choice(bad))
    return made


def test_accepts_exactly_the_right_answers_on_2000_trees() -> None:
    rng = random.Random(1)
    tried: dict[str, int] = {}
    for seed in range(2000):
        exercise = make(RECIPES[seed % len(RECIPES)], seed=seed)
        right = answer_of(exercise)
        marks = check(exercise, right)
        assert marks.right and marks.score == 1, (exercise.tree, marks)
        ways = spoilt(exercise, right, rng)
        others = [w for w in ways if w[0] not in ALWAYS]
        for why, answer in [w for w in ways if w[0] in ALWAYS] + rng.sample(others, 2):
            marks = check(exercise, answer)
            assert not marks.right and marks.score < 1, (why, exercise.tree, answer)
            assert marks.first is not None and marks.first.reason
            tried[why] = tried.get(why, 0) + 1
            if why == "everything cut":
                assert marks.parts["cuts"] == 0
    assert all(tried[why] == 2000 for why in ALWAYS if why != "one cut missing")
    assert tried["one cut missing"] > 1000  # where there is one
    assert min(tried.values()) > 100, tried


def test_the_key_is_the_lectures_alpha_beta() -> None:
    for seed in range(300):
        exercise = make(RECIPES[seed % len(RECIPES)], seed=f"key {seed}")
        value, leaves, cuts = by_hand(exercise)
        assert exercise.value_of("root") == value
        assert exercise.order == leaves
        assert exercise.cuts == cuts


def test_the_first_wrong_step_and_its_reason() -> None:
    e = from_tree(TWO_PLY)
    assert e.cuts == ["e", "f"] and e.order == list("abcdghi")
    right = answer_of(e)
    assert right["values"] == {"root": "3", "A": "3", "B": "≤2", "C": "2"}
    first = check(e, right | {"cuts": ["e"]}).first
    assert first and first.node == "f" and "2 ≤ α 3" in first.reason
    first = check(e, right | {"cuts": ["c", "e", "f"]}).first
    assert first and first.node == "c" and "α is -∞" in first.reason
    # two mistakes: the earlier in the search is told
    values = right["values"] | {"C": "5", "A": "8"}
    first = check(e, right | {"values": values, "move": "C"}).first
    assert first and first.node == "A" and "is done: 3" in first.reason


@pytest.mark.parametrize(
    "text", ["<=2", "≤2", "≤ 2", "=<2", "at most 2", "2", "2.0", 2, 2.0, "4/2"]
)
def test_a_bound_as_courses_write_it(text: Any) -> None:
    e = from_tree(TWO_PLY)
    right = answer_of(e)
    assert check(e, right | {"values": right["values"] | {"B": text}}).right


@pytest.mark.parametrize(
    "text", [">=2", "<2", "≥2", "3", "", None, "two", "2 3", "2/0", True, float("nan"), "9" * 500]
)
def test_what_is_no_value_of_that_node(text: Any) -> None:
    e = from_tree(TWO_PLY)
    right = answer_of(e)
    marks = check(e, right | {"values": right["values"] | {"B": text}})
    assert not marks.right and marks.first and marks.first.node == "B"


def test_an_exact_value_is_no_bound() -> None:
    e = from_tree(TWO_PLY)
    right = answer_of(e)
    assert not check(e, right | {"values": right["values"] | {"A": "<=3"}}).right


def test_below_a_cut() -> None:
    """What hangs below a cut branch may be struck out too, and its value left empty."""
    e = from_tree("max(min(max(5 6) max(7 4)) min(max(3 1) max(9 2)))")
    assert e.cuts == ["d", "F"]
    right = answer_of(e)
    assert right["values"]["F"] == "never"
    assert check(e, right | {"cuts": ["d", "F", "g", "h"]}).right
    empty = {k: v for k, v in right["values"].items() if k != "F"}
    assert check(e, right | {"values": empty}).right
    assert not check(e, right | {"values": empty, "cuts": ["d"]}).right
    for word in ("x", "-", "cut", "not visited", "Never"):
        assert check(e, right | {"values": right["values"] | {"F": word}}).right


@pytest.mark.parametrize(
    "order", ["a b c d g h i", "a, b, c, d, g, h, i", "abcdghi", list("abcdghi")]
)
def test_the_order_of_leaves_as_people_write_it(order: Any) -> None:
    e = from_tree(TWO_PLY)
    assert check(e, answer_of(e) | {"order": order}).right


def test_leaves_by_value_where_they_differ() -> None:
    e = from_tree("max(min(3 12 8) min(2 4 6) min(14 5 1))")
    assert check(e, answer_of(e) | {"order": "3 12 8 2 14 5 1"}).right
    with pytest.raises(UsageError, match="no node '3'"):  # two leaves are worth 2
        check(from_tree(TWO_PLY), {"order": "3 12 8"})


def test_the_page_in_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "exercises.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    exec(code, {})
    assert f"prints `{capsys.readouterr().out.strip()}`." in page


def test_partial_credit() -> None:
    e = from_tree(TWO_PLY)
    right = answer_of(e)
    assert check(e, {}).parts == {"values": 0, "cuts": 0, "order": 0, "move": 0}
    marks = check(e, right | {"cuts": ["e"]})
    assert marks.parts == {"values": 1, "cuts": 0.5, "order": 1, "move": 1} and marks.score == 0.875
    assert check(e, right | {"cuts": ["e", "f", "a"]}).parts["cuts"] == 0.5
    assert check(e, right | {"order": "a b c d"}).parts["order"] == 4 / 7


def test_nothing_to_cut() -> None:
    e = from_tree("max(min(1 2) min(3 4))")
    assert e.cuts == [] and check(e, answer_of(e)).right
    silent = {k: v for k, v in answer_of(e).items() if k != "cuts"}
    assert not check(e, silent).right and check(e, silent).parts["cuts"] == 0
    assert check(e, answer_of(e) | {"cuts": ["b"]}).parts["cuts"] == 0


def test_minimax_asks_no_cuts() -> None:
    e = from_tree(TWO_PLY, algorithm="minimax")
    assert e.parts == ("values", "move") and check(e, answer_of(e)).right
    e = from_tree(TWO_PLY, algorithm="minimax", parts=PARTS)
    first = check(e, answer_of(e) | {"cuts": ["a"]}).first
    assert first and "visits every branch" in first.reason


def test_equal_moves_are_all_right() -> None:
    e = from_tree("max(min(10 11) min(10 12) min(10 0))")
    assert e.moves == ["A", "B"]
    assert all(check(e, answer_of(e) | {"move": m}).right for m in "AB")
    assert not check(e, answer_of(e) | {"move": "C"}).right


def test_the_convention_matters_where_values_meet() -> None:
    tree = "max(min(3 5) min(3 9))"
    equal, strict = from_tree(tree), from_tree(tree, cut="strict")
    assert equal.cuts == ["d"] and strict.cuts == []
    assert has_ties(equal) and not check(strict, answer_of(equal)).right


# -- recipes ---------------------------------------------------------------------------------
@pytest.mark.parametrize("cuts", range(5))
def test_a_recipe_is_met(cuts: int) -> None:
    for seed in range(8):
        e = make(Recipe(depth=3, branching=(2, 3), cuts=cuts, above=cuts > 0), seed=seed)
        assert len(e.cuts) == cuts
        assert cuts == 0 or any(e.nodes[c].children for c in e.cuts)
        leaves = [e.value_of(n) for n in e.leaves]
        assert len(set(leaves)) == len(leaves) and all(-9 <= v <= 20 for v in leaves)  # type: ignore[operator]
        assert all(2 <= len(e.nodes[n].children) <= 3 for n in e.inner)


def test_large_trees_have_a_range_that_suffices() -> None:
    for recipe in (Recipe(4, (3, 3)), Recipe(8), Recipe(3, players=3) if MANY else Recipe(3)):
        assert not has_ties(make(recipe, seed="large"))


def test_no_ties_even_in_a_narrow_range() -> None:
    for seed in range(20):
        e = make(Recipe(depth=3, branching=(2, 2), values=(0, 5)), seed=seed)
        assert not has_ties(e)
        assert from_tree(e.tree, cut="strict").order == e.order


def test_seeds_repeat() -> None:
    recipe = Recipe(depth=3, cuts=2)
    assert make(recipe, "alice") == make(recipe, "alice") != make(recipe, "bob")
    assert make(recipe, 7).tree == make(recipe, "7").tree
    unseeded = make(recipe)
    assert make(recipe, unseeded.seed).tree == unseeded.tree
    # in another process, whose hashes of texts differ
    code = "from zermelo.exercise import *; print(make(Recipe(depth=3, cuts=2), 'alice').tree)"
    other = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == make(recipe, "alice").tree


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": 0}, {"depth": 99}, {"depth": True}, {"branching": (3, 2)}, {"branching": 2},
        {"values": (5, 1)}, {"values": (0, 10**9)}, {"cuts": -1}, {"root": "mid"}, {"cut": "?"},
        {"parts": ("x",)}, {"depth": 12, "branching": (3, 3)}, {"players": 1},
        {"players": 3, "root": "min"},
    ],
)  # fmt: skip
def test_recipes_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Recipe(**wrong)


def test_recipes_that_cannot_be_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.exercise.recipe.TRIES", 50)
    with pytest.raises(UsageError, match="random trees matches these settings"):
        make(Recipe(depth=1, cuts=1), seed=1)
    for seed in (1.5, "\udcff", True):
        with pytest.raises(UsageError, match="seed"):
            make(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"cuts": ["Q"]}, {"values": {"Z": 1}}, {"order": ["zz"]}, {"value": {}}, {"cuts": 5},
        {"values": 3}, {"move": 3}, {"order": ["a"] * 10_000}, {"cuts": [["a"]]},
    ],
)  # fmt: skip
def test_answers_that_are_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        check(from_tree(TWO_PLY), wrong)


@pytest.mark.skipif(not CHANCE, reason="no algorithm here traces games with chance")
def test_chance() -> None:
    for seed in range(60):
        e = make(Recipe(depth=2 + seed % 2, branching=(2, 3), chance=True), seed=seed)
        assert check(e, answer_of(e)).right and e.parts == ("values", "move")
        right = answer_of(e)
        for name, s in states(e).items():
            if name in e.inner:
                worth = oracle.expectiminimax(e.game, s)
                assert e.value_of(name) == pytest.approx(worth)
                off = right["values"] | {name: number(round(worth) + 1)}
                assert check(e, right | {"values": off}).first.node == name
    e = from_tree("max(chance(3 12 9) chance(2 4 5) chance(15 6 0))")
    for text in ("11/3", "3.67", "3.667"):
        assert check(e, answer_of(e) | {"values": answer_of(e)["values"] | {"B": text}}).right
    for text in ("3.6", "3.66", "4"):
        assert not check(e, answer_of(e) | {"values": answer_of(e)["values"] | {"B": text}}).right


@pytest.mark.skipif(not MANY, reason="no algorithm here traces games of many players")
def test_many_players() -> None:
    for seed in range(60):
        e = make(Recipe(depth=3, players=3, values=(0, 9)), seed=seed)
        assert check(e, answer_of(e)).right and e.parts == ("values", "move")
        right = answer_of(e)
        for name, s in states(e).items():
            if name in e.inner:
                worth = many.maxn(e.game, s)
                assert e.value_of(name) == worth
                off = f"({', '.join(number(v + 1) for v in worth)})"
                marks = check(e, right | {"values": right["values"] | {name: off}})
                assert not marks.right and marks.first.node == name
