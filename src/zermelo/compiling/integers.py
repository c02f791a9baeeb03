"""Whole numbers in compiled code: uint64 that stays what it is, and Python's bit methods."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .lowlevel import compiler_lock, intrinsic, ir, signature, types


def _weak(a: Any, b: Any) -> tuple[Any, Any]:
    """uint64 with any other integer is uint64, as in NumPy with Python's ints."""
    whole = (types.Integer, types.Boolean)
    if types.uint64 in (a, b) and isinstance(a, whole) and isinstance(b, whole):
        return types.uint64, types.uint64
    return a, b


def _binary(op: Callable[..., Any]) -> Any:
    def apply(typingctx: Any, a: Any, b: Any) -> Any:
        function = typingctx.resolve_value_type(op)
        chosen = function.get_call_type(
            typingctx, _weak(types.unliteral(a), types.unliteral(b)), {}
        )
        if chosen is None:
            return None

        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            cast = [
                context.cast(builder, v, here, there)
                for v, here, there in zip(args, sig.args, chosen.args, strict=True)
            ]
            return context.get_function(function, chosen)(builder, cast)

        return signature(chosen.return_type, a, b), code

    return intrinsic(apply)


add, sub, mul = _binary(operator.add), _binary(operator.sub), _binary(operator.mul)
floordiv, mod = _binary(operator.floordiv), _binary(operator.mod)
and_, or_, xor = _binary(operator.and_), _binary(operator.or_), _binary(operator.xor)
shift_left, shift_right = _binary(operator.lshift), _binary(operator.rshift)  # by 0 to 63


@contextmanager
def unsigned_wins() -> Iterator[None]:
    """While compiling, a variable that is int64 here and uint64 there is uint64, not float64."""
    usual = types.Integer.unify

    def unify(self: Any, context: Any, other: Any) -> Any:
        if types.uint64 in (self, other) and isinstance(other, types.Integer):
            return types.uint64
        return usual(self, context, other)

    with compiler_lock:  # nobody else compiles meanwhile
        types.Integer.unify = unify
        try:
            yield
        finally:
            del types.Integer.unify


def _bits(name: str) -> Any:
    """Ones in x (`ctpop`) or the index of its highest one plus 1 (`ctlz`), of its magnitude."""

    def count(typingctx: Any, x: Any) -> Any:
        if not isinstance(x, (types.Integer, types.Boolean)):
            return None
        kind = types.uint64 if x == types.uint64 else types.int64

        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            word = ir.IntType(64)
            value = args[0]
            if kind == types.int64:  # Python counts the bits of |x|
                negative = builder.icmp_signed("<", value, word(0))
                value = builder.select(negative, builder.neg(value), value)
            if name == "ctpop":
                return builder.ctpop(value)
            return builder.sub(word(64), builder.ctlz(value, ir.IntType(1)(0)))

        return signature(types.int64, kind), code

    return intrinsic(count)


popcount, bit_length = _bits("ctpop"), _bits("ctlz")
