"""Bridge: the double-dummy solver beside DDS (endplay), and play by sampled deals, GIB's way.

python benchmarks/bridge.py                    deals solved a second, ours and DDS's, in turn
python benchmarks/bridge.py --play 20          declarer by 1, 10, 100 deals against perfect defence
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import common
from common import Row

import zermelo
from zermelo.games.bridge import Bridge, bid, random_deal, single_dummy
from zermelo.games.bridge.notation import format_deal

ROUNDS = 3
SIZES = ((13, 12), (10, 60), (8, 150), (6, 300), (4, 500))  # cards a hand, deals a round
TRUMPS = ("S", "H", "D", "C", "NT")


def questions(cards: int, count: int, seed: int) -> list[tuple[str, str, str]]:
    """Random deals, trumps and leaders."""
    rng = random.Random(f"{cards} {seed}")
    deals = [format_deal(random_deal(rng.getrandbits(50), cards)) for _ in range(count)]
    return [(deal, rng.choice(TRUMPS), rng.choice("NESW")) for deal in deals]


def clocked(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = run()
    return time.process_time() - start, found


def ours(asked: list[tuple[str, str, str]]) -> tuple[float, list[float]]:
    """Seconds, and the tricks of each deal's leader."""
    game: Any = zermelo.load("bridge")
    before = {"N": "W", "E": "N", "S": "E", "W": "S"}
    states = [game.parse_state(f"{deal} {t} by {before[lead]}") for deal, t, lead in asked]

    def run() -> list[float]:
        found = []
        for s in states:
            cards = game.play_of(s).cards
            found.append(cards - min(value for _, value in game.handle.values(s.data)))
        return found

    return clocked(run)


def theirs(asked: list[tuple[str, str, str]]) -> tuple[float, list[float]]:
    """The same of DDS, one thread: every card's value too."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    denoms = dict(zip(TRUMPS, (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt),
                      strict=True))  # fmt: skip
    seats = {"N": Player.north, "E": Player.east, "S": Player.south, "W": Player.west}
    deals = [Deal(deal, first=seats[lead], trump=denoms[t]) for deal, t, lead in asked]
    return clocked(lambda: [float(max(n for _, n in solve_board(d))) for d in deals])


def measure() -> list[Row]:
    """Deals a second, every card of the leader valued, in turn with DDS."""
    try:
        import endplay  # noqa: F401
    except ImportError:
        return [common.skipped("bridge, double dummy", "pip install endplay")]
    rows = []
    for cards, count in SIZES:
        mine, peer = [], []
        for seed in range(ROUNDS):
            asked = questions(cards, count, seed)
            a, b = ours(asked), theirs(asked)
            assert a[1] == b[1], "DDS says otherwise"
            mine.append(a[0])
            peer.append(b[0])
        each = [b / a for a, b in zip(mine, peer, strict=True)]
        rows.append(
            Row(f"bridge, {cards} cards a hand, all cards valued", ROUNDS * count / sum(mine),
                ROUNDS * count / sum(peer), "deals/s", statistics.median(each),
                max(each), sum(peer) / sum(mine), "", None,
                f"{ROUNDS * count} random deals; ratio: median round, best round, all together")
        )  # fmt: skip
    return rows


def play_out(game: Bridge, s: Any, samples: int, told: Any, rng: random.Random) -> float:
    """Declarer by sampled deals, or double dummy with 0; the defenders see all."""
    while not game.is_terminal(s):
        if game.player(s) == 0 and samples:
            card = single_dummy(game, s, samples, told=told, seed=rng.getrandbits(40)).card
        else:
            values = game.values(s)
            card = (max if game.player(s) == 0 else min)(values, key=lambda a: values[a])
        s = game.result(s, card)
    return game.utility(s, 0)


def table_of_play(deals: int, samples: list[int], seed: int) -> None:
    """Mean tricks by number of sampled deals, beside double dummy."""
    game: Any = zermelo.load("bridge")
    taken: dict[int, list[float]] = {n: [] for n in [0, *samples]}
    number = seed
    while len(taken[0]) < deals:
        hands = random_deal(number)
        number += 1
        auction = bid(hands, number % 4)
        if not auction.level:
            continue
        s = game.parse_state(f"{format_deal(hands)} {auction.contract[1:]}")
        for n in taken:
            taken[n].append(play_out(game, s, n, auction.told, random.Random(number)))
    print(f"{deals} deals, contracts by the simple bidding, defenders who see all cards")
    for n, tricks in taken.items():
        lost = [a - b for a, b in zip(taken[0], tricks, strict=True)]
        error = statistics.stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
        name = f"{n} sampled deals" if n else "double dummy"
        print(f"{name:18} {statistics.mean(tricks):6.2f} tricks, "
              f"{statistics.mean(lost):.2f} ± {error:.2f} fewer than double dummy")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--play", type=int, default=0, metavar="DEALS", help="play so many deals")
    parser.add_argument("--samples", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.play:
        table_of_play(arguments.play, arguments.samples, arguments.seed)
    else:
        common.show(measure(), arguments.json)


if __name__ == "__main__":
    main()
