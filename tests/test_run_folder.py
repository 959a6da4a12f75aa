"""Folders of runs: one process at a time, and nothing is overwritten."""

import errno
import gc
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from support import as_another_process
from tamaya import run_folder
from tamaya.run_folder import LOCK, RunError, hold_folder, locked, make_folder, move_aside

HOLD = (
    "import sys; from pathlib import Path; from tamaya.run_folder import locked\n"
    "with locked(Path(sys.argv[1])):\n"
    "    print('held', flush=True); sys.stdin.read()"
)


class Owner:
    """Somebody who holds a lock."""


def holder(folder: Path) -> subprocess.Popen[str]:
    """A process that works in a folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path):
    process = holder(tmp_path)
    try:
        with pytest.raises(RunError, match=rf"in use by another process \({process.pid}\)"):
            hold_folder(tmp_path, Owner())
        process.kill()
        process.wait()
        with locked(tmp_path):
            assert (tmp_path / LOCK).exists()
    finally:
        process.kill()
        process.communicate()
    assert not (tmp_path / LOCK).exists()


def test_patience_waits_for_a_process_that_ends(tmp_path):
    process = holder(tmp_path)
    assert process.stdin is not None
    process.stdin.close()
    release = hold_folder(tmp_path, Owner, patience=60)
    process.wait()
    release()


def test_a_process_may_open_its_own_folder_again(tmp_path):
    owner = Owner()
    release = hold_folder(tmp_path, owner)
    with locked(tmp_path):
        pass
    assert is_locked(tmp_path)
    release()
    assert not is_locked(tmp_path)


def test_a_lock_ends_with_its_owner(tmp_path):
    owner = Owner()
    hold_folder(tmp_path / "new", owner)
    assert is_locked(tmp_path / "new")
    del owner
    gc.collect()
    assert not is_locked(tmp_path / "new")


def is_locked(folder: Path) -> bool:
    """Whether another process is refused."""
    tried = subprocess.run([sys.executable, "-c", HOLD, str(folder)], input="", text=True,
                           capture_output=True, check=False)  # fmt: skip
    assert tried.returncode == 0 or "in use by another process" in tried.stderr
    return tried.returncode != 0


def test_a_lock_file_that_was_removed_meanwhile_is_made_anew(tmp_path, monkeypatch):
    tried = []

    def try_lock(file):
        if not tried:
            (tmp_path / LOCK).unlink()  # its last holder leaves between opening and locking
        tried.append(file)
        return True

    monkeypatch.setattr(run_folder, "_try_lock", try_lock)
    with locked(tmp_path):
        assert len(tried) == 2 and tried[0].closed


def test_windows_has_locks_of_its_own(tmp_path, monkeypatch):
    taken: set[str] = set()

    def locking(descriptor, mode, n_bytes):
        if "byte" in taken:
            raise OSError(errno.EACCES, "Permission denied")
        taken.add("byte")

    monkeypatch.setattr(run_folder, "fcntl", None)
    monkeypatch.setattr(run_folder, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with (
        locked(tmp_path),
        as_another_process(),
        pytest.raises(RunError, match="in use by another process"),
        locked(tmp_path),
    ):
        pass


def test_systems_without_locks_let_everybody_in(tmp_path, monkeypatch):
    def flock(descriptor, mode):
        raise OSError(errno.ENOLCK, "No locks available")

    fake = SimpleNamespace(flock=flock, LOCK_EX=1, LOCK_NB=2)
    for system in (fake, None):
        monkeypatch.setattr(run_folder, "fcntl", system)
        with locked(tmp_path):
            pass


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="file is a file, not a folder"):
        make_folder(tmp_path / "file")


def test_old_files_are_moved_aside_under_a_new_number(tmp_path):
    for number in (1, 2):
        (tmp_path / "log").write_text(str(number))
        (tmp_path / "member-1").mkdir()
        (tmp_path / "member-1" / "log").write_text("member")
        aside = move_aside(tmp_path, ("log", "member-*", "nothing"))
        assert aside == tmp_path / f"before-{number}"
        assert (aside / "log").read_text() == str(number)
        assert (aside / "member-1" / "log").read_text() == "member"
    (tmp_path / "other").touch()
    assert move_aside(tmp_path, ("log", "member-*")) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before-1", "before-2", "other"]
