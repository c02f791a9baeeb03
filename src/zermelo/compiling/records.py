"""NumPy records in compiled code, and room for the copies that rules make of them."""

from __future__ import annotations

from typing import Any

from .lowlevel import MEMORY, cgutils, intrinsic, ir, provide, signature, types


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
                block = context.nrt.allocate(builder, word(size + 8))
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
        context.nrt.free(builder, pointer)
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


provide(copy, _copy)
