"""V-trace equals the sums of its definition, and the returns where nothing is to be corrected."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.vtrace import vtrace


def slow_vtrace(log_ratios, rewards, discounts, values, rho_clip, trace_clip):
    """Espeholt et al. 2018, equation 1, turn by turn, and the advantages of section 4.2."""
    n_turns, n_unrolls = rewards.shape
    ratios = np.exp(log_ratios)
    targets = values.copy()
    for u in range(n_unrolls):
        for s in range(n_turns):
            for t in range(s, n_turns):
                weight = np.prod([discounts[i, u] * min(trace_clip, ratios[i, u])
                                  for i in range(s, t)])  # fmt: skip
                rho = min(rho_clip, ratios[t, u])
                after = discounts[t, u] * values[t + 1, u]
                targets[s, u] += weight * rho * (rewards[t, u] + after - values[t, u])
    advantages = np.zeros_like(rewards)
    for u in range(n_unrolls):
        for s in range(n_turns):
            rho = min(rho_clip, ratios[s, u])
            after = discounts[s, u] * targets[s + 1, u]
            advantages[s, u] = rho * (rewards[s, u] + after - values[s, u])
    return targets[:-1], advantages


def some_turns(n_turns=9, n_unrolls=12):
    """Log ratios, rewards, discounts with ends of games, and values."""
    rng = np.random.default_rng(1)
    shape = n_turns, n_unrolls
    discounts = 0.9 * (rng.random(shape) > 0.2)
    return (
        rng.normal(0, 0.7, shape),
        rng.normal(size=shape),
        discounts,
        rng.normal(size=(n_turns + 1, n_unrolls)),
    )


@pytest.mark.parametrize("clips", [(1.0, 1.0), (1.5, 0.8), (100.0, 100.0)])
def test_targets_equal_the_sums_of_the_definition(clips):
    turns = some_turns()
    targets = vtrace(*map(torch.from_numpy, turns), clips)
    values, advantages = slow_vtrace(*turns, *clips)
    assert np.allclose(targets.values, values, atol=1e-9)
    assert np.allclose(targets.advantages, advantages, atol=1e-9)


def test_with_equal_policies_targets_are_returns():
    _, rewards, discounts, values = some_turns()
    targets = vtrace(*map(torch.from_numpy, (np.zeros_like(rewards), rewards, discounts, values)))
    returns = values[-1]
    for turn in range(len(rewards) - 1, -1, -1):
        returns = rewards[turn] + discounts[turn] * returns
        assert np.allclose(targets.values[turn], returns)
        assert np.allclose(targets.advantages[turn], returns - values[turn])


def test_moves_that_have_become_impossible_teach_nothing():
    _, rewards, discounts, values = some_turns()
    never = np.full_like(rewards, -1e9)
    targets = vtrace(*map(torch.from_numpy, (never, rewards, discounts, values)))
    assert np.allclose(targets.values, values[:-1]) and not targets.advantages.any()
