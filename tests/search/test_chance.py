"""Expectiminimax and its cuts agree with a few lines of Python and with OpenSpiel."""

from __future__ import annotations

import doctest
import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import zermelo
from chance import PRUNES, Unbounded, expectiminimax
from zermelo import CHANCE, search, tree

CLOSE = 1e-9


def check_kinds(r: Any, true: dict[Any, float]) -> None:
    """Each root move says the truth of its own knowledge."""
    assert [m.action for m in r.moves] == list(true)
    for m in r.moves:
        if m.kind == "exact" or (m.kind == "estimate" and m.resolved):
            assert math.isclose(m.value, true[m.action], abs_tol=CLOSE)
        elif m.kind == "estimate":  # no better than the best, as far as this depth tells
            sign = 1 if r.player == 0 else -1
            assert sign * m.value >= sign * true[m.action] - CLOSE
        elif m.kind == "lower":
            assert m.value <= true[m.action] + CLOSE
        else:
            assert m.kind == "upper" and m.value >= true[m.action] - CLOSE


def check_trace(trace: Any, root: Any) -> None:
    """At every node that was searched, value and kind fit the node's true value."""
    place = {0: root}
    for n in trace.nodes[1:]:
        up = place[n.parent]
        child = up[1][int(n.label) - 1]
        place[n.id] = child[1] if up[0] == CHANCE else child
        assert n.probability == (float(child[0]) if up[0] == CHANCE else None)
    for n in trace.nodes:
        if n.status == "pruned":
            continue
        true = oracle.true_value(place[n.id])
        if n.kind == "exact":
            assert math.isclose(n.value, true, abs_tol=CLOSE)
        else:
            sign = 1 if n.kind == "lower" else -1
            assert sign * n.value <= sign * true + CLOSE
    for e in trace.events:
        if e.low is not None:
            true = oracle.true_value(place[e.node])
            assert e.low - CLOSE <= true <= e.high + CLOSE


@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_cuts_change_neither_value_nor_move(depth: int) -> None:
    """Thousands of trees of MAX, MIN and chance; bit by bit the same with every way of cutting."""
    rng = random.Random(depth)
    leaves = dict.fromkeys(PRUNES, 0)
    for n in range(700 if depth < 5 else 150):
        node = oracle.random_chance_tree(rng, depth, -rng.randint(1, 10), rng.randint(1, 10))
        game = tree(oracle.text_of(node))
        true = {i + 1: oracle.true_value(c) for i, c in enumerate(node[1])}
        plain = expectiminimax(game, prune="none")
        best = (max, min)[node[0]](true.values())
        assert math.isclose(plain.value, best, abs_tol=CLOSE) and plain.exact
        assert math.isclose(true[plain.action], best, abs_tol=CLOSE)
        assert {m.kind for m in plain.moves} == {"exact"}
        check_kinds(plain, true)
        for prune in PRUNES:
            r = expectiminimax(game, prune=prune, trace=n % 5 == 0)
            assert (r.value, r.action, r.kind) == (plain.value, plain.action, "exact"), prune
            leaves[prune] += r.leaves
            check_kinds(r, true)
            if r.trace:
                check_trace(r.trace, node)
    assert leaves["star1"] < leaves["none"] and leaves["star2"] < leaves["none"]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(PRUNES), st.booleans())
def test_games_with_transpositions(seed: int, depth: int, prune: str, deepen: bool) -> None:
    game = oracle.ChanceGame(seed, depth)
    s = game.initial()
    true = {a: oracle.expectiminimax(game, game.result(s, a)) for a in game.actions(s)}
    best = max(true.values())
    for table in (0, 1):
        r = expectiminimax(game, prune=prune, table=table, deepen=deepen)
        assert r.exact and math.isclose(r.value, best, abs_tol=CLOSE)
        assert math.isclose(true[r.action], best, abs_tol=CLOSE)
        check_kinds(r, true)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 1), st.sampled_from(PRUNES))
def test_depth_limits(seed: int, depth: int, table: int, prune: str) -> None:
    """A player's move costs depth, chance costs none, and a table changes nothing."""
    game = oracle.ChanceGame(seed, 7)
    s = game.initial()
    true = {
        a: oracle.expectiminimax(game, game.result(s, a), depth - 1, game.evaluate)
        for a in game.actions(s)
    }
    r = expectiminimax(game, depth=depth, prune=prune, table=table)
    assert math.isclose(r.value, max(true.values()), abs_tol=CLOSE)
    check_kinds(r, true)
    exact = oracle.expectiminimax(game, s)
    assert not r.exact or math.isclose(r.value, exact, abs_tol=CLOSE)
    some = expectiminimax(game, depth=depth, prune=prune, table=table, lines=2)
    known = sorted((m.value for m in some.moves if m.resolved), reverse=True)
    ranks = sorted(true.values(), reverse=True)[:2]
    assert known[: len(ranks)] == pytest.approx(ranks)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 300), st.sampled_from(PRUNES))
