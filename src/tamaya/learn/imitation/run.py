"""A run that learns from games of people, in a folder; it can be stopped at any time.

| file             | what it is                                                          |
|------------------|---------------------------------------------------------------------|
| `imitation.json` | rules, seed, fingerprint of the games, all settings                 |
| `checkpoint.pt`  | everything the run needs to continue, replaced after every epoch    |
| `log.jsonl`      | losses of every epoch                                               |
| `best.npz`       | the networks that are finished, an agent like any other             |
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import tamaya
from tamaya.agents.learned.files import write_network
from tamaya.checked_files import FileError, short
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.imitation.decisions import Decisions, decisions_of
from tamaya.learn.imitation.games import TRAIN, VALIDATION, PersonGame, games_in
from tamaya.learn.imitation.learner import ImitationLearner, Material, material_of
from tamaya.learn.imitation.plan import PLAN, ImitationPlan, read_plan, write_plan
from tamaya.learn.journal import LOG, Journal
from tamaya.learn.signals import Signals
from tamaya.learn.threads import set_up_torch
from tamaya.run_folder import RunError, hold_folder, move_aside

CHECKPOINT = "checkpoint.pt"
RUN_FILES = (PLAN, "checkpoint*", LOG, "best.*", "events")


class ImitationRun:
    """A run in its folder: resumes an existing one, or begins; ``fresh`` moves an old one aside."""

    def __init__(
        self,
        folder: Path,
        plan: ImitationPlan,
        games: Sequence[PersonGame],
        fresh: bool = False,
        on_game: Callable[[int], None] = lambda n: None,
    ) -> None:
        set_up_torch()
        self.folder, self.plan = folder, plan
        self.close = hold_folder(folder, self)
        self.aside = move_aside(folder, RUN_FILES) if fresh else None
        self._check_folder()
        split = plan.settings.split
        parts = [games_in(games, [part], split) for part in (TRAIN, VALIDATION)]
        for part, found in zip((TRAIN, VALIDATION), parts, strict=True):
            if not found:
                raise RunError(f"no games for {part}: too few people, or another split is needed")
        train, held_out = self._materials(parts, on_game)
        self.learner = ImitationLearner(train, held_out, plan.settings, plan.seed)
        self.cpu_seconds = 0.0
        if (folder / CHECKPOINT).exists():
            self._resume()
        write_plan(folder, plan)
        self.journal = Journal(folder, self.learner.epochs_done)
        self.wants_to_stop = False
        self.on_stop: Callable[[], None] = lambda: None

    def _check_folder(self) -> None:
        """Refuse a folder with another run, or with results that cannot be resumed."""
        before = read_plan(self.folder)
        if before is not None and before != self.plan:
            what = "other games" if before.data != self.plan.data else "another seed or settings"
            raise RunError(f"the run in {self.folder} has {what}: choose another folder, or "
                           "--fresh to move it aside")  # fmt: skip
        others = [name for name in ("run.json", "evolution.json", "best.npz")
                  if (self.folder / name).exists()]  # fmt: skip
        if (others and not (self.folder / CHECKPOINT).exists()) or "run.json" in others:
            raise RunError(f"{self.folder} contains {others[0]} of a run that cannot be resumed "
                           "here: choose another folder, or --fresh to move it aside")  # fmt: skip

    def _materials(
        self, parts: Sequence[Sequence[PersonGame]], on_game: Callable[[int], None]
    ) -> list[Material]:
        """The turns to learn from, and those that say when to stop."""
        settings, n_before, materials = self.plan.settings, 0, []
        for games in parts:
            names = settings.adviser_names(games[0].game.rules.players)
            counted = _counting_from(n_before, on_game)
            decisions: Decisions = decisions_of(games, names, counted)
            materials.append(material_of(decisions, settings.power))
            n_before += len(games)
        return materials

    def _resume(self) -> None:
        path = self.folder / CHECKPOINT
        state = read_checkpoint(path)
        try:
            self.learner.restore(state["learner"])
            self.cpu_seconds = float(state["cpu_seconds"])
        except (LookupError, TypeError, ValueError, RuntimeError, AttributeError) as error:
            what = short(str(error))
            raise FileError(f"{path} does not fit: {type(error).__name__} {what}") from error

    def train(self, on_progress: Callable[[dict[str, Any]], None] = lambda row: None) -> None:
        """Learn until all networks are trained, or a signal."""
        with Signals(self._stop_on_signal):
            while not self.learner.is_done and not self.wants_to_stop:
                started, n_finished = process_time(), len(self.learner.finished)
                figures = self.learner.step()
                self.cpu_seconds += process_time() - started
                row = self.journal.write(self.learner.epochs_done, **figures,
                                         cpu_seconds=round(self.cpu_seconds, 1))  # fmt: skip
                if len(self.learner.finished) > n_finished:
                    self._write_network()
                self.save()
                on_progress(row)

    def _stop_on_signal(self) -> None:
        self.wants_to_stop = True
        self.on_stop()

    def save(self) -> None:
        """Write the checkpoint."""
        state = {"learner": self.learner.state(), "cpu_seconds": self.cpu_seconds}
        write_checkpoint(self.folder / CHECKPOINT, state)

    def _write_network(self) -> None:
        """Write the agent that averages the networks finished so far."""
        learner, settings = self.learner, self.plan.settings
        metadata = {
            **learner.metadata, "members": len(learner.finished), "algorithm": "human",
            "seed": self.plan.seed, "turns": len(learner.train.moves), "preset": "people",
            "people": len(learner.train.decisions.people), "data": self.plan.data,
            "settings": {name: getattr(settings, name) for name in settings.__dataclass_fields__},
            "cpu_seconds": round(self.cpu_seconds), "version": tamaya.__version__, "curve": [],
            "provenance": "learned from games of people", "source": self.plan.source,
        }  # fmt: skip
        write_network(self.folder / "best.npz", metadata, learner.weights())


def _counting_from(first: int, on_game: Callable[[int], None]) -> Callable[[int], None]:
    return lambda n: on_game(first + n)
