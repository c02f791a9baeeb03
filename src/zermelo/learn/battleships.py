"""Battleships: the value of a hunt, learned from play; prints core/games/battleships/worth.hpp.

A round plays games with the weights of the round before (the first one with the net), and fits the
misses that were still to come by ridge regression, one for each set of ships afloat. From the
second round on the luck of answers is taken off first, which reduces the variance; later rounds
learn from the games of two rounds.

    python -m zermelo.learn.battleships > core/games/battleships/worth.hpp
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core

Array = npt.NDArray[Any]

SHIPS = 5
LESSON = np.dtype(
    [
        ("game", "<f4"),
        ("afloat", "<f4"),
        ("known", "<f4", 2 * SHIPS),
        ("misses", "<f4"),
        ("ship", "<f4"),
        ("after", "<f4", 2 * SHIPS),
        ("luck", "<f4"),
    ]
)
ROW = 1 + 3 * SHIPS
CHASE = 1 + 2 * SHIPS  # where the costs of chasing begin
RIDGE = 10.0  # in examples, for terms of one unit
FEW = 50.0  # hits of one set of ships that weigh as much as the prior from all sets
PART = 500  # games per call, so that Ctrl-C works
SEEDS = 1 << 32


def _first_of_equals(afloat: int, fleet: list[int]) -> int:
    """Normalize a set of ships: of ships with equal length, the first ones count as afloat."""
    found = 0
    for length in set(fleet):
        alike = [i for i, n in enumerate(fleet) if n == length]
        many = sum(afloat >> i & 1 for i in alike)
        found |= sum(1 << i for i in alike[:many])
    return found


def value(worth: Array, afloat: Array, known: Array) -> Array:
    """Examples: the number of misses still to come in many hunts."""
    rows = worth[afloat]
    sums: Array = rows[:, 0] + (rows[:, 1:CHASE] * known).sum(1)
    return np.where(afloat > 0, sums, 0.0)


def ridge(terms: Array, wanted: Array) -> Array:
    """A constant (not regularized) and a weight per term; constant terms get 0."""
    mean, spread = terms.mean(0), terms.std(0)
    used = spread > 1e-6
    scaled = (terms[:, used] - mean[used]) / spread[used]
    square = scaled.T @ scaled + RIDGE * np.eye(int(used.sum()))
    weights = np.zeros(1 + terms.shape[1])
    middle = wanted.mean()
    weights[1:][used] = np.linalg.solve(square, scaled.T @ (wanted - middle)) / spread[used]
    weights[0] = middle - mean @ weights[1:]
    return weights


def _chases(worth: Array, lessons: Array, fleet: list[int]) -> None:
    """The cost of chasing a ship that was hit, in addition to the hunt for the others."""
    same = np.array([_first_of_equals(m, fleet) for m in range(1 << SHIPS)])
    afloat, ship = lessons["afloat"].astype(int), lessons["ship"].astype(int)
    begin = value(worth, afloat, lessons["known"])
    goes_on = np.append(lessons["game"][1:] == lessons["game"][:-1], False)
    later = np.where(goes_on, np.roll(lessons["misses"], -1), 0.0)
    hunt = np.where(goes_on, np.roll(begin, -1), 0.0)
    hit = ship >= 0
    rest = same[np.where(hit, afloat & ~(1 << np.maximum(ship, 0)), 0)]
    missed = lessons["misses"] - later + lessons["luck"]
    cost = missed + hunt - value(worth, rest, lessons["after"])
    for k in range(len(fleet)):
        of_all = cost[ship == k].mean() if (ship == k).any() else 0.0
        for m in range(1 << SHIPS):
            of_these = cost[(ship == k) & (afloat == m)]
            worth[m, CHASE + k] = (of_these.sum() + FEW * of_all) / (len(of_these) + FEW)


def fit(lessons: Array, last: Array, fleet: list[int]) -> Array:
    """The weights; those of chasing come from the last round only."""
    worth = np.zeros((1 << SHIPS, ROW))
    afloat = lessons["afloat"].astype(int)
    for m in np.unique(afloat):
        these = lessons[afloat == m]
        terms = these["known"].astype(float)
        worth[m, :CHASE] = ridge(terms, these["misses"].astype(float))
    _chases(worth, last, fleet)
    return worth


def play(size: int, fleet: list[int], worth: Array, games: int, seed: int) -> Array:
    """The examples of a number of games, on all processors."""
    weights = [float(w) for w in worth.ravel()]

    def some(part: int) -> Array:
        many = min(PART, games - part)
        data = _core.battleships_lessons(size, fleet, weights, many, seed * SEEDS + part)
        lessons = np.frombuffer(data, LESSON).copy()
        lessons["game"] += part
        return lessons

    found = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for lessons in pool.map(some, range(0, games, PART)):
                found.append(lessons)
                print(f"\r{min(PART * len(found), games)} games", end="", file=sys.stderr)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    print(file=sys.stderr)
    return np.concatenate(found)


def header(worth: Array, fleet: list[int]) -> str:
    """The weights as C++."""
    rows = []
    for m, row in enumerate(worth):
        numbers = ", ".join(f"{w:.5g}f" if "." in f"{w:.5g}" else f"{w:.5g}.0f" for w in row)
        rows.append(f"    {{{numbers}}},  // {m:05b}")
    table = "\n".join(rows)
    lengths = ", ".join(map(str, fleet))
    return f"""\
// The weights of a hunt's value for the 10 by 10 grid and these ships, fitted by
// zermelo.learn.battleships.
#pragma once

#include "hunt.hpp"

namespace zermelo::battleships {{

inline constexpr int kWorthFleet[] = {{{lengths}}};

// clang-format off
inline constexpr Worth kWorth = {{{{
{table}
}}}};
// clang-format on

}}  // namespace zermelo::battleships
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", default="40000,20000,24000", help="Games per round.")
    parser.add_argument("--seed", type=int, default=1000)
    given = parser.parse_args()
    size, fleet = 10, [5, 4, 3, 3, 2]
    worth: Array = np.zeros((0,))
    before: Array | None = None
    for number, games in enumerate(map(int, given.games.split(","))):
        lessons = play(size, fleet, worth, games, given.seed + number)
        pooled = lessons if number < 2 or before is None else np.concatenate([before, lessons])
        worth = fit(pooled, lessons, fleet)
        error = lessons["misses"] - value(worth, lessons["afloat"].astype(int), lessons["known"])
        print(f"round {number}: {len(lessons)} lessons, error {error.std():.3f}", file=sys.stderr)
        before = lessons
    print(header(worth, fleet), end="")


if __name__ == "__main__":
    main()
