"""Copies as two masks, against counters."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge import naive
from support import any_game, examples, scaled
from tamaya.cards import ALL_CARDS, CardSet
from tamaya.game import Game
from tamaya.knowledge.board import public_copies
from tamaya.knowledge.copies import (
    Copies,
    cards_in,
    full_deck,
    is_likely,
    n_copies,
    n_unseen,
    own_mask,
    probability,
    put,
    singles,
    take,
    take_present,
    undiscarded,
    unseen_by,
    unseen_mask,
    with_hand,
    without_hand,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

numbers = st.lists(st.integers(0, 3), min_size=25, max_size=25)
masks = st.integers(0, ALL_CARDS)


def copies_of(counts) -> Copies:
    """Two masks of numbers by card."""
    ones = sum(1 << card for card in range(25) if counts[card] & 1)
    return Copies(ones, sum(1 << card for card in range(25) if counts[card] & 2))


def counted(copies) -> Counter:
    """The numbers of two masks."""
    ones, twos = map(int, copies)
    return +Counter({card: (ones >> card & 1) + 2 * (twos >> card & 1) for card in range(25)})


@examples(200)
@given(numbers, masks)
def test_taking_and_putting(counts, mask):
    copies = copies_of(counts)
    there = [card for card in CardSet(mask) if counts[card] > 0]
    room = [card for card in CardSet(mask) if counts[card] < 3]
    taken, more = Counter(dict(enumerate(counts))), Counter(dict(enumerate(counts)))
    taken.subtract(there)
    more.update(room)
    assert counted(take(copies, naive.mask_of(there))) == +taken
    assert counted(take_present(copies, mask)) == +taken
    assert counted(put(copies, naive.mask_of(room))) == +more


@examples(200)
@given(numbers, masks, masks, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_counting(counts, possible, wanted, least):
    copies = copies_of(counts)
    assert cards_in(copies) == naive.mask_of(card for card in range(25) if counts[card] > 0)
    assert singles(copies) == naive.mask_of(card for card in range(25) if counts[card] == 1)
    total = sum(counts[card] for card in CardSet(possible))
    good = sum(counts[card] for card in CardSet(possible & wanted))
    assert n_copies(copies, possible) == total
    assert probability(copies, possible, wanted) == (good / total if total else 0.0)
    assert is_likely(copies, possible, wanted, least) == (total > 0 and good >= least * total)


@pytest.mark.parametrize("seed", range(scaled(10)))
def test_copies_at_a_table(seed):
    for game in naive.positions(seed, 10):
        record = game.record
        assert counted(full_deck(record)) == Counter(game.deck)
        assert counted(undiscarded(record)) == naive.left(game)
        public = public_copies(record)
        assert counted(public) == naive.public(game)
        for seat in range(game.rules.players):
            own = Counter(card for card in naive.hand(game, seat) if card >= 0)
            hidden = unseen_by(record, seat, public)
            assert counted(hidden) == naive.unseen(game, seat)
            assert counted(without_hand(hidden, record, seat)) == naive.unseen(game, seat) - own
            assert counted(with_hand(without_hand(hidden, record, seat), record, seat)) == (
                naive.unseen(game, seat)
            )


@pytest.mark.parametrize("seed", range(scaled(10)))
def test_a_view_counts_what_its_seat_does_not_see(seed):
    for game in naive.positions(seed, 10):
        seat = Random(seed).randrange(game.rules.players)
        counts = naive.unseen(game, seat)
        if game.rules.observation == "seer":
            counts -= Counter(card for card in naive.hand(game, seat) if card >= 0)
        view = game.view(seat)
        assert unseen_mask(view) == naive.mask_of(card for card in counts if counts[card])
        for card in naive.all_cards(game):
            assert n_unseen(view, card) == counts[card]


@examples(100)
@given(any_game())
def test_what_a_seat_holds_for_possible_contains_what_it_holds(game):
    for seat, hand in enumerate(game.record.card[: game.rules.players].tolist()):
        view = game.view(seat)
        for slot in range(game.rules.hand_size):
            if hand[slot] >= 0 and game.rules.observation != "seer":
                assert hand[slot] in CardSet(own_mask(view, slot))


def test_own_mask_leaves_out_cards_that_are_all_in_sight():
    """Every copy of R5 and R1 is in the other hand, so that neither can be in its own hand."""
    deck = sorted(Game().deck)
    reds = [card for card in deck if card < 5]
    rest = [card for card in deck if card >= 5]
    game = Game(deck=[*rest[:5], 0, 0, 0, 4, *rest[5:], *[c for c in reds if c in (1, 2, 3)]])
    own = CardSet(own_mask(game.view(), 0))
    assert 0 not in own and 4 not in own and 1 in own
