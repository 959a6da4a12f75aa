"""The certainty player: its strength under Bouzy's rules and the order of its choices."""

import numpy as np
import pytest

from agents.stacking import assert_as_strong
from tamaya.cards import parse_card
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

# Mean scores of the specification's own program, 10,000 games each, by players and hand size.
MEASURED = {
    (2, 3): 13.45, (2, 4): 14.33, (2, 5): 15.03,
    (3, 3): 14.67, (3, 4): 15.05, (3, 5): 15.15,
    (4, 3): 14.86, (4, 4): 14.67, (4, 5): 14.17,
    (5, 3): 14.70, (5, 4): 13.93, (5, 5): 12.89,
}  # fmt: skip


@pytest.mark.parametrize(("players", "hand_size"), MEASURED)
def test_strength_agrees_with_the_specification(players, hand_size):
    rules = Rules(players=players, hand_size=hand_size, bomb="keep", empty_hints=True)
    scores = play("certainty", rules, 10_000, seed=1).results["score"]
    combined = scores.std() / 100 * 2**0.5  # both were measured on 10,000 games
    assert abs(scores.mean() - MEASURED[players, hand_size]) < 4 * combined


@pytest.mark.parametrize(("players", "hand_size"), MEASURED)
def test_sparing_touched_cards_is_as_strong_as_published(players, hand_size):
    size = players, hand_size
    assert_as_strong("certainty:spare=true", "bouzy-1", "certainty", size, 2000)


def test_it_never_loses_a_life():
    for players in range(2, 6):
        assert (play("certainty", Rules(players=players), 2000).results["lives"] == 3).all()


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=3, tokens=0, lives=9),
        Rules(players=2, refill="in_place", discard_at_full=True),
        Rules(players=4, observation="minimal"),
        Rules(players=2, observation="seer"),
        Rules.preset("very-small", players=5),
        Rules(players=2, colours=3, ranks=2, hand_size=6),
    ],
    ids=Rules.to_text,
)
def test_it_plays_under_any_rules(rules):
    play("certainty", rules, 300)


def stacked(*first: str, players: int = 2) -> Game:
    """A game whose deck begins with some cards."""
    rules = Rules(players=players)
    deck = Game(rules).deck
    for place, name in enumerate(first):
        other = deck.index(parse_card(name), place)
        deck[place], deck[other] = deck[other], deck[place]
    return Game(rules, deck=deck)


def move_in(game: Game) -> str:
    agent = find_agent("certainty")
    compiled = agent.compile()
    from support import decide
    from tamaya.moves import move_text

    assert compiled.act
    return move_text(game.rules, decide(agent, game, game.mover))


def test_it_hints_the_value_that_touches_most_playable_cards():
    game = stacked("R2", "R3", "R4", "R5", "Y2", "R1", "Y1", "G1", "W4", "B4")
    assert move_in(game) == "h11"


def test_it_plays_what_it_was_told():
    game = stacked("R1", "Y1", "R4", "R5", "Y2", "R3", "Y3", "G3", "W4", "B4")
    game.apply("h13")
    game.apply("h11")
    assert move_in(game) == "p0"


def test_explanations_name_every_slot():
    game = Game(Rules(players=2), seed=3)
    agent = find_agent("certainty")
    rows = agent.explain_function(game.view(), agent.new_memory(), agent.compile().params[0])
    assert [row[0].split()[1] for row in rows[:5]] == list("01234")
    assert rows[-1] == ("best hint", "rank 1 to seat 1")


def test_its_parameter_changes_its_play():
    base = play("certainty", Rules(players=2), 500).results["score"].mean()
    other = play("certainty:useless=2", Rules(players=2), 500).results["score"].mean()
    assert not np.isclose(base, other)
