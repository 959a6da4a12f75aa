"""The network that weighs moves, layer by layer: all its hidden units at once, in vectors.

LLVM does not find the vectors itself: as far as it knows units and weights may overlap, so it adds
one unit at a time, through memory. Here the units stay in registers until the last row is added.
Every sum has the same terms in the same order as in a plain loop, so that values are the same to
the last bit.
"""

import numpy as np

from tamaya.agents.wtfwthat.public_state import N_HIDDEN
from tamaya.compiled import JIT

if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    _LANES = ir.VectorType(ir.FloatType(), N_HIDDEN)

    def _vector_at(builder, place):
        """The address of a float as that of a vector."""
        return builder.bitcast(place, _LANES.as_pointer())

    def _arrays(context, builder, signature, arguments):
        """The arrays among some arguments, which are the first."""
        kinds = [kind for kind in signature.args if isinstance(kind, types.Array)]
        return [context.make_array(kind)(context, builder, value)
                for kind, value in zip(kinds, arguments, strict=False)]  # fmt: skip

    def _check(*arrays):
        """Raise unless all arrays are contiguous and of float32."""
        if any(array.dtype != types.float32 or array.layout != "C" for array in arrays):
            raise TypeError("a layer needs contiguous arrays of float32")

    @intrinsic
    def add_inputs(typing_context, units, before, rows, direct, inputs, value):
        """Fill units: those before, and each row times its input; returns what bypasses them.

        That is the value and each direct weight times its input.
        """

        def generate(context, builder, signature, arguments):
            arrays = _arrays(context, builder, signature, arguments)
            target, source, matrix, past, given = (array.data for array in arrays)
            start = builder.load(_vector_at(builder, source), align=4)
            total = cgutils.alloca_once_value(builder, start)
            bypass = cgutils.alloca_once_value(builder, arguments[5])
            n = cgutils.unpack_tuple(builder, arrays[4].shape)[0]
            with cgutils.for_range(builder, n) as loop:
                at = builder.mul(loop.index, loop.index.type(N_HIDDEN))
                row = builder.load(_vector_at(builder, builder.gep(matrix, [at])), align=4)
                given_now = builder.load(builder.gep(given, [loop.index]))
                one = builder.insert_element(
                    ir.Constant(_LANES, ir.Undefined), given_now, ir.IntType(32)(0)
                )
                first = ir.Constant(ir.VectorType(ir.IntType(32), N_HIDDEN), None)
                term = builder.fmul(row, builder.shuffle_vector(one, one, first))
                builder.store(builder.fadd(builder.load(total), term), total)
                weight = builder.load(builder.gep(past, [loop.index]))
                builder.store(
                    builder.fadd(builder.load(bypass), builder.fmul(weight, given_now)), bypass
                )
            builder.store(builder.load(total), _vector_at(builder, target), align=4)
            return builder.load(bypass)

        _check(units, before, rows, direct, inputs)
        return types.float32(units, before, rows, direct, inputs, types.float32), generate

    @intrinsic
    def add_outputs(typing_context, units, weights, value):
        """The value and, for each unit that is positive, the unit times its weight."""

        def generate(context, builder, signature, arguments):
            arrays = _arrays(context, builder, signature, arguments)
            unit, weight = (
                builder.load(_vector_at(builder, array.data), align=4) for array in arrays
            )
            nothing = ir.Constant(_LANES, None)
            is_active = builder.fcmp_ordered(">", unit, nothing)
            terms = builder.fmul(weight, builder.select(is_active, unit, nothing))
            total = arguments[2]
            for k in range(N_HIDDEN):
                total = builder.fadd(total, builder.extract_element(terms, ir.IntType(32)(k)))
            return total

        _check(units, weights)
        return types.float32(units, weights, types.float32), generate

else:

    def add_inputs(units, before, rows, direct, inputs, value):  # type: ignore[misc]
        """Fill units: those before, and each row times its input; returns what bypasses them.

        That is the value and each direct weight times its input.
        """
        units[:] = before
        for row, weight, given in zip(rows, direct, inputs, strict=True):
            units += row * given
            value += weight * given
        return value

    def add_outputs(units, weights, value):  # type: ignore[misc]
        """The value and, for each unit that is positive, the unit times its weight."""
        for term in weights * np.maximum(units, np.float32(0)):
            value += term
        return value
