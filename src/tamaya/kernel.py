"""Kernels as compiler objects: one face for calls from Python, one for calls from other kernels.

A kernel has two faces. The outer one is an entry point: Python calls it through a wrapper, it is
optimised as a whole with everything it calls, and its machine code is cached on disk. The inner one
is what other kernels call: it is lowered to LLVM's intermediate code, simplified function by
function, and compiled no further, because only entry points are ever run. Generating machine code
for every kernel took half of the compile time; skipping the simplification made FireFlower an
eighth slower, because LLVM inlines less if the code has not been simplified yet.
"""

from collections.abc import Callable, Iterator
from typing import Any

from numba.core import compiler, errors, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import CPUDispatcher

from tamaya import compile_progress, kernel_cache

# No kernel is called through a C wrapper, so none is compiled.
OPTIONS: dict[str, Any] = {
    "nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True,
    "boundscheck": None,
}  # fmt: skip


class InnerLibrary(JITCodeLibrary):
    """The code of an inner face: only its own functions, never compiled to machine code."""

    def finalize(self) -> None:
        """Freeze the code; its callers link everything."""
        self._finalized = True


class EntryLibrary(JITCodeLibrary):
    """The code of an entry point and of every kernel it calls, directly or indirectly."""

    def finalize(self) -> None:
        """Link everything it calls, then optimise and generate machine code."""
        self._linking_libraries = _all_called(self)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise everything at once.

        Numba's own first pass, which inlines to reduce reference counting, gains nothing: kernels
        use records and hardly any references.
        """
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


def _all_called(entry: EntryLibrary) -> list[JITCodeLibrary]:
    """All libraries that an entry point calls, callers before what they call.

    In another order LLVM would drop code that nothing linked so far refers to.
    """
    done: dict[JITCodeLibrary, None] = {}  # callees before their callers
    waiting: list[tuple[JITCodeLibrary, bool]] = [(entry, False)]
    while waiting:
        library, has_callees = waiting.pop()
        if has_callees:
            done[library] = None
        elif library not in done:
            waiting.append((library, True))
            if isinstance(library, (EntryLibrary, InnerLibrary)):
                waiting += ((callee, False) for callee in library._linking_libraries)
    done.pop(entry)
    return list(done)[::-1]


class _FaceCompiler(_FunctionCompiler):
    """Compiles into the library class of its face."""

    library_class: type[JITCodeLibrary] = EntryLibrary

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags: Any = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        if self.library_class is InnerLibrary:
            flags.no_cpython_wrapper = True
            flags.no_compile = True
        context = self.targetdescr.target_context
        library = self.library_class(context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        return compiler.compile_extra(
            self.targetdescr.typing_context, context, self.py_func, args=args,
            return_type=return_type, flags=flags, locals=self.locals, library=library,
            pipeline_class=self.pipeline_class,
        )  # fmt: skip


class _InnerCompiler(_FaceCompiler):
    library_class = InnerLibrary


class _Face(CPUDispatcher):
    """Base of both faces: compiles without Numba's timers, which took a tenth of the time."""

    compiler_class: type[_FaceCompiler]

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, targetoptions={**OPTIONS, **options})
        self._compiler = self.compiler_class(
            function, self.targetdescr, self.targetoptions, {}, compiler.Compiler
        )

    def compile(self, sig: Any) -> Any:
        """Compile for a signature unless already done; returns the entry point."""
        with global_compiler_lock:
            if not self._can_compile:
                raise RuntimeError("compilation disabled")
            args, return_type = sigutils.normalize_signature(sig)
            if args not in self.overloads:
                with self._compiling_counter:
                    self._make_overload(args, return_type)
            return self._overload_key(args)

    def _run_compiler(self, args: Any, return_type: Any) -> Any:
        try:
            return self._compiler.compile(args, return_type)
        except errors.ForceLiteralArg as error:
            raise error.bind_fold_arguments(
                lambda args, kws: self._compiler.fold_argument_types(args, kws)[1]
            ) from None

    def _make_overload(self, args: Any, return_type: Any) -> None:
        raise NotImplementedError

    def _overload_key(self, args: Any) -> Any:
        raise NotImplementedError


