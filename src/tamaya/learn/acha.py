"""ACHA, the actor-critic of the Hanabi Challenge: recurrent, off-policy by V-trace (IMPALA).

One network for all seats; its input says which seat it is. Actors play with parameters that lag
behind the learner's; V-trace corrects for this. Details that the paper omits come from IMPALA
(Espeholt et al. 2018) or, where that did not learn the full game at all, were chosen here
(``docs/learning.md``).
Learning rate and entropy weight are constant unless a population changes them
(``tamaya.learn.population``).
"""

from copy import deepcopy
from dataclasses import dataclass
from math import nan
from time import process_time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.agents.learned.files import Metadata, Weights
from tamaya.checked_files import Arrays
from tamaya.learn.actors import Actors, Unrolls
from tamaya.learn.halves import amount_of, count_of
from tamaya.learn.loading import load_weights
from tamaya.learn.networks import RecurrentPolicyValue, masked
from tamaya.learn.optimizers import compact_arrays, restore_arrays
from tamaya.learn.vtrace import vtrace
from tamaya.rules import Rules


@dataclass(frozen=True)
class Settings:
    """The settings of ACHA."""

    encoder: str = "hle"  # the canonical vector, or derived
    width: int = 256  # units of each layer
    games: int = 128  # played side by side, each with an actor per seat
    unroll: int = 20  # own turns of a seat that are learned from together
    batch: int = 64  # unrolls of an update
    lag: int = 1  # updates until the actors copy the parameters
    learning_rate: float = 2e-4
    entropy: float = 0.01  # weight
    anneal: bool = False  # both fall to nothing over the planned turns; not for populations
    gamma: float = 0.99  # from an own turn to the next
    value_weight: float = 0.5  # of half the squared error in points
    gradient_norm: float = 40.0  # largest, of losses that are summed over turns
    decay: float = 0.99  # of RMSProp
    epsilon: float = 1e-3  # of RMSProp
    rho_clip: float = 1.0  # of V-trace
    trace_clip: float = 1.0


PRESETS: dict[str, dict[str, Any]] = {
    "self-play": {},
    "derived": {"encoder": "derived"},
    "small": {"encoder": "derived", "width": 64, "games": 64, "unroll": 8, "batch": 32,
              "learning_rate": 1e-3, "entropy": 0.05, "anneal": True},
}  # fmt: skip
# What a population evolves, and the bounds of the priors.
PRIORS = {"learning_rate": (5e-6, 5e-3), "entropy": (5e-5, 1e-2)}
FIGURES = ("policy_loss", "value_loss", "entropy", "corrected")  # of an update


