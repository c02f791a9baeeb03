"""What networks read: the planes of each game hold what their comments say."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.errors import UsageError


def planes(spec: str, position: str, player: int) -> Any:
    game: Any = zermelo.load(spec)
    return game.encode(game.parse_state(position), player)


def drawn(plane: Any) -> list[str]:
    return ["".join(".X"[int(x)] for x in row) for row in plane]


def test_connect_four_has_the_stones_of_both_players() -> None:
    own, other = planes("connect-four", "44535", 1)
    assert drawn(own) == [
        ".......", ".......", ".......", ".......", "...X...", "..X....",
    ]  # fmt: skip
    assert drawn(other) == [
        ".......", ".......", ".......", ".......", "....X..", "...XX..",
    ]  # fmt: skip
    assert np.array_equal(planes("connect-four", "44535", 0), [other, own])


def test_othello_has_discs_and_moves() -> None:
    game: Any = zermelo.load("othello:size=6")
    own, other, moves = game.encode(game.initial(), 0)
    assert drawn(own) == ["......", "......", "...X..", "..X...", "......", "......"]
    assert drawn(other) == ["......", "......", "..X...", "...X..", "......", "......"]
    squares = {game.policy_index(a) for a in game.actions(game.initial())}
    assert set(np.flatnonzero(moves)) == squares
    assert game.policy_index("pass") == 36


def test_hex_tells_who_connects_the_top_with_the_bottom() -> None:
    for player in (0, 1):
        x = planes("hex:size=3,swap=no", "a1 c3 b2", player)
        assert x[2].min() == x[2].max() == 1 - player
    own, other, _ = planes("hex:size=3,swap=no", "a1 c3 b2", 0)
    assert drawn(own) == ["X..", ".X.", "..."]
    assert drawn(other) == ["...", "...", "..X"]


def test_go_has_stones_liberties_the_last_move_and_ko() -> None:
    text = ".XO../XO.O./.XO../...../O...."
    black, white = (planes("go:size=5", f"{text} black", p) for p in (0, 1))
    assert drawn(black[0]) == [".X...", "X....", ".X...", ".....", "....."]
    assert drawn(black[1]) == ["..X..", ".X.X.", "..X..", ".....", "X...."]
    assert drawn(black[3]) == [".....", ".X...", ".....", ".....", "....."]
    assert drawn(black[2]) == [".X...", ".....", ".....", ".....", "....."]
    assert np.array_equal(black[[0, 2, 4]], white[[1, 3, 5]])
    assert black[8].min() == 1 and white[8].max() == 0
    game: Any = zermelo.load("go:size=5")
    s = game.result(game.parse_state(f"{text} black"), "C4")  # takes B4
    x = game.encode(s, 1)
    assert x[6].sum() == 1 and x[6].flat[game.policy_index("C4")] == 1
    assert x[7].sum() == 1 and x[7].flat[game.policy_index("B4")] == 1


def test_go_planes_agree_with_the_chains_of_the_board() -> None:
    game: Any = zermelo.load("go:size=7")
    rng = random.Random(1)
    for _ in range(20):
        s = game.initial()
        for _ in range(rng.randint(1, 60)):
            if game.is_terminal(s):
                break
            s = game.result(s, rng.choice(game.actions(s)[:-1] or ["pass"]))
        if game.is_terminal(s):
            continue
        cells = game.native.parts(game.data(s))["cells"]
        expected = liberties(cells, 7)
        for player in (0, 1):
            x = game.encode(s, player).reshape(9, -1)
            for point, (cell, count) in enumerate(zip(cells, expected, strict=True)):
                other = int(cell == "XO"[1 - player])
                assert x[0, point] == (cell == "XO"[player])
                assert x[1, point] == other
                for plane in (2, 4):
                    found = x[plane, point] + x[plane + 1, point]
                    assert found == (cell != "." and count == plane // 2)


def liberties(cells: str, size: int) -> list[int]:
    """The liberties of the chain on each point, by flood fill."""

    def near(point: int) -> list[int]:
        row, column = divmod(point, size)
        places = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]

    found = []
    for point, cell in enumerate(cells):
        chain, edge = {point}, [point]
        while edge and cell != ".":
            fresh = {q for q in near(edge.pop()) if cells[q] == cell} - chain
            chain |= fresh
            edge += fresh
        free = {q for p in chain for q in near(p) if cells[q] == "."}
        found.append(0 if cell == "." else len(free))
    return found


def test_wrong_input_is_rejected() -> None:
    game: Any = zermelo.load("connect-four")
    with pytest.raises(UsageError, match="player"):
        game.encode(game.initial(), 2)
    with pytest.raises(zermelo.ZermeloError, match="over"):
        game.encode(game.parse_state("1212121"), 0)
