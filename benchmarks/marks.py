"""Do the marks of `tamaya analyse` survive repetition? Each turn is analysed twice, on fresh deals.

A mark says that another move was better than the one played. It *falls* if that very move, on the
other deals, is not better by one standard error of its gain; it *turns* if it gains nothing at
all. Two rules are compared: the former one, by which the highest mean counts if it is above two
standard errors, and the marks of `tamaya.replays.marks`.

Run `python benchmarks/marks.py [--games N] [--samples N] [--slices N]`; eight games take a few
minutes of one core. Every figure is decided by the seeds.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from math import sqrt

from tamaya.game import Game
from tamaya.replays.analysis import TurnAnalysis, analyse, analyst
from tamaya.replays.marks import Mark
from tamaya.rules import Rules
from tamaya.table import play

BLUEPRINT = "mirror-situational:faithful=false"
OLD_ERRORS = 2.0
# Weak and strong teams, which play as the blueprint does or by codes of their own.
TEAMS = (
    ("iggi", 2), ("piers", 3), ("certainty", 4), ("example", 2),
    ("tamaya-mirror", 3), ("smartbot", 4), ("mirror-situational", 2), ("random", 5),
)  # fmt: skip


@dataclass
class Count:
    """Marks of one rule, and what became of them on other deals."""

    marks: int = 0
    fallen: int = 0  # below one standard error
    turned: int = 0  # zero or less

    def add(self, move: str, again: TurnAnalysis) -> None:
        """Count a mark that says that a move is better than the one played."""
        value = next(value for value in again.moves if value.move == move)
        self.marks += 1
        self.fallen += value.gain < value.gain_se
        self.turned += value.gain <= 0


def old_mark(row: TurnAnalysis) -> str | None:
    """The better move by the old rule, if it marks the turn; its error had no deal to spare."""
    best = row.moves[0]
    se = sqrt(max(0.0, best.gain_se**2 - 1 / best.samples**2)) if best.samples else 0.0
    return best.move if best.gain > OLD_ERRORS * se else None


def games(n: int) -> list[Game]:
    """One game of each of the first teams."""
    return [play(agent, Rules(players=players), 1, seed=k, record=True).game(0)
            for k, (agent, players) in enumerate(TEAMS[:n])]  # fmt: skip


def main() -> None:
    """Print how many marks of both rules there are, and how many fall."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=len(TEAMS), help="how many of the teams")
    parser.add_argument("--samples", type=int, default=300, help="deals per slice")
    parser.add_argument("--slices", type=int, default=1, help="slices for turns that stay open")
    options = parser.parse_args()
    agent = analyst(BLUEPRINT, options.samples)
    old, new, marks = Count(), Count(), Counter[Mark]()
    by_mark = {mark: Count() for mark in Mark if mark.is_loss}
    n_turns = 0
    for game in games(options.games):
        turns = range(1, game.turn + 1)
        runs = [analyse(game, agent, turns, seed=seed, slices=options.slices) for seed in (1, 2)]
        for row, again in (*zip(*runs, strict=True), *zip(*reversed(runs), strict=True)):
            n_turns += 1
            marks[row.mark] += 1
            if move := old_mark(row):
                old.add(move, again)
            if row.mark.is_loss:
                new.add(row.best, again)
                by_mark[row.mark].add(row.best, again)
    print(f"{n_turns // 2} turns, each on {options.samples} deals and again on fresh ones;")
    print("the marks of both runs, each looked up in the other")
    print(f"{'rule':24} {'marks':>6} {'fallen':>7} {'turned':>7}")
    rows = {"highest mean > 2 se": old, "sure loss": new}
    rows |= {f"  {mark.sign} {mark}": count for mark, count in by_mark.items()}
    for name, count in rows.items():
        print(f"{name:24} {count.marks:6} {count.fallen:7} {count.turned:7}")
    print(f"in both runs together {marks[Mark.OPEN]} turns are open, {marks[Mark.NONE]} unmarked")


if __name__ == "__main__":
    main()
