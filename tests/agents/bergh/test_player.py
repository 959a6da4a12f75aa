"""Van den Bergh's rule player: check games move for move, published means, every variant."""

import pytest

from support import scaled
from tamaya.agent import AgentError
from tamaya.game import Game
from tamaya.moves import move_text, parse_move
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

RULES = Rules.parse("players=3 empty_hints=true refill=in_place no_completion_token=true")
# Deck as letters (a is card 0, y card 24), moves, score, lives left.
GAMES = [
    (
        "gaawcusxfpuwokbjfpbayglhefimprqudqnctvsdrkkhxlmnvi",
        "h11 p0 h11 p1 p3 h12 h11 p3 h22 p0 p3 h13 h21 h2R d3 p4 h12 d0 d2 h13 h11 d0 h1Y p0 d1 "
        "h14 p4 d3 h23 d3 h22 d4 p3 h24 d4 h1G d3 h11 p4 d0 h1R p3 d2 h12 d4 h14 d4 h23 d3 h21 d4 "
        "p3 h22 p3 p4 p4 p1 p1 p1 p0 d4 h14",
        18, 1,
    ),
    (
        "jpurxkagpfwaqgcnrkiiwhpltvsmmqldxbhacnfeofsdybkvuu",
        "h11 p0 h11 p1 p1 h13 p2 h12 p2 h1Y p4 p3 h23 d3 h14 h11 d1 h22 h1G p1 d1 p1 d2 h14 h13 p2 "
        "d2 h14 p0 d2 h22 d3 p1 h22 p4 p1 d3 h23 p0 p1 d1 p3 p3 h14 d4 p2 h15 d1 p4 h15 p1 d4 h24 "
        "p3 p2 d4 d0 h15",
        22, 2,
    ),
]  # fmt: skip
# Published means over 10,000 deals, [play][discard rule][hint rule].
PUBLISHED = {
    0.7: [[6.29, 13.47, 14.54, 11.91], [6.61, 13.83, 14.54, 12.03],
          [5.81, 13.12, 14.11, 11.51], [5.78, 13.07, 13.93, 11.50]],
    0.6: [[7.08, 13.95, 15.28, 12.67], [7.39, 14.37, 15.41, 12.71],
          [6.64, 13.54, 14.94, 12.30], [6.65, 13.68, 14.85, 12.28]],
    0.5: [[7.27, 13.76, 15.15, 12.53], [7.50, 14.15, 15.30, 12.58],
          [6.87, 13.44, 14.84, 12.27], [6.84, 13.51, 14.74, 12.25]],
    1.0: [[5.51, 12.59, 13.10, 10.74], [5.77, 12.66, 12.85, 10.78],
          [4.96, 12.23, 12.67, 10.27], [4.87, 12.03, 12.30, 10.34]],
}  # fmt: skip
AS_PUBLISHED = 0.07  # points within which every cell lies, besides the error of our own games


@pytest.mark.parametrize(("deck", "moves", "score", "lives"), GAMES)
def test_check_games(deck, moves, score, lives):
    game = Game(RULES, deck=[ord(letter) - ord("a") for letter in deck])
    seats = [Seat(find_agent("bergh-2015:lowest=true"), game, seat) for seat in range(3)]
    chosen = []
    while not game.is_over:
        move = seats[game.mover].act()
        chosen.append(move_text(RULES, move))
        game.apply(move)
    assert (" ".join(chosen), game.score, game.record.lives) == (moves, score, lives)


def test_the_best_variant_has_its_measured_mean():
    scores = play("bergh-2015", RULES, 20_000, seed=1, threads=1).results["score"]
    error = scores.std() * (1 / 20_000 + 1 / 40_000) ** 0.5
    assert abs(scores.mean() - 15.394) < 4 * error
    assert abs(scores.std() - 2.45) < 0.1


CELLS = [(least, discard, hint) for least in PUBLISHED
         for discard in range(1, 5) for hint in range(1, 5)]  # fmt: skip


@pytest.mark.parametrize(("least", "discard_rule", "hint_rule"), CELLS)
def test_every_cell_of_the_published_table(least, discard_rule, hint_rule):
    text = f"bergh-2015:play={least},hint_rule={hint_rule},discard_rule={discard_rule}"
    n = scaled(4000)
    scores = play(text, RULES, n, seed=1, threads=1).results["score"]
    error = scores.std() / n**0.5
    published = PUBLISHED[least][discard_rule - 1][hint_rule - 1]
    assert abs(scores.mean() - published) < AS_PUBLISHED + 4 * error


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize(
    "rules",
    ["players=2", "players=5", "players=4 tokens=0 lives=9", "players=3 observation=minimal",
     "players=2 observation=seer", "players=3 hand_size=8 empty_hints=true",
     "players=2 colours=1 ranks=1 hand_size=1"],
)  # fmt: skip
@pytest.mark.parametrize("hint_rule", range(1, 5))
def test_any_rules_can_be_played(rules, hint_rule):
    agent = f"bergh-2015:hint_rule={hint_rule},discard_rule={hint_rule},hint=0.5"
    play(agent, Rules.parse(rules), scaled(30))


def test_numbers_of_rules_are_checked():
    with pytest.raises(AgentError, match="'hint_rule' must be from 1 to 4, not 5"):
        find_agent("bergh-2015:hint_rule=5")
    with pytest.raises(AgentError, match="'discard_rule' must be at least 1, not 0"):
        find_agent("bergh-2015:discard_rule=0")


def test_explanations_give_the_chances_of_every_card():
    game = Game(RULES)
    game.apply(parse_move(RULES, "h11"))
    rows = dict(Seat(find_agent("bergh-2015"), game, 1).explain())
    assert set(rows) == {*(f"slot {slot}" for slot in range(5)), "plays from"}
    assert rows["plays from"] == "0.60"
