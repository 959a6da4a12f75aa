"""A training run in a folder, the same for every algorithm; it may be stopped at any moment.

| file            | what it is                                                                  |
|-----------------|-----------------------------------------------------------------------------|
| `run.json`      | algorithm, rules, seed, planned turns, settings                             |
| `checkpoint.pt` | all that decides how the run goes on, replaced at once                      |
| `log.jsonl`     | figures along the way, validation scores among them                         |
| `latest.npz`    | the network of the last validation, an agent like any other (`.json`: card) |
| `best.npz`      | the one with the best validation score so far                               |

A run that was resumed equals one that was not stopped, bit for bit, on the same kind of processor.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Protocol

import numpy as np

import tamaya
from tamaya.agents.learned.files import write_network
from tamaya.learn import acha, bad, ppo, rainbow
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.journal import Journal
from tamaya.learn.signals import Signals
from tamaya.learn.threads import set_up_torch
from tamaya.learn.validation import Examiner, summary
from tamaya.rules import Rules

# Modules with Settings, PRESETS and Learner.
ALGORITHMS: dict[str, Any] = {"ppo": ppo, "rainbow": rainbow, "acha": acha, "bad": bad}


class Learner(Protocol):
    """What an algorithm has to offer to be run."""

    turns: int  # of all games so far

    @property
    def card(self) -> dict[str, Any]:
        """Encoder and shape of its network."""

    def parts(self) -> dict[str, np.ndarray]:
        """The weights of its network."""

    def step(self) -> dict[str, float]:
        """Learn from some more turns; gives figures for the log."""

    def state(self) -> dict[str, Any]:
        """Everything that decides how learning goes on."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""


