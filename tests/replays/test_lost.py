"""Where a game was lost, in words: every cause, every kind of move, and games without a loss."""

import pytest

from tamaya.arena.losses import CAUSES, MOVES, Loss
from tamaya.cards import parse_card
from tamaya.game import Game
from tamaya.replays.lost import loss_document, loss_in, loss_words
from tamaya.rules import Rules

RED = Rules(players=2, colours=1, ranks=3, hand_size=2, tokens=2, discard_at_full=True)
CARDS = "R1 R3 R1 R2 R1 R2"
KEPT = "would have kept it winnable"


def played(moves: str, rules: Rules = RED) -> Game:
    """A game in which seat 0 holds the only 3."""
    game = Game(rules, deck=[parse_card(card) for card in CARDS.split()])
    for move in moves.split():
        game.apply(move)
    return game


def loss(cause: str, turn: int = 34, move: str = "discard", *instead: str) -> Loss:
    return Loss(0, 20, cause, turn, move if turn else "", 3, 0, instead)


def test_games_that_were_won_or_are_not_over_have_no_loss():
    assert played("p0 p1 p0").score == RED.max_score
    for game in (played(""), played("d1"), played("p0 p1 p0")):
        assert loss_in(game) is None
    assert loss_document(None) is None


def test_a_lost_game_names_its_move_and_what_would_have_won():
    found = loss_in(played("d1 d0 d0 d0"))
    assert found is not None
    assert loss_document(found) == {
        "cause": "discard", "turn": 1, "move": "discard", "instead": ["play", "discard", "hint"],
    }  # fmt: skip
    assert loss_words(found) == (
        "with open hands it could be won until a discard on turn 1 lost it (the last copy of "
        f"a needed card); a play, another discard or a hint {KEPT}"
    )


def test_a_game_that_was_given_up_has_no_losing_turn():
    found = loss_in(played("p0 x"))
    assert found is not None
    assert loss_document(found) == {"cause": "gave up", "turn": None, "move": None, "instead": []}
    assert (
        loss_words(found) == "the game was given up although with open hands it could still be won"
    )


def test_lives_that_ran_out_are_said_to_have():
    words = "on turn 34 the last life was lost"
    assert loss_words(loss("bombed", 34, "misplay")) == words
    instead = loss("bombed", 34, "misplay", "hint")
    assert loss_words(instead) == f"{words}; with open hands a hint {KEPT}"


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_has_words_that_name_the_turn_once(cause):
    if cause in ("gave up", "deal", "late card", "unknown"):
        words = loss_words(loss(cause, 0))
        assert not any(character.isdigit() for character in words)
        assert "open hands" in words
    if cause not in ("gave up", "deal", "unknown"):
        words = loss_words(loss(cause, 34, "misplay", "play", "hint"))
        assert words.count("turn 34") == 1
        assert words.endswith(
            f"; {'with open hands ' if cause == 'bombed' else ''}a play or a hint {KEPT}"
        )
    assert not words.endswith(".") and words[0].islower()


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("pace", "(pace: fewer turns were left than points missing)"),
        ("bottom deck", "(bottom deck: the other copies came too late)"),
        ("late card", "(late card: one that was needed was still too deep in the deck)"),
        ("order", "(order: all needed cards were in hands, but could not be played in time)"),
        ("forced discard", "(the last copy of a needed card, but there was no token for a hint, "
                           "and no card that was surely safe)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("move", MOVES)
def test_causes_and_moves_are_said_in_plain_words(cause, said, move):
    words = loss_words(loss(cause, 7, move))
    assert words == f"with open hands it could be won until a {move} on turn 7 lost it {said}"
