"""Hex: the rules against OpenSpiel and a slow judge, solved boards, the swap rule and notation."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import zermelo
from positions import after_random_moves
from zermelo.errors import BadPosition, IllegalAction, UsageError

NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
# The first moves with which Red wins without the swap rule, found by brute force.
WINNING_OPENINGS = {3: "c1 a2 b2 c2 a3", 4: "d1 c2 b3 a4"}


def hexes(size: int, swap: bool) -> Any:
    return zermelo.load(f"hex:size={size},swap={'yes' if swap else 'no'}")


def connected(rows: list[str], player: int) -> bool:
    """Whether the player's two sides are connected, by a plain flood fill."""
    n, sign = len(rows), "RB"[player]
    todo = [(i, 0) if player else (0, i) for i in range(n)]
    seen = set()
    while todo:
        r, c = todo.pop()
        if 0 <= r < n and 0 <= c < n and rows[r][c] == sign and (r, c) not in seen:
            seen.add((r, c))
            todo += [(r + dr, c + dc) for dr, dc in NEIGHBOURS]
    return any((c if player else r) == n - 1 for r, c in seen)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 9, 11, 13, 16, 19])
def test_the_game_ends_when_a_player_connects(size: int) -> None:
    game, rng = hexes(size, True), random.Random(size)
    for _ in range(30 if size < 8 else 2):
        s = game.initial()
        while True:
            won = [connected(game.rows(s), p) for p in (0, 1)]
            assert game.is_terminal(s) == any(won)
            if any(won):
                assert [game.utility(s, p) for p in (0, 1)] == [1 if w else -1 for w in won]
                break
            s = game.result(s, rng.choice(game.actions(s)))


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [2, 3, 5, 11])
def test_random_games_as_openspiel_plays_them(size: int, swap: bool) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs = pyspiel.load_game(f"hex(board_size={size},swap={swap})")
    game, rng = hexes(size, swap), random.Random(size)
    for _ in range(150 if size < 11 else 15):
        s, o = game.initial(), theirs.new_initial_state()
        while not o.is_terminal():
            assert game.player(s) == o.current_player()
            codes = {game.encode_action(0, a): a for a in game.actions(s)}
            assert sorted(codes) == o.legal_actions()
            code = rng.choice(o.legal_actions())
            if size**2 in codes and rng.random() < 0.5:
                code = size**2  # swap
            s = game.result(s, codes[code])
            o.apply_action(code)
        assert game.is_terminal(s)
        assert [game.utility(s, p) for p in (0, 1)] == o.returns()


def test_small_boards_by_brute_force() -> None:
    game = hexes(3, False)

    @cache
    def value(s: Any) -> float:
        if game.is_terminal(s):
            return float(game.utility(s, 0))
        best = max if game.player(s) == 0 else min
        return best(value(game.result(s, a)) for a in game.actions(s))

    for a in game.actions(game.initial()):
        s = game.result(game.initial(), a)
        assert zermelo.solve(game, s).value == value(s)
        assert (value(s) == 1) == (a in WINNING_OPENINGS[3].split())


@pytest.mark.parametrize("size", [3, 4])
def test_winning_openings(size: int) -> None:
    game = hexes(size, False)
    winning = {
        a
        for a in game.actions(game.initial())
        if zermelo.solve(game, game.result(game.initial(), a)).value == 1
    }
    assert winning == set(WINNING_OPENINGS[size].split())


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_swap_rule_turns_the_first_player_s_win_into_a_loss(size: int) -> None:
    assert zermelo.solve(hexes(size, False)).value == 1
    assert zermelo.solve(hexes(size, True)).value == -1


def test_hints_do_not_change_values() -> None:
    """Forced replies, mirrored table entries and move ordering agree with plain alpha-beta."""
    rng = random.Random(4)
    for swap in (False, True):
        game = hexes(4, swap)
        for _ in range(25):
            s = after_random_moves(game, rng.randrange(4, 9), rng)
            if game.is_terminal(s):
                continue
            plain = zermelo.search(game, s, algorithm="alphabeta", depth=16, table=4)
            for algorithm in ("engine", "proof-number"):
                r = zermelo.search(game, s, algorithm=algorithm)
                assert (r.value, r.exact) == (plain.value, True)


