"""The lectures' algorithms in a few lines of Python each, and games to run them on."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

import zermelo

INF = math.inf
Node = Any  # a leaf's number, or (player, [children]); of chance (-1, [(probability, child)])


def true_value(node: Node) -> float:
    """Minimax of a nested tuple tree."""
    if not isinstance(node, tuple):
        return float(node)
    if node[0] == zermelo.CHANCE:
        return math.fsum(float(p) * true_value(c) for p, c in node[1])
    return (max, min)[node[0]](true_value(c) for c in node[1])


def text_of(node: Node) -> str:
    """The tree in zermelo's notation."""
    if not isinstance(node, tuple):
        return f"{node:g}"
    if node[0] == zermelo.CHANCE:
        return f"chance({' '.join(f'{p}:{text_of(c)}' for p, c in node[1])})"
    return f"{('max', 'min')[node[0]]}({' '.join(map(text_of, node[1]))})"


@dataclass
class AlphaBeta:
    """Alpha-beta over nested tuples: the leaves seen in their order, the nodes counted."""

    strict: bool = False
    hard: bool = False
    leaves: list[float] = field(default_factory=list)
    nodes: int = 0

    def value(self, node: Node, alpha: float = -INF, beta: float = INF) -> float:
        self.nodes += 1
        if not isinstance(node, tuple):
            self.leaves.append(float(node))
            return float(node)
        a, b = alpha, beta
        best = -INF if node[0] == 0 else INF
        for child in node[1]:
            v = self.value(child, a, b)
            if node[0] == 0:
                best = max(best, v)
                if best > b or (best == b and not self.strict):
                    break
                a = max(a, best)
            else:
                best = min(best, v)
                if best < a or (best == a and not self.strict):
                    break
                b = min(b, best)
        return min(max(best, alpha), beta) if self.hard else best


def minimax(game: Any, s: Any, depth: int | None = None, evaluate: Any = None) -> float:
    """Minimax on any game, with a depth limit if one is given."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    if depth == 0:
        return evaluate(s, 0) if evaluate else 0.0
    below = None if depth is None else depth - 1
    values = [minimax(game, game.result(s, a), below, evaluate) for a in game.actions(s)]
    return max(values) if game.player(s) == 0 else min(values)


def children_values(
    game: Any, s: Any, depth: int | None = None, ev: Any = None
) -> dict[Any, float]:
    below = None if depth is None else depth - 1
    return {a: minimax(game, game.result(s, a), below, ev) for a in game.actions(s)}


class HashedGame(zermelo.Game):
    """A random game whose states are met again by many paths: a layered DAG made by hashing."""

    def __init__(self, seed: int, depth: int, width: int = 4, span: int = 3, bounds: Any = None):
        self.seed, self.depth, self.width, self.span = seed, depth, width, span
        self.utility_bounds = bounds or (-float(span), float(span))
        self.thrown: dict[Any, int] = {}

    def _dice(self, low: int, high: int, *what: Any) -> int:
        """The same number for the same question, as if by hashing."""
        if what not in self.thrown:
            self.thrown[what] = random.Random(f"{self.seed} {what}").randint(low, high)
        return self.thrown[what]

    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def player(self, s: Any) -> int:
        return self._dice(0, 1, "player", s)

    def actions(self, s: Any) -> list[int]:
        return list(range(min(3, self._dice(1, 5, "actions", s))))

    def result(self, s: Any, a: int) -> tuple[int, int]:
        return (s[0] + 1, self._dice(0, self.width - 1, "result", s, a))

    def is_terminal(self, s: Any) -> bool:
        return s[0] >= self.depth or (s[0] > 2 and self._dice(0, 9, "end", s) == 0)

    def utility(self, s: Any, p: int) -> float:
        u = self._dice(-self.span, self.span, "utility", s)
        return float(u if p == 0 else -u)

    def evaluate(self, s: Any, p: int) -> float:
        e = self._dice(-self.span, self.span, "evaluate", s)
        return float(e if p == 0 else -e)


def nodes(values: Any, depth: int = 6) -> Any:
    """Trees of any shape: ties, single children, the same player twice in a row."""
    leaf = values
    tree = leaf
    for _ in range(depth):
        inner = st.tuples(st.integers(0, 1), st.lists(tree, min_size=1, max_size=4))
        tree = st.one_of(leaf, inner, inner)
    return st.tuples(st.integers(0, 1), st.lists(tree, min_size=1, max_size=4))


TIES = st.integers(-2, 2)  # few values: ties everywhere
NUMBERS = st.one_of(st.integers(-9, 9), st.sampled_from([0.5, -0.25, 100, -1e6]))


def random_tree(rng: random.Random, depth: int, low: int = -2, high: int = 2) -> Node:
    """A quick one, for counts that hypothesis would take long for."""

    def grow(left: int) -> Node:
        if left == 0 or (left < depth and rng.random() < 0.15):
            return rng.randint(low, high)
        return (rng.randrange(2), [grow(left - 1) for _ in range(rng.randint(1, 4))])

    return grow(depth)


def random_chance_tree(rng: random.Random, depth: int, low: int = -10, high: int = 10) -> Node:
    """MAX, MIN and chance in any order, with odds of all kinds; the root is a player's."""

    def grow(left: int, kind: int) -> Node:
        if left == 0 or (left < depth and rng.random() < 0.1):
            return rng.randint(low, high)
        children = [grow(left - 1, rng.choice((-1, 0, 1))) for _ in range(rng.randint(1, 4))]
        if kind >= 0:
            return (kind, children)
        weights = [rng.randint(1, 5) for _ in children]
        return (
            -1,
            [(Fraction(w, sum(weights)), c) for w, c in zip(weights, children, strict=True)],
        )

    return grow(depth, rng.randrange(2))


