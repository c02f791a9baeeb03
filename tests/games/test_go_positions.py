"""The number of legal Go positions, against published counts and against every colouring."""

from __future__ import annotations

from itertools import product

import pytest

import zermelo
from zermelo.errors import BadPosition, SearchBudgetExceeded, UsageError
from zermelo.games.go.positions import LARGEST, legal_positions

# OEIS A094777
PUBLISHED = [1, 57, 12675, 24318165, 414295148741, 62567386502084877]


@pytest.mark.parametrize(("size", "count"), list(enumerate(PUBLISHED, 1)))
def test_counts_equal_the_published_ones(size: int, count: int) -> None:
    assert legal_positions(size) == count


@pytest.mark.parametrize("size", [2, 3])
def test_counts_equal_the_colourings_that_the_rules_accept(size: int) -> None:
    game = zermelo.load(f"go:size={size}")
    accepted = 0
    for cells in product(".XO", repeat=size * size):
        black = [i for i, c in enumerate(cells) if c == "X"]
        white = [i for i, c in enumerate(cells) if c == "O"]
        try:
            game.set_up(black, white, 0)
        except BadPosition:
            continue
        accepted += 1
    assert accepted == legal_positions(size)


def test_a_time_limit_ends_the_count() -> None:
    with pytest.raises(SearchBudgetExceeded, match="time limit after"):
        zermelo.load("go:size=9").legal_positions(0.01)


@pytest.mark.parametrize("size", [0, LARGEST + 1, 2.5, "x"])
def test_sizes_out_of_range_are_refused(size: object) -> None:
    with pytest.raises(UsageError, match="size"):
        legal_positions(size)  # type: ignore[arg-type]


def test_boards_that_are_too_large_to_count_are_named() -> None:
    with pytest.raises(UsageError, match="go:size=10 has too many positions to count"):
        zermelo.load("go:size=10").legal_positions()
