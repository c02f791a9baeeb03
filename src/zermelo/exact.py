"""Numbers that a user writes, exactly: 3, -0.5, 1/3, 2e3."""

from __future__ import annotations

import re
from fractions import Fraction

LONGEST = 300  # characters of a number, and digits of what its exponent makes of it


def fraction(word: str) -> Fraction:
    """ValueError: it is no number, or none that anybody needs."""
    exponent = re.search(r"e([+-]?[0-9]+)\s*$", word, re.IGNORECASE)
    if len(word) > LONGEST or (exponent and abs(int(exponent[1])) > LONGEST):
        raise ValueError(f"{word!r} is too long")
    try:
        return Fraction(word)
    except ZeroDivisionError:
        raise ValueError(f"{word!r} divides by zero") from None
