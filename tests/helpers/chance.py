"""Expectiminimax searches of the tests with chance."""

from __future__ import annotations

from typing import Any

import oracle
from zermelo import search

PRUNES = ("none", "star1", "star2")


def expectiminimax(game: Any, **options: Any) -> Any:
    return search(game, algorithm="expectiminimax", **options)


class Unbounded(oracle.ChanceGame):
    """The same game that says nothing of its bounds."""

    def __init__(self, seed: int, depth: int) -> None:
        super().__init__(seed, depth)
        self.utility_bounds = None
