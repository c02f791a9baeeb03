"""Max^n, paranoid and best-reply search in a few lines of Python each, and games to run them on."""

from __future__ import annotations

import random
from typing import Any

import zermelo
from zermelo import CHANCE

Values = tuple[float, ...]


def leaf(game: Any, s: Any, evaluate: Any) -> Values:
    players = range(game.players)
    if game.is_terminal(s):
        return tuple(game.utility(s, p) for p in players)
    return tuple(evaluate(s, p) if evaluate else 0.0 for p in players)


def mean(rows: list[tuple[float, Values]]) -> Values:
    return tuple(sum(p * v[i] for p, v in rows) for i in range(len(rows[0][1])))


def maxn(
    game: Any, s: Any, depth: int = -1, evaluate: Any = None, prefer: str = "first", root: int = 0
) -> Values:
    """What everybody gets when each takes the most for itself."""
    if game.is_terminal(s) or depth == 0:
        return leaf(game, s, evaluate)
    player = game.player(s)
    if player == CHANCE:
        return mean([(p, maxn(game, game.result(s, a), depth, evaluate, prefer, root))
                     for a, p in game.outcomes(s)])  # fmt: skip
    best: Values = ()
    for a in game.actions(s):
        v = maxn(game, game.result(s, a), depth - 1, evaluate, prefer, root)
        sign = {"first": 0, "hostile": -1, "friendly": 1}[prefer]
        tied = best and v[player] == best[player]
        if not best or v[player] > best[player] or (tied and sign * (v[root] - best[root]) > 0):
            best = v
    return best


def paranoid(game: Any, s: Any, root: int, depth: int = -1, evaluate: Any = None) -> float:
    """What `root` gets when all the others want to leave it the least."""
    if game.is_terminal(s) or depth == 0:
        return leaf(game, s, evaluate)[root]
    player = game.player(s)
    if player == CHANCE:
        return sum(p * paranoid(game, game.result(s, a), root, depth, evaluate)
                   for a, p in game.outcomes(s))  # fmt: skip
    values = [paranoid(game, game.result(s, a), root, depth - 1, evaluate) for a in game.actions(s)]
    return max(values) if player == root else min(values)


def usual(game: Any, s: Any, evaluate: Any) -> Any:
    """What a player does who has no choice."""
    actions = list(game.actions(s))
    if evaluate is None:
        return actions[0]
    player = game.player(s)
    return max(actions, key=lambda a: leaf(game, game.result(s, a), evaluate)[player])


def best_reply(
    game: Any, s: Any, root: int, depth: int = -1, evaluate: Any = None, acted: int = 0,
    replied: bool = False,
) -> float:  # fmt: skip
    """As paranoid, but between two moves of `root` only one of the others has a choice."""
    if game.is_terminal(s) or depth == 0:
        return leaf(game, s, evaluate)[root]
    player = game.player(s)

    def go(a: Any, depth: int, acted: int, replied: bool) -> float:
        if acted >= game.players - 1:
            acted, replied = 0, False
        return best_reply(game, game.result(s, a), root, depth, evaluate, acted, replied)

    if player == CHANCE:
        return sum(p * best_reply(game, game.result(s, a), root, depth, evaluate, acted, replied)
                   for a, p in game.outcomes(s))  # fmt: skip
    if player == root:
        return max(go(a, depth - 1, 0, False) for a in game.actions(s))
    if replied:
        return go(usual(game, s, evaluate), depth, acted + 1, True)
    values = [go(a, depth - 1, acted + 1, True) for a in game.actions(s)]
    if acted + 2 < game.players:
        values.append(go(usual(game, s, evaluate), depth, acted + 1, False))
    return min(values)


def random_text(rng: random.Random, players: int, depth: int, chance: bool, most: int = 6) -> str:
    """A random tree with tuples at its leaves; odds are halves and quarters, so sums are exact."""
    if depth == 0 or rng.random() < 0.12:
        return f"({','.join(str(rng.randint(-most, most)) for _ in range(players))})"
    if chance and rng.random() < 0.25:
        odds = rng.choice(["1/2 1/2", "1/4 3/4", "1/4 1/2 1/4", "1"]).split()
        below = (f"{p}:{random_text(rng, players, depth - 1, chance, most)}" for p in odds)
        return f"chance({' '.join(below)})"
    below = (random_text(rng, players, depth - 1, chance, most) for _ in range(rng.randint(1, 3)))
    return f"p{rng.randint(1, players)}({' '.join(below)})"


class Hashed(zermelo.Game):
    """A random game of many players in which ways meet again: a state is its depth and a number."""

    def __init__(self, seed: int, players: int, depth: int, chance: bool, zero: bool) -> None:
        self.seed, self.players, self.depth, self.lots = seed, players, depth, chance
        self.zero_sum = zero
        if not chance:
            self.outcomes = None

    def draw(self, s: Any, *what: Any) -> random.Random:
        return random.Random(f"{self.seed} {s} {what}")

    def initial(self) -> Any:
        return (0, 0)

    def player(self, s: Any) -> int:
        rng = self.draw(s, "player")
        return CHANCE if self.lots and s[0] and rng.random() < 0.2 else s[0] % self.players

    def actions(self, s: Any) -> list[int]:
        return list(range(self.draw(s, "actions").randint(1, 3)))

    def outcomes(self, s: Any) -> list[tuple[int, float]]:  # type: ignore[no-redef]
        return [(0, 0.25), (1, 0.75)]

    def result(self, s: Any, a: int) -> Any:
        return (s[0] + 1, self.draw(s, a).randint(0, 5))

    def is_terminal(self, s: Any) -> bool:
        return s[0] >= self.depth or (s[0] > 2 and self.draw(s, "over").random() < 0.1)

    def numbers(self, s: Any, what: str) -> list[float]:
        rng = self.draw(s, what)
        row = [float(rng.randint(-4, 4)) for _ in range(self.players)]
        if self.zero_sum:
            row[-1] = 0.0 - sum(row[:-1])
        return row

    def utility(self, s: Any, p: int) -> float:
        return self.numbers(s, "utility")[p]

    def evaluate(self, s: Any, p: int) -> float:
        return self.numbers(s, "guess")[p]
