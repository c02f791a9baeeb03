"""Sampled chance outcomes: seeds, error bounds, and agreement of all prunings."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import oracle
import zermelo
from chance import PRUNES, Unbounded, expectiminimax
from zermelo import CHANCE, tree


def wide(seed: int, outcomes: int = 60) -> str:
    rng = random.Random(seed)
    rows = [" ".join(str(rng.randint(0, 10)) for _ in range(outcomes)) for _ in range(3)]
    return f"max({' '.join(f'chance({row})' for row in rows)})"


def test_sampling_is_seeded_and_its_error_bound_holds() -> None:
    missed = 0
    for seed in range(200):
        text = wide(seed)
        true = expectiminimax(tree(text)).value
        r = expectiminimax(tree(text), samples=30, seed=seed)
        again = expectiminimax(tree(text), samples=30, seed=seed)
        assert (r.value, r.error, r.nodes) == (again.value, again.error, again.nodes)
        assert r.kind == "estimate" and "Hoeffding" in r.why and 0 < r.error <= 10
        # three averages of 30 draws in [0, 10], one layer of them
        assert r.error == pytest.approx(10 * math.sqrt(math.log(2 * 3 / 0.05) / 60))
        missed += abs(r.value - true) > r.error
    assert missed <= 10  # of 200, at 95 %
    values = {expectiminimax(tree(text), samples=30, seed=seed).value for seed in range(5)}
    assert len(values) > 1


def test_sampling_converges_and_stays_exact_where_it_need_not_draw() -> None:
    text = wide(1)
    true = expectiminimax(tree(text)).value
    errors = [
        sum(abs(expectiminimax(tree(text), samples=n, seed=s).value - true) for s in range(40))
        for n in (3, 15, 50)
    ]
    assert errors[0] > errors[1] > errors[2]
    r = expectiminimax(tree(text), samples=60)
    assert r.exact and r.error is None and r.value == true


def test_sampled_trees_are_cut_alike() -> None:
    for seed in range(40):
        rows = [wide(seed * 10 + i, 12).replace("max", "min", 1) for i in range(2)]
        game = tree(f"max({' '.join(f'chance({row} {row})' for row in rows)})")
        found = [expectiminimax(game, prune=p, samples=5, seed=seed) for p in PRUNES]
        assert len({(r.value, r.action) for r in found}) == 1
        assert all(r.error is not None for r in found)


class WideGame(oracle.ChanceGame):
    """More outcomes of chance than are sampled, and states that are reached again."""

    def actions(self, s: Any) -> list[int]:
        return list(range(self._dice(2, 9 if self.player(s) == CHANCE else 3, "actions", s)))


def test_every_way_of_cutting_draws_the_same_samples() -> None:
    """What is drawn depends on the state and the seed, not on the order of the visits."""
    for seed in range(400):
        rng = random.Random(f"samples {seed}")
        game = WideGame(seed, rng.randint(3, 5), width=rng.choice((4, 20)))
        options = {"samples": rng.randint(1, 5), "seed": seed, "depth": rng.choice((None, 2, 3))}
        found = [expectiminimax(game, prune=p, table=t, **options) for p in PRUNES for t in (0, 1)]
        assert len({(r.value, r.action) for r in found}) == 1, seed


class Named:
    """A state that only its class can compare."""

    def __init__(self, s: Any) -> None:
        self.s = s

    def __hash__(self) -> int:
        return hash(self.s)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.s == other.s


class Unnamed(zermelo.Game):
    """A game whose states are objects of a class of its own."""

    utility_bounds = (-3.0, 3.0)

    def __init__(self) -> None:
        self.inner = WideGame(3, 4)

    def initial(self) -> Named:
        return Named(self.inner.initial())

    def player(self, s: Named) -> int:
        return self.inner.player(s.s)

    def actions(self, s: Named) -> list[int]:
        return self.inner.actions(s.s)

    def outcomes(self, s: Named) -> list[tuple[int, float]]:
        return self.inner.outcomes(s.s)

    def result(self, s: Named, a: int) -> Named:
        return Named(self.inner.result(s.s, a))

    def is_terminal(self, s: Named) -> bool:
        return self.inner.is_terminal(s.s)

    def utility(self, s: Named, p: int) -> float:
        return self.inner.utility(s.s, p)


def test_states_that_cannot_be_named_are_not_sampled() -> None:
    assert expectiminimax(Unnamed()).exact
    with pytest.raises(zermelo.NotSupported, match="type Named has no key") as e:
        expectiminimax(Unnamed(), samples=1)
    assert "lasting_key" in e.value.hint


def test_sampling_without_bounds_says_so() -> None:
    class Wide(Unbounded):
        def actions(self, s: Any) -> list[int]:
            return list(range(8))

    r = expectiminimax(Wide(3, 3), samples=2)
    assert r.error is None and "the error is unknown" in r.why
