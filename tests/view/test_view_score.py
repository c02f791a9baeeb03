"""Values as expected scores, and boards drawn from text."""

from __future__ import annotations

import re
from typing import Any

import pytest

import zermelo
from zermelo.view.board_svg import board_svg, grid_of, grid_places
from zermelo.view.score import expected_score


def test_what_is_sure_is_one_half_or_nothing() -> None:
    othello = zermelo.load("othello")
    assert [expected_score(othello, v, "exact") for v in (2.0, 0.0, -64.0)] == [1.0, 0.5, 0.0]


def test_points_of_one_side_are_interpolated() -> None:
    bridge = zermelo.load("bridge")  # the declarer takes 0 to 13 tricks
    assert [expected_score(bridge, v, "exact") for v in (0.0, 6.5, 13.0)] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("name", ["chess", "othello", "checkers", "connect-four"])
def test_estimates_are_odds(name: str) -> None:
    game = zermelo.load(name)
    unit = game.estimate_scale
    scores = [expected_score(game, unit * v, "estimate") for v in (-1e9, -3, -1, 0, 1, 3, 1e9)]
    assert None not in scores
    found = [s for s in scores if s is not None]
    assert found == sorted(found) and found[3] == 0.5 and 0 <= found[0] < found[-1] <= 1
    assert all(abs(a + b - 1) < 1e-9 for a, b in zip(found, reversed(found), strict=True))
    assert round(found[4], 2) == 0.73


def test_no_score_where_it_has_no_meaning() -> None:
    three = zermelo.tree("p1(p2((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1)))")
    assert expected_score(three, 3.0, "exact") is None
    assert expected_score(zermelo.load("chess"), float("nan"), "estimate") is None


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("X.O.X.O..", ["X.O", ".X.", "O.."]),
        ("X . O\n. X .", ["X.O", ".X."]),
        ("ab.\nabc", ["ab.", "abc"]),
        ("X O X O  ", ["X O", " X ", "O  "]),
        ("hello", None),
        ("two words", None),
        ("", None),
        ("abcd", None),  # nothing is empty: a word, not a board
        ("a.\nabc", None),
    ],
)
def test_grids_are_recognized(text: str, rows: list[str] | None) -> None:
    assert grid_of(text) == rows


class Texts(zermelo.Game):
    def __init__(self, text: str) -> None:
        self.text = text

    def board(self, s: Any) -> str:
        return self.text


def test_boards_from_text() -> None:
    grid = board_svg(Texts("X..\n.O.\n..."), None)
    assert re.findall(r'data-square="(\d+)"', grid) == [str(i) for i in range(9)]
    places = grid_places(Texts("X..\n.O.\n..."), None, [4, (2, 1), 9, (3, 0), "pass", True])
    assert places == [("4",), ("7",), (), (), (), ()]
    hostile = board_svg(Texts('<script>alert("x")</script>\n' + "y" * 10_000), None)
    assert "<script" not in hostile and len(hostile) < 5000
    assert grid_places(Texts("hello"), None, [1]) == [()]
