"""A training run in a folder, the same for every algorithm; it can be stopped at any time.

| file            | what it is                                                               |
|-----------------|--------------------------------------------------------------------------|
| `run.json`      | algorithm, rules, seed, planned turns, settings                          |
| `checkpoint.pt` | everything the run needs to continue, replaced atomically                |
| `log.jsonl`     | figures along the way, validation scores among them                      |
| `latest.npz`    | the network of the last validation, an agent like any other, with        |
|                 | metadata in `latest.json`                                                |
| `compact.npz`   | what was learned until then, to resume from without `checkpoint.pt`,     |
|                 | with `compact.json`; of algorithms that offer it                         |
| `best.npz`      | the one with the best validation score so far                            |

A resumed run equals one that was never stopped, bit for bit, on the same kind of processor. The
first checkpoint is written before anything is learned, so results without a checkpoint are an
archived run, and are not overwritten. If they include a compact checkpoint, the run resumes from
that, with other games.
"""

from collections.abc import Callable
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np

import tamaya
from tamaya.agents.learned.files import halved, write_network
from tamaya.checked_files import FileError, short
from tamaya.learn.algorithms import ALGORITHMS
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.compact import COMPACT, refill, restore_compact, write_compact
from tamaya.learn.from_network import Source, begin_from
from tamaya.learn.journal import LOG, Journal, read_journal
from tamaya.learn.plan import PLAN, TrainingPlan, all_settings, read_plan, write_plan
from tamaya.learn.signals import Signals
from tamaya.learn.threads import set_up_torch
from tamaya.learn.validation import Evaluator, summary
from tamaya.rules import Rules
from tamaya.run_folder import RunError, hold_folder, move_aside

__all__ = ["ALGORITHMS", "Plan", "Run", "TrainingPlan", "TrainingRun", "read_plan", "write_plan"]

CHECKPOINT = "checkpoint.pt"
NETWORKS = ("best.npz", "latest.npz")
# Everything that a run or a population of runs writes, as patterns.
RUN_FILES = (PLAN, "checkpoint*", "compact.*", LOG, "best.*", "latest.*", "events",
             "population.json", "population.jsonl", "member-*", "ray")  # fmt: skip


def check_resumable(folder: Path) -> None:
    """Refuse a folder with the results of a run but no checkpoint to resume it from."""
    if (folder / CHECKPOINT).exists():
        return
    found = [name for name in NETWORKS if (folder / name).exists()]
    rows = read_journal(folder)
    if rows:
        found.insert(0, f"{LOG} with {len(rows)} lines up to {rows[-1]['turns']:,} turns")
    if found:
        raise RunError(
            f"{folder} contains a run without its checkpoint ({', '.join(found)}), which cannot "
            "be resumed: choose another folder, or use --fresh to move it aside and "
            "begin again"
        )


