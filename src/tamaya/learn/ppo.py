"""PPO (Schulman et al. 2017) over the joint turns of all seats, our strongest learner.

One network for all seats, one sample per turn from the view of the seat that moves, advantages
along the turns across seats. Schedules run over the whole planned budget.
"""

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.agents.learned.files import Metadata, Weights
from tamaya.checked_files import Arrays
from tamaya.encoding import vector_length
from tamaya.learn.halves import count_of
from tamaya.learn.loading import load_weights, widened
from tamaya.learn.networks import PolicyValue, masked
from tamaya.learn.optimizers import compact_arrays, restore_arrays
from tamaya.learn.rollouts import Batch, Rollouts, estimate_advantages
from tamaya.rules import Rules


@dataclass(frozen=True)
class Updates:
    """Settings of the updates; pairs are schedules from the first to the second value."""

    width: int = 256  # units of each hidden layer
    games: int = 1024  # played side by side
    turns: int = 32  # of each game in a batch; twice as many in the second half of the budget
    epochs: int = 3  # times each batch is learned from
    minibatch: int = 4096
    learning_rate: tuple[float, float] = (7e-4, 5e-5)  # linear over the whole budget
    clip: tuple[float, float] = (0.2, 0.1)  # linear over the whole budget
    entropy: tuple[float, float] = (0.02, 0.003)  # the first for 30 % of the budget, then linear
    gamma: tuple[float, float] = (0.99, 0.997)  # the first for half of the budget, then linear
    lam: float = 0.9  # of the advantages
    value_weight: float = 0.05  # of the squared error in points
    gradient_norm: float = 0.5  # largest


@dataclass(frozen=True)
class Settings(Updates):
    """The settings of PPO."""

    encoder: str = "derived"  # or hle, the canonical vector
    bfloat16: bool = False  # compute hidden layers in bfloat16, see docs/learning.md
    other_play: bool = False  # each seat sees the colours in its own order


PRESETS: dict[str, dict[str, Any]] = {
    "self-play": {},
    "cross-play": {"entropy": (0.05, 0.05)},  # broader conventions, for partners trained separately
    "other-play": {"other_play": True},
    # Beyond the 100 million turns that the Hanabi Challenge allows.
    "unlimited": {"width": 512, "bfloat16": True, "learning_rate": (5e-4, 2e-5),
                  "entropy": (0.02, 0.002)},
    # For games of a few moves.
    "small": {"games": 512, "turns": 8, "minibatch": 1024, "width": 64,
              "learning_rate": (3e-3, 1e-4)},
}  # fmt: skip


def scheduled(pair: tuple[float, float], hold: float, done: float) -> float:
    """The first of two values for a share of the budget, then linear to the second."""
    return float(np.interp(done, [hold, 1.0], pair))


