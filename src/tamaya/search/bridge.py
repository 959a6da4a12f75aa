"""Agents whose ``act`` is plain Python, at tables that call agents by address.

For a search that takes milliseconds per move, a microsecond for the call into Python does not
matter. In Python it can combine small kernels and run them on several threads, which a compiled
``act`` cannot. The function has the same arguments and records; C code with the calling convention
of ``tamaya.dispatch`` calls it, from any thread.
"""

import sys
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_int32, c_int64, c_void_p, cast
from types import SimpleNamespace
from typing import Any

import numpy as np

from tamaya.compiled import JIT
from tamaya.dispatch import NO_FUNCTION, Compiled, record_at
from tamaya.records import VIEW
from tamaya.search.blueprint import BlueprintAgent

_DONE, _FAILED = 0, -1  # statuses of Numba's convention
_ACT = CFUNCTYPE(c_int32, POINTER(c_int64), c_void_p, c_void_p, c_void_p, c_void_p)


def native_act(function: Callable[..., int], memory: np.dtype, params: np.dtype) -> Any:
    """C code that calls a Python function; it is freed with the returned object."""

    def call(result: Any, error: int, view_at: int, memory_at: int, params_at: int) -> int:
        try:
            result[0] = function(
                record_at(view_at, VIEW), record_at(memory_at, memory), record_at(params_at, params)
            )
            return _DONE
        except BaseException as raised:  # no exception may pass through compiled code
            sys.unraisablehook(
                SimpleNamespace(exc_type=type(raised), exc_value=raised, object=function,
                                exc_traceback=raised.__traceback__, err_msg=None)
            )  # fmt: skip
            return _FAILED

    return _ACT(call)


class PythonAgent(BlueprintAgent):
    """An agent over a blueprint that decides in Python.

    ``rehearse`` gets the parameters and compiles the kernels that decisions need, so that no game
    has to wait for them.
    """

    _native: dict[tuple[np.dtype, np.dtype], Any]

    def __init__(self, name: str, act: Callable[..., int], *,
                 rehearse: Callable[[np.record], None] = lambda params: None,
                 **options: Any) -> None:  # fmt: skip
        super().__init__(name, act, **options)
        self._rehearse = rehearse
        self._native = {}  # shared by all variants of a family

    def compile(self) -> Compiled:
        """Make the agent's function callable by address, once."""
        if not JIT:
            return super().compile()
        if self._compiled is None:
            params = self.params.record()
            key = self.memory, params.dtype
            if key not in self._native:
                self._rehearse(params[0])
                self._native[key] = native_act(self.act_function, *key)
            address = cast(self._native[key], c_void_p).value or NO_FUNCTION
            self._compiled = Compiled(address, NO_FUNCTION, self.memory.itemsize, params)
        return self._compiled
