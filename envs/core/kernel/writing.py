"""Writing rows of numbers: what every observation is made of.

The rules of speed live here so that a game's observation room need not know them. Indices are unsigned, because numba makes every
signed one check for a negative value, and that forbids vector instructions. There are no branches, because whether a place is
empty is as good as random between the lanes of a batch, and a wrong guess costs more than the work it saves: an empty place (-1 or
255) is, as an unsigned byte, larger than every value. Each writer fills the whole row it is given, zeros included.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from .jit import inlined
from .vector_code import align_of, constant_size, every, read_vector, vector_at

__all__ = [
    "EIGHT",
    "add_scaled",
    "copied",
    "hot",
    "keep",
    "members_of",
    "move",
    "part",
    "put_bytes",
    "put_row",
    "something",
    "spread",
    "write_bits",
    "write_bytes_scaled",
    "write_counts",
    "write_equal",
    "write_graded",
    "write_halves",
    "write_one_hot",
    "write_row",
    "write_scaled",
    "write_seat",
    "write_seat_at_once",
    "write_shares",
    "write_turned",
    "write_whole",
    "write_zeros",
]


@intrinsic
def part(typing_context, out, start, size):
    """out[start : start + size] as it is. Not checked: `start` comes from a declaration."""
    if not (isinstance(out, types.Array) and out.ndim == 1 and out.layout == "C"):
        raise TypingError(f"a part can be taken of a C-contiguous row, not of {out}")

    def codegen(context, builder, signature, args):
        source = context.make_array(signature.args[0])(context, builder, args[0])
        target = context.make_array(signature.return_type)(context, builder)
        context.populate_array(
            target,
            data=builder.gep(source.data, [args[1]]),
            shape=[args[2]],
            strides=[builder.extract_value(source.strides, 0)],
            itemsize=source.itemsize,
            meminfo=cgutils.get_null_value(target.meminfo.type),
            parent=cgutils.get_null_value(target.parent.type),
        )
        return target._getvalue()

    return out(out, types.int64, types.int64), codegen


@intrinsic(prefer_literal=True)
def move(typing_context, source, start, out, place, size):
    """out[place : place + size] = source[start : start + size] as one vector. `size` is a constant; not checked, as `part`."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        (line, _, target, _, _), align = signature.args, align_of(context, signature.args[0])
        read = builder.load(vector_at(context, builder, line, args[:2], length), align=align)
        builder.store(read, vector_at(context, builder, target, args[2:4], length), align=align)
        return context.get_dummy_value()

    if source.dtype != out.dtype:
        raise TypingError(f"numbers are moved between rows of one type, not from {source} to {out}")
    return types.void(source, types.int64, out, types.int64, size), codegen


@intrinsic(prefer_literal=True)
def spread(typing_context, number, out, place, size):
    """out[place : place + size] = number as one vector; the number is of the row's type."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        _, line, _, _ = signature.args
        numbers = every(builder, args[0], length)
        builder.store(numbers, vector_at(context, builder, line, args[1:3], length), align=align_of(context, line))
        return context.get_dummy_value()

    return types.void(out.dtype, out, types.int64, size), codegen


@intrinsic(prefer_literal=True)
def something(typing_context, row, place, size):
    """Whether any of row[place : place + size] is not 0; `size` is a constant."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        line, bits = signature.args[0], ir.IntType(length)
        read = builder.load(vector_at(context, builder, line, args[:2], length), align=align_of(context, line))
        nothing = ir.Constant(read.type, None)
        different = builder.fcmp_unordered if isinstance(line.dtype, types.Float) else builder.icmp_unsigned
        return builder.icmp_unsigned("!=", builder.bitcast(different("!=", read, nothing), bits), ir.Constant(bits, 0))

    return types.boolean(row, types.int64, size), codegen


