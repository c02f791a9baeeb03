"""Textbook examples of chance and of opponent models, for :mod:`zermelo.textbook.cases`."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from ..explicit.tree import tree
from ..game import CHANCE, Game
from ..games import load
from ..result import Result
from ..search.api import search
from ..search.models import mixed, searching
from ..view.number import number, probability


def ordinal_word(n: Any) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, str(n))


def answer_text(r: Result) -> str:
    """ "3, first move" """
    return f"{number(r.value)}, {ordinal_word(r.action)} move"


def chance_tree(text: str, **options: Any) -> Result:
    return search(tree(text), algorithm="expectiminimax", **options)


def _with_children(r: Result) -> str:
    return f"{answer_text(r)}; children {', '.join(number(m.value) for m in r.moves)}"


def expectation() -> str:
    lottery = chance_tree("chance(1/2:8 1/3:24 1/6:-12)")
    minutes = chance_tree("chance(0.25:20 0.5:30 0.25:60)")
    return f"{number(lottery.value)}; {number(minutes.value)}"


def expectimax() -> str:
    return _with_children(chance_tree("max(chance(3 12 9) chance(2 4 6) chance(15 6 0))"))


def coin() -> str:
    return _with_children(chance_tree("max(chance(min(2 4) min(7 4)) chance(min(6 0) min(5 -2)))"))


def cardinal() -> str:
    text = "max(chance(0.9:{} 0.1:{}) chance(0.9:{} 0.1:{}))"
    small, large = (chance_tree(text.format(*v)) for v in ((2, 3, 1, 4), (20, 30, 1, 400)))
    rng = random.Random(0)
    for _ in range(200):
        values = [rng.randint(-9, 9) for _ in range(4)]
        a, b = rng.uniform(0.1, 9), rng.uniform(-9, 9)
        moves = {chance_tree(text.format(*v)).action for v in (values, [a * x + b for x in values])}
        if len(moves) > 1:
            return f"{values}: a positive linear change changed the move"
    answers = f"{answer_text(small)}; {answer_text(large)}"
    return f"{answers}; positive linear changes keep the move on 200 trees"


def random_chance_tree(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return str(rng.randint(-10, 10))
    kind = ("max", "chance", "min", "chance")[depth % 4]
    return f"{kind}({' '.join(random_chance_tree(rng, depth - 1) for _ in range(3))})"


def chance_bounds() -> str:
    rng = random.Random(1)
    seen = {"none": 0, "star1": 0, "star2": 0}
    for _ in range(200):
        text = random_chance_tree(rng, 4)
        found = {p: chance_tree(text, prune=p) for p in seen}
        if len({(r.value, r.action) for r in found.values()}) > 1:
            return f"{text}: they differ"
        for p, r in found.items():
            seen[p] += r.leaves
    fewer = seen["star2"] < seen["star1"] < seen["none"] == 200 * 81
    return f"same value and move on 200 trees; {'fewer leaves, Star2 fewest' if fewer else seen}"


class TwoDice(Game):
    """One throw of two dice that are indistinguishable; the utility is their sum."""

    players = 1
    utility_bounds = (2.0, 12.0)

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, s: tuple[int, ...]) -> int:
        return CHANCE

    def actions(self, s: tuple[int, ...]) -> list[tuple[int, int]]:
        return [roll for roll, _ in self.outcomes(s)]

    def outcomes(self, s: tuple[int, ...]) -> list[tuple[tuple[int, int], float]]:
        throws = [(max(t), min(t)) for t in product(range(1, 7), repeat=2)]
        return [(roll, throws.count(roll) / 36) for roll in dict.fromkeys(throws)]

    def result(self, s: tuple[int, ...], a: tuple[int, int]) -> tuple[int, int]:
        return a

    def is_terminal(self, s: tuple[int, ...]) -> bool:
        return len(s) == 2

    def utility(self, s: tuple[int, ...], p: int) -> float:
        return float(sum(s))


def dice() -> str:
    game = TwoDice()
    rolls = dict(game.outcomes(game.initial()))
    kinds = [(w, {probability(p) for (a, b), p in rolls.items() if (a == b) == d}, d)
             for w, d in (("doubles", True), ("others", False))]  # fmt: skip
    counts = [sum((a == b) == d for a, b in rolls) for _, _, d in kinds]
    kinds_text = [f"{n} {w} of {'/'.join(ps) if len(ps) > 1 else ps.pop()}"
                  for n, (w, ps, _) in zip(counts, kinds, strict=True)]  # fmt: skip
    average = number(search(game).value)
    return f"{len(rolls)} rolls: {', '.join(kinds_text)}; they average {average}"


def backgammon_65() -> str:
    """White counts points upward to 25, as in the textbook; a Black blot is on 10."""
    from ..games.backgammon import Backgammon
    from ..games.backgammon.notation import steps

    game = load("backgammon")
    assert isinstance(game, Backgammon)
    white = {5: 2, 19: 3, 20: 4, 21: 3, 22: 3}
    black = {10: 1, 12: 5, 7: 3, 6: 4, 3: 2}
    s = game.with_checkers({25 - p: n for p, n in white.items()}, black, dice=(6, 5))
    plays = [
        sorted((25 - start, 25 - end) for start, end, _ in steps(code))
        for code in game.codes(s).values()
    ]
    return " ".join(f"({', '.join(f'{a}-{b}' for a, b in play)})" for play in sorted(plays))


def opponent_80_20() -> str:
    """The expected utility of both strategies against that opponent."""
    game = load("tic-tac-toe")
    erring = mixed(depth=2, best=0.8)
    best = search(game, algorithm="expectiminimax", opponents={1: erring})
    safe = search(game, algorithm="expectiminimax", opponents={0: searching(9), 1: erring})
    if not best.exact or not safe.exact:
        return "not to the end"
    return f"expectimax earns {'more' if best.value > safe.value > 0 else 'no more'} than minimax"
