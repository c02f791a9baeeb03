"""Networks guide Monte Carlo tree search natively, as the same function in Python does."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.errors import UsageError
from zermelo.learn.network import Design, Network, architecture, initial_weights, load

GAMES = ["tic-tac-toe", "connect-four", "othello:size=6", "go:size=5", "hex:size=5"]


def network_for(game: Any, seed: int = 1) -> Network:
    """A random network that fits the game."""
    facts = game.handle.facts
    inputs = (facts.planes, facts.rows, facts.columns)
    design = Design(inputs, game.policy_size, channels=16, blocks=1)
    rng = np.random.default_rng(seed)
    weights = initial_weights(architecture(design), rng)
    weights = weights + 0.1 * rng.standard_normal(len(weights))
    return Network(design, weights.astype(np.float32), game.spec)


def as_function(game: Any, network: Network) -> Any:
    """The same guide in Python."""
    low, high = game.utility_bounds

    def guide(s: Any, actions: list[Any]) -> tuple[Any, float]:
        mover = game.player(s)
        logits, values = network.evaluate(game.encode(s, mover)[None])
        chosen = logits[0, [game.policy_index(a) for a in actions]].astype(float)
        priors = np.exp(chosen - chosen.max())
        value = float(values[0, 0]) * (1 if mover == 0 else -1)
        return priors / priors.sum(), (high + low) / 2 + (high - low) / 2 * value

    return guide


def position(game: Any, plies: int, seed: int) -> Any:
    rng = random.Random(seed)
    s = game.initial()
    for _ in range(plies):
        successor = game.result(s, rng.choice(game.actions(s)))
        if game.is_terminal(successor):
            return s
        s = successor
    return s


@pytest.mark.parametrize("spec", GAMES)
def test_a_network_searches_as_the_same_function_does(spec: str) -> None:
    game: Any = zermelo.load(spec)
    network = network_for(game)
    for plies in (0, 3, 6):
        s = position(game, plies, plies)
        found, expected = (
            zermelo.search(game, s, "mcts", simulations=60, guide=g, seed=1)
            for g in (network, as_function(game, network))
        )
        assert found.nodes == expected.nodes
        assert found.value == pytest.approx(expected.value, abs=1e-4)
        # Rounding may decide between two equal bounds, so a few visits may differ.
        visits = {m.action: m.visits for m in expected.moves}
        assert sum(abs(m.visits - visits[m.action]) for m in found.moves) <= 6


def test_a_network_works_with_threads_and_memory() -> None:
    game: Any = zermelo.load("connect-four")
    network = network_for(game)
    memory = zermelo.Memory()
    s = game.initial()
    for _ in range(3):
        r = zermelo.search(
            game, s, "mcts", simulations=500, guide=network, threads=2, memory=memory, seed=1
        )
        s = game.result(s, r.action)


def test_a_search_with_a_network_still_proves() -> None:
    game: Any = zermelo.load("tic-tac-toe")
    for seed in range(10):
        s = position(game, 4, seed)
        r = zermelo.search(
            game, s, "mcts", simulations=20_000, guide=network_for(game, seed), seed=1
        )
        assert r.exact
        assert r.value == zermelo.solve(game, s).value


def test_a_file_plays_as_its_network(tmp_path: Path) -> None:
    game: Any = zermelo.load("connect-four")
    network = network_for(game)
    network.save(tmp_path / "weights")
    first, second = (
        zermelo.search(game, algorithm="mcts", simulations=100, guide=g, seed=1)
        for g in (network, load(tmp_path / "weights"))
    )
    assert [m.visits for m in first.moves] == [m.visits for m in second.moves]


def test_a_network_for_another_game_is_rejected() -> None:
    network = network_for(zermelo.load("connect-four"))
    with pytest.raises(UsageError, match=r"\(2, 6, 7\), 7 policy outputs .* \(3, 8, 8\), 65") as e:
        zermelo.search(zermelo.load("othello"), algorithm="mcts", simulations=5, guide=network)
    assert "connect-four" in e.value.hint
    with pytest.raises(UsageError, match="chess has no native encoding"):
        zermelo.search(zermelo.load("chess"), algorithm="mcts", simulations=5, guide=network)
