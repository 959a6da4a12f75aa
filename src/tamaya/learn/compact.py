"""Compact checkpoints: what a run has learned in a few megabytes, for when a machine is lost.

A learner that offers them has three methods: ``compact_state`` returns arrays, including its
``turns``, ``restore_compact`` continues from these, and ``refill`` restores by playing what they
omit, such as a replay buffer. `compact.npz` contains the arrays, `compact.json` names the run and
what it had reached. A run resumed from these continues from there, but not bit for bit.

Half precision is enough: on average rounding moves a weight by less than a step of the optimiser
does; `halves` explains how moments are stored.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

import tamaya
from tamaya.atomic import replacing, write_atomically
from tamaya.checked_files import (
    FileError,
    blaming,
    check_finite,
    checked,
    entry,
    read_arrays,
    read_json,
    short,
)
from tamaya.learn.plan import TrainingPlan, all_settings
from tamaya.rules import Rules
from tamaya.run_folder import RunError

COMPACT, ABOUT = "compact.npz", "compact.json"

Document = dict[str, Any]


def offers_compact(learner: Any) -> bool:
    """Whether an algorithm has compact checkpoints."""
    return hasattr(learner, "compact_state")


def refill(learner: Any) -> int:
    """Play some of the turns that a learner lacks; returns their number, 0 if it lacks none."""
    return learner.refill() if hasattr(learner, "refill") else 0


def write_compact(folder: Path, plan: TrainingPlan, learner: Any, **reached: float) -> None:
    """Write the compact checkpoint of a learner that offers one and has not diverged."""
    if not offers_compact(learner):
        return
    arrays: dict[str, Any] = learner.compact_state()
    try:
        check_finite(arrays)
    except ValueError:
        return  # the previous one is more useful
    with replacing(folder / COMPACT) as file:
        np.savez_compressed(file, **arrays)
    document = {**_identity(plan), "turns": learner.turns, **reached,
                "version": tamaya.__version__}  # fmt: skip
    text = json.dumps(document, indent=1, allow_nan=False) + "\n"
    write_atomically(folder / ABOUT, text)


def restore_compact(folder: Path, plan: TrainingPlan, learner: Any) -> Document:
    """Continue from a folder's compact checkpoint; returns what the run had reached.

    RunError if the algorithm has none, FileError names a file that is damaged or of another run.
    """
    path, about = folder / COMPACT, folder / ABOUT
    if not offers_compact(learner):
        raise RunError(f"{path}: {plan.algorithm} cannot be resumed from a compact checkpoint")
    document, arrays = read_json(about), read_arrays(path)
    with blaming(about):
        _check_identity(document, _identity(plan))
        turns = entry(document, "turns", int, least=0)
        entry(document, "best", float)
        for name in ("seconds", "cpu_seconds"):
            entry(document, name, float, least=0)
    with blaming(path):
        check_finite(arrays)
        learner.restore_compact(arrays)
    if learner.turns != turns:
        raise FileError(f"{path} is of {learner.turns:,} turns, but {about.name} of {turns:,}")
    return document


def _identity(plan: TrainingPlan) -> Document:
    """What a run must have in common with the one that wrote the checkpoint, in JSON form."""
    rules = Rules.parse(plan.rules).to_text()
    settings = all_settings(plan.full_settings())
    document = {
        "algorithm": plan.algorithm,
        "rules": rules,
        "seed": plan.seed,
        "settings": settings,
    }
    return json.loads(json.dumps(document))


def _check_identity(found: Document, own: Document) -> None:
    """Refuse a checkpoint of another run; settings that did not exist then are ignored."""
    checked(found["settings"], dict, "'settings'")
    pairs = [(name, found[name], own[name]) for name in ("algorithm", "rules", "seed")]
    pairs += [(f"setting {name}", value, own["settings"].get(name))
              for name, value in found["settings"].items()]  # fmt: skip
    for name, value, wanted in pairs:
        if value != wanted:
            raise ValueError(f"{name} is {short(value)}, but {short(wanted)} in this run")
