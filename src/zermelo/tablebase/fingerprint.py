"""A 64-bit name for any state that is the same in every process: equal states, equal names."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import numbers
import random
from collections import deque
from typing import Any

from ..errors import NotSupported
from ..game import Game, legal_actions


def fingerprint(state: Any) -> int:
    """The state's name, never 0."""
    digest = hashlib.blake2b(plain(state), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


def plain(x: Any) -> bytes:
    """The state as bytes. What Python calls equal (1, 1.0, True) has equal bytes."""
    if x is None or x is Ellipsis:
        return b"0"
    if isinstance(x, str) and not isinstance(x, enum.Enum):
        return _tagged(b"s", x.encode("utf-8", "surrogatepass"))
    if isinstance(x, bytes | bytearray):
        return _tagged(b"b", bytes(x))
    if hasattr(x, "tobytes") and hasattr(x, "dtype"):  # NumPy: equal where the bytes are
        return _tagged(b"a", x.tobytes())
    if isinstance(x, enum.Enum) and not isinstance(x, int):
        return _tagged(b"e", f"{type(x).__qualname__}.{x.name}".encode())
    if isinstance(x, numbers.Number):
        return _tagged(b"n", _number(x).encode())
    if isinstance(x, tuple | list):
        return _tagged(b"t", b"".join(map(plain, x)))
    if isinstance(x, frozenset | set):
        return _tagged(b"f", b"".join(sorted(map(plain, x))))
    if isinstance(x, dict):
        pairs = sorted(_tagged(b"p", plain(k) + plain(v)) for k, v in x.items())
        return _tagged(b"d", b"".join(pairs))
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        fields = [f for f in dataclasses.fields(x) if f.compare]
        inside = b"".join(plain(getattr(x, f.name)) for f in fields)
        return _tagged(b"c", type(x).__qualname__.encode() + b"\0" + inside)
    own = getattr(x, "lasting_key", None)
    if callable(own):
        return _tagged(b"k", plain(own()))
    raise NotSupported(
        f"a state of type {type(x).__name__} has no key that is the same in every process",
        "make states of numbers, texts, tuples, frozensets, dataclasses or NumPy arrays, "
        "or give them a method lasting_key() that returns such",
    )


def _tagged(tag: bytes, data: bytes) -> bytes:
    return tag + len(data).to_bytes(8, "little") + data


def _number(x: Any) -> str:
    if isinstance(x, complex):
        return _number(x.real) if x.imag == 0 else repr(x)
    if x != x or x in (float("inf"), float("-inf")):
        return repr(float(x))
    top, bottom = x.as_integer_ratio()
    return f"{top}/{bottom}"


def behaviour(game: Game, positions: int = 256, games: int = 16, longest: int = 200) -> int:
    """A fingerprint of the rules, from positions near the start and from some random games."""
    entries: list[Any] = []

    def listen(s: Any) -> list[Any]:
        over = bool(game.is_terminal(s))
        actions = [] if over else legal_actions(game, s)
        answer = float(game.utility(s, 0)) if over else int(game.player(s))
        entries.append((fingerprint(s), over, answer, len(actions)))
        return actions

    start = game.initial()
    queue, seen = deque([start]), {fingerprint(start)}
    while queue:
        s = queue.popleft()
        for a in listen(s):
            after = game.result(s, a)
            if len(seen) < positions and fingerprint(after) not in seen:
                seen.add(fingerprint(after))
                queue.append(after)
    rng = random.Random(0)
    for _ in range(games):
        s = start
        for _ in range(longest):
            actions = listen(s)
            if not actions:
                break
            s = game.result(s, actions[rng.randrange(len(actions))])
    return fingerprint(tuple(entries))
