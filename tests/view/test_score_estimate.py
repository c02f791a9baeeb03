"""The score estimate as text and image."""

from __future__ import annotations

import re
from typing import Any

import pytest

import zermelo
from zermelo.errors import NotSupported
from zermelo.games.go.svg import CELL, MARGIN
from zermelo.notebook import score_estimate
from zermelo.view.score_estimate import player_colours

GO: Any = zermelo.load("go:komi=8.5")
DIVIDED = "/".join([*["...X.O..."] * 8, "...XO...."]) + " black"


def test_owners_are_drawn_in_the_middle_of_their_points() -> None:
    picture = score_estimate(GO, GO.parse_state(DIVIDED))
    pattern = r'class="owner" x="([^"]+)" y="([^"]+)" width="([^"]+)" [^>]*fill="([^"]+)"'
    marks = {}
    for x, y, width, fill in re.findall(pattern, picture.svg):
        middle = round(float(x) + float(width) / 2), round(float(y) + float(width) / 2)
        marks[middle] = float(width), fill
    black, white = player_colours(GO.player_names)
    corner, other = (MARGIN, MARGIN), (MARGIN + 8 * CELL, MARGIN)  # A9 and J9
    assert marks[corner][1] == black and marks[other][1] == white
    assert 8 < marks[corner][0] <= 15 and len(marks) > 60
    assert re.fullmatch(r"Score estimate: White leads by [\d.]+ points?\.", repr(picture))
    assert picture.text in picture._repr_html_()


def test_colours_are_those_of_the_names() -> None:
    assert player_colours(("Red", "Blue")) != player_colours(("Black", "White"))
    assert player_colours(("North", "South")) == player_colours(("White", "Black"))


def test_games_without_an_estimate_are_refused() -> None:
    game = zermelo.load("othello")
    with pytest.raises(NotSupported, match="othello does not estimate the score"):
        score_estimate(game, game.initial())
