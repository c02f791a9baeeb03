"""Every algorithm agrees with a few lines of Python: values, moves, bounds, leaves, their order."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import oracle
import zermelo
from oracle import HashedGame, children_values, minimax
from zermelo import search, tree

CONVENTIONS = list(itertools.product(("equal", "strict"), ("soft", "hard")))
MANY = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def options(cut: str, fail: str) -> dict[str, str]:
    return {"cut": cut, "fail": fail}


def check_moves(r: Any, true: dict[Any, float]) -> None:
    """Each root move says the truth of its own knowledge; `true` may be of a limited depth."""
    assert [m.action for m in r.moves] == list(true)
    at_most = "upper" if r.player == 0 else "lower"
    for m in r.moves:
        if m.kind == "exact" or (m.kind == "estimate" and m.resolved):
            assert m.value == true[m.action], (m, true)
        elif m.kind == "estimate":  # no better than the best, as far as this depth tells
            assert m.value >= true[m.action] if at_most == "upper" else m.value <= true[m.action]
        elif m.kind == "lower":
            assert m.value <= true[m.action], (m, true)
        else:
            assert m.kind == "upper" and m.value >= true[m.action], (m, true)


def best_of(true: dict[Any, float], player: int) -> tuple[float, list[Any]]:
    value = (max, min)[player](true.values())
    return value, [a for a, v in true.items() if v == value]


def check_tree(node: Any) -> None:
    """One tree, every way of searching it."""
    game = tree(oracle.text_of(node))
    true = {i + 1: oracle.true_value(c) for i, c in enumerate(node[1])}
    value, best = best_of(true, node[0])
    plain = search(game, algorithm="minimax")
    assert (plain.value, plain.best, plain.action) == (value, best, best[0])
    assert plain.exact and {m.kind for m in plain.moves} == {"exact"}
    check_moves(plain, true)
    for cut, fail in CONVENTIONS:
        judge = oracle.AlphaBeta(cut == "strict", fail == "hard")
        assert judge.value(node) == value
        r = search(game, algorithm="alphabeta", trace=True, **options(cut, fail))
        assert (r.value, r.action, r.kind) == (value, best[0], "exact")
        assert [n.value for n in r.trace.leaves] == judge.leaves
        assert (r.nodes, r.leaves) == (judge.nodes, len(judge.leaves))
        assert sum(n.status == "visited" for n in r.trace.nodes) == r.nodes
        tied = search(game, algorithm="alphabeta", ties=True, **options(cut, fail))
        assert (tied.value, tied.action) == (value, best[0])
        assert tied.best == best
        check_moves(r, true)
        check_moves(tied, true)
        check_trace(r.trace, node)


def check_trace(trace: Any, root: Any) -> None:
    """At every node that was searched, value and kind fit the node's true value."""
    place = {0: root}
    for n in trace.nodes[1:]:
        up = trace.nodes[n.parent]
        place[n.id] = place[n.parent][1][up.children.index(n.id)]
    for n in trace.nodes:
        if n.status == "pruned":
            continue
        true = oracle.true_value(place[n.id])
        if n.kind == "exact":
            assert n.value == true
        else:
            assert n.value <= true if n.kind == "lower" else n.value >= true
        if n.children and n.best is not None:
            assert n.best in n.children


@MANY
@given(oracle.nodes(oracle.TIES, 3))
def test_trees_with_ties(node: Any) -> None:
    check_tree(node)


@MANY
@given(oracle.nodes(oracle.NUMBERS, 2))
def test_trees_with_any_numbers(node: Any) -> None:
    check_tree(node)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_hundreds_of_random_trees(depth: int) -> None:
    rng = random.Random(depth)
    for _ in range(500 if depth < 5 else 100):
        check_tree(oracle.random_tree(rng, depth, -rng.randint(1, 6), rng.randint(1, 6)))


@MANY
@given(oracle.nodes(oracle.TIES, 3), st.integers(1, 5), st.sampled_from(CONVENTIONS))
def test_several_lines(node: Any, lines: int, how: tuple[str, str]) -> None:
    true = {i + 1: oracle.true_value(c) for i, c in enumerate(node[1])}
    value, best = best_of(true, node[0])
    game = tree(oracle.text_of(node))
    r = search(game, algorithm="alphabeta", lines=lines, **options(*how))
    assert (r.value, r.action) == (value, best[0])
    check_moves(r, true)
    exact = [m for m in r.moves if m.kind == "exact"]
    assert len(exact) >= min(lines, len(true))
    sign = 1 if node[0] == 0 else -1
    ranks = sorted((sign * v for v in true.values()), reverse=True)[:lines]
    assert sorted((sign * m.value for m in exact), reverse=True)[:lines] == ranks


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(CONVENTIONS))
def test_games_with_transpositions(seed: int, depth: int, how: tuple[str, str]) -> None:
    game = HashedGame(seed, depth)
    s = game.initial()
    true = children_values(game, s)
    value, best = best_of(true, game.player(s))
    plain = search(game, algorithm="minimax")
    assert (plain.value, plain.best) == (value, best)
    check_moves(plain, true)
    for table, deepen in itertools.product((0, 1), (False, True)):
        r = search(
            game, algorithm="alphabeta", table=table, deepen=deepen, ties=True, **options(*how)
        )
        assert r.value == value and r.exact and r.action in best
        assert_line(game, r)
        assert r.best == best
        check_moves(r, true)
    solved = zermelo.solve(game, ties=True)
    assert solved.value == value and solved.best == best and solved.action in best
    check_moves(solved, true)