def test_stopped_searches_are_honest(seed: int, nodes: int, prune: str) -> None:
    game = oracle.ChanceGame(seed, 6)
    s = game.initial()
    value = oracle.expectiminimax(game, s)
    for deepen in (False, True):
        r = expectiminimax(game, nodes=nodes, deepen=deepen, prune=prune)
        assert r.nodes <= nodes and r.action in game.actions(s)
        assert not r.exact or math.isclose(r.value, value, abs_tol=CLOSE)
        if r.kind == "lower" and not deepen:
            assert r.value <= value + CLOSE


class Loud(oracle.ChanceGame):
    """Evaluations far beyond the utilities."""

    def evaluate(self, s: Any, p: int) -> float:
        return 1000 * super().evaluate(s, p)


@pytest.mark.parametrize("prune", PRUNES)
def test_without_bounds_and_beyond_them(prune: str) -> None:
    for seed in range(150):
        for cls, depth in ((Unbounded, None), (Unbounded, 3), (Loud, 3)):
            game = cls(seed, 6)
            true = oracle.expectiminimax(game, game.initial(), depth, game.evaluate)
            r = expectiminimax(game, depth=depth, prune=prune)
            assert math.isclose(r.value, true, abs_tol=1e-6)


class OddGuesses(oracle.ChanceGame):
    """Evaluations of which some, many or all leave the bounds of the utilities."""

    def __init__(self, seed: int, depth: int) -> None:
        rng = random.Random(f"odd {seed}")
        bound = rng.choice((1, 1, 3))
        super().__init__(seed, depth, width=rng.choice((3, 5, 8)), span=bound)
        self.rare, self.scale = rng.choice((0.02, 0.1, 0.5, 1.0)), rng.choice((1.5, 4.0, 100.0))

    def evaluate(self, s: Any, p: int) -> float:
        rng = random.Random(f"{self.seed} guess {s}")
        e = rng.uniform(-self.span, self.span)
        if rng.random() < self.rare:
            e *= self.scale
        return e if p == 0 else -e

    def inside(self, s: Any, p: int) -> float:
        """What is beyond a bound counts as just short of it."""
        low, high = self.utility_bounds
        e = self.evaluate(s, p)
        return (
            math.nextafter(low, high) if e < low else math.nextafter(high, low) if e > high else e
        )

    def squashed(self, s: Any, p: int) -> float:
        e = self.evaluate(s, p)
        return e / (1 + abs(e)) if self.span == 1 else e


def test_cuts_change_nothing_where_evaluations_leave_the_bounds() -> None:
    """The values of Star1 and Star2 are those of plain expectiminimax, bit by bit."""
    beyond = 0
    for seed in range(1200):
        rng = random.Random(f"bounds {seed}")
        game, depth = OddGuesses(seed, rng.randint(3, 7)), rng.randint(1, 5)
        options = {"depth": depth, "table": rng.choice((0, 1)), "deepen": rng.random() < 0.3}
        plain, *others = (expectiminimax(game, prune=p, **options) for p in PRUNES)
        s = game.initial()
        for r in others:
            assert (r.value, r.action) == (plain.value, plain.action), seed
            assert not r.exact or math.isclose(r.value, oracle.expectiminimax(game, s)), seed
        near = [oracle.expectiminimax(game, s, depth, e) for e in (game.inside, game.squashed)]
        assert any(math.isclose(plain.value, v, abs_tol=1e-6) for v in near), seed
        beyond += not math.isclose(*near, abs_tol=1e-6)
    assert beyond > 300


