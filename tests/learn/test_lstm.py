"""The LSTM along unrolls: outputs and gradients are those of a loop over turns."""

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.lstm import LayerAlongUnrolls
from tamaya.learn.networks import RecurrentPolicyValue

torch.set_num_threads(1)


def naive_unroll(network, inputs, state, ends):
    """Turn by turn, a blank state after each end of a game."""
    logits, values = [], []
    for turn in range(len(inputs)):
        if turn:
            goes_on = (~ends[turn - 1]).float()[None, :, None]
            state = tuple(part * goes_on for part in state)
        out, value, state = network(inputs[turn], state)
        logits.append(out)
        values.append(value)
    return torch.stack(logits), torch.stack(values)


@pytest.mark.parametrize("share_of_ends", [0.0, 0.3, 1.0])
def test_unrolls_and_gradients_equal_a_loop_over_turns(share_of_ends):
    torch.manual_seed(1)
    network = RecurrentPolicyValue(30, 16, 7)
    inputs, ends = torch.rand(9, 8, 30), torch.rand(9, 8) < share_of_ends
    state = torch.randn(2, 8, 16), torch.randn(2, 8, 16)
    weights = torch.randn(9, 8, 7), torch.randn(9, 8)
    results = []
    for unroll in (network.unroll, lambda *given: naive_unroll(network, *given)):
        network.zero_grad()
        logits, values = unroll(inputs, state, ends)
        ((logits * weights[0]).sum() + (values * weights[1]).sum()).backward()
        results.append([logits, values, *(each.grad.clone() for each in network.parameters())])
    for one, other in zip(*results, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_a_layer_equals_the_one_of_torch():
    torch.manual_seed(2)
    layer = torch.nn.LSTM(5, 5)
    inputs, start = torch.rand(7, 3, 5), (torch.randn(1, 3, 5), torch.randn(1, 3, 5))
    below, own, below_bias, own_bias = layer.all_weights[0]
    found = LayerAlongUnrolls.apply(inputs, torch.ones(7, 3, 1), start[0][0], start[1][0], below,
                                    own, below_bias + own_bias)  # fmt: skip
    assert torch.allclose(found, layer(inputs, start)[0], atol=1e-6)
