"""UCT and RAVE in plain Python, move for move the native search with one thread and no solver.

It draws the same random numbers (splitmix64) and rounds confidence bounds to float32 as the native
code does, so that visits, means and AMAF statistics must be equal, not only similar.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

F = np.float32
MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
UNVISITED = F(1e30)
ZERO = F(0)


def mix(x: int) -> int:
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


class SplitMix:
    def __init__(self, seed: int) -> None:
        self.state = mix(seed + STEP & MASK)

    def next(self) -> int:
        self.state = self.state + STEP & MASK
        return mix(self.state)


def scaled(bits: int, n: int) -> int:
    return (bits >> 32) * n >> 32


@dataclass(eq=False)
class Node:
    action: Any = None
    mean: float = 0.0  # player 0's
    visits: int = 0
    amaf_mean: Any = ZERO  # of the player to move at the parent
    amaf_visits: int = 0
    children: list[Node] = field(default_factory=list)


@dataclass
class SlowMcts:
    """One search. `amaf(s, a)` identifies a move; `policy(s, bits)` is the playout policy."""

    game: Any
    state: Any
    amaf: Callable[[Any, Any], Any]
    seed: int = 0
    rave: float = 0.0
    exploration: float = 1.0
    expand_after: int = 1
    policy: Callable[[Any, int], Any] | None = None

    def run(self, simulations: int) -> Node:
        self.random = SplitMix(self.seed)
        self.root = Node()
        for _ in range(simulations):
            self.simulate()
        return self.root

    def simulate(self) -> None:
        game, s, node = self.game, self.state, self.root
        path = [(node, s)]
        while node.children:
            node, s = self.descend(path)
        if node.visits >= self.expand_after and not game.is_terminal(s):
            node.children = [Node(a) for a in self.shuffled(game.actions(s))]
            node, s = self.descend(path)
        moves = []  # of the playout
        while not game.is_terminal(s):
            a = self.playout_move(s)
            moves.append((game.player(s), self.amaf(s, a)))
            s = game.result(s, a)
        self.back_up(path, moves, game.utility(s, 0))

    def playout_move(self, s: Any) -> Any:
        bits = self.random.next()
        if self.policy is not None:
            return self.policy(s, bits)
        actions = self.game.actions(s)
        return actions[scaled(bits, len(actions))]

    def shuffled(self, actions: list[Any]) -> list[Any]:
        actions, bits = list(actions), 0
        for done, i in enumerate(range(len(actions) - 1, 0, -1)):
            if done % 4 == 0:
                bits = self.random.next()
            j = (bits & 0xFFFF) * (i + 1) >> 16
            actions[i], actions[j] = actions[j], actions[i]
            bits >>= 16
        return actions

    def descend(self, path: list[tuple[Node, Any]]) -> tuple[Node, Any]:
        node, s = path[-1]
        if not self.rave:
            untried = [c for c in node.children if not c.visits]
            child = untried[0] if untried else max(node.children, key=self.bound_in(node, s))
        else:
            child = max(node.children, key=self.bound_in(node, s))
        path.append((child, self.game.result(s, child.action)))
        return path[-1]

    def bound_in(self, node: Node, s: Any) -> Callable[[Node], Any]:
        sign = -1 if self.game.player(s) == 1 else 1
        factor = F(self.exploration) * np.sqrt(F(math.log(node.visits)))

        def bound(child: Node) -> Any:
            n, m = F(child.visits), F(child.amaf_visits)
            mean = F(sign * child.mean)
            if not self.rave:
                return mean + factor * (F(1) / np.sqrt(n))
            if not n and not m:
                return UNVISITED
            if not n:
                return child.amaf_mean + factor * F(1)
            if m:
                beta = m / (n + m + n * m / F(self.rave))
                mean = mean + beta * (child.amaf_mean - mean)
            return mean + factor * (F(1) / np.sqrt(n))

        return bound

    def back_up(self, path: list[tuple[Node, Any]], moves: list[Any], x: float) -> None:
        """Gelly and Silver's backup: a later move counts for whom played it first, as if now."""
        line = [
            (self.game.player(s), self.amaf(s, child.action))
            for (_, s), (child, _) in itertools.pairwise(path)
        ]
        line += moves
        for ply, (node, s) in enumerate(path):
            node.visits += 1
            node.mean += (x - node.mean) * (1 / node.visits)
            if not self.rave or self.game.is_terminal(s):
                continue
            player = self.game.player(s)
            first: dict[Any, int] = {}
            for p, move in line[ply:]:
                first.setdefault(move, p)
            value = F(-x if player == 1 else x)
            for child in node.children:
                if first.get(self.amaf(s, child.action)) == player:
                    child.amaf_visits += 1
                    child.amaf_mean += (value - child.amaf_mean) / F(child.amaf_visits)


def cell_of(game: Any) -> Callable[[Any, Any], Any]:
    """AMAF identity of Hex moves: the cell."""
    return lambda s, a: a


def square_of(game: Any) -> Callable[[Any, Any], Any]:
    """AMAF identity of connect four moves: the square that the stone falls to."""
    return lambda s, a: (a, game.format_state(s).count(str(a)))


def saving_bridges(game: Any) -> Callable[[Any, int], Any]:
    """Hex playouts: complete a bridge whose other cell the opponent has taken, else any move."""
    circle = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))  # from the east, clockwise

    def stone(rows: list[str], r: int, c: int, player: int) -> str:
        n = len(rows)
        if 0 <= r < n and 0 <= c < n:
            return rows[r][c]
        beyond = not 0 <= r < n if player == 0 else not 0 <= c < n
        return "RB"[player] if beyond else ""

    def policy(s: Any, bits: int) -> Any:
        rows, player, found = game.rows(s), game.player(s), []
        own, other = "RB"[player], "BR"[player]
        for r, c in ((r, c) for r in range(game.size) for c in range(game.size)):
            around = [stone(rows, r + dr, c + dc, player) for dr, dc in circle]
            lines = (around[d:] + around[:d] for d in range(6))
            if rows[r][c] == "." and any(line[:3] == [own, other, own] for line in lines):
                found.append(game.cell(r * game.size + c))
        choices = found or game.actions(s)
        return choices[scaled(bits, len(choices))]

    return policy
