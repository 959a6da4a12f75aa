"""Recommendation players: HanSim's scores, published strength, common memory, positions."""

from collections import Counter

import pytest

from agents.hat.hansim import HANSIM, decks, scores_on
from agents.stacking import BOUZY, assert_as_strong, assert_memory_is_common, stacked
from support import decide, scaled
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

AGENTS = ["hatbot", "hatbot:program=true", "hatbot:counting=true", "hat-recommendation",
          "hat-recommendation:plain=true"]  # fmt: skip

# Mean scores of the specification's own program for the article, 10,000 games, by size.
ARTICLE = {(2, 3): 15.10, (3, 4): 22.48, (4, 5): 22.60, (5, 4): 22.39}


def test_hansim_is_matched_exactly():
    scores = scores_on(decks(100, 1000), "hatbot:program=true")
    assert scores[:20] == [25, 23, 25, 25, 19, 21, 24, 25, 23, 22, 22, 24, 25, 25, 21, 22, 24, 25,
                           24, 22]  # fmt: skip
    assert Counter(scores) == {16: 3, 17: 2, 18: 14, 19: 17, 20: 44, 21: 78, 22: 146, 23: 234,
                               24: 284, 25: 178}  # fmt: skip


def test_hansim_is_matched_exactly_where_the_third_strike_ends():
    rules = Rules(players=5, bomb="keep", discard_at_full=True)
    scores = scores_on(decks(100, 1000), "hatbot:program=true", rules)
    assert Counter(scores) == {16: 5, 17: 17, 18: 31, 19: 63, 20: 72, 21: 100, 22: 151, 23: 181,
                               24: 225, 25: 155}  # fmt: skip


def test_cox_scores_23_by_his_rules():
    scores = play("hatbot", HANSIM, 10_000, seed=1).results["score"]
    assert abs(scores.mean() - 22.984) < 4 * scores.std() / 100


def test_hatbot_under_standard_rules():
    published, error = 22.56, 0.06  # Hanabi Challenge
    scores = play("hatbot", Rules(players=5), 10_000, seed=1).results["score"]
    assert abs(scores.mean() - published) < 4 * (error**2 + scores.var() / 10_000) ** 0.5
    counting = play("hatbot:counting=true", Rules(players=5), 2000, seed=1).results["score"]
    assert counting.mean() - 4 * counting.std() / 2000**0.5 > published


@pytest.mark.parametrize("size", ARTICLE)
def test_the_plain_reading_agrees_with_the_specification(size):
    rules = Rules.parse(f"players={size[0]} hand_size={size[1]} {BOUZY}")
    scores = play("hat-recommendation:plain=true", rules, 10_000, seed=1).results["score"]
    assert abs(scores.mean() - ARTICLE[size]) < 4 * scores.std() / 100 * 2**0.5


@pytest.mark.parametrize("size", [(n, m) for n in (2, 3, 4, 5) for m in (3, 4, 5)])
def test_strength(size):
    assert_as_strong("hat-recommendation", "bouzy-1", "hat recommendation", size, 1000)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_last_life_is_never_lost(agent):
    assert (play(agent, Rules(players=5), 1000).results["lives"] > 0).all()


@pytest.mark.interpreted
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("rules", [Rules(players=5), Rules(players=5, empty_hints=True)])
def test_memory_is_common_knowledge(agent, rules):
    assert_memory_is_common(agent, rules, scaled(60))


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "rules",
    [
        "players=2",  # two forms of hints for ten recommendations
        "players=3 hand_size=8 empty_hints=true",
        "players=4 tokens=0 lives=9",
        "players=2 colours=1 ranks=1 hand_size=1",
        "players=3 refill=in_place discard_at_full=true",
        "players=3 observation=minimal",
    ],
)
@pytest.mark.parametrize("agent", ["hat-recommendation", "hat-recommendation:plain=true"])
def test_any_rules_can_be_played(agent, rules):
    play(agent, Rules.parse(rules), scaled(100))
    assert_memory_is_common(agent, Rules.parse(rules), 1 + scaled(10))


def test_strangers_are_borne_with():
    play(["hat-recommendation", "random", "certainty"], Rules(players=3), 300)


# Positions, three players with three cards: seats 0, 1, 2 hold the first nine cards of the deck.

THREE = Rules.parse(f"players=3 hand_size=3 {BOUZY}")


def choice(game, agent: str = "hat-recommendation") -> str:
    return move_text(game.rules, decide(find_agent(agent), game, game.mover))


def test_a_hint_announces_the_sum_of_two_plays():
    game = stacked("R5 Y5 G5  R4 R1 R3  Y4 Y3 Y1", THREE)
    assert choice(game) == "h1W"  # play 1 and play 2: number 3, the fourth colour to the next seat


def test_the_receivers_play_what_they_were_told():
    game = stacked("R5 Y5 G5  R4 R1 R3  Y4 Y3 Y1", THREE)
    game.apply("h1W")
    assert choice(game) == "p1"
    game.apply("p1")
    assert choice(game) == "p2"


def test_a_recommended_card_that_was_played_meanwhile_is_thrown_away():
    rules = Rules.parse(f"players=3 hand_size=3 colours=1 {BOUZY}")
    game = stacked("R4 R4 R3  R3 R1 R5  R1 R2 R2  R1", rules)
    assert choice(game) == "h11"  # play 1 and play 0
    game.apply("h11")
    game.apply("p1")
    assert choice(game) == "d0"


def test_a_recommended_card_that_is_probably_another_one_is_played():
    game = stacked("R5 Y5 G5  R4 R1 R3  Y4 Y3 R1", THREE)
    game.apply("h1W")
    game.apply("p1")
    assert choice(game) == "p2"
    assert choice(game, "hat-recommendation:risk=1") != "p2"


def test_explanations_tell_what_was_told():
    game = stacked("R5 Y5 G5  R4 R1 R3  Y4 Y3 Y1", THREE)
    me = Seat(find_agent("hat-recommendation"), game, 2)
    game.apply("h1W")
    me.observe()
    rows = dict(me.explain())
    assert rows["I was told to play"] == "slot 2"
    assert rows["seat 1 was told to play"] == "slot 1 R1"
    assert rows["a hint would tell seat 1 to play"] == "slot 1 R1"
    assert rows["a hint would tell seat 0 to discard"] == "slot 0 R5"


def test_parameters_change_play():
    bold, careful = (
        play(f"hatbot:counting=true,risk={risk}", Rules(players=5), 500).results["lives"].mean()
        for risk in (0.3, 1.0)
    )
    assert bold < careful == 3
