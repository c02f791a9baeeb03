"""Hidden information with wrong rules: different actions in one information set, wrong samples."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import pytest

import zermelo
from hidden_games import Coin, Doors
from zermelo import (
    Belief,
    IllegalAction,
    RulesError,
    UsageError,
    belief_of,
)
from zermelo.search.adapter import adapt


@pytest.mark.parametrize("algorithm", ["belief", "pimc", "ismcts", "guaranteed"])
@pytest.mark.parametrize("other", [["a"], ["b", "c"], ["a", "b", "c"]])
def test_states_that_look_alike_must_have_the_same_actions(
    algorithm: str, other: list[str]
) -> None:
    game = Doors({"a": ["a", "b"], "b": other})
    limits = {"nodes": 100} if algorithm == "ismcts" else {}
    with pytest.raises(RulesError, match=r"different legal actions: 'a' and 'b'") as caught:
        zermelo.search(game, "a", algorithm, **limits)
    assert "observation(s, p)" in caught.value.hint


@pytest.mark.parametrize("way", ["cfr+", "sampling"])
def test_equilibria_refuse_different_actions_and_name_the_states(way: str) -> None:
    game = Doors({"a": ["a", "b"], "b": ["a", "c"]})
    with pytest.raises(RulesError, match=r"different legal actions: '[ab]' and '[ab]'"):
        zermelo.equilibrium(game, way, iterations=10)


@pytest.mark.parametrize("way", ["cfr+", "cfr", "mccfr", "sampling"])
def test_equilibria_match_actions_by_name(way: str) -> None:
    """Door "a" is the likeliest, wherever the states list it."""
    game = Doors({"a": ["a", "b"], "b": ["b", "a"], "c": ["b", "a"], "d": ["a", "b"]})
    game.outcomes = lambda s: [("a", 0.5), ("b", 0.2), ("c", 0.2), ("d", 0.1)]  # type: ignore[method-assign]
    game.players = 2  # sampling averages what it sees the others do
    policy = zermelo.equilibrium(game, way, iterations=300, seed=1)
    assert policy.action_probabilities("b")["a"] > 0.9


def test_a_known_action_is_played_in_every_state() -> None:
    game = Doors({"a": ["a", "b"], "b": ["b", "a"]})
    belief = belief_of(game, "a")
    assert [s for s, _ in belief.ends("a")] == [("over", "a", "a"), ("over", "b", "a")]
    with pytest.raises(IllegalAction, match="'c' is not legal in 'a'"):
        belief.after("c")
    wrong = Doors({"a": ["a", "b"], "b": ["b"]})
    with pytest.raises(RulesError, match="'a' is legal in 'a' but not in 'b'"):
        Belief(wrong, 0, {"a": 1.0, "b": 1.0}).after("a")


def test_actions_that_cannot_be_hashed_are_refused() -> None:
    game = Doors({"a": [["x"]], "b": [["x"]]})
    with pytest.raises(RulesError, match=r"an action cannot be hashed: \['x'\]"):
        zermelo.search(game, "a", "pimc")


def test_no_number_that_is_played_reads_outside_the_lists() -> None:
    """Whatever the native half is asked to play, it answers or raises."""
    for game in (Doors({"a": ["a", "b"], "b": ["b", "a"]}), Coin()):
        b = adapt(game)
        over = "h2" if isinstance(game, Coin) else ("over", "a", "a")
        for state, code in itertools.product((game.initial(), over), (0, 1, 2, 77, 2**32 - 1)):
            flat = b.flat(state)
            with contextlib.suppress(zermelo.ZermeloError):
                b.handle.play(flat, code)
            with contextlib.suppress(zermelo.ZermeloError, IndexError):
                b.action(b.handle.key(flat), code)
        with pytest.raises(IndexError):
            b.action(10**6, 0)


def test_a_belief_of_somebody_else_is_refused() -> None:
    game = Coin()
    for states in ({"h1": 1.0}, {"h0": 1.0, "h1": 1.0}):
        with pytest.raises(zermelo.BadPosition, match="another player moves"):
            zermelo.search(game, "h0", "belief", belief=Belief(game, 0, states))


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (None, "None, which is not a state"),
        (["h0"], "which is not a state"),
        ("h2", "'h2', where the game is over"),
        ("h1", "another player moves"),
    ],
)
def test_sample_that_returns_something_else(drawn: Any, said: str) -> None:
    game: Any = Coin()
    game.sample = lambda s, p, rng: drawn
    for algorithm in ("belief", "pimc", "ismcts"):
        with pytest.raises(UsageError, match=said):
            zermelo.search(game, "h0", algorithm, deals=3, nodes=10)


def test_what_cannot_happen_does_not_count() -> None:
    game = Doors({"a": ["a", "b"], "b": ["b", "a"]})
    game.outcomes = lambda s: [("a", 1.0), ("b", 0.0)]  # type: ignore[method-assign]
    for given in ({}, {"belief": {"a": 1, "b": 0}}):
        r = zermelo.search(game, "a", "belief", others="hostile", **given)
        assert (r.action, r.value) == ("a", 1)
        assert zermelo.search(game, "a", "guaranteed", **given).value == 1
