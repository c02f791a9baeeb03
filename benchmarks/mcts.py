"""Monte Carlo tree search: simulations per second next to OpenSpiel, and convergence.

A simulation is one descent with one random playout to the end of the game. While speed is measured,
neither side proves anything, and both use the same exploration. FILES are connect four positions
with their exact scores, one per line ("4453 2"). For each number of simulations, the table shows
the share of positions in which the chosen move keeps the value, and the distance of the mean from
the value. --match N plays N games against OpenSpiel at equal simulations, each opening from both
sides.
"""

from __future__ import annotations

import argparse
import random
import statistics
from pathlib import Path
from typing import Any

from common import Contender, Row, interleave, show, skipped, versus

import zermelo

GAMES = {"connect four": ("connect-four", "connect_four"), "tic-tac-toe": ("tic-tac-toe",) * 2}
SIMULATIONS = 10_000
EXPLORE = 2.0
CONVERGENCE = (10, 100, 1_000, 10_000, 100_000)
POSITIONS = 200  # positions per file
MATCH_SIMULATIONS = 1_000


def bot(game: Any, simulations: int, seed: int) -> Any:
    """OpenSpiel's C++ search with random playouts."""
    import pyspiel

    judge = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(
        game, judge, EXPLORE, simulations, 1000, False, seed, False,
        pyspiel.ChildSelectionPolicy.UCT,
    )  # fmt: skip


def open_spiel(name: str) -> Contender:
    import pyspiel

    game = pyspiel.load_game(name)
    state, player = game.new_initial_state(), bot(game, SIMULATIONS, 1)

    def run() -> None:
        root = player.mcts_search(state)
        assert root.explore_count == SIMULATIONS

    return Contender(run, SIMULATIONS)


def ours(name: str, threads: int = 1) -> Contender:
    game = zermelo.load(name)

    def run() -> None:
        r = zermelo.search(
            game, algorithm="mcts", simulations=SIMULATIONS, solver=False, exploration=EXPLORE,
            threads=threads,
        )  # fmt: skip
        assert r.nodes == SIMULATIONS

    return Contender(run, SIMULATIONS)


def measure() -> list[Row]:
    rows = []
    for what, (name, theirs) in GAMES.items():
        told = f"{what}, simulations, OpenSpiel's MCTSBot"
        try:
            peer = open_spiel(theirs.replace("-", "_"))
        except ImportError:
            rows.append(skipped(told, "open_spiel is not installed"))
            continue
        mine = ours(name)
        interleave([mine, peer])
        rows.append(versus(told, mine, peer, 10, f"{SIMULATIONS:,} simulations per search"))
    return rows


def sign(x: float) -> float:
    return (x > 0) - (x < 0)


def convergence(path: Path) -> None:
    """How often the move keeps the value, and the distance of the mean from the value."""
    game = zermelo.load("connect-four")
    positions = []
    for line in path.read_text().splitlines()[:POSITIONS]:
        moves, score = line.split()
        s = game.parse_state(moves)
        mover = 1 if game.player(s) == 0 else -1
        value = mover * sign(float(score))  # scores are for the player to move
        kids = {a: game.result(s, a) for a in game.actions(s)}
        values = dict(zip(kids, zermelo.solve_all(game, kids.values()), strict=True))
        best = {a for a, v in values.items() if v.value == value}
        assert best, (line, values)
        positions.append((s, value, best))
    print(f"\n{path.name}, {len(positions)} positions")
    print("| simulations | value kept | mean distance from the value | proved |")
    print("|---|---|---|---|")
    for n in CONVERGENCE:
        found = [zermelo.search(game, s, "mcts", simulations=n, seed=1) for s, _, _ in positions]
        pairs = list(zip(found, positions, strict=True))
        kept = statistics.mean(r.action in best for r, (_, _, best) in pairs)
        far = statistics.mean(abs(r.value - value) for r, (_, value, _) in pairs)
        assert all(r.value == value for r, (_, value, _) in pairs if r.exact)
        proved = statistics.mean(r.exact for r, _ in pairs)
        print(f"| {n:,} | {kept:.1%} | {far:.3f} | {proved:.1%} |", flush=True)


def play_match(games: int) -> None:
    """Connect four at equal simulations."""
    import pyspiel

    theirs = pyspiel.load_game("connect_four")
    peers = iter(range(10**6))

    def peer(game: Any, s: Any) -> int:
        state = theirs.new_initial_state()
        for column in game.format_state(s):
            state.apply_action(int(column) - 1)
        return bot(theirs, MATCH_SIMULATIONS, next(peers)).step(state) + 1

    peer.__name__ = f"OpenSpiel MCTSBot, {MATCH_SIMULATIONS} simulations"
    seeds = random.Random(1)

    def mine(game: Any, s: Any) -> int:
        return zermelo.search(
            game, s, "mcts", simulations=MATCH_SIMULATIONS, seed=seeds.randrange(2**32)
        ).action

    mine.__name__ = f"mcts, {MATCH_SIMULATIONS} simulations"
    print(zermelo.match(zermelo.load("connect-four"), (mine, peer), games=games, opening=3))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="positions with scores")
    parser.add_argument("--match", type=int, default=0, metavar="N", help="games against OpenSpiel")
    parser.add_argument("--json", action="store_true", help="the speeds as one JSON document")
    arguments = parser.parse_args()
    if not arguments.files and not arguments.match:
        show(measure(), arguments.json)
    for path in arguments.files:
        convergence(path)
    if arguments.match:
        play_match(arguments.match)


if __name__ == "__main__":
    main()
