"""The memory layout of states: the shape of a Python value, derived from a sample.

A tuple state is 8 bytes a number in order (int64, uint64, float64; a bool is an int64 0 or 1), a
NumPy record is its own bytes.
"""

from __future__ import annotations

import struct
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import CompileError

MAX_LEAVES = 512  # longer tuples are slow to compile; a record with a subarray is not


@dataclass(frozen=True)
class Leaf:
    """One number: `kind` is its bits (i, u, f, b for int64, uint64, float64, bool)."""

    kind: str
    python: Any  # makes the user's own object of a number: int, bool, np.uint64, an IntEnum…


@dataclass(frozen=True)
class Branch:
    """A tuple, or a NamedTuple if `cls` is one."""

    cls: Any
    items: tuple[Leaf | Branch, ...]


Shape = Leaf | Branch


def is_namedtuple(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def field_hints(cls: Any) -> dict[str, Any]:
    """The annotations of a NamedTuple; none where they cannot be resolved."""
    try:
        return typing.get_type_hints(cls)
    except Exception:
        return {}


def kind_of_type(kind: Any) -> str | None:
    """The letter of a numeric type, None if it is not one."""
    if not isinstance(kind, type):
        return None
    if issubclass(kind, (bool, np.bool_)):
        return "b"
    if issubclass(kind, np.uint64):
        return "u"
    if issubclass(kind, (int, np.integer)):
        return "i"
    return "f" if issubclass(kind, (float, np.floating)) else None


def shape_of(value: Any, hint: Any = None, where: str = "the state") -> Shape:
    """The shape of `value`, which an annotation may widen (0 annotated float is a float)."""
    if isinstance(value, tuple):
        return _branch_of(value, hint, where)
    kind = kind_of_type(type(value))
    if kind is None:
        raise CompileError(f"{where} is {describe(value)}", _advice(value))
    hinted = kind_of_type(hint)
    if hinted is not None and hinted != kind:
        # A field annotated np.uint64 or float may start as a plain 0, one annotated int as False.
        if hinted in "uf":
            return Leaf(hinted, type(value) if hinted == "u" else float)
        if kind == "b":
            return Leaf("i", int)
    return Leaf(kind, type(value))


def _branch_of(value: tuple[Any, ...], hint: Any, where: str) -> Branch:
    cls: Any = type(value) if is_namedtuple(type(value)) else None
    if cls is None and type(value) is not tuple:
        raise CompileError(f"{where} is {describe(value)}", "make it a NamedTuple")
    if len(value) == 0 or len(value) > MAX_LEAVES:
        raise CompileError(
            f"{where} is a tuple of {len(value)} values",
            "use a NumPy record with a subarray field: np.zeros(1, np.dtype([('board', np.int8, "
            f"{max(len(value), 1)})]))[0]",
        )
    if cls is not None:
        hints = field_hints(cls)
        return Branch(
            cls,
            tuple(
                shape_of(v, hints.get(f), f"field {f!r} of {cls.__name__}")
                for f, v in zip(cls._fields, value, strict=True)
            ),
        )
    args = typing.get_args(hint)
    inner = args[0] if len(args) == 2 and args[1] is Ellipsis else None
    each = list(args) if inner is None and len(args) == len(value) else [inner] * len(value)
    return Branch(
        None, tuple(shape_of(v, h, f"an item of {where}") for v, h in zip(value, each, strict=True))
    )


def describe(value: Any) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"of type {type(value).__name__} ({text if len(text) < 40 else text[:36] + '…'})"


def _advice(value: Any) -> str:
    """What to write instead of a value that has no fixed size."""
    if value is None:
        return "use a special number, e.g. -1"
    if isinstance(value, str):
        return "use ints: a board as a tuple of ints or as the bits of an int"
    if isinstance(value, np.ndarray):
        return (
            "use a NumPy record with a subarray field (np.dtype([('board', np.int8, 9), …])) "
            "or a tuple of ints"
        )
    if isinstance(value, (list, dict, set, frozenset)):
        return "use a NamedTuple of ints, with a tuple of fixed length or bits of an int inside"
    return "states are NamedTuples of ints, floats and bools, tuples of ints, or NumPy records"


def leaves(shape: Shape) -> Iterator[Leaf]:
    if isinstance(shape, Leaf):
        yield shape
    else:
        for item in shape.items:
            yield from leaves(item)


def flatten(value: Any, shape: Shape, out: list[Any]) -> None:
    """The numbers of `value` in order; ValueError if it has another shape."""
    if isinstance(shape, Leaf):
        if kind_of_type(type(value)) is None:
            raise ValueError(f"{describe(value)} instead of a number")
        out.append(value)
        return
    if not isinstance(value, tuple) or len(value) != len(shape.items):
        raise ValueError(f"{describe(value)} instead of a tuple of {len(shape.items)}")
    for v, item in zip(value, shape.items, strict=True):
        flatten(v, item, out)


def build(shape: Shape, numbers: Iterator[Any]) -> Any:
    """The user's own object: the reverse of :func:`flatten`."""
    if isinstance(shape, Leaf):
        return shape.python(next(numbers))
    items = [build(item, numbers) for item in shape.items]
    return tuple(items) if shape.cls is None else shape.cls._make(items)


class TupleState:
    """A state that is a number or a (nested, named) tuple of numbers."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._kinds = [leaf.kind for leaf in leaves(shape)]
        self._struct = struct.Struct(
            "=" + "".join({"i": "q", "u": "Q", "f": "d", "b": "q"}[k] for k in self._kinds)
        )
        self.size = self._struct.size

    def encode(self, state: Any) -> bytes:
        numbers: list[Any] = []
        flatten(state, self.shape, numbers)
        plain: list[Any] = []
        for kind, x in zip(self._kinds, numbers, strict=True):
            if kind == "f":
                plain.append(float(x) + 0.0)  # -0.0 would be another key than 0.0
            elif isinstance(x, (float, np.floating)) and not float(x).is_integer():
                raise ValueError(f"{x!r} in a field of whole numbers")
            else:
                plain.append(int(x))
        try:
            return self._struct.pack(*plain)
        except struct.error:
            raise ValueError(self._misfit(plain)) from None

    def _misfit(self, plain: list[Any]) -> str:
        for kind, x in zip(self._kinds, plain, strict=True):
            if kind in "ib" and not -(2**63) <= x < 2**63:
                return f"{x} does not fit a signed 64-bit field"
            if kind == "u" and not 0 <= x < 2**64:
                return f"{x} does not fit an unsigned 64-bit field"
        return "a number does not fit 64 bits"

    def decode(self, data: bytes) -> Any:
        return build(self.shape, iter(self._struct.unpack(data)))


class RecordState:
    """A state that is one element of a structured NumPy array."""

    def __init__(self, sample: np.void) -> None:
        self.dtype = sample.dtype
        self.size = int(self.dtype.itemsize)
        if self.dtype.hasobject:
            raise CompileError("the state's record holds Python objects", "use numeric fields only")

    def encode(self, state: Any) -> bytes:
        if not isinstance(state, np.void) or state.dtype != self.dtype:
            raise ValueError(f"{describe(state)} instead of a record of {self.dtype}")
        clean = np.zeros(1, self.dtype)  # gaps between aligned fields are zero: bytes are keys
        for name in self.dtype.names or ():
            clean[name][0] = state[name]
        return clean.tobytes()

    def decode(self, data: bytes) -> Any:
        return np.frombuffer(data, self.dtype)[0].copy()


State = TupleState | RecordState


def state_layout(sample: Any) -> State:
    if isinstance(sample, np.void) and sample.dtype.names:
        return RecordState(sample)
    return TupleState(shape_of(sample))
