"""Positions by hand: what rules do in them, ties and faults of the originals above all.

Cards are the hands of all seats, then those drawn next; moves follow.
"""

import numpy as np

from agents.rules.asking import BROKE_DOWN, PASSED, bits_text, compiled_answers
from tamaya.agents.rules.language import parse_step
from tamaya.cards import parse_card
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.records import VIEW
from tamaya.rules import Rules


def answer_to(
    rule: str, cards: str, *moves: str, players: int = 2, faithful: bool = True, tokens: int = 8
) -> str:
    """The move of a rule in a position, ``-`` if it does not apply and ``x`` if it breaks down."""
    rules = Rules(players=players, bomb="keep", refill="in_place", tokens=tokens)
    top = [parse_card(name) for name in cards.split()]
    rest = Game(rules).deck
    for card in top:
        rest.remove(card)
    game = Game(rules, deck=[*top, *rest])
    for move in moves:
        game.apply(move)
    views = np.array([game.view()], VIEW)
    mask = int(compiled_answers(views, [parse_step(rule)], faithful)[0, 0])
    texts = {PASSED: "-", BROKE_DOWN: "x"}
    return " ".join(texts.get(bit) or move_text(rules, bit) for bit in bits_text(mask))


ONES = "R1 Y1 R4 R5 Y2  R3 Y3 G3 W4 B4"  # seat 0 has two ones


def test_equal_chances_go_to_the_highest_slot_and_certainties_to_the_lowest():
    told_ones = ("h13", "h11")
    assert answer_to("PlaySafeCard", ONES, *told_ones) == "p0"
    assert answer_to("PlayProbablySafe(1)", ONES, *told_ones) == "p1"
    assert answer_to("PlayIfCertain", ONES, *told_ones) == "-"
    assert answer_to("PlayIfCertain", ONES, *told_ones, "h14", "h1Y") == "p1"
    assert answer_to("PlayProbablySafe(0)", ONES) == "p4"


def test_sure_cards_are_played_with_few_lives_and_others_are_not():
    lost = ("p2", "p0")  # R4 and R3
    told = ("h14", "h11")
    rule = "PlayJustHinted(no,no,2,0.5)"
    assert answer_to(rule, ONES, *lost, *told) == "p1"
    assert answer_to(rule, ONES, "h13", "h1Y") == "-"
    assert answer_to("PlayJustHinted(no,no,2,0.1)", ONES, "h13", "h1Y") == "p4"
    assert answer_to("PlayJustHinted(no,no,2,0.1)", ONES, *lost, "h14", "h1Y") == "-"


def test_old_hints_point_at_new_cards():
    cards = "R1 Y2 R4 R5 Y3  R3 Y3 G3 W4 B4"
    moves = ("h13", "h11", "p0", "h15")  # slot 0 was told, and holds another card now
    assert answer_to("PlayJustHinted(yes,no,0,0.1)", cards, *moves) == "p0"
    assert answer_to("PlayJustHinted(yes,no,0,0.1)", cards, *moves, faithful=False) == "-"
    assert answer_to("PlayJustHinted(yes,no,0,0)", cards, *moves, faithful=False) == "p3"


def test_a_hint_is_lost_when_the_seat_between_did_something_else():
    cards = "R1 Y2 R4 R5 Y3  R3 Y3 G3 W4 B4  R2 Y4 G4 W3 B3"
    hinted = ("h1R", "h21")  # seat 1 tells seat 0
    rule = "PlayJustHinted(no,no,0,0)"
    assert answer_to(rule, cards, *hinted, "h15", players=3) == "p0"
    assert answer_to(rule, cards, *hinted, "d0", players=3) == "-"
    assert answer_to(rule, cards, *hinted, "d0", players=3, faithful=False) == "p0"


def test_the_finesse_breaks_down_after_a_hint_for_oneself():
    assert answer_to("PlayFinesse", ONES, "h13") == "x"
    assert answer_to("PlayFinesse", ONES, "h13", faithful=False) == "-"
    assert answer_to("PlayFinesse", ONES, "p0") == "-"
    assert answer_to("PlayFinesse", ONES) == "-"


FOUR = "R3 R4 Y3 Y4  G2 G3 G4 G5  R2 Y2 W3 W4  B2 B3 B4 B5  W2 Y2"


