"""Van den Bergh's Monte Carlo player: its random players, the value of a play-out, its strength."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from agents.stacking import stacked
from search.positions import params_of
from support import GENERATOR, decide, pick_rules, play_randomly, replay, scaled
from tamaya.agent import AgentError
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.moves import NO_MOVE, move_phrase, parse_move
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.agents.bergh import ENDLESS, random_player_move, value_of_play_out
from tamaya.seat import Seat
from tamaya.table import play

RULES = Rules.parse("players=3 empty_hints=true refill=in_place no_completion_token=true")


def told_game() -> Game:
    """Seat 0 knows that slot 0 alone is red, and sees both red 2s and both red 3s."""
    game = stacked("R1 Y2 G3 W4 B5 R2 R2 R3 R3 Y1 G1 W1 B1 Y4 Y3", RULES)
    for move in ("h1Y", "h2R", "h2R"):
        game.apply(move)
    return game


@hot
def draw_moves(game, counting, memory, counts):
    for _ in range(counts[-1]):
        counts[random_player_move(game, counting, memory)] += 1


def drawn(game: Game, n: int, counting: bool = True) -> np.ndarray:
    """How often a random player makes each move, as shares."""
    counts = np.zeros(game.rules.n_moves + 1, np.int64)
    counts[-1] = n
    draw_moves(game.record, counting, np.zeros(1, GENERATOR)[0], counts)
    assert counts[:-1].sum() == n
    return counts[:-1] / n


@pytest.mark.interpreted
@pytest.mark.parametrize(("counting", "first"), [(True, 5 / 8), (False, 1 / 2)])
def test_random_players_prefer_to_play_what_they_know_more_about(counting, first):
    # Red 1, 4 or 5 by counting, five identities by hints; the others have twenty each.
    n, game = scaled(40_000), told_game()
    shares = drawn(game, n, counting)
    slots = np.array([first, *(4 * [(1 - first) / 4])]) / 3
    assert np.abs(shares[5:10] - slots).max() < 4 * (0.25 / n) ** 0.5
    assert np.abs(shares[:5] - 1 / 15).max() < 4 * (0.07 / n) ** 0.5
    hints = {move: shares[parse_move(RULES, move)] for move in ("h1R", "h1Y", "h14", "h2Y", "h21")}
    expected = {"h1R": 4 / 60, "h1Y": 1 / 60, "h14": 0, "h2Y": 2 / 60, "h21": 3 / 60}
    for move, share in expected.items():
        assert abs(hints[move] - share) <= 4 * (share / n) ** 0.5
    assert abs(shares[10:].sum() - 1 / 3) < 4 * (0.25 / n) ** 0.5


@pytest.mark.interpreted
def test_random_players_never_play_what_they_know_to_be_unplayable():
    game = stacked("R1 Y5 G3 W4 B5 R2 R2 R3 R3 Y1 G1 W1 B1 Y4 Y3", RULES)
    for move in ("h1Y", "h25", "h2R"):
        game.apply(move)
    shares = drawn(game, scaled(2000))
    assert shares[6] == shares[9] == 0  # the fives
    assert shares[5] > 0
    for move in ("h1Y", "h21", "h2R"):  # what is not a 1 now cannot be played either
        game.apply(move)
    shares = drawn(game, scaled(2000))
    assert shares[5] > 0
    assert not shares[6:10].any()


def only_plays(text: str, **options: int) -> Game:
    """A game whose only moves are plays: hands of one card, no tokens."""
    return stacked(text, Rules(players=2, hand_size=1, tokens=0, **options))


# Points 1 1 2 2 3 3, errors 0 1 1 2 2 3: worth 1, 0, 1, -1, 0 and -3 after each turn.
@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("depth", "value"), [(1, 1), (2, 1), (3, 1 + 3), (4, 4 - 4), (5, 0), (6, 0 - 6 * 3)]
)
def test_points_count_one_the_kth_error_minus_k_and_later_turns_more(depth, value):
    game, memory = only_plays("R1 R1 R2 B3 Y1 B5 G4"), np.zeros(1, GENERATOR)[0]
    game.record.lives = ENDLESS
    params = params_of(f"bergh-2015-mc:depth={depth}")
    assert value_of_play_out(game.record, np.int64(1), params, memory) == value
    assert game.turn == depth


@pytest.mark.interpreted
@pytest.mark.parametrize(("card", "value"), [("R1", 15), ("R2", -15)])
def test_after_the_last_turn_its_value_counts_on(card, value):
    game, memory = only_plays(f"{card} R1"), np.zeros(1, GENERATOR)[0]
    game.record.deck_size, game.record.turns_left = 0, 1
    params = params_of("bergh-2015-mc")
    assert value_of_play_out(game.record, np.int64(1), params, memory) == value
    assert game.turn == 1


@pytest.mark.interpreted
def test_without_a_move_random_players_wait():
    game = only_plays("R1 R1")
    game.apply("p0")
    game.record.n_cards[:], game.record.order[:], game.record.possible[:] = 0, -1, 0
    game.record.card[:] = -1
    assert random_player_move(game.record, True, np.zeros(1, GENERATOR)[0]) == NO_MOVE


@pytest.mark.checked
@pytest.mark.interpreted
def test_its_moves_are_legal_under_any_rules():
    rng, agent = Random(0), find_agent("bergh-2015-mc:rollouts=2")
    for seed in range(scaled(200)):
        game = play_randomly(Game(pick_rules(rng.choice), seed), rng)
        stopped = replay(game, turns=rng.randrange(game.turn))
        assert decide(agent, stopped, stopped.mover) in stopped.legal_moves


@pytest.mark.parametrize("counting", ["true", "false"])
def test_the_same_seed_gives_the_same_game(counting):
    agent = find_agent(f"bergh-2015-mc:rollouts=3,counting={counting}")
    games = [play(agent, RULES, 2, seed=5, threads=threads, record=True) for threads in (1, 1, 2)]
    moves = [[played.game(k).moves for k in range(2)] for played in games]
    assert moves[0] == moves[1] == moves[2]
    other = play(agent, RULES, 2, seed=6, threads=1, record=True)
    assert moves[0] != [other.game(k).moves for k in range(2)]


@pytest.mark.interpreted
def test_every_move_is_explained_but_hints_that_touch_nothing_and_the_best_is_made():
    game = told_game()
    seat = Seat(find_agent("bergh-2015-mc:rollouts=5"), game, 0)
    rows = seat.explain()
    other = Game(replace(RULES, empty_hints=False), deck=game.deck)
    for move in game.moves:
        other.apply(move)
    assert {name for name, _ in rows} == {move_phrase(RULES, move) for move in other.legal_moves}
    assert len(other.legal_moves) < len(game.legal_moves)
    means = [float(text.split(" ± ")[0]) for _, text in rows]
    assert means == sorted(means, reverse=True)
    assert move_phrase(RULES, seat.act()) == rows[0][0]


def test_it_plays_for_the_points_of_the_next_turns():
    """A card that is surely playable is worth more than anything else, an unknown one is not."""
    agent = find_agent("bergh-2015-mc:rollouts=200")
    game = told_game()
    assert not 5 <= decide(agent, game, 0) < 10
    for move in ("h1Y", "h21", "h2R"):
        game.apply(move)
    assert decide(agent, game, 0) == 5


def test_strength():
    """As measured on 100 games of another program after the same description."""
    n = scaled(30)
    scores = play("bergh-2015-mc:rollouts=100", RULES, n, seed=1, threads=1).results["score"]
    error = (0.41**2 + 4.1**2 / n) ** 0.5
    assert abs(scores.mean() - 14.59) < 4 * error
    random = play("random", RULES, 1000, seed=1, threads=1).results["score"]
    assert scores.mean() - random.mean() > 4 * error


@pytest.mark.parametrize("name", ["depth", "rollouts"])
def test_parameters_have_a_least_value(name):
    with pytest.raises(AgentError, match=f"parameter '{name}' must be at least 1, not 0"):
        find_agent(f"bergh-2015-mc:{name}=0")
