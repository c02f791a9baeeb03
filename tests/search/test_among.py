"""Searches of some of the root moves only, by every algorithm that supports it, above all mcts."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

import oracle
import zermelo
from zermelo import tree
from zermelo.search.algorithms import algorithms

CONNECT_FOUR = zermelo.load("connect-four")
SUPPORTING = [a.name for a in algorithms().values() if a.can.among]
LATE = "4455432552256611"  # connect four: most moves are decided soon
VARIANTS: list[dict[str, Any]] = [
    {},
    {"threads": 3},
    {"priors": True},
    {"priors": True, "widening": 1},
    {"rave": 300},
    {"solver": False},
    {"rollout": "playout", "expand_after": 3},
    {"first_play_urgency": 0.1},
]


def mcts(game: Any, state: Any = None, **options: Any) -> zermelo.Result:
    return zermelo.search(game, state, "mcts", **options)


def subsets(actions: list[Any]) -> list[list[Any]]:
    return [list(c) for n in (1, 2, len(actions)) for c in combinations(actions, n)]


# -- the result ----------------------------------------------------------------------------------
@pytest.mark.parametrize("algorithm", SUPPORTING)
def test_only_these_moves_are_listed_and_chosen(algorithm: str) -> None:
    assert "mcts" in SUPPORTING and "engine" in SUPPORTING
    for among in subsets(CONNECT_FOUR.actions(CONNECT_FOUR.initial()))[:20]:
        r = zermelo.search(CONNECT_FOUR, None, algorithm, nodes=300, among=among)
        assert sorted(m.action for m in r.moves) == sorted(among)
        assert r.action in among


@pytest.mark.parametrize("algorithm", SUPPORTING)
def test_invalid_lists(algorithm: str) -> None:
    limits = {"nodes": 100}
    with pytest.raises(zermelo.IllegalAction, match="not a legal action"):
        zermelo.search(CONNECT_FOUR, None, algorithm, among=[8], **limits)
    with pytest.raises(zermelo.UsageError, match="among is empty"):
        zermelo.search(CONNECT_FOUR, None, algorithm, among=[], **limits)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_variant_searches_only_these(options: dict[str, Any]) -> None:
    seen = []
    r = mcts(
        CONNECT_FOUR, nodes=2000, among=[2, 6, 7], seed=3, on_depth=lambda x: seen.append(x),
        **options,
    )  # fmt: skip
    for x in [*seen, r]:
        assert [m.action for m in x.moves] == [2, 6, 7]  # in the game's order
    assert sum(m.visits for m in r.moves) >= 1990
    assert r.action in (2, 6, 7)


def test_an_action_that_is_repeated_counts_once() -> None:
    r = mcts(CONNECT_FOUR, nodes=100, among=[3, 3, 3])
    assert [m.action for m in r.moves] == [3] and r.action == 3


def test_all_actions_are_no_restriction() -> None:
    plain = mcts(CONNECT_FOUR, nodes=500, seed=5)
    every = mcts(CONNECT_FOUR, nodes=500, seed=5, among=range(1, 8))
    assert [(m.action, m.value, m.visits) for m in plain.moves] == [
        (m.action, m.value, m.visits) for m in every.moves
    ]


# -- proofs --------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"first_play_urgency": 0.5}], ids=str)
def test_a_proof_holds_for_these_moves(options: dict[str, Any]) -> None:
    """The proved value is the best exact value among the moves, not that of the game."""
    rng = random.Random(11)
    for seed in range(100):
        node = oracle.random_tree(rng, 3, -9, 9)
        game = tree(oracle.text_of(node))
        exact = {i: oracle.true_value(child) for i, child in enumerate(node[1], 1)}
        for among in subsets(list(exact)):
            r = mcts(game, nodes=5000, among=among, seed=seed, **options)
            best = (max, min)[node[0]](exact[a] for a in among)
            assert r.kind == "exact" and r.value == best == exact[r.action]
            assert [m.action for m in r.moves] == among


def test_positions_of_connect_four_agree_with_the_engine() -> None:
    s = CONNECT_FOUR.parse_state(LATE)
    for among in subsets(CONNECT_FOUR.actions(s)):
        exact = zermelo.search(CONNECT_FOUR, s, "engine", among=among)
        r = mcts(CONNECT_FOUR, s, nodes=300_000, among=among, priors=True)
        assert exact.kind == "exact"
        if r.kind == "exact":
            assert r.value == exact.value, among
        if exact.value == -1 or len(among) == 1:
            assert r.value == pytest.approx(exact.value, abs=0.5), among


def test_a_forced_loss_is_proved_although_another_move_wins() -> None:
    game = tree("max(min(1 2) min(-5 -6) min(7 3))")
    for algorithm in SUPPORTING:
        r = zermelo.search(game, None, algorithm, nodes=1000, among=[2])
        assert (r.kind, r.value, r.action) == ("exact", -6, 2)


def test_games_of_many_players() -> None:
    r = mcts(tree("p1((1,5,2) (4,0,0) (3,3,3))"), nodes=200, among=[1, 3])
    assert r.kind == "exact" and r.values == (3, 3, 3)


def test_python_games() -> None:
    class Nim(zermelo.Game):
        name = "take one to three"
        utility_bounds = (-1, 1)

        def initial(self) -> tuple[int, int]:
            return 6, 0

        def player(self, s: tuple[int, int]) -> int:
            return s[1]

        def actions(self, s: tuple[int, int]) -> list[str]:
            return [f"take {n}" for n in range(1, min(3, s[0]) + 1)]

        def result(self, s: tuple[int, int], a: str) -> tuple[int, int]:
            return s[0] - int(a[-1]), 1 - s[1]

        def is_terminal(self, s: tuple[int, int]) -> bool:
            return s[0] == 0

        def utility(self, s: tuple[int, int], p: int) -> float:
            return 1 if s[1] != p else -1

    assert mcts(Nim(), nodes=3000).value == 1
    r = mcts(Nim(), nodes=3000, among=["take 1", "take 3"])
    assert (r.kind, r.value) == ("exact", -1)


# -- chance, guides, traces ----------------------------------------------------------------------
def test_chance_below_the_root() -> None:
    game = tree("max(chance(1/2:4 1/2:-2) chance(1/2:9 1/2:-9) chance(1/2:3 1/2:3))")
    assert mcts(game, nodes=500).value == 3
    r = mcts(game, nodes=500, among=[1, 2])
    assert (r.kind, r.value, r.action) == ("exact", 1, 1)


@pytest.mark.parametrize("algorithm", SUPPORTING)
def test_a_chance_node_has_no_moves_to_choose_from(algorithm: str) -> None:
    game = zermelo.load("pig")
    s = game.result(game.initial(), "roll")
    if algorithms()[algorithm].can.chance:
        with pytest.raises(zermelo.UsageError, match="chance node"):
            zermelo.search(game, s, algorithm, nodes=100, among=[1])


def test_priors_add_up_to_one() -> None:
    """PUCT explores by the priors, so a scale that is too small would starve the better move."""

    def guide(state: Any, actions: list[Any]) -> Any:
        return [0.99 if a == 4 else 0.01 / (len(actions) - 1) for a in actions], 0.0

    visits = {}
    for among in ([1, 2], [1, 2, 4]):
        r = mcts(CONNECT_FOUR, nodes=200, among=among, guide=guide, seed=1)
        visits[len(among)] = {m.action: m.visits for m in r.moves}
    assert visits[3][4] > 150
    assert abs(visits[2][1] - visits[2][2]) < 60  # equal priors among those that are left


def test_a_policy_that_plays_none_of_these() -> None:
    def middle(game: Any, s: Any) -> int:
        return min(game.actions(s), key=lambda column: abs(column - 4))

    r = mcts(CONNECT_FOUR, nodes=200, among=[1, 7], priors=middle)
    assert {m.action for m in r.moves} == {1, 7} and all(m.visits for m in r.moves)


def test_the_trace_shows_only_these_children() -> None:
    game = zermelo.load("tic-tac-toe")
    among = game.actions(game.initial())[2:5]
    r = mcts(game, nodes=60, among=among, trace=True)
    assert [m.action for m in r.moves] == among
    assert r.trace is not None
    nodes = r.trace.nodes
    assert {nodes[child].action for child in nodes[0].children} == set(among)


# -- the kept tree -------------------------------------------------------------------------------
def kept(r: zermelo.Result) -> bool:
    return "kept from before" in r.why


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_kept_tree_has_the_children_that_are_asked_for(options: dict[str, Any]) -> None:
    memory, rng = zermelo.Memory(8), random.Random(str(options))
    s = CONNECT_FOUR.initial()
    for step in range(24):
        legal = CONNECT_FOUR.actions(s)
        among = rng.sample(legal, rng.randint(1, len(legal)))
        asked: Any = {"among": among} if step % 4 else {}
        r = mcts(CONNECT_FOUR, s, nodes=400, memory=memory, **asked, **options)
        wanted = among if step % 4 else legal
        assert sorted(m.action for m in r.moves) == sorted(wanted)
        assert r.action in wanted
        if step % 3 == 2:
            s = CONNECT_FOUR.result(s, r.action)
            if CONNECT_FOUR.is_terminal(s):
                s = CONNECT_FOUR.initial()


@pytest.mark.parametrize("options", [{}, {"priors": True}, {"rave": 300}], ids=str)
def test_fewer_moves_keep_their_part_of_the_tree(options: dict[str, Any]) -> None:
    memory = zermelo.Memory(16)
    whole = mcts(CONNECT_FOUR, nodes=3000, memory=memory, **options)
    before = {m.action: (m.visits, m.value) for m in whole.moves}
    r = mcts(CONNECT_FOUR, nodes=1, among=[3, 5], memory=memory, **options)
    assert kept(r)
    for m in r.moves:
        assert before[m.action][0] <= m.visits <= before[m.action][0] + 1
    other = mcts(CONNECT_FOUR, nodes=100, among=[3, 6], memory=memory, **options)
    assert not kept(other) and {m.action for m in other.moves} == {3, 6}
    same = mcts(CONNECT_FOUR, nodes=100, among=[6, 3], memory=memory, **options)
    assert kept(same)
    every = mcts(CONNECT_FOUR, nodes=100, memory=memory, **options)
    assert not kept(every) and len(every.moves) == 7


def test_below_a_restricted_root_the_tree_is_kept_with_all_moves() -> None:
    memory = zermelo.Memory(16)
    mcts(CONNECT_FOUR, nodes=3000, among=[4, 5], memory=memory)
    s = CONNECT_FOUR.result(CONNECT_FOUR.initial(), 4)
    r = mcts(CONNECT_FOUR, s, nodes=10, memory=memory)
    assert kept(r) and len(r.moves) == 7
    part = mcts(CONNECT_FOUR, s, nodes=10, memory=memory, among=[1])
    assert kept(part) and [m.action for m in part.moves] == [1]


def test_a_proof_of_all_moves_is_no_proof_of_some() -> None:
    game, memory = zermelo.load("tic-tac-toe"), zermelo.Memory(16)
    s = game.initial()
    for a in ("a1", "b2", "c3"):
        s = game.result(s, a)
    legal = game.actions(s)
    exact = {a: zermelo.solve(game, game.result(s, a)).value for a in legal}
    sign = 1 if game.player(s) == 0 else -1
    assert len(set(exact.values())) > 1
    for _ in range(2):
        for among in [legal, *subsets(legal), legal]:
            for fresh in (False, True):
                if fresh:
                    memory.clear()
                    mcts(game, s, nodes=20_000, memory=memory)
                r = mcts(game, s, nodes=20_000, among=among, memory=memory)
                assert r.kind == "exact"
                assert r.value == sign * max(sign * exact[a] for a in among)
                assert exact[r.action] == r.value and r.action in among


def test_proofs_in_kept_random_trees() -> None:
    """Searches of different moves share one memory. Whatever is proved is true."""
    rng = random.Random(5)
    game = zermelo.load("connect-four")
    memory = zermelo.Memory(16)
    s = game.parse_state(LATE)
    legal = game.actions(s)
    exact = {m: zermelo.search(game, s, "engine", among=[m]).value for m in legal}
    sign = 1 if game.player(s) == 0 else -1
    for _ in range(40):
        among = rng.sample(legal, rng.randint(1, len(legal)))
        r = mcts(game, s, nodes=rng.choice((1, 500, 20_000)), among=among, memory=memory)
        if r.kind == "exact":
            assert r.value == sign * max(sign * exact[a] for a in among)
        for m in r.moves:
            if m.kind == "exact":
                assert m.value == exact[m.action]
