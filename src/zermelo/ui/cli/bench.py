"""Measurements of ``zermelo bench``: each kind of game, compared with plain Python."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ...games import load
from ...search.api import search


def python_minimax(game: Any, s: Any) -> tuple[float, int]:
    """Minimax in plain Python: the baseline."""
    if game.is_terminal(s):
        return game.utility(s, 0), 1
    best, nodes = None, 1
    pick = max if game.player(s) == 0 else min
    for a in game.actions(s):
        value, below = python_minimax(game, game.result(s, a))
        nodes += below
        best = value if best is None else pick(best, value)
    assert best is not None
    return best, nodes


class PythonTicTacToe:
    """Tic-tac-toe as a student writes it."""

    players = 2
    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    zero_sum = True
    utility_bounds = (-1.0, 1.0)

    def initial(self) -> str:
        return "." * 9

    def player(self, s: str) -> int:
        return (9 - s.count(".")) % 2

    def actions(self, s: str) -> list[int]:
        return [i for i, c in enumerate(s) if c == "."]

    def result(self, s: str, a: int) -> str:
        return s[:a] + "XO"[self.player(s)] + s[a + 1 :]

    def won(self, s: str, who: str) -> bool:
        return any(s[a] == s[b] == s[c] == who for a, b, c in self.LINES)

    def is_terminal(self, s: str) -> bool:
        return "." not in s or self.won(s, "X") or self.won(s, "O")

    def utility(self, s: str, p: int) -> float:
        x = self.won(s, "X") - self.won(s, "O")
        return float(x if p == 0 else -x)


def report(seconds: float) -> Iterator[dict[str, Any]]:
    """One row per measurement: name, nodes per second, ratio to plain Python."""
    own = PythonTicTacToe()
    start = time.perf_counter()
    _, nodes = python_minimax(own, own.initial())
    base = nodes / (time.perf_counter() - start)
    yield row("tic-tac-toe, minimax, plain Python", base, base)
    yield row("tic-tac-toe, minimax, Python rules, zermelo", best(own, seconds), base)
    yield row("tic-tac-toe, minimax, native", best(load("tic-tac-toe"), seconds), base)
    four = load("connect-four")
    speed = best(four, seconds, algorithm="alphabeta", depth=9)
    yield row("connect four, alpha-beta depth 9, native", speed, base)


def best(game: Any, seconds: float, algorithm: str = "minimax", **limits: Any) -> float:
    """Nodes per second: the best of all runs within the time."""
    top, end = 0.0, time.perf_counter() + seconds
    while True:
        r = search(game, algorithm=algorithm, **limits)
        top = max(top, r.nodes / r.elapsed)
        if time.perf_counter() > end:
            return top


def row(what: str, speed: float, base: float) -> dict[str, Any]:
    return {"what": what, "nodes_per_second": speed, "ratio": speed / base}
