"""Cards and moves of hold'em as text."""

from __future__ import annotations

import re

from ...checks import check_text
from ...errors import BadPosition

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = [r + s for r in RANKS for s in SUITS]  # by number
MOVES = ("fold", "call", "raise")
LETTERS = "fcr"
WORDS = {"check": "call", "bet": "raise", "f": "fold", "c": "call", "r": "raise", "k": "call"}
CATEGORIES = (
    "high card", "a pair", "two pairs", "three of a kind", "a straight", "a flush",
    "a full house", "four of a kind", "a straight flush",
)  # fmt: skip

HINT = "expected rank 23456789TJQKA and suit c d h s, e.g. As, Td, 2c"


def cards_of(text: str) -> list[int]:
    """The cards of a text as "AsKd" or "As Kd", by number, each once."""
    found = []
    packed = "".join(check_text("cards", text).split())
    for i in range(0, len(packed), 2):
        name = packed[i : i + 1].upper() + packed[i + 1 : i + 2].lower()
        if name not in CARDS:
            raise BadPosition(f"{packed[i : i + 2]!r} in {text!r} is not a card", HINT)
        card = CARDS.index(name)
        if card in found:
            raise BadPosition(f"{name} appears twice in {text!r}", "each card may appear once")
        found.append(card)
    return found


def written(text: str) -> list[str]:
    """The actions of a position in order: cards by their names, moves by theirs."""
    actions = []
    for word in re.split(r"[\s|/]+", text.strip()):
        plain = word.lower()
        if not word:
            continue
        if plain in MOVES or plain in WORDS:
            actions.append(WORDS.get(plain, plain))
        elif all(c in LETTERS for c in plain):
            actions += [WORDS[c] for c in plain]
        else:
            actions += [CARDS[c] for c in cards_of(word)]
    return actions


def kind_of(high: int, low: int) -> str:
    """The name of a hand before the flop: "AKs", "QQ", "72o"."""
    a, b = high // 4, low // 4
    if a == b:
        return RANKS[a] * 2
    return RANKS[max(a, b)] + RANKS[min(a, b)] + ("s" if high % 4 == low % 4 else "o")
