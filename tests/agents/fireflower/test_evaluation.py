"""Each factor of the evaluation alone, on positions made for it."""

from math import exp, log

import numpy as np
import pytest

from agents.stacking import cards, stacked
from tamaya.agents.fireflower.belief_state import PLAY, SAVE
from tamaya.agents.fireflower.board import is_over, lost_cards, note_masks
from tamaya.agents.fireflower.budget import soft_plus, tokens_to_come, walk_round
from tamaya.agents.fireflower.evaluation import (
    clog_factor,
    danger_factor,
    distance,
    evaluate,
    few_hints_factor,
    fine_plays,
    next_loss_factor,
    obtainable,
    peril_factor,
    raw_of,
    turns_with_plays,
)
from tamaya.agents.fireflower.recognition import refresh
from tamaya.cards import BIT, parse_card
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

pytestmark = pytest.mark.interpreted

DEAL = "W4 B4 G4 Y4 R4  W3 Y3 B3 R1 G3  B2 B3 G2 Y3 R3"


class Head:
    """The state and ledger of seat 0 at a table, to be changed by hand."""

    def __init__(self, deal: str = DEAL, players: int = 2, moves: str = "") -> None:
        game = stacked(deal, Rules(players=players))
        self.seat = Seat(find_agent("fireflower"), game, 0)
        for move in moves.split() or ["h11" if players == 2 else "p0"]:
            game.apply(move)
            self.seat.observe()
        memory = self.seat.memory[0]
        self.state, self.ledger = memory.states[0], memory.ledger[0]

    def discard(self, names: str) -> None:
        for card in cards(names):
            self.state.n_discards += 1
            self.state.ones ^= BIT[card]
            self.state.twos ^= BIT[card] & self.state.ones
        note_masks(self.state)
        refresh(self.state)

    def believe(self, seat: int, slot: int, kind: int) -> None:
        order = self.state.hand[seat, slot]
        self.state.kind[order] = kind
        self.state.place[order] = 0


def test_a_finished_game_is_worth_its_points_and_less_for_those_lost():
    head = Head()
    head.state.lives, head.state.points = 0, 20
    assert is_over(head.state)
    assert raw_of(evaluate(head.state, head.ledger, False)) == pytest.approx(20 - 3 * 5)
    assert raw_of(evaluate(head.state, head.ledger, True)) == pytest.approx(-75)


def test_the_game_stops_early_when_25_is_out_of_reach():
    head = Head()
    head.state.stops_early = 1
    assert not is_over(head.state)
    head.state.n_discards = head.state.max_discards
    assert not is_over(head.state)
    head.discard("R2 R2")
    assert is_over(head.state)
    assert lost_cards(head.state) == BIT[parse_card("R2")]


@pytest.mark.parametrize(("players", "expected"), [(2, 17), (3, 13), (4, 13), (5, 10)])
def test_discards_that_a_perfect_game_allows(players, expected):
    game = stacked("", Rules(players=players))
    seat = Seat(find_agent("fireflower"), game, 0)
    game.apply(game.legal_moves[-1])
    seat.observe()
    assert seat.memory[0].states[0].max_discards == expected


def test_plays_that_are_still_possible():
    head = Head()
    assert obtainable(head.state) == 25
    assert turns_with_plays(head.state) == 40 + 2
    head.discard("R2 R2 Y5")
    assert obtainable(head.state) == 25 - 4 - 1
    head.state.final = 1
    assert turns_with_plays(head.state) == 1


def test_danger_counts_last_copies_out_of_sight():
    head = Head()
    assert danger_factor(head.state) == 1.0
    head.discard("R2")  # the other R2 is out of sight: three steps to the five
    assert danger_factor(head.state) == pytest.approx(1 - 3.9 / 200)
    head.discard("G3")  # seen in the other hand
    assert danger_factor(head.state) == pytest.approx(1 - 3.9 / 200)
    head.discard("Y1")  # two copies left, both out of sight
    assert danger_factor(head.state) == pytest.approx(1 - (3.9 + 0.6 * 5.6) / 200)


def test_kept_cards_clog_a_hand_by_their_distance():
    head = Head()
    assert distance(head.state, parse_card("G3")) == 2
    assert clog_factor(head.state, 0) == 1.0
    for slot in (0, 1, 2):  # three cards two steps away: room for 5 - 3 * 0.88
        head.believe(1, slot, SAVE)
    room = 5 - 3 * 0.88
    assert clog_factor(head.state, 0) == pytest.approx(0.96 + 0.03 * (room - 2))


def test_the_hint_budget():
    head = Head()
    assert tokens_to_come(head.state) == 17 + 7 + 4
    head.state.n_blind = 1
    assert tokens_to_come(head.state) == pytest.approx(17 + 7 + 4 + 0.45)  # all cards are new
    head.state.seen_until[0] = 5
    assert tokens_to_come(head.state) == pytest.approx(17 + 7 + 4 + 0.10)
    assert soft_plus(2.0, 0.1) == pytest.approx(2.0)
    assert soft_plus(-1.0, 2.5) == pytest.approx(2.5 * log(1 + exp(-0.4)))


def test_a_known_play_counts_once():
    head = Head(moves="h1R")  # R1 in slot 3 of the other hand
    fine = fine_plays(head.state, head.ledger)
    assert fine == np.int64(1) << 8
    n_known, knowledge, n_in_turn = walk_round(head.state, fine)
    assert (n_known, n_in_turn) == (1, 1)
    assert knowledge > 0.45 / 0.85


def test_fear_for_the_next_players():
    head = Head(DEAL.replace("R1", "R2"), players=3)  # nobody has anything to play
    state = head.state
    assert next_loss_factor(state) == few_hints_factor(state) == 1.0
    head.discard("W3 B2")  # the last ones are the next discards of seats 1 and 2
    state.tokens = 1
    assert next_loss_factor(state) == pytest.approx(0.90)
    state.tokens = 0
    assert next_loss_factor(state) == pytest.approx(0.80)
    assert few_hints_factor(state) == pytest.approx(0.85)


def test_fear_of_a_misplay_that_ends_the_game():
    head = Head(players=3)
    state = head.state
    assert peril_factor(state) == 1.0
    head.believe(1, 1, PLAY)  # Y3
    state.lives = 1
    assert peril_factor(state) == pytest.approx(0.4)
    state.tokens = 1
    assert next_loss_factor(state) == pytest.approx(0.9)
