"""Public beliefs: against the definition, enumeration and Bayes' rule; no impossible card."""

from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from support import play_randomly, replay, scaled
from tamaya.agents.learned.beliefs import (
    V0,
    V1,
    V2,
    believe,
    count_left,
    draw_hands,
    list_all_hands,
    n_hands,
    settle,
    shift_cards,
    weigh_move,
)
from tamaya.agents.learned.public import BRAIN
from tamaya.game import Game
from tamaya.rules import MAX_HAND, Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]
SHAPE = (2, MAX_HAND, 25)
TINY = Rules(colours=2, ranks=3, hand_size=2, lives=3)


def brain(version: int, rounds: int = 8, mixing: float = 0.01) -> np.record:
    records = np.zeros(1, BRAIN)
    records["version"], records["rounds"], records["mixing"] = version, rounds, mixing
    return records[0].copy()


def stopped_games(rules: Rules, n: int, seed: int = 1):
    """Random games, stopped anywhere before their end."""
    rng = Random(seed)
    for number in range(n):
        game = play_randomly(Game(rules, seed=number), rng)
        yield replay(game, turns=rng.randrange(game.turn))


def left_of(game: Game) -> np.ndarray:
    left = np.zeros(25, np.int64)
    count_left(game.record, left)
    return left


def settled(game: Game, rounds: int, likelihood: np.ndarray | None = None) -> np.ndarray:
    belief = np.zeros(SHAPE, np.float32)
    weights = np.ones(SHAPE, np.float32) if likelihood is None else likelihood
    settle(game.record, left_of(game), weights, rounds, belief)
    return belief


def slots_of(game: Game) -> list[tuple[int, int]]:
    """Slots that hold a card."""
    size = game.rules.hand_size
    return [(seat, slot) for seat in range(2) for slot in range(size)
            if game.record.order[seat, slot] >= 0]  # fmt: skip


def slow_belief(game: Game, rounds: int, likelihood: np.ndarray) -> np.ndarray:
    """The definition, slot by slot in double precision."""
    unseen = list(game.deck)
    for event in game.events:
        if event.card >= 0:
            unseen.remove(int(event.card))
    left = np.bincount(unseen, minlength=25).astype(float)
    masks = {place: np.array([game.record.possible[place] >> card & 1 for card in range(25)])
             for place in slots_of(game)}  # fmt: skip

    def shares(place, copies):
        weights = np.maximum(copies, 0) * masks[place] * likelihood[place]
        return weights / weights.sum() if weights.sum() > 0 else None

    belief = {place: shares(place, left) for place in masks}
    for _ in range(rounds):
        after = {}
        for place in masks:
            others = sum(belief[other] for other in masks if other != place)
            new = shares(place, left - others)
            after[place] = belief[place] if new is None else (new + belief[place]) / 2
        belief = after
    result = np.zeros(SHAPE)
    for place, row in belief.items():
        result[place] = row
    return result


@pytest.mark.parametrize("rounds", [0, 1, 8])
@pytest.mark.parametrize("rules", [Rules(), TINY], ids=["full", "tiny"])
def test_beliefs_equal_the_definition(rules, rounds):
    rng = np.random.default_rng(1)
    for game in stopped_games(rules, scaled(30)):
        likelihood = rng.uniform(0.1, 1, SHAPE).astype(np.float32)
        wanted = slow_belief(game, rounds, likelihood)
        assert np.allclose(settled(game, rounds, likelihood), wanted, atol=1e-5)


def true_marginals(game: Game) -> np.ndarray:
    """Chances of the cards of all slots over every deal that agrees with the hints."""
    places = slots_of(game)
    pool = [card for card in range(25) for _ in range(left_of(game)[card])]
    result, total = np.zeros(SHAPE), 0
    for cards in permutations(pool, len(places)):
        if all(game.record.possible[place] >> card & 1
               for place, card in zip(places, cards, strict=True)):  # fmt: skip
            total += 1
            for place, card in zip(places, cards, strict=True):
                result[place][card] += 1
    return result / total


