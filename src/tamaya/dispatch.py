"""Calling agents by address from compiled loops.

An agent's functions are compiled for exactly the record types they take, and called through their
native address, which takes 3 ns per call. They follow Numba's own convention (status
returned, result through a pointer), so that an exception inside an agent reaches the caller as
``RAISED`` instead of being lost, or is raised again for Python callers. Memory and parameters are
passed as records or their addresses. With the compiler off, an "address" is an index into a list of
Python functions.
"""

from collections.abc import Callable
from ctypes import c_uint8
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from tamaya.compiled import JIT
from tamaya.records import EVENT, VIEW

RAISED = -(1 << 40)  # result of an agent's function that raised an exception
NO_FUNCTION = 0


@dataclass(frozen=True)
class Compiled:
    """Addresses and sizes of an agent, for compiled loops."""

    act: int
    observe: int
    memory_size: int  # bytes
    params: np.ndarray  # one record


def record_at(address: int, dtype: np.dtype) -> np.record:
    """The record of a type that lies at an address."""
    raw = (c_uint8 * dtype.itemsize).from_address(int(address))
    return np.ndarray(1, dtype, memoryview(raw))[0]


if JIT:
    from llvmlite import ir
    from numba import from_dtype, types
    from numba.core import cgutils
    from numba.core.callconv import RETCODE_NONE, RETCODE_OK, excinfo_ptr_t
    from numba.core.typeconv import Conversion
    from numba.extending import intrinsic, lower_cast, models, register_model

    from tamaya.kernel import Kernel

    _VIEW, _EVENT = from_dtype(VIEW), from_dtype(EVENT)

    class Move(types.Type):
        """The return type of ``act``: int64, converted from any integer but never from a float."""

        def __init__(self) -> None:
            super().__init__("move")

        def can_convert_from(self, typing_context: Any, other: Any) -> Any:
            is_whole = isinstance(other, types.Integer | types.Boolean)
            return Conversion.safe if is_whole else None

    @register_model(Move)
    class _MoveModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.IntType(64))

    @lower_cast(types.Integer, Move)
    @lower_cast(types.Boolean, Move)
    def _cast_to_move(context, builder, source, target, value):
        return context.cast(builder, value, source, types.int64)

    _MOVE = Move()

    def compile_act(function: Callable[..., Any], memory: np.dtype, params: np.dtype) -> int:
        """Address of an ``act`` function compiled for its record types."""
        return _compile(function, _MOVE(_VIEW, from_dtype(memory), from_dtype(params)))

    def compile_observe(function: Callable[..., Any], memory: np.dtype, params: np.dtype) -> int:
        """Address of an ``observe`` function compiled for its record types."""
        return _compile(function, types.void(_VIEW, _EVENT, from_dtype(memory), from_dtype(params)))

    def _compile(function: Callable[..., Any], signature: Any) -> int:
        kernel = Kernel(function, no_cpython_wrapper=True)  # it is never called from Python
        kernel.compile(signature)
        result = kernel.overloads[signature.args]
        _keep_alive.append(result)
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))

    _keep_alive: list[Any] = []  # compiled code is freed with its last reference

    def _call(builder: Any, result: Any, address: Any, pointers: list[Any]) -> tuple[Any, Any]:
        """Call a native function; returns its status and the address of the exception's data.

        The result goes through a pointer.
        """
        byte = ir.IntType(8).as_pointer()
        excinfo = cgutils.alloca_once(builder, byte)
        parameters = [result.type, excinfo.type, *(byte for _ in pointers)]
        kind = ir.FunctionType(ir.IntType(32), parameters)
        function = builder.inttoptr(address, kind.as_pointer())
        arguments = [
            builder.bitcast(pointer, byte)
            if isinstance(pointer.type, ir.PointerType)
            else builder.inttoptr(pointer, byte)
            for pointer in pointers
        ]
        return builder.call(function, [result, excinfo, *arguments]), excinfo

    @intrinsic
    def call_act(typing_context, address, view, memory, params):
        """Move that the ``act`` function at an address returns, or RAISED."""

        def generate(context, builder, signature, arguments):
            result = cgutils.alloca_once(builder, ir.IntType(64))
            status, _ = _call(builder, result, arguments[0], list(arguments[1:]))
            is_ok = builder.icmp_signed("==", status, RETCODE_OK)
            return builder.select(is_ok, builder.load(result), ir.IntType(64)(RAISED))

        return types.int64(types.int64, view, _place(memory), _place(params)), generate

    @intrinsic
    def call_observe(typing_context, address, view, event, memory, params):
        """Call the ``observe`` function at an address; returns 0, or RAISED."""

        def generate(context, builder, signature, arguments):
            result = cgutils.alloca_once(builder, ir.IntType(8).as_pointer())
            status, _ = _call(builder, result, arguments[0], list(arguments[1:]))
            is_value = builder.icmp_signed("==", status, RETCODE_OK)
            is_none = builder.icmp_signed("==", status, RETCODE_NONE)
            is_ok = builder.or_(is_value, is_none)
            return builder.select(is_ok, ir.IntType(64)(0), ir.IntType(64)(RAISED))

        return types.int64(types.int64, view, event, _place(memory), _place(params)), generate

    def _raising(context: Any, builder: Any, result: Any, arguments: Any) -> None:
        """Call a native function; an exception in it is raised in the calling kernel."""
        code, excinfo = _call(builder, result, arguments[0], list(arguments[1:]))
        what = builder.bitcast(builder.load(excinfo), excinfo_ptr_t)
        status = context.call_conv._get_return_status(builder, code, what)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)

    @intrinsic
    def call_act_raising(typing_context, address, view, memory, params):
        """Move that the ``act`` function at an address returns; its exceptions are raised."""

        def generate(context, builder, signature, arguments):
            result = cgutils.alloca_once(builder, ir.IntType(64))
            _raising(context, builder, result, arguments)
            return builder.load(result)

        return types.int64(types.int64, view, _place(memory), _place(params)), generate

    @intrinsic
    def call_observe_raising(typing_context, address, view, event, memory, params):
        """Call the ``observe`` function at an address; its exceptions are raised."""

        def generate(context, builder, signature, arguments):
            result = cgutils.alloca_once(builder, ir.IntType(8).as_pointer())
            _raising(context, builder, result, arguments)
            return context.get_dummy_value()

        return types.void(types.int64, view, event, _place(memory), _place(params)), generate

    def _place(kind: Any) -> Any:
        """Type of an argument that is a record or the address of one."""
        return kind if isinstance(kind, types.Record) else types.int64

else:
    _functions: list[tuple[Callable[..., Any], np.dtype, np.dtype]] = []

    def compile_act(function: Callable[..., Any], memory: np.dtype, params: np.dtype) -> int:
        """Number under which a function can be called."""
        _functions.append((function, memory, params))
        return len(_functions)

    compile_observe = compile_act

    def call_act(address, view, memory, params):  # type: ignore[misc]
        """Move that the ``act`` function under a number returns."""
        function, memory_dtype, params_dtype = _functions[address - 1]
        move = function(view, _record(memory, memory_dtype), _record(params, params_dtype))
        try:
            index(move)
        except TypeError:
            raise TypeError(f"it returns {move}, but a move is a whole number") from None
        return move

    def call_observe(address, view, event, memory, params):  # type: ignore[misc]
        """Call the ``observe`` function under a number."""
        function, memory_dtype, params_dtype = _functions[address - 1]
        function(view, event, _record(memory, memory_dtype), _record(params, params_dtype))
        return 0

    call_act_raising, call_observe_raising = call_act, call_observe

    def _record(place: Any, dtype: np.dtype) -> np.record:
        return place if isinstance(place, np.record) else record_at(place, dtype)
