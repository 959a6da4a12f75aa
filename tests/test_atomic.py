"""Files that are replaced whole."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamaya.atomic import remove_leftovers, replacing, write_atomically


@pytest.mark.parametrize(("data", "stored"), [("né\n", "né\n".encode()), (b"\0\xff", b"\0\xff")])
def test_text_and_bytes_replace_a_file(tmp_path: Path, data: str | bytes, stored: bytes) -> None:
    path = tmp_path / "file"
    write_atomically(path, "before")
    write_atomically(path, data)
    assert path.read_bytes() == stored
    assert os.listdir(tmp_path) == ["file"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "before")
    with pytest.raises(RuntimeError, match="in the middle"), replacing(path) as file:
        file.write(b"half")
        raise RuntimeError("in the middle")
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["file"]


def test_errors_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "nowhere" / "file"
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(missing, "text")
    assert caught.value.filename == str(missing)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "file"
    write_atomically(path, "before")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as full_disk:
        write_atomically(path, "after")
    assert full_disk.value.filename == str(path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        write_atomically(tmp_path, "text")
    assert caught.value.filename is not None
    assert not list(tmp_path.parent.glob(".*.partial"))


def test_links_stay_links(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    write_atomically(target, "before")
    link.symlink_to(target)
    write_atomically(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", "text")
    (tmp_path / "plain").write_text("text")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_leftovers_of_killed_processes_are_removed(tmp_path: Path) -> None:
    killed = (
        "import os, sys; from pathlib import Path; from tamaya.atomic import replacing\n"
        "with replacing(Path(sys.argv[1])) as file:\n"
        "    file.write(b'half'); file.flush(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", killed, str(tmp_path / "file")], check=True)
    assert len(os.listdir(tmp_path)) == 1
    remove_leftovers(tmp_path)
    assert os.listdir(tmp_path) == []
