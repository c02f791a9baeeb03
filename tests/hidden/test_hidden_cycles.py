"""Hidden information where play can come back: `belief` ends without limits, with the right value.

The references walk the finite graph of beliefs as the definitions do and share no code with the
search.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

import pytest

import zermelo
from zermelo import CHANCE, EndlessGame, Game

GAMES = 1600
PARTS = 8
States = frozenset[int]
Step = tuple[float, list[States]]  # the worst end, and the beliefs told apart


class Graph(Game):
    """A random graph of positions; players see a colour of each, and how many moves it has."""

    recall = False
    utility_bounds = (-1.0, 1.0)

    def __init__(self, rng: random.Random) -> None:
        n = rng.randint(4, 14)
        self.players = rng.choice([1, 2, 2])
        first = 0 if rng.random() < 0.8 else 1  # 1: only ahead, so that every play ends
        self.kids = [
            [rng.randrange(first * (i + 1), n) for _ in range(rng.randint(1, 2))]
            if i < n - 3
            else []
            for i in range(n)
        ]
        movers = [*range(self.players), 0, CHANCE]
        self.movers = [0, *(rng.choice(movers) for _ in range(n - 1))]
        self.ends = [float(rng.choice([-1, 0, 1, 1])) for _ in range(n)]
        self.colours = [(rng.randrange(2), rng.randrange(2)) for _ in range(n)]

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.movers[s]

    def actions(self, s: int) -> list[int]:
        return list(range(len(self.kids[s])))

    def outcomes(self, s: int) -> list[tuple[int, float]]:
        return [(i, 1 / len(self.kids[s])) for i in self.actions(s)]

    def result(self, s: int, a: int) -> int:
        return self.kids[s][a]

    def is_terminal(self, s: int) -> bool:
        return not self.kids[s]

    def utility(self, s: int, p: int) -> float:
        return self.ends[s] if p == 0 else -self.ends[s]

    def observation(self, s: int, p: int) -> Hashable:
        return (self.movers[s], len(self.kids[s]), self.colours[s][p])


class Endless(Exception):
    """The reference's own: an average over play without end."""


def case(seed: int) -> tuple[Graph, int, list[int]]:
    """A game, a decision in it, and what its mover may be in."""
    rng = random.Random(seed)
    game = Graph(rng)
    s = rng.choice([i for i, kids in enumerate(game.kids) if kids and game.movers[i] != CHANCE])
    p = game.player(s)
    seen = game.observation(s, p)
    alike = [t for t, kids in enumerate(game.kids) if kids and game.observation(t, p) == seen]
    return game, s, [t for t in alike if t == s or rng.random() < 0.6]


def ahead(
    game: Graph, s: int, p: int, weight: float, above: tuple[int, ...] = ()
) -> list[tuple[int, float]]:
    """Where the others' moves lead, up to an end or a decision of `p`, with the odds."""
    if game.is_terminal(s) or game.player(s) == p:
        return [(s, weight)]
    if s in above:
        raise Endless
    kids = game.kids[s]
    return [x for t in kids for x in ahead(game, t, p, weight / len(kids), (*above, s))]


def steps(game: Graph, belief: States, p: int) -> list[Step]:
    """By action of the player."""
    found: list[Step] = []
    for a in game.actions(min(belief)):
        ends, parts = [2.0], dict[Hashable, set[int]]()
        for s in belief:
            try:
                reached = ahead(game, game.result(s, a), p, 1.0)
            except Endless:  # the others need never let the player move again
                ends.append(-1.0)
                continue
            for t, _ in reached:
                if game.is_terminal(t):
                    ends.append(game.utility(t, p))
                else:
                    parts.setdefault(game.observation(t, p), set()).add(t)
        found.append((min(ends), [frozenset(b) for b in parts.values()]))
    return found


def guaranteed(game: Graph, root: States, p: int, depth: int) -> list[float]:
    """What each action guarantees within `depth` decisions; play beyond them counts as -1."""
    graph: dict[States, list[Step]] = {}
    queue = [root]
    for b in queue:
        if b not in graph:
            graph[b] = steps(game, b, p)
            queue += [c for _, parts in graph[b] for c in parts]
    values = dict.fromkeys(graph, -1.0)
    for _ in range(min(depth - 1, len(graph))):
        values = {
            b: max(min([end, *(values[c] for c in parts)]) for end, parts in graph[b])
            for b in graph
        }
    return [min([end, *(values[c] for c in parts)]) for end, parts in graph[root]]


