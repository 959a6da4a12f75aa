"""Public tables: the conclusions from counting, against naive ones."""

import numpy as np
import pytest

from knowledge.test_copies import copies_of, counted
from support import scaled
from tamaya.cards import ALL_CARDS, CardSet
from tamaya.game import Game
from tamaya.knowledge.copies import full_deck
from tamaya.knowledge.tables import (
    TABLE,
    close_table,
    exclude_by_words,
    public_set,
    restrict,
    set_by_words,
    set_of,
    unrecognised,
)
from tamaya.records import record
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

PLACES = [(seat, slot) for seat in range(4) for slot in range(4)]


def naive_closure(sets: dict, left: list[int]) -> dict:
    """Exclude what counting excludes, one step at a time."""
    sets = {place: set(cards) for place, cards in sets.items()}
    while True:
        counts = list(left)
        for cards in sets.values():
            if len(cards) == 1:
                counts[next(iter(cards))] -= 1
        gone = {card for card in range(25) if counts[card] <= 0}
        wrong = [place for place, cards in sets.items() if len(cards) > 1 and cards & gone]
        if not wrong:
            return sets
        sets[wrong[0]] -= gone


class Case:
    """A game of four whose public sets are random but true, and the copies left."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.game = Game(Rules(players=4), seed)
        self.view = self.game.view()
        self.memories = np.zeros(1, record([TABLE]))
        self.memory = self.memories[0]
        self.sets = {}
        for seat, slot in PLACES:
            card = int(self.game.record.card[seat, slot])
            others = rng.permutation(25)[: rng.choice([0, 0, 1, 3])]
            self.sets[seat, slot] = {card, *map(int, others)}
            self.write(seat, slot, self.sets[seat, slot])
        self.left = [int(n) for n in self.game.record.copies]
        for card in self.game.deck[16:][: rng.integers(0, 30)]:
            self.left[card] -= 1

    def write(self, seat: int, slot: int, cards: set[int]) -> None:
        """Set what a card can be."""
        order = self.view.order[seat, slot]
        self.memory.excluded[order] = ALL_CARDS & ~sum(1 << card for card in cards)

    def found(self) -> dict:
        """The sets of the table."""
        return {
            place: set(CardSet(int(public_set(self.view, self.memory, *place)))) for place in PLACES
        }


@pytest.mark.parametrize("mends", [False, True])
@pytest.mark.parametrize("seed", range(scaled(100)))
def test_closing_agrees_with_the_naive_way(seed, mends):
    case = Case(seed)
    close_table(case.view, case.memory, copies_of(case.left), mends)
    assert case.found() == naive_closure(case.sets, case.left)


@pytest.mark.parametrize("seed", range(scaled(20)))
def test_recognised_cards_are_taken_from_the_copies(seed):
    case = Case(seed)
    expected = list(case.left)
    for cards in case.sets.values():
        if len(cards) == 1:
            expected[next(iter(cards))] -= 1
    found = counted(unrecognised(case.view, case.memory, copies_of(case.left)))
    assert [found[card] for card in range(25)] == expected


def naive_mending(sets: dict, left: list[int]) -> dict:
    """The closure of sets that may be wrong; no hint was given, so words leave every card."""
    sets, left, every = {place: set(cards) for place, cards in sets.items()}, list(left), range(25)
    for place, cards in sets.items():
        if len(cards) == 1:
            (card,) = cards
            if left[card] > 0:
                left[card] -= 1
            else:
                sets[place] = set(every) - cards
    checked: set[int] = set()
    while gone := {card for card in every if left[card] == 0} - checked:
        checked |= gone
        for place, cards in sets.items():
            if len(cards) > 1 and cards & gone:
                cards -= gone
                sets[place] = cards = cards or set(every) - checked
                if len(cards) == 1:
                    left[min(cards)] = max(0, left[min(cards)] - 1)
    return sets


@pytest.mark.parametrize("seed", range(scaled(100)))
def test_wrong_sets_are_mended(seed):
    rng, case = np.random.default_rng(seed), Case(seed)
    for place in PLACES:
        if rng.random() < 0.5:
            case.sets[place] = set(map(int, rng.permutation(25)[: rng.integers(1, 4)]))
            case.write(*place, case.sets[place])
    close_table(case.view, case.memory, copies_of(case.left), True)
    sets = case.found()
    assert sets == naive_mending(case.sets, case.left)
    assert all(sets.values())


def test_a_card_recognised_too_often_goes_back_to_what_words_leave():
    case = Case(0)
    for place in PLACES:
        case.write(*place, set(range(25)))
    for slot in range(2):
        case.write(1, slot, {4})  # both are R5, of which there is one
    close_table(case.view, case.memory, full_deck(case.view), True)
    assert case.found()[1, 0] == {4}
    assert case.found()[1, 1] == set(range(25)) - {4}


def test_words_exclude_and_sets_are_restricted():
    game = Game(Rules(players=2), 3)
    memories = np.zeros(1, record([TABLE]))
    memory = memories[0]
    hint = game.legal_moves[-1]
    game.apply(hint)
    view = game.view()
    exclude_by_words(view, view.history[0], memory)
    for slot in range(5):
        order = view.order[1, slot]
        possible = int(view.possible[1, slot])
        assert public_set(view, memory, 1, slot) == set_of(view, memory, order) == possible
        assert set_by_words(view, 1, slot, 0) == set_by_words(view, 1, slot, possible) == possible
    order = view.order[1, 0]
    before = int(set_of(view, memory, order))
    some = before & -before
    restrict(view, memory, order, ALL_CARDS & ~before)  # nothing would be left
    assert set_of(view, memory, order) == before
    restrict(view, memory, order, some)
    assert set_of(view, memory, order) == some


def test_an_empty_slot_has_an_empty_set():
    game = Game(Rules(players=2, colours=1, hand_size=5), 1)
    memories = np.zeros(1, record([TABLE]))
    game.apply(game.rules.hand_size)  # plays slot 0; the deck is empty
    assert public_set(game.view(), memories[0], 0, 4) == 0
