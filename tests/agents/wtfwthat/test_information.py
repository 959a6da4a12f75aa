"""The information player: strength, improvements, what everybody knows, company, explanations."""

import numpy as np
import pytest

from agents.stacking import assert_memory_is_common, table_seats
from support import scaled
from tamaya.agents.wtfwthat.public_state import PUBLIC_STATE, fill_now
from tamaya.agents.wtfwthat.settings import ORIGINAL, TUNED, params_of
from tamaya.cards import BIT
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

FAMILY = ["wtfwthat", "wtfwthat-2018", "information"]
SIZES = [2, 3, 4, 5]
ODD_RULES = [
    "players=3 hand_size=8 empty_hints=true",
    "players=4 tokens=0 lives=9",
    "players=2 colours=1 ranks=1 hand_size=1",
    "players=5 colours=2 ranks=3 hand_size=2 tokens=20",
    "players=3 refill=in_place discard_at_full=true",
    "players=2 hand_size=1 lives=1",
    "players=3 observation=minimal",
    "players=4 observation=seer random_start=true",
]
STRENGTH = {2: 24.15, 3: 24.93, 4: 24.95, 5: 24.945}


@pytest.mark.parametrize("players", SIZES)
def test_strength(players):
    results = play("information", Rules(players=players), 5000, seed=1).results
    scores = results["score"]
    assert scores.mean() > STRENGTH[players] - 4 * scores.std() / 5000**0.5
    assert (results["lives"] > 0).all()


@pytest.mark.parametrize("players", SIZES)
def test_it_is_stronger_than_the_original_on_the_same_deals(players):
    ours, original = (
        play(agent, Rules(players=players), 3000, seed=2).results["score"].astype(float)
        for agent in ("information", "wtfwthat")
    )
    gain = ours - original
    assert gain.mean() > 4 * gain.std() / 3000**0.5


def test_getting_at_the_deck_pays_with_five():
    plain, digging = (play(agent, Rules(players=5), 5000, seed=300).results["score"].astype(float)
                      for agent in ("information:dig=99", "information"))  # fmt: skip
    gain = digging - plain
    assert gain.mean() > 4 * gain.std() / 5000**0.5


@pytest.mark.parametrize("players", SIZES)
def test_without_its_improvements_it_is_the_original(players):
    text = ",".join(f"{name}={value}" for name, value in ORIGINAL.items()).replace("False", "0")
    results = [play(agent, Rules(players=players), 50, record=True, threads=1)
               for agent in ("wtfwthat", f"information:{text}")]  # fmt: skip
    assert all(results[0].game(k).moves == results[1].game(k).moves for k in range(50))


def test_parameters_are_tuned_by_number_of_players():
    for text, expected in (
        ("information", [TUNED[players]["limit"] for players in SIZES]),
        ("information:limit=3", [3, 3, 3, 3]),
    ):
        params = params_of(find_agent(text).values)
        assert [int(params["options"][0, players]["limit"]) for players in SIZES] == expected


@pytest.mark.parametrize("agent", FAMILY)
@pytest.mark.parametrize("players", SIZES)
def test_memory_is_common_knowledge(agent, players):
    assert_memory_is_common(agent, Rules(players=players), scaled(20))


@pytest.mark.interpreted
@pytest.mark.parametrize("agent", FAMILY)
def test_memory_is_common_knowledge_with_the_compiler_off(agent):
    assert_memory_is_common(agent, Rules(players=3), 1)


@pytest.mark.parametrize("agent", FAMILY)
@pytest.mark.parametrize("players", SIZES)
def test_the_tables_are_true(agent, players):
    """Every card is what everybody holds for possible."""
    states = np.zeros(1, PUBLIC_STATE)
    for position, seats in table_seats(agent, Rules(players=players), scaled(5)):
        now, me = position.record, seats[0]
        fill_now(me.view(), me.memory[0], states[0], agent == "information")
        for seat in range(now.players):
            for slot in range(now.n_cards[seat]):
                assert states[0].sets[seat, slot] & BIT[now.card[seat, slot]], position.to_text()


@pytest.mark.parametrize("agent", FAMILY)
@pytest.mark.parametrize("rules", ODD_RULES)
def test_any_rules_can_be_played(agent, rules):
    play(agent, Rules.parse(rules), scaled(200))
    assert_memory_is_common(agent, Rules.parse(rules), 1 + scaled(5))


@pytest.mark.interpreted
@pytest.mark.parametrize("rules", ODD_RULES)
def test_any_rules_can_be_played_with_the_compiler_off(rules):
    play("information", Rules.parse(rules), 1)


@pytest.mark.parametrize("agent", FAMILY)
@pytest.mark.parametrize("players", SIZES)
def test_strangers_are_borne_with(agent, players):
    """Teams of all kinds: whoever breaks the convention, every move is legal."""
    team = [agent, "random", "iggi", "hat-information", "information"]
    rng = np.random.default_rng(players)
    n = scaled(850)
    seatings = rng.integers(0, len(team), (n, players))
    seatings[:, 0] = 0
    results = play(team, Rules(players=players), n, seatings=seatings).results
    assert len(results) == n


def test_strangers_under_any_rules():
    for rules in (
        "hand_size=8 empty_hints=true",
        "hand_size=2",
        "colours=2 ranks=2 hand_size=2",
        "tokens=1",
    ):
        for agent in FAMILY:
            team = [agent, "random", agent]
            play(team, Rules.parse(f"players=3 lives=20 {rules}"), 300)


@pytest.mark.parametrize("agent", FAMILY)
def test_explanations_name_rule_cards_questions_and_sum(agent):
    position, seats = next(iter(table_seats(agent, Rules(players=3), 1)))
    rows = dict(seats[position.mover].explain())
    assert rows["rule"] == "hint"
    assert rows["slot 0 can be for everybody"] == "25 cards"
    questions = [row for row in rows if row.startswith("seat 1: ")]
    assert questions and "slot 0" in questions[0]
    n = 8 if agent == "information" else 6
    total = (int(rows["hat of seat 1"]) + int(rows["hat of seat 2"])) % n
    assert rows["sum of the hats"] == f"{total} of 0 to {n - 1}"


@pytest.mark.parametrize("agent", FAMILY)
@pytest.mark.parametrize("players", SIZES)
def test_every_decision_can_be_explained(agent, players):
    rules = set()
    for position, seats in table_seats(agent, Rules(players=players), 5):
        if not position.is_over:
            rows = seats[position.mover].explain()
            rules.add(dict(rows)["rule"])
    assert {"hint", "play the most urgent card that is surely playable"} < rules
