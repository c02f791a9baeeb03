"""Claims about positions of connect four and of games with scores, checked by brute force."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import zermelo
from exactness import check
from positions import after_random_moves

ROWS, COLUMNS = 4, 5

LINES = [
    [(c + i * dc, r + i * dr) for i in range(4)]
    for c in range(COLUMNS)
    for r in range(ROWS)
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= c + 3 * dc < COLUMNS and 0 <= r + 3 * dr < ROWS
]

MASKS = [sum(1 << (c * ROWS + r) for c, r in line) for line in LINES]

FULL = (1 << ROWS * COLUMNS) - 1


def has_won(stones: int) -> bool:
    return any(stones & m == m for m in MASKS)


def moves_of(mine: int, other: int) -> dict[int, int]:
    """Column (from 1) to the stone that falls into it."""
    taken, found = mine | other, {}
    for c in range(COLUMNS):
        for r in range(ROWS):
            stone = 1 << (c * ROWS + r)
            if not taken & stone:
                found[c + 1] = stone
                break
    return found


@cache
def brute(mine: int, other: int) -> int:
    """The value for the player to move, who owns `mine`."""
    if has_won(other):
        return -1
    if mine | other == FULL:
        return 0
    return max(-brute(other, mine | stone) for stone in moves_of(mine, other).values())


def random_position(rng: random.Random, plies: int) -> str | None:
    mine = other = 0
    text = ""
    for _ in range(plies):
        column, stone = rng.choice(list(moves_of(mine, other).items()))
        mine, other, text = other, mine | stone, text + str(column)
        if has_won(other) or mine | other == FULL:
            return None
    return text


def position_values(text: str) -> tuple[float, dict[int, float], int]:
    """Player 0's value, the values of the moves, and the mover's sign."""
    mine = other = 0
    for column in text:
        mine, other = other, mine | moves_of(mine, other)[int(column)]
    sign = 1 if len(text) % 2 == 0 else -1
    children = {
        c: 0.0 - sign * brute(other, mine | stone) for c, stone in moves_of(mine, other).items()
    }
    return sign * max(sign * v for v in children.values()), children, sign


@pytest.fixture(scope="module")
def positions() -> list[str]:
    rng = random.Random(17)
    found = {"11124254545"}
    while len(found) < 780:
        text = random_position(rng, rng.randint(11, 15))
        if text is not None:
            found.add(text)
    return sorted(found)


@pytest.fixture(scope="module")
def small_board() -> zermelo.Game:
    return zermelo.load(f"connect-four:width={COLUMNS},height={ROWS}")


def each(game: Any, positions: list[str]) -> Any:
    for text in positions:
        yield text, game.parse_state(text), *position_values(text)


def test_solve_of_connect_four_is_true_and_finds_all_ties(
    small_board: Any, positions: list[str]
) -> None:
    for text, state, value, children, sign in each(small_board, positions):
        r = zermelo.solve(small_board, state, table=1)
        assert r.exact, text
        check(r, value, children, sign)
        r = zermelo.solve(small_board, state, ties=True, table=1)
        check(r, value, children, sign)
        assert sorted(r.best) == sorted(a for a, v in children.items() if v == value), text


LIMITED = [
    ("alphabeta", {"depth": 3, "nodes": 20}),
    ("alphabeta", {"depth": 4}),
    ("alphabeta", {"nodes": 60, "ties": True}),
    ("alphabeta", {"nodes": 300, "lines": 2, "table": 1}),
    ("alphabeta", {"depth": 5, "cut": "strict", "fail": "hard", "ties": True}),
    ("minimax", {"depth": 3, "nodes": 20}),
    ("minimax", {"nodes": 100}),
    ("engine", {"depth": 3, "nodes": 10}),
    ("engine", {"nodes": 15}),
    ("engine", {"nodes": 40, "lines": 3}),
    ("engine", {"depth": 4, "lines": 2}),
    ("engine", {"nodes": 100, "narrow": False, "mirror": False}),
    ("mcts", {"simulations": 30, "seed": 1}),
    ("mcts", {"simulations": 300, "seed": 2}),
    ("maxn", {"nodes": 50}),
    ("paranoid", {"nodes": 50}),
    ("best-reply", {"depth": 3, "nodes": 30}),
    ("expectiminimax", {"nodes": 60, "lines": 2}),
]


@pytest.mark.parametrize(("algorithm", "limits"), LIMITED, ids=str)
def test_limited_search_of_connect_four_claims_only_what_is_true(
    small_board: Any, positions: list[str], algorithm: str, limits: dict[str, Any]
) -> None:
    for text, state, value, children, sign in each(small_board, positions):
        r = zermelo.search(small_board, state, algorithm, **limits)
        try:
            check(r, value, children, sign)
        except AssertionError as e:
            raise AssertionError(f"{text}: {e} {r!r} {r.moves}") from None


def test_engine_lines_go_on_until_the_best_are_exact(
    small_board: Any, positions: list[str]
) -> None:
    for text, state, value, children, sign in each(small_board, positions):
        for lines in (2, 3):
            r = zermelo.search(small_board, state, "engine", lines=lines, deepen=True)
            check(r, value, children, sign)
            top = sorted((sign * v for v in children.values()), reverse=True)[:lines]
            found = sorted((sign * m.value for m in r.moves if m.kind == "exact"), reverse=True)
            assert found[: len(top)] == top, text


def test_moves_that_are_not_proved_equal_are_not_best() -> None:
    game = zermelo.load("connect-four")
    for depth in range(1, 9):
        r = zermelo.search(game, game.parse_state("4455"), depth=depth)
        assert r.best == [r.action]
        assert not r.exact or r.action == 3
    game = zermelo.load("tic-tac-toe")
    state = game.parse_state(".../OO./.XX")
    for r in (zermelo.search(game, state), zermelo.solve(game, state)):
        assert r.best == ["a3"]
        assert {m.action: m.kind for m in r.moves}["c2"] != "upper"  # it wins, too
    assert sorted(zermelo.solve(game, state, ties=True).best) == ["a3", "c2"]


def backward(game: Any, s: Any, memo: dict[str, float]) -> float:
    key = game.format_state(s)
    if key not in memo:
        if game.is_terminal(s):
            memo[key] = game.utility(s, 0)
        else:
            each = [backward(game, game.result(s, a), memo) for a in game.actions(s)]
            memo[key] = max(each) if game.player(s) == 0 else min(each)
    return memo[key]


@pytest.mark.parametrize(
    ("spec", "plies"),
    [("connect-four:width=5,height=4,score=distance", 14), ("othello:size=4", 5)],
)
def test_games_of_scores(spec: str, plies: int) -> None:
    game, rng, checked = zermelo.load(spec), random.Random(8), 0
    while checked < 40:
        s = after_random_moves(game, plies, rng)
        if game.is_terminal(s):
            continue
        checked += 1
        memo: dict[str, float] = {}
        children = {a: backward(game, game.result(s, a), memo) for a in game.actions(s)}
        sign = 1 if game.player(s) == 0 else -1
        value = sign * max(sign * v for v in children.values())
        r = zermelo.solve(game, s, table=1)
        assert r.exact
        check(r, value, children, sign)
        r = zermelo.solve(game, s, ties=True, table=1)
        assert sorted(r.best) == sorted(a for a, v in children.items() if v == value)
        check(r, value, children, sign)
        for limits in ({"nodes": 15}, {"nodes": 60, "lines": 2}, {"depth": 3}):
            check(zermelo.search(game, s, "engine", **limits), value, children, sign)
