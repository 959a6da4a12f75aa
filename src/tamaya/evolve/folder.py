"""The folder of a run: what decides the run is written down, and another run is refused."""

import json
import os
from pathlib import Path
from typing import Any


def read_run(folder: Path) -> dict[str, Any] | None:
    """What decides the run in a folder, None if there is none."""
    path = folder / "run.json"
    if not path.exists():
        return None
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        document = None
    if not isinstance(document, dict) or not {"genes", "protocol", "code"} <= document.keys():
        raise ValueError(f"{path} does not describe a run")
    return document


def make_folder(folder: Path) -> None:
    """Make the folder of a run if it is not there."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, not a folder for a run")
    folder.mkdir(parents=True, exist_ok=True)


def check_or_write(folder: Path, document: dict[str, Any], made_with: dict[str, str]) -> None:
    """Write down a new run; refuse a folder that holds another one, or one of other code."""
    make_folder(folder)
    document = json.loads(json.dumps(document))
    before = read_run(folder)
    if before is None:
        write_atomically(folder / "run.json", json.dumps({**document, **made_with}, indent=1))
        return
    were = _flat(before)
    for key, value in _flat(document).items():
        if were.get(key) != value:
            raise ValueError(f"{folder} holds another run: its {key} is "
                             f"{_short(were.get(key))}, not {_short(value)}")  # fmt: skip
    if before["code"] != made_with["code"]:
        raise ValueError(f"{folder} was made by other code (version {before.get('version')}): "
                         "choose another folder")  # fmt: skip


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step, so that it is never half written."""
    temporary = path.with_suffix(path.suffix + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def _flat(document: dict[str, Any]) -> dict[str, Any]:
    """A document with the entries of its protocol beside its own."""
    return {**document, **document["protocol"], "protocol": None}


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
