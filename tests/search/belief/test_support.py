"""Supports equal brute force over all deals, and the true hand stays in them."""

from collections import Counter
from itertools import permutations
from random import Random

import numpy as np
import pytest

from agents.learned import test_c51, test_network, test_recurrent
from search.positions import NOTING
from support import scaled
from tamaya.agent import Player
from tamaya.agents.learned.kinds import network_agent
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.belief.blueprints import blueprint_for
from tamaya.search.belief.hands import pack, unpack
from tamaya.search.belief.support import Believing, support_of
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.view import fill_view

TINY = Rules(players=2, colours=2, ranks=3, hand_size=2)
TABLES = [
    TINY,
    Rules(players=3, colours=2, ranks=3, hand_size=2, refill="in_place"),
    Rules(players=2, colours=2, ranks=4, hand_size=3, tokens=3, random_start=True),
]
BLUEPRINTS = ["smartbot", "example", "hat-recommendation", "notes-of-all", "notes-in-public"]
assert NOTING  # registered


def seen_by(game: Game, seat: int) -> np.record:
    view = np.zeros(1, VIEW)[0]
    fill_view(game.record, seat, view)
    return view


def hand_of(game: Game, support) -> int:
    return pack([game.deck[order] for order in support.sight.orders])


def deals_of(game: Game, seat: int, orders: list[int]) -> Counter:
    """How often each hand is dealt if all unseen cards change places, hints left as they are."""
    unseen = [game.deck[order] for order in orders]
    unseen += game.deck[len(game.deck) - int(game.record.deck_size) :]
    return Counter(permutations(unseen, len(orders)))


def explains(game: Game, seat: int, deck: list[int], blueprint) -> bool:
    """Whether a deal leads to the same events, all others moving as the blueprint does."""
    again = Game(game.rules, deck=deck, start=int(game.record.start))
    seats = [Seat(blueprint, again, other) for other in range(game.rules.players)]
    for event in game.events:
        if event.seat != seat and seats[event.seat].act() != event.move:
            return False
        again.apply(int(event.move))
        if again.events[-1].tobytes() != event.tobytes():
            return False
        for other in seats:
            other.observe()
    return True


def brute_force(game: Game, seat: int, orders: list[int], blueprint) -> dict[int, int]:
    """Every hand that explains the game, and in how many ways it is dealt."""
    found = {}
    for hand, n in deals_of(game, seat, orders).items():
        deck = game.deck
        left = Counter(deck[order] for order in orders)
        rest = len(deck) - int(game.record.deck_size)
        left.update(deck[rest:])
        left.subtract(hand)
        for order, card in zip(orders, hand, strict=True):
            deck[order] = card
        deck[rest:] = sorted(left.elements())
        if explains(game, seat, deck, blueprint):
            found[pack(list(hand))] = n
    return found


def check_supports(rules: Rules, blueprint: Player, rng: Random) -> None:
    """Compare supports with brute force after every event of some games.

    One seat moves at random, so that memories part; the others follow the blueprint.
    """
    for seed in range(scaled(2)):
        game = Game(rules, seed=seed)
        seats = [Seat(blueprint, game, seat) for seat in range(rules.players)]
        while not game.is_over:
            wanders = game.mover == 0 and rng.random() < 0.5
            game.apply(rng.choice(game.legal_moves) if wanders else seats[game.mover].act())
            for seat in seats:
                seat.observe()
            support = support_of(seen_by(game, 0), blueprint_for(blueprint), Believing())
            expected = brute_force(game, 0, support.sight.orders.tolist(), blueprint)
            found = dict(zip(support.hands.tolist(), support.weights.tolist(), strict=True))
            assert support.is_exact
            assert found == expected
            assert hand_of(game, support) in found


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players}x{rules.hand_size}")
@pytest.mark.parametrize("name", BLUEPRINTS)
def test_a_support_is_brute_force_over_all_deals_after_every_event(name, rules):
    check_supports(rules, find_agent(name), Random(name))


NETWORKS = {"mlp": test_network.some_network, "c51": test_c51.some_network,
            "lstm": test_recurrent.some_network}  # fmt: skip


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players}x{rules.hand_size}")
@pytest.mark.parametrize("encoder", ["hle", "derived"])
@pytest.mark.parametrize("kind", NETWORKS)
def test_networks_of_all_kinds_are_blueprints_like_any_other(kind, encoder, rules):
    network = NETWORKS[kind](rules, encoder=encoder)
    check_supports(rules, network_agent(kind, [network]), Random(kind))


