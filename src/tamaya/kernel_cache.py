"""Compiled entry points on disk: one file each, named after everything its machine code depends on.

The name of a file contains a hash of the kernel's import closure, its argument types, the processor
and the compiler, so there is nothing to look up and nothing to invalidate. A wheel may ship files
for ``x86-64-v3``, which every processor with those instructions uses.
"""

import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from tamaya.cache_places import SHIPPED, cache_directory
from tamaya.fingerprint import fingerprint, module_file

PORTABLE_CPU = "x86-64-v3"
_PORTABLE_FEATURES = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt")


def load(
    function: Callable[..., Any], args: tuple[Any, ...], variant: str, context: Any
) -> CompileResult | None:
    """The compiled code of a function for some argument types and options, if it is cached."""
    if not is_cachable(function):
        return None
    for path in _places(function, args, variant, context):
        try:
            payload = pickle.loads(path.read_bytes())
            rtsys.initialize(context)  # enough to run code; compiling imports much more
            return CompileResult._rebuild(context, *payload)
        except OSError:
            continue
        except Exception:  # a damaged file may fail in any way: the function is compiled again
            with suppress(OSError):
                path.unlink()
    return None


def save(
    function: Callable[..., Any], args: tuple[Any, ...], variant: str, result: CompileResult
) -> None:
    """Cache the compiled code of a function, if possible."""
    if not is_cachable(function) or result.lifted or result.library.has_dynamic_globals:
        return
    path = _places(function, args, variant, result.target_context)[0]
    with suppress(OSError):
        temporary = path.with_name(f"{path.name}.{os.getpid()}")
        temporary.write_bytes(dumps(result._reduce()))
        temporary.replace(path)


def is_cachable(function: Callable[..., Any]) -> bool:
    """Whether a function comes from a source file and there is a directory for its code."""
    return module_file(function.__module__) is not None and _is_writable()


def _places(
    function: Callable[..., Any], args: tuple[Any, ...], variant: str, context: Any
) -> list[Path]:
    """Files that may contain the code of a function; the first is the one to write."""
    code = function.__code__.co_code + b"".join(
        _cell_bytes(cell.cell_contents) for cell in function.__closure__ or ()
    )
    types = hashlib.sha256(str(args).encode()).hexdigest()[:8]
    name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
    sources = fingerprint(function.__module__)

    def file_name(*machine: str) -> str:
        parts = (numba.__version__, np.__version__, sources, str(args), variant, *machine)
        digest = hashlib.sha256("\n".join(parts).encode() + code).hexdigest()[:20]
        return f"{name[-100:]}-{types}-{digest}.nbc"

    triple, *cpu = context.codegen().magic_tuple()
    places = [cache_directory() / file_name(triple, *cpu)]
    if _runs_portable_code():
        places.append(SHIPPED / file_name(triple, PORTABLE_CPU, ""))
    return places


def _cell_bytes(value: Any) -> bytes:
    """What a closure variable of a function contributes to the name of its code."""
    inner = getattr(value, "py_func", None)
    if inner is None:
        return dumps(value)
    cells = (_cell_bytes(cell.cell_contents) for cell in inner.__closure__ or ())
    return inner.__qualname__.encode() + inner.__code__.co_code + b"".join(cells)


@cache
def _runs_portable_code() -> bool:
    """Whether there is shipped code, and this processor has the instructions it uses."""
    if not SHIPPED.is_dir():
        return False
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(name, False) for name in _PORTABLE_FEATURES)


@cache
def _is_writable() -> bool:
    try:
        cache_directory().mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=cache_directory()).close()
    except OSError:
        return False
    return True
