"""The agents of the family."""

from typing import Any

import numpy as np

from tamaya.agent import Agent
from tamaya.agents.wtfwthat.decisions import decide
from tamaya.agents.wtfwthat.desk import DESK, MEMORY
from tamaya.agents.wtfwthat.settings import AS_TUNED, PARAMS, PLAIN, TUNED
from tamaya.agents.wtfwthat.updates import note_event
from tamaya.registry import register


class Informer(Agent):
    """An agent whose parameters may differ by number of players."""

    def _params_record(self) -> np.ndarray:
        params = np.zeros(1, PARAMS)
        for players, tuned in TUNED.items():
            for name, value in self.values.items():
                chosen = tuned[name] if value == AS_TUNED else value
                params["size"][0, players][name] = chosen
        return params


def act(view, memory, params):
    """Tells every seat at once what it needs to know, by the sum of answers to questions."""
    desks = np.empty(1, DESK)
    return decide(view, memory, params.size[view.players], desks)


def observe(view, event, memory, params):
    """Draw the conclusions that everybody draws from a move."""
    desks = np.empty(1, DESK)
    note_event(view, event, memory, params.size[view.players], desks)


def informer(name: str, params: dict[str, Any], source: str) -> Informer:
    """An agent of the family."""
    agent = Informer(name, act, memory=MEMORY, shared=True, params=params, source=source)
    agent.observe(observe)
    return agent


wtfwthat = register(informer("wtfwthat", PLAIN, "Wu 2023"))
wtfwthat_2018 = register(wtfwthat.preset("wtfwthat-2018", version=2018))
information = register(informer("information", {name: type(value)(AS_TUNED) if not isinstance(value, bool) else AS_TUNED for name, value in PLAIN.items()}, ""))
