"""Every learner on Hanabi-Very-Small: one colour, two cards in hand, three tokens, one life.

    python benchmarks/very_small.py --seeds 1,2,3

Each is trained with its preset `small` and scored greedily on the test deals, which were not used
for any choice. The upper bound, computed exactly, is two players who see all hands, including their
own, but not the deck.
"""

import argparse
from functools import cache
from time import process_time

import numpy as np

from tamaya.cards import copies_of_rank
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.threads import set_up_torch
from tamaya.learn.validation import TEST, Evaluator
from tamaya.rules import Rules

RULES = Rules.preset("very-small")
COPIES = tuple(copies_of_rank(rank, RULES.ranks) for rank in range(RULES.ranks))
TURNS = {"ppo": 3_000_000, "rainbow": 800_000, "acha": 2_000_000, "bad": 2_000_000}

Cards = tuple[int, ...]  # ranks of a hand from 0, sorted; or how many of each rank a deck has


def with_open_hands() -> float:
    """The best mean score of two players who see all hands but not the deck."""
    return _before_the_deal(COPIES, ())


def _before_the_deal(deck: Cards, dealt: Cards) -> float:
    """The value with some of the cards dealt that the players begin with."""
    size = RULES.hand_size
    if len(dealt) == 2 * size:
        hands = tuple(sorted(dealt[:size])), tuple(sorted(dealt[size:]))
        return _value(*hands, deck, 0, RULES.tokens, None)
    return sum(
        chance * _before_the_deal(rest, (*dealt, card)) for card, chance, rest in _draws(deck)
    )


def _draws(deck: Cards) -> list[tuple[int, float, Cards]]:
    """Cards that may be on top, how likely, and what is left below."""
    return [(rank, n / sum(deck), (*deck[:rank], n - 1, *deck[rank + 1 :]))
            for rank, n in enumerate(deck) if n]  # fmt: skip


@cache
def _value(
    own: Cards, other: Cards, deck: Cards, score: int, tokens: int, left: int | None
) -> float:
    """The best mean final score if the player with the first hand moves.

    With the last card the number of turns left is known. Nobody plays a card that does not fit:
    there is one life.
    """
    if left == 0 or score == RULES.ranks:
        return score
    still = None if left is None else left - 1
    values = [_value(other, own, deck, score, tokens - 1, still)] if tokens else []
    for card in set(own):
        rest = list(own)
        rest.remove(card)
        if card == score:
            values.append(_after_a_card(tuple(rest), other, deck, score + 1, tokens, still))
        if tokens < RULES.tokens:
            values.append(_after_a_card(tuple(rest), other, deck, score, tokens + 1, still))
    return max(values, default=0.0)


def _after_a_card(
    own: Cards, other: Cards, deck: Cards, score: int, tokens: int, left: int | None
) -> float:
    """The value after a card left the mover's hand, over all cards that may take its place."""
    if not sum(deck):
        return _value(other, own, deck, score, tokens, left)
    return sum(
        chance * _value(other, tuple(sorted((*own, card))), rest, score, tokens,
                        None if sum(rest) else 2)
        for card, chance, rest in _draws(deck)
    )  # fmt: skip


def score(algorithm: str, seed: int, turns: int, games: int) -> tuple[float, float]:
    """Mean test score after learning, and CPU seconds."""
    set_up_torch()
    plan = TrainingPlan(algorithm, RULES.to_text(), seed, turns, "small")
    learner, started = plan.learner(), process_time()
    while learner.turns < turns:
        learner.step()
    seconds = process_time() - started
    evaluator = Evaluator(RULES, learner.metadata, learner.weights())
    return float(evaluator.scores(games, TEST).mean()), seconds


def main() -> None:
    """Print a line per learner."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--only", default=",".join(TURNS), help="learners")
    given = parser.parse_args()
    print(f"open hands, an upper bound: {with_open_hands():.3f}")
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
