"""Agents that play feed-forward networks: one compiled function whose parameters are the weights.

An agent has a network for each number of players it supports. Under rules other than those it was
trained for (fewer colours, other hand sizes, minimal views) its vectors would be meaningless; then
it plays what is certain and hints what can be played.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from tamaya.agent import Agent, Params
from tamaya.agents.learned.network import NETWORK, evaluate, fits
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, legal_mask, nth_move
from tamaya.knowledge.board import board_now
from tamaya.knowledge.literal import best_hint, idle_hint, sure_slot
from tamaya.moves import NO_MOVE, move_phrase, play
from tamaya.records import record
from tamaya.rules import MAX_PLAYERS, Rules

if TYPE_CHECKING:  # reading files does not affect how an agent plays
    from tamaya.agents.learned.files import Network

N_SHOWN = 5  # moves that an explanation lists

PARAMS = record([("network", NETWORK, MAX_PLAYERS + 1)])  # by number of players


@hot
def best_move(outputs, legal):
    """The legal move with the highest output; the value after the moves is ignored."""
    best, highest = NO_MOVE, np.float32(-np.inf)
    for move in range(len(outputs)):
        if legal & MOVE_BIT[move] and (best == NO_MOVE or outputs[move] > highest):
            best, highest = move, outputs[move]
    return best


@hot
def certain_move(view):
    """A sensible move under rules that no network was trained for."""
    board = board_now(view)
    slot = sure_slot(view, board.playable)
    if slot >= 0:
        return play(view, slot)
    if view.tokens > 0:
        move = best_hint(view, board, 0.5)
        if move == NO_MOVE and view.tokens == view.max_tokens:
            move = idle_hint(view)
        if move != NO_MOVE:
            return move
    return nth_move(legal_mask(view), 0)


def act(view, memory, params):
    """Makes the move that its network rates best."""
    network = params.network[view.players]
    if not fits(view, network):
        return certain_move(view)
    return best_move(evaluate(view, network), legal_mask(view))


class NetworkParams(Params):
    """Networks by number of players; there are no numeric parameters."""

    def __init__(self, networks: "Mapping[int, Network]") -> None:
        super().__init__()
        self.networks = networks

    def record(self) -> np.ndarray:
        """The networks in the form for kernels; their weights must stay alive."""
        params = np.zeros(1, PARAMS)
        for players, network in self.networks.items():
            network.write_record(params["network"][0, players])
        return params


class LearnedAgent(Agent):
    """An agent that plays networks, one per number of players; it keeps their weights alive."""

    def __init__(
        self,
        name: str,
        networks: "Iterable[Network]",
        act: Callable[..., Any] = act,
        **options: Any,
    ) -> None:
        self.networks = {network.rules.players: network for network in networks}
        low, high = min(self.networks), max(self.networks)
        options.setdefault("params", NetworkParams(self.networks))
        super().__init__(name, act, players=f"{low}-{high}", **options)
        self.explain_function = explain

    @property
    def description(self) -> str:
        """The description in the metadata of its networks."""
        said = (network.metadata.get("description") for network in self.networks.values())
        default = "Makes the move its network rates best."
        return self._description or next(filter(None, said), default)

    @property
    def identity(self) -> str:
        """The weights themselves, regardless of their file."""
        digest = sha256()
        for players in sorted(self.networks):
            digest.update(self.networks[players].weights.tobytes())
        return f"{self.spec} {digest.hexdigest()}"

    def plays_with(self, players: int) -> bool:
        """Whether it has a network for tables of this size."""
        return players in self.networks

    def training_turns(self, players: int) -> int:
        """Turns that its network for this number of players was trained on, from its metadata."""
        network = self.networks.get(players)
        return int(network.metadata.get("turns", 0)) if network else 0


def ranked_moves(
    view: np.record, values: np.ndarray, text: Callable[[float], str]
) -> list[tuple[str, Any]]:
    """The legal moves with the highest values, and these as texts."""
    legal = int(legal_mask(view))
    moves = [move for move in range(len(values)) if legal >> move & 1]
    moves.sort(key=lambda move: (-values[move], move))
    rules = Rules(players=int(view.players), colours=int(view.colours), ranks=int(view.ranks),
                  hand_size=int(view.hand_size))  # fmt: skip
    return [(move_phrase(rules, move), text(values[move])) for move in moves[:N_SHOWN]]


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """The moves that the network rates best with their probabilities, and the value."""
    network = params["network"][int(view.players)]
    if not fits(view, network):
        return no_network()
    return outlook(view, evaluate(view, network))


def no_network() -> list[tuple[str, Any]]:
    """The explanation under rules that no network was trained for."""
    return [("no network for these rules", "plays what is certain")]


def outlook(view: np.record, out: np.ndarray) -> list[tuple[str, Any]]:
    """Outputs of a network as rows: the most probable legal moves, and the value."""
    legal = np.array([bool(int(legal_mask(view)) >> move & 1) for move in range(len(out) - 1)])
    logits = np.where(legal, out[:-1], -np.inf)
    probs = np.exp(logits - logits.max())
    probs /= probs.sum()
    rows = ranked_moves(view, probs, lambda prob: f"{100 * prob:.1f} %")
    return [*rows, ("points expected from here on", f"{out[-1]:.1f}")]
