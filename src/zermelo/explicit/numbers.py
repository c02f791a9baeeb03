"""Numbers that a user writes, exactly: 3, -0.5, 1/3, 2e3."""

from __future__ import annotations

import math
import re
import sys
from fractions import Fraction

LONGEST = 300  # characters of a number
LARGEST_EXPONENT = 330  # every double fits
MAX_BITS = 4000  # of a number that is worth writing in full; 1e-330 has about 1,100
GREATEST = Fraction(sys.float_info.max)
_DECIMAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE]([-+]?\d+))?")


def fraction(word: str) -> Fraction:
    """The number that `word` writes: a decimal, with an exponent or not, or a ratio of two.

    Raises:
        ValueError: `word` is not a number, is too long, or no double is as large.
    """
    text = word.strip().replace("−", "-")
    if len(text) > LONGEST:
        raise ValueError(f"{word[:20] + '…'!r} is too long")
    top, slash, bottom = text.partition("/")
    value, divisor = _decimal(top), _decimal(bottom) if slash else Fraction(1)
    if not divisor:
        raise ValueError(f"{word!r} divides by zero")
    value /= divisor
    if abs(value) > GREATEST:
        raise ValueError(f"{word!r} is too large")
    return value


def _decimal(text: str) -> Fraction:
    """Fraction() alone also takes underscores, and computes 1e1000000000 before it answers."""
    m = _DECIMAL.fullmatch(text)
    if m is None:
        raise ValueError(f"{text!r} is not a number")
    if m[1] and abs(int(m[1])) > LARGEST_EXPONENT:
        raise ValueError(f"{text!r} is too long")
    return Fraction(text)


def text_of(value: Fraction, longest: int = 60) -> str:
    """The shortest exact text: a decimal where one ends, else a ratio: 2.5, 1e30, 7/3.

    A number that needs more than `longest` characters is rounded to 17 significant digits.
    """
    if max(abs(value.numerator), value.denominator).bit_length() <= MAX_BITS:
        exact = _terminating(value) or str(value)
        if len(exact) <= longest:
            return exact
    return _rounded(value, 17)


def _terminating(value: Fraction) -> str:
    """The decimal without rounding; "" where it never ends."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return ""
    places = max(twos, fives)
    return _decimal_text(value.numerator * 10**places // value.denominator, -places)


def _rounded(value: Fraction, digits: int) -> str:
    """Rounded to at least this many significant digits."""
    bits = abs(value.numerator).bit_length() - value.denominator.bit_length()
    exponent = math.floor((bits - 1) * math.log10(2)) - digits + 1
    return _decimal_text(round(value / Fraction(10) ** exponent), exponent)


def _decimal_text(whole: int, exponent: int) -> str:
    """`whole`·10^`exponent`, plain where it is short."""
    if not whole:
        return "0"
    digits = str(abs(whole)).rstrip("0")
    exponent += len(str(abs(whole))) - len(digits)
    sign = "-" if whole < 0 else ""
    if exponent >= 0 and len(digits) + exponent <= 21:
        return sign + digits + "0" * exponent
    if -21 <= exponent < 0:
        padded = digits.rjust(1 - exponent, "0")
        return f"{sign}{padded[:exponent]}.{padded[exponent:]}"
    point = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{sign}{point}e{exponent + len(digits) - 1}"
