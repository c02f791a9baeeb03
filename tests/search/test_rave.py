"""Parts of Monte Carlo tree search beyond UCT: RAVE, heavy playouts, game priors and progressive
widening, against a slow implementation in Python and against solved games."""

from __future__ import annotations

import random
from typing import Any

import pytest

import slow_mcts
import zermelo
from slow_mcts import SlowMcts, cell_of, saving_bridges, square_of
from zermelo import Memory

SMALL_HEX = "hex:size=3,swap=no"
# Each case: a game, what identifies a move, a playout policy, and options.
CASES: dict[str, tuple[str, Any, Any, dict[str, Any]]] = {
    "uct": (SMALL_HEX, cell_of, None, {}),
    "rave": (SMALL_HEX, cell_of, None, {"rave": 100.0}),
    "rave with swap": ("hex:size=4", cell_of, None, {"rave": 30.0, "exploration": 0.3}),
    "rave without exploration": ("hex:size=4", cell_of, None, {"rave": 30.0, "exploration": 0.0}),
    "expansion after 4 visits": (SMALL_HEX, cell_of, None, {"rave": 100.0, "expand_after": 4}),
    "heavy playouts": ("hex:size=5", cell_of, saving_bridges, {}),
    "both": ("hex:size=4", cell_of, saving_bridges, {"rave": 300.0}),
    "inlined rules": ("connect-four", square_of, None, {"rave": 50.0}),
    "inlined rules on any board": (
        "connect-four:width=4,height=4", square_of, None, {"rave": 10.0, "exploration": 0.5},
    ),
}  # fmt: skip


def mcts(game: Any, state: Any = None, **options: Any) -> Any:
    return zermelo.search(game, state, "mcts", **options)


def slow(game: Any, case: str, simulations: int, seed: int) -> slow_mcts.Node:
    _, amaf, policy, options = CASES[case]
    search = SlowMcts(
        game, game.initial(), amaf(game), seed, policy=policy(game) if policy else None, **options
    )
    return search.run(simulations)


# -- against the slow implementation -----------------------------------------------------------
@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("case", CASES)
def test_visits_and_means_are_those_of_the_slow_search(case: str, seed: int) -> None:
    spec, _, policy, options = CASES[case]
    game = zermelo.load(spec)
    rollout = "playout" if policy else "random"
    r = mcts(game, simulations=300, seed=seed, solver=False, rollout=rollout, **options)
    root = slow(game, case, 300, seed)
    assert {m.action: m.visits for m in r.moves} == {c.action: c.visits for c in root.children}
    means = {c.action: c.mean for c in root.children if c.visits}
    assert {m.action: m.value for m in r.moves if m.visits} == pytest.approx(means, abs=1e-12)


def test_amaf_statistics_are_those_of_the_slow_search() -> None:
    game = zermelo.load(SMALL_HEX)
    r = mcts(game, simulations=200, seed=3, solver=False, trace=True, rave=100.0)
    root = SlowMcts(game, game.initial(), cell_of(game), 3, rave=100.0).run(200)
    nodes, checked = r.trace.nodes, 0
    todo = [(root, 0)]
    while todo:
        node, at = todo.pop()
        found = {nodes[c].action: c for c in nodes[at].children}
        assert set(found) == {c.action for c in node.children}
        sign = -1 if nodes[at].player == 1 else 1
        for child in node.children:
            amaf = nodes[found[child.action]].amaf
            if child.amaf_visits:
                assert amaf == (sign * float(child.amaf_mean), child.amaf_visits)
                checked += 1
            else:
                assert amaf is None
            todo.append((child, found[child.action]))
    assert checked > 100


def test_the_trace_explains_the_blend() -> None:
    game = zermelo.load(SMALL_HEX)
    r = mcts(game, simulations=60, seed=1, trace=True, rave=50.0, solver=False)
    assert "RAVE, k = 50" in r.trace.convention
    chosen = [e for e in r.trace.events if e.kind == "select" and "bound" in e.text]
    assert len(chosen) > 20
    for e in chosen:
        best = max if r.trace.nodes[e.node].player == 0 else min
        assert e.bounds[e.child] == pytest.approx(best(e.bounds.values()), abs=1e-6)


# -- values --------------------------------------------------------------------------------------
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "spec,options",
    [
        ("hex:size=3", {"rave": 100.0}),
        ("hex:size=3", {"expand_after": 8}),
        ("hex:size=3", {"rave": 100.0, "priors": True, "widening": 2}),
        ("hex:size=4,swap=no", {"rave": 300.0, "rollout": "playout"}),
        ("hex:size=4", {"rave": 300.0, "priors": True}),
        ("connect-four:width=4,height=3", {"rave": 50.0, "rollout": "playout"}),
        ("othello:size=4", {"rave": 100.0, "rollout": "playout"}),
        ("tic-tac-toe", {"priors": True, "widening": 1}),
    ],
)
def test_proved_values_are_exact(spec: str, options: dict[str, Any], threads: int) -> None:
    game = zermelo.load(spec)
    exact = zermelo.solve(game)
    r = mcts(game, simulations=3_000_000, seed=2, threads=threads, **options)
    assert r.exact and r.value == exact.value
    for m in r.moves:
        if m.kind == "exact":
            assert m.value == zermelo.solve(game, game.result(game.initial(), m.action)).value


