"""Boards side by side: several sets of up to 64 places each, held in one vector and worked on at once.

A kernel that is written for one board, a whole number, takes boards as well: `|`, `&`, `<<`, `>>`, `+` and `-` do the same to
each of them (a number on the other side belongs to each), and `==` asks whether all are the same. So a rule stands once, and four
colours cost little more than one (master_architect's `steps`: 50 -> 20 ns).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.extending import intrinsic, lower_builtin, register_model, type_callable

from .fingerprint import fingerprint
from .vector_code import every

__all__ = ["Boards", "boards_of", "write_bytes_of", "write_holding"]


class Boards(types.Type):
    """The type of so many boards.

    code   by which operators work on them. A kernel that uses operators names none of it, but what it was compiled to is kept under
           the types of its arguments
    """

    def __init__(self, count: int, code: str) -> None:
        self.count = count
        super().__init__(f"Boards({count}, {code})")


@register_model(Boards)
class _BoardsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Boards) -> None:
        super().__init__(manager, kind, ir.VectorType(ir.IntType(64), kind.count))


def _each(context: Any, builder: Any, kind: types.Type, value: Any, count: int) -> Any:
    """Boards as they are; a number as many times as there are boards."""
    if isinstance(kind, Boards):
        return value
    return every(builder, context.cast(builder, value, kind, types.int64), count)


def _let_boards_take(symbol: Any, make: Callable[[Any, Any, Any], Any]) -> None:
    """An operator, as the code that make(builder, left, right) makes."""

    def typer(context):
        def typed(left, right):
            kinds = [kind for kind in (left, right) if isinstance(kind, Boards)]
            if kinds and all(kind == kinds[0] or isinstance(kind, types.Integer) for kind in (left, right)):
                return types.boolean if symbol is operator.eq else kinds[0]
            return None

        return typed

    def lower(context, builder, signature, args):
        count = next(kind.count for kind in signature.args if isinstance(kind, Boards))
        left, right = (_each(context, builder, kind, arg, count) for kind, arg in zip(signature.args, args, strict=True))
        return make(builder, left, right)

    type_callable(symbol)(typer)
    for kinds in ((Boards, Boards), (Boards, types.Integer), (types.Integer, Boards)):
        lower_builtin(symbol, *kinds)(lower)


def _all_equal(builder: Any, left: Any, right: Any) -> Any:
    bits = ir.IntType(left.type.count)
    return builder.icmp_unsigned("==", builder.bitcast(builder.icmp_unsigned("==", left, right), bits), ir.Constant(bits, -1))


OPERATORS: tuple[tuple[Any, Callable], ...] = (
    (operator.or_, lambda builder, left, right: builder.or_(left, right)),
    (operator.and_, lambda builder, left, right: builder.and_(left, right)),
    (operator.add, lambda builder, left, right: builder.add(left, right)),
    (operator.sub, lambda builder, left, right: builder.sub(left, right)),
    (operator.lshift, lambda builder, left, right: builder.shl(left, right)),
    (operator.rshift, lambda builder, left, right: builder.lshr(left, right)),
    (operator.eq, _all_equal),
)
for symbol, make in OPERATORS:
    _let_boards_take(symbol, make)
CODE = "_".join(fingerprint(function)[:8] for function in (_let_boards_take, *(make for _, make in OPERATORS)))


@intrinsic(prefer_literal=True)
def boards_of(typing_context, row, count):
    """The boards of a row of int64, of which there are `count`, a constant."""
    if not (isinstance(row, types.Array) and row.ndim == 1 and row.layout == "C" and row.dtype == types.int64):
        raise TypingError(f"boards are taken of a contiguous row of int64, not of {row}")
    kind = Boards(count.literal_value, CODE)

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load(builder.bitcast(data, context.get_value_type(kind).as_pointer()), align=8)

    return kind(row, count), codegen


@intrinsic(prefer_literal=True)
def write_bytes_of(typing_context, boards, share, out, each):
    """The lowest `each` bytes of every board, one after the other, times `share`; `each` is a constant."""
    length = each.literal_value

    def codegen(context, builder, signature, args):
        count = boards.count
        all_bytes = builder.bitcast(args[0], ir.VectorType(ir.IntType(8), 8 * count))
        places = [8 * board + place for board in range(count) for place in range(length)]
        chosen = builder.shuffle_vector(all_bytes, all_bytes, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places))
        numbers = builder.uitofp(chosen, ir.VectorType(ir.FloatType(), len(places)))
        data = context.make_array(signature.args[2])(context, builder, args[2]).data
        target, shares = builder.bitcast(data, numbers.type.as_pointer()), every(builder, args[1], len(places))
        builder.store(builder.fmul(numbers, shares), target, align=4)
        return context.get_dummy_value()

    return types.void(boards, types.float32, out, each), codegen


@intrinsic(prefer_literal=True)
def write_holding(typing_context, boards, cells, share, out, size):
    """How many boards of a tuple hold each cell of a row of `size`, a constant, times `share`. A cell is a board with one place."""
    length = size.literal_value

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        words = ir.VectorType(ir.IntType(64), length)
        wanted = builder.load(builder.bitcast(data, words.as_pointer()), align=8)
        nothing = ir.Constant(ir.VectorType(ir.FloatType(), length), None)
        shares, total = every(builder, args[2], length), nothing
        for board in cgutils.unpack_tuple(builder, args[0]):
            held = builder.icmp_unsigned("!=", builder.and_(every(builder, board, length), wanted), ir.Constant(words, None))
            total = builder.fadd(total, builder.select(held, shares, nothing))
        target = context.make_array(signature.args[3])(context, builder, args[3]).data
        builder.store(total, builder.bitcast(target, total.type.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(boards, cells, types.float32, out, size), codegen
