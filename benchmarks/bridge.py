"""Bridge: compare the double-dummy solver with DDS (endplay), and play over sampled deals (as GIB).

python benchmarks/bridge.py                    deals per second, zermelo and DDS in turn
python benchmarks/bridge.py --play 100 --record play.jsonl     declarer with 1, 10, 100 samples
    against perfect defence; resumes from the record
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import common
from common import Row

import zermelo
from zermelo.games.bridge import Bridge, bid, double_dummy, random_deal, single_dummy
from zermelo.games.bridge.notation import format_deal

ROUNDS = 3
TABLES = 10  # deals per round
SIZES = ((13, 12), (10, 60), (8, 150), (6, 300), (4, 500))  # cards per hand, deals per round
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
    """Seconds, and the tricks of the leader in each deal."""
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
    """The same with DDS (one thread), with the value of every card."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    denoms = dict(zip(TRUMPS, (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt),
                      strict=True))  # fmt: skip
    seats = {"N": Player.north, "E": Player.east, "S": Player.south, "W": Player.west}
    deals = [Deal(deal, first=seats[lead], trump=denoms[t]) for deal, t, lead in asked]
    return clocked(lambda: [float(max(n for _, n in solve_board(d))) for d in deals])


def row(name: str, count: int, mine: list[float], peer: list[float]) -> Row:
    """Convert the seconds of each round to deals per second and ratios."""
    each = [b / a for a, b in zip(mine, peer, strict=True)]
    return Row(name, ROUNDS * count / sum(mine), ROUNDS * count / sum(peer), "deals/s",
               statistics.median(each), max(each), sum(peer) / sum(mine), "", None,
               f"{ROUNDS * count} random deals; median round, best, all together")  # fmt: skip


def whole_tables(count: int, seed: int) -> tuple[float, float]:
    """Seconds for all 20 contracts of random deals, zermelo and DDS."""
    from endplay.dds import calc_dd_table
    from endplay.types import Deal, Denom, Player

    mine = peer = 0.0
    rng = random.Random(f"tables {seed}")
    for _ in range(count):
        text = format_deal(random_deal(rng.getrandbits(50)))
        deal = Deal(text)
        a, table = clocked(lambda text=text: double_dummy(text))
        b, other = clocked(lambda deal=deal: calc_dd_table(deal))
        for trump, seat in table:
            assert table[trump, seat] == other[Denom.find(trump), Player.find(seat)]
        mine, peer = mine + a, peer + b
    return mine, peer


def measure() -> list[Row]:
    """Deals per second in turn with DDS: all 20 contracts, and one with all cards valued."""
    try:
        import endplay  # noqa: F401
    except ImportError:
        return [common.skipped("bridge, double dummy", "pip install endplay")]
    each = [whole_tables(TABLES, seed) for seed in range(ROUNDS)]
    rows = [row("bridge, all 20 contracts", TABLES, [a for a, _ in each], [b for _, b in each])]
    for cards, count in SIZES:
        mine, peer = [], []
        for seed in range(ROUNDS):
            asked = questions(cards, count, seed)
            a, b = ours(asked), theirs(asked)
            assert a[1] == b[1], "DDS disagrees"
            mine.append(a[0])
            peer.append(b[0])
        rows.append(row(f"bridge, {cards} cards per hand, all cards valued", count, mine, peer))
    return rows


def play_out(
    game: Bridge, s: Any, samples: int, constraints: Any, rng: random.Random, after: int
) -> float:
    """Play declarer over sampled deals (0: double dummy); the defenders see all cards."""
    while not game.is_terminal(s):
        if game.player(s) == 0 and samples and game.play_of(s).tricks >= after:
            card = single_dummy(
                game, s, samples, constraints=constraints, seed=rng.getrandbits(40)
            ).card
        else:
            values = game.values(s)
            card = (max if game.player(s) == 0 else min)(values, key=lambda a: values[a])
        s = game.result(s, card)
    return game.utility(s, 0)


def played(game: Any, number: int, samples: list[int], after: int) -> dict[str, float] | None:
    """Declarer's tricks in a random deal by number of samples; None: all passed."""
    hands = random_deal(number)
    auction = bid(hands, (number + 1) % 4)
    if not auction.level:
        return None
    s = game.parse_state(f"{format_deal(hands)} {auction.contract[1:]}")
    return {
        str(n): play_out(game, s, n, auction.constraints, random.Random(f"{number} {n}"), after)
        for n in [0, *samples]
    }


def table_of_play(
    deals: int, samples: list[int], seed: int, after: int, record: Path | None
) -> None:
    """Mean tricks by number of samples, compared with double dummy; resumes from `record`."""
    game: Any = zermelo.load("bridge")
    lines = record.read_text().splitlines() if record and record.exists() else []
    known: dict[int, Any] = dict(map(json.loads, lines))
    taken: dict[int, list[float]] = {n: [] for n in [0, *samples]}
    number = seed
    while len(taken[0]) < deals:
        if number not in known:
            known[number] = played(game, number, samples, after)
            if record:
                with record.open("a") as out:
                    out.write(json.dumps([number, known[number]]) + "\n")
        if known[number]:
            for n in taken:
                taken[n].append(known[number][str(n)])
        number += 1
    print(f"{deals} deals, contracts by the simple bidding, defenders who see all cards"
          + (f", declarer too in the first {after} tricks" if after else ""))  # fmt: skip
    for n, tricks in taken.items():
        lost = [a - b for a, b in zip(taken[0], tricks, strict=True)]
        error = statistics.stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
        name = f"{n} sampled deals" if n else "double dummy"
        print(f"{name:18} {statistics.mean(tricks):6.2f} tricks, "
              f"{statistics.mean(lost):.2f} ± {error:.2f} fewer than double dummy")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--play", type=int, default=0, metavar="DEALS", help="play this many deals")
    parser.add_argument("--samples", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=int, default=0, metavar="TRICKS",
                        help="with --play: first tricks double dummy (faster)")  # fmt: skip
    parser.add_argument(
        "--record", type=Path, help="with --play: one line per deal; resumes from this file"
    )
    arguments = parser.parse_args()
    if arguments.play:
        table_of_play(
            arguments.play, arguments.samples, arguments.seed, arguments.after, arguments.record
        )
    else:
        common.show(measure(), arguments.json)


if __name__ == "__main__":
    main()
