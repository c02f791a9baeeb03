"""Play without seeing the hidden cards, GIB's way (M. Ginsberg 1999).

Deals that fit what the player knows are drawn, each is solved double dummy, and the card that is
best on average is played. What this cannot see: it takes for granted that everybody, itself too,
will know all cards from the next trick on, so it never plays to find out and never hides anything.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from ... import _core
from ...errors import UsageError
from ..native import State
from .game import Bridge
from .notation import card_name

TRIES = 2000  # deals looked at for one that fits the bidding


class Told(NamedTuple):
    """What the bidding told of a hand: points and lengths, from least to most."""

    points: tuple[int, int] = (0, 40)
    spades: tuple[int, int] = (0, 13)
    hearts: tuple[int, int] = (0, 13)
    diamonds: tuple[int, int] = (0, 13)
    clubs: tuple[int, int] = (0, 13)

    @property
    def flat(self) -> list[int]:
        return [end for both in self for end in both]


class SingleDummy(NamedTuple):
    """A card, and what each is worth on average: tricks of declarer's side in all."""

    card: str
    means: dict[str, float]
    samples: int
    strange: int  # deals that do not fit the bidding, for want of better


def single_dummy(
    game: Bridge,
    state: State,
    samples: int = 100,
    *,
    told: Sequence[Told] | None = None,
    seed: int | None = None,
) -> SingleDummy:
    """The best card over `samples` deals that the one to play cannot tell from `state`.

    told: of north, east, south and west, from the bidding.
    """
    if samples < 1:
        raise UsageError(f"samples={samples} makes no sense", "a whole number from 1 on")
    play = game.play_of(state)
    dummy = (play.declarer + 2) % 4
    seat = play.declarer if play.turn == dummy else play.turn
    rng = random.Random(seed)
    legal = game.actions(state)
    total = dict.fromkeys(legal, 0.0)
    strange = 0
    ranges = [t.flat for t in told] if told is not None else [Told().flat] * 4
    drawn = samples if len(legal) > 1 else 0  # one card: there is nothing to ask
    for _ in range(drawn):
        data, fits = _core.bridge_deal_within(
            state.data, seat, ranges, rng.getrandbits(64), TRIES if told is not None else 1
        )
        strange += not fits
        found: Any = game.handle.values(data)
        for code, value in found:
            total[card_name(code)] += value
    means = {a: v / max(drawn, 1) for a, v in total.items()}
    sign = 1 if (seat - play.declarer) % 2 == 0 else -1
    best = max(legal, key=lambda a: sign * means[a])
    return SingleDummy(best, means, drawn, strange)
