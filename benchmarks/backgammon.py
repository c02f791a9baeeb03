"""Play the backgammon networks against pubeval and GNU Backgammon, and check their openings.

    python benchmarks/backgammon.py --openings
    python benchmarks/backgammon.py --pubeval FOLDER --games 20000     # WT.cntc and WT.race
    python benchmarks/backgammon.py --gnubg --games 4000 [--plies 0]
    python benchmarks/backgammon.py --stars --games 40 --depth 2
    python benchmarks/backgammon.py --pubeval FOLDER --curve RUN --svg docs/backgammon-curve.svg

Money games without a cube; points per game with the standard error. Games come in pairs with the
same dice and exchanged sides. --weights FILE uses other weights than the installed ones. --depth 2
searches all rolls of the reply.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from backgammon_clients import Gnubg, pubeval

import zermelo
from zermelo import _core
from zermelo.games.backgammon import weights as learned
from zermelo.view.curve_svg import curve_svg

Array = npt.NDArray[Any]
Player = Callable[[Array], Array]  # states with dice -> the states after its plays

GAME: Any = zermelo.load("backgammon")
STATE = 32
TURN, DIE, DIE2, OPENING, OFF, OTHER_OFF = 26, 27, 28, 29, 30, 31
TABLE = 500  # games side by side
# Known good plays of the opening rolls: the best and the second best of GNU Backgammon at two
# plies, and plays within 0.01 of them.
OPENINGS = {
    "2-1": ("13/11 6/5", "24/23 13/11"),
    "3-1": ("8/5 6/5",),
    "4-1": ("24/23 13/9", "13/9 6/5"),
    "5-1": ("13/8 6/5", "24/23 13/8"),
    "6-1": ("13/7 8/7",),
    "3-2": ("24/21 13/11", "13/11 13/10"),
    "4-2": ("8/4 6/4",),
    "5-2": ("13/11 13/8", "24/22 13/8"),
    "6-2": ("24/18 13/11", "24/16"),
    "4-3": ("24/20 13/10", "24/21 13/9", "13/10 13/9"),
    "5-3": ("8/3 6/3",),
    "6-3": ("24/18 13/10", "24/15"),
    "5-4": ("24/20 13/8", "13/9 13/8"),
    "6-4": ("24/14", "24/18 13/9", "8/2 6/2"),
    "6-5": ("24/13",),
}


def network(weights: bytes) -> Player:
    def play(states: Array) -> Array:
        return as_states(_core.backgammon_best(weights, states.tobytes()))

    return play


def as_states(flat: bytes) -> Array:
    return np.frombuffer(flat, np.uint8).reshape(-1, STATE).copy()


def searcher(depth: int) -> Player:
    """The installed networks behind expectiminimax."""

    def play(states: Array) -> Array:
        after = []
        for row in states:
            s = zermelo.games.native.State(GAME, row.tobytes())
            r = zermelo.search(GAME, s, algorithm="expectiminimax", depth=depth)
            after.append(GAME.result(s, r.action).data)
        return as_states(b"".join(after))

    return play


# -- matches -----------------------------------------------------------------------------------
def points(players: tuple[Player, Player], pairs: int, seed: int) -> Iterator[float]:
    """The points per game of the first player in each pair of games with the same dice."""
    for first in range(0, pairs, TABLE // 2):
        count = min(TABLE // 2, pairs - first)
        won = play_table(players, count, seed + first)
        yield from (won[:count] + won[count:]) / 2


def play_table(players: tuple[Player, Player], pairs: int, seed: int) -> Array:
    """Play 2 * pairs games; the second half repeats the dice with the other player first."""
    games = 2 * pairs
    dice = [np.random.default_rng((seed, i % pairs)) for i in range(games)]
    states = as_states(GAME.initial().data * games)
    mover = np.array([0] * pairs + [1] * pairs)
    result = np.zeros(games)
    open_ = np.arange(games)
    while open_.size:
        for i in open_:
            roll = dice[i].integers(1, 7, 2)
            while states[i, OPENING] and roll[0] == roll[1]:
                roll = dice[i].integers(1, 7, 2)
            states[i, DIE], states[i, DIE2] = max(roll), min(roll)
            states[i, OPENING] = 0
        for side in (0, 1):
            which = open_[mover[open_] == side]
            if which.size:
                states[which] = players[side](states[which])
        mover[open_] ^= 1
        over = states[open_, OTHER_OFF] == 15  # the side that has just moved is done
        for i in open_[over]:
            worth = GAME.utility(zermelo.games.native.State(GAME, states[i].tobytes()), 0)
            # The loser is the one who would roll now.
            result[i] = abs(worth) * (1 if mover[i] == 1 else -1)
        open_ = open_[~over]
    return result


def match(what: str, players: tuple[Player, Player], games: int, seed: int) -> dict[str, Any]:
    found: list[float] = []
    began = told = time.monotonic()
    for x in points(players, max(1, games // 2), seed):
        found.append(x)
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(f"{what}: {summary(found)}", file=sys.stderr, flush=True)
    row = {"what": what, "games": 2 * len(found), "points": float(np.mean(found))}
    row["error"] = float(np.std(found) / math.sqrt(len(found)))
    row["seconds"] = round(time.monotonic() - began, 1)
    print(f"{what}: {summary(found)}")
    return row


def summary(found: list[float]) -> str:
    error = np.std(found) / math.sqrt(len(found))
    return f"{np.mean(found):+.3f} ± {error:.3f} points per game over {2 * len(found)} games"


# -- the openings ------------------------------------------------------------------------------
def openings(depth: int) -> dict[str, Any]:
    good = 0
    for roll, known in OPENINGS.items():
        s = GAME.result(GAME.initial(), roll)
        if depth:
            action = zermelo.search(GAME, s, algorithm="expectiminimax", depth=depth).action
        else:
            codes = GAME.codes(s)
            action = max(codes, key=lambda a: GAME.evaluate(GAME.result(s, a), 0))
        accepted = {GAME.parse_action(s, k) for k in known}
        good += action in accepted
        print(
            f"{roll}  {action:<14} {'known' if action in accepted else 'not among ' + str(known)}"
        )
    print(f"{good} of {len(OPENINGS)} are among the known best")
    return {"what": "openings", "good": good, "of": len(OPENINGS)}


# -- pruning at chance nodes ----------------------------------------------------------------------
def stars(count: int, depth: int, seed: int) -> None:
    """Compare the leaves of Star1, Star2 and a search without pruning at one depth."""
    rng = np.random.default_rng(seed)
    leaves: dict[str, list[int]] = {"none": [], "star1": [], "star2": []}
    seconds = dict.fromkeys(leaves, 0.0)
    for s in middles(count, rng):
        found = set()
        for prune in leaves:
            began = time.process_time()
            r = zermelo.search(GAME, s, algorithm="expectiminimax", depth=depth, prune=prune)
            seconds[prune] += time.process_time() - began
            leaves[prune].append(r.leaves)
            found.add((r.action, r.value))
        assert len(found) == 1, (GAME.format_state(s), found)
    print(f"| depth {depth}, {count} positions | leaves | of all | seconds per position |")
    print("|---|---|---|---|")
    for prune, seen in leaves.items():
        share = sum(seen) / sum(leaves["none"])
        each = seconds[prune] / count
        print(f"| {prune} | {sum(seen) / count:,.0f} | {share:.1%} | {each:.3f} |")


def middles(count: int, rng: np.random.Generator) -> Iterator[Any]:
    """Positions with dice from self-play, one per game, with more than one legal play."""
    weights = learned.weights()
    while count:
        s, plies = GAME.initial(), int(rng.integers(1, 50))
        while not GAME.is_terminal(s):
            rolls = GAME.outcomes(s)
            s = GAME.result(s, rolls[rng.choice(len(rolls), p=[p for _, p in rolls])][0])
            plies -= 1
            if plies < 0 and len(GAME.actions(s)) > 1:
                yield s
                count -= 1
                break
            s = zermelo.games.native.State(GAME, _core.backgammon_best(weights, s.data))


# -- the curve of a training -------------------------------------------------------------------
def curve(run: Path, rival: Player, games: int, seed: int) -> list[dict[str, Any]]:
    """Play each snapshot of a training run against pubeval; known results are reused."""
    record = run / "curve.jsonl"
    known = {}
    if record.exists():
        known = {r["file"]: r for r in map(json.loads, record.read_text().splitlines())}
    kept: list[Path] = []
    for file in sorted(run.glob("games-*.weights"), reverse=True):
        if not kept or games_of(file) <= 0.55 * games_of(kept[0]):
            kept.insert(0, file)
    rows = []
    seconds = moments(run)
    for file in kept:
        if file.name not in known:
            ours = network(learned.unpack(file.read_bytes()))
            row = match(file.stem, (ours, rival), games, seed) | {"file": file.name}
            with record.open("a") as f:
                f.write(json.dumps(row) + "\n")
            known[file.name] = row
        rows.append(known[file.name] | {"train": seconds(games_of(file))})
    return rows


def games_of(file: Path) -> int:
    return int(file.stem.split("-")[1])


def moments(run: Path) -> Callable[[int], float]:
    """Seconds of training by number of games, from the record."""
    record = [json.loads(line) for line in (run / "record.jsonl").read_text().splitlines()]

    def seconds(games: int) -> float:
        return float(np.interp(games, [r["games"] for r in record], [r["seconds"] for r in record]))

    return seconds


def drawn(rows: list[dict[str, Any]]) -> str:
    """Points per game against pubeval by games of training, as SVG."""
    width, height, left, bottom = 640, 320, 60, 44
    first, most = (games_of(Path(rows[i]["file"])) for i in (0, -1))
    low, high = -2.0, 0.8

    def across(games: float) -> float:
        return left + (width - left - 20) * math.log(games / first) / math.log(most / first)

    def x(row: dict[str, Any]) -> float:
        return across(games_of(Path(row["file"])))

    def y(value: float) -> float:
        return 16 + (height - bottom - 16) * (high - max(value, low)) / (high - low)

    parts = []
    for tick in np.arange(low, high + 0.01, 0.2):
        css = "zero" if abs(tick) < 1e-9 else "grid"
        parts.append(f'<path class="{css}" d="M{left} {y(tick):.1f}H{width - 20}"/>')
        said = f"{round(tick, 1) + 0.0:+.1f}"
        parts.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" class="end">{said}</text>')
    for games in (100, 1_000, 10_000, 100_000, 1_000_000):
        if first <= games <= most:
            at = f'x="{across(games):.1f}" y="{height - bottom + 18}"'
            parts.append(f'<text {at} class="mid">{games:,}</text>')
    line = " ".join(f"{x(r):.1f},{y(r['points']):.1f}" for r in rows)
    parts.append(f'<polyline class="line" points="{line}"/>')
    parts += [
        f'<path class="line" d="M{x(r):.1f} {y(r["points"] - 2 * r["error"]):.1f}'
        f'V{y(r["points"] + 2 * r["error"]):.1f}"/>'
        for r in rows
    ]
    minutes = rows[-1]["train"] / 60
    words = f"games of training ({minutes:.0f} minutes); points per game against pubeval, 95 %"
    return curve_svg("The curve of the training", words, parts, width, height)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pubeval", type=Path, help="folder of WT.cntc and WT.race")
    parser.add_argument("--gnubg", action="store_true", help="against GNU Backgammon")
    parser.add_argument("--plies", type=int, default=0, help="plies of GNU Backgammon")
    parser.add_argument("--rivals", action="store_true", help="GNU Backgammon against pubeval")
    parser.add_argument("--openings", action="store_true")
    parser.add_argument("--stars", action="store_true", help="leaves saved by Star1 and Star2")
    parser.add_argument("--curve", type=Path, help="folder of a training run")
    parser.add_argument("--svg", type=Path, help="where to draw the curve")
    parser.add_argument(
        "--weights", type=Path, help="use these weights instead of the installed ones"
    )
    parser.add_argument("--depth", type=int, default=0, help="depth of zermelo's search; 0: none")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    own = learned.unpack(a.weights.read_bytes()) if a.weights else learned.weights()
    ours = searcher(a.depth) if a.depth and not a.stars else network(own)
    if a.openings:
        openings(a.depth)
    if a.stars:
        stars(a.games, a.depth or 2, a.seed)
    if a.curve and a.pubeval:
        rows = curve(a.curve, pubeval(a.pubeval), a.games, a.seed)
        if a.svg:
            a.svg.write_text(drawn(rows), encoding="utf-8")
    elif a.pubeval and not a.rivals:
        match("against pubeval", (ours, pubeval(a.pubeval)), a.games, a.seed)
    if a.gnubg or a.rivals:
        with Gnubg(a.plies) as rival:
            if a.rivals:
                match("gnubg against pubeval", (rival.play, pubeval(a.pubeval)), a.games, a.seed)
            else:
                match(f"against gnubg {a.plies}-ply", (ours, rival.play), a.games, a.seed)


if __name__ == "__main__":
    main()
