"""The compiler: one decorator for every kernel, and the intrinsics they share.

Kernels are plain Python functions under ``@hot``; Numba compiles them at first use, and the machine
code is cached on disk (``tamaya.kernel_cache``) until something that it depends on changes
(``tamaya.fingerprint``). With ``NUMBA_DISABLE_JIT=1`` kernels run as ordinary Python.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

JIT = not getattr(numba.config, "DISABLE_JIT", False)
ALIGNMENT = 64  # of records on the stack, in bytes
BOUNDS_CHECKED = bool(getattr(numba.config, "BOUNDSCHECK", None))

# Kernels that draw random numbers accept any agent's memory, because it begins with the generator.
warnings.filterwarnings(
    "ignore", ".*considered a subtype", numba.errors.NumbaExperimentalFeatureWarning
)

if not JIT:
    # uint64 arithmetic wraps in compiled code; NumPy scalars do the same but warn about it.
    np.seterr(over="ignore")


def hot(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a kernel at its first use, without the GIL, cached on disk."""
    return Kernel(function, **options) if JIT else function


def hot_sums(function: Callable[..., Any]) -> Any:
    """Compile a kernel whose sums of floats may be regrouped and fused, hence run in vectors."""
    return hot(function, fastmath={"contract", "nsz", "reassoc"})


if JIT:
    from tamaya.kernel import Kernel

    @intrinsic
    def popcount(typing_context, bits):
        """Number of ones in an integer."""

        def generate(context, builder, signature, arguments):
            return builder.zext(builder.ctpop(arguments[0]), context.get_value_type(types.int64))

        return types.int64(types.uint64), generate

    @intrinsic
    def scratch(typing_context, dtype):
        """A record with arbitrary content, for the kernel that asks for it.

        It lies on the stack and ends with that kernel. An array of one large record would lie on
        the heap, which takes time at every call.
        """

        def generate(context, builder, signature, arguments):
            kind = context.get_value_type(signature.return_type)
            with builder.goto_entry_block():  # a helper of Numba would fill it with zeros
                place = builder.alloca(kind.pointee)
            place.align = ALIGNMENT
            return place

        return dtype.dtype(dtype), generate

else:

    def popcount(bits):  # type: ignore[misc]
        """Number of ones in an integer."""
        return int(bits).bit_count()

    def scratch(dtype):  # type: ignore[misc]
        """A record with arbitrary content, for the kernel that asks for it."""
        return np.zeros(1, dtype)[0]
