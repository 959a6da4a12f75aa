"""Where compiled code is kept, and what is thrown away there."""

import os
from pathlib import Path

from support import run_python
from tamaya import cache_places
from tamaya.cache_places import cache_directory, cache_root, forget_old_code


def directory_of(**environment: str) -> Path:
    """The cache directory that a new process chooses."""
    code = "from tamaya.cache_places import cache_directory; print(cache_directory())"
    result = run_python(code, **environment)
    assert result.returncode == 0, result.stderr
    return Path(result.stdout.strip())


def test_the_directory_lies_where_the_variable_says(tmp_path):
    assert directory_of(TAMAYA_CACHE=str(tmp_path / "here")).parent == tmp_path / "here"


def test_the_directory_lies_in_the_usual_place_otherwise(tmp_path):
    assert directory_of(TAMAYA_CACHE="", XDG_CACHE_HOME=str(tmp_path)).parent == tmp_path / "tamaya"
    home = directory_of(TAMAYA_CACHE="", XDG_CACHE_HOME="", HOME=str(tmp_path))
    assert home.parent == tmp_path / ".cache" / "tamaya"


def test_code_with_bounds_checks_is_kept_apart():
    plain, checked = (directory_of(NUMBA_BOUNDSCHECK=value) for value in ("0", "1"))
    assert plain != checked and checked.name.startswith(plain.name)


def test_forgetting_keeps_the_latest_versions_and_what_is_not_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("TAMAYA_CACHE", str(tmp_path))
    monkeypatch.setattr(cache_places, "cache_directory", lambda: tmp_path / "kernels")
    foreign = [tmp_path / name for name in ("photos", "0123456789abcdef", "kernels-notes")]
    outdated = tmp_path / "kernels-0123456789abcdef"
    for folder in (*foreign, outdated, tmp_path / "kernels"):
        folder.mkdir()
    for age in range(5):
        for kernel in ("game.deal-aaaaaaaa", "game.deal-bbbbbbbb"):
            path = tmp_path / "kernels" / f"{kernel}-{age:020x}.nbc"
            path.write_bytes(b"")
            os.utime(path, (1000 - age, 1000 - age))
    assert forget_old_code() == 1 + 2 * 2
    assert all(folder.exists() for folder in foreign) and not outdated.exists()
    assert {path.name[-5:-4] for path in (tmp_path / "kernels").iterdir()} == {"0", "1", "2"}


def test_the_root_follows_the_variable_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("TAMAYA_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    assert cache_directory().name.startswith("kernels-py")
