"""The engine agrees with plain minimax, whatever part of it is switched off."""

from __future__ import annotations

import itertools
import random
import sys
from typing import Any, NamedTuple

import pytest

import oracle
import zermelo
from positions import after_random_moves
from zermelo.textbook.minimax import Horizon

PARTS = (
    "pvs",
    "aspiration",
    "killers",
    "mirror",
    "narrow",
    "ahead",
    "reductions",
    "probcut",
    "quiescence",
)
WITHOUT: list[dict[str, Any]] = [
    {},
    *({part: False} for part in PARTS),
    dict.fromkeys(PARTS, False),
]


def honest(move: Any, true: float) -> bool:
    if move.kind == "exact":
        return bool(move.value == true)
    return bool(move.value <= true if move.kind == "lower" else move.value >= true)


@pytest.mark.parametrize("options", WITHOUT, ids=str)
def test_random_games(options: dict[str, Any]) -> None:
    for seed, depth in itertools.product(range(40), (3, 6)):
        game = oracle.HashedGame(seed, depth)
        plain = zermelo.search(game, algorithm="minimax")
        found = zermelo.search(game, algorithm="engine", **options)
        assert found.exact and found.value == plain.value and found.action in plain.best
        for move, known in zip(found.moves, plain.moves, strict=False):
            assert move.kind == "estimate" or honest(move, values(plain)[move.action]), known


def values(plain: Any) -> dict[Any, float]:
    return {m.action: m.value for m in plain.moves}


def test_random_trees() -> None:
    rng = random.Random(1)
    for _ in range(1000):
        game = zermelo.tree(oracle.text_of(oracle.random_tree(rng, rng.randint(1, 6), -4, 4)))
        if game.is_terminal(game.initial()):
            continue
        plain = zermelo.search(game, algorithm="minimax")
        for found in (zermelo.search(game, algorithm="engine"), zermelo.solve(game)):
            assert found.exact and found.value == plain.value and found.action in plain.best


@pytest.mark.parametrize("lines", [2, 3, 10])
def test_several_lines_are_the_best_ones(lines: int) -> None:
    for seed in range(40):
        game = oracle.HashedGame(seed, 5)
        plain = zermelo.search(game, algorithm="minimax")
        found = zermelo.search(game, algorithm="engine", lines=lines)
        sign = 1 if game.player(game.initial()) == 0 else -1
        ranks = sorted((sign * v for v in values(plain).values()), reverse=True)[:lines]
        exact = [sign * m.value for m in found.moves if m.kind == "exact"]
        assert sorted(exact, reverse=True)[:lines] == ranks


@pytest.mark.parametrize("spec", ["connect-four:width=4,height=4", "connect-four:width=5,height=4"])
@pytest.mark.parametrize("score", ["win", "distance"])
def test_connect_four_hints_change_nothing(spec: str, score: str) -> None:
    """Positions by random play: the engine with and without hints, and plain alpha-beta."""
    game: Any = zermelo.load(f"{spec},score={score}")
    rng = random.Random(7)
    for _ in range(25):
        s = after_random_moves(game, rng.randint(4, 14), rng)
        if game.is_terminal(s):
            continue
        plain = zermelo.search(game, s, algorithm="alphabeta", table=16, ties=True)
        for found in (
            zermelo.solve(game, s),
            zermelo.solve(game, s, threads=2),
            zermelo.search(game, s, algorithm="engine"),
            zermelo.search(game, s, algorithm="engine", narrow=False, mirror=False),
        ):
            assert found.exact and found.value == plain.value, game.format_state(s)
            assert found.action in plain.best


def test_the_nearest_win_is_played() -> None:
    game = zermelo.load("connect-four")
    s = game.parse_state("445531")
    assert zermelo.search(game, s, depth=6).action in (2, 6)
    assert zermelo.solve(game, s, time=10).value == 1


def test_another_evaluation_leaves_the_other_hints_alone() -> None:
    game = zermelo.load("connect-four:score=distance")
    s = game.parse_state("4455")
    own = zermelo.search(game, s, "engine", depth=8)
    other = zermelo.search(game, s, "engine", depth=8, evaluate=lambda s, p: 0.0)
    assert own.exact and other.exact and own.value == other.value
    quiet = zermelo.search(game, game.initial(), "engine", depth=4, evaluate=lambda s, p: 0.0)
    assert (quiet.value, quiet.kind, quiet.depth) == (0.0, "estimate", 4)


def test_every_finished_depth_is_told() -> None:
    told: list[Any] = []
    game = zermelo.load("connect-four")
    last = zermelo.search(game, depth=6, on_depth=told.append)
    assert [r.depth for r in told] == [1, 2, 3, 4, 5, 6]
    assert told[-1].value == last.value and told[-1].pv == last.pv
    assert all(a.nodes < b.nodes for a, b in itertools.pairwise(told))


def test_noisy_moves_are_followed_past_the_limit() -> None:
    """The lectures' horizon: at depth 3 only quiescence sees that the bishop falls anyway."""
    blind = zermelo.search(Horizon(), algorithm="engine", depth=3, quiescence=False)
    wise = zermelo.search(Horizon(), algorithm="engine", depth=3)
    assert (blind.action, blind.value) == ("give a pawn", -1.0)
    assert (wise.action, wise.value) == ("wait", -3.0)


class Points(NamedTuple):
    moves: int
    turn: int
    sum: int


class ScoreGame(zermelo.Game):
    """Ends in points, and does not say so: utilities beyond 1 make the search start again."""

    def initial(self) -> Points:
        return Points(0, 0, 0)

    def player(self, s: Points) -> int:
        return s.turn

    def actions(self, s: Points) -> range:
        return range(3)

    def result(self, s: Points, a: int) -> Points:
        return Points(s.moves + 1, 1 - s.turn, (s.sum * 3 + a) % 11)

    def is_terminal(self, s: Points) -> bool:
        return s.moves >= 7

    def utility(self, s: Points, p: int) -> float:
        return (s.sum - 5) * (1 if p == 0 else -1)


