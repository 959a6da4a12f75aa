"""Folders of runs: only one process works in a folder, and old runs are never overwritten.

The lock is an operating-system lock on the file ``.lock``, which names the process: it is released
when the process ends, even by a kill. A process may open its own folder again.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import IO, Any
from weakref import finalize

from tamaya.atomic import remove_leftovers

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

LOCK = ".lock"
ASIDE = "before"  # folders for runs that were moved aside: before-1, before-2, ...

_TAKEN = {EACCES, EAGAIN, EDEADLK}  # error codes for a lock that another process holds
_held: dict[Path, "_Held"] = {}
_guard = RLock()  # garbage collection of an owner may release a lock while another is being taken


class RunError(ValueError):
    """A folder's run cannot be resumed, or a new one cannot begin there."""


class _Held:
    """The lock of a folder and its number of holders, all in this process."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.n_holders = file, 1


def make_folder(folder: Path) -> None:
    """Create the folder of a run if it does not exist."""
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file, not a folder for a run")
    folder.mkdir(parents=True, exist_ok=True)


def hold_folder(folder: Path, owner: Any, patience: float = 0) -> Callable[[], Any]:
    """Keep other processes out of a folder until the result is called or the owner is collected.

    Raises RunError if another process works in the folder, after waiting for ``patience`` seconds.
    """
    return finalize(owner, _release, _take(folder, patience))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder inside the block."""
    path = _take(folder, 0)
    try:
        yield
    finally:
        _release(path)


def _take(folder: Path, patience: float) -> Path:
    """Lock a folder, or count one more holder of its lock; returns its key."""
    make_folder(folder)
    path = Path(os.path.realpath(folder))
    with _guard:
        held = _held.get(path)
        if held is not None:
            held.n_holders += 1
        if held is None or held.file.closed:  # a collected owner may just have released it
            _held[path] = _Held(_locked_file(folder, path, patience))
            remove_leftovers(path)
    return path


def _release(path: Path) -> None:
    with _guard:
        held = _held.get(path)
        if held is None:
            return
        held.n_holders -= 1
        if held.n_holders == 0:
            del _held[path]
            with suppress(OSError):  # open files cannot always be removed: harmless
                (path / LOCK).unlink()
            held.file.close()


def _locked_file(folder: Path, path: Path, patience: float) -> IO[bytes]:
    """The lock file, opened and locked."""
    deadline = monotonic() + patience
    while True:
        file = open(path / LOCK, "a+b", buffering=0)  # noqa: SIM115  (closed when released)
        if _try_lock(file):
            if _is_current(file, path / LOCK):
                file.truncate(0)
                file.write(str(os.getpid()).encode())
                return file
        elif monotonic() > deadline:
            file.seek(0)
            who = file.read(20).decode("ascii", "replace").strip()
            file.close()
            raise RunError(f"{folder} is in use by another process" + (f" ({who})" if who else ""))
        else:
            sleep(0.2)
        file.close()  # and try again


def _try_lock(file: IO[bytes]) -> bool:
    """Lock a file unless another process holds it; without locks in the system, always succeeds."""
    try:
        if fcntl is not None:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            file.seek(1 << 30)  # far beyond the text, so that others can read it
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        return error.errno not in _TAKEN
    return True


def _is_current(file: IO[bytes], path: Path) -> bool:
    """Whether a locked file is still the one at its path, because its last holder removes it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def move_aside(folder: Path, names: Iterable[str]) -> Path | None:
    """Move files and folders that match patterns into a new numbered folder; returns it, if any."""
    found = sorted({path for name in names for path in folder.glob(name)})
    if not found:
        return None
    number = 1
    while (folder / f"{ASIDE}-{number}").exists():
        number += 1
    aside = folder / f"{ASIDE}-{number}"
    aside.mkdir()
    for path in found:
        path.rename(aside / path.name)
    return aside