class InnerFace(_Face):
    """The face that other kernels call."""

    compiler_class = _InnerCompiler

    def _make_overload(self, args: Any, return_type: Any) -> None:
        result = self._run_compiler(args, return_type)
        compile_progress.finish_kernel(self.py_func)
        # Numba looks up the code of a call by a hashable key; an inner face has no function for
        # that.
        key = _OverloadKey(result)
        self.targetctx.insert_user_function(key, result.fndesc, [result.library])
        self.overloads[tuple(args)] = key

    def _overload_key(self, args: Any) -> Any:
        return self.overloads[tuple(args)]

    @property
    def nopython_signatures(self) -> list[Any]:
        """Signatures compiled so far, for Numba's typing."""
        return [key.result.signature for key in self.overloads.values()]

    def get_overload(self, sig: Any) -> Any:
        """The key under which the code for a signature is registered."""
        return self._overload_key(sigutils.normalize_signature(sig)[0])


class _OverloadKey:
    """Stands for one compiled version of an inner face."""

    def __init__(self, result: Any) -> None:
        self.result = result
        self.entry_point = self  # which Numba's finalizer removes from the target context


class Kernel(_Face):
    """The face that Python calls; calls from other kernels go to its inner face."""

    compiler_class = _FaceCompiler

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._options = options
        self._inner: InnerFace | None = None

    @property
    def inner(self) -> InnerFace:
        """The face for other kernels, created by the first call."""
        if self._inner is None:
            self._inner = InnerFace(self.py_func, **self._options)
        return self._inner

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How a call from another kernel is typed."""
        widened = {name: _widened(kind) for name, kind in kws.items()}
        return self.inner.get_call_template(tuple(map(_widened, args)), widened)

    def get_overload(self, sig: Any) -> Any:
        """The code that a call from another kernel leads to."""
        return self.inner.get_overload(sig)

    def _make_overload(self, args: Any, return_type: Any) -> None:
        function, variant = self.py_func, self._variant
        result = kernel_cache.load(function, args, variant, self.targetctx)
        if result is None:
            with compile_progress.entry_point(function, reachable_kernels(self)):
                result = self._run_compiler(args, return_type)
            kernel_cache.save(function, args, variant, result)
        else:
            self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.add_overload(result)

    def _overload_key(self, args: Any) -> Any:
        return self.overloads[tuple(args)].entry_point

    @property
    def _variant(self) -> str:
        """The options of this kernel as a text, the same in every process."""
        return " ".join(
            f"{name}={sorted(value) if isinstance(value, set) else value}"
            for name, value in sorted(self._options.items())
        )


def _widened(kind: types.Type) -> types.Type:
    """The type with which a kernel passes an argument to another: small integers become int64.

    Fields of records are int8 to int32, so otherwise each kernel would be compiled once per integer
    size that callers happen to use.
    """
    return types.int64 if kind in (types.int8, types.int16, types.int32) else kind


def reachable_kernels(kernel: Kernel) -> set[Callable[..., Any]]:
    """The functions of all kernels that a kernel calls, directly or indirectly, without itself."""
    found: set[Callable[..., Any]] = set()
    waiting = [kernel.py_func]
    while waiting:
        for callee in _called_kernels(waiting.pop()):
            if callee.py_func not in found:
                found.add(callee.py_func)
                waiting.append(callee.py_func)
    return found - {kernel.py_func}


def _called_kernels(function: Callable[..., Any]) -> Iterator[Kernel]:
    """Kernels that a function refers to: as globals, in modules, or in its closure."""
    names = function.__code__.co_names
    values = [function.__globals__.get(name) for name in names]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    for value in values:
        if isinstance(value, Kernel):
            yield value
        elif isinstance(value, type(compiler)):  # a module
            yield from (
                member for name in names if isinstance(member := getattr(value, name, None), Kernel)
            )
