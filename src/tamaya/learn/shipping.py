"""From a training run to an agent: its network with a full card, scored on the test deals."""

from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agents.learned.files import read_card, write_network
from tamaya.agents.learned.kinds import network_file
from tamaya.learn.evolution import read_history
from tamaya.learn.journal import read_journal
from tamaya.learn.validation import TEST, summary
from tamaya.rules import Rules
from tamaya.table import play


def curve(folder: Path) -> list[tuple[int, float]]:
    """Validation means of a run by turns; those of a population's best, by the turns of all."""
    history = read_history(folder)
    if history:
        size = len(history[0].values)
        return [(size * each.turns, round(max(each.scores), 3)) for each in history[1:]]
    rows = (row for row in read_journal(folder) if "validation" in row)
    return [(row["turns"], round(row["validation"]["mean"], 3)) for row in rows]


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
    card |= {"description": description, "score": test, "curve": curve(folder)}
    with np.load(source) as parts:
        write_network(out, card, dict(parts))
    return card


def _histogram(scores: np.ndarray, rules: Rules) -> list[int]:
    """Games by score."""
    return np.bincount(scores, minlength=rules.max_score + 1).tolist()
