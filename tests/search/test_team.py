"""A blueprint in all seats: what its seats remember, and the way back to where they were."""

from random import Random

import numpy as np
import pytest

from search.positions import NOTING, params_of, view_of
from support import decide, play_randomly, replay
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.moves import GIVE_UP
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.team import (
    apply_and_observe,
    blueprint_move,
    knows_its_past,
    legal_blueprint_move,
    make_team,
    new_snapshot,
    remembers,
    replay_history,
    reset_memories,
    restore,
    snapshot,
)
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.seat import Seat
from tamaya.table import play

pytestmark = pytest.mark.interpreted


def stopped_game(turns: int = 17) -> Game:
    rules = Rules(players=3, lives=20)
    return replay(play_randomly(Game(rules, seed=3), Random(3)), turns=turns)


@hot
def replayed(view, params, deck):
    """The memories of a team in an imagined game, and the deck of that game."""
    workspace, team = new_workspace(view, 1, 0.0), make_team(params, view.players)
    for seed in range(3):
        game = draw_deal(workspace, np.uint64(seed))
        replay_history(team, np.uint64(seed), game, workspace.again[0], workspace.seen[0])
        deck[:] = game.deck
    return team.memories


@pytest.mark.parametrize("blueprint", NOTING, ids=lambda agent: agent.name)
def test_a_blueprint_that_observes_remembers_the_imagined_history(blueprint):
    game, deck = stopped_game(), np.zeros(50, np.int8)
    params = params_of(f"flat-mc:blueprint={blueprint.name}")
    memories = replayed(view_of(game), params, deck).reshape(3, -1)
    again = Game(game.rules, deck=deck.tolist())
    seats = [Seat(blueprint, again, seat) for seat in range(3)]
    for move in game.moves:
        again.apply(move)
        for seat in seats:
            seat.observe()
    for seat in range(1 if blueprint.shared else 3):
        assert memories[seat, 1] == seats[seat].memory["note"][0]


@hot
def there_and_back(view, params, n_moves):
    """Moves of the blueprint from an imagined game on, twice from the same snapshot."""
    return there_and_back_in(new_workspace(view, 1, 0.0), make_team(params, view.players), n_moves)


@hot
def there_and_back_in(workspace, team, n_moves):  # an argument outlives the records taken from it
    game, seen = draw_deal(workspace, np.uint64(1)), workspace.seen[0]
    replay_history(team, np.uint64(1), game, workspace.again[0], seen)
    saved, moves = new_snapshot(team), np.zeros((3, n_moves), np.int64)
    snapshot(team, game, saved)
    for row in range(3):
        if row < 2:
            restore(team, game, saved)
        for k in range(n_moves):
            moves[row, k] = blueprint_move(team, game, seen)
            apply_and_observe(team, game, moves[row, k], seen)
    return moves


@pytest.mark.parametrize("blueprint", [agent.name for agent in NOTING] + ["random"])
def test_a_snapshot_is_a_way_back_for_game_memories_and_generators(blueprint):
    params = params_of(f"flat-mc:blueprint={blueprint}")
    first, second, further = there_and_back(view_of(stopped_game(4)), params, 6)
    assert (first == second).all()
    assert (first != further).any()


@hot
def memories_after(params, players, seeds):
    """Whether a team of the second seed remembers what one of the first does, and its past."""
    team = make_team(params, players)
    reset_memories(team, seeds[0])
    before = team.memories.copy()
    reset_memories(team, seeds[1])
    is_same = remembers(team, before)
    team.memories[1] += np.uint64(1)
    return is_same, remembers(team, before), knows_its_past(team)


def test_shared_memories_are_the_same_apart_from_their_generator():
    params = params_of("flat-mc:blueprint=notes-in-public")
    seeds = np.array([1, 2], np.uint64)
    assert tuple(memories_after(params, 1, seeds)) == (True, False, True)


@pytest.mark.parametrize(
    ("blueprint", "is_known"),
    [("notes-of-all", False), ("notes-in-public", True), ("example", True)],
)
def test_what_a_private_memory_was_cannot_be_known(blueprint, is_known):
    params = params_of(f"flat-mc:blueprint={blueprint}")
    assert memories_after(params, 3, np.array([1, 1], np.uint64))[2] == is_known


@hot
def asked(view, params):
    """The blueprint's move at the root, as it is and if it is legal."""
    return asked_in(new_workspace(view, 1, 0.0), make_team(params, view.players))


@hot
def asked_in(workspace, team):
    game = draw_deal(workspace, np.uint64(1))
    seen = workspace.seen[0]
    return blueprint_move(team, game, seen), legal_blueprint_move(team, game, seen)


def test_a_blueprint_that_gives_up_has_no_legal_move():
    view = view_of(Game(Rules(players=2), seed=1))
    assert tuple(asked(view, params_of("flat-mc:blueprint=(rules:PlaySafeCard)"))) == (GIVE_UP, -1)
    move, legal = asked(view, params_of("flat-mc:blueprint=example"))
    assert move == legal >= 0


@pytest.mark.once
@pytest.mark.parametrize("blueprint", NOTING, ids=lambda agent: agent.name)
@pytest.mark.parametrize("family", ["flat-mc", "predictor-mcts", "ris-mcts", "search"])
def test_a_blueprint_that_observes_can_be_searched(family, blueprint):
    agent = find_agent(f"{family}:samples=2,rollout=6,blueprint={blueprint.name}")
    played = play(agent, Rules(players=3, colours=2, ranks=3, hand_size=2), 1, record=True)
    game = replay(played.game(0), turns=2)
    assert decide(agent, game, game.mover) == played.game(0).moves[2]
