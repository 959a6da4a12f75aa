"""Information players: HanSim's scores, published strength, a true and common table."""

from collections import Counter

import pytest

from agents.hat.hansim import decks, scores_on
from agents.stacking import BOUZY, assert_as_strong, assert_memory_is_common, table_seats
from support import scaled
from tamaya.cards import BIT
from tamaya.knowledge.tables import public_set
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

AGENTS = [("cox-information", "players=5"), ("hat-information", f"players=3 {BOUZY}"),
          ("hat-information:plain=true", f"players=4 {BOUZY}"),
          ("hat-information", "players=2")]  # fmt: skip


def test_hansim_is_matched_exactly():
    scores = scores_on(decks(100, 1000), "cox-information")
    assert scores[:20] == [25] * 15 + [23, 23, 24, 25, 24]
    assert Counter(scores) == {20: 1, 22: 19, 23: 52, 24: 177, 25: 751}


def test_cox_under_standard_rules():
    scores = play("cox-information", Rules(players=5), 5000, seed=1).results["score"]
    assert abs(scores.mean() - 24.68) < 4 * scores.std() / 5000**0.5


@pytest.mark.parametrize("size", [(n, m) for n in (2, 3, 4, 5) for m in (3, 4, 5)])
def test_strength(size):
    assert_as_strong("hat-information", "bouzy-1", "hat information", size, 1000)


@pytest.mark.parametrize("size", [(4, 3), (4, 4), (4, 5), (5, 3), (5, 4), (5, 5)])
def test_strength_of_the_plain_reading(size):
    assert_as_strong("hat-information:plain=true", "bouzy-1", "hat information", size, 1000)


def test_perfect_games_are_as_frequent_as_published():
    rules = Rules.parse(f"players=5 {BOUZY}")
    scores = play("hat-information", rules, 2000, seed=1).results["score"]
    assert (scores == 25).mean() > 0.813


@pytest.mark.parametrize(("agent", "rules"), AGENTS)
def test_no_life_is_lost(agent, rules):
    results = play(agent, Rules.parse(rules), scaled(1000)).results
    assert (results["lives"] == 3).all()


@pytest.mark.interpreted
@pytest.mark.parametrize(("agent", "rules"), AGENTS)
def test_memory_is_common_knowledge(agent, rules):
    assert_memory_is_common(agent, Rules.parse(rules), scaled(60))


@pytest.mark.parametrize(("agent", "rules"), AGENTS)
def test_the_table_is_true(agent, rules):
    for position, seats in table_seats(agent, Rules.parse(rules), 10):
        me, now = seats[0], position.record
        view = me.view()
        for seat in range(now.players):
            for slot in range(now.n_cards[seat]):
                assert public_set(view, me.memory[0], seat, slot) & BIT[now.card[seat, slot]]


@pytest.mark.parametrize(
    "rules",
    [
        "players=3 hand_size=8 empty_hints=true",
        "players=4 tokens=0 lives=9",
        "players=2 colours=1 ranks=1 hand_size=1",
        "players=3 refill=in_place discard_at_full=true",
        "players=3 observation=minimal",
    ],
)
@pytest.mark.parametrize("agent", ["hat-information", "hat-information:plain=true"])
def test_any_rules_can_be_played(agent, rules):
    play(agent, Rules.parse(rules), scaled(100))
    assert_memory_is_common(agent, Rules.parse(rules), 1 + scaled(10))


def test_strangers_are_borne_with():
    play(["hat-information", "random", "certainty"], Rules(players=3), 300)


def test_every_receiver_learns_one_card_where_hints_may_be_empty():
    rules = Rules.parse(f"players=5 {BOUZY}")
    played = play("hat-information", rules, 1, record=True).game(0)
    position = next(iter(table_seats("hat-information", rules, 1)))[0]
    seats = [Seat(find_agent("hat-information"), position, seat) for seat in range(5)]
    position.apply(played.moves[0])
    seats[1].observe()
    view, memory = seats[1].view(), seats[1].memory[0]
    for seat in range(1, 5):
        assert public_set(view, memory, seat, 0) == BIT[position.record.card[seat, 0]]


def test_explanations_show_the_table():
    rules = Rules.parse(f"players=5 {BOUZY}")
    position, seats = next(iter(table_seats("hat-information", rules, 1)))
    rows = dict(seats[position.mover].explain())
    assert rows["slot 0 is publicly"] == "25 cards"
    assert rows["a hint would speak to seat 1 about slot 0"] == "25 cards"
