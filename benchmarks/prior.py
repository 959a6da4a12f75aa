"""Fits the models that ``adaptive`` expects strangers by, and writes them into the package.

    python benchmarks/prior.py --games 300

Every plain agent of the library plays with itself; one file is for two players, one for three to
five. Each file has version, seed and games. Repeat it when agents are new or play differently, or
when the features of the model change.
"""

import argparse
import json
import time

import tamaya
from tamaya.adapt.model import choices_of, fit, unknown, weights_text
from tamaya.adapt.prior import SIZES, path_of, plain_agents
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play

PENALTIES = {"tables": 8.0, "dense": 2.0}  # so that weights which no move needs stay small


def games_of(name: str, players: int, n: int, seed: int) -> list[Game]:
    """Self-play games of an agent."""
    played = play(name, Rules(players=players), n, seed=seed, record=True, threads=1)
    return [played.game(k) for k in range(n)]


def main() -> None:
    """Play, fit and write the models of all table sizes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    for least, sizes in SIZES.items():
        start, weights = time.process_time(), {}
        for name in dict.fromkeys(name for size in sizes for name in plain_agents(size)):
            tables = [size for size in sizes if name in plain_agents(size)]
            games = [
                game
                for size in tables
                for game in games_of(name, size, options.games // len(tables), options.seed)
            ]
            weights[name] = weights_text(fit(choices_of(games), unknown(**PENALTIES)))
        document = {
            "version": tamaya.__version__, "seed": options.seed, "games": options.games,
            "players": sizes, "weights": weights,
        }  # fmt: skip
        path_of(least).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        seconds = time.process_time() - start
        print(f"{path_of(least).name}: {len(weights)} agents, {seconds:.0f} s")


if __name__ == "__main__":
    main()
