"""The players: published strength, caution that pays, any partners and any rules, explanations."""

import numpy as np
import pytest

from agents.stacking import table_seats
from support import replay, scaled
from tamaya.arena.published import load_table
from tamaya.moves import move_phrase
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

# Games behind the published means, from the author's README.
PUBLISHED_GAMES = {2: 25_000, 3: 1000, 4: 1000}
STRANGERS = ["random", "iggi", "hat-information", "certainty", "fireflower-careful"]


@pytest.mark.parametrize("players", PUBLISHED_GAMES)
def test_strength(players):
    (row,) = [row for row in load_table("challenge-1").rows
              if (row.row, row.players) == ("FireFlower", players)]  # fmt: skip
    assert row.agent == "fireflower"
    n = 1000
    scores = play(row.agent, Rules(players=players), n, seed=1).results["score"]
    both = 1 / n + 1 / PUBLISHED_GAMES[players]
    assert abs(scores.mean() - row.published) < 4 * scores.std() * both**0.5
    assert row.perfect is not None
    error = (row.perfect * (1 - row.perfect) * both) ** 0.5
    assert abs((scores == 25).mean() - row.perfect) < 4 * error


def test_caution_pays_where_a_bomb_scores_zero():
    rules = Rules(players=3)
    plain, careful = (
        play(agent, rules, 1500, seed=1).results for agent in ("fireflower", "fireflower-careful")
    )
    gain = careful["score"].astype(float) - plain["score"]
    assert gain.mean() > 4 * gain.std() / len(gain) ** 0.5
    assert (careful["lives"] == 0).sum() < (plain["lives"] == 0).sum()


def test_caution_changes_nothing_where_points_are_kept():
    rules = Rules(players=3, bomb="keep")
    plain, careful = (
        play(agent, rules, 60).results for agent in ("fireflower", "fireflower-careful")
    )
    assert plain.tobytes() == careful.tobytes()


def test_beliefs_are_common_with_two_players():
    names = ("kind", "place", "group", "promise", "queued", "below", "hinted", "touched",
             "spared", "spared_danger", "seen_until", "playable", "useful", "danger")  # fmt: skip
    for _, seats in table_seats("fireflower", Rules(players=2), scaled(20)):
        states = [seat.memory[0].states[0] for seat in seats]
        for name in names:
            assert states[0][name].tolist() == states[1][name].tolist(), name
        assert states[0].can_be[1].tolist() == states[1].can_be[1].tolist()


def test_words_and_counting_are_common_at_larger_tables():
    for _, seats in table_seats("fireflower", Rules(players=4), scaled(10)):
        states = [seat.memory[0].states[0] for seat in seats]
        for name in ("hinted", "touched", "useful", "danger", "n_discards", "tokens"):
            assert len({states[seat][name].tobytes() for seat in range(4)}) == 1, name
        assert len({state.can_be[1].tobytes() for state in states}) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_strangers_are_borne_with(players):
    rng = np.random.default_rng(1)
    team = ["fireflower", *STRANGERS]
    seatings = rng.integers(len(team), size=(scaled(200), players))
    seatings[:, 0] = 0
    rng.permuted(seatings, axis=1, out=seatings)
    play(team, Rules(players=players), len(seatings), seatings=seatings)


@pytest.mark.parametrize(
    "rules",
    [
        "players=3 hand_size=8 empty_hints=true",
        "players=5 hand_size=8",
        "players=4 tokens=0 lives=9",
        "players=2 tokens=20 lives=20",
        "players=2 colours=1 ranks=1 hand_size=1",
        "players=5 colours=1 ranks=5 hand_size=2",
        "players=3 refill=in_place discard_at_full=true",
        "players=3 observation=minimal",
        "players=2 observation=seer random_start=true",
        "players=4 ranks=3 hand_size=1 tokens=1 lives=1",
    ],
)
@pytest.mark.parametrize("agent", ["fireflower", "fireflower-careful"])
def test_any_rules_can_be_played(agent, rules):
    table = Rules.parse(rules)
    play(agent, table, scaled(50))
    team = [agent, *["random"] * (table.players - 1)]
    play(team, table, scaled(50))


def test_following_can_begin_in_mid_game():
    player = find_agent("fireflower")
    game = play(player, Rules(players=3, refill="in_place"), 1, seed=2, record=True).game(0)
    position = replay(game, turns=0)
    present = [Seat(player, position, seat) for seat in range(3)]
    for turn, move in enumerate(game.moves[:40], 1):
        position.apply(move)
        for seat in present:
            seat.observe()
        if turn % 8 == 0:
            late = Seat(player, position, position.mover)
            late.observe()
            assert late.act() == present[position.mover].act()


def test_moves_are_those_of_highest_value():
    for position, seats in table_seats("fireflower", Rules(players=2), 2):
        if position.is_over:
            continue
        state = seats[position.mover]
        rows = state.explain()
        phrases = [reason for reason, _ in rows]
        moves = rows[phrases.index("plays for") + 1 :]
        values = [float(text.split()[0]) for _, text in moves if text != "impossible"]
        assert values == sorted(values, reverse=True)
        chosen = move_phrase(position.rules, state.act())
        tied = [phrase for (phrase, _), value in zip(moves, values, strict=False)
                if value == values[0]]  # fmt: skip
        assert chosen in tied


def test_explanations_tell_readings_beliefs_and_replies():
    game = replay(play("fireflower", Rules(players=2), 1, record=True).game(0), turns=0)
    seats = [Seat(find_agent("fireflower"), game, seat) for seat in range(2)]
    rows = dict(seats[0].explain())
    assert rows["slot 0"].startswith("nothing believed; can be ")
    assert rows["slot 0"].endswith("for all that others know 25 cards")
    assert rows["plays for"] == "a perfect game"
    game.apply(seats[0].act())
    for seat in seats:
        seat.observe()
    rows = dict(seats[1].explain())
    assert "hint" in rows["the last move is read as"]
    assert any("(ordinary discard)" in text or "seat 0" in text for text in rows.values())
    assert "plays for" not in dict(seats[0].explain())  # it is not its turn
