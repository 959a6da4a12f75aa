"""Search that keeps to a code: nobody is told anything false, and the code is believed."""

import numpy as np
import pytest

from search.positions import params_of
from tamaya.agent import AgentError
from tamaya.cards import BIT
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.search.agents.sparta import believed, decide, terms_of
from tamaya.search.belief.blueprints import blueprint_for
from tamaya.search.belief.code import known_sight
from tamaya.search.belief.hands import pack, sight_of
from tamaya.search.belief.support import Believing, support_of
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.view import fill_view

CODES = ("information", "wtfwthat", "hat-information:plain=true", "confidence", "smartbot")
SEARCH = "sparta:blueprint=information,seats=code,samples=60,tolerance=0.1"
CODE = blueprint_for(find_agent("information"))


def seen(game: Game, seat: int) -> np.record:
    view = np.zeros(1, VIEW)[0]
    fill_view(game.record, seat, view)
    return view


def searched_games(players: int) -> list[Game]:
    rules = Rules(players=players)
    return [play(SEARCH, rules, 1, seed=seed, record=True).game(0) for seed in (11, 12)]


def excluded(game: Game, seat: int) -> list[int]:
    """What the blueprint's memory excludes for each place of the deck, by the eyes of a seat."""
    again = game.at(0)
    player = Seat(find_agent("information"), again, seat)
    for move in game.moves:
        again.apply(move)
        player.observe()
    return [int(mask) for mask in player.memory["excluded"].ravel()]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nothing_false_is_ever_said_though_everybody_searches(players):
    left_blueprint = 0
    for game in searched_games(players):
        for turn in range(1, len(game.moves)):
            then = game.at(turn)
            memories = [excluded(then, seat) for seat in range(players)] if turn % 9 == 0 else []
            assert all(memory == memories[0] for memory in memories[1:])
            for seat in range(players):
                sight, _ = known_sight(seen(then, seat), CODE.record)
                for order, mask in zip(sight.orders, sight.masks, strict=True):
                    assert BIT[then.record.deck[order]] & mask
        left_blueprint += moves_of_their_own(game)
    assert left_blueprint > 0


@pytest.mark.parametrize("late", [-1, 15])
def test_until_the_deck_is_low_one_seat_searches(late):
    others = set()  # seat and time of moves that the blueprint would not have made
    for seed in (3, 4, 5):
        agent = f"{SEARCH},late={late},margin=0"
        game = play(agent, Rules(players=2), 1, seed=seed, record=True).game(0)
        again = game.at(0)
        seats = [Seat(find_agent("information"), again, seat) for seat in range(2)]
        for move in game.moves:
            if seats[again.mover].act() != move:
                others.add((again.mover, bool(again.record.deck_size <= late)))
            again.apply(move)
            for seat in seats:
                seat.observe()
    assert (1, False) in others
    assert (0, False) not in others
    assert ((0, True) in others) == (late > 0)


def test_a_move_that_was_not_searched_is_believed_whatever_the_tolerance():
    game = play("information", Rules(players=2), 1, seed=5, record=True).game(0).at(30)
    view = seen(game, 1)
    past = support_of(view, CODE, Believing()).past
    late = int(np.median(past.views["deck_size"]))
    is_low = past.views["deck_size"] <= late
    assert is_low.any() and not is_low.all()
    how = Believing(tolerance=0.1, searcher=1, late=late)
    assert how.costs(past).tolist() == [1 if low else how.slack + 1 for low in is_low]
    assert (Believing(tolerance=0.1).costs(past) == 1).all()
    certain = support_of(view, CODE, Believing(tolerance=0.1, searcher=1, late=-1))
    exact = support_of(view, CODE, Believing())
    assert certain.hands.tolist() == exact.hands.tolist()


def moves_of_their_own(game: Game) -> int:
    """How often somebody did not do what the blueprint would have done."""
    again, found = game.at(0), 0
    seats = [Seat(find_agent("information"), again, seat) for seat in range(again.rules.players)]
    for move in game.moves:
        found += seats[again.mover].act() != move
        again.apply(move)
        for seat in seats:
            seat.observe()
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_the_code_tells_more_than_hints_and_allows_fewer_moves(players):
    game = play("information", Rules(players=players), 1, seed=5, record=True).game(0)
    narrower, forbidden = 0, 0
    for turn in range(1, len(game.moves)):
        then = game.at(turn)
        view = seen(then, then.mover)
        sight, moves = known_sight(view, CODE.record)
        plain = sight_of(view)
        assert not (sight.masks & ~plain.masks).any()
        narrower += int((sight.masks != plain.masks).any())
        legal = sum(1 << move for move in then.legal_moves)
        assert not moves & ~legal
        forbidden += moves != legal
        assert moves >> game.moves[turn] & 1, "the blueprint keeps to its own code"
    assert narrower > 5
    assert forbidden > 5


def test_a_move_is_forbidden_if_somebody_would_conclude_something_false():
    game = play("information", Rules(players=3), 1, seed=5, record=True).game(0)
    checked = 0
    for turn in range(2, len(game.moves) - 1, 5):
        then = game.at(turn)
        moves = known_sight(seen(then, then.mover), CODE.record)[1]
        for move in then.legal_moves:
            after = then.at(turn)
            after.apply(move)
            if after.is_over:
                continue
            memories = [excluded(after, seat) for seat in range(3)]
            hands = [(order, int(then.record.deck[order])) for seat in range(3)
                     for order in after.record.order[seat].tolist()
                     if seat != then.mover and order >= 0]  # fmt: skip
            is_true = all(not memories[0][order] & int(BIT[card]) for order, card in hands)
            is_common = all(memory == memories[0] for memory in memories)
            assert bool(moves >> move & 1) == (is_true and is_common)
            checked += not is_true
    assert checked > 5


@pytest.mark.parametrize("players", [2, 4])
def test_the_true_hand_stays_in_the_support_if_tolerance_forgives(players):
    params = params_of(SEARCH.replace("tolerance=0.1", "tolerance=0.9"))
    for game in searched_games(players):
        for turn in range(2, len(game.moves), 6):
            then = game.at(turn)
            support = believed(seen(then, then.mover), params)
            if support.is_exact:
                cards = [int(then.record.deck[order]) for order in support.sight.orders]
                assert pack(cards) in support.hands.tolist()


def test_only_moves_that_keep_to_the_code_compete():
    params = params_of(SEARCH)
    game = play("information", Rules(players=4), 1, seed=5, record=True).game(0)
    for turn in range(3, len(game.moves), 7):
        then = game.at(turn)
        view = seen(then, then.mover)
        kept = known_sight(view, CODE.record)[1]
        outcome = decide(view, params, terms_of(params, 5))[1]
        tried = {move for move in range(64) if outcome.arms["n"][move] > 0}
        assert all(kept >> move & 1 or move == outcome.default for move in tried)


def test_a_blueprint_without_a_code_is_refused():
    for name in ("certainty", "fireflower"):
        with pytest.raises(AgentError, match=f"{name} has no common memory"):
            find_agent(f"sparta:blueprint={name},seats=code")
    for name in CODES:
        find_agent(f"sparta:blueprint=({name}),seats=code")