@dataclass(frozen=True)
class Plan:
    """What a run is told at its beginning."""

    algorithm: str = "ppo"
    rules: str = "players=2"
    seed: int = 1
    turns: int = 100_000_000  # planned; schedules run over all of them
    preset: str = "self-play"
    settings: tuple[tuple[str, Any], ...] = ()  # that differ from the preset
    log_every: int = 250_000  # turns
    validate_every: int = 1_000_000  # turns
    validation_games: int = 1000

    def paced(self) -> "Plan":
        """With twenty points or more on the curve of a run that is short but not tiny."""
        every = min(self.validate_every, max(self.turns // 20, 50_000))
        return replace(self, validate_every=every, log_every=min(self.log_every, every))

    def full_settings(self) -> Any:
        """The settings of the algorithm."""
        module = ALGORITHMS[self.algorithm]
        return replace(module.Settings(), **{**module.PRESETS[self.preset], **dict(self.settings)})

    def learner(self) -> Learner:
        """The algorithm at its beginning."""
        module = ALGORITHMS[self.algorithm]
        rules = Rules.parse(self.rules)
        return module.Learner(rules, self.full_settings(), self.seed, self.turns)


def write_plan(folder: Path, plan: Plan) -> None:
    """Put down what a run is about; all settings in full, for people and for cards."""
    settings = {name: getattr(plan.full_settings(), name)
                for name in plan.full_settings().__dataclass_fields__}  # fmt: skip
    document = {**asdict(plan), "settings": dict(plan.settings), "all_settings": settings,
                "version": tamaya.__version__}  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read_plan(folder: Path) -> Plan | None:
    """The plan of a run that is there already."""
    path = folder / "run.json"
    if not path.exists():
        return None
    document = json.loads(path.read_text(encoding="utf-8"))
    settings = {key: tuple(value) if isinstance(value, list) else value
                for key, value in document["settings"].items()}  # fmt: skip
    names = Plan.__dataclass_fields__.keys() - {"settings"}
    return Plan(**{name: document[name] for name in names}, settings=tuple(settings.items()))


class Run:
    """A run in its folder: continues what is there, or begins."""

    def __init__(self, folder: Path, plan: Plan, threads: int = 1) -> None:
        set_up_torch()
        self.folder, self.plan = folder, plan
        self.learner = plan.learner()
        if threads > 1:
            _use_threads(self.learner, threads, plan.algorithm)
        write_plan(folder, plan)  # of a run that can begin
        self.seconds, self.cpu_seconds, self.best = 0.0, 0.0, -1.0
        checkpoint = folder / "checkpoint.pt"
        gathered = []
        if checkpoint.exists():
            state = read_checkpoint(checkpoint)
            self.learner.restore(state["learner"])
            self.seconds, self.cpu_seconds = state["seconds"], state["cpu_seconds"]
            self.best, gathered = state["best"], state["gathered"]
        self.journal = Journal(folder, self.learner.turns)
        self.journal.gathered = gathered
        rules = Rules.parse(plan.rules)
        self.examiner = Examiner(rules, self.learner.card, self.learner.parts())
        self.goal = plan.turns
        self.wants_to_stop = False

    def train(
        self,
        hours: float = 0,
        on_progress: Callable[[dict[str, Any]], None] = lambda row: None,
        checkpoint_every: float = 300,
        until: int | None = None,
    ) -> dict[str, Any]:
        """Learn until the planned turns or some hours are over, or a signal; gives the last line.

        A goal of fewer turns may be set (``until``), which ends with a validation too.

        Ctrl-C and the usual signal to end a process finish the batch and save first.
        """
        started, saved = monotonic(), monotonic()
        self.goal = min(until or self.plan.turns, self.plan.turns)
        first = self.learner.turns
        row: dict[str, Any] = {"turns": first}
        with Signals(self.stop):
            while self.learner.turns < self.goal and not self.wants_to_stop:
                row = self._batch()
                now = monotonic()
                row["turns_per_second"] = (row["turns"] - first) / (now - started)
                on_progress(row)
                if now - saved > checkpoint_every:
                    self.save()
                    saved = now
                if hours and now - started > 3600 * hours:
                    break
        self.save()
        return row

    def stop(self) -> None:
        """End training after the batch."""
        self.wants_to_stop = True

    def _batch(self) -> dict[str, Any]:
        """One step of the learner, what is due after it, and what there is to show."""
        before, clock, cpu = self.learner.turns, monotonic(), process_time()
        figures = self.learner.step()
        self.journal.gather(figures)
        turns = self.learner.turns
        is_last = turns >= self.goal
        validated = {}
        if _is_due(before, turns, self.plan.validate_every) or is_last:
            validated = {"validation": self._validate()}
        self.seconds += monotonic() - clock
        self.cpu_seconds += process_time() - cpu
        row: dict[str, Any] = {"turns": turns, **figures}
        if validated or _is_due(before, turns, self.plan.log_every):
            row = self.journal.write(turns, **validated, seconds=round(self.seconds, 1),
                                     cpu_seconds=round(self.cpu_seconds, 1))  # fmt: skip
        return row

    def _validate(self) -> dict[str, float | int]:
        """Score on the validation deals; keeps the network, and again if it is the best so far."""
        parts = self.learner.parts()
        self.examiner.load(parts)
        scores = self.examiner.scores(self.plan.validation_games)
        result = summary(scores, self.examiner.rules)
        card = {**self.examiner.card, **self.provenance(), "validation": result}
        write_network(self.folder / "latest.npz", card, parts)
        if result["mean"] > self.best:
            self.best = float(result["mean"])
            write_network(self.folder / "best.npz", card, parts)
        return result

    def provenance(self) -> dict[str, Any]:
        """Where the network comes from, for its card."""
        plan = self.plan
        return {
            "algorithm": plan.algorithm, "preset": plan.preset, "seed": plan.seed,
            "turns": self.learner.turns, "planned_turns": plan.turns,
            "cpu_seconds": round(self.cpu_seconds), "version": tamaya.__version__,
            "settings": {name: getattr(plan.full_settings(), name)
                         for name in plan.full_settings().__dataclass_fields__},
            "provenance": "learned from scratch in self-play",
        }  # fmt: skip

    def save(self) -> None:
        """Write the checkpoint."""
        state = {"learner": self.learner.state(), "seconds": self.seconds, "best": self.best,
                 "cpu_seconds": self.cpu_seconds,
                 "gathered": self.journal.gathered}  # fmt: skip
        write_checkpoint(self.folder / "checkpoint.pt", state)


def _use_threads(learner: Any, n: int, algorithm: str) -> None:
    if not hasattr(learner, "use_threads"):
        raise ValueError(f"{algorithm} learns on one thread, not on {n}")
    learner.use_threads(n)


def _is_due(before: int, now: int, every: int) -> bool:
    """Whether a multiple was passed."""
    return before // every != now // every
