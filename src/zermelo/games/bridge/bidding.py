"""A simple natural bidding, so that a random deal gets a sensible contract.

Points are ace 4, king 3, queen 2, jack 1. The opponents of the side that opens always pass.
- Opening, 12 points or more: 1NT balanced 15-17, 2NT balanced 20 or more; else one of a five-card
  major (the longer, spades if equal), else one of the longer minor (4-4 diamonds, 3-3 clubs).
- 1NT: 25 together is game: 3NT, or 4 of a six-card major; 8-9 invites with 2NT; weaker hands with
  a five-card major play it at two, all others pass. 2NT: the same from 5 points on.
- One of a suit: less than 6 points pass. A fit of eight cards in opener's major is raised: 6-9 to
  two, 10-12 to three, 13 and more to four. Else a four-card major is shown at one; opener raises it
  with four cards. Else notrump: 6-9 one, 10-12 two, 13 and more three; a minor is raised only
  with five cards, less than 10 points and no major.
- Opener goes on to game where the least that responder has makes it 25 together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...checks import check_whole
from .notation import SEATS, TRUMPS, check_hands, lengths, points
from .single_dummy import HandRange

OPEN, GAME, MOST = 12, 25, 40
NT = 4


def balanced(hand: int) -> bool:
    n = sorted(lengths(hand))
    return n[0] >= 2 and n[1] >= 3


@dataclass
class Auction:
    """The calls, from the dealer on, the contract, and the constraints they imply for each hand."""

    dealer: int
    calls: list[str] = field(default_factory=list)
    level: int = 0  # 0: passed out
    trump: int = NT
    declarer: int = 0
    constraints: list[HandRange] = field(default_factory=lambda: [HandRange() for _ in range(4)])

    @property
    def contract(self) -> str:
        return f"{self.level}{TRUMPS[self.trump]} by {SEATS[self.declarer]}" if self.level else ""


class Bidder:
    """The two hands that bid; the others pass."""

    def __init__(self, hands: Sequence[int], auction: Auction, opener: int) -> None:
        self.auction = auction
        self.seats = (opener, (opener + 2) % 4)
        self.hands = [hands[seat] for seat in self.seats]
        self.points = [points(h) for h in self.hands]
        self.lengths = [lengths(h) for h in self.hands]
        self.named: dict[int, int] = {}  # who named a trump first: opener 0, responder 1

    def call(self, who: int, level: int, trump: int) -> None:
        self.auction.calls += [f"{level}{TRUMPS[trump]}", "pass"]
        self.auction.level, self.auction.trump = level, trump
        self.named.setdefault(trump, who)
        self.auction.declarer = self.seats[self.named[trump]]

    def stop(self) -> None:
        self.auction.calls += ["pass", "pass"]

    def tell(self, who: int, low: int, high: int, suit: int = -1, least: int = 0) -> None:
        """Points from `low` to `high`, and at least this many cards of a suit."""
        old = self.auction.constraints[self.seats[who]]
        ends = [old.points, old.spades, old.hearts, old.diamonds, old.clubs]
        ends[0] = (max(low, ends[0][0]), min(high, ends[0][1]))
        if suit >= 0:
            ends[1 + suit] = (max(least, ends[1 + suit][0]), ends[1 + suit][1])
        self.auction.constraints[self.seats[who]] = HandRange(*ends)

    def opening(self) -> None:
        p, n = self.points[0], self.lengths[0]
        if balanced(self.hands[0]) and (15 <= p <= 17 or p >= 20):
            level = 1 if p <= 17 else 2
            self.call(0, level, NT)
            self.tell(0, *((15, 17) if level == 1 else (20, MOST)))
            for suit in range(4):
                self.tell(0, 0, MOST, suit, 2)
            self.answer_notrump(15 if level == 1 else 20)
            return
        if max(n[0], n[1]) >= 5:
            suit = 0 if n[0] >= n[1] else 1
            self.call(0, 1, suit)
            self.tell(0, OPEN, MOST, suit, 5)
        else:
            suit = 2 if n[2] > n[3] or n[2] == n[3] >= 4 else 3
            self.call(0, 1, suit)
            self.tell(0, OPEN, MOST, suit, 3)
        self.answer_suit(suit)

    def answer_notrump(self, least: int) -> None:
        p, n = self.points[1], self.lengths[1]
        major = 0 if n[0] >= n[1] else 1
        if p + least >= GAME:
            long = n[major] >= 6
            self.call(1, 4 if long else 3, major if long else NT)
            self.tell(1, GAME - least, MOST, *((major, 6) if long else ()))
        elif least == 15 and p >= 8:
            self.call(1, 2, NT)
            self.tell(1, 8, 9)
            if self.points[0] + 8 >= GAME:
                self.call(0, 3, NT)
        elif least == 15 and n[major] >= 5:
            self.call(1, 2, major)
            self.tell(1, 0, 7, major, 5)
        else:
            self.tell(1, 0, GAME - 1 - least if least == 20 else 7)
        self.stop()

    def answer_suit(self, suit: int) -> None:
        p, n = self.points[1], self.lengths[1]
        if p < 6:
            self.tell(1, 0, 5)
            self.stop()
        elif suit < 2 and n[suit] >= 3:
            self.raise_to(1, suit, 3)
        elif (found := next((s for s in (1, 0) if s < suit and n[s] >= 4), -1)) >= 0:
            self.show_major(suit, found)
        elif suit >= 2 and n[suit] >= 5 and p < 10:
            self.call(1, 2, suit)
            self.tell(1, 6, 9, suit, 5)
            self.stop()
        else:
            self.notrump(p)

    def raise_to(self, who: int, suit: int, least: int) -> None:
        """Responder supports opener's major."""
        p = self.points[who]
        level, low, high = (2, 6, 9) if p < 10 else (3, 10, 12) if p < 13 else (4, 13, MOST)
        self.call(who, level, suit)
        self.tell(who, low, high, suit, least)
        if level < 4 and self.points[0] + low >= GAME:
            self.call(0, 4, suit)
            self.tell(0, GAME - low, MOST)
        self.stop()

    def notrump(self, p: int) -> None:
        level, low, high = (1, 6, 9) if p < 10 else (2, 10, 12) if p < 13 else (3, 13, MOST)
        self.call(1, level, NT)
        self.tell(1, low, high)
        if level < 3 and self.points[0] + low >= GAME:
            self.call(0, 3, NT)
            self.tell(0, GAME - low, MOST)
        self.stop()

    def show_major(self, suit: int, major: int) -> None:
        self.call(1, 1, major)
        self.tell(1, 6, MOST, major, 4)
        mine, his = self.points
        if self.lengths[0][major] >= 4:
            game = mine + 6 >= GAME
            self.call(0, 4 if game else 2, major)
            self.tell(0, GAME - 6 if game else OPEN, MOST if game else GAME - 7, major, 4)
            if not game and his + OPEN >= GAME:
                self.call(1, 4, major)
                self.tell(1, GAME - OPEN, MOST)
        elif mine + 6 >= GAME:
            self.call(0, 3, NT)
            self.tell(0, GAME - 6, MOST)
        else:
            self.call(0, 1, NT)
            self.tell(0, OPEN, GAME - 7)
            if his + OPEN >= GAME:
                self.call(1, 3, NT)
                self.tell(1, GAME - OPEN, MOST)
        self.stop()


def bid(hands: Sequence[int], dealer: int = 0) -> Auction:
    """The auction of a deal; level 0 where nobody opens."""
    check_hands(hands)
    check_whole("dealer", dealer, 0, 3)
    auction = Auction(dealer)
    for i in range(4):
        seat = (dealer + i) % 4
        if points(hands[seat]) >= OPEN:
            Bidder(hands, auction, seat).opening()
            return auction
        auction.calls.append("pass")
        auction.constraints[seat] = HandRange(points=(0, OPEN - 1))
    return auction