def test_the_finesse_mistakes_the_next_seat_for_the_others():
    """Seat 1 moves, after a hint to seat 2, seat 3 and itself."""
    for to, faithful, move in [
        ("h22", True, "-"), ("h32", True, "p3"), ("h12", True, "x"),
        ("h22", False, "p3"), ("h32", False, "-"), ("h12", False, "-"),
    ]:  # fmt: skip
        assert answer_to("PlayFinesse", FOUR, to, players=4, faithful=faithful) == move


def test_a_lone_card_is_played_after_a_play():
    cards = "R1 Y2 R4 R5 Y3  R3 Y3 G3 W4 B4  R2 Y4 G4 W3 B3"
    assert answer_to("PlayFinesseTold", cards, "h1R", "h21", "p0", players=3) == "p0"
    assert answer_to("PlayFinesseTold", cards, "h1R", "h21", "d0", players=3) == "-"
    assert answer_to("PlayFinesseTold", cards, "h1R", "h2R", "p0", players=3) == "-"


def test_the_unique_card_is_taken_for_the_one_last_played():
    cards = "R1 Y2 R2 W5 Y3  R3 Y3 G3 W4 B4"
    rule = "PlayUniquePossibleCard"
    assert answer_to(rule, cards, "p0", "h1R") == "p2"
    assert answer_to(rule, cards, "h1R", "h1W") == "-"  # no white card was played
    assert answer_to(rule, cards, "h1R", "h1W", faithful=False) == "p3"
    assert answer_to(rule, cards, "h1R", "h11", "p0", "d0") == "p0"  # a card drawn since
    assert answer_to(rule, cards, "h1R", "h11", "p0", "d0", faithful=False) == "-"


USEFUL = "R3 R4 Y3 Y4 W3  R1 G2 Y1 G3 G4"  # seat 1 has two playable cards


def test_ranks_are_told_first_and_then_colours():
    rule = "TellAnyoneAboutUsefulCard"
    assert answer_to(rule, USEFUL) == "h11"
    assert answer_to(rule, USEFUL, "h11", "h13") == "h1R"
    assert answer_to(rule, USEFUL, "h11", "h13", "h1R", "h13") == "h1Y"
    assert answer_to(rule, USEFUL, "h11", "h13", "h1R", "h13", "h1Y", "h13") == "-"
    assert answer_to(rule, USEFUL, "h14", "h13", tokens=2) == "-"
    assert answer_to("CompleteTellUsefulCard", USEFUL) == "-"
    assert answer_to("CompleteTellUsefulCard", USEFUL, "h11", "h13") == "h1R"


def test_the_oldest_useful_card_is_really_the_last():
    rule = "TellAnyoneAboutOldestUsefulCard"
    assert answer_to(rule, USEFUL) == "h1Y"
    assert answer_to(rule, USEFUL, faithful=False) == "h1R"
    known = ("h11", "h13", "h1Y", "h13")  # now the last one is fully known
    assert answer_to(rule, USEFUL, *known) == "-"
    assert answer_to(rule, USEFUL, *known, faithful=False) == "h1R"


def test_coins_are_tossed():
    assert answer_to("TellPlayableCard", USEFUL) == "h1R h11"
    assert answer_to("TellRandomly", USEFUL) == "h1R h1Y h1G h11 h12 h13 h14"
    assert answer_to("DiscardRandomly", USEFUL) == "-"
    assert answer_to("DiscardRandomly", USEFUL, "h11") == "d0 d1 d2 d3 d4"


def test_the_search_for_useless_cards_ends_at_the_first():
    cards = "R1 R4 Y1 Y4 W3  R1 G2 Y1 G3 G4"
    played = ("p0", "h14", "p2", "h14")
    told = ("h11", "h14", "h1R", "h14")
    rule = "TellAnyoneAboutUselessCard"
    assert answer_to(rule, cards, *played) == "h11"
    assert answer_to(rule, cards, *played, *told) == "-"
    assert answer_to(rule, cards, *played, *told, faithful=False) == "h1Y"


def test_dispensable_cards_are_looked_for_by_seat():
    cards = "R1 R1 Y2 Y3 Y4  G2 G3 G4 W2 W3  R1 B2 B3 B4 W4"
    moves = ("p0", "h11", "h11", "h12")  # seats 0 and 2 know that they have ones
    assert answer_to("TellDispensable", cards, *moves, players=3) == "h2R"
    assert answer_to("TellAnyoneAboutUselessCard", cards, *moves, players=3) == "h1R"


