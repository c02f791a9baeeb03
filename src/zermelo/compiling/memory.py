"""States and actions in memory, seen from compiled code."""

from __future__ import annotations

import operator
from typing import Any

from .lowlevel import FLAG, MEMORY, ODDS, OUT, intrinsic, ir, signature, types

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
                        got = get(
                            builder, (item, context.cast(builder, at, types.intp, chosen.args[1]))
                        )
                        values.append(turn(chosen.return_type, got, inner))
                        context.nrt.decref(builder, chosen.return_type, got)
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