def test_scores_are_noticed_on_every_thread() -> None:
    pytest.importorskip("numba")
    plain = zermelo.search(ScoreGame(), algorithm="minimax")
    fast = zermelo.compile(ScoreGame())
    for _ in range(20):
        found = zermelo.search(fast, threads=4)
        assert found.exact and found.value == plain.value


def test_an_evaluation_that_raises_on_every_thread() -> None:
    def broken(s: Any, p: int) -> float:
        raise LookupError("no idea")

    for _ in range(5):
        with pytest.raises(LookupError, match="no idea"):
            zermelo.search(zermelo.load("connect-four"), depth=4, threads=3, evaluate=broken)
    assert zermelo.search(zermelo.load("tic-tac-toe"), threads=3).exact


def test_the_engine_says_that_it_keeps_no_trace() -> None:
    with pytest.raises(zermelo.UsageError, match="does not support `trace`"):
        zermelo.search(zermelo.load("tic-tac-toe"), algorithm="engine", depth=3, trace=True)


def test_an_exception_in_the_callback_ends_the_search() -> None:
    def stop(r: Any) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        zermelo.search(zermelo.load("connect-four"), depth=6, on_depth=stop)
    assert zermelo.search(zermelo.load("tic-tac-toe")).exact


def test_python_games_use_one_thread_and_say_so() -> None:
    r = zermelo.search(oracle.HashedGame(3, 5), threads=4)
    assert "one thread" in r.why and r.exact


def test_wins_rank_before_estimates() -> None:
    """Evaluations have a unit of their own: a 2 of theirs is no better than a win."""
    game = zermelo.load("connect-four")
    r = zermelo.search(game, game.parse_state("4455"), depth=6, lines=3)
    kinds = [(m.kind, m.value) for m in r.ranked[:3]]
    assert kinds[:2] == [("exact", 1.0)] * 2 and kinds[2][0] == "estimate"
    assert kinds[2][1] > 1  # else this would show nothing
    other = zermelo.search(game, game.parse_state("44556"), depth=6, lines=7)  # MIN is lost
    lost = [m.kind == "exact" and m.value == 1 for m in other.ranked]
    assert lost == sorted(lost) and any(lost)


def test_a_trusted_shallow_search_changes_little() -> None:
    """ProbCut: far fewer nodes, nearly the same values."""
    game = zermelo.load("othello")
    rng = random.Random(4)
    gaps, on, off = [], 0, 0
    for _ in range(12):
        s = game.initial()
        for _ in range(16):
            s = game.result(s, rng.choice(list(game.actions(s))))
        with_it = zermelo.search(game, s, "engine", depth=8)
        without = zermelo.search(game, s, "engine", depth=8, probcut=False)
        gaps.append(abs(with_it.value - without.value))
        on, off = on + with_it.nodes, off + without.nodes
    assert sum(gaps) / len(gaps) < 2 and max(gaps) < 10
    assert 2 * on < off


def test_a_position_that_comes_back_is_a_draw() -> None:
    game = zermelo.load("checkers")

    def board(s: Any) -> str:
        return game.format_state(s).partition(":H")[0]  # the count of quiet moves left out

    def value(s: Any, depth: int, path: tuple[str, ...]) -> float:
        if game.is_terminal(s):
            return 1e9 * game.utility(s, 0)
        if board(s) in path:
            met.append(s)
            return 0.0
        legal = list(game.actions(s))
        if depth <= 0 and "x" not in game.format_action(s, legal[0]):
            return game.evaluate(s, 0)
        pick = max if game.player(s) == 0 else min
        return pick(value(game.result(s, a), depth - 1, (*path, board(s))) for a in legal)

    met: list[Any] = []
    off = {"reductions": False}
    for text in ("B:WK29:BK4", "W:WK29:BK4,K8", "B:WK1:BK32,K5"):
        s = game.parse_state(text)
        for depth in (4, 5, 6):
            expected = value(s, depth, ())
            assert zermelo.search(game, s, "engine", depth=depth, **off).value == expected
    assert met


def test_a_python_game_may_be_searched_selectively() -> None:
    class Selective(oracle.HashedGame):
        selective = True

        def actions(self, s: Any) -> list[int]:
            return list(range(8))

        def evaluate(self, s: Any, p: int) -> float:
            e = float(self._dice(-3, 3, "guess", s))
            return e if p == 0 else -e

    plain, chosen = 0, 0
    for seed in range(20):
        game = Selective(seed, 8, width=40)
        chosen += zermelo.search(game, algorithm="engine", depth=6).nodes
        off = {"reductions": False}
        plain += zermelo.search(game, algorithm="engine", depth=6, **off).nodes
        assert (
            zermelo.solve(game).value == zermelo.search(game, algorithm="alphabeta", table=16).value
        )
    assert chosen < plain


def test_a_table_larger_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["zermelo.search.memory"]
    monkeypatch.setattr(module, "available_memory", lambda: 1 << 30)
    game = zermelo.load("connect-four")
    for work in (
        lambda: zermelo.search(game, depth=2, algorithm="engine", table=1025),
        lambda: zermelo.solve(game, table=1025),
        lambda: zermelo.solve_all(game, [game.initial()], table=1025),
    ):
        with pytest.raises(zermelo.UsageError, match="does not fit in memory"):
            work()
    assert zermelo.search(game, depth=2, algorithm="engine", table=1024).depth == 2
