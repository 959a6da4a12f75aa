"""The observation vectors: equal to the oracle's, blind to hidden cards, named slice by slice."""

from random import Random

import numpy as np
import pytest

from support import permuted, pick_rules, play_randomly, reference_of, scaled
from tamaya.encoding import (
    ENCODERS,
    encode,
    encode_greedy,
    encode_hle,
    encoder_kind,
    sections,
    vector_length,
)
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.view import fill_view

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def vector(game: Game, seat: int, encoder: str = "hle", dtype: type = np.uint8) -> np.ndarray:
    out = np.full(vector_length(game.rules, encoder), 9, dtype)
    encode(encoder_kind(encoder), game.record, seat, out)
    return out


def random_positions(seed: int, n_games: int):
    """Games under any rules, at every turn, with the oracle's game beside them."""
    rng = Random(seed)
    for _ in range(n_games):
        rules = pick_rules(rng.choice)
        game = Game(rules, seed=rng.getrandbits(32))
        oracle = reference_of(rules, game.deck, int(game.record.start))
        yield game, oracle
        while not game.is_over:
            move = rng.choice(game.legal_moves)
            game.apply(move)
            oracle.apply(move)
            yield game, oracle


@pytest.mark.parametrize("seed", range(4))
def test_canonical_vector_equals_the_oracle_under_any_rules(seed):
    for game, oracle in random_positions(seed, scaled(100)):
        for seat in range(game.rules.players):
            assert vector(game, seat).tolist() == oracle.observation(seat)


@pytest.mark.parametrize("seed", range(2))
def test_belief_vectors_equal_the_oracle(seed):
    for game, oracle in random_positions(100 + seed, scaled(60)):
        if game.rules.observation == "minimal":
            continue
        n_own = game.rules.hand_size * game.rules.colours * game.rules.ranks
        for seat in range(game.rules.players):
            wanted = np.array(oracle.sad_observation(seat), np.float32)
            assert np.allclose(vector(game, seat, "sad", np.float32), wanted, atol=1e-6)
            assert np.allclose(vector(game, seat, "obl", np.float32), wanted[n_own:], atol=1e-6)


def test_floats_and_bytes_say_the_same():
    game = play_randomly(Game(Rules(players=3), seed=5), Random(5))
    assert (vector(game, 1) == vector(game, 1, dtype=np.float32)).all()


@pytest.mark.parametrize("encoder", ["hle", "hle-minimal", "obl", "sad", "derived"])
def test_a_view_encodes_like_the_game(encoder):
    game = Game(Rules(players=4), seed=8)
    rng = Random(8)
    while not game.is_over:
        for seat in range(4):
            views = np.zeros(1, VIEW)
            fill_view(game.record, seat, views[0])
            out = np.zeros(vector_length(game.rules, encoder), np.float32)
            encode(encoder_kind(encoder), views[0], seat, out)
            assert (out == vector(game, seat, encoder, np.float32)).all()
        game.apply(rng.choice(game.legal_moves))


@pytest.mark.parametrize("encoder", sorted(ENCODERS))
def test_no_encoder_sees_hidden_cards(encoder):
    rng = Random(3)
    for seed in range(scaled(60)):
        rules = Rules(players=2 + seed % 4, lives=20)
        game = Game(rules, seed=seed)
        for _ in range(rng.randrange(30)):
            if not game.is_over:
                game.apply(rng.choice(game.legal_moves))
        for seat in range(rules.players):
            other = permuted(game, seat, rng)
            seen = vector(game, seat, encoder, np.float32)
            assert (seen == vector(other, seat, encoder, np.float32)).all()


@pytest.mark.parametrize(
    ("encoder", "lengths"),
    [
        ("hle", [658, 956, 1041, 1280]),
        ("hle-minimal", [308, 431, 481, 580]),
        ("obl", [658, 956, 1041, 1280]),
        ("sad", [783, 1081, 1141, 1380]),
        ("sad-greedy", [838, 1138, 1198, 1439]),
        ("derived", [935, 1379, 1501, 1858]),
    ],
)
def test_published_lengths(encoder, lengths):
    assert [vector_length(Rules(players=p), encoder) for p in range(2, 6)] == lengths


def test_sections_of_two_players_are_where_the_documents_say():
    parts = sections(Rules(players=2))
    places = {
        "hands": (0, 125), "short hands": (125, 127), "deck": (127, 167), "fireworks": (167, 192),
        "tokens": (192, 200), "lives": (200, 203), "discards": (203, 253), "actor": (253, 255),
        "move type": (255, 259), "target": (259, 261), "hinted colour": (261, 266),
        "hinted rank": (266, 271), "touched slots": (271, 276), "used slot": (276, 281),
        "used card": (281, 306), "scored": (306, 307), "gained token": (307, 308),
        "knowledge +0": (308, 483), "knowledge +1": (483, 658),
    }  # fmt: skip
    assert {name: (part.start, part.stop) for name, part in parts.items()} == places


def test_greedy_section_describes_the_move_without_exploration():
    game = Game(Rules(players=2), seed=1)
    greedy = game.copy()
    greedy.apply("p0")
    game.apply("d0" if "d0" in game.legal_moves else game.legal_moves[-1])
    out = np.zeros(vector_length(game.rules, "sad-greedy"), np.float32)
    encode(encoder_kind("sad-greedy"), game.record, 1, out)
    encode_greedy(greedy.record, 1, out)
    parts = sections(game.rules, "sad-greedy")
    first = parts["greedy actor"].start
    wanted = np.zeros(658, np.float32)
    encode_hle(greedy.record, 1, wanted)
    assert (out[first:] == wanted[253:308]).all()


def test_beliefs_need_a_memory_of_hints():
    with pytest.raises(ValueError, match="'sad' needs the memory of hints"):
        vector_length(Rules(observation="minimal"), "sad")


def test_unknown_encoder_is_named():
    with pytest.raises(ValueError, match="unknown encoder 'nope'"):
        encoder_kind("nope")


@pytest.mark.parametrize(
    ("encoder", "dtype"),
    [("obl", np.uint8), ("sad", np.int8), ("hle", np.int64), ("hle", np.float16)],
)
def test_types_that_cannot_hold_a_vector_are_refused(encoder, dtype):
    with pytest.raises(ValueError, match=f"encoder '{encoder}' writes .*, not {np.dtype(dtype)}"):
        Game().vector(encoder=encoder, dtype=dtype)


def test_beliefs_are_floats_by_default():
    assert Game().vector(encoder="obl").dtype == np.float32
    assert 0 < Game().vector(encoder="obl")[308] < 1
    assert Game().vector().dtype == np.uint8


def test_vectors_of_seats_that_do_not_exist_are_refused():
    with pytest.raises(ValueError, match="seat 7 is not a seat of 2 players"):
        Game().vector(7)
