"""Views: what a seat sees, what it does not, and the questions agents ask."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import copies, full_deck
from support import any_game, examples, permuted, play_randomly, reference_of, scaled
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK, CardSet
from tamaya.game import Game
from tamaya.game_kernels import is_legal, legal_mask
from tamaya.records import COMMON_NAMES, VIEW
from tamaya.rules import Rules
from tamaya.view import (
    critical_mask,
    dead_mask,
    fill_view,
    is_playable,
    is_subset,
    n_unseen,
    own_mask,
    playable_mask,
    seat_at,
    touches_only,
    unseen_mask,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def reference_at(game: Game):
    """The oracle's game in the same position."""
    slow = reference_of(game.rules, game.deck, int(game.record.start))
    for move in game.moves:
        slow.apply(move)
    return slow


def as_mask(cards) -> int:
    """The mask of cards given as pairs of colour and rank."""
    return sum({1 << (5 * colour + rank) for colour, rank in cards})


@examples(100)
@given(any_game(), st.integers(0, 4))
def test_a_view_shows_what_everybody_knows(game, offset):
    seat = (game.mover + offset) % game.rules.players
    view = game.view(seat)
    assert view.seat == seat
    for name in COMMON_NAMES:
        if name in ("possible", "told") and game.rules.observation == "minimal":
            continue
        if name == "history":
            assert view.history[: game.turn].tobytes() == game.events.tobytes()
        else:
            assert np.array_equal(view[name], game.record[name]), name


@examples(100)
@given(any_game())
def test_a_view_shows_the_hands_of_others(game):
    for seat in range(game.rules.players):
        view = game.view(seat)
        for other in set(range(game.rules.players)) - {seat}:
            assert view.card[other].tolist() == game.record.card[other].tolist()


@examples(100)
@given(any_game())
def test_only_a_seer_sees_its_own_hand(game):
    n = game.rules.hand_size
    for seat in range(game.rules.players):
        own = game.view(seat).card[seat, :n].tolist()
        is_seer = game.rules.observation == "seer"
        assert own == (game.record.card[seat, :n].tolist() if is_seer else [-1] * n)


def test_a_view_has_no_field_for_deck_or_seed():
    assert {"deck", "seed"}.isdisjoint(VIEW.names)


def test_a_minimal_view_has_forgotten_all_hints():
    game = Game(Rules(observation="minimal"))
    game.apply(game.legal_moves[-1])  # with all tokens there, the last move is a hint
    assert game.record.told.any()
    view = game.view()
    assert not view.told.any()
    assert set(view.possible[:2, :5].ravel().tolist()) == {int(view.all_cards)}


@examples(60)
@given(any_game(), st.integers(0, 2**32))
def test_hidden_cards_leave_no_trace_in_a_view(game, seed):
    for seat in range(game.rules.players):
        other = permuted(game, seat, Random(seed))
        assert other.view(seat).tobytes() == game.view(seat).tobytes()


def test_the_permutations_do_change_own_hand_and_deck():
    game, rng = Game(Rules(players=3)), Random(0)
    others = [permuted(game, 1, rng) for _ in range(20)]
    assert len({tuple(other.hands[1]) for other in others}) > 15
    assert len({tuple(other.deck[15:]) for other in others}) == 20
    assert all(other.hands[0] == game.hands[0] for other in others)


def test_a_view_tells_nothing_of_the_seat_that_used_its_memory_before():
    game = Game()
    used = game.view(1)
    unseen_mask(used)
    fill_view(game.record, 0, used)
    assert used.tobytes() == game.view(0).tobytes()


@examples(100)
@given(any_game())
def test_the_view_of_the_mover_answers_what_is_legal(game):
    view = game.view()
    assert legal_mask(view) == legal_mask(game.record)
    for move in range(64):
        assert is_legal(view, move) == is_legal(game.record, move)


