"""The folder of a run: what decides the run is written down, and another run is refused."""

import json
import os
from pathlib import Path
from typing import Any


def check_or_write(folder: Path, document: dict[str, Any], made_with: dict[str, str]) -> None:
    """Write down a new run; refuse a folder that holds another one, or one of other code."""
    folder.mkdir(parents=True, exist_ok=True)
    document = json.loads(json.dumps(document))
    path = folder / "run.json"
    if not path.exists():
        write_atomically(path, json.dumps({**document, **made_with}, indent=1))
        return
    before = json.loads(path.read_text(encoding="utf-8"))
    for key, value in document.items():
        if before.get(key) != value:
            raise ValueError(f"{folder} holds another run: its {key} is "
                             f"{_short(before.get(key))}, not {_short(value)}")  # fmt: skip
    if before["code"] != made_with["code"]:
        raise ValueError(f"{folder} was made by other code (version {before['version']}): "
                         "choose another folder")  # fmt: skip


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step, so that it is never half written."""
    temporary = path.with_suffix(path.suffix + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