def test_averages_are_of_utilities_not_of_wins() -> None:
    """A sure win of 1 beside evaluations in the same unit: nothing is lifted."""

    class Late(zermelo.Game):
        utility_bounds = (-1.0, 1.0)

        def initial(self) -> str:
            return "root"

        def player(self, s: str) -> int:
            return CHANCE if s == "gamble" else 0

        def actions(self, s: str) -> list[str]:
            return {"root": ["gamble", "go on"], "gamble": ["won", "lost"], "go on": ["won"]}[s]

        def outcomes(self, s: str) -> list[tuple[str, float]]:
            return [("won", 0.6), ("lost", 0.4)]

        def result(self, s: str, a: str) -> str:
            return a

        def is_terminal(self, s: str) -> bool:
            return s in ("won", "lost")

        def utility(self, s: str, p: int) -> float:
            return (1.0 if s == "won" else -1.0) * (1 - 2 * p)

        def evaluate(self, s: str, p: int) -> float:
            return {"go on": 0.5, "gamble": 0.2, "root": 0.0}[s] * (1 - 2 * p)

    r = search(Late(), depth=1)
    assert (r.action, r.value, r.kind, r.algorithm) == ("go on", 0.5, "estimate", "expectiminimax")
    assert [m.value for m in r.moves] == [0.2, 0.5]
    gamble = search(Late(), "gamble", depth=1)
    assert gamble.action is None and gamble.value == pytest.approx(0.2) and gamble.exact


def test_a_win_counts_more_than_a_loud_evaluation() -> None:
    """Connect four's evaluation counts lines; against a random player a four is still better."""
    game: Any = zermelo.load("connect-four")
    s = game.parse_state("141516")  # three in a column, and open lines elsewhere
    for depth in (1, 2):
        for prune in PRUNES:
            r = search(game, s, opponents="random", depth=depth, prune=prune)
            assert (r.action, r.value) == (1, 1.0)
            assert all(-1 <= m.value <= 1 for m in r.moves)


@pytest.mark.parametrize("algorithm", ["expectiminimax", "maxn", "paranoid", "best-reply"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_win_in_one_is_taken(algorithm: str, depth: int) -> None:
    """Whatever the evaluation promises elsewhere, and though other wins are as sure."""
    game: Any = zermelo.load("tic-tac-toe")
    rng = random.Random(3)
    tried = 0
    while tried < 20:
        s = game.initial()
        for _ in range(4):
            s = game.result(s, rng.choice(game.actions(s)))
        wins = [a for a in game.actions(s) if game.is_terminal(game.result(s, a))]
        if not wins:
            continue
        tried += 1
        r = search(game, s, algorithm, opponents={1: "random"}, depth=depth, evaluate="open-lines")
        assert r.action in wins and r.value == 1
        assert all(-1 <= m.value <= 1 for m in r.moves)


@pytest.mark.parametrize("spec", ["pig", "pig:target=20", "2048", "backgammon"])
@pytest.mark.parametrize("prune", ["none", "star1", "star2"])
def test_lines_can_be_played(spec: str, prune: str) -> None:
    """From a player's turn and from chance's: every line that is told is legal."""
    game: Any = zermelo.load(spec)
    rng = random.Random(spec)
    for _ in range(12):
        s = game.initial()
        for _ in range(rng.randrange(1, 30)):
            after = game.result(s, rng.choice([*game.actions(s)]))
            s = s if game.is_terminal(after) else after
        deep = 2 if spec == "backgammon" else 3
        for r in (search(game, s, depth=d, prune=prune, table=1) for d in range(1, deep + 1)):
            for line in [r.pv, *(m.pv for m in r.moves)]:
                at = s
                for action in line:
                    assert action in game.actions(at), (game.format_state(s), line)
                    at = game.result(at, action)


def test_without_chance_it_is_minimax() -> None:
    for spec, depth in (("connect-four:width=5,height=4", 4), ("tic-tac-toe", 4), ("nim", 3)):
        game = zermelo.load(spec)
        plain = search(game, algorithm="minimax", depth=depth)
        for prune in PRUNES:
            r = expectiminimax(game, depth=depth, prune=prune)
            assert (r.value, r.action, r.kind) == (plain.value, plain.action, plain.kind)
        traced = expectiminimax(game, depth=2, prune="star1", trace=True)
        assert all(n.value is None or abs(n.value) < 1000 for n in traced.trace.nodes)


def test_a_chance_node_at_the_root() -> None:
    r = search(tree("chance(1/2:8 1/3:24 1/6:-12)"))
    assert (r.value, r.action, r.pv, r.player) == (10.0, None, [], CHANCE)
    assert [(m.action, m.value) for m in r.moves] == [(1, 8.0), (2, 24.0), (3, -12.0)]
    for text in (str(r), repr(r), r.explain(), r._repr_html_()):
        assert "10" in text and "None" not in text.replace("value=10", "").replace(
            "Result None", ""
        )
    assert r.to_json()["action"] is None
    stopped = search(zermelo.load("2048"), depth=6, nodes=5)
    assert stopped.action is None and stopped.stopped == "nodes"


@pytest.mark.parametrize("prune", PRUNES)
def test_where_all_leaves_are_equal(prune: str) -> None:
    r = expectiminimax(tree("chance(3 3)"), prune=prune)
    assert (r.value, [m.value for m in r.moves]) == (3.0, [3.0, 3.0])
    r = expectiminimax(tree("max(chance(min(1 1) 1) chance(1 min(1)))"), prune=prune)
    assert (r.value, r.action, len(r.moves)) == (1.0, 1, 2)
    assert prune != "none" or r.leaves == 5


def test_expectimax_takes_others_for_chance() -> None:
    text = "max(min(10 10) min(9 100))"
    pessimist = search(tree(text), algorithm="expectiminimax")
    optimist = search(tree(text), algorithm="expectimax", trace=True)
    assert (pessimist.value, pessimist.action) == (10.0, 1)
    assert (optimist.value, optimist.action) == (54.5, 2)
    assert [n.player for n in optimist.trace.nodes].count(CHANCE) == 2
    lowest = search(tree("min(max(10 10) max(9 -100))"), algorithm="expectimax")
    assert (lowest.value, lowest.action) == (-45.5, 2)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(PRUNES), st.booleans())
def test_compiled_rules_agree(seed: int, prune: str, table: bool) -> None:
    """Pig by native rules and as Python's: the same values, bit by bit."""
    rng = random.Random(seed)
    native: Any = zermelo.load("pig:target=12")
    first, second = rng.randrange(12), rng.randrange(12)
    s = native.parse_state(f"{first}-{second} pot {rng.randrange(6)} player {rng.randrange(2)}")
    options = {"depth": 4, "prune": prune, "table": int(table)}
    a = search(native, s, evaluate=lambda s, p: 0.0, **options)
    b = search(PythonPig(12), native.parts(s), **options)
    assert (a.value, a.action, a.nodes) == (b.value, b.action, b.nodes)


class PythonPig(zermelo.Game):
    """The same rules once more."""

    utility_bounds = (-1.0, 1.0)

    def __init__(self, target: int) -> None:
        self.target = target

    def initial(self) -> tuple[int, int, int, int, int]:
        return (0, 0, 0, 0, 0)

    def player(self, s: Any) -> int:
        return CHANCE if s[4] else s[3]

    def actions(self, s: Any) -> list[Any]:
        if s[4]:
            return [1, 2, 3, 4, 5, 6]
        return ["hold"] if s[s[3]] + s[2] >= self.target else ["roll", "hold"]

    def outcomes(self, s: Any) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(1, 7)]

    def result(self, s: Any, a: Any) -> Any:
        scores, pot, turn = list(s[:2]), s[2], s[3]
        if a == "roll":
            return (*scores, pot, turn, 1)
        if s[4] and a > 1:
            return (*scores, pot + a, turn, 0)
        if a == "hold":
            scores[turn] += pot
        return (*scores, 0, 1 - turn, 0)

    def is_terminal(self, s: Any) -> bool:
        return max(s[:2]) >= self.target

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if s[p] >= self.target else -1.0


