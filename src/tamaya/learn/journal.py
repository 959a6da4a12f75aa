"""The log of a run: JSON lines, and TensorBoard's event files where that package is installed."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, entry, read_json_lines

LOG = "log.jsonl"
REMEDY = "the run can be resumed without that line, which contains only figures"


class Journal:
    """Collects figures of batches and writes their means; a resumed run appends."""

    def __init__(self, folder: Path, turns: int) -> None:
        self.path = folder / LOG
        self.gathered: list[dict[str, float]] = []
        # Lines that a killed run wrote after its last checkpoint are written again.
        kept = [row for row in read_journal(folder) if row["turns"] <= turns]
        write_atomically(self.path, "".join(json.dumps(row) + "\n" for row in kept))
        self._events = _event_writer(folder, turns)

    def gather(self, figures: dict[str, float]) -> None:
        """Keep the figures of a batch for the next line."""
        self.gathered.append(figures)

    def write(self, turns: int, **more: Any) -> dict[str, Any]:
        """Write a line with the means of the collected figures; returns it."""
        row: dict[str, Any] = {"turns": turns}
        for name in self.gathered[0] if self.gathered else ():
            values = np.array([figures[name] for figures in self.gathered])
            known = values[~np.isnan(values)]
            row[name] = float(f"{known.mean():.7g}") if len(known) else None
        row |= more
        self.gathered = []
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if self._events is not None:
            for name, value in row.items():
                if isinstance(value, int | float) and name != "turns":
                    self._events.add_scalar(name, value, turns)
        return row


def read_journal(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run so far; a line that was cut off by a kill is skipped."""
    path = folder / LOG
    rows = read_json_lines(path, REMEDY) if path.exists() else []
    for number, row in enumerate(rows, 1):
        with blaming(path, f"line {number}", REMEDY):
            _check_row(row)
    return rows


def _check_row(row: dict[str, Any]) -> None:
    entry(row, "turns", int, least=0)
    if "validation" in row:
        entry(entry(row, "validation", dict), "mean", float)
    if "cpu_seconds" in row:
        entry(row, "cpu_seconds", float)


def _event_writer(folder: Path, turns: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:  # the log has the same figures
        return None
    return SummaryWriter(str(folder / "events"), purge_step=turns + 1)
