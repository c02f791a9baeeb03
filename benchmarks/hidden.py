"""Play search algorithms for hidden information against random play, and against each other.

python benchmarks/hidden.py [--games PERCENT] [--only NAME] [--markdown] [--record FOLDER]

Every game with hidden information is played. On `trap`, where averaging over deals misleads, the
algorithms play against each other. Exits with 1 if a row does not beat its opponent or cannot be
played. With --record every game is saved, and an interrupted run resumes.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from zermelo.game import facts_of
from zermelo.games import names
from zermelo.games.scrabble.words import DEBIAN

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

from trap import Trap

WORDS = Path(__file__).parents[1] / "tests" / "words.txt"  # used if no word list is installed


class Row(NamedTuple):
    """A pairing: game, player, opponent and number of games."""

    game: str
    pimc: str = "pimc:nodes=5000"
    ismcts: str = "ismcts:simulations=300"
    games: int = 100


# Deals are solved if that is fast, otherwise searched a few moves deep.
FEWER = "ismcts:simulations=300,deals=50"
ROWS = (
    Row("kuhn", "pimc:depth=99", games=400),
    Row("leduc", "pimc:depth=99", games=400),
    Row("liars-dice", "pimc:nodes=200000", games=400),
    Row("blind-tic-tac-toe", games=100),
    Row("bridge:tricks=4,cards=hidden", games=80),
    Row("bridge:cards=hidden", "pimc:depth=1,deals=5", "ismcts:simulations=100,deals=50", 20),
    Row("holdem", games=2000),
    Row("battleships:size=5,fleet=3,2,2", games=40),
    Row("battleships", "pimc:depth=1,deals=50", FEWER, 10),
    Row("stratego:board=barrage,setup=chance", "pimc:depth=1,deals=10", FEWER, 40),
    Row("stratego", "pimc:depth=1,deals=10", FEWER, 16),
    Row("scrabble", "pimc:depth=1,deals=10", FEWER, 10),
    Row("kriegspiel", "pimc:depth=1", games=60),
)


def hidden_games() -> list[str]:
    """Every game of the catalogue with hidden information."""
    loaded = {name: facts_of(zermelo.load(name)) for name in names()}
    return [name for name, facts in loaded.items() if facts.hidden and facts.players > 1]


def rows() -> list[tuple[str, str, str, int]]:
    """(game, player, opponent, games); games with special settings first."""
    known = {row.game.partition(":")[0] for row in ROWS}
    all_ = [*ROWS, *(Row(name) for name in hidden_games() if name not in known)]
    found = [(r.game, player, "random", r.games) for r in all_ for player in (r.pimc, r.ismcts)]
    return [*found, ("trap", Row("").ismcts, "pimc:depth=9", 400)]


def gain(
    game: Any, first: str, second: str, games: int, record: Path | None = None
) -> tuple[float, float]:
    """The first player's mean utility and half its 95 % interval; seats alternate in pairs."""
    m = zermelo.match(game, (first, second), games=games, opening=0, seed=1, record=record)
    if m.stopped:  # interrupted: fewer games than planned
        raise KeyboardInterrupt
    if isinstance(m, zermelo.ManyMatch):
        return m.mean(0)
    pairs = [sum(m.results[i : i + 2]) / 2 for i in range(0, len(m.results) - 1, 2)]
    mean = sum(pairs) / len(pairs)
    spread = sum((x - mean) ** 2 for x in pairs) / max(1, len(pairs) - 1)
    return mean, 1.96 * math.sqrt(spread / len(pairs))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--games", type=int, default=100, help="percent of the usual number of games"
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--record", type=Path, help="a folder")
    asked = parser.parse_args()
    if not Path(DEBIAN).exists():
        os.environ.setdefault("ZERMELO_WORDS", str(WORDS))
    if asked.record is not None:
        asked.record.mkdir(parents=True, exist_ok=True)
    good = True
    if asked.markdown:
        print("| game | player | against | games | utility per game, 95 % |\n|---|---|---|---|---|")
    for spec, player, other, usual in rows():
        if asked.only not in spec:
            continue
        game: Any = Trap() if spec == "trap" else zermelo.load(spec)
        games = max(4, usual * asked.games // 200 * 2)
        name = re.sub(r"[^\w=]+", "-", f"{spec} {player}") + ".jsonl"
        try:
            kept = None if asked.record is None else asked.record / name
            mean, error = gain(game, player, other, games, kept)
        except zermelo.ZermeloError as e:
            print(f"{spec}: {player} cannot play it: {e.message}", file=sys.stderr, flush=True)
            good = False
            continue
        good &= mean - error > 0
        cells = (spec, player, other, str(games), f"{mean:+.3f} ± {error:.3f}")
        print("| " + " | ".join(cells) + " |" if asked.markdown
              else "{:36} {:44} {:13} {:>5} {}".format(*cells), flush=True)  # fmt: skip
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
