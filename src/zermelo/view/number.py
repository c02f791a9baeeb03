"""Values in the usual notation: 3, 54.5, ∞, and bounds as ≥6, ≤2, ≈0.4."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

SIGNS = {"lower": "≥", "upper": "≤", "estimate": "≈"}


class Written(float):
    """A number from user input: it is shown as it was written, not rounded."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, value: float, text: str) -> Written:
        made = super().__new__(cls, value)
        made.text = text
        return made

    def __getnewargs__(self) -> tuple[float, str]:  # type: ignore[override]  # for pickle
        return float(self), self.text


def number(value: float | None) -> str:
    """3.0 -> "3", 54.5 -> "54.5", -0.0 -> "0", inf -> "∞"; at most three decimals; None -> "".

    A `Written` number is shown unchanged: 1/3, 0.1234567.
    """
    if value is None:
        return ""
    if isinstance(value, Written):
        return value.text
    if math.isnan(value):
        return "?"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= 1e12:
        return f"{value:.4g}"
    if 0 < abs(value) < 0.001:
        return f"{value:.2g}"
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def count(n: int, noun: str) -> str:
    """ "1 node", "2,000 nodes"."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def rate(n: int, seconds: float, noun: str) -> str:
    """ "52 nodes/s", "4.1 k nodes/s", "1.3 M nodes/s"."""
    speed = n / seconds if seconds > 0 else 0.0
    for size, prefix in ((1e6, "M "), (1e3, "k ")):
        if speed >= size:
            return f"{speed / size:.1f} {prefix}{noun}/s"
    return f"{speed:.0f} {noun}/s"


def bounded(value: float | None, kind: str = "exact") -> str:
    """A value with its kind: ≥6 (lower bound), ≤2 (upper bound), ≈0.4 (estimate)."""
    return SIGNS.get(kind, "") + number(value) if value is not None else ""


def tupled(values: Sequence[float], kind: str = "exact", whose: int | None = None) -> str:
    """ "(5,2,5)"; a bound applies to the value of one player: "(5,≥2,5)"."""
    if kind == "estimate" or whose is None or not 0 <= whose < len(values):
        whose = None
    texts = [number(v) for v in values]
    if whose is not None:
        texts[whose] = SIGNS.get(kind, "") + texts[whose]
    return ("≈" if kind == "estimate" else "") + f"({','.join(texts)})"


def worth(value: float, kind: str, distance: int | None, win: str) -> str:
    """As `bounded`, but a win of known length is written as "mate in 3" or "-mate in 3"."""
    if distance is None:
        return bounded(value, kind)
    return f"{'-' if value < 0 else ''}{win} in {(distance + 1) // 2}"


def window(alpha: float | None, beta: float | None) -> str:
    """ "[-∞, 3]", or "" where there is none."""
    if alpha is None or beta is None:
        return ""
    return f"[{number(alpha)}, {number(beta)}]"


def probability(p: float | None) -> str:
    """0.5 and 0.25 as decimals, 1/3 and 1/36 as fractions; a `Written` number unchanged."""
    if p is None or isinstance(p, Written):
        return number(p)
    if abs(p * 100 - round(p * 100)) < 1e-9:
        return number(p)
    near = Fraction(p).limit_denominator(216)  # the odds of up to three dice
    return str(near) if abs(float(near) - p) < 1e-9 else number(p)


def pretty(text: str) -> str:
    """A reason in mathematical notation: "2 <= alpha 3" -> "2 ≤ α 3"."""
    text = text.replace("<=", "≤").replace(">=", "≥")
    return re.sub(r"\bbeta\b", "β", re.sub(r"\balpha\b", "α", text))
