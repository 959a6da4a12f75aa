"""The matrix game: its optimum, and who reaches it."""

from itertools import product

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.matrix_game import (
    AGENTS,
    PAYOFFS,
    Settings,
    Teams,
    decoded,
    optimum,
    train,
    value,
)

torch.set_num_threads(1)


def worth(first, second) -> float:
    """What policies, moves by card and by move and card, are worth."""
    deals = product(range(2), repeat=2)
    return np.mean([PAYOFFS[a, b, first[a], second[3 * b + first[a]]] for a, b in deals])


def test_the_optimum_is_the_best_of_all_pairs_of_policies():
    firsts, seconds = product(range(3), repeat=2), list(product(range(3), repeat=6))
    best = max(worth(first, second) for first in firsts for second in seconds)
    assert optimum() == best == 10


def test_the_belief_is_that_of_bayes():
    plan = torch.tensor([[0, 2], [0, 2], [1, 1]])
    move = torch.tensor([0, 2, 1])
    assert decoded(plan, move, True).tolist() == [[1, 0], [0, 1], [0.5, 0.5]]
    assert decoded(plan, move, False).tolist() == 3 * [[0.5, 0.5]]


def test_the_value_of_greedy_play_is_that_of_its_policies():
    generator = torch.Generator().manual_seed(1)
    team = Teams(5, 8, generator)
    found = value(team, True)
    for seed in range(5):
        first = team.first[seed].argmax(-1).tolist()
        second = [0] * 6
        for card, move in product(range(2), range(3)):
            if move in first:
                belief = torch.tensor([float(move == other) for other in first])
                seen = (torch.full((5, 1), card), torch.full((5, 1), move),
                        (belief / belief.sum()).expand(5, 1, 2))  # fmt: skip
                second[3 * card + move] = int(team.second_logits(*seen)[seed].argmax())
        assert found[seed] == pytest.approx(worth(first, second))


def test_with_the_public_belief_every_seed_reaches_the_optimum():
    reached = {agent: train(AGENTS[agent], 16, Settings(batches=1000)) for agent in AGENTS}
    assert (reached["with public belief"] == 10).all()
    without = reached["without public belief"]
    assert without.mean() + 4 * without.std(ddof=1) / 4 < 10
    assert np.isin(without, (8, 9, 9.5, 10)).all()  # they end in safe moves
