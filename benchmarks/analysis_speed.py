"""CPU seconds of analysing a game: 60 turns at 300 deals per move over the usual blueprint.

Run `python benchmarks/analysis_speed.py [--blueprint AGENT] [--deals N]`. Seconds are CPU time of
one thread without compiling, scaled to 60 turns. The last column is the time for opening the same
game again from the store.
"""

import argparse
from tempfile import TemporaryDirectory
from time import process_time

from tamaya.replays.analyst import DEALS, Analyst
from tamaya.rules import Rules
from tamaya.search.blueprint import USUAL_BLUEPRINT
from tamaya.store.database import Store
from tamaya.table import play

TURNS = 60


def main() -> None:
    """Print a line per table size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blueprint", default=USUAL_BLUEPRINT)
    parser.add_argument("--deals", type=int, default=DEALS)
    options = parser.parse_args()
    print(f"{'players':>7} {'turns':>6} {'moves':>6} {'CPU s':>7} {'per 60':>7} {'kept':>6}")
    with TemporaryDirectory() as folder:
        store = Store(f"{folder}/results.db")
        for players in range(2, 6):
            game = play("piers", Rules(players=players), 1, seed=0, record=True).game(0)
            Analyst(options.blueprint, seed=1).weigh(game, 1, 2)  # compiles
            seconds = []
            for _ in range(2):
                started = process_time()
                rows = Analyst(options.blueprint, store=store).analyse(
                    game, deals=options.deals, threads=1
                )
                seconds.append(process_time() - started)
            moves = sum(len(row.moves) for row in rows) / len(rows)
            print(f"{players:7} {game.turn:6} {moves:6.1f} {seconds[0]:7.2f} "
                  f"{seconds[0] * TURNS / game.turn:7.2f} {seconds[1]:6.2f}")  # fmt: skip
        store.close()


if __name__ == "__main__":
    main()
