"""Depth two: the next seat searches its reply."""

import numpy as np
import pytest

from agents.stacking import stacked
from search.positions import NOTING, params_of, view_of
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.reply import reply
from tamaya.search.team import make_team

pytestmark = pytest.mark.interpreted

PRIVATE, SHARED = NOTING


@hot
def replied(game, params, seen):
    reply(make_team(params, game.players), game, np.uint64(5), seen, params)


def told_game() -> Game:
    """Seat 0 has been told its 1s and holds nothing else it could be sure of."""
    game = stacked("R1 R3 R4 Y4 Y5 G5 G4 G3 G2 B5", Rules(players=2))
    for move in (game.legal_moves[-1], "h11"):
        game.apply(move)
    return game


def move_made(options: str) -> int | None:
    game = told_game()
    replied(game.record, params_of(f"search:depth=2,replies=3,rollout=0,{options}"), view_of(game))
    return int(game.moves[-1]) if game.turn == 3 else None


def test_the_reply_is_what_searching_finds_not_what_the_blueprint_does():
    assert move_made("blueprint=first-legal") == 5  # the play of the 1


def test_the_blueprints_reply_stands_unless_another_gains_the_margin():
    assert move_made("blueprint=first-legal,margin=2") == 0


def test_a_blueprint_without_a_move_or_with_a_private_memory_gives_no_reply():
    assert move_made("blueprint=(rules:PlayProbablySafe(2))") is None
    assert move_made(f"blueprint={PRIVATE.name}") is None
    assert move_made(f"blueprint={SHARED.name}") == 5
