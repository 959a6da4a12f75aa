"""LSTM layers along unrolls with resets, compared with torch's layer on packed pieces.

Run `python benchmarks/unrolls.py`; times are CPU time of one core, forward and backward.
"""

from time import process_time

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence

from tamaya.learn.networks import RecurrentPolicyValue, State

N_TURNS, N_UNROLLS, N_INPUTS, WIDTH = 21, 64, 660, 256
N_REPEATS = 10


def unroll_packed(
    network: RecurrentPolicyValue, inputs: Tensor, state: State, ends: Tensor
) -> tuple[Tensor, Tensor]:
    """Pieces between ends of games, longest first, through torch's own layers."""
    begins = np.ones(ends.T.shape, np.bool_)
    begins[:, 1:] = ends.T[:, :-1]
    first = np.flatnonzero(begins)
    lengths = np.diff(first, append=begins.size)
    order = np.argsort(-lengths, kind="stable")
    first, lengths = first[order], lengths[order]
    n_at = (lengths[:, None] > np.arange(lengths[0])).sum(axis=0)
    rows = torch.from_numpy(np.concatenate([first[:n] + turn for turn, n in enumerate(n_at)]))
    owner, is_first = torch.from_numpy(first // N_TURNS), torch.from_numpy(first % N_TURNS == 0)
    start = tuple(part[:, owner] * is_first[:, None] for part in state)
    hidden = network.enter(inputs.transpose(0, 1).flatten(0, 1)[rows])
    hidden = network.lstm(PackedSequence(hidden, torch.from_numpy(n_at)), start)[0].data
    place = torch.empty_like(rows)
    place[rows] = torch.arange(len(rows))
    logits, values = network.leave(hidden[place])
    shape = N_UNROLLS, N_TURNS
    return logits.view(*shape, -1).transpose(0, 1), values.view(shape).T


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    network = RecurrentPolicyValue(N_INPUTS, WIDTH, 20)
    inputs = (torch.rand(N_TURNS, N_UNROLLS, N_INPUTS) < 0.3).float()
    state = torch.zeros(2, N_UNROLLS, WIDTH), torch.zeros(2, N_UNROLLS, WIDTH)
    for share in (0.0, 0.04, 0.15):
        ends = torch.rand(N_TURNS, N_UNROLLS) < share
        results = []
        for name, unroll in (("own", RecurrentPolicyValue.unroll), ("packed", unroll_packed)):
            for repeat in range(-1, N_REPEATS):
                if repeat == 0:
                    started = process_time()
                logits, values = unroll(network, inputs, state, ends)
                (logits.sum() + values.sum()).backward()
            results.append(logits)
            seconds = (process_time() - started) / N_REPEATS
            n_turns = N_TURNS * N_UNROLLS
            print(f"ends {share:4.0%}, {name:6}: {n_turns / seconds:8,.0f} turns a second")
        if not torch.allclose(*results, atol=1e-5):
            raise AssertionError("the two do not compute the same")


if __name__ == "__main__":
    main()
