"""The networks' file: both, packed in half the bytes."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

from ... import _core
from ...errors import UsageError

WEIGHTS = Path(__file__).with_name("backgammon.weights")


@cache
def weights() -> bytes:
    """The learned weights in the native format; empty if there is no file."""
    return unpack(WEIGHTS.read_bytes()) if WEIGHTS.exists() else b""


def pack(flat: bytes) -> bytes:
    """Rounds 32-bit floats to 16 bits; the loss of precision does not affect play."""
    import numpy as np

    return zlib.compress(np.frombuffer(flat, "<f4").astype("<f2").tobytes(), 9)


def unpack(packed: bytes) -> bytes:
    import numpy as np

    try:
        values = np.frombuffer(zlib.decompress(packed), "<f2")
    except (zlib.error, ValueError):
        values = np.zeros(0, "<f2")
    if len(values) != _core.backgammon_floats:
        raise UsageError(
            "the weight file of backgammon is damaged or from another version",
            "train weights with: zermelo train backgammon",
        )
    return values.astype("<f4").tobytes()
