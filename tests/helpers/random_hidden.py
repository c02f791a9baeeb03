"""Random games of hidden information in plain Python, and what searches of them must return.

The references read as the definitions do and share no code with the searches.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from zermelo import CHANCE, Game

State = tuple[Any, ...]
NAMES: tuple[Any, ...] = ("left", "right", (0, 1), 7, "pass", 1.5, frozenset({2}))


class Hidden(Game):
    """Nature deals a world, then two players (or one) move in a random public order.

    States that look alike to the mover have the same set of actions, but each state lists them in
    an order of its own. With `forget` a state keeps only a running total of the actions, so that
    different histories meet and observations do not tell the past.
    """

    def __init__(self, seed: int, *, players: int = 2, dice: bool = True) -> None:
        draw = random.Random(seed)
        self.seed, self.players = seed, players
        self.worlds = draw.randint(2, 5)
        self.forget = draw.random() < 0.3
        movers = [0, 1, CHANCE] if dice else [0, 1]
        self.movers = [CHANCE, *(m % players if m >= 0 else m
                                 for m in draw.choices(movers, [4, 4, 1][: len(movers)],
                                                       k=draw.randint(2, 5)))]  # fmt: skip
        self.utility_bounds = (-9.0, 9.0) if draw.random() < 0.7 else None
        self.known: dict[Any, dict[State, float]] = {}

    def draw(self, *what: Any) -> random.Random:
        return random.Random(zlib.crc32(repr((self.seed, what)).encode()))

    def initial(self) -> State:
        return ()

    def moves_made(self, s: State) -> int:
        return s[1] + 1 if self.forget and len(s) == 3 else len(s)

    def is_terminal(self, s: State) -> bool:
        n = self.moves_made(s)
        return n == len(self.movers) or (n > 1 and self.draw("over", s).random() < 0.15)

    def player(self, s: State) -> int:
        return self.movers[self.moves_made(s)]

    def actions(self, s: State) -> list[Any]:
        """The set depends on what the mover sees, the order on the whole state."""
        seen = self.observation(s, self.player(s))
        legal = self.draw("legal", seen)
        found = legal.sample(NAMES, legal.randint(1, 3))
        self.draw("order", s).shuffle(found)
        return found

    def outcomes(self, s: State) -> list[tuple[Any, float]]:
        faces = range(self.worlds) if not s else range(2)
        weights = [
            self.draw("odds", self.moves_made(s), f).randint(0 if f else 1, 4) for f in faces
        ]
        pairs = [(f, w / sum(weights)) for f, w in zip(faces, weights, strict=True)]
        self.draw("order", s).shuffle(pairs)
        return pairs

    def result(self, s: State, a: Any) -> State:
        if not s:
            return (a,)
        if not self.forget:
            return (*s, a)
        n, total = (s[1], s[2]) if len(s) == 3 else (0, 0)
        return (s[0], n + 1, (total + (a if isinstance(a, int) else NAMES.index(a))) % 4)

    def utility(self, s: State, p: int) -> float:
        u = self.draw("end", s).randint(-9, 9) / 2
        return u if p == 0 else -u

    def observation(self, s: State, p: int) -> Any:
        if self.forget:
            return (self.moves_made(s), p, s[2] % 2) if len(s) == 3 else (len(s), p)
        seen: list[Any] = [p]
        for i, a in enumerate(s[1:], 1):
            shown = self.draw("shown", i, p).random() < 0.4
            seen.append(a if self.movers[i] == p or shown else "?")
            if self.draw("hint", i, p).random() < 0.25:
                seen.append(self.draw("told", i, p, s[0]).randint(0, 1))
        return tuple(seen)


class Sampled(Hidden):
    """The same with ``sample``: deals of the states that look alike, by their odds."""

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        if (s, p) not in self.known:
            self.known[s, p] = alike(self, s, p)
        odds = self.known[s, p]
        return rng.choices(list(odds), list(odds.values()))[0]


def moves(game: Hidden, s: State) -> list[tuple[Any, float]]:
    """Nature's outcomes by their odds, a player's actions as equally likely."""
    if game.player(s) == CHANCE:
        return [(a, q) for a, q in game.outcomes(s) if q > 0]
    legal = game.actions(s)
    return [(a, 1 / len(legal)) for a in legal]


def alike(game: Hidden, state: State, p: int) -> dict[State, float]:
    """The states in which `p` moves that it cannot tell from this one, with their odds."""
    seen, found = game.observation(state, p), dict[State, float]()

    def walk(s: State, weight: float) -> None:
        if game.is_terminal(s):
            return
        mover = game.player(s)
        if mover == p and game.observation(s, p) == seen:
            found[s] = found.get(s, 0.0) + weight
        for a, q in moves(game, s):
            walk(game.result(s, a), weight * (1 if mover == p else q))

    walk(game.initial(), 1.0)
    total = sum(found.values())
    return {s: w / total for s, w in found.items()}


def decisions(game: Hidden) -> Iterator[State]:
    """Every state in which a player moves, once."""
    known = {game.initial()}
    queue = [game.initial()]
    for s in queue:
        if game.is_terminal(s):
            continue
        if game.player(s) != CHANCE:
            yield s
        for a, _ in moves(game, s):
            t = game.result(s, a)
            if t not in known:
                known.add(t)
                queue.append(t)


def belief_values(
    game: Hidden, odds: dict[State, float], p: int, hostile: bool
) -> dict[Any, float]:
    """What each action is worth to `p` in a belief: the average where nature moves by its odds and
    the others choose any action equally, or the least that may happen (hostile). Weighted: the
    weights in `odds` need not add up to 1."""
    found: dict[Any, float] = {}
    for action in game.actions(next(iter(odds))):
        ends: list[float] = []
        parts: dict[Any, dict[State, float]] = {}
        queue = [(game.result(s, action), w) for s, w in odds.items()]
        for s, w in queue:
            if game.is_terminal(s):
                ends.append(game.utility(s, p) * (1 if hostile else w))
            elif game.player(s) == p:
                part = parts.setdefault(game.observation(s, p), {})
                part[s] = part.get(s, 0.0) + w
            else:
                queue += [(game.result(s, a), w * q) for a, q in moves(game, s)]
        values = ends + [
            max(belief_values(game, part, p, hostile).values()) for part in parts.values()
        ]
        found[action] = min(values) if hostile else sum(values)
    return found


def open_values(game: Hidden, odds: dict[State, float], p: int) -> dict[Any, float]:
    """What each action is worth to `p` on average, if from then on everybody saw everything."""

    @cache
    def value(s: State) -> float:
        if game.is_terminal(s):
            return game.utility(s, 0)
        mover = game.player(s)
        below = [(value(game.result(s, a)), q) for a, q in moves(game, s)]
        if mover == CHANCE:
            return sum(v * q for v, q in below)
        return (max if mover == 0 else min)(v for v, _ in below)

    sign = 1 if p == 0 else -1
    return {
        a: sign * sum(w * value(game.result(s, a)) for s, w in odds.items())
        for a in game.actions(next(iter(odds)))
    }
