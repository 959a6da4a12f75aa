"""Population-based training: runs side by side, the worse taking over from the better.

| file               | what it is                                                           |
|--------------------|----------------------------------------------------------------------|
| `population.json`  | number of members, turns between selections, and the plan of all     |
| `population.jsonl` | a line per generation: scores, takeovers, values                     |
| `member-1`, ...    | ordinary runs                                                        |
| `best.npz`         | the network with the best validation score of all members            |

All members train to the same number of turns, each in a process of its own or, with one worker,
one after the other; then the worst quarter takes over network, moments and games of the best and
goes on with changed values. Scores are those of greedy play on the validation deals: training
scores would favour low entropy. What happens depends on the seed alone, not on the number of
processes, and a population that was stopped goes on as if it had not been.
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

import numpy as np

from tamaya.agents.learned.files import read_card, write_network
from tamaya.learn.checkpoint import read_checkpoint
from tamaya.learn.evolution import (
    Generation,
    Priors,
    first_values,
    read_history,
    schedule,
    select,
    write_history,
)
from tamaya.learn.journal import read_journal
from tamaya.learn.run import ALGORITHMS, Plan, Run, read_plan, write_plan
from tamaya.learn.signals import Signals
from tamaya.rng import seed_of, wrapped_seed

Show = Callable[[int, dict[str, Any]], None]  # what a batch of a member brought


@dataclass(frozen=True)
class Census:
    """What a population is told at its beginning; the plan's turns are those of all together."""

    size: int = 4
    interval: int = 2_500_000  # turns of a member between two selections

    def member_plan(self, plan: Plan, member: int, values: dict[str, float]) -> Plan:
        """The plan of a member."""
        seed = int(seed_of(wrapped_seed(plan.seed), member)) % 2**63
        settings = {**dict(plan.settings), **values}
        return replace(plan, turns=-(-plan.turns // self.size), seed=seed,
                       settings=tuple(settings.items()))  # fmt: skip


def write_census(folder: Path, census: Census, plan: Plan) -> None:
    """Put down what a population is about."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {**asdict(census), "plan": {**asdict(plan), "settings": dict(plan.settings)}}
    (folder / "population.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read_census(folder: Path) -> tuple[Census, Plan] | None:
    """What a population that is there already was told."""
    path = folder / "population.json"
    if not path.exists():
        return None
    document = json.loads(path.read_text(encoding="utf-8"))
    plan = document.pop("plan")
    return Census(**document), Plan(**{**plan, "settings": tuple(plan["settings"].items())})


class Population:
    """A population in its folder: continues what is there, or begins."""

    def __init__(self, folder: Path, census: Census, plan: Plan) -> None:
        self.folder, self.census, self.plan = folder, census, plan
        self.priors: Priors = getattr(ALGORITHMS[plan.algorithm], "PRIORS", {})
        if not self.priors:
            raise ValueError(f"{plan.algorithm} has nothing that a population could evolve")
        if census.size < 2:
            raise ValueError("a population has at least two members")
        write_census(folder, census, plan)
        self.history = read_history(folder)
        if not self.history:
            beginnings = first_values(census.size, self.priors, plan.seed)
            self._record(Generation(0, 0, [], [], beginnings))
        self.turns = census.member_plan(plan, 0, {}).turns  # of each member
        for member, values in enumerate(self.history[0].values):
            write_plan(self.home(member), census.member_plan(plan, member, values))

    def home(self, member: int) -> Path:
        """The folder of a member."""
        return self.folder / f"member-{member + 1}"

    def _record(self, generation: Generation) -> None:
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
            goal = min((last.turns // self.census.interval + 1) * self.census.interval, self.turns)
            if workers == 1:
                train_here(self, goal, deadline, show)
            else:
                train_in_processes(self, workers, goal, deadline, show)
            if self.late(goal):
                break  # stopped on the way
            self._select(goal)
            self.keep_best()
        self.keep_best()

    def late(self, goal: int) -> list[int]:
        """Members that have not played so many turns yet."""
        return [member for member in range(self.census.size) if self.n_turns(member) < goal]

    def n_turns(self, member: int) -> int:
        """Turns of a member up to its checkpoint."""
        path = self.home(member) / "checkpoint.pt"
        return read_checkpoint(path)["learner"]["turns"] if path.exists() else 0

    def _select(self, goal: int) -> None:
        """End a generation; after the last one nobody takes over anything."""
        journals = [read_journal(self.home(member)) for member in range(self.census.size)]
        scores = [rows[-1]["validation"]["mean"] for rows in journals]
        last = self.history[-1]
        if goal >= self.turns:
            self._record(Generation(last.number + 1, goal, scores, [], last.values))
        else:
            self._record(select(last, goal, scores, self.priors, self.plan.seed))

    def _carry_out(self, generation: Generation) -> None:
        """Let members take over networks, as far as it was not done before a kill."""
        for takeover in generation.takeovers:
            home = self.home(takeover.member)
            own = read_checkpoint(home / "checkpoint.pt")["learner"]
            if own["generation"] < generation.number:
                run = open_member(home)
                source = read_checkpoint(self.home(takeover.source) / "checkpoint.pt")["learner"]
                heir: Any = run.learner  # of an algorithm that can be evolved
                heir.inherit(source, takeover.values, generation.number)
                run.save()

    def keep_best(self) -> None:
        """Put the best network of all members into the population's folder."""
        cards = [(read_card(self.home(member) / "best.npz"), member)
                 for member in range(self.census.size)
                 if (self.home(member) / "best.json").exists()]  # fmt: skip
        if not cards:
            return
        card, member = max(cards, key=lambda pair: (pair[0]["validation"]["mean"], -pair[1]))
        path = schedule([each for each in self.history if each.turns < card["turns"]], member)
        size = self.census.size
        evolved = {name: path[-1][name] for name in self.priors}  # with which it was found
        card |= {
            "settings": {**card["settings"], **evolved},
            "provenance": f"{card['provenance']}, in a population of {size}",
            "seed": self.plan.seed,
            "turns": size * card["turns"],
            "planned_turns": self.plan.turns,
            "cpu_seconds": sum(other["cpu_seconds"] for other, _ in cards),
            "population": {"members": size, "interval": self.census.interval,
                           "member": member + 1, "member_turns": card["turns"],
                           "takeovers": sum(len(each.takeovers) for each in self.history),
                           "schedule": path},
        }  # fmt: skip
        with np.load(self.home(member) / "best.npz") as parts:
            write_network(self.folder / "best.npz", card, dict(parts))


# Where members train.


def open_member(home: Path) -> Run:
    """The run of a member, as far as it has come."""
    plan = read_plan(home)
    assert plan is not None
    return Run(home, plan)


def train_run(run: Run, goal: int, deadline: float, show: Callable[[dict], None]) -> None:
    """Train a run to a number of turns, or until a deadline or a signal."""
    hours = max(1e-9, deadline - monotonic()) / 3600 if deadline else 0
    run.train(hours, show, until=goal)


def train_here(population: Population, goal: int, deadline: float, show: Show) -> None:
    """Train members one after the other in this process."""
    for member in population.late(goal):
        if deadline and monotonic() > deadline:
            return
        run = open_member(population.home(member))
        train_run(run, goal, deadline, partial(show, member))
        if run.wants_to_stop:
            return


def train_in_processes(
    population: Population, workers: int, goal: int, deadline: float, show: Show
) -> None:
    """Train members in processes of their own, some at a time."""
    context = multiprocessing.get_context("spawn")
    rows: Any = context.Queue()
    waiting, running = population.late(goal), dict[int, Any]()

    def pass_on() -> None:
        """Let the processes save and end."""
        for process in running.values():
            process.terminate()

    with Signals(pass_on) as signals:
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
                show(*rows.get(timeout=0.5))
            for member, process in list(running.items()):
                if process.exitcode is not None:
                    del running[member]
                    if process.exitcode != 0 and not signals.were_received:
                        pass_on()
                        raise RuntimeError(f"member {member + 1} ended with {process.exitcode}")


def _work(
    member: int, home: Path, goal: int, deadline: float, rows: Any, parent: int
) -> None:  # in a process of its own
    run = open_member(home)

    def show(row: dict[str, Any]) -> None:
        rows.put((member, row))
        run.wants_to_stop |= os.getppid() != parent  # nobody waits for it any more

    train_run(run, goal, deadline, show)
