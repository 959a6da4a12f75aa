"""Population-based training: runs side by side, of which the worst copy the best.

| file               | what it is                                                           |
|--------------------|----------------------------------------------------------------------|
| `population.json`  | number of members, turns between selections, and the plan of all     |
| `population.jsonl` | a line per generation: scores, takeovers, values                     |
| `member-1`, ...    | ordinary runs                                                        |
| `best.npz`         | the network with the best validation score of all members            |

All members train to the same number of turns, each in its own process or, with one worker,
one after the other; then the worst quarter copies network, moments and games of the best and
continues with changed values. Scores are those of greedy play on the validation deals: training
scores would favour low entropy. The outcome depends only on the seed, not on the number of
processes; a population can be killed at any time and resumes with identical results.
"""

import json
import multiprocessing
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

from tamaya.agents.learned.files import Metadata, read_metadata, write_network
from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, entry, read_arrays, read_json
from tamaya.learn.algorithms import ALGORITHMS
from tamaya.learn.checkpoint import read_learner
from tamaya.learn.journal import read_journal
from tamaya.learn.pbt import (
    HISTORY,
    PopulationGeneration,
    Priors,
    first_values,
    read_history,
    schedule,
    select,
    write_history,
)
from tamaya.learn.plan import TrainingPlan, plan_document, plan_of, read_plan, write_plan
from tamaya.learn.run import CHECKPOINT, RUN_FILES, TrainingRun, check_resumable
from tamaya.learn.signals import Signals
from tamaya.rng import seed_of, wrapped_seed
from tamaya.run_folder import RunError, hold_folder, move_aside

Show = Callable[[int, dict[str, Any]], None]  # member, figures of its batch


CONFIG = "population.json"


