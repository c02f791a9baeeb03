"""Deals and cards as bridge players write them: PBN.

A deal is a seat and four hands clockwise from it, each spades.hearts.diamonds.clubs:
"N:AK.QJ2.T98.76543 ….….….… ….….….… ….….….…". A position adds the trump, the declarer and what was
played: "DEAL NT by S: HQ HK HA H2". If the first lead is not from declarer's left, the leader is
named: "DEAL S by N, W leads".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...checks import check_text
from ...errors import BadPosition, UsageError

SEATS = "NESW"
SUITS = "SHDC"
RANKS = "23456789TJQKA"
TRUMPS = ("S", "H", "D", "C", "NT")
SEAT_NAMES = ("north", "east", "south", "west")
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
POINTS = {12: 4, 11: 3, 10: 2, 9: 1}  # by rank
LANE = 16  # bits from a suit to the next
AS = "e.g. N:AK.QJ2.T98.76543 and three more hands, clockwise"

Hands = tuple[int, int, int, int]


class Position(NamedTuple):
    """The fields of a position."""

    hands: Hands  # as dealt: the bits of core/games/bridge/cards.hpp
    trump: int
    declarer: int
    first: int  # who leads to the first trick
    played: tuple[int, ...]


def points(hand: int) -> int:
    """Ace 4, king 3, queen 2, jack 1."""
    return sum(p for s in range(4) for r, p in POINTS.items() if hand >> (s * LANE + r) & 1)


def lengths(hand: int) -> list[int]:
    """Spades, hearts, diamonds, clubs."""
    return [(hand >> (s * LANE) & 0x1FFF).bit_count() for s in range(4)]


def card_name(code: int) -> str:
    """``SA`` for the ace of spades."""
    return SUITS[code // LANE] + RANKS[code % LANE]


def card_code(text: str) -> int:
    """The number of a card's bit; ValueError if the text is not a card."""
    word = text.strip().upper().replace("10", "T")
    if len(word) != 2 or word[0] not in SUITS or word[1] not in RANKS:
        raise ValueError(f"{text!r} is not a card")
    return SUITS.index(word[0]) * LANE + RANKS.index(word[1])


def codes(hand: int) -> list[int]:
    """The cards of a hand, spades first, the highest first."""
    return [
        suit * LANE + rank
        for suit in range(4)
        for rank in reversed(range(13))
        if hand >> (suit * LANE + rank) & 1
    ]


