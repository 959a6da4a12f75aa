"""Where compiled code is cached between processes, and what is deleted there."""

import os
import re
import shutil
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

# Compiled code that came with an installed wheel; absent elsewhere.
SHIPPED = Path(__file__).resolve().parent / "precompiled"
# Directories of versions that named them after a hash of all sources.
_OUTDATED = re.compile(r"kernels-[0-9a-f]{16}(-checked)?")
N_KEPT = 3  # versions of one kernel


def cache_root() -> Path:
    """The directory of everything that can be recomputed; ``TAMAYA_CACHE`` overrides it."""
    if chosen := os.environ.get("TAMAYA_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tamaya"


@cache
def cache_directory() -> Path:
    """The directory for kernels of this compiler and bounds-checking setting."""
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else ""
    return cache_root() / f"kernels-{python}-numba{version('numba')}{checked}"


def forget_old_code() -> int:
    """Delete all but the latest versions of each kernel; returns the number of deleted files."""
    outdated = [path for path in _listed(cache_root()) if _OUTDATED.fullmatch(path.name)]
    for folder in outdated:
        shutil.rmtree(folder, ignore_errors=True)
    versions: dict[str, list[Path]] = {}
    for path in _listed(cache_directory()):
        versions.setdefault(path.name.rpartition("-")[0], []).append(path)
    old = [
        path
        for paths in versions.values()
        for path in sorted(paths, key=_last_used, reverse=True)[N_KEPT:]
    ]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old) + len(outdated)


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
