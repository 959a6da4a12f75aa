"""The agents: WTFWThat as it is today and as of 2018, and our own information player.

Each move tells every other seat something: the mover puts questions to the hands that it sees,
adds up the answers, and announces the sum by the form of a hint, or by the choice among several
useless (or playable) cards. ``docs/wtfwthat.md`` explains the convention and the improvements.

All agents of the family are the same code with other parameters; -1 as a parameter is the value
tuned for the number of players.
"""

import numpy as np

from tamaya.agent import Agent, Params, Value
from tamaya.agents.wtfwthat.decisions import decide
from tamaya.agents.wtfwthat.desk import DESK, MEMORY
from tamaya.agents.wtfwthat.explaining import explain
from tamaya.agents.wtfwthat.settings import AS_TUNED, ORIGINAL, params_of
from tamaya.agents.wtfwthat.updates import note_event
from tamaya.registry import register


class TunedParams(Params):
    """Parameters of which each number of players has its own."""

    def record(self) -> np.ndarray:
        """The options of all numbers of players."""
        return params_of(self.values)


class Informer(Agent):
    """An agent of the family, whose parameters may differ by number of players."""

    def __init__(self, name: str, params: dict[str, Value], source: str, description: str) -> None:
        super().__init__(name, act, memory=MEMORY, shared=True, params=TunedParams(params),
                         source=source, description=description)  # fmt: skip
        self.observe_function = observe
        self.explain_function = explain


def act(view, memory, params):
    """Decide by the options for the number of players."""
    desks = np.empty(1, DESK)
    return decide(view, memory, params.options[view.players], desks)


def observe(view, event, memory, params):
    """Draw the conclusions that everybody draws from a move."""
    desks = np.empty(1, DESK)
    note_event(view, event, memory, params.options[view.players], desks)


register(
    Informer(
        "wtfwthat",
        ORIGINAL,
        "hanabi.rs 2023",
        "Every hint answers questions about all other hands, by the sum of their answers.",
    )
)
register(
    Informer(
        "wtfwthat-2018",
        {**ORIGINAL, "version": 2018},
        "hanabi.rs 2018",
        "The same with fixed questions, as the Hanabi Challenge measured it.",
    )
)
register(
    Informer(
        "information",
        {name: type(value)(AS_TUNED) if type(value) is float else AS_TUNED
         for name, value in ORIGINAL.items()},
        "WTFWThat, improved here",
        "WTFWThat with better discards, more messages and a search of the last turns.",
    )
)  # fmt: skip
