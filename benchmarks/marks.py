"""Are marks reliable? Three figures of `tamaya analyse`, each determined by its seeds.

1. *Repetition*: games of people, half with two and half with three players, are analysed twice on
   fresh deals. A mark of the first analysis is refuted if, in the second, the better move gains
   less than the mark's threshold minus two standard errors. At most 2 % may be.
2. *Noise*: positions at which all moves are equal by construction: without tokens only plays are
   legal, nobody is ever told anything, and all cards of a hand are equally likely. No `?` may
   occur.
3. *Planted blunders*: games of agents in which, on the last life, a card is played that its holder
   knows to be dead, so that all points are lost. At least 95 % must be found.

Run `python benchmarks/marks.py [--games N] [--turns N] [--planted N] [--store FILE]`; with a store
it resumes where it was stopped. The games of people are looked for in `../shared/data` next to the
checkout; without them the first figure is omitted.
"""

import argparse
from collections import Counter
from pathlib import Path
from random import Random

from tamaya.game import Game
from tamaya.knowledge.board import dead_mask
from tamaya.moves import play as play_move
from tamaya.replays.analyst import Analyst
from tamaya.replays.data_files import read_data
from tamaya.replays.marks import FULL_SCORE, LEAST_LOSS, Mark
from tamaya.rules import Rules
from tamaya.store.database import Store
from tamaya.table import play

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILES = ("human-2p.jsonl.gz", "human-3p.jsonl.gz")
NOISY = Rules(players=2, tokens=0, lives=20, bomb="keep")
LEAST_POINTS = 8  # that a planted blunder throws away


def human_games(n: int) -> list[Game]:
    """Games spread over the files, as many of each."""
    games = []
    for name in FILES:
        found = [each.game for each in read_data(DATA / name) if each.game and each.game.turn]
        games += Random(1).sample(found, n // 2)
    return games


def repetition(n_games: int, deals: int, store: Store | None) -> None:
    """Print how many marks fall when games are analysed again."""
    first, second = (Analyst(seed=seed, store=store) for seed in (1, 2))
    marks, fallen, turns = Counter[Mark](), Counter[Mark](), 0
    for k, game in enumerate(human_games(n_games), 1):
        runs = [analyst.analyse(game, deals=deals, threads=1) for analyst in (first, second)]
        for row, again in zip(*runs, strict=True):
            turns += 1
            if row.mark.is_loss:
                marks[row.mark] += 1
                value = again.value_of(row.best)
                least = LEAST_LOSS[row.mark] * game.rules.max_score / FULL_SCORE
                fallen[row.mark] += value.gain < least - 2 * value.gain_se
        print(f"  {k} games, {turns} turns: {fallen.total()} of {marks.total()} fall", flush=True)
    for mark in LEAST_LOSS:
        print(f"  {mark.sign:3}{mark:12} {fallen[mark]} of {marks[mark]} fall")
    share = 100 * fallen.total() / max(1, marks.total())
    print(
        f"repetition: {fallen.total()} of {marks.total()} marks fall, {share:.1f} % (at most 2 %)"
    )


def noise(n_turns: int, deals: int, store: Store | None) -> None:
    """Print how many turns without any difference between moves are marked."""
    analyst, marks, seed = Analyst("random", seed=1, store=store), Counter[Mark](), 0
    while marks.total() < n_turns:
        game, rng = Game(NOISY, seed=seed), Random(seed)
        seed += 1
        while not game.is_over:
            game.apply(rng.choice(game.legal_moves))
        turns = range(1, min(game.turn, n_turns - marks.total()) + 1)
        rows = analyst.analyse(game, turns, deals, threads=1)
        marks.update(row.mark for row in rows)
    wrong = {mark.value: marks[mark] for mark in LEAST_LOSS}
    n = marks[Mark.BLUNDER] + marks[Mark.MISTAKE]
    print(f"noise: {n} of {marks.total()} equal turns get ? or ?? (none may); {wrong}, "
          f"{marks[Mark.OPEN]} open, {marks[Mark.FORCED]} forced")  # fmt: skip


def with_blunder(game: Game) -> Game | None:
    """The game up to a last life, where a card that is known to be dead is played."""
    for turn in range(game.turn):
        position = game.at(turn)
        record = position.record
        if record.lives != 1 or position.points < LEAST_POINTS:
            continue
        view = position.view()
        for slot in range(int(view.n_cards[position.mover])):
            possible = int(view.possible[position.mover, slot])
            if not possible & ~int(dead_mask(view)):
                position.apply(int(play_move(view, slot)))
                return position
    return None


def planted(n: int, deals: int, store: Store | None) -> None:
    """Print how many planted blunders are marked as such."""
    analyst, marks, seed = Analyst(seed=1, store=store), Counter[Mark](), 0
    while marks.total() < n:
        for agent, players in (("risky", 2), ("van-den-bergh", 3), ("iggi", 4), ("piers", 5)):
            played = play(agent, Rules(players=players), 50, seed=seed, record=True)
            for k in range(50):
                game = with_blunder(played.game(k))
                if game is not None and marks.total() < n:
                    marks[analyst.weigh(game, game.turn, deals).mark] += 1
        seed += 1
    share = 100 * marks[Mark.BLUNDER] / marks.total()
    print(f"planted: {marks[Mark.BLUNDER]} of {marks.total()} blunders found, {share:.1f} % "
          f"(at least 95 %); {dict(marks)}")  # fmt: skip


def main() -> None:
    """Print the three figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="games of people")
    parser.add_argument("--turns", type=int, default=1000, help="turns of noise")
    parser.add_argument("--planted", type=int, default=200, help="blunders")
    parser.add_argument("--deals", type=int, default=300, help="deals per turn")
    parser.add_argument("--store", help="keeps what is done, to go on from there")
    options = parser.parse_args()
    store = Store(options.store) if options.store else None
    noise(options.turns, options.deals, store)
    planted(options.planted, options.deals, store)
    if not (DATA / FILES[0]).is_file():
        print(f"repetition: left out, there are no games of people in {DATA}")
        return
    repetition(options.games, options.deals, store)


if __name__ == "__main__":
    main()
