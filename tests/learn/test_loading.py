"""Networks load the weights that they have written, and narrower ones become wider."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.public import Sizes
from tamaya.learn.loading import load_weights, widened
from tamaya.learn.networks import PolicyValue, PublicPolicy, RecurrentPolicyValue
from training import blank_state

KINDS = {
    "mlp": lambda: PolicyValue(12, 8, 5),
    "bad": lambda: PublicPolicy(Sizes(hand=6, public=10, belief=4, marks=2), 8, 5),
    "lstm": lambda: RecurrentPolicyValue(12, 8, 5),
}


def shaken(network, seed: int):
    """A network of which no two weights are equal, so that none can be mistaken for another."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for part in network.parameters():
            part.copy_(torch.rand(part.shape, generator=generator) - 0.3)
    return network


@pytest.mark.parametrize("kind", KINDS)
def test_a_network_loads_the_weights_of_another(kind):
    one, other = shaken(KINDS[kind](), 1), shaken(KINDS[kind](), 2)
    load_weights(other, one.weights())
    for name, part in one.weights().items():
        assert np.array_equal(other.weights()[name], part), name
    if kind == "lstm":
        inputs = torch.rand(3, 12), blank_state(3, 8)
        inputs[1][0].fill_(0.5)
    else:
        inputs = (torch.rand(3, 22 if kind == "bad" else 12),)
    for mine, theirs in zip(one(*inputs)[:2], other(*inputs)[:2], strict=True):
        assert torch.allclose(mine, theirs, atol=1e-6)


@pytest.mark.parametrize("times", [2, 3])
def test_a_wider_network_is_equal_at_first_and_then_differs_within_its_units(times):
    narrow, wide = shaken(PolicyValue(12, 8, 5), 1), PolicyValue(12, 8 * times, 5)
    load_weights(wide, widened(narrow.weights(), times, np.random.default_rng(1)))
    vectors = torch.rand(20, 12)
    for mine, theirs in zip(narrow(vectors), wide(vectors), strict=True):
        assert torch.allclose(mine, theirs, atol=2e-5)
    logits, values = wide(vectors)
    (logits.square().sum() + values.sum()).backward()
    for layer in (wide.first, wide.second):
        gradients = layer.bias.grad.view(8, times)
        differences = (gradients[:, 0] - gradients[:, 1]).abs()
        assert (differences > 1e-3).sum() >= 6  # of eight, of which some may be inactive
