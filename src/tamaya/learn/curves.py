"""Learning curves of runs, of folders of runs, and of agents from their metadata.

Reads files only; torch is not needed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tamaya.agents.learned.family import LearnedAgent
from tamaya.agents.learned.files import Metadata, read_metadata
from tamaya.arena.protocols.training import Curve
from tamaya.checked_files import blaming, checked, entry, read_json
from tamaya.learn.journal import read_journal
from tamaya.rules import Rules
from tamaya.run_folder import ASIDE

_KINDS = {"algorithm": str, "preset": str, "seed": int, "turns": int, "cpu_seconds": float}


def validation_points(folder: Path) -> list[tuple[int, float]]:
    """Validation means of a run by turns."""
    rows = (row for row in read_journal(folder) if "validation" in row)
    return [(row["turns"], round(row["validation"]["mean"], 3)) for row in rows]


def curves_of(text: str) -> list[Curve]:
    """The curves of a run's folder, of the runs in a folder, of a network's file or an agent."""
    path = Path(text)
    if path.is_dir():
        found = [*_runs_in(path)]
        if not found:
            raise ValueError(f"{text} contains no training run with a validated network yet")
        return found
    if path.suffix == ".npz":
        with blaming(path.with_suffix(".json")):
            return _metadata_curves(path.stem, read_metadata(path))
    if ("/" in text or "\\" in text) and not path.exists():
        raise ValueError(f"{text}: there is no such folder")
    return _agent_curves(text)


def _runs_in(folder: Path) -> Iterator[Curve]:
    """The run of a folder, or those of the folders in it."""
    plans = [folder / "run.json"]
    if not plans[0].exists():
        plans = sorted(path for path in folder.glob("*/run.json")
                       if not path.parent.name.startswith(f"{ASIDE}-"))  # fmt: skip
    for plan in plans:
        points = validation_points(plan.parent)
        if not points:
            continue
        document, last = read_json(plan), read_journal(plan.parent)[-1]
        with blaming(plan):
            row = {**document, "turns": last["turns"], "cpu_seconds": last["cpu_seconds"]}
            yield _curve(plan.parent.name, row, entry(document, "rules", str), points, None)


def _agent_curves(name: str) -> list[Curve]:
    """The curves in the metadata of an agent's networks."""
    from tamaya.lookup import find_agent

    player = find_agent(name)
    if not isinstance(player, LearnedAgent):
        raise ValueError(f"{name} was not trained: expected folders of runs or learned agents")
    found = [_metadata_curves(name, network.metadata) for network in player.networks.values()]
    if not any(found):
        raise ValueError(f"{name} did not learn by playing and has no curve: see tamaya predict")
    return [curve for curves in found for curve in curves]


def _metadata_curves(name: str, metadata: Metadata) -> list[Curve]:
    """The curve of a network, and those of the other members if it comes from a population."""
    others = checked(metadata.get("others", []), list, "'others'")
    rows = [{**metadata, "name": name}, *others]
    return [
        _curve(entry(row, "name", str), row, metadata["rules"], row["curve"], row.get("score"))
        for row in rows
        if checked(row, dict, "one of 'others'").get("curve")
    ]


def _curve(name: str, row: dict[str, Any], rules: Any, points: Any, test: Any) -> Curve:
    """A curve of checked entries."""
    values = {key: entry(row, key, kind) for key, kind in _KINDS.items()}
    Rules.parse(checked(rules, str, "'rules'"))
    pairs = []
    for point in checked(points, list, "'curve'"):
        if not isinstance(point, list | tuple) or len(point) != 2:
            raise ValueError("a point of 'curve' should be turns and a score")
        pairs.append((checked(point[0], int, "turns"), checked(point[1], float, "a score")))
    if test is not None:
        for key in ("mean", "se", "perfect"):
            entry(checked(test, dict, "'score'"), key, float)
    return Curve(name, **values, rules=rules, points=tuple(pairs), test=test)
