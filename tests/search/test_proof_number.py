"""Proof-number search agrees with plain minimax, and with retrograde analysis of cycles.

``PYTHONPATH=tests/helpers python tests/search/test_proof_number.py`` runs the random comparisons
at full size (some minutes).
"""

from __future__ import annotations

import functools
import random
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkers_endings
import oracle
import zermelo
from oracle import CircleGame, HashedGame, children_values, minimax


def check(game: Any, value: float, good: list[Any]) -> None:
    for table in (1, 64):
        r = zermelo.solve(game, algorithm="proof-number", table=table)
        assert r.value == value and r.exact
        assert r.action in good and r.pv[0] == r.action
        assert sorted(m.action for m in r.moves) == sorted(game.actions(game.initial()))
        for m in r.moves:
            if m.kind == "exact":
                assert m.value == value and m.action in good
            else:  # no better than the best
                assert m.kind == ("upper" if r.player == 0 else "lower") and m.value == value


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 5))
def test_games_with_transpositions(seed: int, depth: int, width: int) -> None:
    game = HashedGame(seed, depth, width, span=1)
    s = game.initial()
    if game.is_terminal(s):
        return
    after = children_values(game, s)
    value = minimax(game, s)
    check(game, value, [a for a, v in after.items() if v == value])


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 24))
def test_games_with_circles(seed: int, size: int) -> None:
    game = CircleGame(seed, size)
    true = oracle.circles(game)
    value = true[0][0]
    check(game, value, [a for a in game.actions(0) if true[game.result(0, a)][0] == value])


def test_thousands_of_random_trees() -> None:
    rng = random.Random(11)
    for _ in range(2000):
        node = oracle.random_tree(rng, rng.randint(1, 5), -1, 1)
        game = zermelo.tree(oracle.text_of(node))
        if isinstance(node, tuple):
            r = zermelo.search(game, algorithm="proof-number", table=1)
            assert r.value == oracle.true_value(node) and r.exact


@pytest.mark.parametrize(
    "spec",
    ["tic-tac-toe", "tic-tac-toe:m=4,n=3,k=3", "connect-four:width=4,height=4", "nim:piles=5,6,7",
     "nim:piles=1,2,3", "split-nim:piles=20", "dodgem"],
)  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"narrow": False}, {"mirror": False}])
def test_our_games(spec: str, options: dict[str, Any]) -> None:
    game = zermelo.load(spec)
    expected = zermelo.solve(game).value
    r = zermelo.search(game, algorithm="proof-number", **options)
    assert r.value == expected and r.exact


class GraphGame(oracle.CircleGame):
    """A random graph with few ends, so that play repeats often."""

    def __init__(self, seed: int, size: int, ends: float, most: int = 4) -> None:
        rng = random.Random(seed)
        alternate = rng.random() < 0.5
        self.mover = [i % 2 if alternate else rng.randrange(2) for i in range(size)]
        self.end = [rng.choice((-1, 0, 1)) if rng.random() < ends else None for _ in range(size)]
        self.end[0] = None
        self.to = []
        for i in range(size):
            others = range(1 - i % 2, size, 2) if alternate else range(size)
            self.to.append(rng.choices(others, k=rng.randint(1, most)))


def retrograde(game: oracle.CircleGame) -> list[int]:
    """The value of every position, backwards from the ends; what is never reached is drawn."""
    before: list[list[int]] = [[] for _ in game.to]
    for s, after in enumerate(game.to):
        for t in after if game.end[s] is None else ():
            before[t].append(s)
    value = [e or 0 for e in game.end]
    left = [len(after) for after in game.to]
    todo = [s for s, v in enumerate(value) if v]
    while todo:
        t = todo.pop()
        for s in before[t]:
            if value[s]:
                continue
            left[s] -= 1
            if value[t] == (1, -1)[game.mover[s]] or left[s] == 0:
                value[s] = value[t]
                todo.append(s)
    return value


