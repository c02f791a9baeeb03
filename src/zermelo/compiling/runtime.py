"""What generated rules call: memory access, and Python built-ins that Numba lacks.

Only generated modules and :func:`zermelo.compile` import this file, so that Numba is imported where
it is used.
"""

from __future__ import annotations

from typing import Any

from .arithmetic import finite, lshift, power, rshift
from .integers import (
    add,
    and_,
    bit_length,
    floordiv,
    mod,
    mul,
    or_,
    popcount,
    sub,
    unsigned_wins,
    xor,
)
from .lowlevel import (
    FLAG,
    INNER,
    MEMORY,
    ODDS,
    OPTIONS,
    OUT,
    cgutils,
    intrinsic,
    ir,
    numba,
    provide,
    signature,
    types,
)
from .memory import caster, loader, putter, storer
from .records import arena, copy, record_at, record_to, release

__all__ = [
    "FLAG",
    "MEMORY",
    "ODDS",
    "OUT",
    "add",
    "all_",
    "and_",
    "any_",
    "arena",
    "as_tuple",
    "backwards",
    "bit_length",
    "caster",
    "contains",
    "copy",
    "count",
    "entry",
    "finite",
    "floordiv",
    "helper",
    "joined",
    "larger",
    "loader",
    "lshift",
    "mod",
    "mul",
    "or_",
    "popcount",
    "power",
    "putter",
    "quotient",
    "record_at",
    "record_to",
    "release",
    "replaced",
    "rshift",
    "sliceable",
    "smaller",
    "storer",
    "sub",
    "tally",
    "types",
    "unsigned_wins",
    "xor",
]


def helper(**more: Any) -> Any:
    """The decorator of a function that only other compiled functions call."""
    return numba.njit(**INNER, **more)


def entry(result: Any, *arguments: Any) -> Any:
    """The decorator of a function that C code calls; its machine code is cached on disk."""
    return numba.cfunc(result(*arguments), cache=True, **OPTIONS)


# -- tuples ------------------------------------------------------------------------------------
def _as_tuple(typingctx: Any, values: Any) -> Any:
    """``tuple(values)``: a list replaces a tuple whose length is known only at run time."""
    if not isinstance(values, (types.BaseTuple, types.List, types.Array)):
        return None

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        context.nrt.incref(builder, values, args[0])
        return args[0]

    return signature(values, values), code


as_tuple = intrinsic(_as_tuple)


def _in_memory(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    place = cgutils.alloca_once(builder, context.get_value_type(kind))
    builder.store(value, place)
    return place


def _checked(context: Any, builder: Any, index: Any, count: int) -> Any:
    """`index` counted from the front; IndexError outside."""
    word = ir.IntType(64)
    negative = builder.icmp_signed("<", index, word(0))
    index = builder.select(negative, builder.add(index, word(count)), index)
    with builder.if_then(builder.icmp_unsigned(">=", index, word(count)), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("tuple index out of range",))
    return index


def _tuple_with(typingctx: Any, values: Any, index: Any, item: Any) -> Any:
    if not isinstance(values, types.UniTuple):
        return None

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _in_memory(context, builder, values, args[0])
        i = _checked(context, builder, args[1], values.count)
        builder.store(args[2], builder.gep(place, [ir.IntType(64)(0), i]))
        return builder.load(place)

    return signature(values, values, types.intp, values.dtype), code


tuple_with = intrinsic(_tuple_with)


def _changed(values: Any, index: Any, item: Any) -> Any:
    changed = list(values)
    changed[index] = item
    return changed


_list_with = numba.njit(**INNER)(_changed)


def replaced(values: Any, index: Any, item: Any) -> Any:
    """``values[:index] + (item,) + values[index + 1:]``."""
    return values[:index] + type(values)([item]) + values[index + 1 :]


def _replaced(values: Any, index: Any, item: Any) -> Any:
    if isinstance(values, types.UniTuple):
        return lambda values, index, item: tuple_with(values, index, item)

    return lambda values, index, item: _list_with(values, index, item)


provide(replaced, _replaced)


def sliceable(values: Any) -> Any:
    """`values`, as a list if it is a tuple: a part of a tuple has no fixed length."""
    return values


def _sliceable(values: Any) -> Any:
    if isinstance(values, types.BaseTuple):
        return lambda values: list(values)
    return lambda values: values


provide(sliceable, _sliceable)


def joined(a: Any, b: Any) -> Any:
    """``a + b`` of two tuples, either of which a list may stand in for."""
    return a + b


def _joined(a: Any, b: Any) -> Any:
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        return lambda a, b: a + b
    return lambda a, b: list(a) + list(b)


provide(joined, _joined)


# -- built-ins ---------------------------------------------------------------------------------
def _any(values: Any) -> bool:
    for value in values:  # noqa: SIM110 -- this is what any() becomes
        if value:
            return True
    return False


def _all(values: Any) -> bool:
    for value in values:  # noqa: SIM110
        if not value:
            return False
    return True


def _count(values: Any) -> int:
    n = 0
    for _ in values:
        n += 1
    return n


def _contains(values: Any, wanted: Any) -> bool:
    for value in values:  # noqa: SIM110
        if value == wanted:
            return True
    return False


def _tally(values: Any, wanted: Any) -> int:
    n = 0
    for value in values:
        if value == wanted:
            n += 1
    return n


def _smaller(a: Any, b: Any) -> Any:
    return b if b < a else a


def _larger(a: Any, b: Any) -> Any:
    return b if b > a else a


def _quotient(a: Any, b: Any) -> Any:
    return floordiv(a, b), mod(a, b)


any_, all_, count, contains, tally, smaller, larger, quotient = (
    numba.njit(**INNER)(f)
    for f in (_any, _all, _count, _contains, _tally, _smaller, _larger, _quotient)
)


def backwards(values: Any) -> Any:
    """``reversed(values)``."""
    return values[::-1]


def _backwards(values: Any) -> Any:
    if isinstance(values, types.RangeType):
        return lambda values: range(
            values.start + (len(values) - 1) * values.step, values.start - values.step, -values.step
        )
    return lambda values: values[::-1]


provide(backwards, _backwards)
