"""What the moves of others say about the own hand."""

import numpy as np
import pytest

from support import scaled
from tamaya.cards import parse_card
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.registry import find_agent
from tamaya.search.blueprint import gather
from tamaya.search.intent import hear, imagine_believed
from tamaya.search.simulate import set_stage
from tamaya.view import fill_view

pytestmark = pytest.mark.interpreted


@hot
def believed_cards(view, params, trust, slot, cards):
    """What an own slot holds in many imagined games."""
    stage, team = set_stage(view, params), gather(params, view.players)
    heard = hear(stage, team, 1)
    for k in range(len(cards)):
        game = imagine_believed(stage, team, heard, trust, k, np.uint64(1))
        cards[k] = game.card[view.seat, slot]


def hinted_game() -> Game:
    """A game in which the example agent just told a playable 2; it tells playable cards only."""
    hands = "R1 W3 W3 B3 B3  Y3 R2 Y4 G4 W4"
    top = [parse_card(name) for name in hands.split()]
    rest = Game().deck
    for card in top:
        rest.remove(card)
    game = Game(deck=[*top, *rest])
    for move in ("p0", "h13", "h12"):
        game.apply(move)
    return game


@pytest.mark.parametrize("trust", [0.0, 0.5, 1.0])
def test_a_hint_means_what_the_policy_means_by_it(trust):
    game = hinted_game()
    view, cards = np.zeros(1, VIEW)[0], np.zeros(scaled(600), np.int64)
    fill_view(game.record, game.mover, view)
    params = find_agent("flat-mc:policy=example").compile().params[0]
    believed_cards(view, params, trust, 1, cards)
    share = (cards == parse_card("R2")).mean()
    lowest, highest = {0.0: (0, 0.5), 0.5: (0.1, 0.99), 1.0: (1, 1)}[trust]
    assert lowest <= share <= highest
