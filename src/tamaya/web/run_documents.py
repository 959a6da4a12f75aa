"""Runs as the page shows them: progress, curves with errors, rule lists, the map, networks.

Everything is read from the files of runs, possibly while they are being written: files that are
replaced atomically, and logs whose last line may be incomplete. Unreadable files are lines in
``errors``, and the rest is shown.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agents.learned.files import read_metadata
from tamaya.agents.rules.language import SIZES, parse_rules
from tamaya.checked_files import (
    FileError,
    blaming,
    check_array,
    check_finite,
    checked,
    entry,
    read_arrays,
)
from tamaya.evolve.folder import read_run
from tamaya.evolve.outcome import CURVES, TOP, finalists_in, generations_in
from tamaya.evolve.situational import read_parts
from tamaya.learn.curves import curves_of
from tamaya.learn.journal import LOG, read_journal
from tamaya.learn.pbt import HISTORY, read_history
from tamaya.rules import Rules
from tamaya.web.run_curves import (
    MOST_CHANGES,
    MOST_GENES,
    Document,
    Points,
    evolution_chart,
    finite,
    front_changes,
    genes_of,
    list_plan,
    thinned,
    training_scores,
    validations,
)
from tamaya.web.run_folders import (
    BEST,
    ELITES,
    EVOLUTION,
    NETWORKS,
    NOBODY,
    PARTS,
    PLAN,
    POPULATION,
    TRAINING,
    FoundRun,
    RunFolder,
    Signature,
    training_plan,
)

MAP = "map.npz"
MOST_OF_MAP = 32 << 20  # bytes, unpacked
MOST_CELLS = 64  # of a side
MOST_NETWORKS = 100  # of a folder


@dataclass(frozen=True)
class ListedRules:
    """A rule list of a run that can sit down at a table."""

    key: str
    title: str
    text: str  # as `rules:` takes it, options included
    rules: str  # of the game that it was made for, without the number of players
    sizes: tuple[int, ...]  # tables that it was made for
    mean: float | None = None
    se: float | None = None
    games: int | None = None

    def summary(self) -> Document:
        """For the screen of the run."""
        return {"key": self.key, "title": self.title, "sizes": self.sizes, "mean": self.mean,
                "se": self.se, "games": self.games}  # fmt: skip

    def document(self) -> Document:
        """The list of each table size, rule by rule."""
        found = parse_rules(self.text)
        steps = {size: [str(step) for step in found.lists[SIZES.index(size)]]
                 for size in self.sizes}  # fmt: skip
        options = "".join(f"{key}={str(value).lower()}," for key, value in found.options)
        return {**self.summary(), "options": options, "steps": steps, "rules": self.rules}


@dataclass
class RunDocument:
    """The document of a run, and its agents that can be played with."""

    name: str
    kind: str
    line: str = ""
    done: float = 0.0
    of: float = 0.0
    changed: float = 0.0
    facts: list[tuple[str, str]] = field(default_factory=list)
    charts: list[Document] = field(default_factory=list)
    lists: list[ListedRules] = field(default_factory=list)
    changes: list[Document] = field(default_factory=list)
    cells: int = 0
    niches: list[Document] = field(default_factory=list)
    networks: list[Document] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)  # of networks, by key
    errors: list[str] = field(default_factory=list)

    def summary(self) -> Document:
        """For the list of runs."""
        nobody = "" if self.lists or self.networks else NOBODY.get(self.kind, "")
        return {"name": self.name, "kind": self.kind, "line": self.line, "done": self.done,
                "of": self.of, "changed": self.changed, "errors": self.errors,
                "nobody": nobody}  # fmt: skip

    def document(self) -> Document:
        """For the screen of the run."""
        return {**self.summary(), "facts": self.facts, "charts": self.charts,
                "lists": [one.summary() for one in self.lists], "changes": self.changes,
                "cells": self.cells, "niches": self.niches,
                "networks": self.networks}  # fmt: skip


class RunReader:
    """Reads the runs of a folder; what has not changed is not read again."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._kept: dict[str, tuple[Signature, RunDocument]] = {}

    def all(self) -> list[RunDocument]:
        """All runs, those that changed last first."""
        found = self.folder.runs()
        self._kept = {run.name: self._kept[run.name] for run in found if run.name in self._kept}
        return sorted((self._read(run) for run in found), key=lambda run: -run.changed)

    def get(self, name: str) -> RunDocument | None:
        """A run by its name, None if there is none."""
        return next((self._read(run) for run in self.folder.runs() if run.name == name), None)

    def _read(self, run: FoundRun) -> RunDocument:
        if run.error:
            return RunDocument(run.name, run.kind, errors=[run.error])
        try:
            signature = tuple(self._signature(run))
        except (ValueError, OSError) as error:
            return RunDocument(run.name, run.kind, errors=[self.folder.words(error)])
        kept = self._kept.get(run.name)
        if kept is None or kept[0] != signature:
            document = RunDocument(run.name, run.kind)
            document.changed = max((time for _, time, _ in signature), default=0) / 1e9
            with self._noting(document):
                _READERS[run.kind](self, document, run.folder)
            self._kept[run.name] = kept = signature, document
        return kept[1]

    def _signature(self, run: FoundRun) -> Iterator[tuple[str, int, int]]:
        """Names, times and sizes of all files that are read, each of which is checked here."""
        for folder in (run.folder, *self._inner(run)):
            networks = self.folder.networks(folder)
            names = [PLAN, PARTS, POPULATION, CURVES, TOP, MAP, LOG, HISTORY, BEST,
                     *(path.name for path in networks),
                     *(path.with_suffix(".json").name for path in networks)]  # fmt: skip
            inner = folder.name if folder != run.folder else ""
            for name, changed, size in self.folder.check_files(folder, names):
                yield f"{inner}/{name}", changed, size

    def _inner(self, run: FoundRun) -> list[Path]:
        """Folders of the parts of a run, or of its members."""
        if run.kind == TRAINING and (run.folder / POPULATION).exists():
            members = sorted(run.folder.glob("member-*"))
            for folder in members:
                self.folder.check_inside(folder)
            return members
        return list(self._parts(run.folder).values()) if run.kind == EVOLUTION else []

    def _parts(self, folder: Path) -> dict[str, Path]:
        """Folders of the parts of a run that was split, by name."""
        self.folder.check_files(folder, [PARTS])
        parts = {name: folder / name for name in read_parts(folder) or ()}
        for name, home in parts.items():
            if home.parent != folder or name in ("", ".", ".."):
                place = self.folder.relative(folder / PARTS)
                raise FileError(f"{place}: {name!r} is not the name of a part")
            if home.exists():
                self.folder.check_inside(home)
        return {name: home for name, home in parts.items() if home.is_dir()}

    @contextmanager
    def _noting(self, document: RunDocument) -> Iterator[None]:
        """Turn what is wrong with a file into a line of the document."""
        try:
            yield
        except (ValueError, OSError) as error:
            document.errors.append(self.folder.words(error))

    # Evolution.

    def _evolution(self, document: RunDocument, folder: Path) -> None:
        parts = self._parts(folder)
        lines = []
        for name, home in (parts or {"": folder}).items():
            with self._noting(document):
                lines.append(self._part(document, home, name))
        document.line = ", ".join(filter(None, lines)) or "not begun"
        if document.of and document.done >= document.of:
            document.line = f"finished: {document.line}"
        if parts and (folder / BEST).exists():
            with self._noting(document):
                self._combined(document, folder / BEST)

    def _part(self, document: RunDocument, folder: Path, name: str) -> str:
        plan, rows = read_run(folder), generations_in(folder)
        if plan is None:
            return ""
        with blaming(folder / PLAN):
            total, population = (entry(plan, key, int, 1) for key in ("generations", "population"))
            genes, sizes = list_plan(plan)
        document.done += len(rows)
        document.of += total
        protocol = plan["protocol"]
        title = f"{name} players" if name else "all sizes"
        if not document.facts:
            pool = f", partners {protocol['pool']}" if protocol["kind"] == "mixed" else ""
            document.facts += [("scored by", f"{protocol['kind']} play{pool}"),
                               ("rules", protocol["rules"] or "standard"),
                               ("population", f"{population:,} lists of {len(genes)} rules"),
                               ("seed", str(plan.get("seed", "")))]  # fmt: skip
        options = f"faithful={str(plan.get('faithful', True)).lower()},"

        def listed(key: str, words: str, rules: str, **more: Any) -> ListedRules:
            return ListedRules(f"{name or 'all'} {key}", words, options + rules,
                               protocol["rules"], sizes, **more)  # fmt: skip

        finalists = finalists_in(folder) if (folder / TOP).exists() else []
        final: Points = [[len(rows) - 1, one.mean, one.se] for one in finalists[:1]]
        if rows:
            document.charts.append(evolution_chart(title, rows, population, final))
        for place, one in enumerate(finalists[:3], 1):
            document.lists.append(listed(f"finalist {place}", f"{title}, finalist {place}",
                                         one.rules, mean=one.mean, se=one.se,
                                         games=one.games))  # fmt: skip
        with blaming(folder / CURVES):
            fronts = [genes_of(row, genes) for row in rows]
        document.changes += front_changes(title, rows, fronts)
        if rows and not finalists:
            document.lists.append(listed("now", f"{title}, best of generation {len(rows)}",
                                         ",".join(fronts[-1])))  # fmt: skip
        best = finalists[0].mean if finalists else rows[-1]["best"] if rows else None
        score = f" {best:.2f}" if best is not None else ""
        return f"{title}{score}" + ("" if finalists else f" (generation {len(rows)} of {total})")

    def _combined(self, document: RunDocument, path: Path) -> None:
        """The agent that all parts make up."""
        with blaming(path):
            lines = path.read_text("utf-8").splitlines()
            heads = "[", "faithful="
            kept = [line for line in lines if line[:1].isupper() or line.startswith(heads)]
            parse_rules(text := ",".join(kept))
        rules = document.lists[0].rules if document.lists else ""
        combined = ListedRules("all", "all parts together", text, rules, tuple(SIZES))
        document.lists.insert(0, combined)

    # MAP-Elites.

    def _elites(self, document: RunDocument, folder: Path) -> None:
        plan, path = read_run(folder), folder / MAP
        assert plan is not None
        with blaming(folder / PLAN):
            cells, length = entry(plan, "cells", int, 1), entry(plan, "length", int, 1)
            document.of = entry(plan, "random", int) + entry(plan, "variants", int)
            genes, sizes = list_plan(plan)
            if cells > MOST_CELLS or length > MOST_GENES:
                raise ValueError(f"a map has at most {MOST_CELLS} cells a side, and lists of "
                                 f"{MOST_GENES} rules")  # fmt: skip
        protocol = plan["protocol"]
        document.cells = cells
        document.facts += [("rules", protocol["rules"] or "standard"),
                           ("lists", f"{length} of {len(genes)} rules"),
                           ("map", f"{cells} × {cells} styles")]  # noqa: RUF001  # fmt: skip
        document.line = "not begun"
        if not path.exists():
            return
        arrays = read_arrays(path, MOST_OF_MAP)
        with blaming(path):
            document.done = int(check_array(arrays, "done", "iu", ()))
            solutions = check_array(arrays, "solution", "iuf", (None, length)).astype(np.int64)
            means = check_array(arrays, "objective", "f", (len(solutions),))
            measures = check_array(arrays, "measures", "f", (len(solutions), 2))
            check_finite(arrays)
            if len(solutions) > cells * cells:
                raise ValueError(f"{len(solutions)} lists for {cells * cells} cells")
            if len(solutions) and not 0 <= solutions.min() <= solutions.max() < len(genes):
                raise ValueError(f"a list has other genes than {len(genes)}")
        options = f"faithful={str(plan.get('faithful', True)).lower()},"
        for solution, mean, (tells, caution) in zip(solutions, means, measures, strict=True):
            x, y = (min(cells - 1, int(value * cells)) for value in (tells, caution))
            key = f"c{x:02d}-r{y:02d}"
            document.niches.append({"key": key, "x": x, "y": y, "mean": float(mean),
                                    "tells": float(tells), "caution": float(caution)})  # fmt: skip
            text = options + ",".join(genes[gene] for gene in solution)
            title = f"tells {tells:.2f}, risk aversion {caution:.2f}"
            document.lists.append(ListedRules(key, title, text, protocol["rules"], sizes,
                                              float(mean)))  # fmt: skip
        document.lists.sort(key=lambda one: -(one.mean or 0.0))
        document.niches.sort(key=lambda niche: -niche["mean"])
        best = f", best {means.max():.2f}" if len(means) else ""
        document.line = f"{len(solutions)} of {cells * cells} styles{best}"

    # Training.

    def _training(self, document: RunDocument, folder: Path) -> None:
        members = sorted(folder.glob("member-*")) if (folder / POPULATION).exists() else []
        series, best = [], -1.0
        for home in members or [folder]:
            with self._noting(document):
                plan, rows = training_plan(home), read_journal(home)
                points = validations(rows)
                series.append({"name": home.name if members else "validation",
                               "style": "line", "points": thinned(points)})  # fmt: skip
                if not members:
                    series += training_scores(rows)
                best = max([best, *(y for _, y, _ in points if y is not None)])
                document.done = max(document.done, rows[-1]["turns"] if rows else 0)
                document.of = max(document.of, plan["turns"])
                if not document.facts:
                    document.facts = _training_facts(plan)
        if members:
            document.facts.append(("population", f"{len(members)} members"))
            for generation in read_history(folder):
                document.changes += [
                    {"title": f"member {taken.member + 1}", "at": f"{generation.turns / 1e6:.1f}M",
                     "best": generation.scores[taken.source] if generation.scores else None,
                     "entered": [f"copied member {taken.source + 1}"], "left": []}
                    for taken in generation.takeovers
                ]  # fmt: skip
            document.changes = document.changes[-MOST_CHANGES:]
        document.charts.append({"title": "", "x": "million turns", "series": series})
        reached = f", best validation {best:.2f}" if best >= 0 else ""
        document.line = f"{document.done / 1e6:.1f} of {document.of / 1e6:g} M turns{reached}"
        self._networks(document, folder)

    def _networks(self, document: RunDocument, folder: Path) -> None:
        """The networks of a folder, whatever made them."""
        for path in self.folder.networks(folder)[:MOST_NETWORKS]:
            with self._noting(document):
                if not path.with_suffix(".json").exists():
                    continue
                metadata = read_metadata(path)
                with blaming(path.with_suffix(".json")):
                    rules = entry(metadata, "rules", str)
                    players = Rules.parse(rules).players
                    score = metadata.get("score") or metadata.get("validation") or {}
                    checked(score, dict, "'score'")
                known = {name: finite(score.get(name)) for name in ("mean", "se", "games")}
                document.networks.append({"key": path.stem, "players": players, "rules": rules,
                                          **known})  # fmt: skip
                document.files[path.stem] = path

    def _only_networks(self, document: RunDocument, folder: Path) -> None:
        self._networks(document, folder)
        series = []
        for path in document.files.values():
            with self._noting(document):
                for curve in curves_of(str(path))[:1]:
                    points: Points = [[turns / 1e6, score, None] for turns, score in curve.points]
                    line = {"name": path.stem, "style": "line", "points": thinned(points)}
                    series.append(line)
        if series:
            document.charts.append({"title": "", "x": "million turns", "series": series})
        document.line = f"{len(document.networks)} network{'s'[: len(document.networks) != 1]}"


_READERS: dict[str, Callable[[RunReader, RunDocument, Path], None]] = {
    EVOLUTION: RunReader._evolution,
    ELITES: RunReader._elites,
    TRAINING: RunReader._training,
    NETWORKS: RunReader._only_networks,
}


def _training_facts(plan: Document) -> list[tuple[str, str]]:
    return [("algorithm", f"{plan['algorithm']}, {plan['preset']}"), ("rules", plan["rules"]),
            ("seed", str(plan["seed"]))]  # fmt: skip
