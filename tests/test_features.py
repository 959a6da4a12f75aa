"""Derived features: equal to a naive account of what a seat can know, under any rules."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from support import pick_rules, scaled
from tamaya.encoding import encode, encoder_kind, observation_spec, sections, vector_length
from tamaya.features import active_bits, derived_lengths
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.view import fill_view

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def naive_block(game: Game, seat: int) -> list[int]:
    """The block in the plainest Python."""
    now, rules = game.record, game.rules
    left = Counter(game.deck)
    for event in game.events:
        if event.card >= 0:
            left[int(event.card)] -= 1
    cards = [5 * colour + rank for colour in range(rules.colours) for rank in range(rules.ranks)]
    heights = [int(height) for height in now.firework]

    def is_playable(card):
        return heights[card // 5] == card % 5

    def is_dead(card):
        between = range(heights[card // 5], card % 5 + 1)
        gone = any(left[5 * (card // 5) + rank] == 0 for rank in between)
        return card % 5 < heights[card // 5] or gone

    def is_critical(card):
        return not is_dead(card) and left[card] == 1

    traits = (is_playable, is_dead, is_critical)
    seats = [(seat + offset) % rules.players for offset in range(rules.players)]
    bits = []
    for other in seats[1:]:
        for card in now.card[other, : rules.hand_size].tolist():
            bits += [card >= 0 and trait(card) for trait in traits]
    unseen = left.copy()
    for other in seats[1:]:
        unseen.subtract(card for card in now.card[other, : rules.hand_size].tolist() if card >= 0)
    for other in seats:
        counts = unseen if other == seat else left
        for slot in range(rules.hand_size):
            mask = int(now.possible[other, slot])
            fitting = [card for card in cards
                       if mask >> card & 1 or rules.observation == "minimal"]  # fmt: skip
            total = sum(counts[card] for card in fitting)
            for trait in traits:
                if now.order[other, slot] < 0:
                    bits += [0] * 8
                    continue
                share = Fraction(sum(counts[card] for card in fitting if trait(card)), total)
                levels = (10, 25, 40, 55, 70, 85, 100)
                bits += [share > 0, *(share >= Fraction(level, 100) for level in levels)]
    for other in seats:
        bits += naive_hint(game, other)
    n_left = int(now.turns_left) if now.deck_size == 0 else 0
    return [int(bit) for bit in bits] + [k == n_left - 1 for k in range(rules.players)]


def naive_hint(game: Game, seat: int) -> list[int]:
    """The latest hint to a seat, by the orders of the cards it touched."""
    again = Game(game.rules, deck=game.deck, start=int(game.record.start))
    size = game.rules.hand_size
    bits = [0] * (size + 5)
    for move in game.moves:
        again.apply(move)
        event = again.events[-1]
        if event.target != seat:
            continue
        slots = [slot for slot in range(size) if event.touched >> slot & 1]
        orders = {int(again.record.order[seat, slot]) for slot in slots}
        bits = [int(order) in orders for order in game.record.order[seat, :size]]
        first_rank = 2 * size + (game.rules.players - 1) * game.rules.colours
        rounds = (game.turn - again.turn) // game.rules.players
        bits += [event.move < first_rank, event.move >= first_rank]
        bits += [rounds == k for k in range(3)]
    return [int(bit) for bit in bits]


def derived_part(game: Game, seat: int) -> list[int]:
    vector = game.vector(seat, "derived")
    return vector[sections(game.rules, "derived")["marks"].start :].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_block_equals_the_naive_account_under_any_rules(seed):
    rng = Random(seed)
    for _ in range(scaled(60)):
        game = Game(pick_rules(rng.choice), seed=rng.getrandbits(32))
        while not game.is_over:
            seat = rng.randrange(game.rules.players)
            assert derived_part(game, seat) == naive_block(game, seat)
            game.apply(rng.choice(game.legal_moves))


def test_the_first_part_is_the_canonical_vector():
    game = Game(Rules(players=3), seed=2)
    assert (game.vector(1, "derived")[:956] == game.vector(1)).all()


@pytest.mark.parametrize("observation", ["minimal", "seer"])
def test_a_view_is_enough_whatever_it_shows(observation):
    rng = Random(4)
    game = Game(Rules(players=3, observation=observation), seed=4)
    views = np.zeros(1, VIEW)
    while not game.is_over:
        fill_view(game.record, game.mover, views[0])
        out = np.zeros(vector_length(game.rules, "derived"), np.uint8)
        encode(encoder_kind("derived"), views[0], game.mover, out)
        assert (out == game.vector(game.mover, "derived")).all()
        game.apply(rng.choice(game.legal_moves))


def test_lengths_are_those_of_the_plan():
    spec = [(2, 255), (5, 528)]  # marks and chances, as in the specification
    for players, length in spec:
        parts = derived_lengths(Rules(players=players))
        assert sum(n for name, n in parts if not name.startswith("la")) == length


def test_active_bits_are_the_places_of_the_ones():
    vector = Game(Rules(), seed=1).vector(0, "derived")
    places = np.zeros(len(vector) + 1, np.int64)
    n = active_bits(vector, places)
    assert places[:n].tolist() == np.flatnonzero(vector).tolist()


def test_the_spec_changes_with_what_a_vector_means():
    specs = {observation_spec(Rules(players=p), e) for p in (2, 3) for e in ("hle", "derived")}
    assert len(specs) == 4
    assert observation_spec(Rules(), "derived").startswith("derived/1 2 players ")
    assert observation_spec(Rules(lives=1), "derived") != observation_spec(Rules(), "derived")