def suit_text(hand: int, suit: int) -> str:
    """The ranks of a suit, the highest first."""
    return "".join(RANKS[c % LANE] for c in codes(hand) if c // LANE == suit)


def _format_hand(hand: int) -> str:
    return ".".join(suit_text(hand, suit) for suit in range(4))


def format_deal(hands: Sequence[int | None], first: int = 0) -> str:
    """The deal as PBN from the seat `first` on; "-" for a hand that is not seen."""
    seats = [(first + i) % 4 for i in range(4)]
    words = ["-" if (hand := hands[seat]) is None else _format_hand(hand) for seat in seats]
    return f"{SEATS[first]}:" + " ".join(words)


def seat_of(text: str) -> int:
    """N, E, S or W, or the whole word."""
    word = check_text("a seat", text).strip().upper()
    if word in tuple(SEATS) or word.lower() in SEAT_NAMES:
        return SEATS.index(word[0])
    raise BadPosition(f"{text!r} is not a seat", "expected N, E, S or W")


def trump_of(text: str) -> int:
    """S, H, D, C or NT; also N for no trumps, as in PBN's tables."""
    word = check_text("a trump", text).strip().upper()
    word = "NT" if word == "N" else word
    if word not in TRUMPS:
        raise BadPosition(f"{text!r} is not a trump suit", "expected S, H, D, C or NT")
    return TRUMPS.index(word)


def parse_hand(text: str, seat: int) -> int:
    parts = text.upper().replace("10", "T").split(".")
    if len(parts) != 4:
        raise BadPosition(
            f"{SEAT_NAMES[seat]}'s hand {text!r} has {len(parts)} suits, not 4",
            "expected spades.hearts.diamonds.clubs, e.g. AK.QJ2.T98.76543; leave a void empty",
        )
    hand = 0
    for suit, ranks in enumerate(parts):
        for rank in ranks:
            if rank not in RANKS:
                raise BadPosition(
                    f"{rank!r} in {SEAT_NAMES[seat]}'s hand {text!r} is not a rank",
                    "expected A K Q J T 9 8 7 6 5 4 3 2",
                )
            one = 1 << (suit * LANE + RANKS.index(rank))
            if hand & one:
                raise BadPosition(
                    f"{SUITS[suit]}{rank} appears twice in {SEAT_NAMES[seat]}'s hand", AS
                )
            hand |= one
    return hand


def parse_deal(text: str) -> Hands:
    """The four hands of a PBN deal, as many cards in each."""
    seat, colon, rest = check_text("a deal", text).strip().partition(":")
    if not colon:
        raise BadPosition(f"{text!r} is not a deal: it must start with a seat and a colon", AS)
    first = seat_of(seat)
    words = rest.split()
    if len(words) != 4:
        raise BadPosition(f"the deal has {len(words)} of 4 hands", AS)
    if "-" in words:
        raise BadPosition("a hand of the deal is unknown", "all four hands are needed")
    hands = [0, 0, 0, 0]
    for i, word in enumerate(words):
        at = (first + i) % 4
        hands[at] = parse_hand(word, at)
        for other in range(4):
            if other != at and (both := hands[other] & hands[at]):
                raise BadPosition(
                    f"{card_name(codes(both)[0])} is in two hands, "
                    f"{SEAT_NAMES[min(other, at)]}'s and {SEAT_NAMES[max(other, at)]}'s",
                    "each card may appear once",
                )
    _check_lengths(hands)
    return (hands[0], hands[1], hands[2], hands[3])


def check_hands(hands: Sequence[int]) -> None:
    """Four hands as sets of cards, of as many cards each, no card in two of them."""
    known = sum(1 << (suit * LANE + rank) for suit in range(4) for rank in range(13))
    good = isinstance(hands, list | tuple) and len(hands) == 4
    good = good and all(isinstance(h, int) and h >= 0 and h | known == known for h in hands)
    if not good or sum(hands).bit_count() != sum(h.bit_count() for h in hands):
        raise UsageError("expected the hands of four seats", "e.g. random_deal(1)")


def _check_lengths(hands: Sequence[int]) -> None:
    lengths = [hand.bit_count() for hand in hands]
    common = max(set(lengths), key=lambda n: (lengths.count(n), n == 13))
    for seat, n in enumerate(lengths):
        if n != common or n > 13:
            raise BadPosition(
                f"{SEAT_NAMES[seat]} has {n} cards" + (f", not {common}" if n != common else ""),
                "all four hands need the same number of cards, at most 13",
            )
    if common == 0:
        raise BadPosition("the hands are empty", AS)


CONTRACT = re.compile(
    r"^\s*(?P<trump>\S+)\s+by\s+(?P<declarer>\w+)\s*(?:,\s*(?P<first>\w+)\s+leads?\s*)?"
    r"(?::(?P<played>.*))?$",
    re.IGNORECASE | re.DOTALL,
)


def parse_position(text: str) -> Position:
    """A deal, the contract, and what was played; "NT by S" if no contract is given."""
    words = text.split()
    deal = " ".join(words[:4])
    hands = parse_deal(deal)
    rest = " ".join(words[4:])
    if not rest:
        return Position(hands, 4, 2, 3, ())
    found = CONTRACT.match(rest)
    if not found:
        raise BadPosition(
            f"{rest!r} is not a contract", 'expected it after the deal, e.g. "NT by S: SA S2"'
        )
    declarer = seat_of(found["declarer"])
    first = seat_of(found["first"]) if found["first"] else (declarer + 1) % 4
    played = []
    for word in re.split(r"[\s,]+", (found["played"] or "").strip()):
        if not word:
            continue
        try:
            played.append(card_code(word))
        except ValueError:
            raise BadPosition(
                f"{word!r} is not a card", "expected a suit and a rank, e.g. SA or HT"
            ) from None
    return Position(hands, trump_of(found["trump"]), declarer, first, tuple(played))


def format_contract(trump: int, declarer: int, first: int, played: Iterable[int]) -> str:
    text = f"{TRUMPS[trump]} by {SEATS[declarer]}"
    if first != (declarer + 1) % 4:
        text += f", {SEATS[first]} leads"
    cards = " ".join(map(card_name, played))
    return f"{text}: {cards}" if cards else text
