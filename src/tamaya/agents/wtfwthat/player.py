"""The agents ``wtfwthat`` and ``wtfwthat-2018``: the original as of 2023 and as of 2018.

Each move tells every other seat something: the mover puts questions to the hands that it sees,
adds up the answers, and announces the sum by the form of a hint, or by the choice among several
useless (or playable) cards. ``docs/wtfwthat.md`` explains the convention and the improvements.

All agents of the family are the same code with other parameters; -1 as a parameter is the value
tuned for the number of players.
"""

from typing import Unpack

import numpy as np

from tamaya.agent import Agent, Params, Value
from tamaya.agents.wtfwthat.believing import believe
from tamaya.agents.wtfwthat.decisions import decide
from tamaya.agents.wtfwthat.explaining import explain
from tamaya.agents.wtfwthat.network import digest
from tamaya.agents.wtfwthat.public_state import PUBLIC_STATE
from tamaya.agents.wtfwthat.settings import ORIGINAL, params_of
from tamaya.agents.wtfwthat.updates import note_event
from tamaya.compiled import scratch
from tamaya.knowledge.tables import TABLE
from tamaya.player import PlayerOptions
from tamaya.registry import register


class TunedParams(Params):
    """Parameters with a value for each number of players."""

    def record(self) -> np.ndarray:
        """The options of all numbers of players."""
        return params_of(self.values)

    @property
    def identity(self) -> str:
        """The parameters, and the network if it may be asked."""
        return f"{self.text} {digest()}".strip() if self.values["weigh"] else self.text


class WtfwthatAgent(Agent):
    """An agent of the family, whose parameters may differ by number of players."""

    def __init__(
        self, name: str, params: dict[str, Value], **options: Unpack[PlayerOptions]
    ) -> None:
        super().__init__(name, act, memory=[TABLE], shared=True, params=TunedParams(params),
                         **options)  # fmt: skip
        self.observe_function = observe
        self.explain_function = explain
        self.believe_function = believe


def act(view, memory, params):
    """Decide by the options for the number of players."""
    return decide(view, memory, params, scratch(PUBLIC_STATE))


def observe(view, event, memory, params):
    """Apply the public conclusions from a move."""
    note_event(view, event, memory, params.options[view.players], scratch(PUBLIC_STATE))


register(
    WtfwthatAgent(
        "wtfwthat",
        ORIGINAL,
        source="hanabi.rs 2023",
        description="Every hint answers questions about all other hands, by the sum of their "
        "answers.",
    )
)
register(
    WtfwthatAgent(
        "wtfwthat-2018",
        {**ORIGINAL, "version": 2018},
        source="hanabi.rs 2018",
        description="The same with fixed questions, as the Hanabi Challenge measured it.",
    )
)
