"""What generated rules call: memory access, and Python built-ins that Numba lacks.

Only generated modules import this file, so that Numba is imported where it is used.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typing import signature
from numba.extending import intrinsic, overload

# Indices of arrays are not checked and x // 0 is 0: what costs a test at every step is left out.
OPTIONS = {"boundscheck": False, "error_model": "numpy", "nogil": True}
# Nobody calls a helper from Python.
INNER = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

FLAG = types.CPointer(types.int32)
OUT = types.CPointer(types.uint32)
ODDS = types.CPointer(types.float64)
MEMORY = types.voidptr


def helper(**more: Any) -> Any:
    """The decorator of a function that only other compiled functions call."""
    return numba.njit(**INNER, **more)


def entry(result: Any, *arguments: Any) -> Any:
    """The decorator of a function that C code calls; its machine code is kept on disk."""
    return numba.cfunc(result(*arguments), cache=True, **OPTIONS)


def _provide(stub: Callable[..., Any], typer: Callable[..., Any]) -> None:
    """Let compiled code call `stub` as what `typer` returns for the types at hand."""
    typer.__annotations__.clear()  # Numba compares the signatures of the two, hints included
    overload(stub, jit_options=INNER)(typer)


# -- memory ---------------------------------------------------------------------------------
# A form is a letter (i, u, f, b: int64, uint64, float64, bool) or (class or None, [forms]).
Form = Any
NUMBERS = {"i": types.int64, "u": types.uint64, "f": types.float64, "b": types.boolean}


def _type_of(form: Form) -> Any:
    """Numba's type of a value of this form."""
    if isinstance(form, str):
        return NUMBERS[form]
    cls, items = form[0], [_type_of(item) for item in form[1]]
    even = len(set(items)) == 1
    if cls is None:
        return types.UniTuple(items[0], len(items)) if even else types.Tuple(items)
    return types.NamedUniTuple(items[0], len(items), cls) if even else types.NamedTuple(items, cls)


def _word(builder: Any, pointer: Any, letter: str, index: int) -> Any:
    kind = ir.DoubleType() if letter == "f" else ir.IntType(64)
    words = builder.bitcast(pointer, kind.as_pointer())
    return builder.gep(words, [ir.IntType(64)(index)])


def loader(form: Form) -> Any:
    """A function that reads a value of this form from memory, 8 bytes a number."""
    made = _type_of(form)

    def load(typingctx: Any, pointer: Any) -> Any:
        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            index = iter(range(1 << 30))

            def read(part: Form) -> Any:
                if not isinstance(part, str):
                    values = [read(item) for item in part[1]]
                    return context.make_tuple(builder, _type_of(part), values)
                value = builder.load(_word(builder, args[0], part, next(index)))
                return builder.icmp_unsigned("!=", value, value.type(0)) if part == "b" else value

            return read(form)

        return signature(made, MEMORY), code

    return intrinsic(load)