@pytest.mark.parametrize("seed", range(scaled(60)))
def test_questions_about_cards_are_answered_as_counted_by_hand(seed):
    rng = Random(seed)
    rules = Rules(players=rng.randint(2, 5), ranks=rng.randint(3, 5), lives=10)
    game = Game(rules, seed)
    while not game.is_over:
        slow = reference_at(game)
        view = game.view()
        assert CardSet(playable_mask(view)) == CardSet(as_mask(playable_cards(slow)))
        assert CardSet(dead_mask(view)) == CardSet(as_mask(dead_cards(slow)))
        assert CardSet(critical_mask(view)) == CardSet(as_mask(critical_cards(slow)))
        for colour, rank in slow.kinds:
            card = 5 * colour + rank
            assert n_unseen(view, card) == unseen_cards(slow, game.mover).count((colour, rank))
            assert is_playable(view, card) == ((colour, rank) in playable_cards(slow))
        for _ in range(5):
            if not game.is_over:
                game.apply(rng.choice(game.legal_moves))


def playable_cards(slow):
    return [card for card in slow.kinds if slow.fireworks[card[0]] == card[1]]


def is_gone(slow, card) -> bool:
    return slow.discards.count(card) == copies(card[1], slow.rules.ranks)


def dead_cards(slow):
    """Played already, or some card on the way to it has gone."""
    dead = []
    for colour, rank in slow.kinds:
        height = slow.fireworks[colour]
        way = [(colour, step) for step in range(height, rank + 1)]
        if rank < height or any(is_gone(slow, card) for card in way):
            dead.append((colour, rank))
    return dead


def critical_cards(slow):
    left = [card for card in slow.kinds if card not in dead_cards(slow)]
    return [c for c in left if copies(c[1], slow.rules.ranks) - slow.discards.count(c) == 1]


def unseen_cards(slow, seat):
    """All cards, less the discarded, the played and those in other hands."""
    unseen = full_deck(slow.rules)
    seen = list(slow.discards)
    seen += [(c, rank) for c, height in enumerate(slow.fireworks) for rank in range(height)]
    for other, hand in enumerate(slow.hands):
        seen += [held.card for held in hand if held and other != seat]
    for card in seen:
        unseen.remove(card)
    return unseen


@examples(100)
@given(any_game())
def test_what_a_seat_holds_for_possible_contains_what_it_holds(game):
    for seat, hand in enumerate(game.record.card[: game.rules.players].tolist()):
        view = game.view(seat)
        for slot in range(game.rules.hand_size):
            if hand[slot] >= 0 and game.rules.observation != "seer":
                assert hand[slot] in CardSet(own_mask(view, slot))


def test_own_mask_leaves_out_cards_that_are_all_in_sight():
    """Every copy of R5 and R1 is in the other hand, so that neither can be in the own hand."""
    deck = sorted(Game().deck)
    reds = [card for card in deck if card < 5]
    rest = [card for card in deck if card >= 5]
    game = Game(deck=[*rest[:5], 0, 0, 0, 4, *rest[5:], *[c for c in reds if c in (1, 2, 3)]])
    own = CardSet(own_mask(game.view(), 0))
    assert 0 not in own and 4 not in own and 1 in own


def test_seats_follow_the_viewer():
    view = Game(Rules(players=4)).view(2)
    assert [int(seat_at(view, offset)) for offset in range(4)] == [2, 3, 0, 1]


def test_touches_only_wants_some_card_and_no_wrong_one():
    deck = sorted(Game().deck)
    hand = [0, 5, 10, 1, 2]  # R1 Y1 G1 R2 R3
    for card in hand:
        deck.remove(card)
    view = Game(deck=[*deck[:5], *hand, *deck[5:]]).view(0)
    ones, reds = int(RANK_MASK[0]), int(COLOUR_MASK[0])
    assert touches_only(view, 1, ones, ones)
    assert not touches_only(view, 1, reds, ones)
    assert not touches_only(view, 1, int(RANK_MASK[4]), ones)


def test_a_subset_is_never_empty():
    one, two = int(BIT[1]), int(BIT[1] | BIT[2])
    assert is_subset(one, two) and is_subset(two, two)
    assert not is_subset(two, one) and not is_subset(0, two)


def test_the_view_of_a_finished_game_can_still_be_seen():
    game = play_randomly(Game(), Random(1))
    assert game.view(1).status == game.record.status != 0
