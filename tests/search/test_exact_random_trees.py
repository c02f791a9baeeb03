"""Claims about random trees with fractional utilities, chance or many players."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

import zermelo
from exactness import assert_kind, check


@dataclass
class Node:
    player: int  # -1: chance, -2: terminal
    utility: tuple[float, ...] = ()
    children: list[Node] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)


class RandomGraph(zermelo.Game):
    """A tree in which some nodes have several parents. Actions are the places of the children."""

    name = "random graph"
    utility_bounds = (-1.0, 1.0)

    def __init__(self, rng: random.Random, players: int, chance: bool, zero_sum: bool) -> None:
        self.players, self.chance, self.zero_sum = players, chance, zero_sum
        self.rng = rng
        self.nodes: list[Node] = []
        self.shared: dict[int, list[Node]] = {}
        root = self._grow(rng.randint(2, 5), top=True)
        self.root = self.nodes.index(root)
        self.number = {id(n): i for i, n in enumerate(self.nodes)}

    def _grow(self, depth: int, top: bool = False) -> Node:
        rng = self.rng
        known = self.shared.setdefault(depth, [])
        if known and rng.random() < 0.3:
            return rng.choice(known)
        if not top and (depth == 0 or rng.random() < 0.25):
            scale = rng.choice((1, 2, 2, 4))
            utility = [rng.randint(-scale, scale) / scale for _ in range(self.players)]
            if self.zero_sum:
                utility[1] = 0.0 - utility[0]
            node = Node(-2, tuple(utility))
        elif self.chance and rng.random() < 0.25 and depth > 0:
            count = rng.randint(1, 3)
            weights = [rng.randint(1, 4) for _ in range(count)]
            node = Node(-1, odds=[w / sum(weights) for w in weights])
            node.children = [self._grow(depth - 1) for _ in range(count)]
        else:
            node = Node(rng.randrange(self.players))
            node.children = [self._grow(depth - 1) for _ in range(rng.randint(1, 3))]
        self.nodes.append(node)
        known.append(node)
        return node

    def initial(self) -> int:
        return self.root

    def player(self, s: int) -> int:
        return self.nodes[s].player

    def actions(self, s: int) -> list[int]:
        return list(range(len(self.nodes[s].children)))

    def result(self, s: int, a: int) -> int:
        return self.number[id(self.nodes[s].children[a])]

    def is_terminal(self, s: int) -> bool:
        return self.nodes[s].player == -2

    def utility(self, s: int, p: int) -> float:
        return self.nodes[s].utility[p]

    def value(self, n: Node) -> tuple[float, ...]:
        """Backward induction; of equal children the first."""
        if n.player == -2:
            return n.utility
        each = [self.value(c) for c in n.children]
        if n.player == -1:
            return tuple(
                sum(p * v[i] for p, v in zip(n.odds, each, strict=True))
                for i in range(self.players)
            )
        if self.zero_sum:
            return max(each, key=lambda v: v[0] if n.player == 0 else -v[0])
        return max(each, key=lambda v: v[n.player])


class ChanceGraph(RandomGraph):
    def outcomes(self, s: int) -> list[tuple[int, float]]:
        return list(enumerate(self.nodes[s].odds))


def graphs(count: int, players: int, chance: bool, zero_sum: bool) -> list[RandomGraph]:
    rng = random.Random(f"{players}{chance}{zero_sum}")
    made = ChanceGraph if chance else RandomGraph
    return [made(rng, players, chance, zero_sum) for _ in range(count)]


def check_tree(game: RandomGraph, r: zermelo.Result) -> None:
    root = game.nodes[game.root]
    truth = game.value(root)
    children = {i: game.value(c) for i, c in enumerate(root.children)}
    if root.player == -1:
        assert r.action is None and r.best == []
        assert_kind(r.kind, r.value, truth[0])
        for m in r.moves:
            assert_kind(m.kind, m.value, children[m.action][0])
        return
    if game.zero_sum:
        sign = 1 if root.player == 0 else -1
        check(r, truth[0], {a: v[0] for a, v in children.items()}, sign)
        return
    assert sorted(m.action for m in r.moves) == sorted(children)
    for m in r.moves:
        assert m.kind in ("exact", "estimate")
        if m.kind == "exact":
            assert m.values == pytest.approx(children[m.action])
    if r.kind == "exact":
        assert r.values == pytest.approx(truth)
        assert all(children[a][root.player] == pytest.approx(truth[root.player]) for a in r.best)
    else:
        assert r.kind == "estimate" and r.best == [r.action]


TREE_LIMITS: list[dict[str, Any]] = [
    {},
    {"depth": 1},
    {"depth": 2},
    {"depth": 3},
    {"nodes": 5},
    {"nodes": 12},
    {"depth": 3, "nodes": 8},
    {"table": 1},
    {"table": 1, "nodes": 15},
    {"table": 1, "depth": 3},
]


def check_within_limits(game: RandomGraph, algorithm: str, seed: int) -> None:
    """Search a tree within each of the limits that the algorithm supports, and check the result."""
    for limits in TREE_LIMITS:
        if algorithm == "mcts" and limits.keys() - {"nodes"}:
            continue
        if algorithm == "minimax" and "table" in limits:
            continue
        given = dict(limits)
        if algorithm == "mcts":
            given = {"simulations": given.get("nodes", 60), "seed": seed}
        check_tree(game, zermelo.search(game, None, algorithm, **given))


DUEL = ("minimax", "alphabeta", "engine", "maxn", "paranoid", "best-reply", "expectiminimax")


@pytest.mark.parametrize("algorithm", [*DUEL, "auto", "mcts"])
def test_fractional_utilities_are_never_taken_for_decided(algorithm: str) -> None:
    for i, game in enumerate(graphs(250, 2, False, True)):
        check_within_limits(game, algorithm, seed=i)


def test_solve_with_fractional_utilities() -> None:
    for game in graphs(600, 2, False, True):
        truth = game.value(game.nodes[game.root])[0]
        r = zermelo.solve(game)
        assert r.exact
        check_tree(game, r)
        r = zermelo.solve(game, ties=True)
        check_tree(game, r)
        root = game.nodes[game.root]
        ties = [i for i, c in enumerate(root.children) if game.value(c)[0] == truth]
        assert sorted(r.best) == ties
        assert zermelo.solve_all(game, [game.root])[0].value == truth


@pytest.mark.parametrize("algorithm", DUEL)
@pytest.mark.parametrize("judged", [False, True])
def test_depth_limits_compare_fractional_utilities_with_evaluations(
    algorithm: str, judged: bool
) -> None:
    for game in graphs(250, 2, False, True):
        marks = [random.Random(i).randint(-7, 7) / 8 for i in range(len(game.nodes))]

        def estimate(s: int, p: int, marks: Any = marks) -> float:
            return marks[s] if p == 0 else -marks[s]

        def value(n: Node, depth: int, game: RandomGraph = game, marks: Any = marks) -> float:
            if n.player == -2:
                return n.utility[0]
            if depth == 0:
                return marks[game.number[id(n)]] if judged else 0.0
            each = [value(c, depth - 1) for c in n.children]
            return max(each) if n.player == 0 else min(each)

        for depth in (1, 2, 3, 4):
            given = {"evaluate": estimate} if judged else {}
            r = zermelo.search(game, None, algorithm, depth=depth, **given)
            assert r.value == value(game.nodes[game.root], depth)
            check_tree(game, r)


@pytest.mark.parametrize(
    "algorithm", ["expectiminimax", "maxn", "paranoid", "best-reply", "mcts", "auto"]
)
def test_chance_trees(algorithm: str) -> None:
    for i, game in enumerate(graphs(250, 2, True, True)):
        check_within_limits(game, algorithm, seed=i)


@pytest.mark.parametrize("algorithm", ["maxn", "paranoid", "best-reply", "mcts"])
@pytest.mark.parametrize("players", [2, 3])
def test_general_sum_trees(algorithm: str, players: int) -> None:
    for i, game in enumerate(graphs(150, players, False, False)):
        check_within_limits(game, algorithm, seed=i)
