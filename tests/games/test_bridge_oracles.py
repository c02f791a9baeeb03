"""Bridge's solver beside DDS (endplay): all must agree."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo.games.bridge import double_dummy, random_deal
from zermelo.games.bridge.notation import format_deal

pytest.importorskip("endplay")

from endplay.dds import calc_dd_table, solve_board
from endplay.types import Deal, Denom, Player

TRUMPS = {
    "S": Denom.spades,
    "H": Denom.hearts,
    "D": Denom.diamonds,
    "C": Denom.clubs,
    "NT": Denom.nt,
}
SEATS = {"N": Player.north, "E": Player.east, "S": Player.south, "W": Player.west}
SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def theirs(game: Any, text: str, s: Any, trump: str, first: str) -> dict[str, float]:
    """Declarer's tricks in all after each card, as DDS has it."""
    play = game.play_of(s)
    deal = Deal(text, first=SEATS[first], trump=TRUMPS[trump])
    for code in play.played:
        deal.play("SHDC"[code // 16] + "23456789TJQKA"[code % 16])
    mine = (play.turn - play.declarer) % 2 == 0
    left = play.cards - play.tricks
    found = {}
    for card, tricks in solve_board(deal):
        name = SIGNS[str(card)[0]] + str(card)[1:].replace("10", "T")
        found[name] = float(play.won + (tricks if mine else left - tricks))
    return found


@pytest.mark.parametrize(("cards", "count"), [(13, 20), (10, 60), (8, 150), (6, 200), (4, 200)])
def test_every_card_as_dds(cards: int, count: int) -> None:
    game: Any = zermelo.load("bridge")
    rng = random.Random(cards)
    for _ in range(count):
        text = format_deal(random_deal(rng.getrandbits(50), cards))
        trump, declarer = rng.choice(list(TRUMPS)), rng.choice("NESW")
        first = rng.choice("NESW")
        s = game.parse_state(f"{text} {trump} by {declarer}, {first} leads")
        for _ in range(rng.randint(0, 3)):
            s = game.result(s, rng.choice(game.actions(s)))
        assert game.values(s) == theirs(game, text, s, trump, first), game.format_state(s)


def test_tables_as_dds() -> None:
    for seed in range(3):
        text = format_deal(random_deal(seed))
        ours, table = double_dummy(text), calc_dd_table(Deal(text))
        for trump, seat in ours:
            assert ours[trump, seat] == table[TRUMPS[trump], SEATS[seat]], (text, trump, seat)
