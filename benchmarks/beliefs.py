"""How well agents know their own cards: log loss per card, by counting and by their own beliefs.

    python benchmarks/beliefs.py [--games N] [--players 2,3] [--agents smartbot,information]

In self-play, the mover of every turn is asked for the probabilities of its cards. The log loss is
minus the logarithm of the probability of the true card, averaged over all held cards: lower is
better, 0 is perfect knowledge. ``--factors`` prints instead the source of FireFlower's weights: how
much likelier identities are than by counting.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from tamaya.agents.fireflower.believing import BELIEF_NAMES, CLASS_NAMES, readings
from tamaya.arena.rule_texts import options_text, rules_for
from tamaya.cli.options import print_table
from tamaya.game import Game
from tamaya.knowledge.hand_beliefs import counted_beliefs
from tamaya.lookup import find_agent
from tamaya.player import Player
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

AGENTS = ("smartbot", "smartbot-refined", "wtfwthat-2018", "wtfwthat", "information", "fireflower",
          "hat-information")  # fmt: skip
LEAST = 1e-12  # probability that a card counts with if it was thought impossible


@dataclass(frozen=True)
class Calibration:
    """Losses over all cards that movers held."""

    counting: float  # log loss
    own: float
    gain_se: float  # of the difference, over games
    counting_share: float  # mean probability of the true card
    own_share: float
    impossible: int  # cards that were there although their own beliefs excluded them


def turns(player: Player, rules: Rules, games: int, seed: int) -> Iterator[tuple[int, Seat, Game]]:
    """Number of the game, the seat to move and the position, for every turn of self-play."""
    played = play(player, rules, games, seed=seed, record=True)
    for k in range(games):
        finished = played.game(k)
        game = finished.at(0)
        seats = [Seat(player, game, seat) for seat in range(rules.players)]
        for move in finished.moves:
            yield k, seats[game.mover], game
            game.apply(move)
            for seat in seats:
                seat.observe()


def true_shares(beliefs: np.ndarray, game: Game) -> list[float]:
    """Probabilities of the cards that the mover holds."""
    hand = game.record.card[game.mover, : game.rules.hand_size]
    return [beliefs[slot, card] for slot, card in enumerate(hand) if card >= 0]


def calibration(player: Player, rules: Rules, games: int, seed: int) -> Calibration:
    """Losses of counting and of an agent's own beliefs in its own games."""
    counting: list[list[float]] = [[] for _ in range(games)]
    own: list[list[float]] = [[] for _ in range(games)]
    for k, seat, game in turns(player, rules, games, seed):
        counting[k] += true_shares(counted_beliefs(seat.view()), game)
        own[k] += true_shares(seat.believe(), game)
    gains = [np.log(np.maximum(mine, LEAST)).mean() - np.log(plain).mean()
             for mine, plain in zip(own, counting, strict=True)]  # fmt: skip
    all_own, all_counting = np.concatenate(own), np.concatenate(counting)
    return Calibration(
        -float(np.log(all_counting).mean()), -float(np.log(np.maximum(all_own, LEAST)).mean()),
        float(np.std(gains, ddof=1)) / sqrt(games), float(all_counting.mean()),
        float(all_own.mean()), int((all_own <= 0).sum()),
    )  # fmt: skip


def print_calibrations(agents: list[str], players: list[int], games: int, seed: int) -> None:
    """A row for each agent and table size."""
    rows = []
    for name in agents:
        player = find_agent(name)
        for size in players:
            rules = rules_for(size, options_text(player.made_for))
            found = calibration(player, rules, games, seed)
            gain = found.counting - found.own
            rows.append([name, str(size), f"{found.counting:.3f}", f"{found.own:.3f}",
                         f"{gain:+.3f} ± {found.gain_se:.3f}", f"{found.counting_share:.3f}",
                         f"{found.own_share:.3f}", str(found.impossible)])  # fmt: skip
    columns = ["agent", "players", "counting", "own", "gain", "p counting", "p own", "wrong"]
    print_table(f"Log loss per own card, {games} games each, seed {seed}", columns, rows)


def print_factors(players: list[int], games: int, seed: int) -> None:
    """The frequency of each class of identities, divided by that from counting."""
    player = find_agent("fireflower")
    seen = np.zeros((len(BELIEF_NAMES), len(CLASS_NAMES)))
    expected = np.zeros_like(seen)
    for size in players:
        for _, seat, game in turns(player, Rules(players=size), games, seed):
            view, memory = seat.view(), seat.memory.copy()
            counted = counted_beliefs(view)
            for slot, belief, classes in readings(view, memory[0]):
                seen[belief, classes[game.record.card[game.mover, slot]]] += 1
                np.add.at(expected[belief], classes, counted[slot])
    cells = [[f"{n:.0f} / {by_counting:.0f} = {n / by_counting:.2f}" if by_counting else "-"
              for n, by_counting in zip(*pair, strict=True)]
             for pair in zip(seen, expected, strict=True)]  # fmt: skip
    rows = [[name, *row] for name, row in zip(BELIEF_NAMES, cells, strict=True)]
    print_table("Faces seen / expected by counting, fireflower", ["believed", *CLASS_NAMES], rows)


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", default="2,3,4,5")
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--factors", action="store_true")
    given = parser.parse_args()
    players = [int(size) for size in given.players.split(",")]
    if given.factors:
        print_factors(players, given.games, given.seed)
    else:
        print_calibrations(given.agents.split(","), players, given.games, given.seed)


if __name__ == "__main__":
    main()
