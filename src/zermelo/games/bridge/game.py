"""The game of bridge in Python: notation, observations, the built-in solver."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ... import _core
from ...checks import check_seed, check_whole
from ...errors import BadPosition, IllegalAction
from ...options import Option
from ..native import NativeGame, State
from . import svg
from .notation import (
    LANE,
    POINTS,
    SEAT_NAMES,
    SEATS,
    SUIT_NAMES,
    TRUMPS,
    Hands,
    card_code,
    card_name,
    format_contract,
    format_deal,
    lengths,
    parse_position,
    points,
)

if TYPE_CHECKING:
    from ...hidden.beliefs import Belief

HONOURS = [LANE * suit + rank for suit in range(4) for rank in POINTS]
LAYOUT = struct.Struct("<4Q52s7B5x")  # core/games/bridge/play.hpp


class Play(NamedTuple):
    """The fields of a state."""

    hands: tuple[int, int, int, int]  # what is left
    played: tuple[int, ...]
    cards: int  # in each hand at the beginning
    trump: int
    declarer: int
    first: int
    leader: int  # of the current trick
    won: int  # tricks of declarer's side

    @property
    def turn(self) -> int:
        return (self.leader + len(self.played)) % 4

    @property
    def table(self) -> list[tuple[int, int]]:
        """(seat, card) of the current trick."""
        since = len(self.played) // 4 * 4
        return [((self.leader + i) % 4, c) for i, c in enumerate(self.played[since:])]

    @property
    def tricks(self) -> int:
        """How many have been played."""
        return len(self.played) // 4


class Bridge(NativeGame):
    """Card play in one contract, double dummy or with hidden hands."""

    name = "bridge"
    player_names: Sequence[str] = ("declarer's side", "the defenders")
    options = (
        Option("deal", 1, range(2**62 + 1), "number of the random deal"),
        Option("tricks", 13, range(1, 14), "cards in each hand"),
        Option("trump", "NT", tuple(TRUMPS), "trump suit, or NT for no trumps"),
        Option("declarer", "S", tuple(SEATS), "the declarer"),
        Option("cards", "open", ("open", "hidden"), "all hands visible (double dummy), or hidden"),
    )
    # As played at a table; here the deal is an option, and by default all cards are open.
    classification: ClassVar = {"players": "4", "chance": True, "hidden": True}
    state_space = "5.4·10^28 deals (52! / 13!^4)"

    def __init__(self, spec: str, start: bytes, hidden: bool) -> None:
        super().__init__(spec, _core.bridge(start, hidden))
        self.hidden = hidden

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Bridge:
        hands = random_deal(options["deal"], options["tricks"])
        seat, trump = SEATS.index(options["declarer"]), TRUMPS.index(options["trump"])
        start = _core.bridge_state(list(hands), trump, seat, (seat + 1) % 4, [])
        hidden = options["cards"] == "hidden"
        return (HiddenBridge if hidden else cls)(spec, start, hidden)

    def decode_action(self, key: int, code: int) -> str:
        return card_name(code)

    def encode_action(self, key: int, action: Any) -> int:
        try:
            return card_code(action)
        except (ValueError, AttributeError):
            raise IllegalAction(f"{action!r} is not a card", "e.g. SA or HT") from None

    def parse_action(self, s: Any, text: str) -> Any:
        """Also "as", "S10"."""
        with suppress(ValueError):
            text = card_name(card_code(str(text)))
        return super().parse_action(s, text)

    # -- the position ------------------------------------------------------------------------
    def play_of(self, s: State) -> Play:
        *hands, played, count, cards, trump, declarer, first, leader, won = LAYOUT.unpack(
            self.data(s)
        )
        return Play(
            (hands[0], hands[1], hands[2], hands[3]),
            tuple(played[:count]), cards, trump, declarer, first, leader, won,
        )  # fmt: skip

    def dealt(self, s: State) -> tuple[int, int, int, int]:
        """The four hands as they were dealt."""
        north, east, south, west = _core.bridge_dealt(self.data(s))
        return north, east, south, west

    def format_state(self, s: State) -> str:
        return self.as_seen(s, range(4))

    def as_seen(self, s: State, seats: Any) -> str:
        """The position with the hands of these seats alone, as dealt."""
        p = self.play_of(s)
        hands = [hand if seat in seats else None for seat, hand in enumerate(self.dealt(s))]
        return f"{format_deal(hands)} {format_contract(p.trump, p.declarer, p.first, p.played)}"

    def parse_state(self, text: str) -> State:
        if "[" in text:
            from .pbn import read_pbn

            games = read_pbn(text)
            if len(games) != 1:
                raise BadPosition(
                    f"the text has {len(games)} deals, not 1", "give a text with one deal"
                )
            return self.parse_state(games[0].position)
        p = parse_position(text)
        data = _core.bridge_state(list(p.hands), p.trump, p.declarer, p.first, [])
        s = State(self, data)
        for number, code in enumerate(p.played):
            s = self.play_written(s, text, number + 1, card_name(code))
        return s

    # -- what is hidden ----------------------------------------------------------------------
    def seat(self, s: State, p: int) -> int:
        """Where player `p` sits."""
        return (self.play_of(s).declarer + (p if self.hidden else 0)) % 4

    def seen_by(self, s: State, seat: int) -> list[int]:
        """The seats whose cards `seat` sees: its own, dummy's once a card was led."""
        play = self.play_of(s)
        dummy = (play.declarer + 2) % 4
        seen = {seat}
        if play.played:
            seen.add(dummy)
            if seat == dummy:
                seen.add(play.declarer)
        return sorted(seen)

    def values(self, s: State) -> dict[str, float]:
        """The double-dummy value of each card: total tricks of declarer's side."""
        found: Any = self.handle.values(self.data(s))
        return {card_name(code): value for code, value in found}

    def board(self, s: State) -> str:
        return svg.diagram(self.play_of(s), range(4))

    def board_of(self, s: State, seat: int) -> str:
        """As `seat` sees it."""
        return svg.diagram(self.play_of(s), self.seen_by(s, seat))

    def svg(self, s: State) -> str:
        return svg.picture(self.play_of(s), range(4), self.legal(s), self.name)

    def svg_of(self, s: State, seat: int) -> str:
        """As `seat` sees it."""
        return svg.picture(self.play_of(s), self.seen_by(s, seat), self.legal(s), self.name)

    def legal(self, s: State) -> list[int]:
        return [card_code(a) for a in self.actions(s)]

    def mover(self, s: State) -> str:
        """The seat to play."""
        return SEAT_NAMES[self.play_of(s).turn]


