"""The filter of conventions: hands that it allows, each as likely as it should be, and hints."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from search.positions import params_of, view_of
from support import replay, scaled
from tamaya.compiled import JIT, hot
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.registry import find_agent
from tamaya.rng import seed_of
from tamaya.rules import Rules
from tamaya.search.sampling.conventions import conventional_hints, decodes
from tamaya.search.sampling.sampler import belief_sampler, sample_deal
from tamaya.search.team import copy_memories, make_team, restore_memories
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.seat import Seat
from tamaya.table import play

SMALL = Rules(players=3, colours=2, ranks=3, hand_size=2, empty_hints=True)
CONVENTIONS = ["confidence", "hat-information", "hat-recommendation"]


@hot
def consult(view, params, seed, deck, masks, hands):
    """All that a convention says, in one kernel because compiling it takes long.

    Writes the masks of the own slots and the own cards in many deals; returns whether a deck
    decodes to what the others did, all legal hints, and those that keep to the convention.
    """
    workspace, team = new_workspace(view, 1, 0.0), make_team(params, view.players)
    sampler, memories = belief_sampler(workspace, team, params, seed), copy_memories(team)
    masks[:] = sampler.masks
    is_possible = decodes(workspace, team, sampler.hints, deck)
    restore_memories(team, memories)
    game = draw_deal(workspace, seed)
    hints = legal_mask(view) >> np.uint64(2 * view.hand_size) << np.uint64(2 * view.hand_size)
    kept = conventional_hints(workspace, team, game, hints)
    for k in range(len(hands)):
        game = sample_deal(workspace, team, sampler, k, seed_of(seed, k))
        for slot in range(view.hand_size):
            hands[k, slot] = game.card[view.seat, slot]
    return is_possible, hints, kept


def consulted(game: Game, params: np.record, n_hands: int = 0) -> tuple:
    """Whether the true deck decodes, hints and conventional hints, masks and hands."""
    masks, hands = np.zeros(8, np.int64), np.zeros((n_hands, game.rules.hand_size), np.int64)
    found = consult(view_of(game), params, np.uint64(3), game.record.deck, masks, hands)
    return (*found, masks, hands)


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
