"""The values of nodes as students write them: exact, rounded, as bounds, or "never"."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from fractions import Fraction
from typing import Any

from ..explicit.numbers import fraction
from .key import CLOSE, Exact, Exercise

NEVER = frozenset(
    ("never", "never visited", "not visited", "cut", "pruned", "-", "–", "—", "x", "✗")
)
LONGEST = 200  # characters of one answer
_SIGNED = re.compile(r"(<=|>=)?\s*([^<>=]+)")


def exactly(text: str) -> Exact:
    """The parsed number, or () if it is not a value."""
    found = _number(text)
    return () if found is None else found[0]


def _number(given: Any) -> tuple[Fraction, Fraction] | None:
    """A parsed number and its tolerance if it is rounded.

    A decimal counts as rounded from two decimals on, or from 12 significant digits on.
    """
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return Fraction(given), Fraction()
    if isinstance(given, float):
        if not math.isfinite(given):
            return None
        return Fraction(given), abs(Fraction(given)) * Fraction(CLOSE)
    if not isinstance(given, str) or len(given) > LONGEST:
        return None
    text = given.strip().replace("−", "-").replace(" ", "")
    if re.fullmatch(r"[-+]?\d+,\d+", text):
        text = text.replace(",", ".")  # a decimal comma
    try:
        value = fraction(text)
    except ValueError:
        return None
    if "/" in text:
        return value, Fraction()
    digits, _, exponent = text.lower().partition("e")
    places = len(digits.partition(".")[2]) - int(exponent or 0)
    rounded = places >= 2 or sum(map(str.isdigit, digits)) >= 12
    return value, Fraction(1, 2) / Fraction(10) ** places if rounded else Fraction()


def says_never(given: Any) -> bool:
    return isinstance(given, str) and given.strip().lower() in NEVER


def is_blank(given: Any) -> bool:
    return given is None or (isinstance(given, str) and not given.strip())


def value_is_right(exercise: Exercise, name: str, given: Any) -> bool:
    """Whether a text is the value of the node when the search is over."""
    if not exercise.visited(name):
        return says_never(given)
    right = exercise.numbers_of(name)
    if len(right) > 1:
        words = given if isinstance(given, (list, tuple)) else re.split(
            r"[\s,;]+", str(given).strip().strip("()[]").strip())  # fmt: skip
        return len(words) == len(right) and all(
            _equal(exercise, w, v) for w, v in zip(words, right, strict=True)
        )
    if not isinstance(given, str) or len(given) > LONGEST:
        return _equal(exercise, given, right[0])
    text = given.strip().lower().replace("=<", "<=").replace("=>", ">=")
    for word, sign in (("≤", "<="), ("⩽", "<="), ("at most", "<="), ("≥", ">="),
                       ("⩾", ">="), ("at least", ">=")):  # fmt: skip
        text = text.replace(word, sign)
    m = _SIGNED.fullmatch(text)
    if not m:
        return False
    if m[1] and m[1] != {"lower": ">=", "upper": "<="}.get(exercise.nodes[name].kind):
        return False
    return _equal(exercise, m[2], right[0])


def _equal(exercise: Exercise, given: Any, key: tuple[Fraction, str]) -> bool:
    """Whether a number is the key, or rounds from it and from no other value of the tree."""
    found = _number(given)
    if found is None:
        return False
    value, slack = found
    right, text = key
    if value in (right, fraction(text)):  # a very long number is rounded in the key
        return True
    if abs(value - right) > slack or not value:
        return False
    first = bisect_left(exercise.numbers, value - slack)
    return all(v == right for v in exercise.numbers[first : first + 2] if v <= value + slack)