def test_fixed_points_are_exact_where_cards_are_known_or_not_hinted():
    rng = Random(2)
    for number in range(scaled(20)):
        game = Game(TINY, seed=number)
        for seat, slot in rng.sample(slots_of(game), rng.randrange(4)):
            game.record.possible[seat, slot] = 1 << int(game.record.card[seat, slot])
        assert np.allclose(settled(game, 60), true_marginals(game), atol=1e-4)


def test_consistent_beliefs_are_nearer_to_the_truth():
    errors = np.zeros(2)
    for game in stopped_games(TINY, max(12, scaled(40))):
        truth = true_marginals(game)
        errors += [np.abs(settled(game, rounds) - truth).sum() for rounds in (0, 8)]
    assert errors[1] < 0.5 * errors[0]


def test_versions():
    likelihood = np.random.default_rng(3).uniform(0, 1, SHAPE).astype(np.float32)
    for game in stopped_games(TINY, scaled(20)):
        found = {}
        for version in (V0, V1, V2):
            found[version] = np.zeros(SHAPE, np.float32)
            believe(game.record, likelihood, brain(version, mixing=0.1), found[version])
        assert np.allclose(found[V0], settled(game, 0), atol=1e-6)
        assert np.allclose(found[V1], settled(game, 8), atol=1e-6)
        told = settled(game, 8, likelihood)
        assert np.allclose(found[V2], 0.9 * told + 0.1 * found[V1], atol=1e-6)


def test_no_mass_on_impossible_cards_and_all_of_it_on_others():
    rng = np.random.default_rng(4)
    for game in stopped_games(TINY, scaled(100)):
        likelihood = (rng.random(SHAPE) < 0.3).astype(np.float32)  # often contradicts the hints
        belief = np.zeros(SHAPE, np.float32)
        believe(game.record, likelihood, brain(V2), belief)
        left = left_of(game)
        for seat, slot in product(range(2), range(MAX_HAND)):
            row = belief[seat, slot]
            if (seat, slot) not in slots_of(game):
                assert not row.any()
                continue
            possible = np.array([game.record.possible[seat, slot] >> c & 1 for c in range(25)])
            assert not row[(possible == 0) | (left == 0)].any()
            assert row.sum() == pytest.approx(1, abs=1e-5) and (row >= 0).all()


# What a move tells.


