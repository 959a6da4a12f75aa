"""Agents of networks without memory: one compiled function, the weights are its parameters.

An agent has a network for each number of players it knows. Under other rules than those it was
trained for (fewer colours, other hands, minimal views) its vectors would mean nothing; there it
plays what is certain and hints what can be played.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import numpy as np

from tamaya.agent import Agent
from tamaya.agents.certainty import best_hint, idle_hint, sure_slot
from tamaya.agents.learned.files import Network
from tamaya.agents.learned.network import NETWORK, evaluate, fits
from tamaya.compiled import hot
from tamaya.game import MOVE_BIT, legal_mask, nth_move
from tamaya.moves import NO_MOVE, move_phrase, play
from tamaya.records import record
from tamaya.rules import MAX_PLAYERS, Rules
from tamaya.view import dead_mask, playable_mask

N_SHOWN = 5  # moves that an explanation lists

PARAMS = record([("network", NETWORK, MAX_PLAYERS + 1)])  # by number of players


@hot
def best_move(logits, legal):
    """The legal move with the highest logit."""
    best, highest = NO_MOVE, np.float32(-np.inf)
    for move in range(len(logits) - 1):
        if legal & MOVE_BIT[move] and (best == NO_MOVE or logits[move] > highest):
            best, highest = move, logits[move]
    return best


@hot
def certain_move(view):
    """A sensible move under rules that no network was trained for."""
    playable = playable_mask(view)
    slot = sure_slot(view, playable)
    if slot >= 0:
        return play(view, slot)
    if view.tokens > 0:
        move = best_hint(view, playable, dead_mask(view), 0.5)
        if move == NO_MOVE and view.tokens == view.max_tokens:
            move = idle_hint(view)
        if move != NO_MOVE:
            return move
    return nth_move(legal_mask(view), 0)


def act(view, memory, params):
    """Makes the move that its network holds for best."""
    network = params.network[view.players]
    if not fits(view, network):
        return certain_move(view)
    return best_move(evaluate(view, network), legal_mask(view))


class LearnedAgent(Agent):
    """An agent that plays networks, one per number of players; it keeps their weights alive."""

    act_of_kind = staticmethod(act)

    def __init__(self, name: str, networks: Iterable[Network], **options: Any) -> None:
        self.networks = {network.rules.players: network for network in networks}
        low, high = min(self.networks), max(self.networks)
        self._description = options.pop("description", "")
        super().__init__(name, self.act_of_kind, players=f"{low}-{high}", **options)
        self.explain_function = explain

    @property
    def description(self) -> str:
        """What its card says of it."""
        cards = [network.card for network in self.networks.values()]
        described = (card["description"] for card in cards if card.get("description"))
        return self._description or next(described, "Makes the move its network holds for best.")

    @property
    def identity(self) -> str:
        """The weights themselves, wherever they were read from."""
        digest = sha256()
        for players in sorted(self.networks):
            digest.update(self.networks[players].weights.tobytes())
        return f"{self.spec} {digest.hexdigest()}"

    def _params_record(self) -> np.ndarray:
        params = np.zeros(1, PARAMS)
        for players, network in self.networks.items():
            network.write_record(params["network"][0, players])
        return params


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """The moves that the network holds for best with their probabilities, and the value."""
    network = params["network"][int(view.players)]
    if not fits(view, network):
        return [("no network for these rules", "plays what is certain")]
    return ranked_moves(view, evaluate(view, network))


def ranked_moves(view: np.record, out: np.ndarray) -> list[tuple[str, Any]]:
    """The likeliest moves of some outputs with their probabilities, and the value."""
    legal = int(legal_mask(view))
    moves = [move for move in range(len(out) - 1) if legal >> move & 1]
    chances = np.exp(out[moves] - out[moves].max())
    chances /= chances.sum()
    ranked = sorted(zip(chances, moves, strict=True), key=lambda row: (-row[0], row[1]))
    rules = Rules(players=int(view.players), colours=int(view.colours), ranks=int(view.ranks),
                  hand_size=int(view.hand_size))  # fmt: skip
    rows = [(move_phrase(rules, move), f"{100 * chance:.1f} %")
            for chance, move in ranked[:N_SHOWN]]  # fmt: skip
    return [*rows, ("points expected from here on", f"{out[-1]:.1f}")]