@intrinsic(prefer_literal=True)
def keep(typing_context, there, out, place, size):
    """out[place : place + size] stays, or becomes 0 where nothing is `there`; `size` is a constant."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        line = signature.args[1]
        align, numbers = align_of(context, line), vector_at(context, builder, line, args[1:3], length)
        read = builder.load(numbers, align=align)
        builder.store(builder.select(args[0], read, ir.Constant(read.type, None)), numbers, align=align)
        return context.get_dummy_value()

    return types.void(types.boolean, out, types.int64, size), codegen


@inlined
def write_whole(numbers, units, out):
    """Numbers times their units, which makes them whole, as bytes."""
    for i in range(np.uint64(len(out))):
        out[i] = np.uint8(np.int32(numbers[i] * units[i] + np.float32(0.5)))


@inlined
def write_halves(numbers, out):
    """Numbers within -1 and 1 as halves, of which `out` holds the bits."""
    whole = np.uint64(len(out) // 16)
    for k in range(whole):
        halve(numbers, 16 * k, out, 16 * k, 16)
    for i in range(16 * whole, np.uint64(len(out))):
        halve(numbers, i, out, i, 1)


@intrinsic(prefer_literal=True)
def halve(typing_context, numbers, start, out, place, size):
    """out[place : place + size] = the bits of numbers[start : start + size] as halves, rounded to the nearest, ties to even."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        (line, _, target, _, _) = signature.args
        read = builder.load(vector_at(context, builder, line, args[:2], length), align=4)
        short = ir.VectorType(ir.IntType(16), length)
        if "+f16c" in context.codegen().magic_tuple()[2]:
            bits = builder.bitcast(builder.fptrunc(read, ir.VectorType(ir.HalfType(), length)), short)
        else:
            bits = builder.trunc(_half_bits(builder, read, length), short)
        builder.store(bits, vector_at(context, builder, target, args[2:4], length), align=2)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, out, types.int64, size), codegen


def _half_bits(builder: Any, numbers: Any, length: int) -> Any:
    """For machines without an instruction for it: cut the fraction, rounding; below 2**-14 the sum with 1/2 does the rounding."""
    kind, real = ir.VectorType(ir.IntType(32), length), numbers.type

    def every(number: int) -> Any:
        return ir.Constant(kind, [number] * length)

    bits = builder.bitcast(numbers, kind)
    sign = builder.and_(builder.lshr(bits, every(16)), every(0x8000))
    size = builder.and_(bits, every(0x7FFFFFFF))
    even = builder.and_(builder.lshr(size, every(13)), every(1))
    rounded = builder.lshr(builder.add(builder.add(size, every(0xFFF)), even), every(13))
    normal = builder.sub(rounded, every(112 << 10))
    half = ir.Constant(real, [0.5] * length)
    small = builder.sub(builder.bitcast(builder.fadd(builder.bitcast(size, real), half), kind), every(0x3F000000))
    tiny = builder.icmp_unsigned("<", size, every(0x38800000))
    return builder.or_(sign, builder.select(tiny, small, normal))


@inlined
def write_zeros(out):
    for i in range(np.uint64(len(out))):
        out[i] = 0


@inlined
def write_counts(counts, share, out):
    """Each count times `share`."""
    for i in range(np.uint64(len(out))):
        out[i] = np.float32(counts[i]) * np.float32(share)


# --- Rows in pieces ---------------------------------------------------------------------------------------------------------------
# A loop over a row of 20 numbers becomes two stores of sixteen that overlap, and a store onto one that is still on its way waits:
# 2.3 ns where sixteen and four take 1.5 (Zen 4, batch of 1024; pyramids' observation 19 % cheaper, giza's 10 %). So rows are cut
# into eights, and only a rest that is no power of two overlaps. Zeros and ones are made of a comparison, with no table and
# no row that is cleared first.
#
# What knows how long a row is when it is compiled (the flat observation) calls the pieces themselves; `in_pieces` makes kernels of
# them for rows whose length becomes a constant only once all is inlined, which takes longer to compile.

EIGHT = 8


def _cut(size: int) -> list[tuple[int, int]]:
    """The pieces of a row: where they begin and how long they are. The last may overlap the one before."""
    rest = size % EIGHT
    whole = [(start, EIGHT) for start in range(0, size - rest, EIGHT)]
    if size > EIGHT and (rest == 3 or rest > 4):
        return [*whole, (size - EIGHT, EIGHT)]
    return whole + [(size - rest % (2 * length), length) for length in (4, 2, 1) if rest & length]


