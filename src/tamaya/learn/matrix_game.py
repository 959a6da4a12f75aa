"""The two-step matrix game of the BAD paper, which shows in a second what a public belief gains.

Each of two players gets one of two cards. The first moves, seeing its own card; the second sees
that move and its own card, and moves; ``PAYOFFS[card 0, card 1, move 0, move 1]`` is what both
get. A safe move earns 8; 10 needs a first move that tells the card.

The public agent draws the first player's move for every card it might hold, from which the second
player's belief follows exactly. The other agent is the same without that belief. Both learn by
policy gradients with a baseline that knows both cards; many seeds learn side by side.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import torch
from torch import Tensor, nn

PAYOFFS = np.array([
    [[[10, 0, 0], [4, 8, 4], [10, 0, 0]], [[0, 0, 10], [4, 8, 4], [0, 0, 10]]],
    [[[0, 0, 10], [4, 8, 4], [0, 0, 0]], [[10, 0, 0], [4, 8, 4], [10, 0, 0]]],
], dtype=np.float32)  # fmt: skip
N_CARDS, N_MOVES = PAYOFFS.shape[1:3]
AGENTS = {"without public belief": False, "with public belief": True}


def optimum() -> float:
    """The most that two players can expect, over all deterministic policies."""
    return max(_best_reply(first) for first in product(range(N_MOVES), repeat=N_CARDS))


def _best_reply(first: tuple[int, ...]) -> float:
    """The expected payoff of the first player's moves by card and the best reply to them."""
    total = 0.0
    for card, move in product(range(N_CARDS), range(N_MOVES)):
        fitting = [PAYOFFS[other, card, move] for other in range(N_CARDS) if first[other] == move]
        total += float(np.sum(fitting, axis=0).max()) if fitting else 0.0
    return total / N_CARDS**2


@dataclass(frozen=True)
class Settings:
    """How the agents learn."""

    batches: int = 2000
    batch: int = 32  # deals
    width: int = 32  # hidden units of the second player
    learning_rate: float = 1e-2
    entropy: float = 2.0  # its weight in points at the beginning, falling to nothing


class Teams(nn.Module):
    """Both players of as many teams as there are seeds."""

    def __init__(self, n_seeds: int, width: int, generator: torch.Generator) -> None:
        super().__init__()

        def start(*shape: int) -> nn.Parameter:
            scale = shape[-2] ** -0.5
            return nn.Parameter(scale * torch.randn(n_seeds, *shape, generator=generator))

        self.first = start(N_CARDS, N_MOVES)
        self.hidden = start(N_MOVES + 2 * N_CARDS, width)
        self.second = start(width, N_MOVES)
        # Expected payoffs before the first and before the second move, given both cards.
        self.baseline = nn.Parameter(torch.zeros(n_seeds, N_CARDS, N_CARDS))
        self.later = nn.Parameter(torch.zeros(n_seeds, N_CARDS, N_CARDS, N_MOVES))

    def first_logits(self) -> Tensor:
        """[seed, card, move]"""
        return self.first.log_softmax(-1)

    def second_logits(self, card: Tensor, move: Tensor, belief: Tensor) -> Tensor:
        """[seed, deal, move], from the second player's card, the first move and the belief."""
        seen = torch.cat([one_hot(move, N_MOVES), belief, one_hot(card, N_CARDS)], -1)
        return (torch.relu(seen @ self.hidden) @ self.second).log_softmax(-1)


def one_hot(numbers: Tensor, n: int) -> Tensor:
    """Numbers as one-hot vectors."""
    return nn.functional.one_hot(numbers, n).float()


def decoded(plan: Tensor, move: Tensor, is_public: bool) -> Tensor:
    """Belief about the first card after a move; ``plan`` has the move for each card.

    Without the public belief it does not change.
    """
    fits = (plan == move[..., None]).float() if is_public else torch.ones(plan.shape)
    return fits / fits.sum(-1, keepdim=True)


def draw(logits: Tensor, generator: torch.Generator) -> Tensor:
    """A move per row by its probability."""
    flat = logits.detach().exp().flatten(0, -2)
    return torch.multinomial(flat, 1, generator=generator).view(logits.shape[:-1])


def train(is_public: bool, n_seeds: int, settings: Settings, seed: int = 1) -> np.ndarray:
    """The exact value of each team's greedy play after learning."""
    generator = torch.Generator().manual_seed(seed)
    teams = Teams(n_seeds, settings.width, generator)
    optimizer = torch.optim.Adam(teams.parameters(), lr=settings.learning_rate)
    for batch in range(settings.batches):
        weight = settings.entropy * (1 - batch / settings.batches)
        loss = _loss(teams, is_public, settings.batch, weight, generator)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return value(teams, is_public)


def _loss(
    teams: Teams, is_public: bool, n: int, weight: float, generator: torch.Generator
) -> Tensor:
    """The policy gradient's loss on a batch of deals, minus the weighted entropy."""
    shape = len(teams.first), n
    seeds = torch.arange(shape[0])[:, None]
    card_0, card_1 = (torch.randint(N_CARDS, shape, generator=generator) for _ in range(2))
    first = teams.first_logits()[:, None].expand(*shape, N_CARDS, N_MOVES)
    plan = draw(first, generator)  # a move for every card: the partial policy
    move_0 = plan.gather(-1, card_0[..., None]).squeeze(-1)
    belief = decoded(plan, move_0, is_public)
    second = teams.second_logits(card_1, move_0, belief)
    move_1 = draw(second, generator)
    returns = torch.from_numpy(PAYOFFS)[card_0, card_1, move_0, move_1]

    log_prob_0 = teams.first_logits()[seeds, card_0, move_0]
    log_prob_1 = second.gather(-1, move_1[..., None]).squeeze(-1)
    expected = teams.baseline[seeds, card_0, card_1]
    later = teams.later[seeds, card_0, card_1, move_0]
    policy = (returns - expected.detach()) * log_prob_0 + (returns - later.detach()) * log_prob_1
    baseline = (returns - expected).square() + (returns - later).square()
    entropy = -(first.exp() * first).sum(-1).mean(-1) - (second.exp() * second).sum(-1)
    return (baseline - policy - weight * entropy).mean(1).sum()


@torch.no_grad()
def value(teams: Teams, is_public: bool) -> np.ndarray:
    """The value of each team's greedy play, over all deals."""
    plan = teams.first_logits().argmax(-1)
    total = np.zeros(len(plan))
    for card_0, card_1 in product(range(N_CARDS), repeat=2):
        move_0 = plan[:, card_0]
        belief = decoded(plan, move_0, is_public)
        card = torch.full_like(move_0, card_1)
        seen = (part[:, None] for part in (card, move_0, belief))
        move_1 = teams.second_logits(*seen).argmax(-1)[:, 0]
        total += PAYOFFS[card_0, card_1, move_0.numpy(), move_1.numpy()]
    return total / N_CARDS**2
