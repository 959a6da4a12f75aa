"""The network of ``tamaya.agents.learned.people.choice``, in torch."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from tamaya.agents.learned.files import Weights
from tamaya.agents.learned.people.choice import KINDS
from tamaya.agents.learned.people.situation import Sizes
from tamaya.learn.networks import masked

Batch = tuple[Tensor, Tensor, Tensor, Tensor]  # a Situation for every row


class MoveScorer(nn.Module):
    """How much speaks for each move of a kind."""

    def __init__(self, n_own: int, width: int, hidden: int, second: int, dropout: float) -> None:
        super().__init__()
        self.own = nn.Linear(n_own, hidden)
        self.turn = nn.Linear(width, hidden, bias=False)
        self.second = nn.Linear(hidden, second)
        self.out = nn.Linear(second, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, own: Tensor, turn: Tensor) -> Tensor:
        """[row, move] from the numbers of the moves and of the turn."""
        units = torch.relu(self.own(own) + self.turn(turn)[:, None])
        units = torch.relu(self.second(self.dropout(units)))
        return self.out(self.dropout(units)).squeeze(2)


class ChoiceNetwork(nn.Module):
    """One of the networks that are averaged."""

    def __init__(self, sizes: Sizes, width: int, hidden: int, second: int, dropout: float) -> None:
        super().__init__()
        self.n_slots = sizes.slots
        self.turn = nn.Linear(sizes.context, width)
        self.kinds = nn.ModuleList(
            MoveScorer(own + sizes.vote, width, hidden, second, dropout)
            for own in (sizes.card, sizes.card, sizes.hint)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: Batch, legal: Tensor) -> Tensor:
        """The logarithm of the probability of every move; that of illegal ones is very low."""
        context, cards, hints, votes = batch
        turn = self.dropout(torch.relu(self.turn(context)))
        n = self.n_slots
        own = (cards, votes[:, :n]), (cards, votes[:, n : 2 * n]), (hints, votes[:, 2 * n :])
        scores = [scorer(torch.cat(parts, 2), turn)
                  for scorer, parts in zip(self.kinds, own, strict=True)]  # fmt: skip
        return torch.log_softmax(masked(torch.cat(scores, 1), legal), 1)


def weights_of(members: Sequence[ChoiceNetwork]) -> Weights:
    """The weights of some networks by the names and shapes of ``choice.layout``."""
    found = [_arrays(member) for member in members]
    return {name: torch.stack([arrays[name] for arrays in found]).detach().numpy().copy()
            for name in found[0]}  # fmt: skip


def _arrays(network: ChoiceNetwork) -> dict[str, Tensor]:
    arrays = {"turn": network.turn.weight.T, "turn bias": network.turn.bias}
    for kind, scorer in zip(KINDS, network.kinds, strict=True):
        assert isinstance(scorer, MoveScorer)
        arrays |= {
            kind: scorer.own.weight.T, f"{kind} turn": scorer.turn.weight.T,
            f"{kind} bias": scorer.own.bias, f"{kind} second": scorer.second.weight.T,
            f"{kind} second bias": scorer.second.bias, f"{kind} out": scorer.out.weight[0],
            f"{kind} out bias": scorer.out.bias,
        }  # fmt: skip
    return arrays
