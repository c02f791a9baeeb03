"""Card play with hidden hands, as in GIB (M. Ginsberg 1999).

Samples deals consistent with the player's knowledge, solves each double dummy, and plays the card
that is best on average. It assumes that all players know all cards from the next trick on, so it
never plays to gather or to hide information.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from ... import _core
from ...checks import check_given, check_seed, check_whole
from ...errors import BadPosition, IllegalAction, UsageError
from ..native import State
from .game import Bridge
from .notation import SEAT_NAMES, card_name, lengths, points

MAX_SAMPLES = 1_000_000
TRIES = 2000  # sampled deals per deal that fits the bidding


class HandRange(NamedTuple):
    """Bounds of a hidden hand: points and suit lengths, each as (least, greatest)."""

    points: tuple[int, int] = (0, 40)
    spades: tuple[int, int] = (0, 13)
    hearts: tuple[int, int] = (0, 13)
    diamonds: tuple[int, int] = (0, 13)
    clubs: tuple[int, int] = (0, 13)

    @property
    def flat(self) -> list[int]:
        return [end for both in self for end in both]


class SingleDummy(NamedTuple):
    """A card, and the average value of each: total tricks of declarer's side."""

    card: str
    means: dict[str, float]
    samples: int
    strange: int  # deals that do not fit the bidding, if no better were found


def _check_constraints(
    game: Bridge, state: State, seat: int, constraints: Sequence[HandRange]
) -> None:
    """Raise if the constraints of a hidden hand contradict the cards that `seat` has seen."""
    hands = check_given("constraints", constraints)
    if len(hands) != 4 or not all(isinstance(t, HandRange) for t in hands):
        raise UsageError(
            f"constraints has {len(hands)} entries",
            "expected four HandRange objects: north, east, south, west",
        )
    left, dealt = game.play_of(state).hands, game.dealt(state)
    hidden = [other for other in range(4) if other not in game.seen_by(state, seat)]
    unseen = sum(left[other] for other in hidden)  # as sets: no card is in two hands
    for other in hidden:
        name, played = SEAT_NAMES[other], dealt[other] ^ left[other]
        has = [points(played), *lengths(played)]
        most = [points(played | unseen), *lengths(played | unseen)]
        for what, sure, can, (low, high) in zip(
            HandRange._fields, has, most, constraints[other], strict=True
        ):
            if low > high:
                raise UsageError(f"invalid {name} with {low} to {high} {what}",
                                 "expected the smaller number first")  # fmt: skip
            if sure > high or can < low:
                seen = (
                    f"it has already played {sure}" if sure > high else f"it can have at most {can}"
                )
                raise BadPosition(f"{name} is declared to have {low} to {high} {what}, but {seen}",
                                  "remove or change the constraints of that hand")  # fmt: skip


def single_dummy(
    game: Bridge,
    state: State,
    samples: int = 100,
    *,
    constraints: Sequence[HandRange] | None = None,
    seed: int | None = None,
) -> SingleDummy:
    """The best card over `samples` deals that the one to play cannot tell from `state`.

    constraints: bounds of the hands of north, east, south and west, e.g. from the bidding.
    """
    if not isinstance(game, Bridge):
        raise UsageError(f"{game!r} is not bridge", 'zermelo.load("bridge:cards=hidden")')
    check_whole("samples", samples, 1, MAX_SAMPLES)
    seed = None if seed is None else check_seed(seed)
    if game.is_terminal(state):
        raise IllegalAction("the play is over", "there is no card to choose")
    play = game.play_of(state)
    dummy = (play.declarer + 2) % 4
    seat = play.declarer if play.turn == dummy else play.turn
    rng = random.Random(seed)
    legal = game.actions(state)
    total = dict.fromkeys(legal, 0.0)
    strange = 0
    if constraints is not None:
        _check_constraints(game, state, seat, constraints)
    ranges = [t.flat for t in constraints] if constraints is not None else [HandRange().flat] * 4
    drawn = samples if len(legal) > 1 else 0  # only one legal card
    for _ in range(drawn):
        data, fits = _core.bridge_deal_within(
            state.data, seat, ranges, rng.getrandbits(64), TRIES if constraints is not None else 1
        )
        strange += not fits
        found: Any = game.handle.values(data)
        for code, value in found:
            total[card_name(code)] += value
    means = {a: v / max(drawn, 1) for a, v in total.items()}
    sign = 1 if (seat - play.declarer) % 2 == 0 else -1
    best = max(legal, key=lambda a: sign * means[a])
    return SingleDummy(best, means, drawn, strange)
