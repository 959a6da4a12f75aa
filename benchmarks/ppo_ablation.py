"""What each choice in PPO is worth: one setting changed at a time.

    python benchmarks/ppo_ablation.py FOLDER --turns 4M --seeds 1,2

Every line is trained for the same turns from the same seeds and scored on the test deals, greedy,
two players. Runs are in FOLDER and resume where they were stopped.
"""

import argparse
from pathlib import Path

import numpy as np

from tamaya.cli.train import parse_count
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.run import TrainingRun
from tamaya.learn.validation import TEST, summary

BASE = "as shipped"
CHANGES: dict[str, dict] = {
    BASE: {},
    "canonical vector alone": {"encoder": "hle"},
    "128 units": {"width": 128},
    "512 units": {"width": 512},
    "512 units in bfloat16": {"width": 512, "bfloat16": True},
    "1 epoch": {"epochs": 1},
    "6 epochs": {"epochs": 6},
    "entropy 0.005": {"entropy": (0.005, 0.003)},
    "entropy 0.05": {"entropy": (0.05, 0.003)},
}


def trained(folder: Path, changes: dict, seed: int, turns: int, games: int) -> tuple[dict, float]:
    """The last network's test scores in short, and CPU seconds of training."""
    run = TrainingRun(folder, TrainingPlan(seed=seed, turns=turns, settings=tuple(changes.items())))
    run.train()
    run.evaluator.load(run.learner.weights())
    scores = run.evaluator.scores(games, seed=TEST)
    return summary(scores, run.evaluator.rules), run.cpu_seconds


def main() -> None:
    """Train and print a line per change."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=parse_count, default=parse_count("4M"))
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--games", type=int, default=4000)
    given = parser.parse_args()
    seeds = [int(seed) for seed in given.seeds.split(",")]
    print(f"{'':24} {'mean':>6}  by seed ({given.turns:,} turns, {given.games:,} test games)")
    for name, changes in CHANGES.items():
        folders = [given.folder / f"{name.replace(' ', '-')}-{seed}" for seed in seeds]
        found = [trained(folder, changes, seed, given.turns, given.games)
                 for folder, seed in zip(folders, seeds, strict=True)]  # fmt: skip
        mean = np.mean([scores["mean"] for scores, _ in found])
        rate = given.turns * len(found) / sum(seconds for _, seconds in found)
        each = "  ".join(f"{scores['mean']:.2f} ± {scores['se']:.2f}" for scores, _ in found)
        print(f"{name:24} {mean:6.2f}  {each}  {rate:,.0f} turns per CPU second", flush=True)


if __name__ == "__main__":
    main()
