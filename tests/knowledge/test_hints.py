"""Hints by number: what they touch, tell and leave possible, against the game itself."""

import pytest

from knowledge import naive
from support import scaled
from tamaya.cards import COLOUR_MASK, RANK_MASK, CardSet
from tamaya.game import Game
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hints import (
    after_hint,
    colours_first,
    give_hint,
    hint_number,
    is_news,
    n_hints,
    named_mask,
    naming_hint,
    newly_touched,
    touch_mask,
    touched_slots,
    touches_only,
)
from tamaya.moves import HINT_RANK, describe

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

SEEDS = range(scaled(20))


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_of_hints(seed):
    for game in naive.positions(seed, 10):
        view, listed = game.view(), naive.hints(game)
        assert n_hints(view) == len(listed)
        for hint, named in enumerate(listed):
            cards = [card for card in range(25) if naive.names(named, card)]
            assert touch_mask(view, hint) == naive.mask_of(cards)
            for offset in range(1, game.rules.players):
                move = int(give_hint(view, offset, hint))
                kind, place, value = describe(game.rules, move)
                assert (place, value) == (offset, named[1])
                assert (kind == HINT_RANK) == (named[0] == "rank")
                assert hint_number(view, move) == hint
                assert named_mask(view, move) == naive.mask_of(cards)
        order = [int(colours_first(view, k)) for k in range(len(listed))]
        assert [listed[hint] for hint in order] == sorted(listed, key=lambda hint: hint[0])
        for card in naive.all_cards(game):
            for kind, word in enumerate(("rank", "colour")):
                named = listed[int(naming_hint(view, card, kind))]
                assert named[0] == word and naive.names(named, card)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hint_does_what_was_foreseen(seed):
    """Every hint is given, and its event and what it leaves possible are compared."""
    for game in naive.positions(seed, 4):
        # A minimal view does not show what hints told; a seer has nothing to learn.
        if game.rules.observation != "card_knowledge":
            continue
        view = game.view()
        for offset in range(1, game.rules.players):
            seat = (game.mover + offset) % game.rules.players
            for hint in range(n_hints(view)):
                move = int(give_hint(view, offset, hint))
                if move not in game.legal_moves:
                    continue
                mask, told = int(touch_mask(view, hint)), game.copy()
                told.apply(move)
                event, after = told.record.history[game.turn], told.record.possible[seat]
                assert touched_slots(view, seat, mask) == event.touched
                news = 0
                for slot in range(game.rules.hand_size):
                    assert after_hint(view, seat, slot, mask) == after[slot]
                    has_news = after[slot] != view.possible[seat, slot]
                    if event.touched & SLOT_BIT[slot]:
                        assert is_news(view, seat, slot, mask) == has_news
                        news |= int(SLOT_BIT[slot]) if has_news else 0
                assert newly_touched(view, seat, mask) == news


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
    assert len(CardSet(ones)) == 5
