"""The score estimate of a position: the margin in words, and its owners drawn on the board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..errors import NotSupported
from ..game import Game, defines
from .names import player_names

COLOURS = {"black": "#16181c", "white": "#fbfaf5", "red": "#c43d3d", "blue": "#2456a6"}
LEAST_OWNED = 0.25  # confidence from which a square is marked
MARK = 0.5  # the side of a mark at full confidence, in squares
SQUARE = re.compile(
    r'<rect class="place" data-square="([^"]*)" x="([-\d.]+)" y="([-\d.]+)" '
    r'width="([-\d.]+)" height="([-\d.]+)"/>'
)


def player_colours(names: Sequence[str]) -> list[str]:
    """The colours of two players: those of their names if both are colours, else light and dark."""
    named = [COLOURS[name.lower()] for name in names if name.lower() in COLOURS]
    return named if len(named) == len(names) == 2 else [COLOURS["white"], COLOURS["black"]]


def points(margin: float) -> str:
    """A margin with its unit: "1 point", "3.5 points"."""
    return f"{margin:g} point" + "s" * (margin != 1)


def estimate(game: Game, s: Any) -> tuple[str, dict[str, float]]:
    """The expected margin in words, to half points, and the owner of each square.

    Raises:
        NotSupported: The game has no `score_estimate`.
    """
    if not defines(game, "score_estimate"):
        raise NotSupported(f"{game.name} does not estimate the score", "choose another game")
    margin, owners = game.score_estimate(s)
    rounded = round(2 * margin) / 2
    names = player_names(game)
    leads = f"{names[rounded < 0]} leads by {points(abs(rounded))}" if rounded else "an even game"
    return f"Score estimate: {leads}.", dict(owners)


def estimate_svg(game: Game, owners: dict[str, float], svg: str) -> str:
    """The board `svg` with a mark on each square: the owner's colour, larger if more certain."""
    first, second = player_colours(player_names(game))
    marks = []
    for name, *box in SQUARE.findall(svg):
        x, y, width, height = map(float, box)
        owner = owners.get(name, 0.0)
        side = MARK * min(width, height) * abs(owner)
        if abs(owner) < LEAST_OWNED:
            continue
        fill, edge = (first, second) if owner > 0 else (second, first)
        left, top = x + (width - side) / 2, y + (height - side) / 2
        marks.append(
            f'<rect class="owner" x="{left:.2f}" y="{top:.2f}" width="{side:.2f}" '
            f'height="{side:.2f}" fill="{fill}" stroke="{edge}" stroke-width=".7" '
            f'stroke-opacity=".55"/>'
        )
    return svg.replace("</svg>", "".join(marks) + "</svg>")
