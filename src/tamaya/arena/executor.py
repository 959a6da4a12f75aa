"""Where work runs: parts of matches on the threads of this machine, or on a Ray cluster.

A task is anything that can be sent to another machine and run there, such as a range of the games
of a match, whose result is a tally. Both executors return the same results; only the order in which
they arrive differs.
"""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from tamaya.arena.match import Match, code_of
from tamaya.arena.tally import Tally
from tamaya.lookup import find_agent
from tamaya.workers import Workers, check_threads

Answer = TypeVar("Answer")
AnswerOut = TypeVar("AnswerOut", covariant=True)


class Work(Protocol[AnswerOut]):
    """A task of any kind."""

    @property
    def agents(self) -> Sequence[str]:
        """Agents that take part; threads compile them once before any of them plays."""
        ...

    def carry_out(self) -> AnswerOut:
        """Run the task."""
        ...


@dataclass(frozen=True)
class Task:
    """A range of the games of a match."""

    match: Match
    first: int
    games: int
    code: str = ""  # fingerprint of the code that must play it; any other is refused

    @property
    def agents(self) -> Sequence[str]:
        """The agents of the match."""
        return self.match.agents

    def carry_out(self) -> "TaskResult":
        """Play the games."""
        check_code(self.agents, self.code, code_of(self.match.agents))
        return TaskResult(self, *self.match.timed_tally(self.first, self.games))


def check_code(agents: Sequence[str], code: str, here: str) -> None:
    """Refuse work that was meant for different code."""
    if code and code != here:
        raise ValueError(f"a worker has different code for the agents "
                         f"{', '.join(agents)}")  # fmt: skip


@dataclass(frozen=True)
class TaskResult:
    """The result of a task."""

    task: Task
    tally: Tally
    seconds: float  # of CPU time for play, without compiling


class Executor(Protocol):
    """Something that runs tasks."""

    def run(self, tasks: Iterable[Work[Answer]]) -> Iterator[Answer]:
        """Run tasks and yield the result of each as it arrives, in any order."""
        ...


def carry_out(task: Work[Answer]) -> Answer:
    """Run one task; a plain function, so that it can be sent to another process."""
    return task.carry_out()


class Threads:
    """The threads of this machine."""

    def __init__(self, n: int = 0) -> None:
        self.n = check_threads(n) or os.cpu_count() or 1

    def run(self, tasks: Iterable[Work[Answer]]) -> Iterator[Answer]:
        """Run tasks on all threads; one of them first compiles the agents."""
        waiting = iter(tasks)
        running: list[Future[Answer]] = []  # in the order of the tasks
        compiled: set[str] = set()
        with Workers(self.n) as workers:
            while True:
                while len(running) < 2 * self.n and (task := next(waiting, None)):
                    for text in set(task.agents) - compiled:
                        find_agent(text).compile()
                        compiled.add(text)
                    running.append(workers.submit(carry_out, task))
                if not running:
                    return
                finished = wait(running, return_when=FIRST_COMPLETED).done
                if any(future.exception() for future in finished):
                    yield from _until_failure(running)
                yield from (future.result() for future in running if future in finished)
                running = [future for future in running if future not in finished]


def _until_failure(running: Sequence[Future[Answer]]) -> Iterator[Answer]:
    """Results in the order of the tasks up to the first that fails, even if another failed sooner.

    So every run names the same game.
    """
    for future in running:
        yield future.result()


class RayCluster:
    """A Ray cluster; without an address, one that is started on this machine."""

    def __init__(self, address: str | None = None, in_flight: int = 0) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError("Ray is not installed: pip install 'tamaya[ray]'") from None
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._ray = ray
        # Tasks of a worker that dies are run again, with the same result.
        self._carry_out: Any = ray.remote(max_retries=10)(carry_out)
        self._in_flight = in_flight or 4 * int(ray.cluster_resources().get("CPU", 1))

    def run(self, tasks: Iterable[Work[Answer]]) -> Iterator[Answer]:
        """Run tasks on the cluster."""
        waiting = iter(tasks)
        running: list[Any] = []
        try:
            while True:
                while len(running) < self._in_flight and (task := next(waiting, None)):
                    running.append(self._carry_out.remote(task))
                if not running:
                    return
                finished, running = self._ray.wait(running, num_returns=1)
                yield self._answer(finished[0])
        finally:
            for reference in running:
                self._ray.cancel(reference, force=False)

    def _answer(self, reference: Any) -> Any:
        """The result of a task; an exception is raised here, without the remote traceback."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from None


def make_executor(on: str = "threads", threads: int = 0, address: str | None = None) -> Executor:
    """The executor of a name: ``threads`` or ``ray``."""
    if on == "threads":
        return Threads(threads)
    if on == "ray":
        return RayCluster(address)
    raise ValueError(f"unknown executor {on!r}: expected threads or ray")
