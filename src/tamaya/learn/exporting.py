"""From a training run to an agent: its network with a full card, scored on the test deals."""

from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agents.learned.files import read_card, write_network
from tamaya.agents.learned.kinds import network_file
from tamaya.learn.curves import Curve, curves_of
from tamaya.learn.validation import TEST, summary
from tamaya.rules import Rules
from tamaya.table import play


def ship(folder: Path, out: Path, which: str, games: int, description: str) -> dict[str, Any]:
    """Write a network of a run as an agent's file; gives the card."""
    source = folder / f"{which}.npz"
    if not source.exists():
        raise ValueError(f"{folder} has no {source.name} yet: it comes with the first validation")
    if out.suffix != ".npz":
        raise ValueError(f"{out} should end in .npz")
    card = read_card(source)
    rules = Rules.parse(card["rules"])
    scores = play(network_file(source), rules, games, seed=TEST).results["score"]
    test = {**summary(scores, rules), "seed": TEST, "histogram": _histogram(scores, rules)}
    card |= {"description": description, "score": test, **_curves(folder, card)}
    with np.load(source) as parts:
        write_network(out, card, dict(parts))
    return card


def _curves(folder: Path, card: dict[str, Any]) -> dict[str, Any]:
    """The curve behind a network, and those of the others of its population."""
    found = curves_of(str(folder))
    own = f"member-{card['population']['member']}" if "population" in card else folder.name
    rows = {curve.name: _row(curve) for curve in found}
    mine = rows.pop(own)
    return {"curve": mine["curve"], "others": list(rows.values())}


def _row(curve: Curve) -> dict[str, Any]:
    """A curve as cards keep it."""
    names = ("name", "algorithm", "preset", "seed", "turns", "cpu_seconds")
    return {**{name: getattr(curve, name) for name in names}, "curve": curve.points}


def _histogram(scores: np.ndarray, rules: Rules) -> list[int]:
    """Games by score."""
    return np.bincount(scores, minlength=rules.max_score + 1).tolist()
