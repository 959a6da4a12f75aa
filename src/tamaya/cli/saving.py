"""Files that commands write in addition to their output: checked before the work begins."""

import sys
from pathlib import Path


def check_folder(path: Path, option: str) -> None:
    """Refuse a file that cannot be written, before anything is computed for it."""
    if path.is_dir():
        raise ValueError(f"{option} {path}: this is a folder, expected a file name")
    if not path.parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")


def check_picture(path: Path, option: str) -> None:
    """Like ``check_folder``, and refuse a name with the suffix of another format than SVG."""
    check_folder(path, option)
    if path.suffix.lower() not in ("", ".svg"):
        raise ValueError(f"{option} {path}: expected a name that ends in .svg")


def check_new(path: Path, option: str, force: bool) -> None:
    """Like ``check_folder``, and refuse an existing file unless ``force`` is set."""
    check_folder(path, option)
    if path.exists() and not force:
        raise ValueError(f"{option} {path}: the file exists; --force replaces it")


def say_saved(path: Path, what: str) -> None:
    """Say on standard error what was written where."""
    sys.stderr.write(f"saved {path}: {what}\n")
