"""Weights of Go's move features, learned from self-play.

A round plays games with the weights of the round before: some random moves, then MCTS with a fixed
number of simulations. Every searched position is a competition that the chosen move wins against
the other legal moves. The strength of a move is the product of the weights of its features
(generalized Bradley-Terry model). Minorization-maximization finds the weights of maximum
likelihood (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007).

A run directory has one file per batch of games and per round, so an interrupted run resumes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import UsageError
from ..games.go import Go
from ..games.go.weights import WEIGHTS, pack, unpack
from ..games.loading import load
from ..search.api import search
from .run_directory import (
    batch_files,
    finish_rounds,
    install_weights,
    load_arrays,
    log,
    open_run,
    save_arrays,
)

Array = npt.NDArray[Any]

PATTERNS = "patterns"  # the algorithm of `zermelo train go`
BATCH = 10  # games per file
ITERATIONS = 30  # of minorization-maximization
PRIOR = 1.0  # virtual wins and losses of every feature against a move of strength 1
OPENING = 6  # random moves at the start, at most
TERMINAL = -2  # to_move of the core at the end of a game


@dataclass
class Plan:
    """The settings of a run."""

    folder: Path
    spec: str = "go"
    rounds: int = 2
    games: int = 150  # per round
    simulations: int = 1000  # per move
    seed: int = 1


def train(plan: Plan) -> Path:
    """Play and fit all rounds.

    Returns:
        The file of the last round's weights.
    """
    game = load(plan.spec)
    if not isinstance(game, Go):
        raise UsageError(f"{plan.spec!r} has no move features", "train go or go:size=N")
    open_run(plan.folder, f"patterns of {game.spec}", plan.seed)
    path = plan.folder / "none"
    current = b""  # the first round plays with the weights by rule of thumb

    def train_round(number: int) -> bytes:
        play_round(plan, number, current)
        files = batch_files(plan.folder, number, plan.games, BATCH)
        parts = [load_arrays(p, "rows", "sizes", "winners") for p in files]
        return pack(fit(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))))

    for number, path in finish_rounds(plan.folder, plan.rounds, train_round):
        current = unpack(path.read_bytes())
        log(f"round {number}: {path} ({path.stat().st_size / 1e3:.0f} kB)")
    return path


# -- play --------------------------------------------------------------------------------------
def play_round(plan: Plan, number: int, weights: bytes) -> None:
    """Play the games of a round that are not saved yet."""
    game: Any = load(plan.spec)
    game.use_weights(weights)
    files = batch_files(plan.folder, number, plan.games, BATCH)
    due = [(b, path) for b, path in enumerate(files) if not path.exists()]
    start = time.monotonic()
    for done, (b, path) in enumerate(due, 1):
        rng = random.Random(f"{plan.seed} {number} {b}")
        games = min(BATCH, plan.games - b * BATCH)
        competitions = [c for _ in range(games) for c in play_game(game, plan.simulations, rng)]
        save_arrays(
            path, plan.seed, compress=True, name=np.array(f"patterns of {game.spec}"),
            rows=np.concatenate([rows for rows, _ in competitions]),
            sizes=np.array([len(rows) for rows, _ in competitions], np.int32),
            winners=np.array([winner for _, winner in competitions], np.int32),
        )  # fmt: skip
        left = (time.monotonic() - start) / done * (len(due) - done)
        log(f"round {number}: {b * BATCH + games} of {plan.games} games, {left:.0f} s left")


def play_game(game: Any, simulations: int, rng: random.Random) -> list[tuple[Array, int]]:
    """Play one game; return the features of all moves and the index of the chosen one, by turn."""
    s = game.initial()
    for _ in range(rng.randint(0, OPENING)):
        s = game.result(s, rng.choice(game.actions(s)[:-1]))
    found = []
    while game.handle.to_move(game.data(s)) != TERMINAL:
        result = search(game, s, "mcts", simulations=simulations, seed=rng.getrandbits(31))
        winner = game.actions(s).index(result.action)
        raw = game.native.features(game.data(s))
        found.append((np.frombuffer(raw, np.uint16).reshape(-1, _core.go_features_each), winner))
        s = game.result(s, result.action)
    return found


# -- the fit -----------------------------------------------------------------------------------
def fit(rows: Array, sizes: Array, winners: Array) -> Array:
    """Fit the weights of Go's features; see :func:`minorize_maximize`."""
    return minorize_maximize(rows, sizes, winners, _core.go_features, _core.go_feature_groups)


def minorize_maximize(
    rows: Array,
    sizes: Array,
    winners: Array,
    features: int,
    groups: Sequence[int],
    *,
    prior: float = PRIOR,
    iterations: int = ITERATIONS,
) -> Array:
    """Find the weights of maximum likelihood of a generalized Bradley-Terry model.

    Args:
        rows: The features of every competitor, filled up with `features`.
        sizes: The number of competitors of each competition, in the order of `rows`.
        winners: The index of the winner within each competition.
        features: The number of features.
        groups: The first feature of each group. A competitor has at most one feature per group.
        prior: Virtual wins and losses of every feature against a competitor of strength 1.
        iterations: Passes over all groups.

    Returns:
        One weight per feature, called gamma in the paper.
    """
    gamma = np.ones(features + 1)  # the last one stands for "no feature"
    columns = _by_group(rows, features, groups)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    contest = np.repeat(np.arange(len(sizes)), sizes)
    won = starts + winners
    for _ in range(iterations):
        for column in columns:
            strength = np.ones(len(rows))
            for other in columns:
                strength *= gamma[other]
            E = np.add.reduceat(strength, starts)
            W = np.bincount(column[won], minlength=features + 1)
            C = np.bincount(column, strength / gamma[column] / E[contest], features + 1)
            present = np.unique(column[column < features])
            virtual = 2 * prior / (gamma[present] + 1)
            gamma[present] = (W[present] + prior) / (C[present] + virtual)
    return gamma[:features]


def _by_group(rows: Array, features: int, groups: Sequence[int]) -> list[Array]:
    """One column per group: each competitor's feature of that group, or `features` for none."""
    bounds = [*groups, features]
    columns = []
    for low, high in pairwise(bounds):
        inside = (rows >= low) & (rows < high)
        columns.append(np.where(inside, rows, features).min(axis=1).astype(np.int64))
    return columns


def install(path: Path) -> None:
    """Make these the weights that ``zermelo.load("go")`` uses."""
    install_weights(path, WEIGHTS)
