"""Questions about sets of cards, against lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import examples
from tamaya.cards import ALL_CARDS, BIT, CardSet
from tamaya.knowledge.sets import (
    is_one,
    is_subset,
    known_colour,
    known_rank,
    listed_before,
    lowest_card,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

# Plain sets are rarely small: few cards of one row or column as well.
sets = st.one_of(
    st.integers(0, ALL_CARDS),
    st.lists(st.integers(0, 24), max_size=3).map(lambda cards: sum({1 << card for card in cards})),
)


@examples(200)
@given(sets)
def test_questions_about_one_set(mask):
    cards = list(CardSet(mask))
    colours, ranks = {card // 5 for card in cards}, {card % 5 for card in cards}
    assert is_one(mask) == (len(cards) == 1)
    assert known_colour(mask) == (colours.pop() if len(colours) == 1 else -1)
    assert known_rank(mask) == (ranks.pop() if len(ranks) == 1 else -1)
    if cards:
        assert lowest_card(mask) == min(cards)


@examples(200)
@given(sets, sets)
def test_a_subset_is_never_empty(mask, other):
    for wanted in (other, mask | other):
        cards, within = set(CardSet(mask)), set(CardSet(wanted))
        assert is_subset(mask, wanted) == (cards <= within and bool(cards))


def test_what_is_listed_before_a_card():
    order = np.random.default_rng(0).permutation(25)
    before = listed_before(order)
    for place, card in enumerate(order):
        assert before[card] == sum(int(BIT[other]) for other in order[:place])