def some_hand(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Shares of a few cards per slot, copies left, and the number of slots, some of them empty."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 4))
    belief = np.zeros((MAX_HAND, 25), np.float32)
    for slot in range(size):
        if slot < 2 or rng.random() < 0.7:
            cards = rng.choice(6, 3, replace=False)
            belief[slot, cards] = rng.dirichlet(np.ones(3))
    return belief, np.array([1, 2, 1, 2, 3, 1] + 19 * [0]), size


def slow_hands(belief, left, size) -> dict[tuple[int, ...], float]:
    """All hands there are enough copies for, and their probabilities."""
    cards = [np.flatnonzero(row) if row.any() else [-1] for row in belief[:size]]
    hands = {}
    for hand in product(*cards):
        if all(hand.count(card) <= left[card] for card in hand if card >= 0):
            chances = [belief[slot, card] for slot, card in enumerate(hand) if card >= 0]
            hands[tuple(map(int, hand))] = float(np.prod(chances))
    return hands


@pytest.mark.parametrize("seed", range(8))
def test_all_hands_are_listed(seed):
    belief, left, size = some_hand(seed)
    hands, weights = np.full((50, MAX_HAND), -1), np.zeros(50, np.float32)
    n = list_all_hands(belief, size, left, hands, weights)
    assert n <= n_hands(belief, size, 50) <= 27
    listed = {tuple(hands[k, :size].tolist()): float(weights[k]) for k in range(n)}
    assert listed == pytest.approx(slow_hands(belief, left, size))


def test_hands_are_drawn_by_their_probabilities():
    belief, left, size = some_hand(1)
    n = scaled(20_000)
    hands, weights = np.full((n, MAX_HAND), -1), np.zeros(n, np.float32)
    assert draw_hands(belief, size, left, np.uint64(5), hands, weights) == n
    wanted = slow_hands(belief, left, size)
    total = sum(wanted.values())
    drawn = {hand: 0 for hand in wanted}
    for row in hands[:, :size].tolist():
        drawn[tuple(row)] += 1
    for hand, chance in wanted.items():
        share = chance / total
        assert abs(drawn[hand] / n - share) < 4 * (share * (1 - share) / n) ** 0.5 + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_with_all_hands_listed_the_update_is_bayes_rule(seed):
    """Marginals times likelihood are those of the hands that lead to the move."""
    belief, left, size = some_hand(seed)
    chances = slow_hands(belief, left, size)
    rng = np.random.default_rng(seed)
    fits = {hand: bool(rng.random() < 0.4) for hand in chances}
    if not any(fits.values()):
        fits[next(iter(fits))] = True
    hands, weights = np.full((50, MAX_HAND), -1), np.zeros(50, np.float32)
    n = list_all_hands(belief, size, left, hands, weights)
    agrees = np.array([fits[tuple(hands[k, :size].tolist())] for k in range(n)])
    likelihood = np.ones((MAX_HAND, 25), np.float32)
    weigh_move(hands, weights[:n], agrees, size, np.float32(0), likelihood)
    for slot in range(size):
        if not belief[slot].any():
            continue
        before, after = np.zeros(25), np.zeros(25)
        for hand, chance in chances.items():
            before[hand[slot]] += chance
            after[hand[slot]] += chance * fits[hand]
        found = before * likelihood[slot]
        assert np.allclose(found / found.sum(), after / after.sum(), atol=1e-5)


def test_a_move_that_no_hand_explains_tells_nothing():
    belief, left, size = some_hand(2)
    hands, weights = np.full((50, MAX_HAND), -1), np.zeros(50, np.float32)
    n = list_all_hands(belief, size, left, hands, weights)
    likelihood = np.random.default_rng(1).random((MAX_HAND, 25)).astype(np.float32)
    before = likelihood.copy()
    weigh_move(hands, weights[:n], np.zeros(n, bool), size, np.float32(0), likelihood)
    assert (likelihood == before).all()


def test_moves_that_contradict_each_other_begin_anew():
    hands, weights = np.array([[0, 1], [1, 0]]), np.ones(2, np.float32)
    likelihood = np.zeros((MAX_HAND, 25), np.float32)
    likelihood[0, 1] = likelihood[1, 0] = 1
    weigh_move(hands, weights, np.array([True, False]), 2, np.float32(0), likelihood)
    assert (likelihood[:2] == 1).all()


def test_caution_keeps_chances_away_from_certainty():
    hands, weights = np.array([[0], [1]]), np.ones(2, np.float32)
    likelihood = np.ones((MAX_HAND, 25), np.float32)
    weigh_move(hands, weights, np.array([True, False]), 1, np.float32(1), likelihood)
    # One of one and one of none, each with half a hand of one added.
    assert likelihood[0, :3].tolist() == pytest.approx([1, (0.5 / 2) / (1.5 / 2), 0.5 / 0.75])


@pytest.mark.parametrize("refill", ["shift", "in_place"])
def test_likelihoods_follow_their_cards(refill):
    game = Game(Rules(refill=refill))
    likelihood = np.arange(MAX_HAND, dtype=np.float32)[:, None] + np.full(25, 10, np.float32)
    shift_cards(game.record, likelihood, 1)
    wanted = [10, 12, 13, 14, 1] if refill == "shift" else [10, 1, 12, 13, 14]
    assert likelihood[:5, 0].tolist() == wanted
