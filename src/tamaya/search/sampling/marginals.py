"""A searcher's belief about its own cards: the share of each card in the deals that it samples.

A search tries its moves on deals that pass its filters (``tamaya.search.sampling.sampler``), so
these deals are its belief: they reflect the convention and, with trust, the recent moves of
team-mates. Where no filter applies, a hand is drawn from the masks of its slots and the belief is
exact. A card that no sampled deal contains is not impossible, so the shares by masks count as one
more deal.
"""

from collections.abc import Callable

import numpy as np

from tamaya.cards import N_CARDS
from tamaya.compiled import hot
from tamaya.knowledge.hand_beliefs import beliefs_by_sets
from tamaya.rng import seed_of
from tamaya.rules import MAX_HAND
from tamaya.search.sampling.sampler import (
    belief_sampler,
    intent_sampler,
    repeating_sampler,
    sample_deal,
)
from tamaya.search.team import make_team
from tamaya.search.workspace import new_workspace, random_seed

DEALS = 400  # sampled deals


@hot
def count_cards(workspace, team, sampler, seed, counts):
    """Count the cards of the own slots over sampled deals; returns how many deals there were.

    None if every hand that fits the masks is equally likely.
    """
    if len(sampler.decks) == 0 and not sampler.settings[0].by_assignment:
        return 0
    for k in range(DEALS):
        game = sample_deal(workspace, team, sampler, k, seed_of(seed, k))
        for slot in range(game.hand_size):
            card = game.card[workspace.seat, slot]
            if card >= 0:
                counts[slot, card] += 1
    return DEALS


@hot
def sample_by_conventions(view, seed, params, masks, counts):
    """Count the cards of deals by hints, convention and trust; also writes the masks."""
    workspace = new_workspace(view, 1, 0.0)
    team = make_team(params, view.players)
    sampler = belief_sampler(workspace, team, params, seed)
    masks[:] = sampler.masks
    return count_cards(workspace, team, sampler, seed, counts)


@hot
def sample_by_intent(view, seed, params, masks, counts):
    """Count the cards of deals by hints and trust; also writes the masks."""
    workspace = new_workspace(view, 1, 0.0)
    team = make_team(params, view.players)
    sampler = intent_sampler(workspace, team, params)
    masks[:] = sampler.masks
    return count_cards(workspace, team, sampler, seed, counts)


@hot
def sample_repeatedly(view, seed, params, masks, counts):
    """The same with the sampler for repeated deals."""
    workspace = new_workspace(view, 1, 0.0)
    team = make_team(params, view.players)
    sampler = repeating_sampler(workspace, team, params)
    masks[:] = sampler.masks
    return count_cards(workspace, team, sampler, seed, counts)


def sampled_beliefs(sample: Callable[..., int]) -> Callable[..., np.ndarray]:
    """The hook ``believe`` of a search that samples its deals in one of these ways."""

    def believe(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
        """Shares of the cards in the deals on which it would try its moves."""
        masks = np.zeros(MAX_HAND, np.int64)
        counts = np.zeros((int(view.hand_size), N_CARDS))
        seed = np.uint64(random_seed(memory))
        n_deals = int(sample(view, seed, params, masks, counts))
        return (counts + beliefs_by_sets(view, masks)) / (n_deals + 1)

    return believe
