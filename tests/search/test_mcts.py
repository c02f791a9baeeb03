"""Monte Carlo tree search: proofs, convergence, threads, the kept tree, limits, hostile rules."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import oracle
import zermelo
from zermelo import CHANCE, Memory, search, tree
from zermelo.ui.cli.bench import PythonTicTacToe

THREE = (
    "p1(p2(p3((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1))) p2(p3((5,1,1) (1,5,2)) p3((7,7,1) (5,4,5))))"
)
MANY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def mcts(game: Any, state: Any = None, **options: Any) -> Any:
    return search(game, state, "mcts", **options)


# -- proofs ------------------------------------------------------------------------------------
def check_proof(node: Any, **options: Any) -> None:
    r = mcts(tree(oracle.text_of(node)), **options)
    true = {i + 1: oracle.true_value(c) for i, c in enumerate(node[1])}
    value = (max, min)[node[0]](true.values())
    assert r.exact and r.value == value and true[r.action] == value
    for m in r.moves:
        assert m.kind != "exact" or m.value == true[m.action]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_proves_hundreds_of_random_trees(depth: int) -> None:
    rng = random.Random(depth)
    for seed in range(200):
        check_proof(oracle.random_tree(rng, depth, -3, 3), seed=seed)


@MANY
@given(oracle.nodes(oracle.NUMBERS, 3), st.integers(0, 99), st.sampled_from([0.0, 0.7, 5.0]))
def test_proves_trees_of_any_shape(node: Any, seed: int, explore: float) -> None:
    check_proof(node, seed=seed, explore=explore)


@MANY
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_proves_python_games(seed: int, depth: int) -> None:
    game = oracle.HashedGame(seed, depth)
    r = mcts(game, seed=seed, simulations=100_000)
    true = oracle.children_values(game, game.initial())
    assert r.exact and r.value == oracle.minimax(game, game.initial()) == true[r.action]


def test_proves_trees_with_chance() -> None:
    rng = random.Random(5)
    for seed in range(300):
        node = oracle.random_chance_tree(rng, 4)
        r = mcts(tree(oracle.text_of(node)), seed=seed)
        assert r.exact and r.value == pytest.approx(oracle.true_value(node), abs=1e-9)
        assert oracle.true_value(node[1][r.action - 1]) == pytest.approx(r.value, abs=1e-9)


def test_proves_python_games_with_chance() -> None:
    for seed in range(100):
        game = oracle.ChanceGame(seed, 4)
        r = mcts(game, simulations=100_000, seed=seed)
        true = oracle.expectiminimax(game, game.initial())
        assert r.exact and r.value == pytest.approx(true, abs=1e-9)


def test_nature_moves_first() -> None:
    r = mcts(tree("chance(1/2:8 1/3:24 1/6:-12)"))
    assert r.exact and r.value == pytest.approx(10) and r.action is None
    assert [m.value for m in r.moves] == [8, 24, -12]


def random_tuples(rng: random.Random, depth: int, pool: list[int], players: int) -> Any:
    if depth == 0:
        return tuple(pool.pop() for _ in range(players))
    kids = [random_tuples(rng, depth - 1, pool, players) for _ in range(rng.randint(1, 3))]
    return [rng.randrange(players), kids]


def max_n(node: Any) -> Any:
    if isinstance(node, tuple):
        return node
    return max((max_n(c) for c in node[1]), key=lambda v: v[node[0]])


def tuples_text(node: Any) -> str:
    if isinstance(node, tuple):
        return f"({','.join(map(str, node))})"
    return f"p{node[0] + 1}({' '.join(map(tuples_text, node[1]))})"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_proves_games_of_many_players_and_other_sums(players: int) -> None:
    rng = random.Random(players)
    for seed in range(150):
        pool = list(range(1000))
        rng.shuffle(pool)  # no ties
        node = random_tuples(rng, 3, pool, players)
        r = mcts(tree(tuples_text(node)), seed=seed)
        assert r.exact and r.values == max_n(node)
        assert max_n(node[1][r.action - 1]) == r.values


def test_the_lectures_tuples() -> None:
    assert mcts(tree(THREE)).values == (1, 2, 6)


@pytest.mark.parametrize(
    "spec,value",
    [("tic-tac-toe", 0), ("connect-four:width=4,height=3", 0), ("nim", 1), ("othello:size=4", -10)],
)
def test_solves_small_games(spec: str, value: float) -> None:
    r = mcts(zermelo.load(spec), simulations=3_000_000)
    assert r.exact and r.value == value and r.stopped == ""


def test_narrowed_moves_prove_sooner() -> None:
    game = zermelo.load("connect-four")
    state = game.parse_state("4343342")  # player 1 must stop a four
    plain = mcts(game, state, simulations=20_000)
    guided = mcts(game, state, simulations=20_000, priors=True)
    best = zermelo.solve(game, state).value
    for r in (plain, guided):
        assert zermelo.solve(game, game.result(state, r.action)).value == best
    won = game.parse_state("112233")
    assert mcts(game, won, simulations=1000, priors=True).exact


# -- convergence without proofs ------------------------------------------------------------------
def test_finds_best_moves_by_simulations_alone() -> None:
    rng = random.Random(3)
    right = total = 0
    for seed in range(300):
        node = oracle.random_tree(rng, 3, -3, 3)
        true = [oracle.true_value(c) for c in node[1]]
        value = (max, min)[node[0]](true)
        r = mcts(tree(oracle.text_of(node)), simulations=20_000, solver=False, seed=seed)
        assert not r.exact and r.nodes == 20_000
        right += true[r.action - 1] == value
        total += 1
    assert right / total > 0.99


def test_expectations_within_their_error() -> None:
    rng = random.Random(8)
    for seed in range(40):
        kids = " ".join(str(rng.randint(-9, 9)) for _ in range(5))
        game = tree(f"max(chance({kids}) chance({kids} 0))")
        r = mcts(game, simulations=4000, solver=False, seed=seed)
        for m in r.moves:
            exact = zermelo.tree(f"chance({kids}{' 0' if m.action == 2 else ''})")
            assert m.error is not None
            assert abs(m.value - mcts(exact).value) < 5 * m.error + 1e-9


def test_three_players_converge() -> None:
    r = mcts(tree(THREE), simulations=20_000, solver=False, explore=0.5)
    assert r.action == 1 and r.values == pytest.approx((1, 2, 6), abs=0.3)


# -- what it tells ---------------------------------------------------------------------------------
def test_the_result() -> None:
    game = zermelo.load("connect-four")
    r = mcts(game, simulations=5000, seed=1)
    assert r.nodes == 5000 and r.stopped == "nodes" and r.kind == "estimate"
    assert sum(m.visits for m in r.moves) == 5000 - 1  # the first judges the root itself
    assert [m.action for m in r.moves] == game.actions(game.initial())
    assert -1 <= r.value <= 1 and r.values == (r.value, -r.value)
    assert r.action == max(r.moves, key=lambda m: m.visits).action == r.ranked[0].action
    assert all(m.error is not None and 0 < m.error < 0.5 for m in r.moves)
    s = r.state
    for a in r.pv:
        s = game.result(s, a)
    assert "simulations" in str(r) and "simulations" in r.explain()
    assert r.to_json()["moves"][0]["visits"] == r.moves[0].visits


def test_repeatable_by_seed() -> None:
    game = zermelo.load("connect-four")

    def visits(seed: int) -> list[int]:
        return [m.visits for m in mcts(game, simulations=3000, seed=seed).moves]

    assert visits(7) == visits(7) != visits(8)


def test_nodes_are_simulations() -> None:
    game = zermelo.load("tic-tac-toe")
    assert mcts(game, nodes=300).nodes == mcts(game, simulations=300).nodes == 300
    assert mcts(game, nodes=200, simulations=300).nodes == 200
    assert search(game, algorithm="uct", nodes=10).algorithm == "mcts"


def test_progress_ends_with_the_answer() -> None:
    told: list[Any] = []
    r = mcts(zermelo.load("connect-four"), simulations=20_000, on_depth=told.append)
    counts = [t.nodes for t in told]
    assert counts == sorted(counts) and counts[0] <= 1024 and counts[-1] == r.nodes
    assert len(counts) >= 5
    last = list(zermelo.deepen(zermelo.load("connect-four"), algorithm="mcts", nodes=5000))[-1]
    assert last.nodes == 5000


@pytest.mark.parametrize("final", ["visits", "value", "secure"])
def test_final_choices(final: str) -> None:
    game = zermelo.load("connect-four")
    r = mcts(game, simulations=2000, final=final, solver=False)
    by_value = max(r.moves, key=lambda m: m.value)
    if final == "visits":
        assert r.action == max(r.moves, key=lambda m: m.visits).action
    elif final == "value":
        assert r.action == by_value.action
    else:
        assert r.action == max(r.moves, key=lambda m: m.value - m.error).action


# -- judging leaves ----------------------------------------------------------------------------
@pytest.mark.parametrize("rollout", ["random", "greedy", "evaluate", "none"])
@pytest.mark.parametrize("spec", ["connect-four", "checkers", "othello"])
def test_rollouts(rollout: str, spec: str) -> None:
    game = zermelo.load(spec)
    r = mcts(game, simulations=400, rollout=rollout, seed=2)
    low, high = game.utility_bounds
    assert r.nodes == 400 and low <= r.value <= high
    assert all(low <= m.value <= high for m in r.moves)


@pytest.mark.parametrize("rollout", ["random", "greedy", "evaluate", "none"])
@pytest.mark.parametrize("priors", [False, True])
def test_every_rollout_finds_the_win(rollout: str, priors: bool) -> None:
    game = zermelo.load("connect-four")
    state = game.parse_state("112233")
    r = mcts(game, state, simulations=2000, rollout=rollout, priors=priors)
    assert r.exact and r.value == 1 and r.action == 4


def test_hints_beat_chance() -> None:
    """Greedy playouts see a four at once, so that their opinion of a lost position is right."""
    game = zermelo.load("connect-four")
    state = game.parse_state("44444")  # nothing is decided here; both must agree on the sign
    values = [mcts(game, state, simulations=3000, rollout=r).value for r in ("random", "greedy")]
    assert all(-1 < v < 1 for v in values)
    m = zermelo.match(
        game,
        ("mcts:simulations=100,rollout=greedy", "mcts:simulations=100"),
        games=40,
    )
    assert m.score > 0.6


def test_a_first_play_urgency() -> None:
    game = zermelo.load("tic-tac-toe:m=9,n=9,k=5")
    wide = mcts(game, simulations=81)
    narrow = mcts(game, simulations=81, urgency=0.0)
    assert max(m.visits for m in wide.moves) == 1
    assert max(m.visits for m in narrow.moves) > 1


def test_a_guide() -> None:
    game = zermelo.load("connect-four")
    asked = 0

    def guide(state: Any, actions: list[int]) -> tuple[list[float], float]:
        nonlocal asked
        asked += 1
        assert actions == game.actions(state)
        return [10.0 if a == 6 else 1.0 for a in actions], 0.0

    r = mcts(game, simulations=300, guide=guide)
    assert r.action == 6 and 0 < asked <= 300
    assert max(r.moves, key=lambda m: m.visits).action == 6
    with pytest.raises(ZeroDivisionError):
        mcts(game, simulations=300, guide=lambda s, a: ([1 / 0], 0.0))


@pytest.mark.parametrize(
    "said", [None, ([1.0], 0.0), ([-1.0] * 7, 0.0), ([0.0] * 7, 0.0), ([1.0] * 7, math.nan)]
)
def test_a_guide_that_talks_nonsense(said: Any) -> None:
    with pytest.raises(zermelo.UsageError, match="guide"):
        mcts(zermelo.load("connect-four"), simulations=10, guide=lambda s, a: said)


# -- threads, memory, limits --------------------------------------------------------------------
def test_two_threads() -> None:
    game = zermelo.load("connect-four")
    r = mcts(game, simulations=20_000, threads=2)
    assert r.nodes == 20_000 and sum(m.visits for m in r.moves) == 20_000 - 1
    assert -1 <= r.value <= 1 and all(-1 <= m.value <= 1 for m in r.moves)
    small = mcts(zermelo.load("tic-tac-toe"), simulations=3_000_000, threads=2)
    assert small.exact and small.value == 0
    rng = random.Random(1)
    for _ in range(100):
        check_proof(oracle.random_tree(rng, 4, -3, 3), threads=2)


def test_two_threads_keep_means_exact() -> None:
    """What counts as lost while a thread is at it is taken back to the last digit."""
    game = tree("max(chance(1 1) chance(1 1))")
    r = mcts(game, simulations=5000, threads=2, solver=False)
    assert r.value == pytest.approx(1, abs=1e-9)
    three = tree("p1(p2((1,2,3) (1,2,3)) p3((1,2,3) (1,2,3)))")
    r = mcts(three, simulations=5000, threads=2, solver=False)
    assert r.values == pytest.approx((1, 2, 3), abs=1e-9)


def test_the_tree_is_kept() -> None:
    game, memory = zermelo.load("connect-four"), Memory(16)
    first = mcts(game, simulations=20_000, memory=memory)
    s = game.result(first.state, first.action)
    below = next(m for m in first.moves if m.action == first.action).visits
    second = mcts(game, s, simulations=1, memory=memory)
    assert f"{below} simulations were kept" in second.why
    assert sum(m.visits for m in second.moves) == below  # one new, one that judged it
    reply = game.result(s, second.action)
    third = mcts(game, reply, simulations=2000, memory=memory)
    assert "kept" in third.why and sum(m.visits for m in third.moves) > 2000
    other = mcts(game, game.parse_state("1111117"), simulations=500, memory=memory)
    assert "kept" not in other.why and sum(m.visits for m in other.moves) == 499
    again = mcts(game, simulations=500, memory=memory, rollout="greedy")
    assert "kept" not in again.why  # judged otherwise


def test_a_trace_begins_with_an_empty_tree() -> None:
    game, memory = zermelo.load("connect-four"), Memory(16)
    mcts(game, simulations=2000, memory=memory)
    traced = mcts(game, simulations=50, memory=memory, trace=True)
    assert traced.trace.nodes[0].visits == 50 and "kept from before" not in traced.why
    assert "50 simulations were kept" in mcts(game, simulations=50, memory=memory).why


def test_a_kept_tree_goes_on_to_the_same_proof() -> None:
    game, memory = zermelo.load("tic-tac-toe"), Memory(64)
    s = game.initial()
    while not game.is_terminal(s):
        r = mcts(game, s, simulations=20_000, memory=memory)
        true = (
            {a: oracle.minimax(game, game.result(s, a)) for a in game.actions(s)}
            if len(game.actions(s)) <= 6
            else {}
        )
        for m in r.moves:
            assert not true or m.kind != "exact" or m.value == true[m.action]
        s = game.result(s, r.action)
    assert game.utility(s, 0) == 0


def test_memory_serves_engine_and_mcts_in_turn() -> None:
    game, memory = zermelo.load("tic-tac-toe"), Memory(8)
    assert zermelo.search(game, depth=3, memory=memory).depth == 3
    assert mcts(game, simulations=100, memory=memory).nodes == 100
    assert zermelo.search(game, depth=3, memory=memory).depth == 3


def test_a_full_tree_goes_on_counting() -> None:
    game = zermelo.load("connect-four")
    r = mcts(game, simulations=60_000, table=1)
    assert "the tree was full" in r.why and r.nodes == 60_000
    assert sum(m.visits for m in r.moves) == 60_000 - 1
    assert "full" not in mcts(game, simulations=1000, table=1).why


def test_a_kept_tree_that_was_full_grows_again() -> None:
    game, memory = zermelo.load("connect-four"), Memory(1)
    r = mcts(game, simulations=60_000, memory=memory)
    assert "full" in r.why
    r = mcts(game, game.result(r.state, r.action), simulations=100, memory=memory)
    assert "kept" in r.why and "full" not in r.why


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["connect-four", "chess"])
def test_the_time_limit(spec: str, threads: int) -> None:
    took = []
    for _ in range(3):  # a busy machine may be late once
        start = time.perf_counter()
        r = mcts(zermelo.load(spec), time=0.15, threads=threads)
        took.append(time.perf_counter() - start)
        assert r.stopped == "time" and took[-1] > 0.1 and r.nodes > 50
        if took[-1] < 0.5:
            break
    assert min(took) < 1.0


def test_stopping() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    r = mcts(zermelo.load("connect-four"), time=20, stop=stop)
    assert r.stopped == "interrupted" and r.elapsed < 5


def test_ctrl_c_gives_the_best_so_far() -> None:
    code = (
        "import zermelo; print('on', flush=True); "
        "r = zermelo.search(zermelo.load('chess'), algorithm='mcts', time=60); print(r.stopped)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as p:
        assert p.stdout is not None and p.stdout.readline() == "on\n"
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        assert p.communicate(timeout=20)[0].strip() == "interrupted"


def test_no_limit_means_a_second() -> None:
    r = mcts(zermelo.load("nim"))
    assert r.exact and "up to 1 s" in r.why


# -- other kinds of rules -------------------------------------------------------------------------
def test_python_and_compiled_rules() -> None:
    game = PythonTicTacToe()
    s = game.initial()
    for a in (0, 4, 8):
        s = game.result(s, a)
    r = mcts(game, s, simulations=20_000)
    assert r.exact and r.value == 0
    for rules in (Take(), zermelo.compile(Take())):
        r = mcts(rules, simulations=50_000)
        assert r.exact and r.value == 1 and r.action == 1  # 10 leaves 9, a multiple of 3
    both = [zermelo.playouts(g, 2000, seed=2) for g in (Take(), zermelo.compile(Take()))]
    assert both[0].values == both[1].values and both[0].length == both[1].length


class Take(zermelo.Game):
    """Take one or two of ten; who takes the last one wins."""

    utility_bounds = (-1.0, 1.0)

    def initial(self) -> Any:
        return (10, 0)

    def player(self, s: Any) -> int:
        return s[1]

    def actions(self, s: Any) -> Any:
        for n in range(1, 3):
            if n <= s[0]:
                yield n

    def result(self, s: Any, a: int) -> Any:
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return s[0] == 0

    def utility(self, s: Any, p: int) -> float:
        return -1.0 if p == s[1] else 1.0


class Coin(zermelo.Game):
    """Guess a coin that falls heads two times in three, three times."""

    players, utility_bounds = 1, (0.0, 3.0)

    def initial(self) -> Any:
        return (0, 0, None)

    def player(self, s: Any) -> int:
        return 0 if s[2] is None else CHANCE

    def actions(self, s: Any) -> list[str]:
        return [] if s[0] == 3 else ["heads", "tails"]

    def outcomes(self, s: Any) -> list[tuple[str, float]]:
        return [("heads", 2 / 3), ("tails", 1 / 3)]

    def result(self, s: Any, a: str) -> Any:
        n, won, guess = s
        return (n, won, a) if guess is None else (n + 1, won + (a == guess), None)

    def is_terminal(self, s: Any) -> bool:
        return s[0] == 3

    def utility(self, s: Any, p: int) -> float:
        return float(s[1])


def test_one_player_and_nature() -> None:
    r = mcts(Coin())
    assert r.exact and r.value == pytest.approx(2) and r.action == "heads"
    by_chance = mcts(Coin(), simulations=3000, solver=False)
    assert by_chance.action == "heads" and by_chance.value == pytest.approx(2, abs=0.2)


class Hostile(zermelo.Game):
    """Ends after three moves, and does something wrong on the way."""

    def __init__(self, wrong: str) -> None:
        self.wrong = wrong

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return 7 if self.wrong == "player" and s == 2 else s % 2

    def actions(self, s: int) -> list[int]:
        return [] if self.wrong == "actions" and s == 2 else [1]

    def result(self, s: int, a: int) -> int:
        return (s + a) % 3 if self.wrong == "endless" else s + a

    def is_terminal(self, s: int) -> bool:
        return s == 3

    def utility(self, s: int, p: int) -> float:
        return {"nan": math.nan, "infinite": math.inf}.get(self.wrong, 1.0 if p == 0 else -1.0)


@pytest.mark.parametrize(
    "wrong,told",
    [
        ("player", "player"),
        ("actions", "is empty"),
        ("nan", "NaN"),
        ("infinite", "infinite"),
        ("endless", "end"),
    ],
)
def test_hostile_rules(wrong: str, told: str) -> None:
    with pytest.raises(zermelo.RulesError, match=told) as e:
        mcts(Hostile(wrong), simulations=100)
    assert e.value.hint


def test_odds_that_do_not_add_up() -> None:
    class Odd(Coin):
        def outcomes(self, s: Any) -> list[tuple[str, float]]:
            return [("heads", 0.5), ("tails", 0.4)]

    with pytest.raises(zermelo.RulesError, match=r"sum to 0\.9, not 1"):
        mcts(Odd(), simulations=10)


def test_what_it_cannot_do_is_said() -> None:
    game = zermelo.load("connect-four")
    for options, told in [
        ({"exploration": -1}, "exploration"),
        ({"explore": "much"}, "exploration"),
        ({"rollout": "wild"}, "rollout"),
        ({"simulations": -5}, "simulations"),
        ({"rollout_depth": 0}, "rollout_depth"),
        ({"final": "best"}, "final"),
        ({"table": 0.5}, "table"),
        ({"lines": 2}, "lines"),
        ({"depth": 3}, "depth"),
        ({"among": []}, "among"),
        ({"seed": -1}, "seed"),
        ({"seed": "x"}, "seed"),
    ]:
        with pytest.raises(zermelo.UsageError, match=told):
            mcts(game, **options)
    with pytest.raises(zermelo.UsageError, match="evaluation"):
        mcts(zermelo.load("nim"), rollout="none")
    with pytest.raises(zermelo.UsageError, match="no evaluation"):
        mcts(zermelo.load("nim"), rollout="greedy")
    with pytest.raises(zermelo.NotSupported, match="hidden"):
        mcts(tree("chance(p1#I(a=(1,1) b=(0,3)) p1#I(a=(2,2) b=(0,0)))"))
    with pytest.raises(zermelo.UsageError, match="guide"):
        zermelo.search(game, depth=2, guide=lambda s, a: ([1], 0))


# -- policies of the user's -----------------------------------------------------------------------


def middle(game: Any, s: Any) -> int:
    return min(game.actions(s), key=lambda column: abs(column - 4))


def test_playouts_go_by_a_policy() -> None:
    """With nothing to choose a playout has one end: found here by playing it out in Python."""
    game: Any = zermelo.load("connect-four")
    for text in ("4455", "1", "3211"):
        s = game.parse_state(text)
        expected = {}
        for a in game.actions(s):
            end = game.result(s, a)
            while not game.is_terminal(end):
                end = game.result(end, middle(game, end))
            expected[a] = game.utility(end, 0)
        moves = len(expected)
        r = zermelo.search(
            game, s, "mcts", simulations=moves + 1, rollout=middle, solver=False, seed=1
        )
        found = {m.action: m.value for m in r.moves}
        assert found == expected and "rollout by middle" in r.why


def test_priors_of_a_policy_are_followed() -> None:
    game: Any = zermelo.load("connect-four")

    def odds(game: Any, s: Any) -> dict[int, float]:
        weights = {a: 54.0 if a == 7 else 1.0 for a in game.actions(s)}
        return {a: w / sum(weights.values()) for a, w in weights.items()}

    flat = zermelo.search(game, algorithm="mcts", simulations=60, priors=True, seed=1)
    led = zermelo.search(game, algorithm="mcts", simulations=60, priors=odds, seed=1)
    visits = [{m.action: m.visits for m in r.moves}[7] for r in (flat, led)]
    assert visits[1] > 30 > visits[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_policy_that_searches_is_no_simulation(threads: int) -> None:
    game: Any = zermelo.load("connect-four")
    policy = zermelo.models.mixed(depth=1, best=0.5)
    r = zermelo.search(
        game, algorithm="mcts", simulations=50, rollout=policy, seed=1, threads=threads
    )
    assert r.nodes == 50
    # Each thread may play one simulation from the root itself, before it has children.
    assert sum(m.visits for m in r.moves) >= 50 - threads


def test_policies_with_chance_and_models() -> None:
    game: Any = zermelo.load("pig:target=20")

    def bold(game: Any, s: Any) -> str:
        return "roll" if "roll" in game.actions(s) else "hold"

    r = zermelo.search(game, algorithm="mcts", simulations=300, rollout=bold, seed=1)
    assert r.nodes == 300 and -1 <= r.value <= 1
    r = zermelo.search(
        game, algorithm="mcts", simulations=300, rollout=bold, opponents={1: bold}, seed=1
    )
    assert "rollout by bold" in r.why and "plays bold" in r.why


@pytest.mark.parametrize("option", ["rollout", "priors"])
def test_wrong_policies(option: str) -> None:
    game: Any = zermelo.load("connect-four")
    for wrong, said in (
        (lambda game, s: 99, "not legal"),
        (lambda game, s: None, "not legal"),
        (lambda game, s: {1: 0.5}, "sum to 0.5"),
        (lambda game, s: {1: -1.0, 2: 2.0}, "probability"),
    ):
        with pytest.raises(zermelo.ZermeloError, match=said) as caught:
            zermelo.search(game, algorithm="mcts", simulations=20, **{option: wrong})
        assert caught.value.hint and f"{option}=" in caught.value.message
    with pytest.raises(zermelo.UsageError, match="policy"):
        zermelo.search(zermelo.load("kuhn"), algorithm="ismcts", rollout=middle)