class LayeredGame(zermelo.Game):
    """Layers of a few positions: the number of paths to a position doubles with every layer."""

    utility_bounds = (-1.0, 1.0)

    def __init__(self, seed: int, layers: int, width: int, most: int) -> None:
        rng = random.Random(seed)
        alternate = rng.random() < 0.7
        self.layers, places = layers, range(width)
        self.mover = [
            [k % 2 if alternate else rng.randrange(2) for _ in places] for k in range(layers)
        ]
        self.to = [[rng.choices(places, k=most) for _ in places] for _ in range(layers)]
        self.end = rng.choices((-1, 0, 1), k=width)

    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def player(self, s: tuple[int, int]) -> int:
        return self.mover[s[0]][s[1]]

    def actions(self, s: tuple[int, int]) -> list[int]:
        return list(range(len(self.to[s[0]][s[1]])))

    def result(self, s: tuple[int, int], a: int) -> tuple[int, int]:
        return (s[0] + 1, self.to[s[0]][s[1]][a])

    def is_terminal(self, s: tuple[int, int]) -> bool:
        return s[0] == self.layers

    def utility(self, s: tuple[int, int], p: int) -> float:
        return float(self.end[s[1]] if p == 0 else -self.end[s[1]])

    def value(self) -> int:
        """Minimax, layer by layer from the last."""
        values = self.end
        for movers, to in zip(reversed(self.mover), reversed(self.to), strict=True):
            values = [
                (max, min)[m](values[t] for t in after) for m, after in zip(movers, to, strict=True)
            ]
        return values[0]


def holds(r: zermelo.Result, true: float) -> bool:
    """Is what the result says of its value true?"""
    return {
        "exact": r.value == true,
        "upper": r.value >= true,
        "lower": r.value <= true,
        "estimate": True,
    }[r.kind]


def layered_graphs(seeds: range, layers: list[int], widths: list[int]) -> None:
    for seed in seeds:
        rng = random.Random(f"layered {seed}")
        game = LayeredGame(seed, rng.choice(layers), rng.choice(widths), rng.randint(2, 4))
        r = zermelo.solve(game, algorithm="proof-number", table=rng.choice((1, 16)))
        assert r.exact and r.value == game.value(), seed


def test_layered_graphs() -> None:
    """Numbers that count a position once for every path would overflow here."""
    layered_graphs(range(300), [5, 10, 20, 40, 80], [3, 5, 10, 20])


def cyclic_graphs(seeds: range, sizes: list[int], nodes: int) -> int:
    """Returns how many were not settled within so many nodes."""
    unsettled = 0
    for seed in seeds:
        rng = random.Random(f"cyclic {seed}")
        game = GraphGame(seed, rng.choice(sizes), rng.choice((0.03, 0.1, 0.3)))
        r = zermelo.search(game, algorithm="proof-number", table=1, nodes=nodes)
        assert holds(r, retrograde(game)[0]), seed
        unsettled += not r.exact
    return unsettled


def test_cyclic_graphs() -> None:
    assert cyclic_graphs(range(2000), [6, 12, 25, 50, 100, 200], 100_000) < 20


def test_a_search_that_is_stopped_says_only_what_it_knows() -> None:
    kinds = set()
    for seed in range(600):
        rng = random.Random(f"stopped {seed}")
        game = GraphGame(seed, rng.choice((10, 30, 100)), rng.choice((0.03, 0.1)))
        true = retrograde(game)
        r = zermelo.search(game, algorithm="proof-number", table=1, nodes=rng.randint(1, 60))
        assert holds(r, true[0]), seed
        for m in r.moves:
            sure = {"exact": m.value == true[game.result(0, m.action)],
                    "upper": m.value >= true[game.result(0, m.action)],
                    "lower": m.value <= true[game.result(0, m.action)],
                    "estimate": m.visits == 0}  # fmt: skip
            assert sure[m.kind], seed
        kinds.add(r.kind)
    assert kinds == {"exact", "upper", "lower", "estimate"}


@functools.cache
def won_endings(men: bool) -> Any:
    """Positions of at most three pieces, and what of them is won by whom."""
    sides = ((1, 1), (2, 1), (1, 2)) if men else ((1, 1), (2, 1))
    positions = [p for b, w in sides for p in checkers_endings.placements(b, w, men)]
    found = checkers_endings.solve(positions)
    assert max(plies for _, plies in found.values()) < 80  # no draw by counting quiet moves
    return positions, {p: (1, -1)[winner] for p, (winner, _) in found.items()}


