"""Count the shots that several shooters need to sink a random fleet, with error bars.

The board is 10 by 10 and the ships are 5 4 3 3 2. All layouts without overlaps are equally likely;
ships may touch. A shot returns "miss", "hit" or "sunk" with the name of the ship. All shooters play
against the same fleets. The difference to the density map is computed fleet by fleet.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time

from zermelo import _core

SHOOTERS = {
    "random": "random cell",
    "hunt": "random cell, then around hits (hunt and target)",
    "parity": "the same, hunting on one colour (parity)",
    "density": "density map: counts placements per ship",
    "fleets": "zermelo: all consistent fleets and the value of the hunt",
}
TARGET = 44.0
PART = 1000  # games per call, so that Ctrl-C is noticed
SEEDS = 1 << 32


def shots_of(shooter: str, games: int, seed: int, size: int, fleet: list[int]) -> list[int]:
    """The shots of every game, in parts with different seeds."""
    found: list[int] = []
    while len(found) < games:
        part = min(PART, games - len(found))
        number = seed * SEEDS + len(found) // PART
        found += _core.battleships_trial(size, fleet, shooter, part, number)
        print(f"\r{shooter} {len(found)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


def mean_of(values: list[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval."""
    mean = sum(values) / len(values)
    spread = sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(spread / len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--fleet", default="5,4,3,3,2")
    parser.add_argument("--only", help="only this shooter: " + ", ".join(SHOOTERS))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    fleet = [int(n) for n in given.fleet.split(",")]
    rows, density = [], None
    for name, what in SHOOTERS.items():
        if given.only not in (None, name):
            continue
        start = time.process_time()
        shots = shots_of(name, given.games, given.seed, given.size, fleet)
        mean, error = mean_of([float(n) for n in shots])
        row = {"shooter": name, "what": what, "games": len(shots), "mean": mean, "error": error,
               "median": sorted(shots)[len(shots) // 2], "most": max(shots),
               "seconds": time.process_time() - start}  # fmt: skip
        if name == "density":
            density = shots
        if name == "fleets" and density is not None:
            less, doubt = mean_of([float(a - b) for a, b in zip(density, shots, strict=True)])
            row |= {"less_than_density": less, "less_error": doubt}
        rows.append(row)
    if given.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'shooter':<9}{'shots':>8}{'95 %':>8}{'median':>8}{'max':>6}{'s':>8}  how")
    for r in rows:
        print(f"{r['shooter']:<9}{r['mean']:>8.2f}{'±':>3}{r['error']:>5.2f}{r['median']:>8}"
              f"{r['most']:>6}{r['seconds']:>8.1f}  {r['what']}")  # fmt: skip
        if "less_than_density" in r:
            print(
                f"fewer than the density map: {r['less_than_density']:.2f} ± {r['less_error']:.2f}"
            )
        if r["shooter"] == "fleets" and (given.size, given.fleet) == (10, "5,4,3,3,2"):
            met = "met" if r["mean"] + r["error"] < TARGET else "NOT met"
            print(f"target: under {TARGET:g}, {met} ({given.games} games)")


if __name__ == "__main__":
    main()
