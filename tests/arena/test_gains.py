"""Gains: games as at the table, decisions as they were made, and sums that agree with scores."""

from math import isnan, sqrt

import numpy as np
import pytest

from search.batches import AT_ONCE
from support import scaled
from tamaya.agent import AgentError
from tamaya.arena.gains import (
    Decision,
    Spread,
    mean_and_se,
    phase_of,
    searched_game,
    searcher,
)
from tamaya.moves import parse_move
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

SMALL = Rules(players=2, colours=3, hand_size=3)
AGENTS = {
    "one": "sparta:blueprint=smartbot,samples=60,margin=0",
    "all": "sparta:blueprint=smartbot,seats=all,samples=60,range=5,margin=0",
    "each": "sparta:blueprint=smartbot,seats=each,samples=60,margin=0",
    "code": "sparta:blueprint=information,seats=code,samples=60,tolerance=0.1",
    "late": "sparta:blueprint=information,seats=code,samples=60,tolerance=0.1,late=5",
    "network": "sparta:blueprint=ppo,samples=30,support=300,draws=30,margin=0",
    "batch": "sparta:blueprint=at-once,samples=60,support=300,draws=30,margin=0",
}


def decision(turn: int, gain: float = 0.0, game: int = 0, **options) -> Decision:
    """A decision written by hand."""
    facts = {"seat": 1, "deck": 20, "default": "p0", "move": "d0" if gain else "p0",
             "error": 0.1, "support": 10 * turn, "is_listed": True, "rollouts": 100,
             "is_exact": False, "seconds": turn / 10} | options  # fmt: skip
    return Decision(game=game, turn=turn, gain=gain, **facts)


assert AT_ONCE  # registered


@pytest.mark.parametrize("seats", AGENTS)
def test_games_are_those_of_the_table(seats):
    agent = searcher(AGENTS[seats])
    for number in (0, 3):
        played = play(agent, SMALL, 1, seed=9, first=number, record=True).game(0)
        game, decisions = searched_game(agent, SMALL, 9, number, 10)
        assert game.to_text() == played.to_text()
        moves = {each.turn: parse_move(SMALL, each.move) for each in decisions}
        assert all(played.moves[turn - 1] == move for turn, move in moves.items())
        assert {each.game for each in decisions} == {number}


def test_a_decision_says_what_the_blueprint_would_have_done():
    agent = searcher(AGENTS["one"])
    game, decisions = searched_game(agent, SMALL, 9, 0, 10)
    assert [each.turn for each in decisions] == list(range(2, game.turn + 1, 2))
    assert {each.seat for each in decisions} == {1}
    again, by_turn = game.at(0), {each.turn: each for each in decisions}
    seats = [Seat(agent.agent_of("blueprint"), again, seat) for seat in range(2)]
    for turn, move in enumerate(game.moves, start=1):
        if turn in by_turn:
            before = by_turn[turn]
            assert parse_move(SMALL, before.default) == seats[1].act()
            assert before.deck == again.record.deck_size
        again.apply(move)
        for seat in seats:
            seat.observe()


def test_only_another_move_gains_and_only_samples_have_errors():
    kinds = set()
    for number in range(scaled(6)):
        for each in searched_game(searcher(AGENTS["one"]), SMALL, 9, number, 40)[1]:
            kinds.add((each.is_changed, each.is_exact))
            if not each.is_changed:
                assert each.gain == each.error == 0
            if each.is_exact:
                assert each.error == 0
            assert 0 < each.rollouts <= 60 or each.is_exact
    assert kinds >= {(False, False), (True, False), (False, True)}


def test_without_a_search_there_are_no_rollouts():
    """A seat that does not know its belief yet follows the blueprint."""
    agent = searcher("sparta:blueprint=smartbot,seats=all,samples=60,range=1,margin=0")
    decisions = [each for number in range(3)
                 for each in searched_game(agent, SMALL, 9, number, 10)[1]]  # fmt: skip
    behind = [each for each in decisions if not each.rollouts]
    assert behind and len(behind) < len(decisions)
    assert not any(each.is_changed for each in behind)


def test_gains_add_up_to_the_difference_of_scores():
    agent, n = searcher("sparta:blueprint=smartbot,samples=40"), scaled(80)
    games = [searched_game(agent, SMALL, 77, number, 30) for number in range(n)]
    plain = play("smartbot", SMALL, n, seed=77).results["score"]
    gain, se = mean_and_se([sum(each.gain for each in decisions) for _, decisions in games])
    differences = np.array([game.score for game, _ in games]) - plain
    wanted, other_se = mean_and_se(differences)
    assert abs(gain - wanted) < 4 * sqrt(se**2 + other_se**2)
    assert se < other_se  # the point of adding gains


def test_the_figures_of_a_phase():
    decisions = [decision(2), decision(4, 0.5), decision(6, 1.0, is_exact=True),
                 decision(8, rollouts=0), decision(4, game=1, is_listed=False)]  # fmt: skip
    phase = phase_of(decisions, (9, 5), 3, 8)
    assert (phase.moves, phase.searched, phase.changed) == (6 + 3, 3, 2)
    assert (phase.listed, phase.exact, phase.rollouts) == (2, 1, 100)
    assert phase.gain == pytest.approx(0.5)
    assert phase.se == pytest.approx(0.5 / sqrt(3))
    assert phase.support.median == 50
    assert phase.seconds.most == pytest.approx(0.6)
    empty = phase_of(decisions, (9, 5), 9, 9)
    assert (empty.moves, empty.searched) == (1, 0)
    assert isnan(empty.gain) and isnan(empty.support.median)


def test_a_spread():
    assert Spread.of(range(11)) == Spread(1, 5, 9, 10)
    assert isnan(mean_and_se([3.0])[1]) and mean_and_se([3.0])[0] == 3


def test_other_agents_are_refused():
    with pytest.raises(AgentError, match="'iggi' does not search over exact beliefs"):
        searcher("iggi")
    with pytest.raises(AgentError, match=r"leave threads=1 in 'sparta:threads=2'"):
        searcher("sparta:threads=2")
