"""Numbers of exercises stay exactly as they were written, in the tree, the key and the checks."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import pytest

from zermelo.errors import UsageError
from zermelo.exercise import Exercise, answer_of, api, check, from_tree
from zermelo.exercise.moodle import moodle_xml, value_texts
from zermelo.exercise.sheet import Sheet, sheet_svg, sheet_text
from zermelo.explicit.numbers import fraction, text_of

Shape = Any  # a leaf's text, a tuple of them, or (head, [(odds, child)…])


def random_number(rng: random.Random) -> str:
    sign = rng.choice(("", "", "-", "−"))
    kind = rng.randrange(7)
    if kind == 0:
        return f"{sign}{rng.randint(0, 9)}/{rng.randint(1, 30)}"
    if kind == 1:  # seven digits and more that differ in the last one only
        return f"{sign}1234567{rng.randint(0, 9)}"
    if kind == 2:
        return f"{sign}0.{rng.randint(0, 10**12):012d}"
    if kind == 3:
        return f"{sign}{rng.randint(1, 999)}e-{rng.randint(3, 300)}"
    if kind == 4:
        return f"{sign}{rng.randint(1, 99)}.{rng.randint(0, 99)}E{rng.randint(3, 290)}"
    if kind == 5:
        return f"{sign}{rng.randint(0, 9)}.{rng.choice(('', '0', '50'))}"
    return f"{sign}{rng.randint(0, 20)}"


def random_odds(rng: random.Random, n: int) -> list[str]:
    """Probabilities that add up to 1, written as fractions or long decimals; or none."""
    if rng.random() < 0.4:
        return [""] * n
    if rng.random() < 0.5:
        shares = [rng.randint(1, 40) for _ in range(n)]
        return [f"{s}/{sum(shares)}" for s in shares]
    cuts = sorted(rng.sample(range(1, 10**7), n - 1))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, 10**7], strict=True)]
    return [f"0.{p:07d}" for p in parts] if n > 1 else ["1.0"]


def random_shape(rng: random.Random, depth: int, head: str, chance: bool, players: int) -> Shape:
    if depth == 0 or (depth < 3 and rng.random() < 0.15):
        if players > 2:
            return tuple(random_number(rng) for _ in range(players))
        return random_number(rng)
    n = rng.randint(1, 3)
    order = [f"p{i + 1}" for i in range(players)] if players > 2 else ["max", "min"]
    below = order[(order.index(head) + 1) % len(order)] if head in order else rng.choice(order)
    if chance and head != "chance" and rng.random() < 0.6:
        below = "chance"
    odds = random_odds(rng, n) if head == "chance" else [""] * n
    kids = [random_shape(rng, depth - 1, below, chance, players) for _ in range(n)]
    return head, list(zip(odds, kids, strict=True))


def text_of_shape(shape: Shape) -> str:
    if isinstance(shape, str):
        return shape
    if isinstance(shape[1], str):
        return f"({','.join(shape)})"
    head, kids = shape
    return f"{head}({' '.join((f'{p}:' if p else '') + text_of_shape(k) for p, k in kids)})"


def exactly(text: str) -> Fraction:
    top, _, bottom = text.replace("−", "-").partition("/")
    return Fraction(top) / Fraction(bottom or "1")


def true_value(shape: Shape) -> Fraction:
    """Minimax with chance, in fractions."""
    if isinstance(shape, str):
        return exactly(shape)
    head, kids = shape
    values = [true_value(k) for _, k in kids]
    if head == "chance":
        odds = [exactly(p) if p else Fraction(1, len(kids)) for p, _ in kids]
        return sum((p * v for p, v in zip(odds, values, strict=True)), Fraction())
    return max(values) if head == "max" else min(values)


def alpha_beta(shape: Shape, cut: list[str], leaves: list[str], low: Any, high: Any) -> Fraction:
    """Fail-soft alpha-beta in fractions; notes the leaves that it looks at and those it cuts."""
    if isinstance(shape, str):
        leaves.append(shape)
        return exactly(shape)
    head, kids = shape
    best: Fraction | None = None
    for i, (_, kid) in enumerate(kids):
        v = alpha_beta(kid, cut, leaves, low, high)
        best = v if best is None else max(best, v) if head == "max" else min(best, v)
        if head == "max":
            low = best if low is None else max(low, best)
        else:
            high = best if high is None else min(high, best)
        if low is not None and high is not None and low >= high:
            cut += [w for _, rest in kids[i + 1 :] for w in leaf_texts(text_of_shape(rest))]
            break
    assert best is not None
    return best


def leaf_texts(tree: str) -> list[str]:
    """The numbers of the leaves as they stand in a tree text."""
    bare = re.sub(r"\w+=|[^\s(]+:", "", tree)
    return re.findall(r"(?<=[\s(,])[-+−\d.][^\s(),]*|^[-+−\d.]\S*", bare)


def random_exercises(seed: int, count: int) -> list[tuple[Exercise, Shape]]:
    rng = random.Random(seed)
    made = []
    while len(made) < count:
        chance, players = rng.random() < 0.35, rng.choice((2, 2, 2, 3))
        head = "p1" if players > 2 else rng.choice(("max", "min"))
        shape = random_shape(rng, rng.randint(1, 4), head, chance, players)
        if isinstance(shape, str) or isinstance(shape[1], str):
            continue
        algorithms = ["auto"] if chance or players > 2 else ["alphabeta", "alphabeta", "minimax"]
        try:
            made.append((from_tree(text_of_shape(shape), rng.choice(algorithms)), shape))
        except UsageError as e:
            assert "double" in f"{e} {e.hint}", e
    return made


def test_the_key_is_accepted_and_the_text_stays_on_500_trees() -> None:
    kinds: dict[str, int] = {}
    for exercise, shape in random_exercises(1, 500):
        text = text_of_shape(shape)
        assert leaf_texts(exercise.tree) == leaf_texts(text)
        assert re.findall(r"[^\s(=]+(?=:)", exercise.tree) == re.findall(r"[^\s(]+(?=:)", text)
        again = api.read(exercise.to_json())
        assert again.tree == exercise.tree == from_tree(exercise.tree).tree
        right = answer_of(exercise)
        marks = check(again, right)
        assert marks.right and marks.score == 1, (exercise.tree, right, marks)
        if isinstance(exercise.value_of("root"), float):
            root = re.sub("[≤≥]", "", right["values"]["root"])
            assert exactly(root) == pytest.approx(true_value(shape), rel=1e-15)
            assert exercise.exact_values["root"] == true_value(shape)
        if exercise.algorithm_name == "alphabeta":
            cut: list[str] = []
            leaves: list[str] = []
            assert alpha_beta(shape, cut, leaves, None, None) == exactly(right["values"]["root"])
            assert [exercise.written[n].leaf[0] for n in exercise.order] == leaves
            unseen = [n for n in exercise.leaves if not exercise.visited(n)]
            assert sorted(exercise.written[n].leaf[0] for n in unseen) == sorted(cut)
        kinds[exercise.algorithm_name] = kinds.get(exercise.algorithm_name, 0) + 1
    assert min(kinds.values()) > 50 and len(kinds) >= 4, kinds


def test_views_show_numbers_as_written() -> None:
    for exercise, shape in random_exercises(2, 40):
        numbers = leaf_texts(text_of_shape(shape))
        shown = sheet_text(Sheet([exercise]), key=True) + sheet_text(Sheet([exercise]))
        assert all(n in shown for n in numbers), exercise.tree
        for picture in (sheet_svg(exercise), sheet_svg(exercise, key=True)):
            assert all(n in picture for n in numbers), exercise.tree
        xml = moodle_xml([Sheet([exercise])])
        assert exercise.tree.replace("&", "&amp;") in xml
        for name in exercise.inner:
            for way in value_texts(exercise, name):
                values = answer_of(exercise)["values"] | {name: way}
                assert check(exercise, answer_of(exercise) | {"values": values}).right, way


def test_the_reported_fractions() -> None:
    e = from_tree("max(min(1/3 2) min(1/7 5))")
    right = answer_of(e)
    assert right["values"] == {"root": "1/3", "A": "1/3", "B": "≤1/7"}
    assert e.tree == "max(A=min(a=1/3 b=2) B=min(c=1/7 d=5))"
    for text in ("1/3", "2/6", "0.33", "0.333", "0,333", 1 / 3, "0.333333333333"):
        assert check(e, right | {"values": right["values"] | {"root": text}}).right, text
    for text in ("0.3", "0.34", "1/4", "0", "1/7", 0.3333, "1_0/30"):
        assert not check(e, right | {"values": right["values"] | {"root": text}}).right, text
    told = " ".join(e.steps_text)
    assert "1/7 ≤ α 1/3" in told and "0.333" not in told


def test_seven_digit_leaves_stay_different() -> None:
    e = from_tree("max(min(1234567.1 1234567.2) min(1234567.3 1234567.4))")
    assert e.moves == ["B"] and answer_of(e)["values"]["root"] == "1234567.3"
    for text in ("1234567.1", "1234567", "1234567.25"):
        assert not value_right(e, "root", text)


def value_right(e: Exercise, name: str, text: Any) -> bool:
    return check(e, answer_of(e) | {"values": answer_of(e)["values"] | {name: text}}).right


def test_a_rounded_answer_must_not_fit_another_value() -> None:
    e = from_tree("max(min(1/3 2) min(0.333 5))")
    assert value_right(e, "root", "1/3") and not value_right(e, "root", "0.333")
    assert value_right(e, "root", "0.3333") and value_right(e, "B", "0.333")


def test_tiny_and_huge_numbers() -> None:
    e = from_tree("max(min(1e-9 2) min(4e-300 5))")
    assert check(e, answer_of(e)).right and answer_of(e)["values"]["root"] == "1e-9"
    assert value_right(e, "root", "0.000000001")
    for text in ("0", "0.00", "0.000", "4e-300", 0, 0.0):
        assert not value_right(e, "root", text), text
    e = from_tree("max(chance(1e300 1) chance(1/3 1e299))")
    assert check(e, answer_of(e)).right


def test_an_average_of_thousands_of_digits() -> None:
    """Python does not write such whole numbers out; the key rounds them."""
    odds = [10**29 + i * 10**20 + 1 for i in range(300)]
    e = from_tree("max(chance(" + " ".join(f"1/{d}" for d in odds) + ") 0)")
    assert check(e, answer_of(e)).right and len(answer_of(e)["values"]["root"]) < 60
    exact = e.exact_values["root"]
    assert isinstance(exact, Fraction) and exact.denominator > 10**4300
    assert exactly(answer_of(e)["values"]["root"]) == pytest.approx(exact, rel=1e-15)


def test_equal_averages_are_both_right() -> None:
    """0.1·1 + 0.9·2 is 1.9 exactly, but not in doubles."""
    e = from_tree("max(chance(0.1:1 0.9:2) 1.9 1.8)")
    assert e.moves == ["A", "c"] and answer_of(e)["values"]["A"] == "1.9"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("max(0.12345678901234567890 0.12345678901234567891)", "equal as floats"),
        ("max(0.1/0.3 1/3 2)", "change their order"),
        ("max(" + "1" * 61 + " 2)", "61 characters"),
        ("max(1e-331 2)", "too long"),
    ],
)
def test_numbers_that_an_exercise_cannot_hold(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        from_tree(text)


@pytest.mark.parametrize("algorithm", ["paranoid", "maxn", "expectiminimax"])
def test_the_right_move_is_the_search_s(algorithm: str) -> None:
    rng = random.Random(5)
    for _ in range(25):
        leaves = " ".join(
            f"p2({' '.join(text_of_shape(random_shape(rng, 2, 'p3', False, 3)) for _ in range(2))})"
            for _ in range(3)
        )
        if algorithm == "expectiminimax":
            leaves = " ".join(f"chance({rng.randint(0, 9)} 1/{rng.randint(1, 9)})" for _ in "abc")
        e = from_tree(f"p1({leaves})" if "p2" in leaves else f"max({leaves})", algorithm)
        assert str(e.result.action) in e.moves
        assert check(e, answer_of(e)).right


@pytest.mark.parametrize("algorithm", ["mcts", "best-reply", "engine"])
def test_algorithms_that_nobody_follows_by_hand(algorithm: str) -> None:
    with pytest.raises(UsageError, match=f"exercises do not support {algorithm}"):
        from_tree("max(min(3 12) min(2 4))", algorithm)


@pytest.mark.parametrize("word", ["1e3_0000000", "1_0", "1e999999999", "nan", "inf", "1/0", "1//2"])
def test_no_number(word: str) -> None:
    with pytest.raises(ValueError, match=r"not a number|too long|by zero"):
        fraction(word)


def test_exact_texts_are_read_back() -> None:
    rng = random.Random(3)
    for _ in range(2000):
        top = rng.randint(-(10 ** rng.randint(0, 30)), 10 ** rng.randint(0, 30))
        value = Fraction(top, rng.choice((1, 2, 3, 7, 8, 10 ** rng.randint(0, 40))))
        assert fraction(text_of(value, longest=200)) == value
        assert fraction(text_of(value)) == pytest.approx(value, rel=1e-15)