class Learner:
    """The state of ACHA between two steps."""

    def __init__(self, rules: Rules, settings: Settings, seed: int, budget: int) -> None:
        self.rules, self.settings, self.seed, self.budget = rules, settings, seed, budget
        self.turns, self.n_updates = 0, 0
        self.learning_rate, self.entropy = settings.learning_rate, settings.entropy
        self.generation = 0  # of the population in which it last copied another member's network
        torch.manual_seed(seed % 2**63)
        self.actors = Actors(rules, settings.encoder, settings.games, settings.unroll,
                             settings.width, seed)  # fmt: skip
        self.network = RecurrentPolicyValue(self.actors.n_inputs, settings.width, rules.n_moves)
        self.played = deepcopy(self.network)  # the actors' copy
        self.optimizer = torch.optim.RMSprop(
            self.network.parameters(), alpha=settings.decay, eps=settings.epsilon
        )

    @property
    def metadata(self) -> Metadata:
        """Kind, encoder and shape of the network."""
        return {"kind": "lstm", "encoder": self.settings.encoder, "width": self.settings.width}

    def weights(self) -> Weights:
        """The weights, in the form that ``tamaya.agents.learned`` uses."""
        return self.network.weights()

    def step(self) -> dict[str, float]:
        """Play as many turns in every game as an unroll has, and learn from what is complete."""
        settings, actors = self.settings, self.actors
        started, games_before = process_time(), actors.rollouts.seconds_in_games
        scores, sums, n_updates, learning = [], torch.zeros(len(FIGURES)), 0, 0.0
        for _ in range(settings.unroll):
            scores.append(actors.play(self.played))
            before = process_time()
            while len(actors.waiting) >= settings.batch:
                sums += self._update(actors.take(settings.batch))
                n_updates += 1
            learning += process_time() - before
        self.turns += settings.unroll * settings.games
        seconds = process_time() - started
        ended = np.concatenate(scores)
        figures = (sums / n_updates).tolist() if n_updates else [nan] * len(FIGURES)
        return {
            "training_score": float(ended.mean()) if len(ended) else nan,
            **dict(zip(FIGURES, figures, strict=True)),
            "learning_rate": self.share_left() * self.learning_rate,
            "entropy_weight": self.share_left() * self.entropy,
            "share_of_games": (actors.rollouts.seconds_in_games - games_before) / seconds,
            "share_of_rollouts": 1 - learning / seconds,
        }

    def share_left(self) -> float:
        """Share of the budget that is left, if learning rate and entropy weight fall with it."""
        return max(0.0, 1 - self.turns / self.budget) if self.settings.anneal else 1.0

    def _update(self, unrolls: Unrolls) -> Tensor:
        """One step of the optimiser on a batch of unrolls; returns its figures."""
        settings = self.settings
        state = unrolls.outputs.transpose(0, 1), unrolls.cells.transpose(0, 1)
        inputs, ends = unrolls.inputs.transpose(0, 1).float(), unrolls.ends.T
        logits, values = self.network.unroll(inputs, state, ends)
        # The last turn only supplies its value; it belongs to the next unroll.
        legal, moves = unrolls.legal[:, :-1].transpose(0, 1), unrolls.moves[:, :-1].T
        log_probs = masked(logits[:-1], legal).log_softmax(-1)
        chosen = log_probs.gather(2, moves[..., None]).squeeze(2)
        log_ratios = (chosen - unrolls.log_probs[:, :-1].T).detach()
        discounts = settings.gamma * (~ends[:-1]).float()
        targets = vtrace(log_ratios, unrolls.rewards[:, :-1].T, discounts, values.detach(),
                         (settings.rho_clip, settings.trace_clip))  # fmt: skip
        policy_loss = -(targets.advantages * chosen).sum()
        value_loss = 0.5 * (targets.values - values[:-1]).square().sum()
        entropy = -(log_probs.exp() * log_probs).sum()
        left = self.share_left()
        loss = policy_loss + settings.value_weight * value_loss - left * self.entropy * entropy
        for group in self.optimizer.param_groups:
            group["lr"] = left * self.learning_rate
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), settings.gradient_norm)
        self.optimizer.step()
        self.n_updates += 1
        if self.n_updates % max(1, settings.lag) == 0:
            self.played.load_state_dict(self.network.state_dict())
        corrected = (log_ratios.abs() > 0.1).sum()
        sums = torch.stack([policy_loss, 2 * value_loss, entropy, corrected]).detach()
        return sums / chosen.numel()

    def state(self) -> dict[str, Any]:
        """Everything that determines how learning continues."""
        return {"turns": self.turns, "n_updates": self.n_updates, "generation": self.generation,
                "learning_rate": self.learning_rate, "entropy": self.entropy,
                "network": self.network.state_dict(), "played": self.played.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "actors": self.actors.snapshot()}  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.turns, self.n_updates = state["turns"], state["n_updates"]
        self.generation = state["generation"]
        self.learning_rate, self.entropy = state["learning_rate"], state["entropy"]
        self.network.load_state_dict(state["network"])
        self.played.load_state_dict(state["played"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.actors.restore(state["actors"])

    def compact_state(self) -> Arrays:
        """Weights, moments and counts in half precision, without games and unrolls."""
        numbers = {"turns": self.turns, "n_updates": self.n_updates, "generation": self.generation,
                   "learning_rate": self.learning_rate, "entropy": self.entropy}  # fmt: skip
        arrays = compact_arrays(self.network, self.optimizer)
        return {**arrays, **{name: np.array(number) for name, number in numbers.items()}}

    def restore_compact(self, arrays: Arrays) -> None:
        """Continue from a compact state, with other deals."""
        restore_arrays(self.network, self.optimizer, arrays)
        self.n_updates = count_of(arrays, "n_updates")
        self.generation = count_of(arrays, "generation")
        self.learning_rate = amount_of(arrays, "learning_rate")
        self.entropy = amount_of(arrays, "entropy")
        self._begin_after(count_of(arrays, "turns"))

    def begin_from(self, weights: Weights, turns: int) -> None:
        """Begin with the weights of a network that has learned from some turns."""
        load_weights(self.network, weights)
        self._begin_after(turns)

    def _begin_after(self, turns: int) -> None:
        """Continue from some turns, with deals that a run from the beginning has not seen."""
        self.turns = turns
        self.played.load_state_dict(self.network.state_dict())
        self.actors.rollouts.reseed(self.seed, turns)

    def inherit(self, state: dict[str, Any], values: dict[str, float], generation: int) -> None:
        """Continue from another member's state with other values, deals and random draws."""
        self.restore({**state, **values, "generation": generation})
        self.actors.rollouts.reseed(self.seed, generation)
