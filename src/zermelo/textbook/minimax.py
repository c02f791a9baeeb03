"""Textbook examples with two players and perfect information."""

from __future__ import annotations

import random
from itertools import product
from typing import Any, NamedTuple

from ..explicit.reorder import reordered
from ..explicit.tree import Tree, complete, tree
from ..game import Game
from ..games import load
from ..result import Result
from ..search.api import search
from ..search.counting import count_positions, grundy
from ..search.solve import solve
from ..view.number import number
from .chance import answer_text, ordinal_word


def alphabeta(text: str | Tree, **options: Any) -> Result:
    game = tree(text) if isinstance(text, str) else text
    return search(game, algorithm="alphabeta", trace=True, **options)


def leaves(r: Result) -> str:
    assert r.trace is not None
    return " ".join(number(n.value) for n in r.trace.leaves)


def _all_leaves(r: Result) -> int:
    assert r.trace is not None
    return sum(n.leaf == "terminal" for n in r.trace.nodes)


def visits(r: Result) -> str:
    return f"{r.leaves} of {_all_leaves(r)} leaves"


TWO_PLY = "max(min(3 12 8) min(2 {x} {y}) min(14 5 2))"
LUGER = "max(min(max(2 3) max(5 9)) min(max(0) max(7 4)) min(max(2 1) max(5 6)))"
FOUR_LEVEL = (
    "max(min(max(min(5 6) min(7 4 5)) max(min(3))) min(max(min(6) min(6 9)) max(min(7))) "
    "min(max(min(5)) max(min(9 8) min(6))))"
)
THREE_PLY = "max(L=min(L=max(L=3 R=5) R=max(L=6 R=9)) R=min(L=max(L=1 R=2) R=max(L=0 R=-1)))"


def two_ply() -> str:
    r = alphabeta(TWO_PLY.format(x=4, y=6))
    assert r.trace is not None
    cut = " and ".join(number(n.value) for n in r.trace.pruned)
    rest = {
        search(tree(TWO_PLY.format(x=x, y=y)), algorithm="minimax").value
        for x, y in product((-100, -1, 0, 2, 3, 4, 50), repeat=2)
    }
    same = "any x, y: 3" if rest == {3.0} else f"x, y matter: {rest}"
    return f"{answer_text(r)}; {visits(r)}, cuts {cut}; {same}"


def best_reply() -> str:
    return answer_text(alphabeta("max(min(8 2) min(5 6))"))


def ghosts() -> str:
    r = alphabeta("max(min(-8 -5) min(-10 8))")
    return f"{answer_text(r)}; {visits(r)}"


def single_agent() -> str:
    return answer_text(alphabeta("max(8 max(2 0) max(2 6) max(4 6))"))


def pessimist() -> str:
    text = "max({0}(10 10) {0}(9 100))"
    found = f"minimax {answer_text(alphabeta(text.format('min')))}"
    return f"{found}; chance {answer_text(search(tree(text.format('chance'))))}"


def root_ties() -> str:
    text = "max(min(10 11) min(10 0))"
    r = alphabeta(text, ties=True)
    true = search(tree(text), algorithm="minimax").moves[1].value
    best = ", ".join(ordinal_word(a) for a in r.best)
    bound = r.moves[1]
    second = f"{bound.kind} bound {number(bound.value)}, true value {number(true)}"
    return f"{number(r.value)}; best: {best}; second: {second}"


def luger() -> str:
    r = alphabeta(LUGER)
    return f"{number(r.value)}; visits {leaves(r)} ({r.leaves} of {_all_leaves(r)})"


def four_level() -> str:
    equal, strict = (alphabeta(FOUR_LEVEL, cut=c) for c in ("equal", "strict"))
    return f"{answer_text(equal)}; {visits(equal)} cutting on equality, {visits(strict)} not"


def three_ply() -> str:
    r = alphabeta(THREE_PLY)
    assert r.trace is not None
    cuts = [
        f"{path(r, n.id)} ({up.cut})"
        for n in r.trace.pruned
        if n.parent is not None and (up := r.trace.nodes[n.parent])
    ]
    return f"{number(r.value)}, {r.action}; visits {leaves(r)}; cuts {', '.join(cuts)}"


def path(r: Result, node: int) -> str:
    assert r.trace is not None
    labels = []
    up: int | None = node
    while up is not None:
        labels.append(r.trace.nodes[up].label)
        up = r.trace.nodes[up].parent
    return "".join(reversed(labels))


def conventions() -> str:
    notes = [alphabeta("max(3 4)", **o).why for o in ({}, {"cut": "equal"}, {"cut": "strict"})]
    default = ">= by default" if "value >= beta" in notes[0] else "?"
    other = "> on request" if "value > beta" in notes[2] else "?"
    return f"{default}, {other}, printed with every result" if notes[0] == notes[1] else "?"


def _ordered_tree(b: int, d: int, best_first: bool) -> Tree:
    """Every node's children from best to worst for its mover, or from worst to best.

    A leaf's value is a number in base b whose digit at each level is the child's rank there.
    """
    values = []
    for digits in product(range(b), repeat=d):
        value = 0
        for level, rank in enumerate(digits):
            better = -rank if best_first else rank
            value = value * b + (better if level % 2 == 0 else -better)
        values.append(value)
    return complete(b, d, values)


