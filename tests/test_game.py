"""``Game``: deals, moves, copies, what it refuses, properties of play, and golden games."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import any_game, examples, play_randomly, replay, transcript
from tamaya.cards import CardSet
from tamaya.game import Game, IllegalMoveError
from tamaya.game_kernels import is_legal, legal_mask
from tamaya.moves import parse_move
from tamaya.rules import Rules
from tamaya.table import play

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

GOLDEN = Path(__file__).parent / "golden"
ENDINGS = {
    "all-dealt": (2, "out of cards"),
    "bomb-out": (0, "out of lives"),
    "five-players": (14, "out of cards"),
    "perfect": (10, "complete"),
    "seers": (16, "out of cards"),
    "two-players": (16, "out of cards"),
    "variations": (1, "out of lives"),
}


def held_cards(game: Game) -> dict[int, tuple[int, int]]:
    """Card and mask of every card in a hand, by its order."""
    record = game.record
    return {
        int(record.order[seat, slot]): (
            int(record.card[seat, slot]),
            int(record.possible[seat, slot]),
        )
        for seat in range(game.rules.players)
        for slot in range(game.rules.hand_size)
        if record.order[seat, slot] >= 0
    }


# Properties.


@examples(150)
@given(any_game())
def test_no_card_is_lost_or_made(game):
    record = game.record
    played = [5 * c + r for c, height in enumerate(record.firework) for r in range(height)]
    discarded = [card for card in range(25) for _ in range(record.discarded[card])]
    in_hands = [card for hand in game.hands for card in hand]
    undealt = game.deck[game.rules.deck_size - int(record.deck_size) :]
    assert Counter(played + discarded + in_hands + undealt) == Counter(game.deck)


@examples(150)
@given(any_game())
def test_what_hints_leave_possible_contains_the_card(game):
    for card, possible in held_cards(game).values():
        assert card in CardSet(possible)


@examples(100)
@given(any_game(), st.integers(0, 55))
def test_what_is_possible_only_shrinks_while_a_card_is_held(game, number):
    if game.is_over:
        return
    before = held_cards(game)
    game.apply(game.legal_moves[number % len(game.legal_moves)])
    after = held_cards(game)
    for order in before.keys() & after.keys():
        assert after[order][1] & ~before[order][1] == 0
    assert len(before.keys() - after.keys()) <= 1


@examples(100)
@given(any_game())
def test_tokens_lives_and_points_stay_in_bounds(game):
    record, rules = game.record, game.rules
    assert 0 <= record.tokens <= rules.tokens
    assert 0 <= record.lives <= rules.lives
    assert record.points == sum(record.firework) <= rules.max_score
    assert game.turn <= rules.longest_game


@examples(100)
@given(any_game(), st.integers(0, 2**32))
def test_a_copy_and_its_original_go_their_own_ways(game, seed):
    copy, before = game.copy(), game.record.tobytes()
    assert copy == game and copy.record.tobytes() == before
    play_randomly(copy, Random(seed))
    assert game.record.tobytes() == before


@examples(50)
@given(any_game(), st.integers(0, 2**32))
def test_a_copy_draws_the_same_cards(game, seed):
    copy = play_randomly(game.copy(), Random(seed))
    assert play_randomly(game, Random(seed)).record.tobytes() == copy.record.tobytes()


@examples(100)
@given(any_game())
def test_the_same_moves_on_the_same_deck_give_the_same_record(game):
    assert replay(game).record.tobytes() == game.record.tobytes()


@examples(100)
@given(any_game())
def test_legal_moves_are_those_of_mask_and_question(game):
    legal = {move for move in range(-2, 70) if is_legal(game.record, move)}
    assert set(game.legal_moves) == legal
    assert int(legal_mask(game.record)) == sum(1 << move for move in legal)
    assert bool(legal) == (not game.is_over)


# Deals.


def test_a_seed_and_index_decide_the_deal():
    assert Game(seed=3, index=4).deck == Game(seed=3, index=4).deck
    decks = {tuple(Game(seed=seed, index=k).deck) for seed in range(-5, 5) for k in range(5)}
    assert len(decks) == 50


@pytest.mark.parametrize("seed", [0, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -1, 10**30])
def test_any_whole_number_is_a_seed(seed):
    assert sorted(Game(seed=seed).deck) == sorted(Game().deck)


def test_a_game_has_the_deal_of_the_table():
    rules = Rules(players=4, random_start=True)
    played = play("random", rules, 5, seed=9, record=True)
    for k in range(5):
        game = Game(rules, seed=9, index=k)
        assert game.deck == played.game(k).deck
        assert game.record.start == played.results[k].start


def test_hands_are_dealt_seat_by_seat_from_the_top():
    rules = Rules(players=3)
    game = Game(rules, deck=sorted(Game(rules).deck))
    assert game.hands == [[0, 0, 0, 1, 1], [2, 2, 3, 3, 4], [5, 5, 5, 6, 6]]


def test_a_chosen_seat_starts():
    game = Game(Rules(players=4), start=2)
    assert game.mover == 2
    game.apply(game.legal_moves[0])
    assert (game.mover, game.events[0].seat) == (3, 2)


@pytest.mark.parametrize("start", [-1, 2])
def test_only_a_seat_can_start(start):
    with pytest.raises(ValueError, match=f"start {start} is not a seat of 2 players"):
        Game(start=start)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda deck: deck[1:], "the deck has . of .. instead of ."),
        (lambda deck: [*deck, 0], "the deck has 4 of R1 instead of 3"),
        (lambda deck: [25, *deck[1:]], "the deck has"),
        (lambda deck: [], "the deck has 0 of R1 instead of 3"),
    ],
)
def test_a_deck_must_hold_the_cards_of_the_rules(change, message):
    with pytest.raises(ValueError, match=message):
        Game(deck=change(Game().deck))


# Moves.


def test_moves_go_by_id_or_by_text():
    first, second = Game(), Game()
    first.apply("p0")
    second.apply(parse_move(second.rules, "p0"))
    assert first == second


def test_a_full_pool_of_tokens_forbids_discards_and_says_so():
    with pytest.raises(IllegalMoveError, match=r"discard slot 0 \(d0\) is not legal for seat 0 at"
                       r" turn 0: legal moves are p0 p1 p2 p3 p4 h1"):  # fmt: skip
        Game().apply("d0")


@pytest.mark.parametrize("move", [-1, 20, 63, 64, 200, 2**70])
def test_a_move_that_does_not_exist_is_refused(move):
    with pytest.raises(IllegalMoveError, match=f"move {move} does not exist: ids go from 0 to 19"):
        Game().apply(move)


def test_a_refused_move_changes_nothing():
    game = Game()
    with pytest.raises(IllegalMoveError):
        game.apply("d3")
    assert game.record.tobytes() == Game().record.tobytes()


def test_a_finished_game_takes_no_move():
    game = play_randomly(Game(), Random(0))
    assert game.legal_moves == []
    with pytest.raises(IllegalMoveError, match=f"the game is over \\({game.status}\\)"):
        game.apply("p0")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Game(seed="x"), "seed"),
        (lambda: Game(index="x"), "index"),
        (lambda: Game(start="x"), "start"),
        (lambda: Game().view("x"), "seat"),
        (lambda: Game().at("x"), "turn"),
    ],
)
def test_what_is_no_whole_number_is_named(call, name):
    with pytest.raises(TypeError, match=f"{name} must be a whole number, not 'x'"):
        call()


def test_a_move_is_a_text_or_a_whole_number():
    with pytest.raises(TypeError, match=r"move must be a whole number, not 1\.0"):
        Game().apply(1.0)


def test_text_that_is_no_move_is_refused():
    with pytest.raises(ValueError, match="'q1' is not a move"):
        Game().apply("q1")


def bomb_out(**options) -> Game:
    """A game of one life and one colour in which the second card played is wrong."""
    rules = Rules(colours=1, hand_size=2, lives=1, **options)
    game = Game(rules, deck=[0, 0, 1, 4, 0, 1, 2, 2, 3, 3])
    game.apply("p0")
    game.apply("p1")
    return game


@pytest.mark.parametrize(("bomb", "score"), [("zero", 0), ("keep", 1)])
def test_a_bomb_out_scores_by_the_rules(bomb, score):
    game = bomb_out(bomb=bomb)
    assert (game.status, game.points, game.score) == ("out of lives", 1, score)


def test_the_replacement_is_dealt_even_after_the_last_move():
    assert bomb_out().hands == [[0, 0], [1, 1]]


def test_a_view_is_of_a_seat():
    with pytest.raises(ValueError, match="seat 2 is not a seat of 2 players"):
        Game().view(2)


def test_a_game_shows_itself():
    game = bomb_out(bomb="keep")
    assert repr(game).startswith("<Game players=2 hand_size=2 colours=1 lives=1 bomb=keep: turn 2,")
    assert str(game).splitlines() == [
        "turn 2  fireworks R1  tokens 8  lives 0  deck 4  score 1  out of lives",
        "  seat 0: R1 R1",
        "  seat 1: R2 R2",
    ]
    assert "> seat 0: " in str(Game())


def test_games_differ_by_rules_deck_start_or_moves():
    game, moved = Game(), Game()
    moved.apply("p0")
    others = [Game(seed=1), Game(start=1), Game(Rules(lives=2)), moved, "a game"]
    assert all(game != other for other in others)
    assert game == Game()


def test_a_record_is_wrapped_as_a_copy():
    records = play("random", Rules(), 1, record=True).records
    game = Game.from_record(Rules(), records[0])
    records[0] = np.zeros(1, records.dtype)[0]
    assert game.is_over and game.turn > 0


# Golden games.


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_golden_game_is_played_as_it_was(path):
    """`PYTHONPATH=src:tests python tests/golden/regenerate.py` writes them again."""
    game = Game.load(path)
    assert (game.score, game.status) == ENDINGS[path.stem]
    assert transcript(game) == path.with_suffix(".turns").read_text(encoding="utf-8")


def test_every_golden_game_is_there():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(ENDINGS)


def test_numbers_of_numpy_are_numbers():
    import numpy as np

    rules = Rules(players=np.int64(3))
    assert Game(rules, seed=np.int64(5)) == Game(Rules(players=3), seed=5)


def test_the_standard_copy_is_a_copy():
    import copy

    game = Game()
    other = copy.copy(game)
    other.apply("p0")
    assert game.turn == 0
