"""Play for learning with public beliefs: the games of ``Rollouts``, and a memory for each of them.

A turn's noise is the same for all hands that the mover might have seen, so that its policy in
that turn is deterministic and known to everybody (the partial policy of BAD): what it would have
done with other hands is known as exactly as what it did.

The public half of the network runs once per turn: torch runs it for all games to choose their
moves, and the memories get its output for decoding these.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from tamaya.agents.learned.bad import MEMORY, follow, look, write_brain, write_start
from tamaya.agents.learned.decoding import DESK, set_up
from tamaya.agents.learned.files import Metadata, make_network
from tamaya.agents.learned.public import BRAIN, Sizes, vector_sizes, write_beliefs
from tamaya.cards import BIT
from tamaya.compiled import hot, scratch
from tamaya.learn.rollouts import Batch, Rollouts
from tamaya.learn.validation import full_metadata
from tamaya.records import VIEW, record
from tamaya.rules import Rules
from tamaya.view import fill_view

LANE_MEMORY = record([("rng", np.uint64), *MEMORY])  # of the agent that plays


@hot
def follow_lanes(games, begins, noise, brain, views, memories):
    """Update the memory of each game: begin it, or process its last move.

    ``views[0]`` is the public view after a deal, ``views[1]`` that of the current position.
    """
    desk = scratch(DESK)
    set_up(brain, desk)
    for lane in range(len(games)):
        game, memory = games[lane], memories[lane]
        source = views[0]
        if begins[lane]:
            memory.is_awake = 1
            memory.likelihood[:] = 1
        else:
            source = views[1]
            fill_view(game, game.mover, source)
            event = game.history[game.n_moves - 1]
            follow(source, event, memory, brain, noise[lane], desk)
        look(source, memory, brain)


@hot
def write_vectors(games, bits, brain, memories, vectors):
    """Vectors of the seats to move: their bits, the beliefs, and marks of the hand they see."""
    n_bits, n_marks = bits.shape[1], brain.n_marks
    for lane in range(len(games)):
        game, masks = games[lane], memories[lane].masks
        size = np.int64(game.hand_size)
        vectors[lane, :n_bits] = bits[lane]
        first_mark = vectors.shape[1] - size * n_marks
        beliefs = vectors[lane, n_bits:first_mark]
        write_beliefs(game, memories[lane].belief, masks, n_marks, beliefs)
        for slot in range(size):
            card = game.card[1 - game.mover, slot]
            for mark in range(n_marks):
                is_marked = card >= 0 and masks[mark] & BIT[card] != 0
                vectors[lane, first_mark + slot * n_marks + mark] = is_marked


class PublicRollouts(Rollouts):
    """Games in progress with their public beliefs."""

    def __init__(self, rules: Rules, metadata: Metadata, network: Any, games: int, seed: int):
        self.metadata = full_metadata(rules, metadata)
        self.played = make_network(self.metadata, network.weights())  # the compiled copy
        self.brain = np.zeros(1, BRAIN)
        write_brain(self.played, self.brain[0])
        self.views = np.zeros(2, VIEW)
        write_start(rules, self.views[0])
        self.sizes: Sizes = vector_sizes(rules, int(self.brain["n_marks"][0]))
        self.memories = np.zeros(games, LANE_MEMORY)
        self.noise = np.zeros((games, rules.n_moves), np.float32)
        self.seen = np.zeros((games, sum(self.sizes)), np.float32)
        super().__init__(rules, "hle", games, seed)
        self.length = sum(self.sizes)

    def _follow(self, begins: np.ndarray) -> None:
        """Update the memories after the moves."""
        brain = self.brain[0]
        follow_lanes(self.env.games, begins, self.noise, brain, self.views, self.memories)

    def _look(self, vectors: np.ndarray, legal: np.ndarray) -> None:
        """Store what the seats to move see and believe now."""
        write_vectors(self.env.games, vectors, self.brain[0], self.memories, self.seen)
        self.vectors, self.legal = torch.from_numpy(self.seen), torch.from_numpy(legal)

    def choose(self, log_probs: Tensor) -> Tensor:
        """A move in every game by its probabilities, with noise that everybody knows."""
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator).log_().neg_()
        self.noise = noise.numpy()
        return (log_probs + noise).argmax(-1)

    def collect(self, network: Any, n_turns: int) -> Batch:
        """Play some turns in every game with the current network."""
        self.played.weights[:] = make_network(self.metadata, network.weights()).weights
        hook = network.second.register_forward_hook(self._remember)
        try:
            return super().collect(network, n_turns)
        finally:
            hook.remove()

    def _remember(self, layer: Any, inputs: Any, output: Tensor) -> None:
        """Keep what the public half of the network gave, a row per game."""
        self.memories["hidden"][:, : output.shape[1]] = output.numpy()

    def state(self) -> dict[str, Tensor]:
        """Everything that determines how the games continue, as tensors."""
        memories = torch.from_numpy(self.memories.view(np.uint8).copy())
        return {**super().state(), "minds": memories}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Continue from a state."""
        self.memories.view(np.uint8)[:] = state["minds"].numpy()
        super().restore(state)
