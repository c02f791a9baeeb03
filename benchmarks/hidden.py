"""Search of hidden information: against random play in every game that hides something, and against
each other where search over deals is known to mislead.

python benchmarks/hidden.py [--games N] [--only NAME] [--markdown]
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

import zermelo
from zermelo.game import facts_of
from zermelo.games import names

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from trap import Trap

ISMCTS = "ismcts:simulations=300"
# Open deals are searched to the end where that is quick, else a few moves deep.
PIMC = {"kuhn": "pimc:depth=99", "liars-dice": "pimc:nodes=200000", "leduc": "pimc:depth=99"}
PIMC_ELSE = "pimc:nodes=5000"
# Games that are open, unless an option says otherwise.
ALSO = {"bridge": "bridge:tricks=4,cards=hidden"}
# Smaller, so that a game does not take minutes; what is hidden stays.
INSTEAD = {"battleships": "battleships:size=5,fleet=3,2,2"}


# Games that take seconds each are played less often: so many times fewer.
SLOW = {"battleships": 5, "bridge": 5, "kriegspiel": 20}


def hidden_games() -> list[str]:
    """Every game of the catalogue that hides something."""
    found = []
    for name in names():
        spec = ALSO.get(name) or INSTEAD.get(name) or name
        facts = facts_of(zermelo.load(spec))
        if facts.hidden and facts.players > 1:
            found.append(spec)
    return found


def gain(game: Any, first: str, second: str, games: int) -> tuple[float, float]:
    """The first player's mean utility and half its 95 % interval, seats changed in pairs."""
    m = zermelo.match(game, (first, second), games=games, opening=0, seed=1)
    if isinstance(m, zermelo.ManyMatch):
        return m.mean(0)
    pairs = [sum(m.results[i : i + 2]) / 2 for i in range(0, len(m.results) - 1, 2)]
    mean = sum(pairs) / len(pairs)
    spread = sum((x - mean) ** 2 for x in pairs) / max(1, len(pairs) - 1)
    return mean, 1.96 * math.sqrt(spread / len(pairs))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    rows = [(spec, player, "random") for spec in hidden_games()
            for player in (PIMC.get(spec.partition(":")[0], PIMC_ELSE), ISMCTS)]  # fmt: skip
    rows.append(("trap", ISMCTS, "pimc:depth=9"))
    good = True
    if asked.markdown:
        print("| game | player | against | games | utility a game, 95 % |\n|---|---|---|---|---|")
    for spec, player, other in rows:
        if asked.only and asked.only not in spec:
            continue
        game: Any = Trap() if spec == "trap" else zermelo.load(spec)
        try:
            games = max(10, asked.games // SLOW.get(spec.partition(":")[0], 1))
            mean, error = gain(game, player, other, games)
        except zermelo.ZermeloError as e:
            print(f"{spec}: {player} cannot play it: {e.message}", file=sys.stderr, flush=True)
            continue
        good &= mean - error > 0
        cells = (spec, player, other, str(games), f"{mean:+.3f} ± {error:.3f}")
        print("| " + " | ".join(cells) + " |" if asked.markdown
              else "{:34} {:22} {:14} {:>5} {}".format(*cells), flush=True)  # fmt: skip
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
