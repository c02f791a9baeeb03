"""Plays in backgammon notation: ``8/5 6/5``, ``bar/22``, ``13/7*/5``, ``6/off(2)``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

ROLL = 1 << 31
CUBE = 1 << 30
CUBE_ACTIONS = ("roll", "double", "take", "drop")  # by the number beside CUBE
CUBE_WORDS = {  # other words for a play
    "redouble": "double", "accept": "take", "pass": "drop", "reject": "drop", "refuse": "drop",
    "no double": "roll", "r": "roll", "d": "double",
}  # fmt: skip
BAR, OFF = 25, 0
PASS = "pass"
PASSES = frozenset(("pass", "nomove", "cannotmove", "dance", "dances", "-", "none"))
SIDES = ("white", "black")
STOP = r"(?:bar|off|\d{1,2})\*?"
CHAIN = re.compile(rf"({STOP}(?:/{STOP})+)(?:\((\d)\))?")


@dataclass(frozen=True)
class Effect:
    """The effect of a play: own checkers that come and go by point, and the blots it hits."""

    change: frozenset[tuple[int, int]]
    hits: frozenset[int]


def steps(code: int) -> list[tuple[int, int, bool]]:
    """From, to and whether it hits, of each step of a play."""
    first, second = code >> 20 & 7, code >> 23 & 7
    found = []
    for i in range(4):
        if not (start := code >> 5 * i & 31):
            break
        die = second if i and second else first
        found.append((start, max(start - die, OFF), bool(code >> (26 + i) & 1)))
    return found


def format_roll(code: int) -> str:
    dice = f"{code >> 3 & 7}-{code & 7}"
    starter = code >> 6 & 3
    return f"{SIDES[starter - 1]} {dice}" if starter else dice


def format_play(code: int) -> str:
    """Joins the steps of one checker; intermediate hits are kept."""
    if not code:
        return PASS
    chains: list[list[tuple[int, bool]]] = []
    for start, end, hit in steps(code):
        for chain in chains:
            if chain[-1][0] == start:
                chain.append((end, hit))
                break
        else:
            chains.append([(start, False), (end, hit)])
    written = Counter(map(_chain, sorted(chains, reverse=True)))
    return " ".join(text if n == 1 else f"{text}({n})" for text, n in written.items())


def _chain(stops: Sequence[tuple[int, bool]]) -> str:
    shown = [s for i, s in enumerate(stops) if i in (0, len(stops) - 1) or s[1]]
    return "/".join(point(p) + ("*" if hit else "") for p, hit in shown)


def point(p: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(p, str(p))


def effect(code: int) -> Effect:
    made = steps(code)
    change: Counter[int] = Counter()
    for start, end, _ in made:
        change[start] -= 1
        change[end] += 1
    return _effect(change, {end for _, end, hit in made if hit})


def parse_effect(text: str, blots: frozenset[int]) -> Effect | None:
    """The effect of a written play against these blots; None: it is not a play."""
    words = text.lower().replace(",", " ").split()
    if "".join(words) in PASSES:
        return _effect(Counter(), set())
    change: Counter[int] = Counter()
    hits: set[int] = set()
    for word in words:
        match = CHAIN.fullmatch(word)
        if not match:
            return None
        stops = [_number(p) for p in match[1].replace("*", "").split("/")]
        times = int(match[2] or 1)
        if max(stops) > BAR or any(a <= b for a, b in pairwise(stops)):
            return None
        change[stops[0]] -= times
        change[stops[-1]] += times
        hits |= blots.intersection(stops[1:])
    return _effect(change, hits)


def _number(point: str) -> int:
    return {"bar": BAR, "off": OFF}[point] if point in ("bar", "off") else int(point)


def _effect(change: Counter[int], hits: set[int]) -> Effect:
    return Effect(frozenset((p, n) for p, n in change.items() if n), frozenset(hits))
