"""Actions as 32 bits: an int, or a tuple of up to four small ints."""

from __future__ import annotations

from typing import Any

from ..errors import CompileError
from .layout import Branch, Leaf, Shape, build, flatten, leaves, shape_of


class ActionCode:
    """Actions as 32 bits: an int, or 1 to 4 small ints of a tuple side by side."""

    def __init__(self, samples: list[Any]) -> None:
        self.shape = _action_shape(samples)
        self.fields = len(list(leaves(self.shape)))
        if self.fields > 4:
            raise CompileError(
                f"actions are tuples of {self.fields} numbers, e.g. {samples[0]!r}",
                "use at most 4 numbers per action, e.g. row * width + column for a square",
            )
        self.bits = {1: 32, 2: 16, 3: 10, 4: 8}[self.fields]
        whole = [self._numbers(a) for a in samples]
        top = 1 << (self.bits - 1)
        # Negative numbers (a pass as -1) fit unless other actions need the 32nd bit.
        self.signed = not any(x >= top for n in whole for x in n)
        for a in samples:
            self.encode(a)

    def _numbers(self, action: Any) -> list[int]:
        numbers: list[Any] = []
        flatten(action, self.shape, numbers)
        return [int(x) for x in numbers]

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1 if self.signed else self.bits)) - 1

    def encode(self, action: Any) -> int:
        try:
            numbers = self._numbers(action)
        except ValueError as e:
            raise CompileError(f"action {action!r} is {e}", _ONE_SHAPE) from None
        code = 0
        for i, x in enumerate(numbers):
            if not self.low <= x <= self.high:
                raise CompileError(
                    f"action {action!r} does not fit: {x} is not in {self.low}…{self.high}",
                    f"an action has {self.fields} number(s) of {self.bits} bits each",
                )
            code |= (x & ((1 << self.bits) - 1)) << (i * self.bits)
        return code

    def decode(self, code: int) -> Any:
        numbers = []
        for i in range(self.fields):
            x = code >> (i * self.bits) & ((1 << self.bits) - 1)
            numbers.append(x - (1 << self.bits) if self.signed and x > self.high else x)
        return build(self.shape, iter(numbers))


_ONE_SHAPE = "all actions, including chance outcomes, must be ints or tuples of the same length"


def _action_shape(samples: list[Any]) -> Shape:
    """The one shape that all sampled actions have."""
    if not samples:
        return Leaf("i", int)
    shape: Shape | None = None
    for action in samples:
        try:
            this = shape_of(action, None, "an action")
        except CompileError as e:
            raise CompileError(e.message, "actions must be ints or tuples of small ints") from None
        if any(leaf.kind == "f" for leaf in leaves(this)):
            raise CompileError(f"action {action!r} has a float", "number the actions with ints")
        if shape is None:
            shape = this
        elif _outline(this) != _outline(shape):
            raise CompileError(
                f"actions have different types: {samples[0]!r} and {action!r}", _ONE_SHAPE
            )
        elif this != shape:
            shape = _plainer(shape, this)
    assert shape is not None
    return shape


def _outline(shape: Shape) -> Any:
    return 0 if isinstance(shape, Leaf) else (shape.cls, *map(_outline, shape.items))


def _plainer(a: Shape, b: Shape) -> Shape:
    """Of two kinds of number at the same place (True and 2) the wider, as int."""
    if isinstance(a, Branch) and isinstance(b, Branch):
        items = zip(a.items, b.items, strict=True)
        return Branch(a.cls, tuple(_plainer(x, y) for x, y in items))
    return a if a == b else Leaf("i", int)