class Learner:
    """The state of PPO between two batches."""

    widens = True  # a narrower network can be what it begins from

    def __init__(self, rules: Rules, settings: Any, seed: int, budget: int) -> None:
        self.rules, self.settings, self.seed, self.budget = rules, settings, seed, budget
        self.turns = 0
        torch.manual_seed(seed % 2**63)
        self.network, self.rollouts = self._make(seed)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)

    def _make(self, seed: int) -> tuple[Any, Rollouts]:
        """Network and games."""
        rules, settings = self.rules, self.settings
        n_inputs = vector_length(rules, settings.encoder)
        network = PolicyValue(n_inputs, settings.width, rules.n_moves, settings.bfloat16)
        games = Rollouts(rules, settings.encoder, settings.games, seed, settings.other_play)
        return network, games

    @property
    def metadata(self) -> Metadata:
        """Kind, encoder and shape of the network."""
        return {"kind": "mlp", "encoder": self.settings.encoder, "width": self.settings.width}

    def weights(self) -> Weights:
        """The weights, in the form that ``tamaya.agents.learned`` uses."""
        return self.network.weights()

    def step(self) -> dict[str, float]:
        """Play a batch and learn from it; returns figures for the log."""
        settings, done = self.settings, min(1.0, self.turns / self.budget)
        n_turns = settings.turns * (2 if done >= 0.5 else 1)
        rate = scheduled(settings.learning_rate, 0, done)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        started, games_before = process_time(), self.rollouts.seconds_in_games
        batch = self.rollouts.collect(self.network, n_turns)
        collected = process_time()
        figures = self._learn(batch, done)
        self.turns += n_turns * settings.games
        seconds = process_time() - started
        scores = batch.scores if len(batch.scores) else np.array([np.nan])
        return {
            "training_score": float(scores.mean()),
            **figures,
            "learning_rate": rate,
            "share_of_games": (self.rollouts.seconds_in_games - games_before) / seconds,
            "share_of_rollouts": (collected - started) / seconds,
        }

    def _learn(self, batch: Batch, done: float) -> dict[str, float]:
        """Go through a batch a few times in minibatches; returns mean figures."""
        settings = self.settings
        gamma = scheduled(settings.gamma, 0.5, done)
        advantages = estimate_advantages(batch.rewards, batch.ends, batch.values, gamma,
                                         settings.lam)  # fmt: skip
        returns = (advantages + batch.values[:-1]).flatten()
        samples = TurnSamples(batch.vectors.flatten(0, 1), batch.legal.flatten(0, 1),
                          batch.moves.flatten(), batch.log_probs.flatten(), advantages.flatten(),
                          returns)  # fmt: skip
        clip = scheduled(settings.clip, 0, done)
        entropy_weight = scheduled(settings.entropy, 0.3, done)
        sums, n_updates = torch.zeros(4), 0
        for _ in range(settings.epochs):
            order = torch.randperm(len(returns), generator=self.rollouts.generator)
            for chosen in order.split(settings.minibatch):
                sums += self._update(samples.of(chosen), clip, entropy_weight)
                n_updates += 1
        names = ("policy_loss", "value_loss", "entropy", "clipped")
        explained = 1 - (returns - batch.values[:-1].flatten()).var() / returns.var()
        figures = dict(zip(names, (sums / n_updates).tolist(), strict=True))
        return {**figures, "explained": float(explained)}

    def _update(self, samples: "TurnSamples", clip: float, entropy_weight: float) -> Tensor:
        """One step of the optimiser on a minibatch; returns its figures."""
        logits, values = self.network(samples.vectors)
        log_probs = masked(logits, samples.legal).log_softmax(-1)
        chosen = log_probs.gather(1, samples.moves[:, None]).squeeze(1)
        ratio = (chosen - samples.log_probs).exp()
        advantages = samples.advantages
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped = ratio.clamp(1 - clip, 1 + clip)
        policy_loss = -torch.min(ratio * advantages, clipped * advantages).mean()
        value_loss = (values - samples.returns).square().mean()
        entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
        weight = self.settings.value_weight
        loss = policy_loss + weight * value_loss - entropy_weight * entropy
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.gradient_norm)
        self.optimizer.step()
        share = ((ratio - 1).abs() > clip).float().mean()
        return torch.stack([policy_loss, value_loss, entropy, share]).detach()

    def state(self) -> dict[str, Any]:
        """Everything that determines how learning continues."""
        return {"turns": self.turns, "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "rollouts": self.rollouts.state()}  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.turns = state["turns"]
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.rollouts.restore(state["rollouts"])

    def compact_state(self) -> Arrays:
        """Weights, moments and counts in half precision, without the games in progress."""
        return {**compact_arrays(self.network, self.optimizer), "turns": np.array(self.turns)}

    def restore_compact(self, arrays: Arrays) -> None:
        """Continue from a compact state, with other deals."""
        restore_arrays(self.network, self.optimizer, arrays)
        self._begin_after(count_of(arrays, "turns"))

    def begin_from(self, weights: Weights, turns: int) -> None:
        """Begin with the weights of a network that has learned from some turns."""
        times = self.settings.width // weights["first"].shape[1]
        if times > 1:
            weights = widened(weights, times, np.random.default_rng(self.seed))
        load_weights(self.network, weights)
        self._begin_after(turns)

    def _begin_after(self, turns: int) -> None:
        """Continue from some turns, with deals that a run from the beginning has not seen."""
        self.turns = turns
        self.rollouts.reseed(self.seed, turns)


@dataclass(frozen=True)
class TurnSamples:
    """Turns to learn from, one row each."""

    vectors: Tensor
    legal: Tensor
    moves: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor

    def of(self, rows: Tensor) -> "TurnSamples":
        """Some of the rows."""
        return TurnSamples(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))
