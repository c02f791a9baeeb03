"""Games by chance: what they come to, and that chance is fair."""

from __future__ import annotations

import math
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

import zermelo
from contract import specs
from zermelo import playouts
from zermelo.games.native import NativeGame


def expected(game: Any, s: Any) -> tuple[float, float]:
    """The mean utility of player 0 and the mean length of random play, exactly."""

    @cache
    def value(s: Any) -> tuple[float, float]:
        if game.is_terminal(s):
            return float(game.utility(s, 0)), 0.0
        if game.player(s) == zermelo.CHANCE:
            after = [(p, value(game.result(s, a))) for a, p in game.outcomes(s)]
        else:
            actions = list(game.actions(s))
            after = [(1 / len(actions), value(game.result(s, a))) for a in actions]
        return sum(p * v for p, (v, _) in after), 1 + sum(p * n for p, (_, n) in after)

    return value(s)


@pytest.mark.parametrize(
    "spec",
    [
        "tic-tac-toe",
        "connect-four:width=4,height=3",
        "nim:piles=3,4",
        "dodgem:n=2",
        "max(chance(1/2:8 1/3:24 1/6:-12) chance(min(2 4) min(7 4)))",
        "max(1 min(2 max(3 4)))",
    ],
)
def test_means_agree_with_exact_expectations(spec: str) -> None:
    game = zermelo.load(spec)
    if spec == "dodgem:n=2":  # play may go round: then only the games themselves are counted
        assert playouts(game, 2000).games == 2000
        return
    value, length = expected(game, game.initial())
    p = playouts(game, 40_000, seed=3)
    assert abs(p.values[0] - value) < 5 * p.errors[0] + 1e-12
    assert abs(p.length - length) < 5 * p.deviation / math.sqrt(p.games) + 1e-12
    assert p.shortest <= p.length <= p.longest and p.moves == round(p.length * p.games)


def test_many_players() -> None:
    p = playouts(zermelo.tree("p1(p2((1,2,3) (4,5,6)) p3((1,2,3) (4,5,6)))"), 10_000)
    assert p.values == pytest.approx((2.5, 3.5, 4.5), abs=0.1) and len(p.errors) == 3


@pytest.mark.parametrize("spec", [s for s in specs() if s != "7"])
def test_sampled_actions_are_even(spec: str) -> None:
    """64 random bits, cut into equal parts, give each action once; Go samples by rejection."""
    game = zermelo.load(spec)
    if not isinstance(game, NativeGame):
        pytest.skip("rules in Python have no native `sample`")
    s = game.initial()
    for ply in range(12):
        if game.is_terminal(s) or game.player(s) == zermelo.CHANCE:
            return
        flat = game.data(s)
        actions = game.handle.actions(flat)
        n = len(actions)
        drawn = [game.handle.sample(flat, (2 * i + 1) * 2**63 // n) for i in range(n)]
        if spec.startswith("go"):
            check_evenly_sampled(game, flat, actions)
        else:
            assert drawn == actions or set(drawn) == {None}
        s = game.result(s, list(game.actions(s))[ply * 7 % n])


def check_evenly_sampled(game: Any, flat: bytes, actions: list[int]) -> None:
    """Go samples by rejection: every action is drawn as often, within six standard deviations."""
    rng, each = random.Random(len(actions)), 60
    drawn = Counter(game.handle.sample(flat, rng.getrandbits(64)) for _ in actions * each)
    assert set(drawn) <= set(actions)
    assert all(abs(drawn[a] - each) < 6 * each**0.5 for a in actions)


def test_repeatable_and_seeded() -> None:
    game = zermelo.load("othello")

    def played(seed: int) -> tuple[Any, ...]:
        p = playouts(game, 50, seed)
        return p.values, p.length, p.shortest, p.longest

    assert played(1) == played(1) != played(2)


def test_python_rules() -> None:
    from test_mcts import Take

    game = Take()
    value, _ = expected(game, game.initial())
    p = playouts(game, 4000, seed=2)
    assert abs(p.values[0] - value) < 5 * p.errors[0]


def test_from_a_state_and_within_a_time() -> None:
    game = zermelo.load("connect-four")
    p = playouts(game, 100, state=game.parse_state("1212121"[:6]), seed=1)
    assert p.shortest == 1
    short = playouts(game, 10**12, time=0.1)
    assert short.stopped == "time" and 0 < short.games < 10**12 and short.elapsed < 5


def test_wrong_wishes() -> None:
    game = zermelo.load("tic-tac-toe")
    for games, seed in ((0, 0), (-1, 0), (1.5, 0), (10, -1), (10, "x")):
        with pytest.raises(zermelo.UsageError, match=r"^invalid (games|seed)="):
            playouts(game, games, seed)  # type: ignore[arg-type]
    over = zermelo.tree("7")
    with pytest.raises(zermelo.UsageError, match="over"):
        playouts(over, 10)


def test_open_spiel_plays_the_same_games() -> None:
    """Mean utility and length of random play against another program's rules."""
    pyspiel = pytest.importorskip("pyspiel")
    import random

    for ours, theirs in (("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four")):
        game, rng = pyspiel.load_game(theirs), random.Random(4)
        lengths, values = [], []
        for _ in range(1500):
            state, n = game.new_initial_state(), 0
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                n += 1
            lengths.append(n)
            values.append(state.returns()[0])
        p = playouts(zermelo.load(ours), 100_000, seed=5)
        assert abs(sum(lengths) / 1500 - p.length) < 5 * p.deviation / math.sqrt(1500)
        assert abs(sum(values) / 1500 - p.values[0]) < 5 / math.sqrt(1500)