def storer(form: Form) -> Any:
    """A function that writes a value of this form to memory."""
    made = _type_of(form)

    def store(typingctx: Any, pointer: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            index = iter(range(1 << 30))

            def write(part: Form, item: Any) -> None:
                if not isinstance(part, str):
                    for i, inner in enumerate(part[1]):
                        write(inner, builder.extract_value(item, i))
                    return
                if part == "b":
                    item = builder.zext(item, ir.IntType(64))
                if part == "f":  # -0.0 would be another key than 0.0
                    item = builder.fadd(item, item.type(0.0))
                builder.store(item, _word(builder, args[0], part, next(index)))

            write(form, args[1])
            return context.get_dummy_value()

        return signature(types.void, MEMORY, made), code

    return intrinsic(store)


def caster(form: Form) -> Any:
    """A function that casts to this form; a list or an array may stand in for a tuple."""
    made = _type_of(form)

    def cast(typingctx: Any, value: Any) -> Any:
        getitem = typingctx.resolve_value_type(operator.getitem)

        def item_sig(kind: Any) -> Any:
            return getitem.get_call_type(typingctx, (kind, types.intp), {})

        if not _castable(value, form, item_sig):
            return None

        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            def turn(kind: Any, item: Any, part: Form) -> Any:
                if isinstance(part, str):
                    return context.cast(builder, item, kind, NUMBERS[part])
                values = []
                for i, inner in enumerate(part[1]):
                    if isinstance(kind, types.BaseTuple):
                        values.append(turn(kind[i], builder.extract_value(item, i), inner))
                    else:
                        chosen = item_sig(kind)
                        get = context.get_function(getitem, chosen)
                        at = context.get_constant(types.intp, i)
                        got = get(builder, (item, context.cast(builder, at, types.intp, chosen.args[1])))
                        values.append(turn(chosen.return_type, got, inner))
                return context.make_tuple(builder, _type_of(part), values)

            return turn(value, args[0], form)

        return signature(made, value), code

    return intrinsic(cast)


def _castable(kind: Any, form: Form, item_sig: Any) -> bool:
    if isinstance(form, str):
        return isinstance(kind, (types.Number, types.Boolean))
    if isinstance(kind, types.BaseTuple):
        pairs = zip(kind, form[1], strict=False)
        return len(kind) == len(form[1]) and all(_castable(k, f, item_sig) for k, f in pairs)
    if isinstance(kind, (types.List, types.Array)):
        return all(_castable(item_sig(kind).return_type, f, item_sig) for f in form[1])
    return False


def _flat(context: Any, builder: Any, kind: Any, value: Any) -> list[Any]:
    """The numbers of a (nested) tuple as int64."""
    if isinstance(kind, types.BaseTuple):
        made = []
        for i, inner in enumerate(kind):
            made += _flat(context, builder, inner, builder.extract_value(value, i))
        return made
    return [context.cast(builder, value, kind, types.int64)]


def _whole(kind: Any) -> int:
    """How many whole numbers a (nested) tuple holds; -1000 and less if anything else is inside."""
    if isinstance(kind, types.BaseTuple):
        return sum(_whole(k) for k in kind)
    return 1 if isinstance(kind, (types.Integer, types.Boolean)) else -1000


def putter(fields: int, bits: int, low: int, high: int, with_odds: bool = False) -> Any:
    """A function that writes one action as 32 bits if there is room, and counts it."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, half = ir.IntType(64), ir.IntType(32)
        out, n, capacity, flag, action = args[-5:]
        kind = sig.args[-1]
        with builder.if_then(builder.icmp_signed("<", n, capacity)):
            if with_odds:
                pair, chance = kind, builder.extract_value(action, 1)
                chance = context.cast(builder, chance, pair[1], types.float64)
                builder.store(chance, builder.gep(args[0], [n]))
                kind, action = pair[0], builder.extract_value(action, 0)
            packed = word(0)
            for i, x in enumerate(_flat(context, builder, kind, action)):
                outside = builder.or_(
                    builder.icmp_signed("<", x, word(low)), builder.icmp_signed(">", x, word(high))
                )
                with builder.if_then(outside, likely=False):
                    builder.store(half(MISFIT), flag)
                x = builder.shl(builder.and_(x, word((1 << bits) - 1)), word(i * bits))
                packed = builder.or_(packed, x)
            builder.store(builder.trunc(packed, half), builder.gep(out, [n]))
        return builder.add(n, word(1))

    def put(typingctx: Any, out: Any, n: Any, capacity: Any, flag: Any, action: Any) -> Any:
        if _whole(action) != fields:
            return None
        return signature(types.int64, OUT, types.int64, types.int64, FLAG, action), code

    def put_odds(
        typingctx: Any, odds: Any, out: Any, n: Any, capacity: Any, flag: Any, action: Any
    ) -> Any:
        if not isinstance(action, types.BaseTuple) or len(action) != 2:
            return None
        if _whole(action[0]) != fields or not isinstance(action[1], types.Number):
            return None
        return signature(types.int64, ODDS, OUT, types.int64, types.int64, FLAG, action), code

    return intrinsic(put_odds if with_odds else put)


MISFIT = 16  # the error flag of an action that has no code


def _record_at(typingctx: Any, pointer: Any, dtype: Any) -> Any:
    record = dtype.dtype

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(record))

    return signature(record, MEMORY, dtype), code


def _record_to(typingctx: Any, pointer: Any, record: Any) -> Any:
    if not isinstance(record, types.Record):
        return None

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        to = builder.bitcast(args[0], args[1].type)
        cgutils.raw_memcpy(builder, to, args[1], ir.IntType(64)(record.size), 1)
        return context.get_dummy_value()

    return signature(types.void, MEMORY, record), code


record_at, record_to = intrinsic(_record_at), intrinsic(_record_to)


# -- copies of records -------------------------------------------------------------------------
# A record is a pointer to Numba, so a copy needs room that outlives the function that makes it:
# a stretch of the entry function's stack, and the heap when that is full. The first words of the
# stretch are: bytes used, bytes there are, the last block from the heap (each links to the one
# before).
ROOM = 16384
_HEAD = 3


def _arena(typingctx: Any) -> Any:
    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        words = cgutils.alloca_once(builder, word, size=ROOM // 8 + _HEAD)
        for i, value in enumerate((0, ROOM, 0)):
            builder.store(word(value), builder.gep(words, [ir.IntType(32)(i)]))
        return builder.bitcast(words, ir.IntType(8).as_pointer())

    return signature(MEMORY), code


def _libc(builder: Any, name: str, result: Any, argument: Any) -> Any:
    kind = ir.FunctionType(result, [argument])
    return cgutils.get_or_insert_function(builder.module, kind, name)


def _copied(typingctx: Any, memory: Any, record: Any) -> Any:
    size = (record.size + 7) // 8 * 8

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, byte_pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        words = builder.bitcast(args[0], word.as_pointer())
        used = builder.load(words)
        place = cgutils.alloca_once(builder, byte_pointer)
        grown = builder.add(used, word(size))
        fits = builder.icmp_unsigned("<=", grown, builder.load(builder.gep(words, [word(1)])))
        with builder.if_else(fits, likely=True) as (here, there):
            with here:
                room = builder.gep(args[0], [builder.add(used, word(8 * _HEAD))])
                builder.store(room, place)
                builder.store(grown, words)
            with there:
                malloc = _libc(builder, "malloc", byte_pointer, word)
                block = builder.call(malloc, [word(size + 8)])
                last = builder.gep(words, [word(2)])
                builder.store(builder.load(last), builder.bitcast(block, word.as_pointer()))
                builder.store(builder.ptrtoint(block, word), last)
                builder.store(builder.gep(block, [word(8)]), place)
        to = builder.bitcast(builder.load(place), args[1].type)
        cgutils.raw_memcpy(builder, to, args[1], word(record.size), 1)
        return to

    return signature(record, memory, record), code


def _release(typingctx: Any, memory: Any) -> Any:
    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, byte_pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        words = builder.bitcast(args[0], word.as_pointer())
        last = builder.gep(words, [word(2)])
        free = _libc(builder, "free", ir.VoidType(), byte_pointer)
        test = builder.append_basic_block("blocks")
        body = builder.append_basic_block("free")
        done = builder.append_basic_block("freed")
        builder.branch(test)
        builder.position_at_end(test)
        block = builder.load(last)
        builder.cbranch(builder.icmp_unsigned("==", block, word(0)), done, body)
        builder.position_at_end(body)
        pointer = builder.inttoptr(block, byte_pointer)
        builder.store(builder.load(builder.bitcast(pointer, word.as_pointer())), last)
        builder.call(free, [pointer])
        builder.branch(test)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return signature(types.void, memory), code


arena, release, _copy_record = intrinsic(_arena), intrinsic(_release), intrinsic(_copied)


def copy(memory: Any, value: Any) -> Any:
    """``value.copy()`` of a record, an array or a list."""
    return value.copy()


def _copy(memory: Any, value: Any) -> Any:
    if isinstance(value, types.Record):
        return lambda memory, value: _copy_record(memory, value)
    return lambda memory, value: value.copy()


_provide(copy, _copy)


# -- whole numbers -----------------------------------------------------------------------------
def _weak(a: Any, b: Any) -> tuple[Any, Any]:
    """uint64 with any other integer is uint64, as in NumPy with Python's ints."""
    whole = (types.Integer, types.Boolean)
    if types.uint64 in (a, b) and isinstance(a, whole) and isinstance(b, whole):
        return types.uint64, types.uint64
    return a, b


def _binary(op: Callable[..., Any]) -> Any:
    def apply(typingctx: Any, a: Any, b: Any) -> Any:
        function = typingctx.resolve_value_type(op)
        chosen = function.get_call_type(typingctx, _weak(types.unliteral(a), types.unliteral(b)), {})
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
lshift, rshift = _binary(operator.lshift), _binary(operator.rshift)


@contextmanager
def unsigned_wins() -> Iterator[None]:
    """While compiling, a variable that is int64 here and uint64 there is uint64, not float64."""
    usual = types.Integer.unify

    def unify(self: Any, context: Any, other: Any) -> Any:
        if types.uint64 in (self, other) and isinstance(other, types.Integer):
            return types.uint64
        return usual(self, context, other)

    with global_compiler_lock:  # nobody else compiles meanwhile
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


# -- tuples ------------------------------------------------------------------------------------
def _as_tuple(typingctx: Any, values: Any) -> Any:
    """``tuple(values)``: a list stands in for a tuple whose length only the run tells."""
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


def _at(typingctx: Any, values: Any, index: Any) -> Any:
    if isinstance(values, types.UniTuple) and isinstance(index, types.Integer):

        def pick(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            place = _in_memory(context, builder, values, args[0])
            i = _checked(context, builder, args[1], values.count)
            item = builder.load(builder.gep(place, [ir.IntType(64)(0), i]))
            if context.enable_nrt:
                context.nrt.incref(builder, values.dtype, item)
            return item

        return signature(values.dtype, values, types.intp), pick
    function = typingctx.resolve_value_type(operator.getitem)
    chosen = function.get_call_type(typingctx, (values, index), {})
    if chosen is None:
        return None

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        cast = [
            context.cast(builder, v, here, there)
            for v, here, there in zip(args, sig.args, chosen.args, strict=True)
        ]
        return context.get_function(function, chosen)(builder, cast)

    return signature(chosen.return_type, values, index), code


at = intrinsic(_at)


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


_provide(replaced, _replaced)


def joined(a: Any, b: Any) -> Any:
    """``a + b`` of two tuples, either of which a list may stand in for."""
    return a + b


def _joined(a: Any, b: Any) -> Any:
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        return lambda a, b: a + b
    return lambda a, b: list(a) + list(b)


_provide(joined, _joined)


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


_provide(backwards, _backwards)


def mixed(value: Any) -> Any:
    """A 64-bit hash of a number or a tuple of numbers: an observation."""
    return hash(value)


def _mixed(value: Any) -> Any:
    if isinstance(value, (types.Integer, types.Boolean)):
        return lambda value: np.uint64(value)
    return lambda value: np.uint64(hash(value))


_provide(mixed, _mixed)