def test_most_information_prefers_ranks_and_news():
    cards = "R3 R4 Y3 Y4 W3  R1 R2 G2 G1 G4"
    assert answer_to("TellMostInformation", cards) == "h1G"
    assert answer_to("TellMostInformation", cards, "h1G", "h13") == "h1G"
    assert answer_to("TellMostInformation(new)", cards, "h1G", "h13") == "h11"


THREE = "R3 R4 Y3 Y4 W3  R1 G2 Y4 G3 Y1  B3 R2 R3 W4 Y2"


def test_a_finesse_is_told_for_the_lowest_card_instead_of_the_newest():
    assert answer_to("TellFinesse", THREE, players=3) == "-"  # R2 is named by no hint alone
    alone = THREE.replace("Y2", "G4")
    assert answer_to("TellFinesse", alone, players=3) == "h22"
    assert answer_to("TellFinesse", alone, players=3, faithful=False) == "-"
    newest = THREE.replace("R2", "R4")
    assert answer_to("TellFinesse", newest, players=3, faithful=False) == "h22"


def test_fours_break_down_where_five_cards_do_not():
    four = "R3 R4 Y3 Y4  R1 G2 Y4 G3  B3 R2 R3 W4  G4 W2 B2 Y2"
    for rule in ("TellUnambiguous2(1,0)", "TellHighProbabilityMistake(no,0.5)"):
        assert answer_to(rule, four, players=4) == "x"
        assert answer_to(rule, four, players=4, faithful=False) == "h11"
        assert answer_to(rule, THREE, players=3) == "h11"


def test_unambiguous_hints_count_the_cards_beside():
    cards = "R3 R4 Y3 Y4 W3  R1 R2 Y1 G3 G4"
    assert answer_to("TellUnambiguous(yes)", cards) == "h11"
    assert answer_to("TellUnambiguous(no)", cards) == "h11"
    other = ("p0", "p0")  # seat 1 plays its R1, and Y1 is now beside a one that is useless
    last = "R3 R4 Y3 Y4 W3  R1 R3 Y1 G3 G4  B2 R1"
    assert answer_to("TellUnambiguous(no)", last, *other) == "h1Y"
    assert answer_to("TellUnambiguous3", cards) == "h1Y"
    assert answer_to("TellUnambiguous3", cards, faithful=False) == "h11"


def test_equal_cards_are_discarded_from_the_right_side():
    moves = ("h13",)
    assert answer_to("DiscardOldestFirst", ONES) == "-"
    assert answer_to("DiscardOldestFirst", ONES, *moves) == "d0"
    assert answer_to("DiscardLeastLikelyToBeNecessary", ONES, *moves) == "d2"
    assert answer_to("DiscardProbablyUseless(0)", ONES, *moves) == "d4"
    assert answer_to("DiscardProbablyUseless(0.1)", ONES, *moves) == "-"
    assert answer_to("DiscardHighest", ONES, *moves) == "d0"


def test_the_oldest_card_without_information_is_really_the_lowest():
    moves = ("h13", "d3", "h13", "d0", "h13")  # seat 1 holds new cards in slots 3 and 0
    rule = "DiscardOldestNoInfoFirst"
    cards = "R1 Y1 R4 R5 Y2  G2 Y3 G3 W4 B4  R3 B2"
    assert answer_to(rule, cards, *moves) == "d0"
    assert answer_to(rule, cards, *moves, faithful=False) == "d4"
    assert answer_to("DiscardUnidentifiedCard", cards, *moves) == "d0"


def test_known_cards_are_discarded_when_they_were_played():
    cards = "R1 R1 Y2 Y3 Y4  G2 G3 G4 W2 W3"
    moves = ("p0", "h11", "h12", "h1R")
    assert answer_to("DiscardIfCertain", cards, "p0", "h11", "h12", "d0") == "-"
    for rule in ("DiscardIfCertain", "DiscardSafeCard", "OsawaDiscard"):
        assert answer_to(rule, cards, *moves) == "d1"
    assert answer_to("DiscardUselessCard", cards, *moves) == "-"


def test_unblocking_needs_a_seat_that_is_blocked():
    cards = "R1 R1 Y2 Y3 Y4  G2 G3 G4 W2 W3"
    moves = ("p0", "h11", "h12", "h1R")
    assert answer_to("TryToUnBlock", cards, *moves, tokens=3) == "d1"
    assert answer_to("TryToUnBlock", cards, *moves, tokens=4) == "-"
