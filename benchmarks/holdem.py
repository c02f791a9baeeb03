"""Hold'em: the speed of the hand evaluator, and the winnings of a policy with error bars.

All 133,784,560 hands of seven cards are ranked and counted; other evaluators (phevaluator, eval7,
treys) rank some hands in the same run. Policies play on sampled boards. On each board all hands
play against each other, from both seats and with the exact action probabilities, so only the boards
are random. A local best response knows the policy and takes the action that is best if all further
actions are calls: its winnings are a lower bound of the exploitability. Winnings are in thousandths
of a big blind (mbb) per hand.

    zermelo train holdem --dir run --time 600
    python benchmarks/holdem.py --folder run
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo import _core
from zermelo.games.holdem.notation import CARDS, CATEGORIES
from zermelo.games.holdem.policy import WEIGHTS, read
from zermelo.learn.holdem import bots

HANDS = 133_784_560
SAMPLE = 20_000  # hands ranked by the other evaluators


def evaluators() -> dict[str, Callable[[list[list[int]]], Any]]:
    """The installed evaluators of other projects, by name."""
    found: dict[str, Callable[[list[list[int]]], Any]] = {}
    for name in ("phevaluator", "eval7", "treys"):
        try:
            other: Any = importlib.import_module(name)
        except ImportError:
            continue
        if name == "phevaluator":
            found[name] = lambda hands, f=other.evaluate_cards: [f(*h) for h in hands]
        elif name == "eval7":
            cards = [other.Card(c) for c in CARDS]
            found[name] = lambda hands, c=cards, f=other.evaluate: [
                f([c[i] for i in h]) for h in hands
            ]
        else:
            numbers = [other.Card.new(c) for c in CARDS]
            judge = other.Evaluator()
            found[name] = lambda hands, c=numbers, j=judge: [
                j.evaluate([c[i] for i in h[:2]], [c[i] for i in h[2:]]) for h in hands
            ]
    return found


def spent(run: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds and the result."""
    start = time.process_time()
    result = run()
    return time.process_time() - start, result


def hands_report() -> dict[str, Any]:
    rng = random.Random(1)
    sample = [rng.sample(range(52), 7) for _ in range(SAMPLE)]
    seconds, counts = spent(_core.holdem_counts)
    rate = HANDS / seconds
    flat = bytes(c for hand in sample for c in hand)
    called, _ = spent(lambda: _core.holdem_ranks(flat))
    peers = {}
    for name, run in evaluators().items():
        took, _ = spent(lambda run=run: run(sample))
        peers[name] = {
            "hands_a_second": SAMPLE / took,
            "ratio": rate * took / SAMPLE,
            "ratio_from_python": took / called,
        }
    return {
        "counts": dict(zip(CATEGORIES, counts, strict=True)),
        "hands": sum(counts), "seconds": seconds, "hands_a_second": rate, "peers": peers,
    }  # fmt: skip


def mean_of(values: list[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval."""
    mean = sum(values) / len(values)
    spread = sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(spread / len(values))


def matches(folder: Path | None, boards: int, seed: int) -> list[dict[str, Any]]:
    """The last policy of a run, or the installed one, against simple players and earlier ones."""
    last = read(WEIGHTS if folder is None else folder / "last.policy")
    others = dict(bots(last))
    if folder is not None:
        for path in sorted(folder.glob("iterations-*.policy")):
            policy = read(path)
            others[f"after {policy.iterations:,} iterations"] = policy
    mean, error = mean_of(last.native.local_reply(boards, seed))
    rows = [{"against": "a local best response", "won": -mean, "error": error, "boards": boards}]
    for name, other in others.items():
        mean, error = mean_of(last.native.meet(other.native, boards, seed))
        rows.append({"against": name, "won": mean, "error": error, "boards": boards})
        print(f"\r{name}", file=sys.stderr)
    rows[0]["iterations"] = last.iterations
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", type=Path, help="folder of zermelo train holdem; default: the installed policy"
    )
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("hands", "matches"))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    if given.only != "matches":
        found["hands"] = hands_report()
    if given.only != "hands":
        found["matches"] = matches(given.folder, given.boards, given.seed)
    if given.json:
        print(json.dumps(found, indent=1))
        return
    if hands := found.get("hands"):
        for name, count in hands["counts"].items():
            print(f"{name:<18}{count:>14,}")
        print(
            f"{'all':<18}{hands['hands']:>14,}   {hands['hands_a_second'] / 1e6:.0f} M per second"
        )
        for name, row in hands["peers"].items():
            print(f"{name}: {row['hands_a_second'] / 1e6:.2f} M/s, ratio {row['ratio']:.0f}"
                  f", from Python {row['ratio_from_python']:.0f}")  # fmt: skip
    for row in found.get("matches", []):
        if "iterations" in row:
            print(f"\nthe policy of {row['iterations']:,} iterations wins, in mbb per hand")
        print(f"{row['against']:<26}{row['won']:>9.1f} +- {row['error']:.1f}")


if __name__ == "__main__":
    main()
