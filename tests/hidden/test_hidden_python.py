"""Hidden information in plain Python games: searches against brute force.

States of an information set may list the same actions in different orders
(tests/helpers/random_hidden.py).
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import zermelo
from hidden_games import Coin, Doors
from random_hidden import Hidden, Sampled, State, alike, belief_values, decisions, open_values
from zermelo import (
    CHANCE,
    Game,
)
from zermelo.search.algorithms import algorithms

GAMES = 200


def case(seed: int) -> tuple[Hidden, State, dict[str, Any]]:
    """A random game, a decision in it, and how the search learns what the mover may be in."""
    rng = random.Random(seed)
    kind = (Hidden, Hidden, Sampled)[seed % 3]
    while True:
        game = kind(rng.randrange(10**9), players=1 if seed % 7 == 0 else 2, dice=seed % 2 == 0)
        if states := list(decisions(game)):
            break
    s = rng.choice(states)
    odds = alike(game, s, game.player(s))
    if seed % 4 == 1:
        return game, s, {"belief": [s, *rng.sample(list(odds), rng.randint(0, len(odds)))]}
    if seed % 4 == 2:
        return game, s, {"belief": {t: rng.randint(1, 5) for t in odds}}
    if kind is Sampled:
        return game, s, {"deals": 20}
    return game, s, {}


def check_moves(r: zermelo.Result, p: int, want: dict[Any, float]) -> None:
    """Every action has its value to `p`, and the one that is chosen is among the best."""
    sign = 1 if p == 0 else -1
    assert {m.action: sign * m.value for m in r.moves} == pytest.approx(want)
    assert sign * r.value == pytest.approx(max(want.values()))
    assert want[r.action] == pytest.approx(max(want.values()))


def expected_odds(game: Hidden, s: State, given: dict[str, Any]) -> dict[State, float]:
    belief = given.get("belief")
    if belief is None:
        return alike(game, s, game.player(s))
    weights = belief if isinstance(belief, dict) else dict.fromkeys(belief, 1)
    return {t: w / sum(weights.values()) for t, w in weights.items()}


@pytest.mark.parametrize("part", range(8))
def test_random_games_against_brute_force(part: int) -> None:
    for seed in range(part, GAMES, 8):
        game, s, given = case(seed)
        p = game.player(s)
        average = zermelo.search(game, s, "belief", seed=seed, **given)
        assert average.belief is not None
        odds = dict(average.belief.odds)
        if "deals" not in given:
            assert odds == pytest.approx(expected_odds(game, s, given)), seed
        check_moves(average, p, belief_values(game, odds, p, hostile=False))

        surely = zermelo.search(game, s, "belief", others="hostile", seed=seed, **given)
        want = belief_values(game, odds, p, hostile=True)
        assert (surely.value if p == 0 else -surely.value) == max(want.values()), seed
        assert want[surely.action] == max(want.values()), seed

        deals = zermelo.search(game, s, "pimc", seed=seed, **given)
        check_moves(deals, p, open_values(game, odds, p))

        sets = zermelo.search(game, s, "ismcts", simulations=100, seed=seed, **given)
        assert sets.action in game.actions(s), seed


def test_exact_values_are_labelled_only_where_they_are() -> None:
    """One player against nature, all states listed: exact. Against others, or drawn: not."""
    for seed in range(40):
        game, s, given = case(seed)
        r = zermelo.search(game, s, "belief", seed=seed, **given)
        if r.exact:
            want = belief_values(game, dict(r.belief.odds), game.player(s), hostile=False)  # type: ignore[union-attr]
            assert abs(r.value) == pytest.approx(abs(max(want.values())))
            assert "deals" not in given


def test_guaranteed_wins_are_those_of_brute_force() -> None:
    won = 0
    for seed in range(80):
        game, s, given = case(seed)
        p = game.player(s)
        game.utility_bounds = (-1.0, 1.0)
        plain = game.utility
        game.utility = lambda t, q, u=plain: (  # type: ignore[method-assign, misc]
            (1.0 if u(t, 0) > -2 else -1.0) * (1 if q == 0 else -1)
        )
        r = zermelo.search(game, s, "guaranteed", seed=seed, **given)
        assert r.belief is not None
        want = max(belief_values(game, dict(r.belief.odds), p, hostile=True).values())
        assert (r.plan is not None) == (want == 1), seed
        if r.plan is not None:
            won += 1
            assert r.plan.replay(r.belief).ends
    assert 10 < won < 70


def test_simulations_come_to_the_value_of_one_player() -> None:
    for seed in range(0, 210, 21):
        game, s, given = case(seed)
        want = belief_values(game, expected_odds(game, s, given), 0, hostile=False)
        r = zermelo.search(game, s, "ismcts", simulations=20_000, seed=1,
                           **{k: v for k, v in given.items() if k != "deals"})  # fmt: skip
        assert want[r.action] == pytest.approx(max(want.values()), abs=0.5), seed


@pytest.mark.parametrize("algorithm", ["belief", "pimc", "ismcts"])
def test_a_coin_that_nobody_has_seen(algorithm: str) -> None:
    given = {"belief": ["h0", "t0"]}
    r = zermelo.search(Coin(), "h0", algorithm, nodes=4000, **given)
    assert r.value == pytest.approx(0, abs=0.1 if algorithm == "ismcts" else 1e-12)


class Later(Coin):
    """Player 0 moves first, then a coin falls that nobody sees, then it is guessed."""

    players = 1

    def initial(self) -> str:
        return ""

    def player(self, s: str) -> int:
        return CHANCE if len(s) == 1 else 0

    def actions(self, s: str) -> list[str]:
        return ["h", "t"] if s else ["g"]

    def result(self, s: str, a: str) -> str:
        return s + a

    def is_terminal(self, s: str) -> bool:
        return len(s) == 3

    def utility(self, s: str, p: int) -> float:
        return 1.0 if s[1] == s[2] else -1.0

    def observation(self, s: str, p: int) -> Any:
        return len(s)


class Pennies(Coin):
    """Both name a side; player 1 does not see what player 0 has named and wins if it is equal."""

    def initial(self) -> str:
        return ""

    def player(self, s: str) -> int:
        return len(s)

    def actions(self, s: str) -> list[str]:
        return ["h", "t"]

    def result(self, s: str, a: str) -> str:
        return s + a

    def is_terminal(self, s: str) -> bool:
        return len(s) == 2

    def utility(self, s: str, p: int) -> float:
        return 1.0 if (s[0] != s[1]) == (p == 0) else -1.0

    def observation(self, s: str, p: int) -> Any:
        return (s[:1], len(s)) if p == 0 else len(s)


@pytest.mark.parametrize("algorithm", ["pimc", "ismcts"])
@pytest.mark.parametrize("game", [Later(), Pennies()])
def test_one_state_proves_nothing_while_more_is_hidden_later(game: Game, algorithm: str) -> None:
    """Both games are worth 0; a search of the open game from their one state says 1 and -1."""
    r = zermelo.search(game, None, algorithm, nodes=2000)
    assert r.belief is not None and len(r.belief.odds) == 1
    assert (r.kind, r.exact) == ("estimate", False)
    assert {m.kind for m in r.moves} == {"estimate"}


class Bet(Later):
    """Take the coin, which mostly wins, or nothing."""

    players = 2

    def outcomes(self, s: str) -> list[tuple[str, float]]:
        return [("h", 0.9), ("t", 0.1)]

    def actions(self, s: str) -> list[str]:
        return ["h", "t"] if s else ["coin", "none"]

    def player(self, s: str) -> int:
        return CHANCE if s else 0

    def is_terminal(self, s: str) -> bool:
        return s not in ("", "coin")

    def utility(self, s: str, p: int) -> float:
        u = {"coinh": 1.0, "coint": -1.0, "none": 0.0}[s]
        return u if p == 0 else -u


@pytest.mark.parametrize("inner", algorithms()["pimc"].options["inner"].choices)
def test_the_inner_search_must_fit_the_open_game(inner: str) -> None:
    """Those that know no chance would take nature for an adversary."""
    if inner in ("engine", "alphabeta", "minimax"):
        with pytest.raises(zermelo.NotSupported, match=f"inner={inner} .* chance") as caught:
            zermelo.search(Bet(), None, "pimc", inner=inner)
        assert caught.value.hint == "supported by: expectiminimax, maxn, mcts"
        return
    r = zermelo.search(Bet(), None, "pimc", inner=inner, nodes=2000)
    assert r.action == "coin"
    assert {m.action: m.value for m in r.moves} == pytest.approx({"coin": 0.8, "none": 0.0})


def test_orders_of_actions_do_not_change_the_answer() -> None:
    orders = list(itertools.permutations(["a", "b", "c"]))
    for first, second in itertools.product(orders, orders):
        game = Doors({"a": list(first), "b": list(second), "c": ["c", "a", "b"]})
        game.outcomes = lambda s: [("a", 0.5), ("b", 0.3), ("c", 0.2)]  # type: ignore[method-assign]
        for algorithm in ("belief", "pimc"):
            r = zermelo.search(game, "b", algorithm)
            assert {m.action: m.value for m in r.moves} == pytest.approx(
                {"a": 0.0, "b": -0.4, "c": -0.6}
            )
            assert r.action == "a"
