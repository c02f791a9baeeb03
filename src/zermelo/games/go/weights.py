"""The weights file of Go's move features: what ``zermelo train go --algorithm patterns`` writes."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ... import _core
from ...errors import UsageError

WEIGHTS = Path(__file__).with_name("go.weights")


@cache
def weights() -> bytes:
    """Return the installed weights as the core reads them, or nothing if there is no file."""
    return unpack(WEIGHTS.read_bytes()) if WEIGHTS.exists() else b""


def pack(gamma: npt.NDArray[np.float64]) -> bytes:
    """Compress one weight per feature: zlib over little-endian 32-bit floats."""
    return zlib.compress(gamma.astype("<f4").tobytes(), 9)


def unpack(data: bytes) -> bytes:
    """Return the 32-bit floats of a weights file.

    Raises:
        UsageError: The file is damaged or from another version.
    """
    try:
        found = zlib.decompress(data)
    except zlib.error:
        found = b""
    if len(found) != 4 * _core.go_features:
        raise UsageError(
            "the weights of Go's features are damaged or from another version",
            "train weights with: zermelo train go --algorithm patterns",
        )
    return found
