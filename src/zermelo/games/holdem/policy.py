"""A hold'em policy in a file: the groups of hands, and the action probabilities.

The file is a line of JSON, then zlib over the centres of the flop's and the turn's groups and the
odds, in fifteenths.
"""

from __future__ import annotations

import functools
import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ... import _core
from ...errors import UsageError
from ...files import MAX_BYTES, read_bytes, reason, shown

WEIGHTS = Path(__file__).with_name("holdem.weights")
LEVELS = 15
BINS = 16
NAME = "zermelo holdem policy 1"


@dataclass
class Policy:
    """A trained policy."""

    flop: bytes
    turn: bytes
    river: int
    odds: bytes  # of each action, in fifteenths
    iterations: int

    @functools.cached_property
    def native(self) -> _core.HoldemPolicy:
        return _core.HoldemPolicy(self.flop, self.turn, self.river, self.odds)

    def pack(self) -> bytes:
        head = {
            "name": NAME, "flop": len(self.flop) // BINS, "turn": len(self.turn) // BINS,
            "river": self.river, "iterations": self.iterations,
        }  # fmt: skip
        return (
            json.dumps(head).encode() + b"\n" + zlib.compress(self.flop + self.turn + self.odds, 9)
        )


def levels(odds: bytes) -> bytes:
    """Odds as floats, in fifteenths."""
    return bytes(np.rint(np.frombuffer(odds, "<f4") * LEVELS).astype(np.uint8))


def read(path: Path) -> Policy:
    """The policy of a file, cached until the file changes."""
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError) as e:
        raise UsageError(
            f"{shown(path)} cannot be read: {reason(e)}", "expected a policy file"
        ) from None
    return parse(path, changed)


@functools.lru_cache(maxsize=4)
def parse(path: Path, changed: int) -> Policy:
    try:
        first, _, rest = read_bytes(path).partition(b"\n")
        head = json.loads(first)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(rest, MAX_BYTES)
        if head["name"] != NAME:
            raise ValueError
        flop, turn = BINS * int(head["flop"]), BINS * int(head["turn"])
        policy = Policy(
            data[:flop], data[flop : flop + turn], int(head["river"]), data[flop + turn :],
            int(head["iterations"]),
        )  # fmt: skip
        if not unpacker.eof or policy.native.size != len(policy.odds):
            raise ValueError
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError, zlib.error):
        raise UsageError(
            f"{path} is not a hold'em policy",
            "train one with: zermelo train holdem --dir FOLDER",
        ) from None
    return policy
