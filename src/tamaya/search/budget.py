"""The budget of one decision: a number of samples, or time by a clock for compiled code.

The clock counts nanoseconds since a fixed moment and is monotonic. The system's own function is
called by name, not by address, so that compiled code can be cached on disk. With the
compiler off it is Python's monotonic clock.
"""

import sys

import numpy as np

from tamaya.compiled import JIT, hot
from tamaya.records import record

BUDGET = record([
    ("samples", np.int64),
    ("deadline", np.int64),  # in nanoseconds of the clock, 0 if the budget is samples
])  # fmt: skip

_MONOTONIC = 6 if sys.platform == "darwin" else 1  # number of CLOCK_MONOTONIC

if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    _INT, _LONG = ir.IntType(32), ir.IntType(64)

    def _posix_time(builder):
        """Seconds and nanoseconds of ``clock_gettime`` in one number."""
        timespec = ir.LiteralStructType([_LONG, _LONG])
        place = cgutils.alloca_once(builder, timespec)
        kind = ir.FunctionType(_INT, [_INT, timespec.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [_INT(_MONOTONIC), place])
        seconds = builder.load(cgutils.gep_inbounds(builder, place, 0, 0))
        nanoseconds = builder.load(cgutils.gep_inbounds(builder, place, 0, 1))
        return builder.add(builder.mul(seconds, _LONG(10**9)), nanoseconds)

    def _windows_time(builder):
        """Ticks of the performance counter, converted to nanoseconds."""
        kind = ir.FunctionType(_INT, [_LONG.as_pointer()])
        answers = []
        for name in ("QueryPerformanceCounter", "QueryPerformanceFrequency"):
            place = cgutils.alloca_once(builder, _LONG)
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [place])
            answers.append(builder.load(place))
        ticks, per_second = answers
        # Whole seconds separately, so that the product does not overflow.
        whole = builder.mul(builder.sdiv(ticks, per_second), _LONG(10**9))
        rest = builder.mul(builder.srem(ticks, per_second), _LONG(10**9))
        return builder.add(whole, builder.sdiv(rest, per_second))

    @intrinsic
    def nanoseconds(typing_context):
        """The time now, in nanoseconds."""

        def generate(context, builder, signature, arguments):
            return _windows_time(builder) if sys.platform == "win32" else _posix_time(builder)

        return types.int64(), generate

else:
    from time import monotonic_ns as nanoseconds  # type: ignore[assignment]


@hot
def set_budget(budget, samples, ms):
    """Allow a number of samples or, if ``ms`` is not 0, of milliseconds from now."""
    budget.samples = samples
    budget.deadline = nanoseconds() + np.int64(1e6 * ms) if ms > 0 else 0


@hot
def is_late(budget):
    """Whether the budget is a time and it is over."""
    return budget.deadline > 0 and nanoseconds() >= budget.deadline


@hot
def is_spent(budget, n):
    """Whether a budget is used up after a number of samples."""
    return is_late(budget) if budget.deadline > 0 else n >= budget.samples