@pytest.mark.parametrize("name", ["smartbot", "information", "wtfwthat-2018"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_true_hand_never_leaves_the_support(name, players):
    whole = play(name, Rules(players=players), 1, seed=3, record=True).game(0)
    n_exact = 0
    for turn in range(0, whole.turn, 6):
        game = whole.at(turn)
        for seat in range(players):
            support = support_of(seen_by(game, seat), blueprint_for(find_agent(name)), Believing())
            assert support.strikes.max() == 0
            if support.is_exact:
                assert hand_of(game, support) in support.hands
                n_exact += 1
    assert n_exact > whole.turn // 6


def test_it_leaves_if_a_partner_breaks_the_convention():
    smartbot, n_gone = find_agent("smartbot"), 0
    for seed in range(scaled(20)):
        game = Game(TINY, seed=seed)
        wrong = [move for move in game.legal_moves if move != Seat(smartbot, game, 0).act()]
        game.apply(wrong[seed % len(wrong)])
        view, blueprint = seen_by(game, 1), blueprint_for(smartbot)
        believed = support_of(view, blueprint, Believing())
        tolerant = support_of(view, blueprint, Believing(tolerance=0.1))
        true = hand_of(game, tolerant)
        assert true in tolerant.hands
        explained = brute_force(game, 1, tolerant.sight.orders.tolist(), smartbot)
        assert true not in explained
        if explained:
            assert set(believed.hands.tolist()) == set(explained)
            n_gone += 1
    assert n_gone > 0


def test_a_move_that_no_hand_explains_says_nothing():
    game = Game(TINY, seed=1)
    nothing = blueprint_for(find_agent("first-legal"))
    last_legal = game.legal_moves[-1]
    game.apply(last_legal)
    support = support_of(seen_by(game, 1), nothing, Believing())
    counted = {pack(list(hand)) for hand in deals_of(game, 1, support.sight.orders.tolist())}
    by_hints = [
        hand for hand in counted
        if all(int(mask) >> card & 1
               for mask, card in zip(support.sight.masks, unpack(hand, 2), strict=True))
    ]  # fmt: skip
    assert sorted(by_hints) == support.hands.tolist()


def test_tolerance_counts_strikes():
    game, smartbot = Game(TINY, seed=2), find_agent("smartbot")
    game.apply(Seat(smartbot, game, 0).act())
    view, blueprint = seen_by(game, 1), blueprint_for(smartbot)
    exact = support_of(view, blueprint, Believing())
    tolerant = support_of(view, blueprint, Believing(tolerance=0.05))
    assert hand_of(game, exact) in exact.hands
    assert set(exact.hands.tolist()) < set(tolerant.hands.tolist())
    counted = tolerant.weights / 0.05 ** tolerant.strikes.astype(float)
    same = {hand: weight for hand, weight in zip(tolerant.hands.tolist(), counted, strict=True)}
    for hand, weight in zip(exact.hands.tolist(), exact.weights.tolist(), strict=True):
        assert same[hand] == pytest.approx(weight)
    assert tolerant.strikes.max() > 0


def test_moves_of_seats_that_do_not_search_are_certain_where_memories_are_private():
    n_narrower = 0
    for seed in range(scaled(6)):
        game, notes = Game(TINY, seed=seed), find_agent("notes-of-all")
        for _ in range(3):
            game.apply(Seat(notes, game, game.mover).act())
        view, blueprint = seen_by(game, 0), blueprint_for(notes)
        exact = support_of(view, blueprint, Believing())
        certain = support_of(view, blueprint, Believing(tolerance=0.1, searcher=0, late=-1))
        doubtful = support_of(view, blueprint, Believing(tolerance=0.1))
        assert certain.hands.tolist() == exact.hands.tolist()
        n_narrower += len(certain.hands) < len(doubtful.hands)
    assert n_narrower > 0


@pytest.mark.parametrize("name", ["smartbot", "notes-of-all"])
def test_threads_make_no_difference(name):
    whole = play("smartbot", Rules(players=2), 1, seed=5, record=True).game(0)
    for turn in (9, 24, 41):
        view = seen_by(whole.at(turn), whole.at(turn).mover)
        for most in (100, 3_000_000):
            how = Believing(tolerance=0.1, most=most, draws=300)
            one, two = (
                support_of(view, blueprint_for(find_agent(name)), how._replace(threads=n))
                for n in (1, 2)
            )
            for field in ("hands", "strikes", "weights"):
                assert np.array_equal(getattr(one, field), getattr(two, field))


def test_hands_that_are_drawn_are_distributed_as_those_that_are_listed():
    whole = play("smartbot", Rules(players=2), 1, seed=6, record=True).game(0)
    game = whole.at(30)
    view, blueprint = seen_by(game, game.mover), blueprint_for(find_agent("smartbot"))
    listed = support_of(view, blueprint, Believing(most=10**6))
    drawn = support_of(view, blueprint, Believing(most=10, draws=20_000))
    assert listed.is_exact
    assert not drawn.is_exact
    assert set(drawn.hands.tolist()) <= set(listed.hands.tolist())
    difference = listed.marginals(5) - drawn.marginals(5)
    assert np.abs(difference).max() < 5 * 0.5 / len(drawn.hands) ** 0.5


def test_drawing_ends_even_if_nothing_that_is_drawn_explains_the_game():
    game = play("smartbot", Rules(players=2), 1, seed=6, record=True).game(0).at(30)
    view, other = seen_by(game, game.mover), blueprint_for(find_agent("first-legal"))
    support = support_of(view, other, Believing(most=10, draws=3))
    assert len(support.hands) > 0
    assert support.weights.min() > 0
