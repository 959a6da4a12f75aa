"""Training several networks on turns of people, epoch by epoch, each stopped where it was best.

An epoch's order of turns and its dropout follow from the seed, the network and the epoch alone, so
a run that resumes at an epoch equals one that was never stopped.
"""

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tamaya.agents.learned.files import Metadata, Weights
from tamaya.agents.learned.people.advisers import N_OF_ADVISER
from tamaya.agents.learned.people.situation import (
    EXPERIENCE,
    SITUATION,
    situation_spec,
    sizes_of,
)
from tamaya.learn.imitation.decisions import Decisions
from tamaya.learn.imitation.network import Batch, ChoiceNetwork, weights_of
from tamaya.learn.imitation.plan import Settings
from tamaya.rng import seed_of
from tamaya.rules import Rules

WARM_UP = 0.1  # share of the epochs in which the learning rate rises
GRADIENT_NORM = 1.0
_MEASURED = 2048  # turns at a time when nothing is learned


@dataclass
class Material:
    """Turns in the form for torch, with their weights."""

    decisions: Decisions
    weights: Tensor
    arrays: list[Tensor] = field(init=False)
    legal: Tensor = field(init=False)
    moves: Tensor = field(init=False)

    def __post_init__(self) -> None:
        self.arrays = [torch.from_numpy(array) for array in self.decisions.situations]
        self.legal = torch.from_numpy(self.decisions.legal)
        self.moves = torch.from_numpy(self.decisions.moves)

    def batch(self, rows: Tensor) -> Batch:
        """The situations of some turns."""
        context, cards, hints, votes = (array[rows].float() for array in self.arrays)
        return context, cards, hints, votes


def material_of(decisions: Decisions, power: float) -> Material:
    """Turns in which a person with n of them counts n ** power together."""
    return Material(decisions, torch.from_numpy(decisions.weights(power)))


class ImitationLearner:
    """The state of training between two epochs."""

    def __init__(self, train: Material, held_out: Material, settings: Settings, seed: int) -> None:
        self.train, self.held_out, self.settings, self.seed = train, held_out, settings, seed
        self.rules: Rules = train.decisions.rules
        self.names = settings.adviser_names(self.rules.players)
        self.sizes = sizes_of(self.rules, len(self.names))
        self.first_unsaid = self.sizes.context - len(EXPERIENCE) - N_OF_ADVISER * len(self.names)
        self.finished: list[dict[str, Tensor]] = []  # the best weights of each network
        self._begin_member()

    def _begin_member(self) -> None:
        """A new network at its beginning."""
        torch.manual_seed(self._seed(0))
        self.network = self._new_network()
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), self.settings.learning_rate,
            weight_decay=self.settings.decay,
        )  # fmt: skip
        self.epoch, self.best_loss = 0, inf
        self.best: dict[str, Tensor] = {}

    def _new_network(self) -> ChoiceNetwork:
        settings = self.settings
        return ChoiceNetwork(self.sizes, settings.width, settings.hidden, settings.second,
                             settings.dropout)  # fmt: skip

    def _seed(self, epoch: int) -> int:
        number = 1000 * len(self.finished) + epoch
        return int(seed_of(np.uint64(self.seed), np.int64(number)) >> np.uint64(1))

    @property
    def is_done(self) -> bool:
        """Whether all networks are trained."""
        return len(self.finished) == self.settings.members

    @property
    def epochs_done(self) -> int:
        """Epochs of all networks so far."""
        return len(self.finished) * self.settings.epochs + self.epoch

    @property
    def metadata(self) -> Metadata:
        """Kind, shape and advisers of the network."""
        names = ("width", "hidden", "second", "members", "split")
        return {
            "kind": "choice", "encoder": SITUATION, "rules": self.rules.to_text(),
            "observation": situation_spec(self.rules, self.names), "advisers": self.names,
            **{name: getattr(self.settings, name) for name in names},
        }  # fmt: skip

    def weights(self) -> Weights:
        """The best weights of all networks."""
        members = [self._new_network() for _ in self.finished]
        for member, state in zip(members, self.finished, strict=True):
            member.load_state_dict(state)
        return weights_of(members)

    def step(self) -> dict[str, float]:
        """An epoch; returns its loss and that of the held-out people."""
        self.epoch += 1
        torch.manual_seed(self._seed(self.epoch))
        self.network.train()
        n, size = len(self.train.moves), self.settings.batch
        order = torch.randperm(n)
        losses = [self._learn(order[first : first + size], (self.epoch - 1) + first / n)
                  for first in range(0, n, size)]  # fmt: skip
        loss, accuracy = self._measure()
        if loss < self.best_loss:
            self.best_loss = loss
            self.best = {name: each.clone() for name, each in self.network.state_dict().items()}
        figures = {"member": len(self.finished) + 1, "epoch": self.epoch,
                   "loss": float(np.mean(losses)), "validation_loss": loss,
                   "validation_accuracy": accuracy}  # fmt: skip
        if self.epoch == self.settings.epochs:
            self.finished.append(self.best)
            self._begin_member()  # for which a run that is done has no use
        return figures

    def _learn(self, rows: Tensor, at: float) -> float:
        """One update, at so many epochs; returns the loss."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * pace(at / self.settings.epochs)
        batch = self.train.batch(rows)
        unsaid = torch.rand(len(rows)) < self.settings.unsaid
        batch[0][unsaid, self.first_unsaid : self.first_unsaid + len(EXPERIENCE)] = 0
        log_probs = self.network(batch, self.train.legal[rows])
        made = log_probs.gather(1, self.train.moves[rows, None])[:, 0]
        loss = -(made * self.train.weights[rows]).mean()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), GRADIENT_NORM)
        self.optimizer.step()
        return float(loss.detach())

    def _measure(self) -> tuple[float, float]:
        """Loss and accuracy on the held-out people."""
        self.network.eval()
        held_out, loss, right = self.held_out, 0.0, 0.0
        with torch.no_grad():
            for rows in torch.arange(len(held_out.moves)).split(_MEASURED):
                log_probs = self.network(held_out.batch(rows), held_out.legal[rows])
                weights, moves = held_out.weights[rows], held_out.moves[rows]
                loss -= float((log_probs.gather(1, moves[:, None])[:, 0] * weights).sum())
                right += float(((log_probs.argmax(1) == moves) * weights).sum())
        return loss / len(held_out.moves), right / len(held_out.moves)

    def state(self) -> dict[str, Any]:
        """Everything that determines how training continues."""
        return {
            "finished": self.finished, "network": self.network.state_dict(), "epoch": self.epoch,
            "optimizer": self.optimizer.state_dict(), "best": self.best,
            "best_loss": self.best_loss,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.finished = list(state["finished"])
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch, self.best = int(state["epoch"]), dict(state["best"])
        self.best_loss = float(state["best_loss"])


def pace(share: float) -> float:
    """The learning rate as a share of the highest: it rises, then falls like a cosine."""
    if share < WARM_UP:
        return max(0.02, share / WARM_UP)
    return 0.5 * (1 + float(np.cos(np.pi * (share - WARM_UP) / (1 - WARM_UP))))