def endings(count: int, men: bool, nodes: int) -> int:
    """Returns how many were not settled within so many nodes."""
    game = zermelo.load("checkers")
    positions, won = won_endings(men)
    unsettled = 0
    for p in random.Random(17).sample(positions, count):
        s = game.parse_state(checkers_endings.text_of(p))
        r = zermelo.search(game, s, "proof-number", nodes=nodes, table=4)
        assert holds(r, won.get(p, 0)), checkers_endings.text_of(p)
        unsettled += not r.exact
    return unsettled


def test_checkers_endings() -> None:
    assert endings(300, False, 200_000) == 0


def test_positions_that_were_called_draws() -> None:
    checkers, nim = zermelo.load("checkers"), zermelo.load("nim:piles=40,41,42,take=4")
    s = checkers.parse_state("W:WK19:BK9,K17")
    assert zermelo.solve(checkers, s, "proof-number").value == 1
    for table in (1, 64):  # too small for all positions, and large enough
        assert zermelo.solve(nim, algorithm="proof-number", table=table).value == 1


def test_chess_counts_the_moves_since_a_capture() -> None:
    """Mate in 2 (Kc7, Ka7, Ra1): in time, and too late by the fifty-move rule."""
    game = zermelo.load("chess")
    for clock, value in ((96, 1), (97, 1), (98, 0)):
        s = game.parse_state(f"k7/8/2K5/8/8/8/8/1R6 w - - {clock} 60")
        assert zermelo.solve(game, s, "proof-number").value == value


def test_it_says_what_it_cannot_do() -> None:
    with pytest.raises(zermelo.RulesError, match="wins, draws and losses"):
        zermelo.solve(zermelo.tree("max(3 min(4 5))"), algorithm="proof-number")
    with pytest.raises(zermelo.RulesError, match=r"a utility of 0\.5"):
        zermelo.solve(zermelo.tree("max(-1 min(0.5 1))"), algorithm="proof-number")
    with pytest.raises(zermelo.RulesError, match=r"wins, draws and losses.* -16 "):
        zermelo.search(zermelo.load("othello:size=4"), algorithm="proof-number")
    with pytest.raises(zermelo.UsageError, match="does not support `depth`"):
        zermelo.search(zermelo.load("nim"), algorithm="proof-number", depth=3)
    r = zermelo.search(zermelo.load("connect-four"), algorithm="proof-number", nodes=500)
    assert r.nodes <= 500 and not r.exact and r.stopped == "nodes"
    with pytest.raises(zermelo.SearchBudgetExceeded):
        zermelo.solve(zermelo.load("connect-four"), algorithm="proof-number", time=0.1)


def test_solve_takes_another_way_where_play_circles() -> None:
    game = zermelo.load("dodgem")
    r = zermelo.solve(game)
    assert r.algorithm == "retrograde" and "positions can repeat" in r.why and r.value == 1
    assert zermelo.solve(game, algorithm="retrograde").value == 1
    with pytest.raises(zermelo.EndlessGame):
        zermelo.solve(game, algorithm="engine")


def test_solve_is_honest_where_positions_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retrograde analysis gives up, and proof-number search stops before it has an answer."""
    monkeypatch.setattr(sys.modules["zermelo.search.defaults"], "SOLVE_CYCLES_MB", 1)
    game = GraphGame(1, 60_000, 0.001)
    with pytest.raises(zermelo.SearchBudgetExceeded, match="not solved within 20000 nodes") as e:
        zermelo.solve(game, nodes=20_000)
    assert holds(e.value.result, retrograde(game)[0]) and not e.value.result.exact
    game.utility_bounds = (-5.0, 5.0)
    with pytest.raises(zermelo.TableError):
        zermelo.solve(game)


def main() -> None:
    layered_graphs(range(1000), [5, 10, 20, 40, 80], [3, 5, 10, 20])
    layered_graphs(range(100), [100, 300], [5, 20, 60])
    print("1,100 layered graphs: all solved, none wrong")
    left = cyclic_graphs(range(20_000), [6, 12, 25, 50, 100, 200, 400], 300_000)
    print(f"20,000 cyclic graphs: {left} not settled, none wrong")
    for men in (False, True):
        left = endings(2000, men, 3_000_000)
        kinds = "kings and men" if men else "kings"
        print(f"2,000 checkers endings of {kinds}: {left} not settled, none wrong")


if __name__ == "__main__":
    sys.exit(main())
