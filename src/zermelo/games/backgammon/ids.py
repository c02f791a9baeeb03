"""GNU Backgammon's position ID and match ID: what each bit means, read and written.

A position is a string of bits: for each side (first the one that is not to roll) and each of its
points from 1 to 24 and then the bar a 1 for every checker and a 0. They fill 10 bytes from the low
bit on, which are written as 14 characters of base64. A match ID is 9 bytes in 12 characters. Who
rolls after a double that waits for its answer is the doubler; the turn is the other's.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import BadPosition

CHECKERS = 15
POSITION_LENGTH, MATCH_LENGTH = 14, 12
START = "4HPwATDgc/ABMA"
CENTRED = 3  # centred cube
PLAYING, FINISHED, DROPPED = 1, 2, 4  # the game state of a match ID
MAX_DOUBLES = 6  # the cube goes up to 64

# The fields of a match ID, with their bits.
FIELDS = (
    ("cube", 4), ("owner", 2), ("roller", 1), ("crawford", 1), ("state", 3), ("turn", 1),
    ("doubled", 1), ("resigned", 2), ("die", 3), ("die2", 3), ("length", 15), ("score0", 15),
    ("score1", 15), ("no_jacoby", 1),
)  # fmt: skip


@dataclass(frozen=True)
class Match:
    """The fields of a match ID that this game uses."""

    turn: int
    dice: tuple[int, int] = (0, 0)
    finished: bool = False
    # Of the cube: it stands at 2**doubles; what happened to a double.
    doubles: int = 0
    owner: int = CENTRED
    offered: bool = False
    dropped: bool = False
    no_jacoby: bool = False


def write_position(own: Sequence[int], other: Sequence[int]) -> str:
    """The ID of a board: checkers on each side's points 1 to 24 and on its bar."""
    bits, at = 0, 0
    for side in (other, own):
        for count in side:
            bits |= ((1 << count) - 1) << at
            at += count + 1
    return _write(bits, 10, POSITION_LENGTH)


def read_position(text: str) -> tuple[list[int], list[int]]:
    """(own, other), as in :func:`write_position`."""
    bits = _read(text, POSITION_LENGTH, "position ID")
    sides: list[list[int]] = []
    for _ in range(2):
        side = []
        for _ in range(25):
            count = 0
            while bits & 1:
                count, bits = count + 1, bits >> 1
            bits >>= 1
            side.append(count)
        sides.append(side)
    if bits or max(map(sum, sides)) > CHECKERS:
        raise BadPosition(
            f"position ID {text!r} is invalid: a side has more than {CHECKERS} checkers",
            f"the start position is {START}",
        )
    return sides[1], sides[0]


def write_match(match: Match) -> str:
    """The ID of a money game."""
    state = FINISHED if match.finished else PLAYING
    values = dict.fromkeys((name for name, _ in FIELDS), 0) | {
        "cube": match.doubles,
        "owner": match.owner,
        "roller": match.turn,
        "turn": match.turn ^ (match.offered or match.dropped),
        "state": DROPPED if match.dropped else state,
        "doubled": int(match.offered),
        "die": match.dice[0],
        "die2": match.dice[1],
        "no_jacoby": int(match.no_jacoby),
    }
    bits, at = 0, 0
    for name, width in FIELDS:
        bits |= values[name] << at
        at += width
    return _write(bits, 9, MATCH_LENGTH)


def read_match(text: str) -> Match:
    """Turn and dice; score and cube are ignored."""
    values, dice = _fields(text)
    if values["doubled"] or values["resigned"] or values["turn"] != values["roller"]:
        raise BadPosition(
            f"match ID {text!r}: a double or a resignation is pending",
            "use the position before or after it, or play with backgammon:cube=yes",
        )
    return Match(values["roller"], dice, values["state"] not in (0, PLAYING))


def read_money_match(text: str) -> Match:
    """Turn, dice and cube of money play; the score is ignored."""
    values, dice = _fields(text)
    if values["length"]:
        raise BadPosition(
            f"match ID {text!r} belongs to a match to {values['length']} points",
            "only money play is supported with the cube (match length 0)",
        )
    if values["resigned"]:
        raise BadPosition(
            f"match ID {text!r}: a resignation is pending", "use the position before it"
        )
    owner, doubles = values["owner"], values["cube"]
    if doubles > MAX_DOUBLES or owner == 2 or (owner == CENTRED) != (doubles == 0):
        raise BadPosition(
            f"match ID {text!r} has an invalid cube: {2**doubles}, owner {owner}",
            "expected 1 in the middle (owner 3), or 2 to 64 owned by 0 or 1",
        )
    dropped = values["state"] == DROPPED
    if (values["turn"] != values["roller"]) != (bool(values["doubled"]) or dropped):
        raise BadPosition(
            f"match ID {text!r}: the player on turn did not roll",
            "they differ only while a double is pending",
        )
    finished = values["state"] not in (0, PLAYING, DROPPED)
    return Match(
        values["roller"], dice, finished, doubles, owner, bool(values["doubled"]), dropped,
        bool(values["no_jacoby"]),
    )  # fmt: skip


def _fields(text: str) -> tuple[dict[str, int], tuple[int, int]]:
    """The fields of a match ID, and its dice."""
    bits = _read(text, MATCH_LENGTH, "match ID")
    values = {}
    for name, width in FIELDS:
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    dice = values["die"], values["die2"]
    if max(dice) > 6 or (0 in dice and dice != (0, 0)):
        raise BadPosition(
            f"match ID {text!r} has invalid dice: {dice[0]} and {dice[1]}", "expected 1 to 6"
        )
    return values, dice


def _write(bits: int, size: int, length: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode()[:length]


def _read(text: str, length: int, what: str) -> int:
    if len(text) != length:
        raise BadPosition(
            f"{what} {text!r} has {len(text)} characters instead of {length}",
            f"e.g. {START} or {START}:{write_match(Match(0))}",
        )
    try:
        data = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError):
        raise BadPosition(
            f"{what} {text!r} contains invalid characters", "expected A-Z a-z 0-9 + /"
        ) from None
    return int.from_bytes(data, "little")
