"""A folder of small runs as `evolve`, `elites` and `train` leave them, written by hand."""

import json
import shutil
from pathlib import Path

import numpy as np

import tamaya
from support import write_run

GENES = ["PlaySafeCard", "TellAnyoneAboutUsefulCard", "DiscardOldestFirst", "LegalRandom"]
RULES = "PlaySafeCard,TellAnyoneAboutUsefulCard,DiscardOldestFirst,LegalRandom"
NETWORK = Path(tamaya.__file__).parent / "agents" / "learned" / "shipped" / "ppo-2.npz"
PROTOCOL = {"kind": "mirror", "pool": "C", "rules": "bomb=keep", "players": [2, 3]}


def write_runs(folder: Path) -> Path:
    """One run of each kind."""
    write_evolution(folder / "rules")
    write_map(folder / "styles")
    write_run(folder / "learner", 1, 10.0, 12.5)
    nets = folder / "nets"
    nets.mkdir()
    for suffix in (".npz", ".json"):
        shutil.copy(NETWORK.with_suffix(suffix), nets / f"first{suffix}")
    return folder


def write_evolution(folder: Path, finished: bool = True) -> None:
    """A run of evolution after three of four generations, or after all."""
    folder.mkdir(parents=True)
    plan = {"code": "x", "genes": GENES, "generations": 3 if finished else 4, "population": 16,
            "faithful": False, "seed": 5, "protocol": PROTOCOL}  # fmt: skip
    (folder / "run.json").write_text(json.dumps(plan))
    rows = [{"generation": k, "best": 10.0 + k, "mean": 5.0 + k, "sd": 2.0, "seconds": 0.1,
             "chromosome": [0, 1, 2, 3] if k else [3, 2, 1, 0]} for k in range(3)]  # fmt: skip
    (folder / "generations.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    if finished:
        best = {"mean": 11.5, "se": 0.25, "games": 200, "cells": [11.5], "chromosome": [0, 1, 2, 3],
                "rules": RULES, "fitness": 12.0}  # fmt: skip
        (folder / "top.json").write_text(json.dumps([best]))


def write_map(folder: Path) -> None:
    """A map of three styles."""
    folder.mkdir(parents=True)
    plan = {"code": "x", "algorithm": "map-elites", "genes": GENES, "faithful": False, "length": 4,
            "cells": 4, "random": 10, "variants": 90, "protocol": PROTOCOL}  # fmt: skip
    (folder / "run.json").write_text(json.dumps(plan))
    np.savez(folder / "map.npz", done=50, solution=np.array([[0, 1, 2, 3]] * 3),
             objective=np.array([8.0, 12.0, 10.0]),
             measures=np.array([[0.1, 0.9], [0.6, 0.6], [1.0, 0.3]]))  # fmt: skip
