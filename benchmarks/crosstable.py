"""Plays the crosstables that ``adaptive`` chooses by, and writes them into the package.

    python benchmarks/crosstable.py --players 2,3,4,5 --games 400
    python benchmarks/crosstable.py --players 2 --changed information

Every agent of the library with every other: the row's agent in one random seat among copies of the
column's. Each file has version, seed and games. Repeat it when agents are new or play differently;
with ``--changed`` only the cells of some agents are played again.
"""

import argparse
import json

import numpy as np

import tamaya
from tamaya.adapt.crosstable import path_of
from tamaya.adapt.families import library
from tamaya.arena.executor import Threads
from tamaya.arena.protocols.crossplay import cells_of, match_of
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


def old_cells(
    players: int, agents: tuple[str, ...], changed: set[str], games: int, seed: int
) -> dict[tuple[int, int], tuple[float, float]]:
    """Means and errors of the file that are still right, if it was made the same way."""
    if not changed:
        return {}
    document = json.loads(path_of(players).read_text(encoding="utf-8"))
    if (document["games"], document["seed"]) != (games, seed):
        return {}
    place = {name: k for k, name in enumerate(document["agents"]) if name not in changed}
    return {
        (i, j): (document["mean"][place[row]][place[column]],
                 document["se"][place[row]][place[column]])
        for i, row in enumerate(agents) for j, column in enumerate(agents)
        if row in place and column in place
    }  # fmt: skip


def main() -> None:
    """Play and write the tables of some sizes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", default="2,3,4,5")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2021)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--changed", default="", help="agents that play differently, by commas")
    options = parser.parse_args()
    changed = set(filter(None, options.changed.split(",")))
    for players in map(int, options.players.split(",")):
        agents, rules = library(players), Rules(players=players)
        if not changed <= set(agents):
            parser.error(f"not in the library for {players} players: "
                         f"{', '.join(sorted(changed - set(agents)))}")  # fmt: skip
        known = old_cells(players, agents, changed, options.games, options.seed)
        cells = [cell for cell in cells_of(len(agents), players) if cell not in known]
        runner = Runner(Threads(options.threads))
        outcomes = runner.play([match_of(agents, cell, rules, options.seed) for cell in cells],
                               options.games)  # fmt: skip
        for (row, column), outcome in zip(cells, outcomes, strict=True):
            for cell in {(row, column), (column, row)} if players == 2 else {(row, column)}:
                known[cell] = outcome.tally.mean, outcome.tally.se
        both = np.zeros((2, len(agents), len(agents)))
        for (row, column), figures in known.items():
            both[:, row, column] = figures
        mean, se = np.round(both, 2).tolist()
        document = {
            "version": tamaya.__version__, "seed": options.seed, "games": options.games,
            "players": players, "agents": list(agents), "mean": mean, "se": se,
        }  # fmt: skip
        lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}"
                           for key, value in document.items())  # fmt: skip
        path_of(players).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        print(f"{path_of(players).name}: {len(agents)} agents, {len(cells)} cells played")


if __name__ == "__main__":
    main()
