"""Reordered trees: the same game with sorted children."""

from __future__ import annotations

import random

import pytest

import zermelo
from zermelo.errors import NotSupported, UsageError
from zermelo.explicit.reorder import reordered
from zermelo.explicit.tree import complete


def random_tree(rng: random.Random, depth: int) -> str:
    """A tree with MAX, MIN and chance nodes of different widths."""
    if depth == 0 or rng.random() < 0.15:
        return str(rng.randint(-50, 50))
    kind = rng.choice(("max", "min", "chance"))
    children = [random_tree(rng, depth - 1) for _ in range(rng.randint(1, 4))]
    if kind == "chance" and len(children) == 2 and rng.random() < 0.5:
        children = ["1/4:" + children[0], "3/4:" + children[1]]
    return f"{kind}({' '.join(children)})"


@pytest.mark.parametrize("order", ["best", "worst"])
def test_the_value_does_not_change(order: str) -> None:
    rng = random.Random(4)
    for _ in range(200):
        text = f"max({random_tree(rng, 4)} {random_tree(rng, 4)})"
        value = zermelo.solve(zermelo.tree(text)).value
        assert zermelo.solve(reordered(zermelo.tree(text), order)).value == pytest.approx(value)


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 3), (4, 4)])
def test_best_first_visits_the_fewest_leaves(branching: int, depth: int) -> None:
    rng = random.Random(depth)
    count = branching**depth
    least = branching ** -(-depth // 2) + branching ** (depth // 2) - 1
    for _ in range(20):
        game = complete(branching, depth, rng.sample(range(10 * count), count))
        best, given, worst = (
            zermelo.search(t, algorithm="alphabeta").leaves
            for t in (reordered(game, "best"), game, reordered(game, "worst"))
        )
        assert best == least <= given
        assert worst == count or (depth > 3 and worst > 0.9 * count)


def test_names_and_tuples_are_kept() -> None:
    game = zermelo.tree("p1(a=p2((1,2,6) (4,2,3)) b=p3((6,1,2) (7,4,1)))")
    assert reordered(game, "best").spec == "p1(b=p3((6,1,2) (7,4,1)) a=p2((1,2,6) (4,2,3)))"


def test_what_cannot_be_reordered() -> None:
    with pytest.raises(UsageError, match="invalid order 'middle'"):
        reordered(zermelo.tree("max(1 2)"), "middle")
    with pytest.raises(NotSupported, match="information sets"):
        reordered(zermelo.tree("max(min#I(1 2) min#I(3 4))"), "best")
