"""Checkpoints: everything a run needs to continue, in one file that is replaced atomically."""

import zipfile
from pathlib import Path
from typing import Any

import torch

from tamaya.atomic import replacing
from tamaya.checked_files import FileError, blaming, checked, entry, short


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Replace a checkpoint; a process that is killed while writing leaves the old one."""
    with replacing(path) as file:
        torch.save(state, file)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The saved state; FileError names a file that is not a checkpoint or is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:  # torch itself does not verify its checksums
            damaged = archive.testzip()
        if damaged:
            raise FileError(f"{path} is damaged: the checksum of {damaged} is wrong")
        state = torch.load(path, weights_only=True)
        return checked(state, dict, "the state")
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except Exception as error:  # damaged bytes can fail anywhere in zipfile, pickle and torch
        raise FileError(f"{path} is not a checkpoint, or damaged: {short(str(error))}") from None


def read_learner(path: Path) -> dict[str, Any]:
    """The state of the learner in a checkpoint."""
    state = read_checkpoint(path)
    with blaming(path):
        learner = entry(state, "learner", dict)
        entry(learner, "turns", int, least=0)
    return learner
