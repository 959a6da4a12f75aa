"""Agents that move as people do: a network of choices, played without torch.

    human:experience=new              as somebody who had never played
    human:temperature=0               always the likeliest move

At temperature 1 a move is drawn with the probability that people make it; lower temperatures
prefer likely moves. Without ``experience`` it plays like somebody who did not say.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tamaya.agent import Params, Value
from tamaya.agents.learned.family import LearnedAgent, certain_move, no_network, ranked_moves
from tamaya.agents.learned.network import fits
from tamaya.agents.learned.people.advisers import Advisers
from tamaya.agents.learned.people.choice import BRAIN, write_probabilities
from tamaya.agents.learned.people.situation import (
    EXPERIENCE,
    memory_fields,
    sizes_of,
    take_note,
    write_situation,
)
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.moves import NO_MOVE
from tamaya.records import record
from tamaya.rng import random_unit
from tamaya.rules import MAX_PLAYERS

if TYPE_CHECKING:
    from tamaya.agents.learned.files import Network

NOT_SAID = "any"

PARAMS = record([
    ("experience", np.int64),  # place in EXPERIENCE, -1 if not said
    ("temperature", np.float64),
    ("brain", BRAIN, MAX_PLAYERS + 1),  # by number of players
])  # fmt: skip


@hot
def judge(view, memory, brain, experience, probs):
    """Write how likely a person is to make each move."""
    n_votes = 2 * brain.n_advisers + 1
    n_slots, n_moves = np.int64(view.hand_size), brain.network.n_moves
    context = np.zeros(brain.network.n_inputs, np.float32)
    cards = np.zeros((n_slots, brain.card), np.float32)
    hints = np.zeros((n_moves - 2 * n_slots, brain.hint), np.float32)
    situation = (context, cards, hints, np.zeros((n_moves, n_votes), np.float32))
    write_situation(view, memory, brain, experience, situation)
    write_probabilities(brain, situation, legal_mask(view), probs)


@hot
def likeliest(probs, legal):
    """The likeliest legal move."""
    best = NO_MOVE
    for move in range(len(probs)):
        if legal & MOVE_BIT[move] and (best == NO_MOVE or probs[move] > probs[best]):
            best = move
    return best


@hot
def drawn(probs, temperature, best, memory):
    """A move drawn by probabilities to the power of 1 / temperature."""
    highest, total = probs[best], 0.0
    for move in range(len(probs)):
        probs[move] = (probs[move] / highest) ** (1 / temperature) if probs[move] > 0 else 0
        total += probs[move]
    rest = random_unit(memory) * total
    for move in range(len(probs)):
        rest -= probs[move]
        if rest < 0 and probs[move] > 0:
            return move
    return best


def act(view, memory, params):
    """Moves as people do."""
    brain = params.brain[view.players]
    if not fits(view, brain.network):
        return certain_move(view)
    probs = np.zeros(brain.network.n_moves)
    judge(view, memory, brain, params.experience, probs)
    best = likeliest(probs, legal_mask(view))
    return drawn(probs, params.temperature, best, memory) if params.temperature > 0 else best


def observe(view, event, memory, params):
    """Remembers how cards were hinted at and how people play, and asks the advisers."""
    brain = params.brain[view.players]
    if fits(view, brain.network):
        take_note(view, event, memory, brain)


class PeopleParams(Params):
    """Experience and temperature, the networks by number of players, and their advisers."""

    def __init__(self, networks: "Mapping[int, Network]") -> None:
        super().__init__({"temperature": 1.0}, least={"temperature": 0.0})
        self.experience = self.usual_experience = NOT_SAID
        self.networks = networks
        self.advisers = {players: Advisers(network.metadata["advisers"])
                         for players, network in networks.items()}  # fmt: skip

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of the parameters and their values."""
        return {"experience": self.experience, **self.values}

    @property
    def text(self) -> str:
        """The parameters that differ from their defaults."""
        said = self.experience != self.usual_experience
        own = [f"experience={self.experience}"] if said else []
        return ",".join([*own, *filter(None, [super().text])])

    def changed(self, values: Mapping[str, Value | str]) -> Self:
        """The same with other values."""
        values = self._by_name(values)
        other = super().changed({k: v for k, v in values.items() if k != "experience"})
        other.experience = str(values.get("experience", self.experience)).strip()
        if other.experience not in (NOT_SAID, *EXPERIENCE):
            known = ", ".join((NOT_SAID, *EXPERIENCE))
            raise self._error(f"experience must be one of {known}, not {other.experience!r}")
        return other

    def preset(self, owner: str, values: Mapping[str, Value | str]) -> Self:
        """The same parameters for an agent with another name and other defaults."""
        other = super().preset(owner, values)
        other.usual_experience = other.experience
        return other

    def record(self) -> np.ndarray:
        """The form for kernels; weights and advisers must stay alive."""
        params = np.zeros(1, PARAMS)
        said = self.experience != NOT_SAID
        params["experience"] = EXPERIENCE.index(self.experience) if said else -1
        params["temperature"] = self.values["temperature"]
        for players, network in self.networks.items():
            write_brain(params["brain"][0, players], network, self.advisers[players])
        return params


def write_brain(brain: np.record, network: "Network", advisers: Advisers) -> None:
    """Fill a ``BRAIN`` record."""
    metadata, sizes = network.metadata, sizes_of(network.rules, len(advisers.names))
    network.write_record(brain["network"])
    for name in ("members", "hidden", "second"):
        brain[name] = metadata[name]
    for name in ("card", "hint", "vote"):
        brain[name] = getattr(sizes, name)
    advisers.write_record(brain)


class PeopleAgent(LearnedAgent):
    """An agent that plays networks of choices, one per number of players."""

    params: PeopleParams

    def __init__(self, name: str, networks: "Iterable[Network]", **options: Any) -> None:
        networks = list(networks)
        by_players = {network.rules.players: network for network in networks}
        options.setdefault("description", "Moves as people did: a network of their choices.")
        super().__init__(name, networks, act, params=PeopleParams(by_players), **options)
        self.observe_function = observe
        self.explain_function = explain

    @property
    def memory(self) -> np.dtype:
        """Its own memory and those of its advisers, found when first needed."""
        words = [advisers.places[-1] for advisers in self.params.advisers.values()]
        return record([("rng", np.uint64), *memory_fields(max(words))])

    @memory.setter
    def memory(self, dtype: np.dtype) -> None:
        """It follows from the advisers, which cannot be found before all agents are registered."""

    @property
    def identity(self) -> str:
        """The weights, and the advisers."""
        advisers = [agent.identity for each in self.params.advisers.values()
                    for agent in each.agents]  # fmt: skip
        return f"{super().identity} {sha256(' '.join(advisers).encode()).hexdigest()}"

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Texts of its advisers."""
        advisers = self.params.advisers.values()
        return tuple(dict.fromkeys(name for each in advisers for name in each.names))


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """How likely a person is to make each move."""
    brain = params["brain"][int(view.players)]
    if not fits(view, brain["network"]):
        return no_network()
    probs = np.zeros(int(brain["network"]["n_moves"]))
    judge(view, memory, brain, params["experience"], probs)
    return ranked_moves(view, probs, lambda prob: f"{100 * prob:.1f} %")
