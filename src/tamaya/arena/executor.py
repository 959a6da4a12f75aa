"""Where work runs: parts of matches on the threads of this machine, or on a Ray cluster.

A task is a match and a range of its games, its answer a tally. Both executors give the same
tallies; only the order in which they arrive differs, and adding them up does not depend on it.
"""

import logging
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from tamaya.arena.match import Match, code_of
from tamaya.arena.tally import Tally
from tamaya.registry import find_agent


@dataclass(frozen=True)
class Task:
    """A range of the games of a match."""

    match: Match
    first: int
    games: int
    code: str = ""  # fingerprint of the code that is to play it; another one is refused


@dataclass(frozen=True)
class Done:
    """A finished task."""

    task: Task
    tally: Tally
    seconds: float


class Executor(Protocol):
    """Something that carries out tasks."""

    def run(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Carry out tasks, giving each one when it is done, in any order."""
        ...


def carry_out(task: Task) -> Done:
    """Play the games of one task."""
    if task.code and task.code != code_of(task.match.agents):
        raise ValueError(f"a worker has other code than this program for the agents "
                         f"{', '.join(task.match.agents)}")  # fmt: skip
    started = perf_counter()
    tally = task.match.tally(task.first, task.games)
    return Done(task, tally, perf_counter() - started)


class Threads:
    """The threads of this machine."""

    def __init__(self, n: int = 0) -> None:
        self.n = n or os.cpu_count() or 1

    def run(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Carry out tasks on all threads; agents are compiled first, by one of them."""
        waiting = iter(tasks)
        running: set[Future[Done]] = set()
        compiled: set[str] = set()
        with ThreadPoolExecutor(self.n) as pool:
            try:
                while True:
                    while len(running) < 2 * self.n and (task := next(waiting, None)):
                        for text in set(task.match.agents) - compiled:
                            _compile(text)
                            compiled.add(text)
                        running.add(pool.submit(carry_out, task))
                    if not running:
                        return
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        yield future.result()
            finally:
                pool.shutdown(cancel_futures=True)


def _compile(text: str) -> None:
    compile_agent: Any = getattr(find_agent(text), "compile", None)
    if compile_agent is not None:
        compile_agent()


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
        # A worker that dies takes its tasks with it; they are played again, to the same tally.
        self._carry_out = ray.remote(max_retries=10)(carry_out)
        self._in_flight = in_flight or 4 * int(ray.cluster_resources().get("CPU", 1))

    def run(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Carry out tasks on the cluster."""
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

    def _answer(self, reference: Any) -> Done:
        """The answer of a task; what it raised is raised here, without the remote traceback."""
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
