"""Pace and efficiency: positions whose figures hanab.live gives, and a naive account of games."""

from dataclasses import replace
from random import Random

import pytest

from reference import ReferenceGame, copies
from support import pick_rules, play_randomly, reference_of, replay, scaled
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.web.events import PERSON, Opening, Role, SeatState
from tamaya.web.figures import (
    Standing,
    efficiency,
    n_gained,
    pace,
    required_efficiency,
    tokens_to_come,
    useless_mask,
)
from tamaya.web.sight import view_frame
from tamaya.web.table import Table

pytestmark = pytest.mark.interpreted


def standing(firework, reach=(5,) * 5, *, deck, players, tokens=8, told=(), is_over=False):
    """A position of the full game."""
    return Standing(players, 5, deck, tokens, is_over, firework, reach, told)


START = (0,) * 5


@pytest.mark.parametrize(("players", "hand_size", "expected"), [
    (2, 5, 17), (4, 4, 13), (2, 6, 15), (2, 4, 19), (3, 5, 13), (5, 4, 10),
])  # fmt: skip
def test_the_pace_of_a_deal(players, hand_size, expected):
    deck = 50 - players * hand_size
    assert pace(standing(START, deck=deck, players=players)) == expected


def test_without_a_deck_or_after_the_end_there_is_nothing_to_plan():
    for now in (
        standing(START, deck=0, players=2),
        standing(START, deck=5, players=2, is_over=True),
    ):
        assert (pace(now), required_efficiency(now)) == (None, None)


def test_where_completed_colours_return_no_token_the_rest_takes_more_efficiency():
    now = standing(START, deck=40, players=2)
    assert required_efficiency(replace(now, is_rewarded=False)) > required_efficiency(now)


@pytest.mark.parametrize(("players", "deck", "expected"), [(2, 40, 0.86), (4, 34, 1.0)])
def test_the_least_efficiency_that_a_perfect_game_takes(players, deck, expected):
    assert required_efficiency(standing(START, deck=deck, players=players)) == expected


# Positions that hanab.live tests its own count with: tokens that can still be spent.
@pytest.mark.parametrize(("firework", "reach", "deck", "players", "tokens", "expected"), [
    (START, (5,) * 5, 40, 2, 8, 29),
    (START, (5, 5, 5, 5, 4), 39, 2, 8, 29),
    (START, (5, 5, 5, 4, 4), 38, 2, 8, 28),
    ((0, 0, 0, 0, 4), (5,) * 5, 26, 5, 4, 17),
    ((0, 0, 0, 0, 5), (5,) * 5, 25, 5, 5, 17),
    (START, (5,) * 5, 33, 2, 4, 18),
    ((1, 1, 1, 1, 0), (5,) * 5, 27, 4, 4, 18),
    ((1, 1, 1, 1, 1), (5,) * 5, 26, 4, 4, 17),
    ((3, 3, 3, 3, 3), (5, 5, 5, 5, 4), 17, 2, 4, 17),
    ((3, 3, 3, 3, 4), (5, 5, 5, 5, 4), 16, 2, 4, 16),
    ((3, 3, 3, 3, 4), (5, 5, 5, 5, 4), 15, 3, 4, 16),
    ((5, 5, 5, 5, 4), (5,) * 5, 1, 2, 4, 4),
])  # fmt: skip
def test_tokens_that_can_still_be_spent(firework, reach, deck, players, tokens, expected):
    now = standing(firework, reach, deck=deck, players=players, tokens=tokens)
    assert tokens_to_come(now) == expected


def test_what_is_known_to_be_useless_is_no_gain():
    red_1, red_2, blue_5 = 1 << 0, 1 << 1, 1 << 24
    now = standing((1, 0, 0, 0, 0), (5, 5, 5, 5, 4), deck=30, players=2,
                   told=(red_1, red_1 | red_2, blue_5, red_2))  # fmt: skip
    assert useless_mask(now) == red_1 | blue_5
    assert n_gained(now) == 3
    assert efficiency(now, 2) == 1.5
    assert efficiency(now, 0) is None


def test_no_more_is_gained_than_can_be_scored():
    now = standing((4, 5, 5, 5, 5), deck=3, players=2, told=(1 << 4,) * 3)
    assert n_gained(now) == 25
    assert required_efficiency(now) == 0.0


# Whole games, against a naive account.


def naive_reach(game: ReferenceGame) -> list[int]:
    """How high each firework can still be."""
    heights = []
    for colour, height in enumerate(game.fireworks):
        while height < game.rules.ranks:
            lost = game.discards.count((colour, height))
            if lost == copies(height, game.rules.ranks):
                break
            height += 1
        heights.append(height)
    return heights


def naive_figures(game: ReferenceGame) -> tuple[int | None, float | None]:
    """Pace and efficiency, card by card."""
    reach = naive_reach(game)
    n_left = sum(reach) - game.points()
    is_open = bool(game.deck) and game.status == 0
    naive_pace = len(game.deck) + game.rules.players - n_left if is_open else None
    spent, heights = 0, [0] * game.rules.colours
    for event in game.history:
        if event["target"] is not None:
            spent += 1
        elif event["scored"]:
            heights[event["card"][0]] += 1
            is_completed = heights[event["card"][0]] == game.rules.ranks
            is_paid = is_completed and not game.rules.no_completion_token
            spent += is_paid and not event["token"]
        else:
            spent += game.meanings[event["move"]][0] == "play"
    useful = 0
    for hand in game.hands:
        for held in hand:
            if held and (held.colour_hinted or held.rank_hinted):
                useful += any(
                    game.fireworks[colour] <= rank < reach[colour]
                    for colour in held.colours for rank in held.ranks
                )  # fmt: skip
    gained = game.points() + min(useful, n_left)
    return naive_pace, round(gained / spent, 2) if spent else None


def test_the_figures_of_random_games():
    rng = Random(5)
    for _ in range(scaled(150)):
        rules = Rules.parse(f"{pick_rules(rng.choice).to_text()} observation=card_knowledge")
        whole = play_randomly(Game(rules, rng.getrandbits(60)), rng)
        game = replay(whole, turns=rng.randrange(whole.turn + 1))
        seats = (SeatState(PERSON, "Ann"),) * rules.players
        start = int(game.record.start)
        table = Table(Opening("t" * 16, rules, seats, deck=tuple(game.deck), start=start))
        table.game = game
        slow = reference_of(rules, game.deck, start)
        for move in game.moves:
            slow.apply(move)
        frame = view_frame(table, Role(rng.randrange(rules.players)))
        assert frame["reach"] == naive_reach(slow)
        assert (frame["pace"], frame["efficiency"]["now"]) == naive_figures(slow)