def test_swap_mirrors_the_stone_and_changes_its_colour() -> None:
    game = hexes(4, True)
    s = game.parse_state("b1")
    assert "swap" in game.actions(s)
    s = game.result(s, "swap")
    assert game.format_state(s) == "..../B.../..../.... red"
    assert "swap" not in game.actions(s) and "b1" in game.actions(s)
    assert game.player(s) == 0
    assert "swap" not in game.actions(game.parse_state("b1 c1"))
    assert "swap" not in game.actions(game.parse_state("b1 c1 d4"))
    assert "swap" not in hexes(4, False).actions(hexes(4, False).parse_state("b1"))


def test_positions_in_words() -> None:
    game = hexes(3, True)
    s = game.parse_state("1. B2 a1 2. c1")
    assert game.format_state(s) == "B.R/.R./... blue"
    assert game.parse_state("b.r/.r./...") == s
    assert game.parse_state("B.R/.R./... blue") == s
    assert str(s) == "   a b c\n 1 B . R\n  2 . R .\n   3 . . ."
    swapped = game.parse_state("B../.R./... blue")  # as many of each, and Blue moves: a swap
    assert swapped != game.parse_state("B../.R./...")
    assert game.player(swapped) == 1


@pytest.mark.parametrize(
    "text", ["R../...", "R../..x/...", "RR./.../...", "R../.../... green", "R.R/BBB/RR. blue"]
)
def test_wrong_positions(text: str) -> None:
    with pytest.raises(BadPosition):
        hexes(3, True).parse_state(text)


def test_a_swapped_position_needs_the_rule() -> None:
    with pytest.raises(BadPosition):
        hexes(3, False).parse_state("B../.../... red")


@pytest.mark.parametrize("move", ["d1", "a4", "a0", "swap", "aa", "1a", ""])
def test_wrong_moves(move: str) -> None:
    game = hexes(3, True)
    with pytest.raises(IllegalAction):
        game.result(game.initial(), move)


@pytest.mark.parametrize("option", ["size=1", "size=20", "size=x", "swap=maybe"])
def test_wrong_options(option: str) -> None:
    with pytest.raises(UsageError):
        zermelo.load(f"hex:{option}")


def test_the_evaluation_counts_stones_to_connect() -> None:
    game = hexes(5, False)
    even = game.parse_state("")
    assert game.evaluate(even, 0) == 0.5  # both need as many stones; half of one for the turn
    ahead = game.parse_state("c3 a1 c2 e5")  # Red has two stones in the middle column
    assert game.evaluate(ahead, 0) > game.evaluate(even, 0)
    assert game.evaluate(ahead, 1) == -game.evaluate(ahead, 0)


@pytest.mark.parametrize(
    ("algorithm", "limits"), [("engine", {"depth": 2}), ("mcts", {"nodes": 1000, "seed": 1})]
)
def test_searches_beat_random_play(algorithm: str, limits: dict[str, int]) -> None:
    game, rng = hexes(6, True), random.Random(8)
    for seat in (0, 1) * 4:
        s = game.initial()
        while not game.is_terminal(s):
            if game.player(s) == seat:
                s = game.result(s, zermelo.search(game, s, algorithm=algorithm, **limits).action)
            else:
                s = game.result(s, rng.choice(game.actions(s)))
        assert game.utility(s, seat) == 1


def test_clicking_the_first_stone_swaps_it() -> None:
    game = hexes(4, True)
    s = game.parse_state("b3")
    assert game.action_squares(s, "swap") == ("b3",)
    assert game.action_squares(s, "a1") == ("a1",)
    assert "swap" in game.svg(s) and "swap" not in game.svg(game.initial())
    assert game.svg(s).count("data-square") == 16
