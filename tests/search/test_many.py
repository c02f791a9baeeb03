"""Many players and other sums: every search against a few lines of Python, and how it is told."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import many
import zermelo
from zermelo import CHANCE, NotSupported, UsageError, search, solve, tree
from zermelo.search.algorithms import algorithms
from zermelo.view.steps_html import steps_html
from zermelo.view.steps_text import steps_text, tree_text
from zermelo.view.tree_svg import tree_svg

TUPLES = (
    "p1(p2(p3((1,6,6) (7,1,2)) p3((6,1,2) (7,2,1))) p2(p3((5,1,7) (1,5,2)) p3((7,7,1) (5,2,5))))"
)


def trees(count: int, seed: int) -> list[tuple[Any, random.Random]]:
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        players = rng.choice((2, 3, 3, 4))
        text = many.random_text(rng, players, rng.randint(1, 5), rng.random() < 0.4)
        if text[0] == "p" and "#" not in text:
            game = tree(text)
            if not (game.players == 2 and game.zero_sum):
                found.append((game, rng))
    return found


def test_maxn_agrees_on_trees() -> None:
    for game, rng in trees(1500, 1):
        s = game.initial()
        root = game.player(s)
        prefer = rng.choice(("first", "hostile", "friendly"))
        expected = many.maxn(game, s, prefer=prefer, root=root)
        plain = search(game, algorithm="maxn", pruning=False, prefer=prefer)
        pruned = search(game, algorithm="max^n", prefer=prefer, table=rng.choice((0, 1)))
        assert plain.values == pruned.values == expected, game.name
        assert plain.value == expected[0] and plain.exact and pruned.exact
        assert pruned.nodes <= plain.nodes and pruned.action == plain.action
        for m in plain.moves:
            after = many.maxn(game, game.result(s, m.action), prefer=prefer, root=root)
            assert m.values == after and m.kind == "exact"
        mine = [m for m in plain.moves if m.values[root] == expected[root]]
        assert plain.best == [m.action for m in mine] and plain.action in plain.best
        assert plain.ranked[0].values[root] == expected[root]


def test_pruning_saves_and_changes_nothing() -> None:
    saved = 0
    for game, _ in trees(400, 5):
        plain = search(game, algorithm="maxn", pruning=False)
        pruned = search(game, algorithm="maxn")
        assert plain.values == pruned.values
        assert [m.values for m in plain.moves] == [m.values for m in pruned.moves]
        saved += plain.leaves - pruned.leaves
    assert saved > 100


@pytest.mark.parametrize("algorithm", ["paranoid", "best-reply"])
def test_coalitions_agree_on_trees(algorithm: str) -> None:
    oracle = many.paranoid if algorithm == "paranoid" else many.best_reply
    for game, rng in trees(1000, 2):
        s = game.initial()
        root = game.player(s)
        r = search(game, algorithm=algorithm, table=rng.choice((0, 1)))
        assert r.values[root] == oracle(game, s, root), game.name
        assert not r.exact
        for m in r.moves:
            first = {"acted": 0} if algorithm == "best-reply" else {}
            true = oracle(game, game.result(s, m.action), root, **first)
            assert m.values[root] == true if m.resolved else m.values[root] >= true
            assert m.kind == "estimate"
        assert r.own(next(m for m in r.moves if m.action == r.action)) == r.values[root]


def test_all_agree_on_python_games_with_a_horizon() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        players = rng.choice((2, 3, 4))
        zero = players > 2 and rng.random() < 0.5
        game = many.Hashed(seed, players, 7, rng.random() < 0.5, zero)
        s = game.initial()
        depth = rng.choice((1, 2, 3, 4, None))
        limit = -1 if depth is None else depth
        options = {"depth": depth, "table": rng.choice((0, 1)), "deepen": rng.random() < 0.5}
        if depth is None:
            options["deepen"] = False
        ev = game.evaluate
        r = search(game, algorithm="maxn", **options)
        expected = many.maxn(game, s, limit, ev)
        assert r.values == pytest.approx(expected, abs=1e-12)
        r = search(game, algorithm="paranoid", **options)
        assert r.values[0] == pytest.approx(many.paranoid(game, s, 0, limit, ev), abs=1e-12)
        r = search(game, algorithm="brs", **options)
        assert r.values[0] == pytest.approx(many.best_reply(game, s, 0, limit, ev), abs=1e-12)


class Jumps(zermelo.Game):
    """A state is a number that only grows, by steps of different sizes: the same state is reached
    after few moves and after many, so that searches meet it with different depths left."""

    def __init__(self, seed: int, players: int) -> None:
        rng = random.Random(seed)
        self.players, self.zero_sum, self.size = players, False, rng.randint(6, 14)
        places = range(self.size + 4)
        self.mover = [rng.randrange(players) for _ in places]
        if rng.random() < 0.5:
            self.mover = [
                CHANCE if n and rng.random() < 0.2 else p for n, p in enumerate(self.mover)
            ]
        self.steps = [rng.sample(range(1, 5), rng.randint(1, 3)) for _ in places]
        self.over = [n >= self.size or (n > 2 and rng.random() < 0.15) for n in places]
        self.ends = [[float(rng.randint(-2, 2)) for _ in range(players)] for _ in places]
        self.guesses = [[float(rng.randint(-2, 2)) for _ in range(players)] for _ in places]

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.mover[s]

    def actions(self, s: int) -> list[int]:
        return self.steps[s]

    def outcomes(self, s: int) -> list[tuple[int, float]]:
        odds = {1: (1.0,), 2: (0.25, 0.75), 3: (0.25, 0.5, 0.25)}[len(self.steps[s])]
        return list(zip(self.steps[s], odds, strict=True))

    def result(self, s: int, a: int) -> int:
        return s + a

    def is_terminal(self, s: int) -> bool:
        return self.over[s]

    def utility(self, s: int, p: int) -> float:
        return self.ends[s][p]

    def evaluate(self, s: int, p: int) -> float:
        return self.guesses[s][p]


def test_a_table_changes_no_tuple_at_any_depth() -> None:
    """An entry serves only where a search of the same depth would find the same."""
    for seed in range(1500):
        rng = random.Random(f"table {seed}")
        game = Jumps(seed, rng.randint(2, 4))
        depth = rng.randint(1, 9)
        prefer = rng.choice(("first", "hostile", "friendly"))
        options = {"depth": depth, "prefer": prefer, "deepen": rng.random() < 0.3}
        with_table, without = (search(game, algorithm="maxn", table=t, **options) for t in (1, 0))
        root = max(0, game.player(0))
        true = many.maxn(game, 0, depth, game.evaluate, prefer, root)
        assert with_table.values == without.values == true, seed
        assert with_table.action == without.action
        rows = [{m.action: m.values for m in r.moves} for r in (with_table, without)]
        assert rows[0] == rows[1], seed
        if rng.random() < 0.3:
            for name, oracle_of in (("paranoid", many.paranoid), ("best-reply", many.best_reply)):
                r = search(game, algorithm=name, depth=depth, table=1)
                value = oracle_of(game, 0, root, depth, game.evaluate)
                assert r.values[root] == value, (name, seed)


def test_two_players_of_zero_sum_are_minimax() -> None:
    rng = random.Random(3)
    for spec in ("tic-tac-toe", "nim", "connect-four:width=4,height=4"):
        game = zermelo.load(spec)
        for _ in range(6):
            s = game.initial()
            for _ in range(rng.randint(2, 5)):
                if not game.is_terminal(s):
                    s = game.result(s, rng.choice(list(game.actions(s))))
            if game.is_terminal(s):
                continue
            depth = rng.choice((2, 4))
            true = search(game, s, "minimax", depth=depth)
            for name in ("maxn", "paranoid", "best-reply"):
                r = search(game, s, name, depth=depth)
                assert (r.value, r.kind, r.values) == (true.value, true.kind, true.values)
            ours = search(game, s, "paranoid", depth=depth).moves
            theirs = search(game, s, "alphabeta", depth=depth).moves
            assert [(m.action, m.value) for m in ours] == [(m.action, m.value) for m in theirs]


def test_nim_of_three() -> None:
    """Who takes the last of one stone wins; the other two share the loss."""
    game = zermelo.load("nim:piles=1,1,players=3")
    assert search(game).values == (-0.5, 1.0, -0.5)
    assert solve(zermelo.load("nim:piles=5,players=3")).values == (1.0, -0.5, -0.5)
    r = solve(zermelo.load("nim:piles=2,3,4,players=3"))
    assert r.exact and r.values == many.maxn(r.game, r.game.initial())
    sure = search(zermelo.load("nim:piles=2,2,players=3"), algorithm="paranoid")
    assert "gets at least" in sure.why and sure.kind == "estimate"


def test_auto_and_its_reasons() -> None:
    r = search(tree(TUPLES))
    assert r.algorithm == "maxn" and r.values == (5.0, 2.0, 5.0) and "3 players" in r.why
    assert "tie_break=first" in r.why
    two = search(tree("p1((1,1) p2((0,3) (2,2)))"))
    assert two.algorithm == "maxn" and two.values == (1.0, 1.0) and "general-sum" in two.why
    assert solve(tree(TUPLES)).exact and solve(tree(TUPLES), ties=True).exact
    with pytest.raises(UsageError, match="does not solve"):
        solve(tree(TUPLES), algorithm="paranoid")
    blind = tree("p1(p2#I((1,1) (2,2)) p2#I((0,0) (3,3)))")
    assert search(blind, nodes=2000).values == pytest.approx((3, 3), abs=0.2)
    with pytest.raises(NotSupported):
        search(blind, algorithm="maxn")
    with pytest.raises(UsageError, match="tie_break"):
        search(tree(TUPLES), prefer="mine")


def test_ties_are_told() -> None:
    game = tree("p1(a=p2((3,1) (0,1)) b=(2,2))")
    kind, cruel = search(game), search(game, prefer="hostile")
    assert (kind.action, kind.values, kind.ties) == ("a", (3.0, 1.0), 1)
    assert (cruel.action, cruel.values) == ("b", (2.0, 2.0))
    assert "; 1 tie" in kind.why and "tie_break=first" in kind.explain()
    best = search(tree("p1((1,0) (1,5) (0,9))")).best
    assert best == [1, 2]


def test_stopping_and_deepening() -> None:
    game = zermelo.load("nim:piles=5,6,7,players=4")
    for name in ("maxn", "paranoid", "best-reply"):
        r = search(game, algorithm=name, nodes=300)
        assert r.stopped == "nodes" and len(r.values) == 4 and r.action in game.actions(r.state)
        at_once = search(game, algorithm=name, nodes=1)
        assert len(at_once.values) == 4 and at_once.kind == "estimate"
    told: list[Any] = []
    search(game, algorithm="maxn", depth=3, deepen=True, on_depth=told.append)
    assert [r.depth for r in told] == [1, 2, 3] and all(len(r.values) == 4 for r in told)


def test_views_show_tuples() -> None:
    r = search(tree(TUPLES), trace=True)
    assert r.trace is not None
    inner = {"(5,2,5)", "(1,6,6)", "(6,1,2)", "(5,1,7)"}
    for text in (tree_text(r.trace), tree_svg(r.trace), "\n".join(steps_text(r.trace))):
        assert all(t in text for t in inner), text
        assert "MAX" not in text and "p3" in text
    ET.fromstring(tree_svg(r.trace, theme="dark"))
    assert "(5,2,5)" in steps_html(r.trace)
    assert "values are (p1,p2,p3)" in tree_svg(r.trace)
    assert (
        "value (5,2,5) for p1, p2 and p3 (exact), p1 to move" in str(r)
        and "(5,2,5)" in r._repr_html_()
    )
    assert "Best move for p1: " in r.explain() and "p1 5, p2 2, p3 5" in r.explain()
    document = json.loads(json.dumps(r.to_json()))
    assert document["values"] == [5, 2, 5] and len(document["moves"][0]["values"]) == 3
    assert "(5,2,5)" in repr(r)
    assert "(7,2,1)" in tree(TUPLES).svg(tree(TUPLES).initial())


def test_cuts_are_told() -> None:
    """p2 has 4 of at most 5 below the second node, so p1 cannot get more than 1."""
    text = "p3(p1(p2((3,1,1) (2,2,1)) p2((1,4,0) (0,5,0))))"
    r = search(tree(text), algorithm="maxn", trace=True)
    assert r.trace is not None
    told = "\n".join(steps_text(r.trace))
    assert "p2 has 4: p1 gets at most 1 ≤ 2" in told and "✂" in tree_text(r.trace)
    other = search(tree(TUPLES), algorithm="paranoid", trace=True)
    assert other.trace is not None and other.trace.against == 0
    svg = tree_svg(other.trace)
    assert "all the others play against p1" in svg and "α" in svg
    ET.fromstring(svg)


def test_the_table_of_algorithms() -> None:
    known = algorithms()
    for name in ("maxn", "paranoid", "best-reply"):
        a = known[name]
        assert a.can.many_players and a.can.general_sum and a.can.chance
        assert a.can.trace and not a.can.hidden
        assert a.summary and "From:" in a.doc


@pytest.mark.parametrize("players", [2, 3])
def test_match_of_many(players: int, tmp_path: Any) -> None:
    game = zermelo.load("nim:piles=2,3,players=3")
    names = ["maxn:depth=4", "random:1", "random:2"][:players]
    record = tmp_path / "match.jsonl"
    first = zermelo.match(game, names, 12, opening=1, record=record)
    assert isinstance(first, zermelo.ManyMatch) and len(first.utilities) == 12
    if players == 3:
        assert all(abs(sum(row)) < 1e-9 for row in first.utilities)
    assert "maxn:depth=4" in str(first)
    again = zermelo.match(game, names, 12, opening=1, record=record)
    assert again.utilities == first.utilities  # type: ignore[attr-defined]
    rows = first.to_json()["standings"]
    assert sum(r["first_places"] for r in rows) == pytest.approx(12)
    with pytest.raises(UsageError, match="2 to 3 players") as e:
        zermelo.match(game, ["random"] * 4, 2)
    assert "at most 3" in e.value.hint


def test_who_forgets_to_say_that_the_sum_is_not_zero_is_told() -> None:
    class Trust(zermelo.Game):
        def initial(self) -> str:
            return ""

        def player(self, s: str) -> int:
            return len(s)

        def actions(self, s: str) -> list[str]:
            return ["c", "d"]

        def result(self, s: str, a: str) -> str:
            return s + a

        def is_terminal(self, s: str) -> bool:
            return len(s) == 2

        def utility(self, s: str, p: int) -> float:
            return {"cc": (3, 3), "cd": (0, 5), "dc": (5, 0), "dd": (1, 1)}[s][p]

    class Told(Trust):
        zero_sum = False

    class Alone(Trust):
        def utility(self, s: str, p: int) -> float:
            if p:
                raise KeyError(p)
            return super().utility(s, 0)

    warned = zermelo.search(Trust())
    assert "utilities at the end of the line are 1 and 1" in warned.why and "zero_sum" in warned.why
    for game in (Told(), Alone()):
        assert "at its end" not in zermelo.search(game).why
    assert zermelo.search(Told()).values == (1, 1)
