"""Hidden information in plain Python games: searches against brute force, and rules that are wrong.

States that look alike may list the same actions in different orders
(tests/helpers/random_hidden.py).
"""

from __future__ import annotations

import contextlib
import itertools
import random
import time
from typing import Any

import pytest

import zermelo
from random_hidden import Hidden, Sampled, State, alike, belief_values, decisions, open_values
from zermelo import (
    CHANCE,
    Belief,
    EndlessGame,
    Game,
    IllegalAction,
    RulesError,
    UsageError,
    belief_of,
)
from zermelo.search.adapter import adapt
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


class Coin(Game):
    """A coin that nobody has seen, two forced moves, heads wins."""

    def initial(self) -> str:
        return "start"

    def player(self, s: str) -> int:
        return CHANCE if s == "start" else int(s[1])

    def outcomes(self, s: str) -> list[tuple[str, float]]:
        return [("h", 0.5), ("t", 0.5)]

    def actions(self, s: str) -> list[str]:
        return ["on"]

    def result(self, s: str, a: str) -> str:
        return f"{a}0" if s == "start" else f"{s[0]}{int(s[1]) + 1}"

    def is_terminal(self, s: str) -> bool:
        return s[1:] == "2"

    def utility(self, s: str, p: int) -> float:
        return (1.0 if s[0] == "h" else -1.0) * (1 if p == 0 else -1)

    def observation(self, s: str, p: int) -> str:
        return s[1:]


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


class Doors(Game):
    """Nature hides a prize; player 0 names a door. `doors` gives the legal ones of each world."""

    players = 1
    utility_bounds = (-1.0, 1.0)

    def __init__(self, doors: dict[Any, list[Any]]) -> None:
        self.doors = doors

    def initial(self) -> Any:
        return "start"

    def player(self, s: Any) -> int:
        return CHANCE if s == "start" else 0

    def outcomes(self, s: Any) -> list[tuple[Any, float]]:
        return [(w, 1 / len(self.doors)) for w in self.doors]

    def actions(self, s: Any) -> list[Any]:
        return self.doors[s]

    def result(self, s: Any, a: Any) -> Any:
        return a if s == "start" else ("over", s, a)

    def is_terminal(self, s: Any) -> bool:
        return isinstance(s, tuple)

    def utility(self, s: Any, p: int) -> float:
        return (1.0 if s[1] == s[2] else -1.0) * (1 if p == 0 else -1)

    def observation(self, s: Any, p: int) -> Any:
        return s == "start"


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


class Ring(Game):
    """A walk round a ring of rooms that nobody can see; a step in room 0 may end it."""

    players = 1
    utility_bounds = (-1.0, 1.0)

    def __init__(self, exit_: bool) -> None:
        self.exit = exit_

    def initial(self) -> Any:
        return "start"

    def player(self, s: Any) -> int:
        return CHANCE if s == "start" else 0

    def outcomes(self, s: Any) -> list[tuple[int, float]]:
        return [(i, 1 / 3) for i in range(3)]

    def actions(self, s: Any) -> list[str]:
        return ["stop", "walk"] if self.exit else ["walk", "back"]

    def result(self, s: Any, a: Any) -> Any:
        if s == "start":
            return a
        return "over" if a == "stop" else (s + (1 if a == "walk" else 2)) % 3

    def is_terminal(self, s: Any) -> bool:
        return s == "over"

    def utility(self, s: Any, p: int) -> float:
        return 0.0

    def observation(self, s: Any, p: int) -> Any:
        return s == "start"


@pytest.mark.parametrize("exit_", [False, True])
def test_play_without_end_is_noticed_or_ends_at_the_limits(exit_: bool) -> None:
    game, states = Ring(exit_), [0, 1, 2]
    with pytest.raises(EndlessGame, match="same belief"):
        zermelo.search(game, 0, "belief", belief=states)
    r = zermelo.search(game, 0, "belief", belief=states, depth=5)
    assert (r.value, r.depth) == (0, 5)
    for limit in ({"nodes": 500}, {"time": 0.1}):
        assert zermelo.search(game, 0, "belief", belief=states, **limit).action in game.actions(0)
    # What must be guaranteed is never reached by walking on.
    r = zermelo.search(game, 0, "belief", belief=states, others="hostile")
    assert r.value == (0 if exit_ else -1)
    assert zermelo.search(game, 0, "guaranteed", belief=states, depth=10).plan is None
    if not exit_:
        with pytest.raises(RulesError):
            zermelo.search(game, 0, "pimc", belief=states)


class Long(Game):
    """A forced line of `length` moves of the others, then of the player."""

    utility_bounds = (-1.0, 1.0)

    def __init__(self, others: int, own: int) -> None:
        self.others, self.own = others, own

    def initial(self) -> Any:
        return (0, "?")

    def player(self, s: Any) -> int:
        n = s[0]
        return CHANCE if n == 0 else 1 if 2 <= n < 2 + self.others else 0

    def outcomes(self, s: Any) -> list[tuple[Any, float]]:
        return [("h", 0.5), ("t", 0.5)]

    def actions(self, s: Any) -> list[Any]:
        return ["on"]

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + 1, a if s[0] == 0 else s[1])

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] == 2 + self.others + self.own)

    def utility(self, s: Any, p: int) -> float:
        return (1.0 if s[1] == "h" else -1.0) * (1 if p == 0 else -1)

    def observation(self, s: Any, p: int) -> Any:
        return s[0]


@pytest.mark.parametrize(("others", "own"), [(2000, 1), (1, 3000)])
def test_long_forced_lines_are_searched(others: int, own: int) -> None:
    game, states = Long(others, own), [(1, "h"), (1, "t")]
    assert zermelo.search(game, states[0], "belief", belief=states).value == 0
    assert zermelo.search(game, states[0], "pimc", belief=states).value == 0
    assert len(Belief(game, 0, dict.fromkeys(states, 1.0)).after("on")) == 1


class Turning(Coin):
    """After the first move the other player moves for ever."""

    def result(self, s: str, a: str) -> str:
        return s if s[1:] == "1" else super().result(s, a)


@pytest.mark.parametrize("algorithm", ["belief", "guaranteed"])
def test_others_who_move_for_ever_are_noticed(algorithm: str) -> None:
    game = Turning()
    game.utility_bounds = (-1.0, 1.0)
    with pytest.raises(EndlessGame):
        zermelo.search(game, "h0", algorithm, belief=["h0", "t0"])


def test_others_who_move_for_ever_are_noticed_in_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.hidden.beliefs.MOST_REPLIES", 1000)
    with pytest.raises(EndlessGame, match="does not get another turn"):
        Belief(Turning(), 0, {"h0": 1.0}).after("on")


def test_listing_the_states_obeys_the_time_limit() -> None:
    """Each question to these rules takes 10 ms; there are more histories than can be listed."""

    class Slow(Coin):
        def result(self, s: str, a: str) -> str:
            time.sleep(0.01)
            return f"{a}0" if s == "start" else s + a

        def actions(self, s: str) -> list[str]:
            return ["h", "t"]

        def is_terminal(self, s: str) -> bool:
            return len(s) > 40

        def player(self, s: str) -> int:
            return CHANCE if s == "start" else len(s) % 2

        def observation(self, s: str, p: int) -> Any:
            return len(s)

    start = time.monotonic()
    with pytest.raises(zermelo.NotSupported, match=r"not all found within 1 s"):
        zermelo.search(Slow(), "h0", "belief", time=0.2)
    assert time.monotonic() - start < 30


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
