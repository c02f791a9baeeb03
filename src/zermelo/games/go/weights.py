"""The weights file of Go's move features: what ``zermelo train go --algorithm patterns`` writes."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ...errors import UsageError

WEIGHTS = Path(__file__).with_name("go.weights")


@cache
def weights() -> bytes:
    """Return the installed weights as the core reads them, or nothing if there is no file."""
    return unpack(WEIGHTS.read_bytes()) if WEIGHTS.exists() else b""


SHAPE = np.dtype([("hash", "<u8"), ("weight", "<f4")])  # a pattern larger than 3x3


def pack(
    moves: npt.NDArray[np.float64], playout: npt.NDArray[np.float64], shapes: npt.NDArray[Any]
) -> bytes:
    """Compress weights: one per feature for priors and for playouts, then larger patterns."""
    parts = (moves.astype("<f4"), playout.astype("<f4"), shapes.astype(SHAPE))
    return zlib.compress(b"".join(part.tobytes() for part in parts), 9)


def unpack(data: bytes) -> bytes:
    """Return the contents of a weights file as the core reads them.

    Raises:
        UsageError: The file is damaged or from another version.
    """
    try:
        found = zlib.decompress(data)
    except zlib.error:
        found = b""
    shapes = len(found) - 8 * _core.go_features
    if shapes < 0 or shapes % SHAPE.itemsize:
        raise UsageError(
            "the weights of Go's features are damaged or from another version",
            "train weights with: zermelo train go --algorithm patterns",
        )
    return found
