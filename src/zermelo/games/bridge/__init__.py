"""Bridge: the play of the cards. Rules and solver are core/games/bridge.

A position is a PBN deal, the trump, the declarer and the cards played: "N:… … … … NT by S: SA S2".
With cards=open (the default) all cards are seen and two sides play: declarer's (player 0) and the
defenders. With cards=hidden there are four players, from declarer clockwise, and each sees its own
cards, dummy's once a card was led, and what was played.
"""

from __future__ import annotations

from .bidding import Auction, bid
from .game import Bridge, HiddenBridge, random_deal
from .pbn import PbnGame, load_pbn, read_pbn, write_pbn
from .single_dummy import HandRange, SingleDummy, single_dummy
from .table import ContractTable, double_dummy

__all__ = [
    "Auction",
    "Bridge",
    "ContractTable",
    "HandRange",
    "HiddenBridge",
    "PbnGame",
    "SingleDummy",
    "bid",
    "double_dummy",
    "load_pbn",
    "random_deal",
    "read_pbn",
    "single_dummy",
    "write_pbn",
]
