"""An LSTM layer along unrolls in which games end: its state is reset after every end.

torch's own layer would need the unrolls cut into pieces and packed by length, which costs more than
it saves on one core (``benchmarks/unrolls.py``). All arrays are ``[turn, unroll, unit]``; the gates
are input, forget, cell and output, as in torch.
"""

from typing import Any

import torch
from torch import Tensor


class LayerAlongUnrolls(torch.autograd.Function):
    """Outputs of a layer; ``keep`` is 0 at turns that begin a game and 1 elsewhere."""

    @staticmethod
    def forward(
        ctx: Any, inputs: Tensor, keep: Tensor, output: Tensor, cell: Tensor, weights: Any,
        own_weights: Tensor, bias: Tensor
    ) -> Tensor:  # fmt: skip
        n_turns, n_unrolls, width = inputs.shape
        gates = torch.addmm(bias, inputs.flatten(0, 1), weights.T).view(n_turns, n_unrolls, -1)
        shape = n_turns, n_unrolls, width
        before, cell_before, bounded, outputs = (inputs.new_empty(shape) for _ in range(4))
        own = own_weights.T
        for turn in range(n_turns):
            torch.mul(output, keep[turn], out=before[turn])
            torch.mul(cell, keep[turn], out=cell_before[turn])
            gate = gates[turn].addmm_(before[turn], own)
            gate[:, : 2 * width].sigmoid_()
            gate[:, 2 * width : 3 * width].tanh_()
            gate[:, 3 * width :].sigmoid_()
            into, forget, new, out = gate.split(width, 1)
            cell = (forget * cell_before[turn]).addcmul_(into, new)
            torch.tanh(cell, out=bounded[turn])
            output = torch.mul(out, bounded[turn], out=outputs[turn])
        ctx.save_for_backward(inputs, keep, weights, own_weights, gates, before, cell_before,
                              bounded)  # fmt: skip
        return outputs

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> Any:
        inputs, keep, weights, own_weights, gates, before, cell_before, bounded = ctx.saved_tensors
        width = inputs.shape[2]
        into, forget, new, out = gates.split(width, 2)
        # Derivatives of the cell, or of the output, with respect to each gate before its
        # activation.
        slopes = torch.cat([
            new * into * (1 - into), cell_before * forget * (1 - forget), into * (1 - new * new),
            bounded * out * (1 - out),
        ], 2)  # fmt: skip
        of_cell = out * (1 - bounded * bounded)
        kept = forget * keep
        later, cell_slope = torch.zeros_like(slope[0]), torch.zeros_like(slope[0])
        for turn in range(len(inputs) - 1, -1, -1):
            output_slope = later.mul_(keep[turn + 1]) if turn + 1 < len(inputs) else later
            output_slope = output_slope + slope[turn]
            cell_slope.addcmul_(output_slope, of_cell[turn])
            row = slopes[turn]
            row[:, : 3 * width].view(-1, 3, width).mul_(cell_slope[:, None])
            row[:, 3 * width :].mul_(output_slope)
            cell_slope = cell_slope * kept[turn]
            later = row @ own_weights
        flat = slopes.flatten(0, 1)
        return (
            (flat @ weights).view_as(inputs), None, None, None, flat.T @ inputs.flatten(0, 1),
            flat.T @ before.flatten(0, 1), flat.sum(0),
        )  # fmt: skip