def averages(
    game: Graph, belief: dict[int, float], p: int, above: tuple[States, ...] = ()
) -> list[float]:
    """What each action is worth on average, weighted; raises Endless where play can come back."""
    support = frozenset(belief)
    if support in above:
        raise Endless
    found = []
    for a in game.actions(min(belief)):
        total, parts = 0.0, dict[Hashable, dict[int, float]]()
        for s, w in belief.items():
            for t, q in ahead(game, game.result(s, a), p, w):
                if game.is_terminal(t):
                    total += q * game.utility(t, p)
                else:
                    part = parts.setdefault(game.observation(t, p), {})
                    part[t] = part.get(t, 0.0) + q
        below = (max(averages(game, part, p, (*above, support))) for part in parts.values())
        found.append(total + sum(below))
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_guaranteed_where_play_can_come_back(part: int) -> None:
    for seed in range(part, GAMES, PARTS):
        game, s, states = case(seed)
        p = game.player(s)
        sign = 1 if p == 0 else -1
        for limit in ({}, {"depth": 1 + seed % 5}):
            r = zermelo.search(game, s, "belief", others="hostile", belief=states, **limit)
            want = guaranteed(game, frozenset(states), p, limit.get("depth", 10**6))
            assert sign * r.value == max(want), (seed, limit)
            assert want[r.action] == max(want), (seed, limit)
            if r.exact:
                assert max(want) == max(guaranteed(game, frozenset(states), p, 10**6)), seed


def test_what_is_guaranteed_is_reached() -> None:
    """An action that is as good but only puts it off is not taken for ever."""
    walked = 0
    for seed in range(GAMES):
        game, s, states = case(seed)
        p, belief, rng, value = game.player(s), frozenset(states), random.Random(seed), -1.0
        for decisions in range(100):
            r = zermelo.search(game, min(belief), "belief", others="hostile", belief=list(belief))
            value = max(value, r.value if p == 0 else -r.value)
            if value == -1:
                break
            end, parts = steps(game, belief, p)[r.action]
            assert end >= value, seed
            if not parts:
                break
            walked += decisions > 0
            belief = rng.choice(parts)
        else:
            pytest.fail(f"game {seed} goes on for ever")
    assert walked > 50


@pytest.mark.parametrize("part", range(PARTS))
def test_averages_where_play_can_come_back(part: int) -> None:
    """The right one where every play ends, else an error."""
    for seed in range(part, GAMES, PARTS):
        game, s, states = case(seed)
        p = game.player(s)
        try:
            want = averages(game, {t: 1 / len(states) for t in states}, p)
        except Endless:
            with pytest.raises(EndlessGame):
                zermelo.search(game, s, "belief", belief=states)
            continue
        r = zermelo.search(game, s, "belief", belief=states)
        found: dict[Any, float] = {m.action: m.value if p == 0 else -m.value for m in r.moves}
        assert found == pytest.approx(dict(enumerate(want))), seed


class Listed(Game):
    """One player in a graph given by hand; it sees nothing but that it is to move."""

    players = 1
    recall = False
    utility_bounds = (-1.0, 1.0)

    def __init__(self, kids: dict[str, str], chance: str = "") -> None:
        self.kids, self.chance = kids, chance

    def initial(self) -> str:
        return min(self.kids)

    def player(self, s: str) -> int:
        return CHANCE if s in self.chance else 0

    def actions(self, s: str) -> list[int]:
        return list(range(len(self.kids[s])))

    def outcomes(self, s: str) -> list[tuple[int, float]]:
        return [(i, 1 / len(self.kids[s])) for i in self.actions(s)]

    def result(self, s: str, a: int) -> str:
        return self.kids[s][a]

    def is_terminal(self, s: str) -> bool:
        return s not in self.kids

    def utility(self, s: str, p: int) -> float:
        return 1.0

    def observation(self, s: str, p: int) -> Hashable:
        return self.player(s), len(self.kids[s])


@pytest.mark.parametrize(
    ("kids", "chance"),
    [
        ({"a": "c", "b": "b", "c": "ab"}, "c"),  # the odds change for ever, the states do not
        ({"a": "bc", "b": "c", "c": "b"}, ""),  # a cycle that is entered in two places
        ({"a": "c", "c": "de", "d": "ce", "e": "cd"}, "cde"),  # nature alone goes round
    ],
)
def test_nothing_is_guaranteed_by_play_without_end(kids: dict[str, str], chance: str) -> None:
    game = Listed(kids, chance)
    r = zermelo.search(game, "a", "belief", others="hostile", belief=["a"])
    assert r.value == -1
    with pytest.raises(EndlessGame):
        zermelo.search(game, "a", "belief", belief=["a"])