def test_values_of_moves_are_means_of_their_own_simulations() -> None:
    """AMAF guides the selection but is not reported."""
    game = zermelo.load("hex:size=5")
    r = mcts(game, simulations=2000, rave=1000.0, seed=4, solver=False)
    root = SlowMcts(game, game.initial(), cell_of(game), 4, rave=1000.0).run(300)
    assert any(c.amaf_visits > c.visits for c in root.children)
    assert sum(m.visits for m in r.moves) == 2000 - 1
    for m in r.moves:
        wins = m.visits * (m.value + 1) / 2
        assert not m.visits or wins == pytest.approx(round(wins), abs=1e-6)


# -- heavy playouts --------------------------------------------------------------------------------
def test_heavy_playouts_judge_better() -> None:
    """Random play does not see that a bridge is safe."""
    game = zermelo.load("hex:size=5,swap=no")
    state = game.parse_state("...../...R./...../..R../.B.B. red")  # bridges from edge to edge
    light, heavy = (
        mcts(game, state, simulations=500, seed=1, solver=False, rollout=rollout).value
        for rollout in ("random", "playout")
    )
    assert light < heavy
    four = zermelo.load("connect-four")
    threat = four.parse_state("1223334544")
    assert mcts(four, threat, simulations=300, rollout="playout", solver=False).nodes == 300


def test_heavy_playouts_need_a_policy() -> None:
    with pytest.raises(zermelo.UsageError, match="nim has no playout policy"):
        mcts(zermelo.load("nim"), rollout="playout")


# -- RAVE ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spec", ["nim", "tic-tac-toe", "nim:piles=2,3,players=3", "chess"])
def test_rave_needs_amaf_indices(spec: str) -> None:
    with pytest.raises(zermelo.UsageError, match=r"does not support rave=100") as e:
        mcts(zermelo.load(spec), simulations=10, rave=100)
    assert "AMAF" in e.value.hint


def test_rave_finds_a_move_sooner() -> None:
    """On a large board a few hundred simulations visit few moves twice; AMAF visits all."""
    game = zermelo.load("hex:size=9,swap=no")
    plain = mcts(game, simulations=400, seed=1)
    rave = mcts(game, simulations=400, seed=1, rave=1000, exploration=0.1)
    assert max(m.visits for m in rave.moves) > 2 * max(m.visits for m in plain.moves)


def test_rave_with_an_opponent_model() -> None:
    """The modelled player's moves are chance; the other's have AMAF statistics."""
    game = zermelo.load("hex:size=4")
    r = mcts(game, simulations=500, rave=100.0, opponents={1: "random"}, seed=1)
    assert r.nodes == 500 and r.value > 0


def test_rave_with_two_threads_counts_every_simulation() -> None:
    game = zermelo.load("hex:size=7")
    r = mcts(game, simulations=20_000, threads=2, rave=300.0, rollout="playout")
    assert r.nodes == 20_000 and sum(m.visits for m in r.moves) == 20_000 - 1
    assert all(-1 <= m.value <= 1 for m in r.moves)


def test_the_tree_is_kept_with_its_amaf_statistics() -> None:
    game, memory = zermelo.load("hex:size=7"), Memory(32)
    first = mcts(game, simulations=5000, memory=memory, rave=300.0)
    state = game.result(game.initial(), first.action)
    below = next(m.visits for m in first.moves if m.action == first.action)
    kept = mcts(game, state, simulations=200, memory=memory, rave=300.0)
    assert f"{below} simulations were kept" in kept.why
    assert sum(m.visits for m in kept.moves) == below + 200 - 1
    # A search without RAVE needs a tree without AMAF statistics.
    assert "kept" not in mcts(game, state, simulations=200, memory=memory).why
    assert "kept" not in mcts(game, state, simulations=200, memory=memory, rave=300.0).why


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_kept_tree_continues_with_its_amaf_statistics(plies: int) -> None:
    """The slow search continues in its own subtree, which loses nothing."""
    game, memory = zermelo.load("hex:size=4"), Memory(16)
    options: dict[str, Any] = {"rave": 100.0, "exploration": 0.2}
    kept = SlowMcts(game, game.initial(), cell_of(game), seed=1, **options)
    kept.run(400)
    mcts(game, simulations=400, memory=memory, seed=1, solver=False, **options)
    for _ in range(plies):
        kept.root = max(kept.root.children, key=lambda c: c.visits)
        kept.state = game.result(kept.state, kept.root.action)
    kept.random = slow_mcts.SplitMix(2)
    for _ in range(150):
        kept.simulate()
    r = mcts(game, kept.state, simulations=150, memory=memory, seed=2, solver=False, **options)
    assert "simulations were kept" in r.why
    assert {m.action: m.visits for m in r.moves} == {c.action: c.visits for c in kept.root.children}