def test_openspiel_agrees_on_pig() -> None:
    spiel = pytest.importorskip("pyspiel")
    expecting = pytest.importorskip("open_spiel.python.algorithms.minimax")
    theirs = spiel.load_game("pig(winscore=20,horizon=100000)")
    ours: Any = zermelo.load("pig:target=20")

    def worth(state: Any) -> float:
        return 0.0

    rng = random.Random(8)
    for _ in range(12):
        s, t = ours.initial(), theirs.new_initial_state()
        for _ in range(rng.randrange(30)):
            if t.is_terminal() or ours.is_terminal(s):
                break
            names = list(ours.actions(s))
            i = rng.randrange(len(names))
            assert len(names) == len(t.legal_actions())
            s = ours.result(s, names[i])
            t.apply_action(t.legal_actions()[i])
            assert t.is_terminal() == ours.is_terminal(s)
        if t.is_terminal() or t.is_chance_node():
            continue
        for depth in (1, 2, 3, 4):
            value, _ = expecting.expectiminimax(t, depth, worth, 0)
            for prune in PRUNES:
                r = search(ours, s, depth=depth, prune=prune, evaluate=lambda s, p: 0.0)
                assert r.value == pytest.approx(value)


def test_every_prune_option_is_tried_here() -> None:
    from zermelo.search.algorithms import algorithms

    options = algorithms()["expectiminimax"].options
    assert set(options["prune"].choices) == {"auto", *PRUNES}
    assert options["samples"].min == 0


def test_the_page_in_the_docs_holds() -> None:
    page = Path(__file__).parents[2] / "docs" / "chance.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried >= 8 and failed == 0
