"""Checkpoints: all of a run that decides how it goes on, in one file that is never half written."""

import os
from pathlib import Path
from typing import Any

import torch


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Replace a checkpoint at once; whoever is killed in between leaves the old one."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    with open(partial, "rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The state that was written; ValueError names a file that holds none."""
    try:
        return torch.load(path, weights_only=True)
    except (RuntimeError, EOFError) as error:
        raise ValueError(f"{path} is not a checkpoint: {error}") from None
