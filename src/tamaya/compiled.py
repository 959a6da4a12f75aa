"""The compiler: one decorator for every kernel, and where compiled code is kept.

Kernels are plain Python functions under ``@hot``; Numba compiles them at first use and keeps the
result on disk. Numba notices an edit only in the file of the function itself, so the cache
directory is named after a hash of the sources that kernels may depend on: an edit there starts a
new directory. With ``NUMBA_DISABLE_JIT=1`` kernels run as ordinary Python.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator
from numba.extending import intrinsic

_GENERATION = re.compile(r"kernels-[0-9a-f]{16}(-checked)?")
PACKAGE = Path(__file__).resolve().parent
JIT = not getattr(numba.config, "DISABLE_JIT", False)
# No kernel of other rooms needs these.
UPPER_ROOMS = ("arena", "bench", "cli", "evolve", "learn", "replays", "report", "store", "web")
BOUNDS_CHECKED = bool(getattr(numba.config, "BOUNDSCHECK", None))
# Nobody calls a kernel by its C wrapper, so none is compiled.
COMPILER_OPTIONS: dict[str, Any] = {
    "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True,
}  # fmt: skip

# Kernels for a generator take the memory of any agent, which begins with it: that is meant so.
warnings.filterwarnings(
    "ignore", ".*considered a subtype", numba.errors.NumbaExperimentalFeatureWarning
)

if not JIT:
    # uint64 arithmetic wraps in compiled code; NumPy scalars do the same but warn about it.
    np.seterr(over="ignore")


def _is_core(path: Path) -> bool:
    """Whether kernels elsewhere may depend on a source file of the package."""
    return path.is_relative_to(PACKAGE) and path.relative_to(PACKAGE).parts[0] not in UPPER_ROOMS


@cache
def cache_directory() -> Path:
    """Directory of the compiled code of exactly these sources, compiler and bounds setting."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        if _is_core(path):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    checked = "-checked" if BOUNDS_CHECKED else ""
    return cache_root() / f"kernels-{digest.hexdigest()[:16]}{checked}"


def cache_root() -> Path:
    """Where all generations of compiled code live; ``TAMAYA_CACHE`` overrides it."""
    if chosen := os.environ.get("TAMAYA_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tamaya"


def forget_old_generations(keep: int = 5) -> int:
    """Delete compiled code of older sources, all but the latest; gives how many were deleted."""
    ours = [path for path in cache_root().iterdir() if _GENERATION.fullmatch(path.name)]
    ours.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    old = [path for path in ours[keep:] if path != cache_directory()]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)


def sources_with(file: Path) -> list[Path]:
    """A user's file, its neighbours, and what has been imported from its folder."""
    file = file.resolve()
    folder = file.parent
    loaded = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    # Thousands of modules may be loaded: plain texts are 20 times as fast as paths.
    beginning = str(folder) + os.sep
    real = (_real_name(name) for name in loaded if name and name.endswith(".py"))
    near = {Path(name) for name in real if name.startswith(beginning)}
    return sorted(near | set(folder.glob("*.py")) | {file})


def _real_name(name: str) -> str:
    """The name of a file with all symbolic links to its folder followed."""
    folder, base = os.path.split(name)
    return _real_folder(folder) + os.sep + base


@cache
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)


class _Locator(_CacheLocator):
    """Keeps compiled code in ``cache_directory``; outside the core it watches the file's folder."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = str(Path(file).resolve())
        self._line = function.__code__.co_firstlineno
        self._module = function.__module__

    def get_cache_path(self) -> str:
        path = Path(self._py_file)
        if path.is_relative_to(PACKAGE):
            return str(cache_directory() / path.relative_to(PACKAGE).parent)
        return str(cache_directory() / "outside" / self.get_suitable_cache_subpath(self._py_file))

    def get_source_stamp(self) -> tuple[tuple[str, int, int], ...]:
        path = Path(self._py_file)
        if _is_core(path):
            return ()  # the directory's name covers it
        stats = [(source, source.stat()) for source in sources_with(path)]
        return tuple((str(source), stat.st_mtime_ns, stat.st_size) for source, stat in stats)

    def get_disambiguator(self) -> str:
        # Compiled code remembers the name of its module, and a file may be loaded under several.
        return f"{self._line}-{hashlib.sha256(self._module.encode()).hexdigest()[:8]}"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator | None":
        return cls(py_func, py_file) if Path(py_file).exists() else None


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]


class _Cache(FunctionCache):
    _impl_class = _CacheImpl


@cache
def _cache_is_writable() -> bool:
    try:
        cache_directory().mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=cache_directory()).close()
    except OSError:
        return False
    return True


def hot(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a kernel at its first use, without the GIL, cached on disk."""
    if not JIT:
        return function
    dispatcher = numba.njit(**COMPILER_OPTIONS, **options)(function)
    cached = _cache_is_writable() and Path(function.__code__.co_filename).exists()
    dispatcher._cache = _Cache(function) if cached else NullCache()
    find_call = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: find_call(
        tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()}
    )
    return dispatcher


def hot_sums(function: Callable[..., Any]) -> Any:
    """Compile a kernel whose sums of floats may be regrouped and fused, hence run in vectors."""
    return hot(function, fastmath={"contract", "nsz", "reassoc"})


def _widened(kind: types.Type) -> types.Type:
    """The type by which a kernel hands an argument to another: small integers become int64.

    Fields of records are int8 to int32, so each kernel would be compiled once per size of integer
    that callers happen to have.
    """
    return types.int64 if kind in (types.int8, types.int16, types.int32) else kind


if JIT:

    @intrinsic
    def popcount(typing_context, bits):
        """Number of ones in an integer."""

        def generate(context, builder, signature, arguments):
            return builder.zext(builder.ctpop(arguments[0]), context.get_value_type(types.int64))

        return types.int64(types.uint64), generate

else:

    def popcount(bits):  # type: ignore[misc]
        """Number of ones in an integer."""
        return int(bits).bit_count()
