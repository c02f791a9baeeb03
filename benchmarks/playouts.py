"""Random playouts per second, game by game, next to OpenSpiel, both driven from Python.

The unit is moves per second. `zermelo.playouts` is one call. OpenSpiel's states are asked for their
legal actions and given a random one, as its users do.
"""

from __future__ import annotations

import random
from typing import Any

from common import Contender, Row, interleave, main, skipped, versus

import zermelo
from zermelo.games import names

# zermelo, OpenSpiel: every game that both have with the same or nearly the same rules.
PEERS = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "othello": "othello",
    "checkers": "checkers",
    "chess": "chess",
    "nim": "nim",
    "backgammon": "backgammon",
    "pig": "pig",
    "2048": "2048",
    # OpenSpiel's Go has simple ko.
    "go:size=9,ko=simple": "go(board_size=9)",
    "go:size=19,ko=simple": "go(board_size=19)",
}
MOVES = 200_000  # approximate moves per run; a twentieth of it for OpenSpiel
AT_LEAST = 30


def ours(name: str) -> Contender:
    game = zermelo.load(name)
    games = max(1, int(MOVES / zermelo.playouts(game, 20, seed=1).length))
    moves = zermelo.playouts(game, games, seed=1).moves
    return Contender(lambda: zermelo.playouts(game, games, seed=1), moves)


def theirs(name: str) -> Contender:
    import pyspiel

    game = pyspiel.load_game(name)

    def run() -> int:
        rng, moves = random.Random(1), 0
        while moves < MOVES / 20:
            state: Any = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, odds = zip(*state.chance_outcomes(), strict=True)
                    action = rng.choices(actions, odds)[0]
                else:
                    action = rng.choice(state.legal_actions())
                state.apply_action(action)
                moves += 1
        return moves

    return Contender(run, run())


def measure() -> list[Row]:
    rows = []
    for name, peer_name in PEERS.items():
        if name.partition(":")[0] not in names():
            continue
        what = f"{name}, moves of random playouts, OpenSpiel from Python"
        try:
            peer = theirs(peer_name)
        except ImportError:
            rows.append(skipped(what, "open_spiel is not installed"))
            continue
        mine = ours(name)
        interleave([mine, peer])
        rows.append(versus(what, mine, peer, AT_LEAST))
    return rows


if __name__ == "__main__":
    main(measure, __doc__)
