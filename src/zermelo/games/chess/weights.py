"""The file of the evaluation's weights: zlib over the crc of the terms' list and the numbers."""

from __future__ import annotations

import zlib

from ... import _core
from ...errors import UsageError


def layout() -> bytes:
    """A checksum of the list of terms."""
    names = " ".join(f"{name} {size}" for name, size in _core.chess_terms())
    return zlib.crc32(names.encode()).to_bytes(4, "little")


def pack(pairs: bytes) -> bytes:
    """The file from the weights as the native side has them, pairs of 16-bit numbers."""
    return zlib.compress(layout() + pairs, 9)


def unpack(packed: bytes) -> bytes:
    """The weights in the native format."""
    try:
        whole = zlib.decompress(packed)
    except zlib.error:
        whole = b""
    if whole[:4] != layout() or len(whole) != 4 + len(_core.chess_thumb()):
        raise UsageError(
            "the weight file of chess is damaged or from another version",
            "train weights with: zermelo train chess",
        )
    return whole[4:]
