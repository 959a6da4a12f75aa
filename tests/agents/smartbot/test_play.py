"""SmartBot at the table: published strength, common memory, any rules, any team-mates, reasons."""

import numpy as np
import pytest

from agents.stacking import assert_memory_is_common, table_seats
from support import scaled
from tamaya.arena.published import load_table
from tamaya.cards import BIT
from tamaya.knowledge.tables import public_set
from tamaya.rules import Rules
from tamaya.table import play

SIZES = (2, 3, 4, 5)


@pytest.mark.parametrize("players", SIZES)
def test_strength_is_the_published_one(players):
    (cell,) = [row for row in load_table("challenge-1").rows
               if (row.row, row.players) == ("SmartBot", players)]  # fmt: skip
    n = 10_000
    scores = play(cell.agent, Rules(players=players), n, seed=1).results["score"]
    rounding = 0.005
    assert abs(scores.mean() - cell.published) < 4 * (scores.var() / n + rounding**2) ** 0.5
    assert cell.perfect is not None
    error = (cell.perfect * (1 - cell.perfect) / n) ** 0.5
    assert abs((scores == 25).mean() - cell.perfect) < 4 * error + 1 / n


def test_without_risk_no_life_is_lost():
    for players in SIZES:
        results = play("smartbot:risk=0", Rules(players=players), 1000, seed=2).results
        assert (results["lives"] == 3).all()


def test_risk_is_taken_up_to_a_size_of_the_table():
    lives = [play("smartbot:risk=3", Rules(players=players), 200, seed=3).results["lives"].min()
             for players in SIZES]  # fmt: skip
    assert lives[0] < 3 and lives[1] < 3
    assert lives[2:] == [3, 3]


@pytest.mark.parametrize("players", SIZES)
def test_refinements_help_and_never_lose_the_last_life(players):
    n = 10_000 if players == 2 else 2000
    plain, refined = (play(agent, Rules(players=players), n, seed=7).results
                      for agent in ("smartbot", "smartbot-refined"))  # fmt: skip
    gain = refined["score"].astype(float) - plain["score"]
    assert gain.mean() > (0 if players == 2 else 4 * gain.std() / n**0.5)
    assert (refined["lives"] > 0).all()


@pytest.mark.interpreted
@pytest.mark.parametrize("agent", ["smartbot:risk=5", "smartbot-refined"])
@pytest.mark.parametrize("players", SIZES)
def test_memory_is_common_knowledge(agent, players):
    assert_memory_is_common(agent, Rules(players=players), scaled(60))


@pytest.mark.parametrize("agent", ["smartbot", "smartbot-refined"])
@pytest.mark.parametrize("players", SIZES)
def test_every_set_has_its_card(agent, players):
    for position, seats in table_seats(agent, Rules(players=players), 10):
        me, now = seats[0], position.record
        view = me.view()
        for seat in range(now.players):
            for slot in range(now.n_cards[seat]):
                assert public_set(view, me.memory[0], seat, slot) & BIT[now.card[seat, slot]]


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "rules",
    [
        "players=3 hand_size=8 empty_hints=true",
        "players=5 hand_size=1",
        "players=4 tokens=0 lives=9",
        "players=2 tokens=1 lives=1",
        "players=2 colours=1 ranks=1 hand_size=1",
        "players=2 colours=1 hand_size=5",
        "players=3 colours=2 ranks=3 hand_size=2 random_start=true",
        "players=3 refill=in_place discard_at_full=true",
        "players=3 observation=minimal",
        "players=4 observation=seer",
    ],
)
def test_any_rules_can_be_played(rules):
    play("smartbot:risk=5", Rules.parse(rules), scaled(200))
    assert_memory_is_common("smartbot:risk=5", Rules.parse(rules), 1 + scaled(10))


@pytest.mark.parametrize("players", SIZES)
def test_strangers_are_borne_with(players):
    pool = ["smartbot", "smartbot-refined", "random", "iggi", "hat-information", "confidence"]
    n = scaled(500)
    seatings = np.random.default_rng(players).integers(0, len(pool), (n, players))
    seatings[:, 0] = 0
    play(pool, Rules(players=players, lives=5), n, seatings=seatings)
