"""Bridge: the play of the cards. Rules and solver are core/games/bridge.

A position is a PBN deal, the trump, the declarer and the cards played: "N:… … … … NT by S: SA S2".
With cards=open (the default) all cards are seen and two sides play: declarer's (player 0) and the
defenders. With cards=hidden there are four players, from declarer clockwise, and each sees its own
cards, dummy's once a card was led, and what was played.
"""

from __future__ import annotations

import random

from ... import _core
from ...checks import check_seed, check_whole
from .. import whole
from .bidding import Auction, bid
from .game import Bridge, HiddenBridge
from .notation import LANE, SEATS, TRUMPS, Hands, known_option
from .pbn import PbnGame, load_pbn, read_pbn, write_pbn
from .single_dummy import SingleDummy, Told, single_dummy
from .table import ContractTable, double_dummy

__all__ = [
    "Auction",
    "Bridge",
    "ContractTable",
    "HiddenBridge",
    "PbnGame",
    "SingleDummy",
    "Told",
    "bid",
    "double_dummy",
    "load_pbn",
    "make",
    "random_deal",
    "read_pbn",
    "single_dummy",
    "write_pbn",
]


def random_deal(seed: int, cards: int = 13) -> Hands:
    """A deal by its number: the same on every machine."""
    check_whole("cards", cards, 1, 13)
    rng = random.Random(check_seed(seed))
    deck = [suit * LANE + rank for suit in range(4) for rank in range(13)]
    rng.shuffle(deck)
    hands = [0, 0, 0, 0]
    for i, code in enumerate(deck[: 4 * cards]):
        hands[i % 4] |= 1 << code
    return (hands[0], hands[1], hands[2], hands[3])


def make(
    spec: str,
    deal: str = "1",
    tricks: str = "13",
    trump: str = "NT",
    declarer: str = "S",
    cards: str = "open",
) -> Bridge:
    """The game from its options as text; it begins with a random deal, by its number."""
    hands = random_deal(whole("deal", deal, 0, 2**62), whole("tricks", tricks, 1, 13))
    seat = known_option("declarer", declarer, list(SEATS))
    hidden = known_option("cards", cards, ["OPEN", "HIDDEN"]) == 1
    strain = known_option("trump", trump, TRUMPS)
    start = _core.bridge_state(list(hands), strain, seat, (seat + 1) % 4, [])
    return (HiddenBridge if hidden else Bridge)(spec, start, hidden)
