"""What a searcher believes: hands that its convention allows, each as likely as it should be."""

from collections import Counter
from itertools import permutations
from random import Random

import numpy as np
import pytest

from support import GENERATOR, replay, scaled
from tamaya.compiled import JIT, hot
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.records import GAME, VIEW
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.assignment import assign, assign_hand, fits_any, new_costs
from tamaya.search.belief import form_belief, imagine_deal
from tamaya.search.blueprint import gather
from tamaya.search.conventions import conventional_hints, decodes
from tamaya.search.determinize import imagine
from tamaya.search.simulate import open_stage
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.view import fill_view

SMALL = Rules(players=3, colours=2, ranks=3, hand_size=2, empty_hints=True)
CONVENTIONS = ["confidence", "hat-information", "hat-recommendation"]


@hot
def consult(view, params, seed, deck, masks, hands):
    """All that a belief says, in one kernel because compiling it takes long.

    Writes the sets of the own slots and the own cards in many imagined deals; gives whether a deck
    decodes to what the others did, all legal hints, and those that keep to the convention.
    """
    stage, team = open_stage(view, 1, 0.0), gather(params, view.players)
    belief, minds = form_belief(stage, team, params, seed), team.minds.copy()
    masks[:] = belief.masks
    stage.game[0].deck[:] = deck
    is_possible = decodes(stage, team, belief.hints, stage.game[0])
    team.minds[:] = minds
    game = imagine_deal(stage, team, belief, params, 0, seed)
    hints = legal_mask(view) >> np.uint64(2 * view.hand_size) << np.uint64(2 * view.hand_size)
    kept = conventional_hints(stage, team, game, hints)
    for k in range(len(hands)):
        game = imagine_deal(stage, team, belief, params, k, seed)
        for slot in range(view.hand_size):
            hands[k, slot] = game.card[view.seat, slot]
    return is_possible, hints, kept


def consulted(game: Game, params: np.record, n_hands: int = 0) -> tuple:
    """Whether the true deck decodes, hints and conventional hints, sets and hands."""
    masks, hands = np.zeros(8, np.int64), np.zeros((n_hands, game.rules.hand_size), np.int64)
    found = consult(view_of(game), params, np.uint64(3), game.record.deck, masks, hands)
    return (*found, masks, hands)


def params_of(text: str) -> np.record:
    return find_agent(text).compile().params[0]


def view_of(game: Game) -> np.record:
    view = np.zeros(1, VIEW)[0]
    fill_view(game.record, game.mover, view)
    return view


def stopped_games(name: str, rules: Rules, n: int, turns: int) -> list[Game]:
    played = play(name, rules, n, seed=1, record=True)
    games = [played.game(k) for k in range(n)]
    return [replay(game, turns=turns) for game in games if game.turn > turns]


def explaining_deals(name: str, game: Game) -> Counter:
    """How many deals of the own hand there are with each hand that the convention allows.

    Every seat plays the history for itself; a hand is possible if all come to the same memory
    after each hint, and if its cards are not excluded.
    """
    seat, now, agent = game.mover, game.record, find_agent(name)
    places = [int(order) for order in now.order[seat, : game.rules.hand_size] if order >= 0]
    undealt = range(game.rules.deck_size - int(now.deck_size), game.rules.deck_size)
    hidden = [game.deck[order] for order in (*places, *undealt)]
    truth = memories(agent, game, game.deck)
    deals, verdicts = Counter(), {}
    for cards in permutations(range(len(hidden)), len(places)):
        hand = tuple(hidden[k] for k in cards)
        if hand not in verdicts:
            verdicts[hand] = is_explained(agent, game, hand, places, truth)
        deals[hand] += verdicts[hand]
    return +deals


def memories(agent, game: Game, deck: list[int]) -> list[list[bytes]]:
    """What each seat remembers after each move, on a deck."""
    again = Game(game.rules, deck=deck, start=int(game.record.start))
    seats = [Seat(agent, again, seat) for seat in range(game.rules.players)]
    for seat in seats:
        seat.memory["rng"] = 0
    rows = []
    for move in game.moves:
        again.apply(move)
        for seat in seats:
            seat.observe()
        rows.append([seat.memory.tobytes() for seat in seats])
    return rows


def is_explained(agent, game: Game, hand, places, truth) -> bool:
    seat, now = game.mover, game.record
    own = [slot for slot in range(game.rules.hand_size) if now.order[seat, slot] >= 0]
    if not all(now.possible[seat, own[k]] >> card & 1 for k, card in enumerate(hand)):
        return False
    deck, swapped = game.deck, game.deck
    pool = [deck[order] for order in places]
    undealt = range(game.rules.deck_size - int(now.deck_size), game.rules.deck_size)
    pool += [deck[order] for order in undealt]
    for card in hand:
        pool.remove(card)
    for order, card in zip((*places, *undealt), (*hand, *pool), strict=True):
        swapped[order] = card
    if "excluded" in (agent.memory.names or ()):
        memory = np.frombuffer(truth[-1][seat], agent.memory)[0]
        return not any(memory["excluded"][order] >> card & 1
                       for order, card in zip(places, hand, strict=True))  # fmt: skip
    found = memories(agent, game, swapped)
    return all(
        after[int(event.seat)] == real[seat]
        for after, real, event in zip(found, truth, game.events, strict=True)
        if event.card < 0 and event.seat != seat
    )