def best_order() -> str:
    for b in range(1, 5):
        for d in range(1, 7 if b < 4 else 6):
            least = b ** -(-d // 2) + b ** (d // 2) - 1
            for best_first, expected in ((True, least), (False, b**d)):
                r = search(_ordered_tree(b, d, best_first), algorithm="alphabeta")
                if r.leaves != expected:
                    return f"b={b} d={d}: {r.leaves} leaves instead of {expected}"
    return "best first b^ceil(d/2) + b^floor(d/2) - 1 leaves, worst first b^d"


def reordering() -> str:
    rng = random.Random(0)
    for _ in range(100):
        given = complete(3, 3, rng.sample(range(1000), 27))
        value = alphabeta(given).value
        for order, expected in (("best", 11), ("worst", 27)):
            r = alphabeta(reordered(given, order))
            if (r.value, r.leaves) != (value, expected):
                return f"{given.spec}, {order} first: {number(r.value)}, {r.leaves} leaves"
    return "100 trees with 3 x 3 x 3 leaves: same value; best first 11 of 27 leaves, worst first 27"


def ordinal() -> str:
    rng = random.Random(0)
    for _ in range(200):
        values = [rng.randint(-9, 9) for _ in range(27)]
        chosen = {
            search(complete(3, 3, map(f, values)), algorithm="alphabeta").action
            for f in (lambda x: x, lambda x: x**3, lambda x: 2.0**x, lambda x: 5 * x - 100)
        }
        if len(chosen) > 1:
            return f"{values}: the move changed"
    return "3 increasing functions keep the move on 200 trees"


def tic_tac_toe() -> str:
    game = load("tic-tac-toe")
    r = search(game, algorithm="minimax")
    return (
        f"{'draw' if r.value == 0 else r.value}; {r.nodes:,} nodes, {r.leaves:,} games, "
        f"{count_positions(game):,} positions"
    )


def open_lines() -> str:
    game: Any = load("tic-tac-toe")
    r = search(game, algorithm="minimax", depth=2, evaluate="open-lines")
    value = {m.action: number(m.value) for m in r.moves}
    e = number(game.evaluate(game.initial(), 0))
    won = search(game, game.parse_state("XX./OO./..."), algorithm="minimax", depth=1)
    infinite = "a win outranks all" if won.action == "c1" and won.exact else "?"
    return (
        f"centre {value['b2']}, corner {value['a1']}, edge {value['b1']}; empty board {e}; "
        f"{infinite}; plays {r.action}"
    )


def split_nim() -> str:
    seven = load("split-nim:piles=7")
    winner = "second" if solve(seven).value < 0 else "first"
    lost = [n for n in range(1, 61) if solve(load(f"split-nim:piles={n}")).value < 0]
    values = [grundy(load(f"split-nim:piles={n}")) for n in range(1, 31)]
    return (
        f"{winner} player wins 7, {count_positions(seven)} positions; lost: {join(lost)}; "
        f"Grundy: {join(values)}"
    )


def join(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


class Doomed(NamedTuple):
    """A bishop that cannot be saved; one pawn can be thrown away first."""

    turn: int
    pawns: int  # that White may still give
    given: int  # lost on the way
    threat: bool  # Black has to answer the pawn first
    bishop: bool
    over: bool = False


class Horizon(Game):
    """White's bishop (3) is trapped. Giving a pawn (1) delays its loss and saves nothing."""

    utility_bounds = (-10.0, 10.0)

    def initial(self) -> Doomed:
        return Doomed(turn=0, pawns=1, given=0, threat=False, bishop=True)

    def player(self, s: Doomed) -> int:
        return s.turn

    def actions(self, s: Doomed) -> list[str]:
        if s.turn == 0:
            return ["give a pawn", "wait"] if s.pawns else ["wait"]
        return ["take the pawn"] if s.threat else ["take the bishop", "wait"]

    def noisy(self, s: Doomed) -> list[str]:
        return [a for a in self.actions(s) if a.startswith("take")]

    def result(self, s: Doomed, a: str) -> Doomed:
        if a == "give a pawn":
            return s._replace(turn=1, pawns=s.pawns - 1, threat=True)
        if a == "take the pawn":
            return s._replace(turn=0, given=s.given + 1, threat=False)
        if a == "take the bishop":
            return s._replace(turn=0, bishop=False, over=True)
        return s._replace(turn=1 - s.turn, over=s.turn == 1)  # Black missed his chance

    def is_terminal(self, s: Doomed) -> bool:
        return s.over

    def utility(self, s: Doomed, p: int) -> float:
        return self.evaluate(s, p)

    def evaluate(self, s: Doomed, p: int) -> float:
        material = -s.given - (0 if s.bishop else 3)
        return float(material if p == 0 else -material)


def horizon() -> str:
    game = Horizon()
    found = []
    for label, options in (
        ("depth 3", {"depth": 3}),
        ("with quiescence", {"depth": 3, "quiescence": True}),
        ("to the end", {}),
    ):
        r = search(game, algorithm="alphabeta", **options)  # type: ignore[arg-type]
        found.append(f"{label}: {r.action} ({number(r.value)})")
    return "; ".join(found)


MIDDLEGAMES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6 c4d5 f6d5 h4e7 d8e7",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 c8e6 f2f3 f8e7 d1d2 e8g8",
)


def budget() -> str:
    """Alpha-beta searches more than 8 plies in a million nodes."""
    game = load("chess")
    depths = [search(game, game.parse_state(m), nodes=1_000_000).depth for m in MIDDLEGAMES]
    return "deeper than 8" if min(depths) > 8 else f"depth {min(depths)}"
