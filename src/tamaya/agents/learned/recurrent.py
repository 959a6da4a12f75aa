"""Agents that play recurrent networks: a seat's memory is the state over its own turns so far.

The state advances once per own turn, from what the seat sees before it moves. ``observe`` does this
as soon as the previous move was made, not ``act``: so it is also correct where another agent
chooses the moves, as when search replays a history with imagined cards.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tamaya.agents.learned.family import LearnedAgent, best_move, certain_move, no_network, outlook
from tamaya.agents.learned.lstm import MAX_WIDTH, N_LAYERS, advance, read_out
from tamaya.agents.learned.network import fits
from tamaya.compiled import hot
from tamaya.game_kernels import legal_mask
from tamaya.records import RUNNING, SEER, VIEW
from tamaya.view import copy_common

if TYPE_CHECKING:
    from tamaya.agents.learned.files import Network

MEMORY = [
    ("n_seen", np.int64),  # turns of the game up to the last own turn in the state
    ("state", np.float32, 2 * N_LAYERS * MAX_WIDTH),  # per layer outputs and cells, then unused
]


@hot
def take_in(view, network, memory):
    """Advance the state to an own turn, once."""
    if memory.n_seen != view.n_moves + 1:
        memory.n_seen = view.n_moves + 1
        advance(view, network, memory.state)


@hot
def write_opening(view, opening):
    """Reconstruct what the first mover saw before its move, from what it sees after it.

    The other hands are the same. Its own slots only have to be full; their orders do not matter.
    """
    copy_common(opening, view)
    opening.n_moves = 0
    opening.seat = view.seat
    opening.mover = view.seat
    opening.tokens = view.max_tokens
    opening.lives = view.max_lives
    opening.points = 0
    opening.deck_size = view.n_all - view.players * view.hand_size
    opening.turns_left = view.players
    opening.firework[:] = 0
    opening.discarded[:] = 0
    for seat in range(view.players):
        opening.n_cards[seat] = view.hand_size
        for slot in range(view.hand_size):
            opening.card[seat, slot] = view.card[seat, slot]
            opening.order[seat, slot] = max(0, view.order[seat, slot])
            if view.observation != SEER:  # hints tell a seer nothing
                opening.possible[seat, slot] = view.all_cards
                opening.told[seat, slot] = 0


def act(view, memory, params):
    """Makes the move that its network rates best, given all that it has seen."""
    network = params.network[view.players]
    if not fits(view, network):
        return certain_move(view)
    take_in(view, network, memory)
    return best_move(read_out(view, network, memory.state), legal_mask(view))


def observe(view, event, memory, params):
    """Advances the state with what the seat sees as soon as it is its turn."""
    network = params.network[view.players]
    if not fits(view, network):
        return
    if view.n_moves == 1 and event.seat == view.seat and memory.n_seen == 0:
        opening = np.zeros(1, VIEW)
        write_opening(view, opening[0])
        take_in(opening[0], network, memory)
    if view.mover == view.seat and view.status == RUNNING:
        take_in(view, network, memory)


class RecurrentAgent(LearnedAgent):
    """An agent that plays recurrent networks, one per number of players."""

    def __init__(self, name: str, networks: "Iterable[Network]", **options: Any) -> None:
        super().__init__(name, networks, act, memory=MEMORY, **options)
        self.observe_function = observe
        self.explain_function = explain


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """The moves that the network rates best with their probabilities, and the value."""
    network = params["network"][int(view.players)]
    if not fits(view, network):
        return no_network()
    asked = memory.copy()  # so that explaining does not affect the game
    take_in(view, network, asked)
    return outlook(view, read_out(view, network, asked["state"]))
