"""Self-recognition: check games move for move, measured means, hands against a naive listing."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from support import replay, scaled
from tamaya.agents.osawa.recognition import hand_weights, is_asked, recognised_card
from tamaya.game import Game
from tamaya.knowledge.board import board_now
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

RULES = Rules.parse("players=2 bomb=keep lives=5")
# Deck as letters (a is card 0, y card 24), moves, score, lives left.
GAMES = [
    (
        "rppfbtjcymqnxbivfdsrhsaewndlakggxakpcuwlikmuvuqfoh",
        "h15 h11 p1 h1Y p2 h12 h1W h1W p3 h13 p0 h1R d0 h14 d0 h1G d0 h1B d0 h12 d0 h14 p3 d0 h1Y "
        "d0 h14 p4 d0 h11 d0 h1Y d0 h1W d0 h13 d0 h15 d0 h11 d0 h1R p3 d0 h12 p4 d0 h11 d0 h1G p1 "
        "d0 h13 p1 d0 h12 d0 h12 p4 d0 h11 p0 d0 h14 p3 d0 h1B p1 d0 d1 h13 d2 h1G p1",
        13, 3,
    ),
    (
        "efkjvhamavnbrmkugqpdaxycfxbihiofpduwsknqcglwrtulsp",
        "h11 p1 h13 h11 h1Y h1Y p1 h1G p1 h12 h1G d2 h12 d0 h1B d0 h11 d0 h1B p3 d0 h1B p1 d0 h12 "
        "d0 h1Y p1 d0 h1R p0 d0 h1W d0 h11 d0 h14 d0 h13 d0 h1Y p3 d0 p2 h11 d2 h1W p3 d0 h13 p1 "
        "d0 p0 h1B p2 d0 h15 d0 h14 d0 h12 d0 h1G p3 d0 d0 h13 d1 h1R d0 h1B d0 h1W d1",
        14, None,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("deck", "moves", "score", "lives"), GAMES)
def test_check_games(deck, moves, score, lives):
    game = Game(RULES, deck=[ord(letter) - ord("a") for letter in deck])
    seats = [Seat(find_agent("osawa-2015-self:lowest=true"), game, seat) for seat in (0, 1)]
    chosen = []
    while not game.is_over:
        move = seats[game.mover].act()
        chosen.append(move_text(RULES, move))
        game.apply(move)
    assert (" ".join(chosen), game.score) == (moves, score)
    assert lives is None or game.record.lives == lives


def test_strength():
    scores = play("osawa-2015-self", RULES, 400, seed=1, threads=1).results["score"]
    error = scores.std() * (1 / 400 + 1 / 2000) ** 0.5
    assert abs(scores.mean() - 15.23) < 4 * error


def naive_weights(game: Game, seat: int) -> np.ndarray:
    """[slot, card] -> what speaks for it: hands with which outer would have given the last hint."""
    now = game.record
    own = [int(now.order[seat, slot]) for slot in range(now.n_cards[seat])]
    undealt = range(game.rules.deck_size - int(now.deck_size), game.rules.deck_size)
    pool = [game.deck[order] for order in (*own, *undealt)]
    outer = find_agent("osawa-2015-outer:lowest=true")

    @cache
    def would_hint(cards: tuple[int, ...]) -> bool:
        left, deck = list(pool), list(game.deck)
        for card in cards:
            left.remove(card)
        for order, card in zip((*own, *undealt), (*cards, *left), strict=True):
            deck[order] = card
        before = replay(game, deck=deck, turns=game.turn - 1)
        return Seat(outer, before, 1 - seat).act() == game.moves[-1]

    weights = np.zeros((8, 25))
    for cards in permutations(pool, len(own)):
        fits = all(now.possible[seat, slot] >> card & 1 for slot, card in enumerate(cards))
        if fits and would_hint(cards):
            for slot, card in enumerate(cards):
                weights[slot, card] += 1
    return weights


def test_hands_are_weighed_like_a_naive_listing():
    rules = Rules(players=2, colours=2, ranks=3, hand_size=2, tokens=3, bomb="keep", lives=5)
    played = play("osawa-2015-self:lowest=true", rules, scaled(3), seed=4, record=True)
    n_compared, n_telling = 0, 0
    for game in map(played.game, range(scaled(3))):
        for turn in range(1, game.turn):
            position = replay(game, turns=turn)
            view = position.view(position.mover)
            if not is_asked(view):
                continue
            weights, expected = np.zeros((8, 25)), naive_weights(position, position.mover)
            hand_weights(view, board_now(view), True, weights)
            assert np.array_equal(weights, expected), position.to_text()
            n_compared += 1
            n_telling += any(recognised_card(row, 2.5) >= 0 for row in weights)
    assert n_compared >= n_telling > 0


def test_a_card_is_recognised_if_enough_speaks_for_it():
    weights = np.zeros(25)
    assert recognised_card(weights, 2.5) == -1
    weights[[3, 7]] = 4.0, 10.0
    assert recognised_card(weights, 2.4) == 7
    assert recognised_card(weights, 2.5) == -1


@pytest.mark.checked
@pytest.mark.parametrize(
    "rules",
    ["", "observation=minimal", "observation=seer", "hand_size=8 tokens=1", "tokens=0 lives=9",
     "colours=1 ranks=1 hand_size=1", "refill=in_place empty_hints=true discard_at_full=true"],
)  # fmt: skip
def test_any_rules_can_be_played(rules):
    play("osawa-2015-self", Rules.parse(f"players=2 {rules}"), 2)


def test_explanations_name_the_likeliest_cards():
    game = Game(RULES, seed=2)
    seat = Seat(find_agent("osawa-2015-self"), game, 1)
    assert seat.explain() == [("last move", "no hint to this seat")]
    game.apply(Seat(find_agent("osawa-2015-outer"), game, 0).act())  # a hint: nothing is certain
    assert len(seat.explain()) == 5