def test_a_tree_with_amaf_statistics_is_smaller() -> None:
    game = zermelo.load("hex:size=9")
    full = [mcts(game, simulations=20_000, table=1, rave=rave).why for rave in (0, 100)]
    nodes = [int(why.split("full at ")[1].split()[0]) for why in full]
    assert nodes[0] > nodes[1] > 0.7 * nodes[0]  # 48 and 60 bytes per node


# -- progressive widening -----------------------------------------------------------------------
def visited(game: Any, simulations: int, widening: int, **options: Any) -> int:
    r = mcts(game, simulations=simulations, priors=True, widening=widening, seed=1, **options)
    return sum(m.visits > 0 for m in r.moves)


def test_widening_follows_coulombs_schedule() -> None:
    """After t(n) visits of the root: t(0) = 0, t(n + 1) = t(n) + 40 * 1.4^n."""
    game = zermelo.load("hex:size=7")
    thresholds, step = [40.0], 40.0
    for _ in range(8):
        step *= 1.4
        thresholds.append(thresholds[-1] + step)
    for simulations in (20, 45, 100, 400, 1000):
        for widening in (1, 3):
            most = widening + sum(simulations - 1 >= t for t in thresholds)
            # A large constant makes the search visit whatever it may consider.
            assert visited(game, simulations, widening, exploration=50.0) == most


def test_widening_considers_the_best_priors_first() -> None:
    game = zermelo.load("hex:size=5,swap=no")
    favourite = ["e5", "a1", "b4"]

    def guide(s: Any, actions: list[Any]) -> Any:
        return [9.0 - favourite.index(a) if a in favourite else 1.0 for a in actions], 0.0

    r = mcts(game, simulations=39, guide=guide, widening=3, exploration=50.0)
    assert {m.action for m in r.moves if m.visits} == set(favourite)


def test_widening_needs_priors() -> None:
    with pytest.raises(zermelo.UsageError, match="widening=3 needs priors"):
        mcts(zermelo.load("hex:size=5"), simulations=10, widening=3)


def test_widening_finds_moves_with_bad_priors() -> None:
    """Everything that is considered may be proved lost: then the next move is considered."""
    rng = random.Random(4)
    game = zermelo.load("tic-tac-toe")
    for _ in range(20):
        s = game.initial()
        for _ in range(rng.randint(1, 4)):
            s = game.result(s, rng.choice(game.actions(s)))
        if not game.is_terminal(s):
            r = mcts(game, s, simulations=100_000, priors=True, widening=1)
            assert r.exact and r.value == zermelo.solve(game, s).value


# -- options that a game recommends ----------------------------------------------------------
class Recommending(type(zermelo.load("hex"))):  # type: ignore[misc]
    algorithm_options = {"mcts": {"rave": 40.0, "exploration": 0.5}}  # noqa: RUF012


def test_a_game_recommends_options() -> None:
    game = zermelo.load("hex:size=4")
    advised = Recommending("hex:size=4", size=4, swap=True)
    explicit = mcts(game, simulations=300, seed=1, rave=40.0, exploration=0.5)
    r = mcts(advised, simulations=300, seed=1)
    assert [m.visits for m in r.moves] == [m.visits for m in explicit.moves]
    assert "recommends rave=40, exploration=0.5" in r.why
    # What the caller gives counts, under any of its names; a trace shows the textbook's search.
    r = mcts(advised, simulations=300, seed=1, rave=0, explore=1.0)
    plain = mcts(game, simulations=300, seed=1, rave=0, exploration=1.0)
    assert [m.visits for m in r.moves] == [m.visits for m in plain.moves]
    assert "recommends" not in r.why
    assert "recommends" not in mcts(advised, simulations=20, trace=True).why


def test_means_stay_within_the_utilities() -> None:
    """Rounding once carried the mean of equal values beyond them."""
    game: Any = zermelo.load("go:size=6")
    for seed in range(60):
        rng, s = random.Random(seed), game.initial()
        for _ in range(rng.randint(2, 30)):
            after = game.result(s, rng.choice(game.actions(s)))
            if game.is_terminal(after):
                break
            s = after
        r = zermelo.search(game, s, "mcts", simulations=300, seed=seed)
        assert all(-1 <= v <= 1 for v in (r.value, *(m.value for m in r.moves)))
