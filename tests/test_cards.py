"""Cards and sets of cards."""

import pytest

from tamaya.cards import (
    ALL_CARDS,
    BIT,
    COLOUR_MASK,
    COLOUR_OF,
    N_CARDS,
    NO_CARD,
    RANK_MASK,
    RANK_OF,
    CardSet,
    card_name,
    copies_of_rank,
    parse_card,
)


def test_names_read_colour_and_rank():
    assert [card_name(card) for card in (0, 4, 7, 12, 18, 24)] == [
        "R1",
        "R5",
        "Y3",
        "G3",
        "W4",
        "B5",
    ]
    assert card_name(NO_CARD) == "XX"


@pytest.mark.parametrize("card", range(N_CARDS))
def test_parse_reads_every_name_back(card):
    assert parse_card(card_name(card)) == card


@pytest.mark.parametrize("text", ["", "R", "R0", "R6", "r1", "P1", "R12", "XX", "1R"])
def test_parse_refuses_and_quotes_what_is_no_card(text):
    with pytest.raises(ValueError, match=f"'{text}' is not a card"):
        parse_card(text)


@pytest.mark.parametrize("card", range(N_CARDS))
def test_tables_agree_with_the_numbering(card):
    colour, rank = divmod(card, 5)
    assert (COLOUR_OF[card], RANK_OF[card], BIT[card]) == (colour, rank, 2**card)


def test_colour_and_rank_masks_meet_in_one_card():
    for colour in range(5):
        for rank in range(5):
            assert COLOUR_MASK[colour] & RANK_MASK[rank] == BIT[5 * colour + rank]


def test_masks_of_all_colours_or_ranks_cover_the_deck():
    assert sum(COLOUR_MASK.tolist()) == sum(RANK_MASK.tolist()) == ALL_CARDS == 2**25 - 1


@pytest.mark.parametrize(
    ("ranks", "copies"),
    [(1, [3]), (2, [3, 1]), (3, [3, 2, 1]), (4, [3, 2, 2, 1]), (5, [3, 2, 2, 2, 1])],
)
def test_the_lowest_rank_has_three_copies_and_the_highest_one(ranks, copies):
    assert [copies_of_rank(rank, ranks) for rank in range(ranks)] == copies


def test_a_card_set_behaves_like_a_set():
    cards = CardSet(BIT[3] | BIT[24])
    assert list(cards) == [3, 24]
    assert len(cards) == 2
    assert 3 in cards and 4 not in cards
    assert cards == CardSet(2**3 + 2**24) != CardSet()
    assert {cards: "here"}[CardSet(cards.mask)] == "here"


def test_a_card_set_shows_itself_and_can_be_pasted_back():
    cards = CardSet(BIT[0] | BIT[4] | BIT[12])
    assert eval(repr(cards)) == cards
    assert str(cards) == "R 1 . . . 5\nY . . . . .\nG . . 3 . .\nW . . . . .\nB . . . . ."
