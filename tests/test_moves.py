"""Move ids: their order, the kernels that make and read them, and their text."""

import pytest
from hypothesis import given

from reference import move_table
from support import any_rules, examples, reference_of
from tamaya.game import Game
from tamaya.moves import (
    DISCARD,
    HINT_COLOUR,
    HINT_RANK,
    PLAY,
    describe,
    discard,
    hint_colour,
    hint_rank,
    kind_of,
    move_phrase,
    move_text,
    offset_of,
    parse_move,
    play,
    slot_of,
    value_of,
)
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

KIND_NAMES = {DISCARD: "discard", PLAY: "play", HINT_COLOUR: "colour", HINT_RANK: "rank"}


@examples(100)
@given(any_rules())
def test_ids_mean_what_they_mean_to_the_oracle(rules):
    meanings = move_table(reference_of(rules, Game(rules).deck, 0).rules)
    assert len(meanings) == rules.n_moves
    for move, (name, *numbers) in enumerate(meanings):
        kind, place, value = describe(rules, move)
        assert KIND_NAMES[kind] == name
        assert numbers == ([place] if value < 0 else [place, value])


@examples(60)
@given(any_rules())
def test_kernels_read_and_make_every_id(rules):
    view = Game(rules).view()
    for move in range(rules.n_moves):
        kind, place, value = describe(rules, move)
        assert kind_of(view, move) == kind
        if kind in (DISCARD, PLAY):
            assert slot_of(view, move) == place
            assert (play if kind == PLAY else discard)(view, place) == move
        else:
            assert (offset_of(view, move), value_of(view, move)) == (place, value)
            assert (hint_colour if kind == HINT_COLOUR else hint_rank)(view, place, value) == move


@examples(100)
@given(any_rules())
def test_text_reads_back_as_the_same_move(rules):
    texts = [move_text(rules, move) for move in range(rules.n_moves)]
    assert [parse_move(rules, text) for text in texts] == list(range(rules.n_moves))


@pytest.mark.parametrize(
    ("move", "text", "phrase"),
    [
        (0, "d0", "discard slot 0"),
        (9, "p4", "play slot 4"),
        (10, "h1R", "tell +1 red"),
        (19, "h2B", "tell +2 blue"),
        (20, "h11", "tell +1 rank 1"),
        (29, "h25", "tell +2 rank 5"),
    ],
)
def test_texts_and_phrases_with_three_players(move, text, phrase):
    rules = Rules(players=3)
    assert (move_text(rules, move), move_phrase(rules, move)) == (text, phrase)


@pytest.mark.parametrize("text", ["", "p5", "d-1", "h0R", "h2R", "h16", "h1P", "P0", "p0 "])
def test_parse_refuses_and_quotes_what_is_no_move(text):
    with pytest.raises(ValueError, match=f"'{text}' is not a move"):
        parse_move(Rules(), text)


@pytest.mark.parametrize("move", [-1, 20, 1000])
def test_an_id_outside_the_game_is_refused(move):
    with pytest.raises(ValueError, match=f"move {move} does not exist: ids go from 0 to 19"):
        describe(Rules(), move)
