"""The moves that are searched."""

import numpy as np
import pytest

from search.positions import hinted_game, params_of, view_of
from support import scaled
from tamaya.compiled import hot
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.proposals import propose
from tamaya.search.workspace import N_IDS
from tamaya.table import play


@hot
def proposed(view, params):
    return propose(view, np.zeros(params.moves_words, np.uint64), params)


def moves_of(view: np.record, text: str) -> set[int]:
    mask = int(proposed(view, params_of(f"flat-mc:moves={text}")))
    return {move for move in range(N_IDS) if mask >> move & 1}


@pytest.mark.interpreted
def test_all_legal_moves_good_ones_or_those_of_rules_are_proposed():
    game = hinted_game()
    view = view_of(game)
    assert moves_of(view, "legal") == set(game.legal_moves)
    good = moves_of(view, "good")
    assert good < set(game.legal_moves)
    assert 6 in good  # the play of the card just hinted
    assert moves_of(view, "(rules:DiscardOldestFirst)") == {0}


@pytest.mark.parametrize("family", ["flat-mc", "ris-mcts"])
def test_only_what_the_rules_propose_is_searched(family):
    rules = "rules:TellRandomly,DiscardOldestFirst"
    agent = find_agent(f"{family}:samples=5,blueprint=first-legal,moves=({rules})")
    played = play(agent, Rules(players=3), scaled(4), record=True)
    for k in range(scaled(4)):
        game = played.game(k)
        for event in game.events:
            # Plays are proposed by nobody, and the blueprint plays at full tokens only.
            assert event.move < 5 or event.move >= 10 or event.move == 5
