"""Weights of Go's move features and patterns, learned from self-play.

A round plays games with the weights of the round before: some random moves, then MCTS with a fixed
number of simulations. Every searched position is a competition between the legal moves. Each move
wins the share of visits that the search gave it. The strength of a move is the product of the
weights of its features (generalized Bradley-Terry model). Minorization-maximization finds the
weights of maximum likelihood (Coulom, "Computing Elo ratings of move patterns in the game of Go",
2007).

Patterns larger than 3x3 are collected from the games: those that occur often enough become
features. Playouts look at fewer features, so their weights are fitted separately.

A run directory has one file per batch of games and per round, so an interrupted run resumes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import UsageError
from ..games.go import Go
from ..games.go.weights import SHAPE, WEIGHTS, pack, unpack
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
Groups = Sequence[tuple[int, int]]

PATTERNS = "patterns"  # the algorithm of `zermelo train go`
BATCH = 10  # games per file
ITERATIONS = 30  # of minorization-maximization
PRIOR = 1.0  # virtual wins and losses of every feature against a move of strength 1
OPENING = 6  # random moves at the start, at most
LEAST = 0.05  # a move with a smaller share of the most visited move's visits wins nothing
REPLAY = 2  # rounds whose games are fitted
COMMON, WINS = 20, 1.0  # a larger pattern becomes a feature if it occurs and wins so often,
FREQUENT = 100  # or if it occurs so often
TERMINAL = -2  # to_move of the core at the end of a game


@dataclass
class Plan:
    """The settings of a run."""

    folder: Path
    spec: str = "go"
    rounds: int = 3
    games: int = 200  # per round
    simulations: int = 600  # per move
    seed: int = 1
    workers: int = 1


def train(plan: Plan) -> Path:
    """Play and fit all rounds.

    Returns:
        The file of the last round's weights.
    """
    game = load(plan.spec)
    if not isinstance(game, Go):
        raise UsageError(f"{plan.spec!r} has no move features", "train go or go:size=N")
    open_run(plan.folder, name_of(plan), plan.seed)
    path = plan.folder / "none"
    current = b""  # the first round plays with the weights by rule of thumb

    def train_round(number: int) -> bytes:
        play_round(plan, number, current)
        replayed = range(max(1, number - REPLAY + 1), number + 1)
        files = [f for n in replayed for f in batch_files(plan.folder, n, plan.games, BATCH)]
        return fit(competitions(files))

    for number, path in finish_rounds(plan.folder, plan.rounds, train_round):
        current = unpack(path.read_bytes())
        log(f"round {number}: {path} ({path.stat().st_size / 1e3:.0f} kB)")
    return path


def name_of(plan: Plan) -> str:
    return f"patterns of {plan.spec}"


# -- play --------------------------------------------------------------------------------------
def play_round(plan: Plan, number: int, weights: bytes) -> None:
    """Play the games of a round that are not saved yet."""
    files = batch_files(plan.folder, number, plan.games, BATCH)
    due = [b for b, path in enumerate(files) if not path.exists()]
    start = time.monotonic()
    for done, b in enumerate(_played(plan, number, weights, due), 1):
        left = (time.monotonic() - start) / done * (len(due) - done)
        log(f"round {number}: batch {b + 1} of {len(files)} done, {left:.0f} s left")


def _played(plan: Plan, number: int, weights: bytes, due: Sequence[int]) -> Iterator[int]:
    """Play batches, in processes if the plan asks for several; yields each number when saved."""
    if plan.workers == 1:
        for b in due:
            yield play_batch(plan, number, b, weights)
        return
    with ProcessPoolExecutor(plan.workers, get_context("spawn")) as pool:
        jobs = [pool.submit(play_batch, plan, number, b, weights) for b in due]
        try:
            for job in as_completed(jobs):
                yield job.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def play_batch(plan: Plan, number: int, b: int, weights: bytes) -> int:
    """Play and save one batch; its games depend only on the arguments."""
    rng = random.Random(f"{plan.seed} {number} {b}")
    games = min(BATCH, plan.games - b * BATCH)
    specs = mixed_sizes(b)[-games:] if plan.spec == "go" else [plan.spec] * games
    played = []
    for spec in specs:
        game: Any = load(spec)
        game.use_weights(weights)
        played.append((game.size, *play_game(game, plan.simulations, rng)))
    save_arrays(
        batch_files(plan.folder, number, plan.games, BATCH)[b], plan.seed, compress=True,
        name=np.array(name_of(plan)),
        specs=np.array(specs),
        openings=np.array([opening for _, opening, _, _ in played], np.int32),
        lengths=np.array([len(moves) for _, _, moves, _ in played], np.int32),
        moves=np.concatenate([moves for _, _, moves, _ in played]).astype(np.int32),
        visits=np.concatenate([v for *_, visits in played for v in visits]).astype(np.uint32),
    )  # fmt: skip
    return b


def mixed_sizes(b: int) -> list[str]:
    """Boards of a batch of `go`: mostly 9x9, some larger ones, whose games take longer."""
    large = "go:size=19" if b % 3 == 0 else "go"
    return [large, "go:size=13", "go:size=13", *["go"] * (BATCH - 3)]


def play_game(game: Any, simulations: int, rng: random.Random) -> tuple[int, Array, list[Array]]:
    """Play one game.

    Returns:
        The number of random moves at the start, all moves as numbers, and for each searched
        position the visits of its legal moves.
    """
    s = game.initial()
    moves: list[int] = []
    visits: list[Array] = []
    opening = rng.randint(0, OPENING)
    while game.handle.to_move(game.data(s)) != TERMINAL:
        if len(moves) < opening:
            action = rng.choice(game.actions(s)[:-1])
        else:
            result = search(game, s, "mcts", simulations=simulations, seed=rng.getrandbits(31))
            action = result.action
            seen = {m.action: m.visits for m in result.moves}
            visits.append(np.array([seen.get(a, 0) for a in game.actions(s)]))
        moves.append(game.encode_action(0, action))
        s = game.result(s, action)
    return min(opening, len(moves)), np.array(moves), visits


# -- competitions ------------------------------------------------------------------------------
@dataclass
class Competitions:
    """Searched positions with their legal moves, one row per move."""

    features: Array  # of every move, filled up with _core.go_features
    shapes: Array  # hashes of the larger patterns, one column per level
    sizes: Array  # moves of each position
    shares: Array  # of the visits


def competitions(files: Sequence[Path]) -> Competitions:
    """Replay saved games and collect the features of all moves."""
    features, shapes, sizes, shares = [], [], [], []
    for path in files:
        arrays = load_arrays(path, "specs", "openings", "lengths", "moves", "visits")
        for game, s, visits in _searched(*arrays):
            data = game.data(s)
            raw = np.frombuffer(game.native.features(data), np.uint16)
            features.append(raw.reshape(-1, _core.go_features_each))
            hashes = np.frombuffer(game.native.shapes(data), np.uint64)
            shapes.append(hashes.reshape(-1, _core.go_shape_levels))
            sizes.append(len(visits))
            share = np.where(visits < LEAST * visits.max(), 0, visits).astype(float)
            shares.append(share / share.sum())
    return Competitions(
        np.concatenate(features), np.concatenate(shapes), np.array(sizes), np.concatenate(shares)
    )


def _searched(
    specs: Array, openings: Array, lengths: Array, moves: Array, visits: Array
) -> Iterator[tuple[Any, Any, Array]]:
    """The searched positions of a file: game, state and the visits of the legal moves."""
    move = row = 0
    for spec, opening, length in zip(specs, openings, lengths, strict=True):
        game: Any = load(str(spec))
        s = game.initial()
        for ply in range(length):
            legal = game.actions(s)
            if ply >= opening:
                found = visits[row : row + len(legal)]
                row += len(legal)
                if found.any():
                    yield game, s, found
            s = game.result(s, game.decode_action(0, int(moves[move])))
            move += 1


# -- the fit -----------------------------------------------------------------------------------
def fit(data: Competitions) -> bytes:
    """Fit the weights of features and larger patterns; returns them as a file."""
    count = _core.go_features
    groups = _bounds(_core.go_feature_groups, count)
    columns = _by_group(data.features, count, groups)
    kept, numbers = frequent_shapes(data)
    levels = [np.where(column < 0, count, count + 1 + column) for column in numbers.T]
    # The weight of "no feature" is number `count`.
    gamma = minorize_maximize(
        [*columns, *levels], data.sizes, data.shares, count + 1 + len(kept), none=count
    )
    looked_at = [columns[groups.index(g)] for g in groups if g[0] in _core.go_playout_groups]
    playout = minorize_maximize(looked_at, data.sizes, data.shares, count + 1, none=count)
    shapes = np.empty(len(kept), SHAPE)
    shapes["hash"], shapes["weight"] = kept, gamma[count + 1 :]
    return pack(gamma[:count], playout[:count], shapes)


def frequent_shapes(data: Competitions) -> tuple[Array, Array]:
    """The larger patterns that become features, and the place of every move's patterns among them.

    A pattern that is kept contains only patterns that are kept, because they occur as often.

    Returns:
        The hashes, and the places, one column per level; -1: not kept.
    """
    kept: list[Array] = []
    columns = []
    for level in range(data.shapes.shape[1]):
        hashes, place = np.unique(data.shapes[:, level], return_inverse=True)
        occurs = np.bincount(place)
        wins = np.bincount(place, data.shares)
        good = (occurs >= COMMON) & (wins >= WINS) | (occurs >= FREQUENT)
        good &= hashes != _core.go_no_shape  # a pass
        first = sum(map(len, kept))
        columns.append(np.where(good, first + np.cumsum(good) - 1, -1)[place])
        kept.append(hashes[good])
    return np.concatenate(kept), np.stack(columns, axis=1)


def minorize_maximize(
    columns: Sequence[Array],
    sizes: Array,
    shares: Array,
    features: int,
    *,
    none: int,
    prior: float = PRIOR,
    iterations: int = ITERATIONS,
) -> Array:
    """Find the weights of maximum likelihood of a generalized Bradley-Terry model.

    Args:
        columns: One array per group of features: the feature of every competitor, or `none`. A
            feature belongs to one group.
        sizes: The number of competitors of each competition, in their order.
        shares: What each competitor wins of its competition.
        features: The number of features, `none` included.
        none: Stands for "no feature of this group"; its weight is 1.
        prior: Virtual wins and losses of every feature against a competitor of strength 1.
        iterations: Passes over all groups.

    Returns:
        One weight per feature, called gamma in the paper.
    """
    gamma = np.ones(features)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    contest = np.repeat(np.arange(len(sizes)), sizes)
    groups = []
    for column in columns:
        present = np.unique(column)
        groups.append((column, present[present != none], np.bincount(column, shares, features)))
    strength = np.ones(len(contest))
    for _ in range(iterations):
        for column, present, wins in groups:
            rest = strength / gamma[column]  # of the competitor's partners in the paper's terms
            total = np.add.reduceat(strength, starts)
            weight = np.bincount(column, rest / total[contest], features)
            virtual = 2 * prior / (gamma[present] + 1)
            gamma[present] = (wins[present] + prior) / (weight[present] + virtual)
            strength = rest * gamma[column]
    return gamma


def _bounds(firsts: Sequence[int], features: int) -> list[tuple[int, int]]:
    return list(zip(firsts, [*firsts[1:], features], strict=True))


def _by_group(rows: Array, none: int, groups: Groups) -> list[Array]:
    """One column per group: each move's feature of that group, or `none`."""
    columns = []
    for low, high in groups:
        inside = (rows >= low) & (rows < high)
        columns.append(np.where(inside, rows, none).min(axis=1).astype(np.int64))
    return columns


def install(path: Path) -> None:
    """Make these the weights that ``zermelo.load("go")`` uses."""
    install_weights(path, WEIGHTS)