def assert_line(game: Any, r: Any) -> None:
    """The best line can be played, and where it reaches the end it earns the value."""
    for line, value in [(r.pv, r.value), *((m.pv, None) for m in r.moves)]:
        s = r.state
        for a in line:
            assert a in game.actions(s)
            s = game.result(s, a)
        if value is not None and game.is_terminal(s):
            assert game.utility(s, 0) == value


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 1), st.sampled_from(CONVENTIONS))
def test_depth_limits_and_evaluations(seed: int, depth: int, table: int, how: Any) -> None:
    game = HashedGame(seed, 7)
    s = game.initial()
    true = children_values(game, s, depth, game.evaluate)
    value, best = best_of(true, game.player(s))
    plain = search(game, algorithm="minimax", depth=depth)
    r = search(game, algorithm="alphabeta", depth=depth, table=table, **options(*how))
    own = search(game, algorithm="alphabeta", depth=depth, evaluate=game.evaluate)
    assert plain.value == r.value == own.value == value
    assert plain.action == own.action == best[0] and r.action in best
    assert plain.best == (best if plain.exact else [plain.action])
    check_moves(plain, true)
    check_moves(own, true)
    check_moves(r, true)
    blind = search(HashedGameBlind(seed, 7), algorithm="alphabeta", depth=depth)
    assert blind.value == minimax(game, s, depth, None)


class HashedGameBlind(HashedGame):
    """The same without an evaluation: unfinished counts as even."""

    @property
    def evaluate(self) -> Any:  # type: ignore[override]
        raise AttributeError("evaluate")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_kinds_where_the_depth_limit_was_felt(seed: int) -> None:
    """exact is only said where no evaluation had its say."""
    game = HashedGame(seed, 6)
    s = game.initial()
    value = minimax(game, s)
    for depth in range(1, 8):
        r = search(game, algorithm="minimax", depth=depth)
        if r.exact:
            assert r.value == value
        true = children_values(game, s)
        for m in r.moves:
            assert m.kind in ("exact", "estimate")
            assert m.kind != "exact" or m.value == true[m.action]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 400))
def test_stopped_searches_are_honest(seed: int, nodes: int) -> None:
    """Whatever the node limit: a legal move, and never a false claim."""
    game = HashedGame(seed, 6)
    s = game.initial()
    true = children_values(game, s)
    value, best = best_of(true, game.player(s))
    for algorithm in ("minimax", "alphabeta"):
        for deepen in (False, True):
            r = search(game, algorithm=algorithm, nodes=nodes, deepen=deepen)
            assert r.nodes <= nodes and r.action in game.actions(s)
            assert r.stopped in ("", "nodes")
            if r.exact:
                assert r.value == value and r.action in best
            elif r.kind == "lower" and not deepen:
                assert r.value <= value
            elif r.kind == "upper" and not deepen:
                assert r.value >= value
            if not deepen:
                for m in r.moves:
                    check_moves_one(m, true[m.action])


def check_moves_one(m: Any, true: float) -> None:
    assert m.kind != "exact" or m.value == true
    assert m.kind != "lower" or m.value <= true
    assert m.kind != "upper" or m.value >= true


def test_deepening_never_prefers_a_bound() -> None:
    """Depth 1 likes A; depth 2 shows A's 5 to be a mere bound: B it is."""

    class Late(zermelo.Game):
        utility_bounds = (0, 10)
        below = {"root": "BA", "B": "xy", "A": "zw"}  # noqa: RUF012

        def initial(self) -> str:
            return "root"

        def player(self, s: str) -> int:
            return int(s != "root")

        def actions(self, s: str) -> list[str]:
            return list(self.below[s])

        def result(self, s: str, a: str) -> str:
            return a

        def is_terminal(self, s: str) -> bool:
            return s not in self.below

        def utility(self, s: str, p: int) -> float:
            return {"x": 5, "y": 9, "z": 5, "w": 0}[s] * (1 - 2 * p)

        def evaluate(self, s: str, p: int) -> float:
            return {"A": 5, "B": 3, "root": 0}[s] * (1 - 2 * p)

    assert search(Late(), algorithm="alphabeta", depth=1).action == "A"
    assert search(Late(), algorithm="alphabeta", deepen=True).action == "B"


def test_strict_and_hard_together_know_bounds_from_values() -> None:
    r = search(
        tree("max(min(10 11) min(10 0))"),
        algorithm="alphabeta",
        cut="strict",
        fail="hard",
        ties=True,
    )
    assert r.best == [1]
    assert r.moves[1].kind == "upper"


def test_strict_and_hard_with_a_table() -> None:
    for seed in range(60):
        game = HashedGame(seed, 5)
        r = search(game, algorithm="alphabeta", table=1, cut="strict", fail="hard")
        assert r.value == minimax(game, game.initial())


def test_small_utilities_under_a_depth_limit() -> None:
    assert search(tree("max(0.0005 min(-1 1))"), algorithm="minimax", depth=3).value == 0.0005


def test_best_lines_with_a_table_can_be_played() -> None:
    game: Any = zermelo.load("tic-tac-toe")
    rng = random.Random(1)
    for _ in range(150):
        s = game.initial()
        for _ in range(rng.randrange(5)):
            s = game.result(s, rng.choice(game.actions(s)))
        r = zermelo.solve(game, s)
        assert_line(game, r)
        assert r.value == search(game, s, "minimax").value
