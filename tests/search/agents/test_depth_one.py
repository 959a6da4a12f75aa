"""Depth-one search: which moves it tries, what its options change, and that it says why."""

import numpy as np
import pytest

from search.positions import hinted_game, params_of, view_of
from support import replay
from tamaya.agent import AgentError
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.agents.depth_one import compare_moves
from tamaya.search.race import ARM
from tamaya.search.workspace import N_IDS
from tamaya.seat import Seat
from tamaya.table import play

BLUEPRINTS = ["confidence", "hat-recommendation", "iggi", "random"]


def rules_of(players: int, hand_size: int = 4) -> Rules:
    return Rules(players=players, hand_size=hand_size, bomb="keep", empty_hints=True)


@pytest.mark.parametrize("blueprint", BLUEPRINTS)
def test_the_same_seed_gives_the_same_game_on_any_threads(blueprint):
    agent = find_agent(f"search:blueprint={blueprint},samples=6")
    games = [play(agent, rules_of(3), 4, seed=5, threads=n, record=True) for n in (1, 1, 2)]
    moves = [[played.game(k).moves for k in range(4)] for played in games]
    assert moves[0] == moves[1] == moves[2]


# Options.


FIRST_HINT = 8  # with four cards in a hand


def compared(game: Game, options: str) -> tuple[int, np.ndarray]:
    """The blueprint's move, and what was found about every move."""
    arms = np.zeros(N_IDS, ARM)
    params = params_of(f"search:samples=12,errors=0,{options}")
    return int(compare_moves(view_of(game), np.uint64(5), params, -1, arms)), arms


def tried(arms: np.ndarray) -> set[int]:
    return {move for move in range(N_IDS) if arms[move].n}


def a_position(turns: int) -> Game:
    return replay(play("hat-information", rules_of(4), 1, seed=1, record=True).game(0), turns=turns)


def test_the_hints_that_are_tried_are_the_blueprints_conventional_ones_or_all():
    n_growing = 0
    for game in map(a_position, range(2, 14)):
        default, own = compared(game, "hints=0")
        _, conventional = compared(game, "hints=1")
        _, every = compared(game, "hints=2")
        not_hints = {move for move in game.legal_moves if move < FIRST_HINT}
        assert tried(own) == not_hints | {default}
        assert tried(every) == set(game.legal_moves)
        assert tried(own) <= tried(conventional) <= tried(every)
        n_growing += tried(own) < tried(conventional) < tried(every)
    assert n_growing


def test_a_bomb_may_keep_its_points_in_imagination():
    game = hinted_game(lives=1)
    options = "blueprint=example,rollout=0,hints=0"
    strict, kept = (compared(game, f"{options},keep={keep}")[1] for keep in ("false", "true"))
    play_of_slot_0 = 5  # a card of which nothing is known, seldom playable
    assert strict[play_of_slot_0].total < 12
    assert kept[play_of_slot_0].total >= 12


def test_rollouts_may_be_cut_short():
    game = hinted_game(lives=1)
    _, cut = compared(game, "blueprint=example,rollout=0,hints=0")
    _, whole = compared(game, "blueprint=example,hints=0")
    assert cut[0].total == 12  # a discard leaves the one point there is
    assert whole[0].total != 12


def test_depth_two_finds_more_in_the_next_seats_moves():
    game = Game(Rules(players=2, colours=2, ranks=3, hand_size=2), seed=6)
    options = "blueprint=first-legal,rollout=0,hints=2"
    _, once = compared(game, options)
    _, twice = compared(game, f"{options},depth=2,replies=4")
    assert tried(once) == tried(twice)
    assert sum(twice[move].total for move in tried(twice)) > sum(
        once[move].total for move in tried(once)
    )


def test_where_there_is_no_choice_nothing_is_tried():
    game = Game(Rules(players=2, hand_size=1), seed=1)  # all tokens are there: no discard
    default, arms = compared(game, "blueprint=first-legal,hints=0")
    assert (default, tried(arms)) == (1, set())


# Strength.


def mean_and_error(agent: str, rules: Rules, n: int) -> tuple[float, float]:
    scores = play(agent, rules, n, seed=1001).results["score"]
    return scores.mean(), scores.std() / n**0.5


def test_more_samples_are_not_worse():
    rules = Rules(players=2, colours=3, ranks=4, hand_size=3, tokens=4, empty_hints=True)
    few, more, many = (
        play(f"search:blueprint=iggi,samples={n}", rules, 50, seed=1001).results["score"]
        for n in (4, 20, 80)
    )
    for less, better in ((few, more), (more, many)):
        gain = better.astype(int) - less
        assert gain.mean() > -4 * gain.std() / len(gain) ** 0.5
    gain = many.astype(int) - few
    assert gain.mean() > 2 * gain.std() / len(gain) ** 0.5


def test_search_improves_its_blueprint():
    search = mean_and_error("search:blueprint=iggi,samples=40,margin=0.1", rules_of(3, 5), 8)
    alone = mean_and_error("iggi", rules_of(3, 5), 1000)
    assert search[0] > alone[0] + 3 * (search[1] ** 2 + alone[1] ** 2) ** 0.5


def test_seers_are_searched_with_their_own_cards_known():
    rules = Rules.parse("players=2 hand_size=4 bomb=keep empty_hints=true observation=seer")
    agent = find_agent("search:blueprint=seer-recommendation,samples=40")
    assert mean_and_error(agent, rules, 4)[0] > 20


# Explanations and errors.


def test_it_explains_the_move_it_makes():
    agent = find_agent("search:blueprint=hat-information,samples=20,errors=0")
    game = a_position(9)
    seat = Seat(agent, game, game.mover)
    before = seat.memory.tobytes()
    rows = seat.explain()
    assert seat.memory.tobytes() == before
    assert rows[0][0] == "the blueprint's move"
    assert len(rows) > 4
    for _, text in rows[1:]:
        mean, _, rest = text.partition(" ± ")
        assert 0 <= float(mean) <= 25
        assert "gain" in rest and rest.endswith("20 deals")
    means = [float(text.partition(" ± ")[0]) for _, text in rows[1:]]
    assert means == sorted(means, reverse=True)
    own = next(text for reason, text in rows[1:] if reason == rows[0][1])
    assert "gain +0.000 ± 0.000" in own


def test_a_blueprint_without_a_move_leaves_the_choice_to_search():
    rules = Rules(players=2, colours=2, ranks=3, hand_size=3)
    agent = find_agent("search:blueprint=(rules:PlaySafeCard),samples=2")
    alone = play("rules:PlaySafeCard", rules, 1, seed=1, record=True).game(0)
    searched = play(agent, rules, 1, seed=1, record=True).game(0)
    assert (alone.status, alone.turn) == ("gave up", 0)
    assert searched.status != "gave up"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:blueprint=hat-informatoin", "unknown agent 'hat-informatoin', did you mean"),
        ("search:blueprnit=iggi", "has no parameter 'blueprnit'"),
        ("search:samples=many", "'samples' must be a whole number"),
        ("search:samples=-1", "'samples' must be at least 1, not -1"),
        ("search:delta=-0.5", "'margin' must be at least 0.0, not -0.5"),
        ("search:replies=-2", "'replies' must be at least 0, not -2"),
    ],
)
def test_errors_name_what_is_wrong(text, message):
    with pytest.raises(AgentError, match=message):
        find_agent(text)
