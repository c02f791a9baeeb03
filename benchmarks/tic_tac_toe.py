"""Solve tic-tac-toe: minimax and alpha-beta next to aima-style Python, easyAI and OpenSpiel.

Minimax visits all 549,946 nodes, alpha-beta (left to right, pruning at equality) 18,297. Every peer
uses its own rules. Its nodes are counted in one run and timed in another, without the counter.
"""

from __future__ import annotations

import importlib
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from common import Contender, Row, interleave, main, skipped, versus

import zermelo

MINIMAX_NODES, ALPHABETA_NODES = 549_946, 18_297

# -- a textbook's game in plain Python: a board is a dict, a state a tuple with its value --------
Position = namedtuple("Position", "to_move utility board moves")
CELLS = [(x, y) for x in range(1, 4) for y in range(1, 4)]


class DictTicTacToe:
    initial = Position("X", 0, {}, CELLS)

    def actions(self, s: Position) -> list[Any]:
        return s.moves

    def result(self, s: Position, move: Any) -> Position:
        board = s.board.copy()
        board[move] = s.to_move
        moves = [m for m in s.moves if m != move]
        won = any(self.in_row(board, move, s.to_move, d) for d in ((0, 1), (1, 0), (1, 1), (1, -1)))
        value = 0 if not won else 1 if s.to_move == "X" else -1
        return Position("O" if s.to_move == "X" else "X", value, board, moves)

    def in_row(self, board: Any, move: Any, who: str, delta: Any) -> bool:
        n = -1  # the move itself is counted in both directions
        for sign in (1, -1):
            x, y = move
            while board.get((x, y)) == who:
                n += 1
                x, y = x + sign * delta[0], y + sign * delta[1]
        return n >= 3

    def terminal_test(self, s: Position) -> bool:
        return s.utility != 0 or not s.moves

    def utility(self, s: Position, player: str) -> int:
        return s.utility if player == "X" else -s.utility


def textbook_minimax(game: DictTicTacToe) -> tuple[float, int]:
    """The value and the nodes, with two mutually recursive functions as in the pseudocode."""
    nodes = 0

    def max_value(s: Position) -> float:
        nonlocal nodes
        nodes += 1
        if game.terminal_test(s):
            return game.utility(s, "X")
        return max(min_value(game.result(s, a)) for a in game.actions(s))

    def min_value(s: Position) -> float:
        nonlocal nodes
        nodes += 1
        if game.terminal_test(s):
            return game.utility(s, "X")
        return min(max_value(game.result(s, a)) for a in game.actions(s))

    return max_value(game.initial), nodes


# -- the peers -----------------------------------------------------------------------------------
def counted(module: Any, name: str, run: Callable[[], Any]) -> int:
    """Count the calls of the module's recursive function during `run`; the module is restored."""
    original, calls = getattr(module, name), 0

    def counting(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*args, **kwargs)

    setattr(module, name, counting)
    try:
        run()
    finally:
        setattr(module, name, original)
    return calls


def easyai(game: str, depth: int) -> Contender:
    """easyAI's Negamax on its own rules. Raises ImportError if it is not installed."""
    search = importlib.import_module("easyAI.AI.Negamax")
    rules = getattr(importlib.import_module(f"easyAI.games.{game}"), game)

    def run() -> None:
        search.Negamax(depth)(rules([None, None]))

    return Contender(run, counted(search, "negamax", run))


def open_spiel() -> Contender:
    """OpenSpiel's Python alpha-beta on its C++ rules."""
    import pyspiel

    search = importlib.import_module("open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game("tic_tac_toe")

    def run() -> None:
        assert search.alpha_beta_search(game)[0] == 0

    return Contender(run, counted(search, "_alpha_beta", run))


def native(algorithm: str, nodes: int) -> Contender:
    game = zermelo.load("tic-tac-toe")

    def run() -> None:
        r = zermelo.search(game, algorithm=algorithm)
        assert (r.value, r.nodes, r.exact) == (0, nodes, True), r

    return Contender(run, nodes)


def measure() -> list[Row]:
    minimax, alphabeta = (
        native("minimax", MINIMAX_NODES),
        native("alphabeta", ALPHABETA_NODES),
    )
    assert textbook_minimax(DictTicTacToe()) == (0, MINIMAX_NODES)
    textbook = Contender(lambda: textbook_minimax(DictTicTacToe()), MINIMAX_NODES)
    rows: list[Row] = []
    peers: list[tuple[str, Contender, float, str]] = []
    for what, make, target in (
        ("alpha-beta, easyAI Negamax", lambda: easyai("TicTacToe", 9), 100),
        ("alpha-beta, OpenSpiel", open_spiel, 25),
    ):
        try:
            peer = make()
        except ImportError as e:
            rows.append(skipped(f"tic-tac-toe {what}", f"{e.name} is not installed"))
            continue
        peers.append((what, peer, target, f"peer {peer.nodes:,} nodes"))
        if "OpenSpiel" in what:
            assert peer.nodes == ALPHABETA_NODES, peer.nodes
    interleave([minimax, textbook, alphabeta, *(p[1] for p in peers)])
    first = versus(
        "tic-tac-toe minimax, aima-style Python", minimax, textbook, 100, "549,946 nodes each"
    )
    found = [versus(f"tic-tac-toe {w}", alphabeta, p, t, note) for w, p, t, note in peers]
    return [first, *found, *rows]


if __name__ == "__main__":
    main(measure, __doc__)
