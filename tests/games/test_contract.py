"""The contract suite over every game and over somebody's own."""

from __future__ import annotations

import itertools
import pickle
import random
from typing import Any

import numpy as np
import pytest

import contract
import zermelo
from zermelo.game import as_game, facts_of
from zermelo.games import GAMES, game_class, names
from zermelo.games.native import NativeGame
from zermelo.options import spelled

SPECS = contract.specs()


def short(spec: str) -> str:
    return spec[:40]


@pytest.mark.parametrize("spec", SPECS, ids=short)
def test_random_play_keeps_the_contract(spec: str) -> None:
    game = zermelo.load(spec) if "(" in spec or spec in OPTION_SPECS else zermelo.tree(spec)
    rng = random.Random(spec)
    states: list[Any] = []
    long = spec.startswith("2048")  # hundreds of moves, dozens of outcomes after each
    large = contract.state_size(game) > 40 or "999" in spec or long
    for _ in range(2 if large else 12):
        states += contract.play_through(game, rng, 150 if long else 400)
        if len(states) > (300 if long else 1500):
            break
    contract.check_states_and_keys(game, states)
    contract.check_mcts_hints(game, states[:200], rng)
    contract.check_encoding(game, states[:200], rng)


OPTION_SPECS = {s for s in SPECS if s.partition(":")[0] in names()}


def test_every_game_is_covered() -> None:
    assert set(contract.OPTIONS) == set(GAMES)
    assert all(len(contract.OPTIONS[name]) >= 3 for name in GAMES if game_class(name).options)


def test_options_shown_are_the_defaults() -> None:
    for name in GAMES:
        options = spelled(game_class(name).options)
        plain, written = zermelo.load(name), zermelo.load(f"{name}:{options}")
        assert plain.format_state(plain.initial()) == written.format_state(written.initial())
        assert facts_of(plain) == facts_of(written)


@pytest.mark.parametrize("spec", SPECS, ids=short)
def test_games_pickle(spec: str) -> None:
    game = zermelo.load(spec) if "(" in spec or spec in OPTION_SPECS else zermelo.tree(spec)
    copy = pickle.loads(pickle.dumps(game))
    assert type(copy) is type(game) and copy.name == game.name
    assert facts_of(copy) == facts_of(game)
    assert copy.initial() == game.initial()
    assert list(copy.actions(copy.initial())) == list(game.actions(game.initial()))


def test_states_of_different_games_differ() -> None:
    games = [zermelo.load(s) for s in sorted(OPTION_SPECS)]
    starts = [game.initial() for game in games if isinstance(game, NativeGame)]
    for a, b in itertools.combinations(starts, 2):
        assert a != b


def test_connect_four_and_tic_tac_toe_agree_with_a_slow_judge() -> None:
    """Lines found by shifting bits are those found by looking."""
    rng = random.Random(5)
    for spec, k in (
        ("connect-four", 4), ("connect-four:width=8,height=7", 4),
        ("connect-four:width=5,height=9", 4),
        ("connect-four:width=3,height=20", 4), ("tic-tac-toe:m=5,n=4,k=3", 3),
        ("tic-tac-toe:m=15,n=15,k=5", 5), ("tic-tac-toe:m=2,n=30,k=2", 2),
        ("tic-tac-toe:m=7,n=7,k=6", 6), ("tic-tac-toe:m=19,n=19,k=4", 4),
    ):  # fmt: skip
        game: Any = zermelo.load(spec)
        for _ in range(3 if len(game.initial().data) > 40 else 20):
            s = game.initial()
            while not game.is_terminal(s):
                assert not winners(game.grid(s), k), (spec, str(s))
                s = game.result(s, rng.choice(game.actions(s)))
            won = winners(game.grid(s), k)
            expected = 0.0 if not won else (1.0 if won == {0} else -1.0)
            assert game.utility(s, 0) == expected, (spec, str(s))


@pytest.mark.parametrize(("width", "height"), [(2, 31), (1, 63)])
def test_tall_connect_four_boards(width: int, height: int) -> None:
    game: Any = zermelo.load(f"connect-four:width={width},height={height}")
    s = game.initial()
    for a in (1, 1, width):
        s = game.result(s, a)
    assert not winners(game.grid(s), 4) and not game.is_terminal(s)


def winners(grid: list[list[int]], k: int) -> set[int]:
    """Who has k in a row, by looking at every square in every direction."""
    found = set()
    rows, columns = len(grid), len(grid[0])
    for r, c in itertools.product(range(rows), range(columns)):
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            end_r, end_c = r + (k - 1) * dr, c + (k - 1) * dc
            if not (0 <= end_r < rows and 0 <= end_c < columns):
                continue
            line = {grid[r + i * dr][c + i * dc] for i in range(k)}
            if line == {0} or line == {1}:
                found |= line
    return found


class Stones:
    """Somebody's own rules, without the base class, with NumPy states."""

    players = 2

    def initial(self) -> Any:
        return np.array([5, 0], dtype=np.int64)

    def player(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> Any:
        return (a for a in (1, 2, 3) if a <= s[0])

    def result(self, s: Any, a: int) -> Any:
        return np.array([s[0] - a, 1 - s[1]], dtype=np.int64)

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] == 0)

    def utility(self, s: Any, p: int) -> float:
        return -1.0 if s[1] == p else 1.0


class Coins(zermelo.Game):
    """A user's game with tuples for states and the defaults for all looks."""

    utility_bounds = (-1, 1)

    def initial(self) -> tuple[tuple[str, ...], int]:
        return (), 0

    def player(self, s: Any) -> int:
        return s[1]

    def actions(self, s: Any) -> list[str]:
        return ["heads", "tails"] if len(s[0]) < 4 else []

    def result(self, s: Any, a: str) -> Any:
        return (*s[0], a), 1 - s[1]

    def is_terminal(self, s: Any) -> bool:
        return len(s[0]) == 4

    def utility(self, s: Any, p: int) -> float:
        x = 1.0 if s[0].count("heads") > 2 else -1.0
        return x if p == 0 else -x

    def format_state(self, s: Any) -> str:
        return " ".join(s[0])

    def board(self, s: Any) -> str:
        return f"coins: {self.format_state(s)}"


def test_a_user_game_passes_the_contract() -> None:
    rng = random.Random(3)
    for _ in range(20):
        contract.play_through(Coins(), rng)


def test_the_contract_notices_faults() -> None:
    """A suite that cannot fail proves nothing: each of these breaks one rule."""

    class Twice(Coins):
        def actions(self, s: Any) -> list[str]:
            return super().actions(s) * 2

    class Endless(Coins):
        def actions(self, s: Any) -> list[str]:
            return ["heads"]

    class Biased(Coins):
        def utility(self, s: Any, p: int) -> float:
            return 1.0

    class Large(Coins):
        def utility(self, s: Any, p: int) -> float:
            return 5.0 - 10 * p

    class Mute(Coins):
        def format_action(self, s: Any, a: Any) -> str:
            return "?"

    class Broken(Coins):
        def svg(self, s: Any) -> str:
            return "<svg><g></svg>"

    class Stuck(Coins):
        def result(self, s: Any, a: str) -> Any:
            return s

    for cls in (Twice, Endless, Biased, Large, Mute, Broken, Stuck):
        with pytest.raises((AssertionError, SyntaxError)):
            contract.play_through(cls(), random.Random(0))


def test_adapted_objects_keep_their_rules() -> None:
    game = as_game(Stones())
    assert game.name == "Stones"
    assert zermelo.search(game, algorithm="minimax").value == 1
    assert zermelo.search(Stones(), algorithm="minimax").action == 1
