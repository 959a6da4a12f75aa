"""What the action-conditional belief is worth: BAD with V2, V1 and V0 on a small game.

Run `python benchmarks/bad_beliefs.py`; about a minute of one core per belief and seed. Everything
but the belief is the same: network, settings, seeds, test deals.
"""

import argparse

import numpy as np

from tamaya.cli.options import print_table
from tamaya.learn.bad import PRESETS, Learner, Settings
from tamaya.learn.threads import set_up_torch
from tamaya.learn.validation import TEST, Evaluator
from tamaya.rules import Rules


def score(rules: Rules, belief: str, seed: int, turns: int, games: int) -> float:
    """Mean score of greedy play after learning."""
    learner = Learner(rules, Settings(**PRESETS["small"], belief=belief), seed, turns)
    while learner.turns < turns:
        learner.step()
    evaluator = Evaluator(rules, learner.metadata, learner.weights())
    return float(evaluator.scores(games, seed=TEST).mean())


def main() -> None:
    """Learn with every belief and seed, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--preset", default="small", help="rules: small or very-small")
    parser.add_argument("--beliefs", default="V0,V1,V2")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--turns", type=int, default=400_000)
    parser.add_argument("--games", type=int, default=4000)
    options = parser.parse_args()
    set_up_torch()
    rules, rows, found = Rules.preset(options.preset), [], {}
    for belief in options.beliefs.split(","):
        found[belief] = np.array([score(rules, belief, seed, options.turns, options.games)
                                  for seed in range(1, options.seeds + 1)])  # fmt: skip
        se = found[belief].std(ddof=1) / options.seeds**0.5
        seeds = ", ".join(f"{mean:.2f}" for mean in found[belief])
        rows.append([belief, f"{found[belief].mean():.2f} ± {se:.2f}", seeds])
    title = f"Hanabi-{options.preset}, {options.turns:,} turns, {options.games:,} games per seed"
    print_table(title, ["belief", "score", "seeds"], rows)


if __name__ == "__main__":
    main()
