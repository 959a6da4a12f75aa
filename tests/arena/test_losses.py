"""Why games are lost: a constructed game for each cause, and open hands by trying everything."""

from random import Random

import pytest

from support import best_score, play_randomly, scaled
from tamaya.arena.losses import CAUSES, MOVES, Loss, loss_of
from tamaya.cards import parse_card
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.endgame.winnable import Solver

RED = Rules(players=2, colours=1, ranks=3, hand_size=2, tokens=2, discard_at_full=True)


def played(rules: Rules, cards: str, moves: str) -> Game:
    """The game of a deck, seat 0 first, and of moves; then hints, or discards, to its end."""
    game = Game(rules, deck=[parse_card(card) for card in cards.split()])
    for move in moves.split():
        game.apply(move)
    while not game.is_over:
        hints = [move for move in game.legal_moves if move >= 2 * rules.hand_size]
        game.apply(hints[0] if hints else game.legal_moves[0])
    return game


def loss(rules: Rules, cards: str, moves: str, most: int = 1000) -> Loss:
    """Why such a game is lost."""
    return loss_of(played(rules, cards, moves), 7, most=most)


def test_bombed():
    found = loss(RED, "R3 R2 R2 R1 R1 R1", "p0 p0 p0")
    assert found == Loss(7, 0, "bombed", 3, "misplay", 0, 2, ())


def test_gave_up():
    assert loss(RED, "R1 R2 R1 R2 R1 R3", "p0 x") == Loss(7, 1, "gave up", 0, "", -1, -1, ())


def test_a_game_given_up_when_it_was_lost_has_another_cause():
    assert loss(RED, "R1 R3 R1 R2 R1 R2", "d1 x").cause == "discard"


def test_a_deal_that_cannot_be_won():
    rules = Rules(players=2, colours=1, hand_size=2)
    found = loss(rules, "R2 R3 R4 R5 R2 R3 R4 R1 R1 R1", "")  # the 1 is played in the last round
    assert (found.cause, found.turn) == ("deal", 0)


def test_a_misplayed_last_copy():
    found = loss(RED, "R1 R3 R1 R2 R1 R2", "p1")
    assert found == Loss(7, 0, "misplay", 1, "misplay", 2, 2, ("play", "discard", "hint"))


def test_a_discarded_last_copy():
    found = loss(RED, "R1 R3 R1 R2 R1 R2", "d1")
    assert found == Loss(7, 0, "discard", 1, "discard", 2, 2, ("play", "discard", "hint"))


def test_a_discard_with_a_known_alternative_is_a_choice():
    without = Rules(players=2, colours=1, ranks=3, hand_size=2, tokens=0, discard_at_full=True)
    assert loss(without, "R1 R3 R1 R2 R1 R2", "d1").cause == "forced discard"
    one = Rules(players=2, colours=1, ranks=3, hand_size=2, tokens=1, discard_at_full=True)
    hinted = loss(one, "R1 R2 R1 R3 R1 R2", "h11 d1")  # who knows that slot 0 is a 1
    assert (hinted.cause, hinted.tokens) == ("discard", 0)


def test_pace():
    rules = Rules(players=2, colours=1, ranks=3, hand_size=1, tokens=2, discard_at_full=True)
    found = loss(
        rules, "R1 R1 R1 R2 R2 R3", "d0 d0 p0 d0 h13"
    )  # for two points two turns were left
    assert found == Loss(7, 1, "pace", 5, "hint", 0, 2, ("play",))


def test_a_copy_at_the_bottom_of_the_deck():
    found = loss(RED, "R1 R2 R1 R1 R3 R2", "d1")  # who draws the other 2 moves last
    assert found == Loss(7, 0, "bottom deck", 1, "discard", 2, 2, ("play", "hint"))


def test_a_card_that_comes_too_late():
    rules = Rules(players=2, colours=1, ranks=4, hand_size=2, tokens=3, discard_at_full=True)
    found = loss(rules, "R2 R3 R4 R3 R2 R1 R1 R1", "d1")  # the other 3 is in a hand
    assert found == Loss(7, 0, "late card", 1, "discard", 4, 3, ("hint",))


def test_the_wrong_order():
    found = loss(RED, "R3 R1 R1 R1 R2 R2", "p1 d0")
    assert found == Loss(7, 1, "order", 2, "discard", 1, 2, ("hint",))


def test_a_search_that_gives_up():
    assert loss(RED, "R1 R3 R1 R2 R1 R2", "d1", most=1) == Loss(7, 0, "unknown", 0, "", -1, -1, ())
    late = loss(RED, "R1 R2 R1 R1 R3 R2", "d1", most=1)  # lost, and nothing but the deck's order
    assert late == Loss(7, 0, "late card", 0, "", -1, -1, ())


def test_games_that_are_not_lost_are_refused():
    won = played(RED, "R1 R3 R1 R2 R1 R2", "p0 p1 p0")
    for game in (won, won.at(1)):
        with pytest.raises(ValueError, match="game 3 is not lost"):
            loss_of(game, 3)


def test_every_lost_game_has_one_cause_and_a_move_that_lost_it():
    causes, solver = set(), Solver()
    for seed in range(scaled(120)):
        game = play_randomly(Game(RED, seed), Random(seed))
        if game.score == RED.max_score:
            continue
        found = loss_of(game, seed, solver)
        causes.add(found.cause)
        assert found.cause in CAUSES
        if found.cause == "deal":
            assert best_score(game.at(0)) < RED.max_score
        elif found.cause != "bombed":
            assert found.move in MOVES
            assert best_score(game.at(found.turn - 1)) == RED.max_score
            assert best_score(game.at(found.turn)) < RED.max_score
            assert found.instead
    assert causes
