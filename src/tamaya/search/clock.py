"""A clock for compiled code: nanoseconds since some fixed moment, never running backwards.

The system's own function is called by name, not by address, so that compiled code stays valid on
disk. With the compiler off it is Python's monotonic clock.
"""

import sys

from tamaya.compiled import JIT

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
        """Ticks of the performance counter, turned into nanoseconds."""
        kind = ir.FunctionType(_INT, [_LONG.as_pointer()])
        answers = []
        for name in ("QueryPerformanceCounter", "QueryPerformanceFrequency"):
            place = cgutils.alloca_once(builder, _LONG)
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [place])
            answers.append(builder.load(place))
        ticks, per_second = answers
        # Whole seconds apart, so that the product does not overflow.
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
    from time import monotonic_ns as nanoseconds  # type: ignore[assignment]  # noqa: F401
