"""BAD as an agent: both seats keep the same public beliefs and use them to decode moves.

After every move both seats compute, for each hand that the mover may have seen, what it would have
done, and increase the weight of hands that lead to the move it made. All of it follows from public
information, so one memory serves both seats.
"""

from typing import Any

import numpy as np

from tamaya.agent import Params
from tamaya.agents.learned.beliefs import (
    N_SEATS,
    V2,
    VERSIONS,
    believe,
    count_left,
    shift_cards,
)
from tamaya.agents.learned.decoding import DESK, decode, set_up
from tamaya.agents.learned.family import LearnedAgent, best_move, certain_move, no_network, outlook
from tamaya.agents.learned.network import fits
from tamaya.agents.learned.private_beliefs import believe as believe_privately
from tamaya.agents.learned.public import BRAIN, MAX_WIDTH, N_MARKS, head_of, run_head, run_trunk
from tamaya.cards import NO_CARD, card_name
from tamaya.compiled import hot, scratch
from tamaya.game import Game
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.moves import slot_of
from tamaya.records import RUNNING, VIEW, record
from tamaya.rules import MAX_HAND
from tamaya.view import critical_mask, dead_mask, fill_view, playable_mask

MEMORY: list[tuple[Any, ...]] = [
    ("is_awake", np.int64),
    ("likelihood", np.float32, (N_SEATS, MAX_HAND, 25)),  # of the moves so far, see beliefs
    # Public information before the next move.
    ("belief", np.float32, (N_SEATS, MAX_HAND, 25)),
    ("hidden", np.float32, MAX_WIDTH),  # output of the trunk
    ("left", np.int64, 25),             # copies neither played nor discarded
    ("masks", np.int64, N_MARKS),       # cards that are playable, dead, critical
    ("moves", np.uint64),               # legal moves of the seat to move other than hints
    ("may_hint", np.int64),
]  # fmt: skip
PARAMS = record([("brain", BRAIN), ("start", VIEW)])  # start: what is public after the deal


@hot
def write_masks(source, masks):
    """Which cards are playable, dead and critical."""
    masks[0] = playable_mask(source)
    masks[1] = dead_mask(source)
    masks[2] = critical_mask(source)


@hot
def look(source, memory, brain):
    """Read the public information before the next move, from a game or any seat's view."""
    count_left(source, memory.left)
    write_masks(source, memory.masks)
    believe(source, memory.likelihood, brain, memory.belief)
    memory.moves = np.uint64(0)
    may_discard = source.tokens < source.max_tokens or source.discard_at_full
    for slot in range(source.hand_size):
        if source.order[source.mover, slot] >= 0:
            memory.moves |= MOVE_BIT[source.hand_size + slot]
            if may_discard:
                memory.moves |= MOVE_BIT[slot]
    memory.may_hint = source.tokens > 0


@hot
def look_and_run(view, memory, brain):
    """Read the public information before the next move, and run the trunk on it."""
    look(view, memory, brain)
    run_trunk(view, memory.belief, memory.masks, brain, memory.hidden)


@hot
def follow(source, event, memory, brain, noise, desk):
    """Update the likelihoods of the hand that the mover saw, and of its own if a card left it."""
    if brain.version == V2:
        decode(source, event, memory, brain, noise, desk)
    if event.card >= 0:
        shift_cards(source, memory.likelihood[event.seat], slot_of(source, event.move))


@hot
def outputs(view, memory, brain):
    """Outputs for the hand that the seat to move sees, moves and last the value."""
    network = brain.network
    hand, masks = np.empty(view.hand_size, np.int64), np.empty(N_MARKS, np.int64)
    hidden, out = np.empty(MAX_WIDTH, np.float32), np.empty(network.n_moves + 1, np.float32)
    for slot in range(view.hand_size):
        hand[slot] = view.card[1 - view.seat, slot]
    write_masks(view, masks)
    if memory.is_awake:
        hidden[:] = memory.hidden
    else:  # before the first move; only ``observe`` may write to a shared memory
        belief = np.empty(memory.belief.shape, np.float32)
        believe(view, np.ones(belief.shape, np.float32), brain, belief)
        run_trunk(view, belief, masks, brain, hidden)
    units = np.empty(network.width, np.float32)
    run_head(head_of(brain), hidden, hand, masks, brain, units, out)
    return out


def act(view, memory, params):
    """Makes the move that its network rates best, given the public beliefs."""
    if view.players != N_SEATS or not fits(view, params.brain.network):
        return certain_move(view)
    return best_move(outputs(view, memory, params.brain), legal_mask(view))


def observe(view, event, memory, params):
    """Updates the public beliefs."""
    if view.players != N_SEATS or not fits(view, params.brain.network):
        return
    if not memory.is_awake:
        memory.is_awake = 1
        memory.likelihood[:] = 1
        look_and_run(params.start, memory, params.brain)
    noise = np.zeros(params.brain.network.n_moves, np.float32)
    desk = scratch(DESK)
    set_up(params.brain, desk)
    follow(view, event, memory, params.brain, noise, desk)
    if view.status == RUNNING:
        look_and_run(view, memory, params.brain)


class BadParams(Params):
    """The network of a public agent, and what is public after any deal."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def record(self) -> np.ndarray:
        """The network in the form for kernels; its weights must stay alive."""
        params = np.zeros(1, PARAMS)
        write_brain(self.network, params["brain"][0])
        write_start(self.network.rules, params["start"][0])
        return params


class BadAgent(LearnedAgent):
    """An agent that plays the network of a public agent at a table for two."""

    def __init__(self, name: str, networks: Any, **options: Any) -> None:
        (network,) = networks
        super().__init__(name, [network], act, memory=MEMORY, shared=True,
                         params=BadParams(network), **options)  # fmt: skip
        self.observe(observe)
        self.explain(explain)
        self.believe(believe_privately)


def write_brain(network: Any, brain: np.record) -> None:
    """Fill a ``BRAIN`` record."""
    metadata = network.metadata
    network.write_record(brain["network"])
    brain["n_marks"] = N_MARKS if metadata["marks"] else 0
    brain["version"] = VERSIONS.index(metadata["belief"])
    brain["rounds"], brain["n_hands"] = metadata["rounds"], metadata["hands"]
    brain["mixing"] = metadata["mixing"]


def write_start(rules: Any, view: np.record) -> None:
    """What is public after any deal."""
    fill_view(Game(rules).record, 0, view)
    view["card"] = NO_CARD


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """The moves that the network rates best, and what everybody believes about its own hand."""
    brain = params["brain"]
    if view.players != N_SEATS or not fits(view, brain["network"]):
        return no_network()
    rows = outlook(view, outputs(view, memory, brain))
    if memory.is_awake:
        for slot in range(int(view.n_cards[view.seat])):
            shares = memory.belief[view.seat, slot]
            best = sorted(range(25), key=lambda card: (-shares[card], card))[:3]
            text = ", ".join(f"{card_name(card)} {100 * shares[card]:.0f} %" for card in best)
            rows.append((f"believed of slot {slot}", text))
    return rows
