"""The folder of runs that a server shows, and nothing outside it.

Runs are looked for in the folder and one level below. A name that a client sends is looked up among
those that were found, so it never becomes a path. Only plain files of bounded size inside the
folder are read, also after following all links; everything else is a FileError of one line.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamaya.checked_files import FileError, blaming, entry, read_json
from tamaya.run_folder import ASIDE
from tamaya.web.values import plain_text

EVOLUTION, ELITES, TRAINING, NETWORKS = "evolution", "elites", "training", "networks"
# Why there is no agent to play with, by the kind of a run.
NOBODY = {
    EVOLUTION: "The first generation is not finished; it will leave a rule list.",
    ELITES: "The map is still empty; its styles are rule lists.",
    TRAINING: "The folder has no network (best.npz or latest.npz). A run writes them at every "
    "validation; this page shows its log.",
    NETWORKS: "None of the networks in the folder can be read.",
}
PLAN, PARTS, POPULATION = "run.json", "parts.json", "population.json"
MOST_RUNS = 200
MOST_ENTRIES = 2000  # of a folder
MOST_BYTES = 32 << 20  # of a log or of weights; logs of the longest runs have a hundredth of it
MOST_OF_DOCUMENT = 1 << 20  # bytes of JSON that is no log
MOST_OF_RULES = 64 << 10  # bytes of a rule list for all sizes
BEST = "best.rules"

Signature = tuple[tuple[str, int, int], ...]  # names, times and sizes of files


@dataclass(frozen=True)
class FoundRun:
    """A run: its name among the others, its kind, where it is; an error if it cannot be read."""

    name: str
    kind: str
    folder: Path
    error: str = ""


class RunFolder:
    """A folder with runs of `evolve`, `elites` and `train`, and with networks."""

    def __init__(self, root: Path) -> None:
        self.given, self.root = root, root.resolve()

    def runs(self) -> list[FoundRun]:
        """The runs that are there now, by name."""
        if not self.root.is_dir():
            return []
        own = self._classified(self.root, self.root.name)
        found = [own] if own else list(self._below(self.root, ""))
        return sorted(found, key=lambda run: run.name)[:MOST_RUNS]

    def _below(self, folder: Path, prefix: str) -> Iterator[FoundRun]:
        for path in self._entries(folder):
            name = prefix + plain_text(path.name)
            try:
                self.check_inside(path)
            except FileError as error:
                yield FoundRun(name, "", path, str(error))
                continue
            if not path.is_dir():
                continue
            run = self._classified(path, name)
            if run is not None:
                yield run
            elif not prefix:
                yield from self._below(path, f"{name}/")

    def _classified(self, folder: Path, name: str) -> FoundRun | None:
        """The run of a folder, None if it holds none itself."""
        try:
            kind = self._kind(folder)
        except FileError as error:
            return FoundRun(name, "", folder, self.words(error))
        return FoundRun(name, kind, folder) if kind else None

    def _kind(self, folder: Path) -> str:
        if (folder / PARTS).exists():
            return EVOLUTION
        if (folder / POPULATION).exists():
            return TRAINING
        if (folder / PLAN).exists():
            self.check_files(folder, [PLAN])
            plan = read_json(folder / PLAN)
            if plan.get("algorithm") == "map-elites":
                return ELITES
            return EVOLUTION if "genes" in plan else TRAINING
        networks = (path.with_suffix(".json").exists() for path in self.networks(folder))
        return NETWORKS if any(networks) else ""

    def networks(self, folder: Path) -> list[Path]:
        """Files of weights in a folder, except what runs resume from."""
        others = ("compact.npz", "state.npz", "map.npz")
        return [path for path in self._entries(folder)
                if path.suffix == ".npz" and path.name not in others]  # fmt: skip

    def _entries(self, folder: Path) -> list[Path]:
        """What lies in a folder, without what is hidden or was put aside."""
        try:
            with os.scandir(folder) as found:
                names = [entry.name for entry, _ in zip(found, range(MOST_ENTRIES), strict=False)]
        except OSError:
            return []
        return [folder / name for name in sorted(names)
                if not name.startswith((".", f"{ASIDE}-"))]  # fmt: skip

    def check_inside(self, path: Path) -> None:
        """Refuse what leads out of the folder."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            raise FileError(f"{self.relative(path)} leads nowhere") from None
        if not real.is_relative_to(self.root):
            raise FileError(f"{self.relative(path)} leads out of the folder of runs")

    def check_files(self, folder: Path, names: Iterable[str]) -> Signature:
        """Refuse files that must not be read; those that are missing are no fault."""
        found = []
        for name in names:
            path = folder / name
            if not os.path.lexists(path):
                continue
            self.check_inside(path)
            with blaming(path):
                state = path.stat()
            if not stat.S_ISREG(state.st_mode):
                raise FileError(f"{self.relative(path)} is no plain file")
            most = _most_bytes(name)
            if state.st_size > most:
                raise FileError(f"{self.relative(path)} has {state.st_size >> 10:,} KB, at most "
                                f"{most >> 10:,} are read")  # fmt: skip
            found.append((name, state.st_mtime_ns, state.st_size))
        return tuple(found)

    def relative(self, path: Path) -> str:
        """A path as people here know it."""
        return plain_text(os.path.relpath(path, self.root))

    def words(self, error: Exception) -> str:
        """What is wrong with a file, without the place of the folder on this machine."""
        return plain_text(str(error).replace(f"{self.root}{os.sep}", ""))[:300]


def _most_bytes(name: str) -> int:
    """How long a file may be."""
    if name == BEST:
        return MOST_OF_RULES
    return MOST_OF_DOCUMENT if name.endswith(".json") else MOST_BYTES


def training_plan(folder: Path) -> dict[str, Any]:
    """What decides a run of training; what its algorithm can be set to is not asked here."""
    plan: dict[str, Any] = read_json(folder / PLAN)
    with blaming(folder / PLAN):
        for name in ("algorithm", "rules", "preset"):
            entry(plan, name, str)
        for name in ("seed", "turns"):
            entry(plan, name, int, 0)
    return plan
