"""From a training run to an agent: its network with full metadata, scored on the test deals."""

from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agents.learned.files import Metadata, read_metadata, write_network
from tamaya.agents.learned.kinds import network_file
from tamaya.checked_files import read_arrays
from tamaya.learn.curves import Curve, curves_of
from tamaya.learn.validation import TEST, summary
from tamaya.rules import Rules
from tamaya.table import play


def export_agent(folder: Path, out: Path, which: str, games: int, description: str) -> Metadata:
    """Write a network of a run as an agent's file; returns the metadata."""
    source = folder / f"{which}.npz"
    if not source.exists():
        raise ValueError(f"{folder} has no {source.name} yet: the first validation writes it")
    if out.suffix != ".npz":
        raise ValueError(f"{out}: expected a name that ends in .npz")
    metadata = read_metadata(source)
    agent = network_file(source)
    rules = Rules.parse(metadata["rules"])
    scores = play(agent, rules, games, seed=TEST).results["score"]
    test = {**summary(scores, rules), "seed": TEST, "histogram": _histogram(scores, rules)}
    metadata |= {"description": description, "score": test, **_curves(folder, metadata)}
    write_network(out, metadata, read_arrays(source))
    return metadata


def _curves(folder: Path, metadata: Metadata) -> dict[str, Any]:
    """The curve behind a network, and those of the others of its population.

    Networks that learned from people have none: their score is not what they were selected by.
    """
    if metadata["kind"] == "choice":
        return {"curve": [], "others": []}
    found = curves_of(str(folder))
    own = folder.name
    if "population" in metadata:
        own = f"member-{metadata['population']['member']}"
    rows = {curve.name: _row(curve) for curve in found}
    mine = rows.pop(own)
    return {"curve": mine["curve"], "others": list(rows.values())}


def _row(curve: Curve) -> dict[str, Any]:
    """A curve in the form of the metadata."""
    names = ("name", "algorithm", "preset", "seed", "turns", "cpu_seconds")
    return {**{name: getattr(curve, name) for name in names}, "curve": curve.points}


def _histogram(scores: np.ndarray, rules: Rules) -> list[int]:
    """Games by score."""
    return np.bincount(scores, minlength=rules.max_score + 1).tolist()
