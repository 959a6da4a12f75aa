"""What the moves of others say about the own hand."""

import numpy as np
import pytest

from tamaya.cards import parse_card
from tamaya.compiled import hot
from tamaya.position import Game
from tamaya.records import VIEW
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.blueprint import gather
from tamaya.search.intent import hear, imagine_believed
from tamaya.search.simulate import set_stage
from tamaya.view import fill_view

pytestmark = pytest.mark.interpreted


@hot
def believed_cards(view, params, trust, slot, cards):
    """What an own slot holds in many imagined games."""
    stage, team = set_stage(view, params), gather(params, view.players)
    heard = hear(stage, team, 4)
    for k in range(len(cards)):
        game = imagine_believed(stage, team, heard, trust, np.uint64(k))
        cards[k] = game.card[view.seat, slot]


def hinted_game(rules: Rules) -> Game:
    """The example agent was told of a playable 2: its hints touch playable cards only."""
    top = "R1 W3 W3 B3 B3  Y3 R2 Y4 G4 W4  Y4".split()
    deck = [parse_card(name) for name in top]
    rest = Game(rules).deck
    for card in deck:
        rest.remove(card)
    game = Game(rules, deck=[*deck, *rest])
    for move in ("p0", "h13", "h12"):
        game.apply(move)
    return game


@pytest.mark.parametrize(("trust", "only_playable"), [(0.0, False), (1.0, True)])
def test_a_hint_means_what_the_policy_means_by_it(trust, only_playable):
    game = hinted_game(Rules(players=2))
    view, cards = np.zeros(1, VIEW)[0], np.zeros(40, np.int64)
    fill_view(game.record, game.mover, view)
    slot = next(s for s in range(5) if game.record.told[game.mover, s])
    params = find_agent("flat-mc:policy=example").compile().params[0]
    believed_cards(view, params, trust, slot, cards)
    assert (set(cards.tolist()) == {parse_card("R2")}) == only_playable
