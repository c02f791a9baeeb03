"""Bridge: compare the answers of the double-dummy solver and DDS (endplay) on random full deals.

python benchmarks/bridge_check.py --record check.jsonl     resumes from the record

Each deal: one random contract, the value of each card of the hand on lead. Every 20th deal: also
all 20 contracts. Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import zermelo
from zermelo.games.bridge import double_dummy, random_deal
from zermelo.games.bridge.notation import format_deal

TRUMPS = ("S", "H", "D", "C", "NT")
SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
BEFORE = {"N": "W", "E": "N", "S": "E", "W": "S"}
TABLES = 20  # all 20 contracts for every 20th deal


def cards_agree(game: Any, deal: str, trump: str, lead: str) -> bool:
    """Compare every lead of one contract, in tricks of declarer's side."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    s = game.parse_state(f"{deal} {trump} by {BEFORE[lead]}")
    theirs = {
        SIGNS[str(card)[0]] + str(card)[1:].replace("10", "T"): 13.0 - tricks
        for card, tricks in solve_board(
            Deal(deal, first=Player.find(lead), trump=Denom.find(trump))
        )
    }
    return bool(game.values(s) == theirs)


def tables_agree(deal: str) -> bool:
    """Compare all 20 contracts."""
    from endplay.dds import calc_dd_table
    from endplay.types import Deal, Denom, Player

    ours, theirs = double_dummy(deal), calc_dd_table(Deal(deal))
    return all(
        ours[trump, seat] == theirs[Denom.find(trump), Player.find(seat)]
        for trump in TRUMPS
        for seat in "NESW"
    )


def check(number: int) -> dict[str, Any]:
    """Check one deal; returns a line of the record."""
    rng = random.Random(number)
    deal = format_deal(random_deal(number))
    trump, lead = rng.choice(TRUMPS), rng.choice("NESW")
    found: dict[str, Any] = {"deal": number, "trump": trump, "lead": lead}
    found["cards"] = cards_agree(zermelo.load("bridge"), deal, trump, lead)
    if number % TABLES == 0:
        found["table"] = tables_agree(deal)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--record", type=Path, default=Path("bridge_check.jsonl"))
    arguments = parser.parse_args()
    lines = arguments.record.read_text().splitlines() if arguments.record.exists() else []
    record = {line["deal"]: line for line in map(json.loads, lines)}
    with arguments.record.open("a") as out:
        for number in range(arguments.deals):
            if number not in record:
                record[number] = check(number)
                out.write(json.dumps(record[number]) + "\n")
                out.flush()
    asked = [record[number] for number in range(arguments.deals)]
    tables = [line["table"] for line in asked if "table" in line]
    wrong = [line for line in asked if not (line["cards"] and line.get("table", True))]
    print(f"{len(asked)} random deals, one contract each, every lead: "
          f"{sum(line['cards'] for line in asked)} as DDS")  # fmt: skip
    print(f"{len(tables)} of them in all 20 contracts: {sum(tables)} as DDS")
    for line in wrong:
        print("not as DDS:", json.dumps(line))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
