"""Exercises: generated trees, answers checked to the first wrong step, and graded search code.

>>> from zermelo.exercise import Recipe, check, make
>>> made = make(Recipe(depth=2, branching=(3, 3), cuts=2), seed="alice")
>>> check(made, {"cuts": made.branches}).right  # everything cut
False
"""

from __future__ import annotations

from .checking import Marks, Slip, answer_of, check
from .key import PARTS, Exercise
from .recipe import Recipe, from_tree, make

__all__ = [
    "PARTS",
    "Exercise",
    "Marks",
    "Recipe",
    "Slip",
    "answer_of",
    "check",
    "from_tree",
    "make",
]