class TrainingRun:
    """A run in its folder: resumes an existing one, or begins.

    With ``fresh`` an existing run is moved aside. Other processes are kept out of the folder until
    ``close``; a run waits ``patience`` seconds for another to close it. A run that begins with a
    network (``source``) also has it in its plan.
    """

    def __init__(
        self,
        folder: Path,
        plan: TrainingPlan,
        threads: int = 1,
        fresh: bool = False,
        patience: float = 0,
        source: Source | None = None,
    ) -> None:
        set_up_torch()
        self.folder, self.plan = folder, plan
        self.learner = plan.learner()
        if threads > 1:
            _use_threads(self.learner, threads, plan.algorithm)
        rules = Rules.parse(plan.rules)
        self.evaluator = Evaluator(rules, self.learner.metadata, self.learner.weights())
        self.close = hold_folder(folder, self, patience)
        self.aside = move_aside(folder, RUN_FILES) if fresh else None
        self.seconds, self.cpu_seconds, self.best = 0.0, 0.0, -1.0
        gathered: list[dict[str, float]] = []
        # For the log of a run that begins from a compact checkpoint or a network.
        self.origin: dict[str, Any] = {}
        self.source = source
        if (folder / CHECKPOINT).exists():
            gathered = self._resume()
        elif (folder / COMPACT).exists():
            self._resume_compact()
        else:
            check_resumable(folder)
            self._begin_from_network()
        write_plan(folder, plan)  # only once the run can begin or resume
        self.journal = Journal(folder, self.learner.turns)
        self.journal.gathered = gathered
        self.goal = plan.turns
        self.wants_to_stop = False
        self.on_stop: Callable[[], None] = lambda: None  # called when a signal arrives

    def _resume(self) -> list[dict[str, float]]:
        """Resume from the checkpoint; returns figures that were collected for the log."""
        path = self.folder / CHECKPOINT
        state = read_checkpoint(path)
        try:
            self.learner.restore(state["learner"])
            self.seconds, self.cpu_seconds = float(state["seconds"]), float(state["cpu_seconds"])
            self.best = float(state["best"])
            return [dict(figures) for figures in state["gathered"]]
        except (LookupError, TypeError, ValueError, RuntimeError, AttributeError) as error:
            what = short(str(error))
            raise FileError(
                f"{path} does not fit this run: {type(error).__name__} {what}"
            ) from error

    def _resume_compact(self) -> None:
        """Resume from the compact checkpoint."""
        reached = restore_compact(self.folder, self.plan, self.learner)
        self.seconds, self.cpu_seconds = float(reached["seconds"]), float(reached["cpu_seconds"])
        if (self.folder / "best.npz").exists():
            self.best = float(reached["best"])
        self.origin = {"resumed_from_compact": True}

    def _begin_from_network(self) -> None:
        """Begin with the network of the plan, if it has one."""
        if not self.plan.begun_from:
            return
        if self.source is None:
            raise RunError(f"{self.folder} begins from {self.plan.begun_from}: name it with --from")
        begin_from(self.source, self.plan, self.learner)
        self.cpu_seconds = self.source.cpu_seconds
        self.origin = {"begun_from": self.plan.begun_from}

    def _begin(self) -> bool:
        """Write the first checkpoint; returns whether there was time for it.

        First plays the turns that a learner lacks; these are not learned from.
        """
        clock, cpu, n_refilled = monotonic(), process_time(), 0
        while self.origin and (n_turns := refill(self.learner)):
            n_refilled += n_turns
            if self.wants_to_stop:
                return False
        self.seconds += monotonic() - clock
        self.cpu_seconds += process_time() - cpu
        self.save()
        if "begun_from" in self.origin and self.source is not None:
            for turns, mean in self.source.curve:
                self.journal.write(turns, validation={"mean": mean}, **self.origin)
        if self.origin:
            self.journal.write(self.learner.turns, **self.origin, refilled=n_refilled,
                               seconds=round(self.seconds, 1),
                               cpu_seconds=round(self.cpu_seconds, 1))  # fmt: skip
        return True

    def train(
        self,
        hours: float = 0,
        on_progress: Callable[[dict[str, Any]], None] = lambda row: None,
        checkpoint_every: float = 300,
        until: int | None = None,
    ) -> dict[str, Any]:
        """Learn until the planned turns or some hours are over, or a signal; returns the last line.

        A goal of fewer turns may be set (``until``), which ends with a validation too.

        On Ctrl-C or SIGTERM the batch is finished and saved first; a second Ctrl-C ends at once,
        and the run resumes from its last checkpoint.
        """
        self.goal = min(until or self.plan.turns, self.plan.turns)
        first = self.learner.turns
        row: dict[str, Any] = {"turns": first}
        with Signals(self._stop_on_signal):
            if not (self.folder / CHECKPOINT).exists() and not self._begin():
                return row
            started = saved = monotonic()
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

    def _stop_on_signal(self) -> None:
        self.stop()
        self.on_stop()

    def _batch(self) -> dict[str, Any]:
        """One step of the learner, and whatever is due after it; returns the figures to show."""
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
        if validated:
            write_compact(self.folder, self.plan, self.learner, best=self.best,
                          seconds=self.seconds, cpu_seconds=self.cpu_seconds)  # fmt: skip
        return row

    def _validate(self) -> dict[str, float | int]:
        """Score on the validation deals; saves the network, also as the best if it is.

        A diverged network is scored but not saved: a population may still rescue its run.
        """
        weights = self.learner.weights()
        self.evaluator.load(weights)
        scores = self.evaluator.scores(self.plan.validation_games)
        result = summary(scores, self.evaluator.rules)
        metadata = {**self.evaluator.metadata, **self.provenance(), "validation": result}
        if all(np.isfinite(array).all() for array in halved(weights).values()):
            write_network(self.folder / "latest.npz", metadata, weights)
            if result["mean"] > self.best:
                self.best = float(result["mean"])
                write_network(self.folder / "best.npz", metadata, weights)
        return result

    def provenance(self) -> dict[str, Any]:
        """The origin of the network, for its metadata."""
        plan = self.plan
        return {
            "algorithm": plan.algorithm, "preset": plan.preset, "seed": plan.seed,
            "turns": self.learner.turns, "planned_turns": plan.turns,
            "cpu_seconds": round(self.cpu_seconds), "version": tamaya.__version__,
            "settings": all_settings(plan.full_settings()),
            "provenance": f"learned in self-play, beginning from {plan.begun_from}"
            if plan.begun_from
            else "learned from scratch in self-play",
        }  # fmt: skip

    def save(self) -> None:
        """Write the checkpoint."""
        state = {"learner": self.learner.state(), "seconds": self.seconds, "best": self.best,
                 "cpu_seconds": self.cpu_seconds,
                 "gathered": self.journal.gathered}  # fmt: skip
        write_checkpoint(self.folder / CHECKPOINT, state)


Plan, Run = TrainingPlan, TrainingRun  # their old names


def _use_threads(learner: Any, n: int, algorithm: str) -> None:
    if not hasattr(learner, "use_threads"):
        raise ValueError(f"{algorithm} learns on one thread, not on {n}")
    learner.use_threads(n)


def _is_due(before: int, now: int, every: int) -> bool:
    """Whether a multiple was passed."""
    return before // every != now // every
