"""Generic operations on states: compare, copy, watch and show them."""

from __future__ import annotations

import copy
import enum
import inspect
import re
import traceback
import types
from collections.abc import Hashable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

ATOMS = (int, float, complex, str, bytes, bool, type(None), Fraction, range)
NAMES = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, enum.Enum)
DEEPEST = 60  # a state nested more deeply than this is compared only so far


def plain(x: Any, depth: int = 0) -> bool:
    """Is `x` built of immutable values only, so that nobody can change it?"""
    t = type(x)
    if t in ATOMS or isinstance(x, NAMES):
        return True
    if depth > DEEPEST:
        return False
    if isinstance(x, (tuple, frozenset)) and not getattr(x, "__dict__", None):
        return all(plain(y, depth + 1) for y in x)
    if isinstance(x, np.generic):
        return not isinstance(x, np.void)  # records can be assigned to
    params = getattr(t, "__dataclass_params__", None)
    if params is not None and params.frozen and hasattr(x, "__dict__"):
        return all(plain(y, depth + 1) for y in vars(x).values())
    return False


def look(x: Any, shared: frozenset[int] = frozenset(), depth: int = 0) -> Hashable:
    """The parts of `x` as a hashable value: equal exactly if two values have equal parts.

    Objects whose id is in `shared` (the game itself) are not examined.
    """
    t = type(x)
    if t in ATOMS:
        return x if x == x else "nan"
    if id(x) in shared or isinstance(x, NAMES):
        return ("the", id(x))
    if depth > DEEPEST:
        return ("deep", t)

    def parts(xs: Any) -> tuple[Hashable, ...]:
        return tuple(look(y, shared, depth + 1) for y in xs)

    if t in (list, tuple):
        return (t, parts(x))
    if isinstance(x, np.ndarray) and x.dtype.hasobject:
        return ("array", x.shape, parts(x.ravel().tolist()))
    if isinstance(x, (np.ndarray, np.generic)):
        return ("array", x.dtype.str, x.shape, x.tobytes())
    if isinstance(x, (set, frozenset)):
        return (type(x), frozenset(parts(x)))
    if isinstance(x, dict):
        return (type(x), frozenset(parts(x.items())))
    try:  # other objects reveal their parts to copyreg
        _, made_of, *rest = x.__reduce_ex__(4)
        return (t, parts(made_of), parts(map(_listed, rest)))
    except Exception:
        try:
            return (type(x), hash(x))
        except Exception:
            return (type(x), id(x))


def _listed(x: Any) -> Any:
    return list(x) if hasattr(x, "__next__") else x


def by_value(x: Any) -> bool:
    """Does the type of `x` say itself what equal means (and not: the same object)?"""
    own: Any = type(x).__eq__
    return own is not object.__eq__


def key(x: Any) -> Hashable:
    """What the search recognizes `x` by; TypeError where it cannot."""
    if isinstance(x, (np.ndarray, np.void)) and not x.dtype.hasobject:
        return ("array", x.dtype.str, x.shape, x.tobytes())
    hash(x)
    return x  # type: ignore[no-any-return]


def equal(x: Any, y: Any) -> bool:
    """x == y, where NumPy arrays are equal if all of them is."""
    if x is y:
        return True
    if isinstance(x, (np.ndarray, np.void)) or isinstance(y, (np.ndarray, np.void)):
        return look(x) == look(y)
    return bool(x == y)


def alike(x: Any, y: Any) -> bool:
    """Equal, or at least made of equal parts."""
    try:
        if equal(x, y):
            return True
    except Exception:  # an __eq__ that raises is reported elsewhere
        pass
    return look(x) == look(y)


class Watch:
    """A state under observation: notices a change, and can undo it."""

    def __init__(self, state: Any, shared: dict[int, Any]) -> None:
        self.state = state
        self.shared = shared
        self.frozen = plain(state)
        self.spare: Any = None
        self.can_restore = False
        if not self.frozen:
            self.before = self._look(state)
            self.names = set(getattr(state, "__dict__", ()))
            self.spare, self.can_restore = private(state, shared)

    def _look(self, x: Any) -> Hashable:
        return look(x, frozenset(self.shared))

    def changed(self) -> bool:
        """Has the state changed since the beginning, other than by filling a cache?"""
        if self.frozen or self._look(self.state) == self.before:
            return False
        try:
            if by_value(self.state) and self.can_restore:
                return not equal(self.spare, self.state)
            added = set(getattr(self.state, "__dict__", ())) - self.names
            if added:  # as functools.cached_property does
                without = copy.copy(self.state)
                for name in added:
                    del without.__dict__[name]
                return self._look(without) != self.before
        except Exception:
            return True
        return True

    def restore(self) -> None:
        """Back to what it was, in a new object."""
        self.state, self.can_restore = private(self.spare, self.shared)


def private(state: Any, shared: dict[int, Any]) -> tuple[Any, bool]:
    """A copy that nobody else can change, and whether it could be made."""
    if plain(state):
        return state, True
    try:
        return copy.deepcopy(state, dict(shared)), True
    except Exception:
        return state, False


def short(x: Any, width: int = 70) -> str:
    """`x` in one line of bounded width."""
    try:
        text = " ".join(re.sub(r" at 0x[0-9a-fA-F]+", "", _repr(x)).split())
    except Exception:
        text = f"<{type(x).__name__}>"
    return text if len(text) <= width else text[: width - 1] + "…"


def _repr(x: Any) -> str:
    own: Any = type(x).__repr__
    if own is not object.__repr__:
        return repr(x)
    names = [*getattr(x, "__dict__", ()), *getattr(type(x), "__slots__", ())]
    inside = ", ".join(f"{n}={getattr(x, n, None)!r}" for n in names)
    return f"{type(x).__name__}({inside})"


def spot(error: BaseException, game: Any) -> str:
    """Where in the rules `error` was raised: `` at file:line``, or nothing if not in them."""
    here = Path(__file__).parent
    frames = [(f.f_code.co_filename, n) for f, n in traceback.walk_tb(error.__traceback__)]
    frames = [x for x in frames if Path(x[0]).parent != here]
    try:
        source = inspect.getsourcefile(type(getattr(game, "rules", game)))
    except (TypeError, OSError):
        source = None
    frames = [x for x in frames if x[0] == source] or frames
    if not frames:
        return ""
    path, line = frames[-1]
    folder = f"{Path.cwd()}/"
    return f" at {path.removeprefix(folder)}:{line}"