@dataclass(frozen=True)
class PopulationConfig:
    """The settings of a population besides the plan, whose turns are the total of all members."""

    size: int = 4
    interval: int = 2_500_000  # turns of a member between two selections

    def member_plan(
        self, plan: TrainingPlan, member: int, values: dict[str, float]
    ) -> TrainingPlan:
        """The plan of a member."""
        seed = int(seed_of(wrapped_seed(plan.seed), member)) % 2**63
        settings = {**dict(plan.settings), **values}
        return replace(plan, turns=-(-plan.turns // self.size), seed=seed,
                       settings=tuple(settings.items()))  # fmt: skip


def write_config(folder: Path, config: PopulationConfig, plan: TrainingPlan) -> None:
    """Store the settings of a population."""
    document = {**asdict(config), "plan": plan_document(plan)}
    write_atomically(folder / CONFIG, json.dumps(document, indent=1) + "\n")


def read_config(folder: Path) -> tuple[PopulationConfig, TrainingPlan] | None:
    """The settings of the population in a folder, if there is one."""
    path = folder / CONFIG
    if not path.exists():
        return None
    document = read_json(path)
    with blaming(path):
        size, interval = entry(document, "size", int, 2), entry(document, "interval", int, 1)
        return PopulationConfig(size, interval), plan_of(entry(document, "plan", dict))


class Population:
    """A population in its folder: resumes an existing one, or begins.

    With ``fresh`` an existing one is moved aside. Other processes are kept out of the folder until
    ``close``.
    """

    def __init__(
        self, folder: Path, config: PopulationConfig, plan: TrainingPlan, fresh: bool = False
    ) -> None:
        self.folder, self.config, self.plan = folder, config, plan
        self.priors: Priors = getattr(ALGORITHMS[plan.algorithm], "PRIORS", {})
        if not self.priors:
            raise ValueError(f"{plan.algorithm} has nothing that a population could evolve")
        if config.size < 2:
            raise ValueError("a population has at least two members")
        plan.full_settings()
        self.close = hold_folder(folder, self)
        self.aside = move_aside(folder, RUN_FILES) if fresh else None
        self.history = read_history(folder)
        self._check_members()
        write_config(folder, config, plan)
        if not self.history:
            beginnings = first_values(config.size, self.priors, plan.seed)
            self._record(PopulationGeneration(0, 0, [], [], beginnings))
        self.turns = config.member_plan(plan, 0, {}).turns  # of each member
        self.was_stopped = False
        self.on_stop: Callable[[], None] = lambda: None  # called when a signal arrives
        for member, values in enumerate(self.history[0].values):
            write_plan(self.home(member), config.member_plan(plan, member, values))

    def _check_members(self) -> None:
        """Refuse a history of other members, and started members without a checkpoint."""
        if self.history:
            first = self.history[0].values
            if len(first) != self.config.size or first[0].keys() != self.priors.keys():
                path = self.folder / HISTORY
                raise RunError(f"{path} is not the history of {self.config.size} members that "
                               f"evolve {', '.join(self.priors)}")  # fmt: skip
        for member in range(self.config.size):
            home = self.home(member)
            check_resumable(home)
            if len(self.history) > 1 and not (home / CHECKPOINT).exists():
                raise RunError(
                    f"{home} has no {CHECKPOINT} any more: the population cannot be resumed"
                )

    def home(self, member: int) -> Path:
        """The folder of a member."""
        return self.folder / f"member-{member + 1}"

    def _record(self, generation: PopulationGeneration) -> None:
        self.history.append(generation)
        write_history(self.folder, self.history)

    def train(self, workers: int = 1, hours: float = 0, show: Show = lambda who, row: None) -> None:
        """Train until the planned turns or some hours are over, or a signal."""
        deadline = monotonic() + 3600 * hours if hours else 0.0
        while True:
            last = self.history[-1]
            self._carry_out(last)
            if last.turns >= self.turns:
                break
            goal = min((last.turns // self.config.interval + 1) * self.config.interval, self.turns)
            if workers == 1:
                train_here(self, goal, deadline, show)
            else:
                train_in_processes(self, workers, goal, deadline, show)
            if self.late(goal):
                break  # stopped before its goal
            self._select(goal)
            self.keep_best()
        self.keep_best()

    def late(self, goal: int) -> list[int]:
        """Members that have not reached a number of turns yet."""
        return [member for member in range(self.config.size) if self.n_turns(member) < goal]

    def n_turns(self, member: int) -> int:
        """Turns of a member up to its checkpoint."""
        path = self.home(member) / CHECKPOINT
        return read_learner(path)["turns"] if path.exists() else 0

    def _select(self, goal: int) -> None:
        """End a generation; after the last one no member copies another."""
        journals = [read_journal(self.home(member)) for member in range(self.config.size)]
        scores = [rows[-1]["validation"]["mean"] for rows in journals]
        last = self.history[-1]
        if goal >= self.turns:
            self._record(PopulationGeneration(last.number + 1, goal, scores, [], last.values))
        else:
            self._record(select(last, goal, scores, self.priors, self.plan.seed))

    def _carry_out(self, generation: PopulationGeneration) -> None:
        """Carry out the takeovers that were not done before a kill."""
        for takeover in generation.takeovers:
            home = self.home(takeover.member)
            own = read_learner(home / CHECKPOINT)
            if own["generation"] < generation.number:
                run = open_member(home)
                source = read_learner(self.home(takeover.source) / CHECKPOINT)
                heir: Any = run.learner  # of an algorithm that can be evolved
                heir.inherit(source, takeover.values, generation.number)
                run.save()
                run.close()

    def keep_best(self) -> None:
        """Copy the best network of all members into the population's folder."""
        found = [(_metadata_of_best(self.home(member)), member)
                 for member in range(self.config.size)
                 if (self.home(member) / "best.json").exists()]  # fmt: skip
        if not found:
            return
        metadata, member = max(found, key=lambda pair: (pair[0]["validation"]["mean"], -pair[1]))
        earlier = [each for each in self.history if each.turns < metadata["turns"]]
        path = schedule(earlier, member)
        size = self.config.size
        evolved = {name: path[-1][name] for name in self.priors}  # its values at that time
        metadata |= {
            "settings": {**metadata["settings"], **evolved},
            "provenance": f"{metadata['provenance']}, in a population of {size}",
            "seed": self.plan.seed,
            "turns": size * metadata["turns"],
            "planned_turns": self.plan.turns,
            "cpu_seconds": sum(other["cpu_seconds"] for other, _ in found),
            "population": {"members": size, "interval": self.config.interval,
                           "member": member + 1, "member_turns": metadata["turns"],
                           "takeovers": sum(len(each.takeovers) for each in self.history),
                           "schedule": path},
        }  # fmt: skip
        weights = read_arrays(self.home(member) / "best.npz")
        write_network(self.folder / "best.npz", metadata, weights)


def _metadata_of_best(home: Path) -> Metadata:
    """The metadata of a member's best network."""
    metadata = read_metadata(home / "best.npz")
    with blaming(home / "best.json"):
        entry(entry(metadata, "validation", dict), "mean", float)
        for name, kind in (("turns", int), ("cpu_seconds", float), ("provenance", str),
                           ("settings", dict)):  # fmt: skip
            entry(metadata, name, kind)
    return metadata


# Where members train.


def open_member(home: Path, patience: float = 0) -> TrainingRun:
    """The run of a member in its current state."""
    plan = read_plan(home)
    assert plan is not None
    return TrainingRun(home, plan, patience=patience)


def train_run(run: TrainingRun, goal: int, deadline: float, show: Callable[[dict], None]) -> None:
    """Train a run to a number of turns, or until a deadline or a signal."""
    hours = max(1e-9, deadline - monotonic()) / 3600 if deadline else 0
    run.train(hours, show, until=goal)


def train_here(population: Population, goal: int, deadline: float, show: Show) -> None:
    """Train members one after the other in this process."""
    for member in population.late(goal):
        if deadline and monotonic() > deadline:
            return
        run = open_member(population.home(member))
        run.on_stop = population.on_stop
        train_run(run, goal, deadline, partial(show, member))
        run.close()
        if run.wants_to_stop:
            population.was_stopped = True
            return


def train_in_processes(
    population: Population, workers: int, goal: int, deadline: float, show: Show
) -> None:
    """Train members in separate processes, some at a time."""
    context = multiprocessing.get_context("spawn")
    rows: Any = context.Queue()
    waiting, running = population.late(goal), dict[int, Any]()

    def pass_on() -> None:
        """Pass the signal on, so that the processes save and end."""
        for process in running.values():
            process.terminate()

    def stop() -> None:
        population.was_stopped = True
        pass_on()
        population.on_stop()

    with Signals(stop) as signals:
        while waiting or running:
            is_over = signals.were_received or bool(deadline and monotonic() > deadline)
            while waiting and len(running) < workers and not is_over:
                member = waiting.pop(0)
                task = member, population.home(member), goal, deadline, rows, os.getpid()
                running[member] = context.Process(target=_work, args=task, daemon=True)
                running[member].start()
            if is_over:
                waiting = []
            with suppress(Empty):
                member, row = rows.get(timeout=0.5)
                if isinstance(row, str):
                    pass_on()
                    raise RunError(f"member {member + 1}: {row}")
                show(member, row)
            for member, process in list(running.items()):
                if process.exitcode is not None:
                    del running[member]
                    if process.exitcode != 0 and not signals.were_received:
                        pass_on()
                        raise RunError(f"member {member + 1} ended with {process.exitcode}")


def _work(
    member: int, home: Path, goal: int, deadline: float, rows: Any, parent: int
) -> None:  # in a separate process
    def show(row: dict[str, Any]) -> None:
        rows.put((member, row))
        run.wants_to_stop |= os.getppid() != parent  # the parent has ended

    try:
        run = open_member(home)
        train_run(run, goal, deadline, show)
    except (ValueError, OSError) as error:
        rows.put((member, str(error)))
