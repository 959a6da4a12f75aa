"""Every learner on Hanabi-Very-Small: one colour, two cards in hand, three tokens, one life.

    python benchmarks/very_small.py --seeds 1,2,3

Each is trained with its preset `small` and scored greedily on the test deals, which nothing was
chosen by.
"""

import argparse
from time import process_time

import numpy as np

from tamaya.learn.run import Plan
from tamaya.learn.validation import TEST, Examiner
from tamaya.rules import Rules

TURNS = {"ppo": 500_000, "rainbow": 250_000, "acha": 400_000, "bad": 400_000}


def score(algorithm: str, seed: int, turns: int, games: int) -> tuple[float, float]:
    """Mean test score after learning, and CPU seconds."""
    rules = Rules.preset("very-small")
    plan = Plan(algorithm, rules.to_text(), seed, turns, "small")
    learner, started = plan.learner(), process_time()
    while learner.turns < turns:
        learner.step()
    seconds = process_time() - started
    examiner = Examiner(rules, learner.card, learner.parts())
    return float(examiner.scores(games, TEST).mean()), seconds


def main() -> None:
    """Print a line per learner."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--only", default=",".join(TURNS), help="learners")
    given = parser.parse_args()
    seeds = [int(seed) for seed in given.seeds.split(",")]
    for algorithm in given.only.split(","):
        turns = TURNS[algorithm]
        found = [score(algorithm, seed, turns, given.games) for seed in seeds]
        means, seconds = zip(*found, strict=True)
        each = " ".join(f"{mean:.2f}" for mean in means)
        print(f"{algorithm:8} {np.mean(means):.2f}  by seed {each}  {turns:,} turns in "
              f"{np.mean(seconds):.0f} CPU s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