@pytest.mark.skipif(not JIT, reason="takes minutes with the compiler off")
@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_deal_that_the_convention_allows_is_equally_likely(name):
    params, n, n_narrow = params_of(f"search:blueprint={name}"), 2000, 0
    for game in stopped_games(name, SMALL, 6, 7):
        deals = explaining_deals(name, game)
        *_, hands = consulted(game, params, n)
        found = Counter(tuple(int(card) for card in hand if card >= 0) for hand in hands)
        assert set(found) <= set(deals)
        total = sum(deals.values())
        expected = {hand: n * weight / total for hand, weight in deals.items()}
        chi_square = sum((found[hand] - e) ** 2 / e for hand, e in expected.items())
        freedom = len(deals) - 1
        assert chi_square < freedom + 5 * (2 * freedom) ** 0.5 + 5
        n_narrow += len(deals) < 10
    assert n_narrow > 0


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_true_hand_is_possible_while_all_keep_to_the_code(name):
    params = params_of(f"search:blueprint={name}")
    for players in (2, 4):
        rules = Rules(players=players, empty_hints=True)
        for turn in (3, 12, 25, 40):
            for game in stopped_games(name, rules, scaled(8), turn):
                now, seat = game.record, game.mover
                is_possible, _, _, masks, _ = consulted(game, params)
                assert is_possible
                if name == "hat-information":
                    held = [(int(masks[slot]), int(now.card[seat, slot])) for slot in range(4)]
                    assert all(mask >> card & 1 for mask, card in held if card >= 0)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_hint_of_the_blueprint_is_conventional(name):
    params, n_hints, n_kept = params_of(f"search:blueprint={name}"), 0, 0
    rules = Rules(players=4, empty_hints=True)
    played = play(name, rules, scaled(4), seed=2, record=True)
    for k in range(len(played.results)):
        game = played.game(k)
        for turn in range(0, game.turn, 3):
            if game.moves[turn] < 2 * rules.hand_size:
                continue
            _, hints, kept, _, _ = consulted(replay(game, turns=turn), params)
            assert int(kept) >> game.moves[turn] & 1
            assert int(kept) & ~int(hints) == 0
            n_hints += int(hints).bit_count()
            n_kept += int(kept).bit_count()
    assert 0 < n_kept < n_hints


# Assignments.


@hot
def assigned_decks(view, masks, memory, decks):
    """Decks of many assignments with random costs."""
    games, costs = np.zeros(1, GAME), new_costs()
    imagine(view, games[0])
    for k in range(len(decks)):
        assign_hand(games[0], view.seat, masks, costs, memory)
        decks[k] = games[0].deck


@hot
def fits(view, masks, game):
    imagine(view, game)
    return fits_any(game, view.seat, masks, new_costs())


@hot
def cheapest(matrix):
    """The least cost of an assignment of all rows."""
    costs = new_costs()
    n_rows, n = matrix.shape
    for row in range(n_rows):
        for column in range(n):
            costs.cost[row, column] = matrix[row, column]
    assign(costs, n_rows, n)
    total = 0.0
    for column in range(n):
        if costs.row_of[column] >= 0:
            total += matrix[costs.row_of[column], column]
    return total


@pytest.mark.checked
@pytest.mark.interpreted
def test_the_assignment_is_the_cheapest():
    rng = np.random.default_rng(1)
    for _ in range(scaled(60)):
        n_rows, n = int(rng.integers(1, 5)), int(rng.integers(5, 7))
        matrix = rng.random((n_rows, n))
        least = min(sum(matrix[row, column] for row, column in enumerate(columns))
                    for columns in permutations(range(n), n_rows))  # fmt: skip
        assert abs(cheapest(matrix) - least) < 1e-9


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("seed", range(6))
def test_assignments_give_every_hand_that_fits_and_no_other(seed):
    rules = Rules(players=2, colours=2, ranks=3, hand_size=3)
    game, rng = Game(rules, seed=seed), Random(seed)
    view = view_of(game)
    masks = np.zeros(8, np.int64)
    masks[:3] = [sum(1 << card for card in (0, 1, 2, 5, 6, 7) if rng.random() < 0.5)
                 for _ in range(3)]  # fmt: skip
    hidden = [game.deck[order] for order in (0, 1, 2, *range(6, rules.deck_size))]
    fitting = {cards for cards in permutations(hidden, 3)
               if all(int(masks[k]) >> card & 1 for k, card in enumerate(cards))}  # fmt: skip
    assert fits(view, masks, np.zeros(1, GAME)[0]) == bool(fitting)
    if fitting:
        memory, decks = np.zeros(1, GENERATOR)[0], np.zeros((scaled(4000), 50), np.int8)
        assigned_decks(view, masks, memory, decks)
        found = {tuple(int(card) for card in deck[:3]) for deck in decks}
        assert found <= fitting
        assert found == fitting or len(decks) < 4000
        assert all(sorted(deck[: rules.deck_size]) == sorted(game.deck) for deck in decks[:50])