def expectiminimax(game: Any, s: Any, depth: int | None = None, evaluate: Any = None) -> float:
    """On any game: players' moves cost depth, chance's do not."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    if depth == 0:
        return evaluate(s, 0) if evaluate else 0.0
    if game.player(s) == zermelo.CHANCE:
        return math.fsum(
            p * expectiminimax(game, game.result(s, a), depth, evaluate)
            for a, p in game.outcomes(s)
        )
    below = None if depth is None else depth - 1
    values = [expectiminimax(game, game.result(s, a), below, evaluate) for a in game.actions(s)]
    return max(values) if game.player(s) == 0 else min(values)


class ChanceGame(HashedGame):
    """A random game with chance in it, whose states are met again by many paths."""

    def player(self, s: Any) -> int:
        return self._dice(-1, 1, "player", s) if s != (0, 0) else 0

    def outcomes(self, s: Any) -> list[tuple[int, float]]:
        weights = [self._dice(1, 4, "odds", s, a) for a in self.actions(s)]
        return [(a, w / sum(weights)) for a, w in zip(self.actions(s), weights, strict=True)]


class CircleGame(zermelo.Game):
    """A random graph of positions, with circles, dead ends and the same player twice in a row."""

    utility_bounds = (-1.0, 1.0)

    def __init__(self, seed: int, size: int = 12) -> None:
        rng = random.Random(seed)
        self.mover = [rng.randrange(2) for _ in range(size)]
        self.end = [rng.choice([None, None, None, -1, 0, 1]) for _ in range(size)]
        self.end[0] = None
        self.to = [[rng.randrange(size) for _ in range(rng.randint(1, 3))] for _ in range(size)]

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.mover[s]

    def actions(self, s: int) -> list[int]:
        return [] if self.is_terminal(s) else list(range(len(self.to[s])))

    def result(self, s: int, a: int) -> int:
        return self.to[s][a]

    def is_terminal(self, s: int) -> bool:
        return self.end[s] is not None

    def utility(self, s: int, p: int) -> float:
        u = self.end[s]
        assert u is not None
        return float(u if p == 0 else -u)


def circles(game: CircleGame) -> dict[int, tuple[float, int | None]]:
    """Value and distance of every position, by sweeps that ask the rules forwards each time."""
    found: dict[int, tuple[float, int | None]] = {}
    places = range(len(game.to))
    for s in places:
        if game.is_terminal(s) and game.utility(s, 0):
            found[s] = (game.utility(s, 0), 0)
    for plies in range(1, 2 * len(game.to) + 2):
        fresh = {}
        for s in places:
            if s in found or game.is_terminal(s):
                continue
            win = 1.0 if game.player(s) == 0 else -1.0
            after = [found.get(game.result(s, a), (0.0, None))[0] for a in game.actions(s)]
            if win in after or all(v == -win for v in after):
                fresh[s] = (win if win in after else -win, plies)
        found |= fresh
    return {s: found.get(s, (0.0, None)) for s in places}
