"""Plays the crosstables that ``adaptive`` chooses by, and writes them into the package.

    python benchmarks/crosstable.py --players 2,3,4,5 --games 400

Every agent of the library with every other: the row's agent in one random seat among copies of the
column's. Each file has version, seed and games. Repeat it when agents are new or play differently.
"""

import argparse
import json

import numpy as np

import tamaya
from tamaya.adapt.crosstable import path_of
from tamaya.adapt.families import library
from tamaya.arena.executor import Threads
from tamaya.arena.protocols.crossplay import crossplay
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


def rounded(values: np.ndarray) -> list[list[float]]:
    """Rows with two digits."""
    return [[round(float(value), 2) for value in row] for row in values]


def main() -> None:
    """Play and write the tables of some sizes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", default="2,3,4,5")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2021)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    for players in map(int, options.players.split(",")):
        agents = library(players)
        runner = Runner(Threads(options.threads))
        table = crossplay(agents, Rules(players=players), options.games, options.seed, runner)
        document = {
            "version": tamaya.__version__, "seed": options.seed, "games": options.games,
            "players": players, "agents": list(agents),
            "mean": rounded(table.means), "se": rounded(table.errors),
        }  # fmt: skip
        lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}"
                           for key, value in document.items())  # fmt: skip
        path_of(players).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        print(f"{path_of(players).name}: {len(agents)} agents, {table.seconds:.0f} s")


if __name__ == "__main__":
    main()
