"""Rainbow on one thread and on two, by the clock; both must learn the same.

Run `python benchmarks/rainbow_threads.py` while nothing else runs.
"""

from time import perf_counter

import torch

from tamaya.learn.rainbow import Learner, Settings
from tamaya.learn.threads import set_up_torch
from tamaya.rules import Rules

N_ROUNDS, N_STEPS = 5, 4  # the two take turns


def main() -> None:
    set_up_torch()
    learners = {n: Learner(Rules(), Settings(), 1, 10**8) for n in (1, 2)}
    learners[2].use_threads(2)
    rates = {n: 0.0 for n in learners}
    for _ in range(N_ROUNDS):
        for n, learner in learners.items():
            learner.step()
            before, started = learner.turns, perf_counter()
            for _ in range(N_STEPS):
                learner.step()
            rates[n] = max(rates[n], (learner.turns - before) / (perf_counter() - started))
    parameters = zip(*(learner.network.parameters() for learner in learners.values()), strict=True)
    if not all(torch.equal(one, other) for one, other in parameters):
        raise AssertionError("the two did not learn the same")
    for n, rate in rates.items():
        print(f"threads {n}: {rate:6,.0f} turns a second, {rate / rates[1]:.2f} times one thread's")


if __name__ == "__main__":
    main()