def in_pieces(piece: Any) -> Any:
    """The kernel write(what, out): the whole row, by calls of piece(what, out, place, size), cut as `_cut` does."""

    @inlined
    def write(what, out):
        size = len(out)
        rest = size % EIGHT
        for k in range(size // EIGHT):
            piece(what, out, EIGHT * k, 8)
        if size > EIGHT and (rest == 3 or rest > 4):
            piece(what, out, size - EIGHT, 8)
        else:
            if rest & 4:
                piece(what, out, size - rest, 4)
            if rest & 2:
                piece(what, out, size - rest % 4, 2)
            if rest & 1:
                piece(what, out, size - 1, 1)

    return write


def _ones(context: Any, builder: Any, line: types.Array, chosen: Any) -> Any:
    """1 where a bit is set, 0 elsewhere."""
    kind = ir.VectorType(context.get_data_type(line.dtype), chosen.type.count)
    return builder.select(chosen, ir.Constant(kind, [1.0] * kind.count), ir.Constant(kind, None))


def _writes(make: Any) -> Any:
    """The code of an intrinsic (what, out, place, size): make(context, builder, signature, args, place, length) for every piece."""

    def codegen(context, builder, signature, args):
        line = signature.args[1]
        for start, length in _cut(constant_size(signature.args[3])):
            place = builder.add(args[2], ir.IntType(64)(start))
            numbers = make(context, builder, signature, args, place, length)
            builder.store(numbers, vector_at(context, builder, line, (args[1], place), length), align=align_of(context, line))
        return context.get_dummy_value()

    return codegen


@intrinsic(prefer_literal=True)
def copied(typing_context, source, out, place, size):
    """out[place : place + size] = source[place : place + size]; `size` is a constant here and in those that follow."""

    def make(context, builder, signature, args, place, length):
        return read_vector(context, builder, signature.args[0], args[0], place, length)

    constant_size(size)
    return types.void(source, out, types.int64, size), _writes(make)


@intrinsic(prefer_literal=True)
def hot(typing_context, value, out, place, size):
    """1 at out[value], if that is within out[place : place + size], where all else becomes 0."""

    def make(context, builder, signature, args, place, length):
        here = builder.trunc(builder.sub(args[0], place), ir.IntType(32))
        places = ir.Constant(ir.VectorType(ir.IntType(32), length), list(range(length)))
        chosen = builder.icmp_unsigned("==", every(builder, here, length), places)
        return _ones(context, builder, signature.args[1], chosen)

    constant_size(size)
    return types.void(types.uint64, out, types.int64, size), _writes(make)


@intrinsic(prefer_literal=True)
def members_of(typing_context, word, out, place, size):
    """out[place : place + size] = the bits of a word from `place` on."""

    def make(context, builder, signature, args, place, length):
        byte = builder.trunc(builder.lshr(args[0], place), ir.IntType(8))
        bits = builder.bitcast(byte, ir.VectorType(ir.IntType(1), 8))
        first = builder.shuffle_vector(bits, bits, ir.Constant(ir.VectorType(ir.IntType(32), length), list(range(length))))
        return _ones(context, builder, signature.args[1], first)

    constant_size(size)
    return types.void(types.uint64, out, types.int64, size), _writes(make)


@intrinsic(prefer_literal=True)
def put_row(typing_context, table, index, out, size):
    """As `write_row`, for a row whose length is a constant: nothing is left for the compiler to find out.

    `write_row` and the others take as long when they run, but each compiles some 0.1 s.
    """
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        kind, _, line, _ = signature.args
        source = context.make_array(kind)(context, builder, args[0])
        if context.enable_boundscheck:
            cgutils.do_boundscheck(context, builder, args[1], builder.extract_value(source.shape, 0), 0)
        first = builder.mul(args[1], builder.extract_value(source.shape, 1))
        for start, piece in _cut(length):
            here = builder.gep(source.data, [builder.add(first, ir.IntType(64)(start))])
            numbers = ir.VectorType(context.get_data_type(kind.dtype), piece).as_pointer()
            read = builder.load(builder.bitcast(here, numbers), align=align_of(context, kind))
            place = ir.IntType(64)(start)
            builder.store(read, vector_at(context, builder, line, (args[2], place), piece), align=align_of(context, line))
        return context.get_dummy_value()

    if not (isinstance(table, types.Array) and table.ndim == 2 and table.layout == "C"):
        raise TypingError(f"a row can be taken of a C-contiguous matrix, not of {table}")
    return types.void(table, types.int64, out, size), codegen


write_copy, write_hot, write_members = in_pieces(copied), in_pieces(hot), in_pieces(members_of)


@inlined
def write_row(table, index, out):
    """A row of a table as wide as `out`."""
    chosen = np.uint64(index)
    table[chosen, np.uint64(0)]  # checked if bounds are checked; otherwise nothing is left of it
    write_copy(table[chosen], out)


@inlined
def write_one_hot(value, out):
    write_hot(np.uint64(np.uint8(value)), out)


@inlined
def write_seat(seat, me, out):
    """A seat one-hot, counted from `me`; `out` has a number for every seat at the table."""
    turned = turned_seat(seat, me, len(out))
    for i in range(np.uint64(len(out))):
        out[i] = np.float32(i == turned)


@inlined
def write_seat_at_once(seat, me, n, out):
    """As `write_seat` at a table of n, but eight numbers are written: for a place where something else is written after the seats.

    How many seats there are is known only when it runs, so clearing them would be a call, and cutting them a handful of branches
    (cheops' observation 62 -> 54 ns, some of it by `_ones`).
    """
    hot(turned_seat(seat, me, n), out, 0, 8)


@inlined
def turned_seat(seat, me, n):
    """Counted from `me`; an empty one is as far away as no seat."""
    seats, first, chosen = np.uint64(n), np.uint64(me), np.uint64(np.uint8(seat))
    turned = chosen - first if chosen >= first else chosen + seats - first
    return turned if chosen < seats else np.uint64(255)


@inlined
def write_bits(members, out):
    """A set as one number per member."""
    write_members(np.uint64(members), out)


# --- Whole rows of counts at once -----------------------------------------------------------------------------------------------


def _check_counts(counts: types.Type) -> None:
    if not (
        isinstance(counts, types.Array) and counts.ndim == 1 and counts.layout == "C" and isinstance(counts.dtype, types.Integer)
    ):
        raise TypingError(f"counts must be a contiguous row of integers, not {counts}")


def _whole_row(context: Any, builder: Any, line: types.Array, array: Any, length: int) -> Any:
    """The address of a whole row, as one vector."""
    return vector_at(context, builder, line, (array, context.get_constant(types.intp, 0)), length)


def _scaled(context: Any, builder: Any, signature: Any, args: Any, length: int) -> Any:
    """Counts times their share, as one vector."""
    line, real = signature.args[0], ir.VectorType(ir.FloatType(), length)
    read = builder.load(_whole_row(context, builder, line, args[0], length), align=align_of(context, line))
    values = builder.sitofp(read, real) if line.dtype.signed else builder.uitofp(read, real)
    return builder.fmul(values, every(builder, args[1], length))


@intrinsic(prefer_literal=True)
def write_scaled(typing_context, counts, share, out, size):
    """As `write_counts`, for a row of counts that is `size` long, a constant: one vector instruction for eight or sixteen numbers.

    A loop would not become one, because the compiler cannot know that the two rows do not overlap.
    """
    _check_counts(counts)
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        numbers = _scaled(context, builder, signature, args, length)
        builder.store(numbers, _whole_row(context, builder, signature.args[2], args[2], length), align=4)
        return context.get_dummy_value()

    return types.void(counts, types.float32, out, size), codegen


@intrinsic(prefer_literal=True)
def write_turned(typing_context, counts, turn, share, out, size):
    """As `write_scaled` for a row of at most eight bytes, turned: out[i] = counts[(i + turn) % size] * share.

    The row is turned as one word (cheops' dice, by the colours of the own sheet: 3 % of its batch rows).
    """
    _check_counts(counts)
    length = constant_size(size)
    if counts.dtype.bitwidth != 8 or length > EIGHT:
        raise TypingError(f"a row of at most eight bytes can be turned, not {length} of {counts}")

    def codegen(context, builder, signature, args):
        line, bits = signature.args[0], ir.IntType(8 * length)
        twice = ir.IntType(128)  # the row and the row again: from any place on it reads as turned
        address = _whole_row(context, builder, line, args[0], length)
        once = builder.zext(builder.bitcast(builder.load(address, align=1), bits), twice)
        both = builder.or_(once, builder.shl(once, twice(8 * length)))
        turned = builder.trunc(builder.lshr(both, builder.zext(builder.shl(args[1], args[1].type(3)), twice)), bits)
        row, real = builder.bitcast(turned, ir.VectorType(ir.IntType(8), length)), ir.VectorType(ir.FloatType(), length)
        values = builder.sitofp(row, real) if line.dtype.signed else builder.uitofp(row, real)
        numbers = builder.fmul(values, every(builder, args[2], length))
        builder.store(numbers, _whole_row(context, builder, signature.args[3], args[3], length), align=4)
        return context.get_dummy_value()

    return types.void(counts, types.int64, types.float32, out, size), codegen


@intrinsic(prefer_literal=True)
def write_bytes_scaled(typing_context, record, start, shares, out, size):
    """`size` bytes of a record from byte `start` on, each times its own share: several counts that lie side by side, at once.

    Both are constants. The bytes are signed if the field that begins there is.
    """
    length, first = constant_size(size), constant_size(start)
    signed = next(
        record.typeof(name).dtype if isinstance(record.typeof(name), types.NestedArray) else record.typeof(name)
        for name in record.fields
        if record.offset(name) == first
    ).signed

    def codegen(context, builder, signature, args):
        _, _, line, target, _ = signature.args
        at = builder.gep(builder.bitcast(args[0], ir.IntType(8).as_pointer()), [ir.IntType(64)(first)])
        for place, piece in _cut(length):
            bytes_of = ir.VectorType(ir.IntType(8), piece)
            here = builder.bitcast(builder.gep(at, [ir.IntType(64)(place)]), bytes_of.as_pointer())
            read, real = builder.load(here, align=1), ir.VectorType(ir.FloatType(), piece)
            values = builder.sitofp(read, real) if signed else builder.uitofp(read, real)
            share = read_vector(context, builder, line, args[2], ir.IntType(64)(place), piece)
            numbers = vector_at(context, builder, target, (args[3], ir.IntType(64)(place)), piece)
            builder.store(builder.fmul(values, share), numbers, align=4)
        return context.get_dummy_value()

    return types.void(record, start, shares, out, size), codegen


@intrinsic(prefer_literal=True)
def add_scaled(typing_context, counts, share, out, size):
    """As `write_scaled`, on top of what the row holds."""
    _check_counts(counts)
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        numbers, target = _scaled(context, builder, signature, args, length), signature.args[2]
        held = _whole_row(context, builder, target, args[2], length)
        builder.store(builder.fadd(builder.load(held, align=4), numbers), held, align=4)
        return context.get_dummy_value()

    return types.void(counts, types.float32, out, size), codegen


@intrinsic(prefer_literal=True)
def write_equal(typing_context, values, value, out, size):
    """1 where a row of integers, `size` long, has that value; a vector for the same reason as `write_scaled`."""
    _check_counts(values)
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        line, _, target, _ = signature.args
        read = builder.load(_whole_row(context, builder, line, args[0], length), align=align_of(context, line))
        wanted = every(builder, context.cast(builder, args[1], types.int64, line.dtype), length)
        ones = _ones(context, builder, target, builder.icmp_unsigned("==", read, wanted))
        builder.store(ones, _whole_row(context, builder, target, args[2], length), align=4)
        return context.get_dummy_value()

    return types.void(values, types.int64, out, size), codegen


@intrinsic(prefer_literal=True)
def write_graded(typing_context, values, out, size, columns, grades):
    """A row of `size` choices as a place and a grade each: choice v is (v % grades + 1) / grades at place v // grades of `columns`.

    All three are constants, and a choice is a byte, an empty one larger than all others. It is computed, not looked up: sixteen
    numbers take eight instructions, where four rows of a table take twenty-eight (master_architect's small stones: 44 -> 16 ns).
    """
    _check_counts(values)
    length, width, most = constant_size(size), constant_size(columns), constant_size(grades)
    byte, lanes = ir.IntType(8), length * width

    def codegen(context, builder, signature, args):
        line, target = signature.args[:2]
        read = builder.load(_whole_row(context, builder, line, args[0], length), align=1)
        each = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [lane // width for lane in range(lanes)])
        below = ir.Constant(ir.VectorType(byte, lanes), [(most * (lane % width) - 1) & 255 for lane in range(lanes)])
        grade = builder.sub(builder.shuffle_vector(read, read, each), below)  # 1 to `grades` at its place
        from_nothing = builder.sub(grade, ir.Constant(below.type, [1] * lanes))
        there = builder.icmp_unsigned("<", from_nothing, ir.Constant(below.type, [most] * lanes))
        grade = builder.select(there, grade, ir.Constant(below.type, None))
        numbers = builder.uitofp(grade, ir.VectorType(ir.FloatType(), lanes))
        shares = ir.Constant(numbers.type, [float(np.float32(1 / most))] * lanes)
        builder.store(builder.fmul(numbers, shares), _whole_row(context, builder, target, args[1], lanes), align=4)
        return context.get_dummy_value()

    if values.dtype.bitwidth != 8:
        raise TypingError(f"choices are bytes, not {values}")
    return types.void(values, out, size, columns, grades), codegen


@intrinsic(prefer_literal=True)
def write_shares(typing_context, counts, shares, out, size):
    """As `write_scaled`, but each count has a share of its own."""
    _check_counts(counts)
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        line = signature.args[0]
        for start, piece in _cut(length):
            place, real = ir.IntType(64)(start), ir.VectorType(ir.FloatType(), piece)
            read = read_vector(context, builder, line, args[0], place, piece)
            values = builder.sitofp(read, real) if line.dtype.signed else builder.uitofp(read, real)
            share = read_vector(context, builder, signature.args[1], args[1], place, piece)
            numbers = vector_at(context, builder, signature.args[2], (args[2], place), piece)
            builder.store(builder.fmul(values, share), numbers, align=4)
        return context.get_dummy_value()

    return types.void(counts, shares, out, size), codegen


@intrinsic(prefer_literal=True)
def stack_row(typing_context, size, dtype):
    """A row of numbers that lives on the stack of the kernel that calls this: no allocation. `size` must be a constant."""
    if not isinstance(size, types.IntegerLiteral):
        raise TypingError("the size of a stack row must be a constant")
    length, line = size.literal_value, types.Array(dtype.dtype, 1, "C")

    def codegen(context, builder, signature, args):
        item = context.get_data_type(line.dtype)
        width = context.get_constant(types.intp, context.get_abi_sizeof(item))
        memory = cgutils.alloca_once(builder, ir.ArrayType(item, length))
        target = context.make_array(line)(context, builder)
        context.populate_array(
            target,
            data=builder.bitcast(memory, item.as_pointer()),
            shape=[context.get_constant(types.intp, length)],
            strides=[width],
            itemsize=width,
            meminfo=cgutils.get_null_value(target.meminfo.type),
            parent=cgutils.get_null_value(target.parent.type),
        )
        return target._getvalue()

    return line(size, dtype), codegen


@intrinsic(prefer_literal=True)
def put_bytes(typing_context, word, share, out, place, size):
    """The lowest bytes of a word, each times `share`, into out[place : place + size]; `size` is a constant. Not checked, as `part`.

    As bytes in a row that is scaled as a whole they would have to be waited for (pyramidice's observation 3 % slower).
    """
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        real = ir.VectorType(ir.FloatType(), length)
        row = builder.bitcast(builder.trunc(args[0], ir.IntType(8 * length)), ir.VectorType(ir.IntType(8), length))
        numbers = builder.fmul(builder.uitofp(row, real), every(builder, args[1], length))
        builder.store(numbers, vector_at(context, builder, signature.args[2], args[2:4], length), align=4)
        return context.get_dummy_value()

    return types.void(types.uint64, types.float32, out, types.int64, size), codegen


@intrinsic
def stack_copy(typing_context, record):
    """A copy of a record that lives on the stack of the kernel that calls this: to try things on."""
    if not isinstance(record, types.Record):
        raise TypingError(f"a copy can be made of a record, not of {record}")

    def codegen(context, builder, signature, args):
        kind = context.get_value_type(signature.return_type)
        memory = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), -(-record.size // 8)))  # aligned like the record
        target = builder.bitcast(memory, kind)
        cgutils.raw_memcpy(builder, target, args[0], context.get_constant(types.intp, record.size), 1)
        return target

    return record(record), codegen
