"""Products of sparse rows with matrices: of bits or units after a ReLU, a third are not zero.

A list names what is not zero in a row, in ascending order. A block of rows of the matrix, COLUMNS
wide, stays in the processor's first cache while all lists use it, and sums stay in registers.

Matrices have rows of ``padded`` length: whole blocks of columns plus one cache line, because rows
whose distance is a power of two would compete for the same cache sets. The padding is zero.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from tamaya.compiled import JIT, hot

BLOCK = 64  # rows
_LANES, _N_VECTORS = 16, 8  # numbers in a vector register, and registers of sums
COLUMNS = _LANES * _N_VECTORS


def padded(n: int) -> int:
    """The padded length of rows with that many numbers."""
    return -(-n // COLUMNS) * COLUMNS + _LANES


# The non-zeros of some rows: places and values, [row, up to the length of rows], and where each
# block begins among them, [row, block], and the end. Numba types a plain tuple at once; for a named
# one that takes longer than the work itself.
Lists = tuple[np.ndarray, np.ndarray, np.ndarray]


def new_lists(n_rows: int, length: int) -> Lists:
    """Arrays for the lists of rows of some length."""
    room = n_rows, length + 8  # because an entry is written before it is known to be non-zero
    n_blocks = -(-length // BLOCK)
    return (np.zeros(room, np.int64), np.zeros(room, np.float32),
            np.zeros((n_rows, n_blocks + 1), np.int64))  # fmt: skip


@hot
def list_rows(rows, length, lists):
    """List the non-zeros among the first numbers of some rows."""
    places, values, starts = lists
    for row in range(len(rows)):
        n = 0
        for block in range(starts.shape[1] - 1):
            starts[row, block] = n
            for place in range(block * BLOCK, min((block + 1) * BLOCK, length)):
                value = rows[row, place]
                places[row, n], values[row, n] = place, value
                n += value != 0  # no branch, because it could not be predicted
        starts[row, -1] = n


@hot
def list_bits(packed, lists):
    """List the bits that are set in rows of packed bits; their values are 1."""
    places, values, starts = lists
    for row in range(len(packed)):
        n = 0
        for byte in range(packed.shape[1]):
            if byte % (BLOCK // 8) == 0:
                starts[row, byte // (BLOCK // 8)] = n
            bits = packed[row, byte]
            for bit in range(8):
                places[row, n], values[row, n] = 8 * byte + bit, 1
                n += bits >> (7 - bit) & 1
        starts[row, -1] = n


# The same by columns: rows and values, [column, up to the number of rows], and their number.
Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


def new_columns(n_rows: int, length: int) -> Columns:
    """Arrays for the column lists of n rows of some length."""
    room = length, n_rows
    return np.zeros(room, np.int64), np.zeros(room, np.float32), np.zeros(length, np.int64)


@hot
def list_columns(lists, columns):
    """List non-zeros by columns, from the lists of the rows."""
    places, values, starts = lists
    rows, own_values, counts = columns
    counts[:] = 0
    for row in range(len(places)):
        for k in range(starts[row, -1]):
            column = places[row, k]
            n = counts[column]
            rows[column, n], own_values[column, n] = row, values[row, k]
            counts[column] = n + 1


if JIT:

    class VectorCode:
        """Emits vector instructions; a row is given by a matrix and an index."""

        vector = ir.VectorType(ir.FloatType(), _LANES)
        number, short = ir.IntType(64), ir.IntType(32)

        def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
            self.builder = builder
            kinds = enumerate(signature.args)
            self.arrays = {k: context.make_array(kind)(context, builder, arguments[k])
                           for k, kind in kinds if isinstance(kind, types.Array)}  # fmt: skip

        def row(self, k: int, row: Any) -> Any:
            """Where a row of the matrix that is argument k begins."""
            array = self.arrays[k]
            length = cgutils.unpack_tuple(self.builder, array.shape)[1]
            return self.builder.gep(array.data, [self.builder.mul(row, length)])

        def vectors(self, begin: Any) -> list[Any]:
            """Pointers to consecutive vectors."""
            places = (self.builder.gep(begin, [self.number(_LANES * k)]) for k in range(_N_VECTORS))
            return [self.builder.bitcast(place, self.vector.as_pointer()) for place in places]

        def load(self, pointer: Any) -> Any:
            return self.builder.load(pointer, align=4)

        def zeros(self) -> list[Any]:
            """Sums initialised to zero; the compiler keeps them in registers."""
            sums = [cgutils.alloca_once(self.builder, self.vector) for _ in range(_N_VECTORS)]
            for total in sums:
                self.builder.store(ir.Constant(self.vector, [0.0] * _LANES), total)
            return sums

        def times(self, a: Any, b: Any) -> Any:
            return self.builder.fmul(a, b, flags=("contract",))

        def fused(self, a: Any, b: Any, c: Any) -> Any:
            """a * b + c, rounded once where the processor can."""
            return self.builder.fadd(self.times(a, b), c, flags=("contract",))

        def square_root(self, a: Any) -> Any:
            kind = ir.FunctionType(self.vector, [self.vector])
            name = f"llvm.sqrt.v{_LANES}f32"
            function = cgutils.get_or_insert_function(self.builder.module, kind, name)
            return self.builder.call(function, [a])

        def add_product(self, total: Any, a: Any, b: Any) -> None:
            self.builder.store(self.fused(a, b, self.builder.load(total)), total)

        def add_rows(
            self, sums: list[Any], first: Any, bounds: tuple[Any, Any], values: Any, places: Any,
            matrix: int,
        ) -> None:  # fmt: skip
            """Add multiples of rows of a matrix, which begin at the rows of values and places."""
            with cgutils.for_range_slice(self.builder, *bounds, self.number(1), inc=True) as (k, _):
                factor = self.spread(self.builder.load(self.builder.gep(values, [k])))
                source = self.row(matrix, self.builder.load(self.builder.gep(places, [k])))
                pointers = self.vectors(self.builder.gep(source, [first]))
                for total, pointer in zip(sums, pointers, strict=True):
                    self.add_product(total, factor, self.load(pointer))

        def item(self, k: int, place: int) -> Any:
            """A number of the array that is argument k."""
            return self.builder.load(self.builder.gep(self.arrays[k].data, [self.number(place)]))

        def constant(self, value: float) -> Any:
            """A vector of equal numbers that are compile-time constants."""
            return ir.Constant(self.vector, [float(value)] * _LANES)

        def spread(self, value: Any) -> Any:
            """A vector of equal numbers."""
            nothing = ir.Constant(self.vector, ir.Undefined)
            same = ir.Constant(ir.VectorType(self.short, _LANES), [0] * _LANES)
            one = self.builder.insert_element(nothing, value, self.short(0))
            return self.builder.shuffle_vector(one, nothing, same)

    @intrinsic
    def add_block(typing_context, out, row, first, values, value_row, places, place_row, begin, end,
                  matrix):  # fmt: skip
        """Add multiples of rows of a matrix to a row, in COLUMNS columns from the first on.

        That is values[value_row, k] * matrix[places[place_row, k]] for k from begin to end.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, signature, arguments)
            row, first, begin, end = (arguments[k] for k in (1, 2, 7, 8))
            value_row, place_row = code.row(3, arguments[4]), code.row(5, arguments[6])
            target = code.vectors(builder.gep(code.row(0, row), [first]))
            sums = code.zeros()
            for total, pointer in zip(sums, target, strict=True):
                builder.store(code.load(pointer), total)
            code.add_rows(sums, first, (begin, end), value_row, place_row, 9)
            for total, pointer in zip(sums, target, strict=True):
                builder.store(builder.load(total), pointer).align = 4
            return context.get_dummy_value()

        number = types.int64
        return types.void(out, number, number, values, number, places, number, number, number,
                          matrix), generate  # fmt: skip

    @intrinsic
    def dot_rows(typing_context, one, one_row, other, other_row, end):
        """The scalar product of two rows up to a column, a multiple of COLUMNS."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, signature, arguments)
            one, other = code.row(0, arguments[1]), code.row(2, arguments[3])
            sums = code.zeros()
            step = code.number(COLUMNS)
            with cgutils.for_range_slice(builder, code.number(0), arguments[4], step, inc=True) as (
                first, _
            ):  # fmt: skip
                pairs = zip(*(code.vectors(builder.gep(row, [first])) for row in (one, other)),
                            strict=True)  # fmt: skip
                for total, (a, b) in zip(sums, pairs, strict=True):
                    code.add_product(total, code.load(a), code.load(b))
            parts = [builder.load(total) for total in sums]
            while len(parts) > 1:
                half = len(parts) // 2
                pairs = zip(parts[:half], parts[half:], strict=True)
                parts = [builder.fadd(a, b) for a, b in pairs]
            vector, lanes = parts[0], _LANES
            while lanes > 1:  # halves onto halves
                lanes //= 2
                mask = [k + lanes if k < lanes else k for k in range(_LANES)]
                kind = ir.VectorType(code.short, _LANES)
                moved = builder.shuffle_vector(vector, vector, ir.Constant(kind, mask))
                vector = builder.fadd(vector, moved)
            return builder.extract_element(vector, code.short(0))

        number = types.int64
        return types.float32(one, number, other, number, number), generate

else:

    def add_block(out, row, first, values, value_row, places, place_row, begin, end,  # type: ignore[misc]
                  matrix):  # fmt: skip
        """Add multiples of rows of a matrix to a row, in COLUMNS columns from the first on."""
        columns = slice(first, first + COLUMNS)
        factors, rows = values[value_row, begin:end], places[place_row, begin:end]
        out[row, columns] += factors @ matrix[rows, columns]

    def dot_rows(one, one_row, other, other_row, end):  # type: ignore[misc]
        """The scalar product of two rows up to a column, a multiple of COLUMNS."""
        return one[one_row, :end] @ other[other_row, :end]


@hot
def add_rows(out, row, values, value_row, places, place_row, n, matrix):
    """Add multiples of some rows of a matrix to a row."""
    for first in range(0, out.shape[1] - COLUMNS + 1, COLUMNS):
        add_block(out, row, first, values, value_row, places, place_row, 0, n, matrix)


@hot
def add_products(lists, matrix, out):
    """Add the product of sparse rows with a matrix to as many rows."""
    places, values, starts = lists
    for first in range(0, out.shape[1] - COLUMNS + 1, COLUMNS):
        for block in range(starts.shape[1] - 1):
            for row in range(len(out)):
                begin, end = starts[row, block], starts[row, block + 1]
                add_block(out, row, first, values, row, places, row, begin, end, matrix)