class HiddenBridge(Bridge):
    """Four players, each of whom sees its own cards, dummy's, and what was played."""

    public_actions = True
    player_names = ("declarer", "the left defender", "dummy", "the right defender")

    def observation(self, s: State, p: int) -> str:
        """What player `p` knows: "-" for a hand that it does not see."""
        return self.as_seen(s, self.seen_by(s, self.seat(s, p)))

    def observation_text(self, s: State, p: int) -> str:
        """The table as player `p` sees it."""
        return self.board_of(s, self.seat(s, p))

    def observation_svg(self, s: State, p: int) -> str:
        """The same as a picture."""
        return self.svg_of(s, self.seat(s, p))

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A random state that player `p` cannot distinguish from `s`; all are equally likely."""
        found: Any = self.handle.deal(self.data(s), p, rng.getrandbits(64))
        return State(self, found)

    def belief_summary(self, belief: Belief) -> list[str]:
        """The average of the hidden hands, and the probabilities of the high cards."""
        states = list(belief.odds.items())
        s = states[0][0]
        hidden = set(range(4)).difference(self.seen_by(s, self.seat(s, belief.player)))
        rows = []
        for seat in sorted(hidden):
            hands = [(self.play_of(t).hands[seat], p) for t, p in states]
            high = sum(p * points(hand) for hand, p in hands)
            long = [sum(p * lengths(hand)[suit] for hand, p in hands) for suit in range(4)]
            odds = {c: sum(p for hand, p in hands if hand >> c & 1) for c in HONOURS}
            cards = ", ".join(f"{card_name(c)} {p:.0%}" for c, p in odds.items() if p)
            shape = ", ".join(f"{n:.1f} {name}" for n, name in zip(long, SUIT_NAMES, strict=True))
            rows.append(f"{SEAT_NAMES[seat]}: {high:.1f} points; {shape}; {cards}".rstrip("; "))
        return rows


def random_deal(seed: int, cards: int = 13) -> Hands:
    """A random deal by its number: the same on every machine."""
    check_whole("cards", cards, 1, 13)
    rng = random.Random(check_seed(seed))
    deck = [suit * LANE + rank for suit in range(4) for rank in range(13)]
    rng.shuffle(deck)
    hands = [0, 0, 0, 0]
    for i, code in enumerate(deck[: 4 * cards]):
        hands[i % 4] |= 1 << code
    return (hands[0], hands[1], hands[2], hands[3])
