"""Imagined deals: they agree with what the seat sees, and each is as likely as it should be."""

from collections import Counter
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given

from support import GENERATOR, any_game, examples, scaled
from tamaya.compiled import JIT, hot
from tamaya.game import Game
from tamaya.game_kernels import copy_game
from tamaya.records import GAME, VIEW
from tamaya.rules import Rules
from tamaya.search.sampling.determinize import (
    PLAN,
    fill_game,
    plan_hand,
    redeal,
    shuffle_rest,
)
from tamaya.view import fill_view

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


@hot
def imagine_often(view, memory, games, decks):
    """Decks of many imagined deals of one view; the last game stays in the second record."""
    plans = np.zeros(1, PLAN)
    fill_game(view, games[0])
    plan_hand(games[0], view.seat, plans[0])
    for k in range(len(decks)):
        copy_game(games[1], games[0])
        redeal(games[1], view.seat, plans[0], memory)
        shuffle_rest(games[1], memory)
        decks[k] = games[1].deck


def imagined(game: Game, seat: int, n: int, seed: int = 1) -> tuple[np.ndarray, np.record]:
    """Decks of n imagined deals, and the last game."""
    view, memory = np.zeros(1, VIEW)[0], np.zeros(1, GENERATOR)
    fill_view(game.record, seat, view)
    memory["rng"] = seed
    games, decks = np.zeros(2, GAME), np.zeros((n, 50), np.int8)
    imagine_often(view, memory[0], games, decks)
    return decks, games[1]


@examples(300)
@given(any_game())
def test_an_imagined_game_agrees_with_what_the_seat_sees(game):
    if game.is_over:
        return
    seat, now = game.mover, game.record
    _, other = imagined(game, seat, 3)
    n_all = game.rules.deck_size
    assert sorted(other.deck[:n_all]) == sorted(game.deck)
    for name in ("possible", "order", "told", "firework", "discarded", "tokens", "deck_size"):
        if now.observation != 0 or name not in ("possible", "told"):
            assert (other[name] == now[name]).all()
    for who in range(game.rules.players):
        for slot in range(game.rules.hand_size):
            order, card = now.order[who, slot], other.card[who, slot]
            if order < 0:
                assert card == -1
                continue
            assert card == other.deck[order]
            assert other.possible[who, slot] >> int(card) & 1
            if who != seat or now.observation == 2:
                assert card == now.card[who, slot]
    for event in game.events:
        if event.order >= 0:
            assert other.deck[event.order] == event.card


def deals_by_hand(game: Game, seat: int) -> Counter:
    """How many deals of the hidden cards there are with each hand and card on top of the deck."""
    now = game.record
    own = [slot for slot in range(game.rules.hand_size) if now.order[seat, slot] >= 0]
    undealt = range(game.rules.deck_size - int(now.deck_size), game.rules.deck_size)
    hidden = [game.deck[int(now.order[seat, slot])] for slot in own]
    hidden += [game.deck[order] for order in undealt]
    n_drawn = len(own) + (1 if now.deck_size else 0)
    deals: Counter = Counter()
    for cards in permutations(hidden, n_drawn):
        if all(now.possible[seat, own[k]] >> cards[k] & 1 for k in range(len(own))):
            deals[cards] += 1
    return deals


@pytest.mark.parametrize("seed", range(12))
def test_every_deal_that_agrees_with_the_hints_is_equally_likely(seed):
    rng = Random(seed)
    rules = Rules(players=2, colours=2, ranks=3, hand_size=3)
    game = Game(rules, seed=seed)
    while game.turn < 6 and not game.is_over:
        hints = [move for move in game.legal_moves if move >= 2 * rules.hand_size]
        game.apply(rng.choice(hints if hints and rng.random() < 0.7 else game.legal_moves))
    if game.is_over:
        return
    seat, now = game.mover, game.record
    deals, n = deals_by_hand(game, seat), scaled(30_000) if JIT else 500
    decks, _ = imagined(game, seat, n)
    places = [int(now.order[seat, slot]) for slot in range(rules.hand_size)
              if now.order[seat, slot] >= 0]  # fmt: skip
    if now.deck_size:
        places.append(rules.deck_size - int(now.deck_size))
    found = Counter(tuple(map(int, deck[places])) for deck in decks)
    assert set(found) <= set(deals)
    total = sum(deals.values())
    for cards, weight in deals.items():
        expected = n * weight / total
        assert abs(found[cards] - expected) < 5 * expected**0.5 + 5
