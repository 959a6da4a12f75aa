"""Converting masks of cards to 25 numbers and back, the inner loops of knowledge and encoders.

Writing is one vector store instead of 25 single ones: five times faster for bytes, ten times for
floats (``python benchmarks/encoders.py``). Reading is one comparison of all cards at once.
"""

from tamaya.cards import N_CARDS
from tamaya.compiled import JIT

N_LANES = 32  # of numbers by card that ``masked_sum`` adds up; those beyond the cards are not used

if JIT:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def write_full_mask(typing_context, out, at, mask):
        """Write a 25-bit mask into out[at : at + 25], one 0 or 1 per card; unchecked."""

        def generate(context, builder, signature, arguments):
            array_type = signature.args[0]
            array = context.make_array(array_type)(context, builder, arguments[0])
            item = context.get_data_type(array_type.dtype)
            lanes = ir.VectorType(ir.IntType(32), N_CARDS)
            every = ir.Constant(lanes, ir.Undefined)
            bits = builder.trunc(arguments[2], ir.IntType(32))
            for card in range(N_CARDS):
                every = builder.insert_element(every, bits, ir.IntType(32)(card))
            shifts = ir.Constant(lanes, [ir.IntType(32)(card) for card in range(N_CARDS)])
            ones = ir.Constant(lanes, [ir.IntType(32)(1)] * N_CARDS)
            values = builder.and_(builder.lshr(every, shifts), ones)
            target = ir.VectorType(item, N_CARDS)
            is_float = isinstance(item, ir.FloatType | ir.DoubleType)
            values = builder.uitofp(values, target) if is_float else builder.trunc(values, target)
            place = builder.gep(array.data, [arguments[1]])
            builder.store(values, builder.bitcast(place, target.as_pointer()), align=1)
            return context.get_dummy_value()

        if not isinstance(out, types.Array) or out.layout != "C":
            raise TypeError("write_full_mask needs a contiguous array")
        return types.void(out, types.int64, types.int64), generate

    @intrinsic
    def difference_bit(typing_context, more, less, bit):
        """Mask of the cards for which more[card] - less[card] has a bit set; both are bytes."""

        def generate(context, builder, signature, arguments):
            lanes = ir.VectorType(ir.IntType(8), N_CARDS)
            numbers = []
            for array_type, value in zip(signature.args[:2], arguments[:2], strict=True):
                array = context.make_array(array_type)(context, builder, value)
                place = builder.bitcast(array.data, lanes.as_pointer())
                numbers.append(builder.load(place, align=1))
            wanted = ir.Constant(lanes, ir.Undefined)
            byte = builder.trunc(arguments[2], ir.IntType(8))
            for card in range(N_CARDS):
                wanted = builder.insert_element(wanted, byte, ir.IntType(32)(card))
            found = builder.and_(builder.sub(*numbers), wanted)
            is_set = builder.icmp_unsigned("!=", found, ir.Constant(lanes, None))
            return builder.zext(builder.bitcast(is_set, ir.IntType(N_CARDS)), ir.IntType(64))

        for numbers in (more, less):
            is_bytes = isinstance(numbers, types.Array) and numbers.dtype == types.int8
            if not is_bytes or numbers.layout != "C":
                raise TypeError("difference_bit needs contiguous arrays of int8")
        return types.int64(more, less, types.int64), generate

    @intrinsic
    def masked_sum(typing_context, numbers, mask):
        """Sum of the numbers of the cards of a mask, in an array of ``N_LANES``; unchecked."""

        def generate(context, builder, signature, arguments):
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            lanes = ir.VectorType(ir.DoubleType(), N_LANES)
            every = builder.load(builder.bitcast(array.data, lanes.as_pointer()), align=8)
            bits = builder.trunc(arguments[1], ir.IntType(N_LANES))
            is_in = builder.bitcast(bits, ir.VectorType(ir.IntType(1), N_LANES))
            total = builder.select(is_in, every, ir.Constant(lanes, None))
            half = N_LANES
            while half > 1:  # the upper half is added to the lower
                half //= 2
                lower, upper = (
                    builder.shuffle_vector(total, total, _lanes_from(start, half))
                    for start in (0, half)
                )
                total = builder.fadd(lower, upper)
            return builder.extract_element(total, ir.IntType(32)(0))

        is_double = isinstance(numbers, types.Array) and numbers.dtype == types.float64
        if not is_double or numbers.layout != "C":
            raise TypeError("masked_sum needs a contiguous array of float64")
        return types.float64(numbers, types.int64), generate

    def _lanes_from(start, n):
        """The constant that selects n lanes from one on."""
        lanes = [ir.IntType(32)(start + k) for k in range(n)]
        return ir.Constant(ir.VectorType(ir.IntType(32), n), lanes)

else:

    def masked_sum(numbers, mask):  # type: ignore[misc]
        """Sum of the numbers of the cards of a mask, in an array of ``N_LANES``; unchecked."""
        return sum((numbers[card] for card in range(N_CARDS) if mask >> card & 1), 0.0)

    def difference_bit(more, less, bit):  # type: ignore[misc]
        """Mask of the cards for which more[card] - less[card] has a bit set; both are bytes."""
        return sum(1 << card for card in range(N_CARDS) if (more[card] - less[card]) & bit)

    def write_full_mask(out, at, mask):  # type: ignore[misc]
        """Write a 25-bit mask into out[at : at + 25], one 0 or 1 per card; unchecked."""
        for card in range(N_CARDS):
            out[at + card] = (mask >> card) & 1
