"""Play for learning: one sample per turn, from the view of the seat that moves, in many games.

A batch contains the turns of every game in the order of play, across seats: ``[turn, game]``. Games
that end are dealt again in the middle of it, where ``ends`` is set.
"""

from dataclasses import dataclass
from time import process_time

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.encoding import vector_length
from tamaya.envs.vector import HanabiVectorEnv
from tamaya.learn.networks import masked
from tamaya.learn.other_play import Recolouring
from tamaya.rng import seed_of, wrapped_seed
from tamaya.rules import Rules

TRAINING = 1 << 40  # child of a run's seed from which its deals come


@dataclass
class Batch:
    """What was seen, done and expected at each turn, ``[turn, game]``."""

    vectors: Tensor  # [turn, game, entry]
    legal: Tensor  # bool, [turn, game, move]
    moves: Tensor
    log_probs: Tensor  # of the moves, when they were chosen
    values: Tensor  # one turn more than the others: the value of the turn after the last
    rewards: Tensor
    ends: Tensor  # bool: the game ended with this move
    scores: np.ndarray  # of the games that ended


class Rollouts:
    """Games in progress, from which batches are taken; all randomness is in its generator."""

    def __init__(
        self, rules: Rules, encoder: str, n_games: int, seed: int, other_play: bool = False
    ) -> None:
        self.rules, self.n_games = rules, n_games
        self.length = vector_length(rules, encoder)
        self.env = HanabiVectorEnv(n_games, rules, encoder=encoder, dtype=np.uint8)
        self.recolouring = Recolouring(self.env, encoder) if other_play else None
        self.generator = torch.Generator().manual_seed(seed % 2**63)
        self.seconds_in_games = 0.0
        # Not the games that this seed has elsewhere, so that nothing is tested on training deals.
        vectors, info = self.env.reset(seed=int(seed_of(wrapped_seed(seed), TRAINING)))
        self._follow(np.ones(n_games, np.bool_))
        self._look(vectors, info["action_mask"])

    def reseed(self, seed: int, number: int) -> None:
        """Finish the games in progress, but draw and deal by another seed from now on.

        That is the child of a run's seed with some number.
        """
        seed = int(seed_of(wrapped_seed(seed), number))
        state = self.state()
        deals = np.array([seed_of(wrapped_seed(seed), TRAINING)], np.uint64)
        state["seed"] = torch.from_numpy(deals.view(np.uint8))
        state["generator"] = torch.Generator().manual_seed(seed % 2**63).get_state()
        self.restore(state)

    def _follow(self, begins: np.ndarray) -> None:
        """A hook for work after a move, or in games that begin."""

    def _look(self, vectors: np.ndarray, legal: np.ndarray) -> None:
        """Store what the seats to move see now."""
        if self.recolouring:
            vectors, legal = self.recolouring.look()
        self.vectors, self.legal = torch.from_numpy(vectors), torch.from_numpy(legal)

    def step(self, moves: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Make a move in every game; returns rewards, ends, and scores where games ended."""
        started = process_time()
        chosen = moves.numpy()
        if self.recolouring:
            chosen = self.recolouring.true_moves(chosen)
        vectors, rewards, ends, _, info = self.env.step(chosen)
        self._follow(ends)
        self._look(vectors, info["action_mask"])
        self.seconds_in_games += process_time() - started
        return rewards, ends, info["final_score"]

    def choose(self, log_probs: Tensor) -> Tensor:
        """A move in every game by its probabilities."""
        return draw(log_probs, self.generator)

    @torch.no_grad()
    def collect(self, network: nn.Module, n_turns: int) -> Batch:
        """Play some turns in every game, moves drawn from the network's policy."""
        shape = n_turns, self.n_games
        batch = Batch(
            vectors=torch.empty((*shape, self.length), dtype=self.vectors.dtype),
            legal=torch.empty((*shape, self.rules.n_moves), dtype=torch.bool),
            moves=torch.empty(shape, dtype=torch.int64),
            log_probs=torch.empty(shape),
            values=torch.empty((n_turns + 1, self.n_games)),
            rewards=torch.empty(shape),
            ends=torch.empty(shape, dtype=torch.bool),
            scores=np.zeros(0, np.int64),
        )
        finished = []
        for turn in range(n_turns):
            batch.vectors[turn] = self.vectors
            batch.legal[turn] = self.legal
            logits, batch.values[turn] = network(self.vectors)
            log_probs = masked(logits, batch.legal[turn]).log_softmax(-1)
            moves = self.choose(log_probs)
            batch.moves[turn] = moves
            batch.log_probs[turn] = log_probs.gather(1, moves[:, None]).squeeze(1)
            rewards, ends, scores = self.step(moves)
            batch.rewards[turn] = torch.from_numpy(rewards)
            batch.ends[turn] = torch.from_numpy(ends)
            finished.append(scores[ends])
        batch.values[n_turns] = network(self.vectors)[1]
        batch.scores = np.concatenate(finished)
        return batch

    def state(self) -> dict[str, Tensor]:
        """Everything that determines how the games continue, as tensors."""
        state = {name: torch.from_numpy(part.view(np.uint8).reshape(-1).copy())
                 for name, part in self.env.state().items()}  # fmt: skip
        return {**state, "generator": self.generator.get_state()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Continue from a state."""
        now = self.env.state()
        parts = {name: state[name].numpy().view(part.dtype).reshape(part.shape)
                 for name, part in now.items()}  # fmt: skip
        vectors, info = self.env.restore(parts)
        self.generator.set_state(state["generator"])
        self._look(vectors, info["action_mask"])


def draw(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """A move per row by its probabilities: the largest after adding Gumbel noise."""
    noise = torch.empty_like(log_probs).exponential_(generator=generator).log_()
    return (log_probs - noise).argmax(-1)


def estimate_advantages(
    rewards: Tensor, ends: Tensor, values: Tensor, gamma: float, lam: float
) -> Tensor:
    """Generalised advantage estimates along the turns of each game, across seats.

    All seats expect the same team return, so the value that the next seat to move expects stands
    for what comes after a move; nothing comes after the end of a game.
    """
    result = torch.empty_like(rewards)
    following = torch.zeros_like(rewards[0])
    for turn in range(len(rewards) - 1, -1, -1):
        goes_on = (~ends[turn]).float()
        td_error = rewards[turn] + gamma * goes_on * values[turn + 1] - values[turn]
        following = td_error + gamma * lam * goes_on * following
        result[turn] = following
    return result
