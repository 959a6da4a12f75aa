"""Progress of compiling an agent.

Numba reports when its lock is taken and released, ``tamaya.compile_progress`` which kernels are
done. The total for an agent is estimated from the source of its functions, plus a tenth for kernels
that are compiled for two kinds of arguments. It is lower if kernels are cached on disk.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from time import monotonic
from typing import Any

from numba.core import event

from tamaya import compile_progress
from tamaya.agent import Agent
from tamaya.agents.rules.family import RuleAgent
from tamaya.compile_progress import CompileProgress
from tamaya.kernel import Kernel, reachable_kernels
from tamaya.player import Player
from tamaya.registry import find_agent

PATIENCE = 0.25  # seconds; what is loaded from the disk takes less
PAUSE = 0.5  # seconds between two kernels
OF_THE_TABLE = 30  # kernels that every agent's seat needs: game, view, calls


class CompilerWatch(event.Listener):
    """Whether the compiler is running, and how much it has done for the current question."""

    def __init__(self) -> None:
        self._depth = 0
        self._since = self._until = 0.0  # when it began last, and when it was done last
        self._n_before = 0
        self._kernel = ""
        event.register("numba:compiler_lock", self)
        compile_progress.listeners.append(self._note)

    def on_start(self, event: object) -> None:
        """The compiler begins, or one of its parts."""
        if self._depth == 0:
            self._since = monotonic()
        self._depth += 1

    def on_end(self, event: object) -> None:
        """The compiler or one of its parts is done."""
        self._depth -= 1
        self._until = monotonic()

    def _note(self, progress: CompileProgress | None) -> None:
        if progress is not None:
            self._kernel = progress.kernel

    def begin(self) -> None:
        """Count from here on, for another question."""
        self._n_before, self._kernel = compile_progress.n_compiled, ""

    def progress(self, player: Player | None) -> dict[str, Any] | None:
        """Kernels done, of about how many, and the latest; None if nothing is compiled now."""
        done, now = compile_progress.n_compiled - self._n_before, monotonic()
        if done:  # one kernel follows the other, with pauses in between
            is_busy = self._depth > 0 or now - self._until < PAUSE
        else:
            is_busy = self._depth > 0 and now - self._since > PATIENCE
        if not is_busy:
            return None
        expected = 0 if player is None else n_expected(player)
        return {"kernel": self._kernel, "done": done, "of": max(expected, done + 1)}


@lru_cache(maxsize=64)
def n_expected(player: Player) -> int:
    """Approximate number of kernels to compile for an agent without cached code."""
    functions = set(_functions(player))
    called = {kernel for function in functions for kernel in reachable_kernels(Kernel(function))}
    return round(1.1 * (len(functions) + len(called))) + OF_THE_TABLE


def _functions(player: Player) -> Iterator[Callable[..., Any]]:
    """Functions that are compiled one by one: the agent's, its rules', its blueprint's."""
    if not isinstance(player, Agent):
        return
    yield player.act_function
    if player.observe_function is not None:
        yield player.observe_function
    if isinstance(player, RuleAgent):
        yield from (step.rule.function for steps in player.rules.lists for step in steps)
    for text in player.depends_on:
        yield from _functions(find_agent(text))
