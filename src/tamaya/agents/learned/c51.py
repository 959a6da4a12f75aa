"""Agents that play networks of distributions, such as those that Rainbow trains."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tamaya.agents.learned.distributions import evaluate_moves
from tamaya.agents.learned.family import (
    LearnedAgent,
    best_move,
    certain_move,
    no_network,
    ranked_moves,
)
from tamaya.agents.learned.network import fits
from tamaya.game_kernels import legal_mask

if TYPE_CHECKING:
    from tamaya.agents.learned.files import Network


def act(view, memory, params):
    """Makes the move after which its network expects the most points."""
    network = params.network[view.players]
    if not fits(view, network):
        return certain_move(view)
    legal = legal_mask(view)
    return best_move(evaluate_moves(view, network, legal), legal)


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """The moves that the network rates best, with the points expected after them."""
    network = params["network"][int(view.players)]
    if not fits(view, network):
        return no_network()
    values = evaluate_moves(view, network, legal_mask(view))
    return ranked_moves(view, values, lambda value: f"{value:.2f} more points")


class C51Agent(LearnedAgent):
    """An agent that plays networks of distributions, one per number of players."""

    def __init__(self, name: str, networks: "Iterable[Network]", **options: Any) -> None:
        super().__init__(name, networks, act, **options)
        self.explain_function = explain
