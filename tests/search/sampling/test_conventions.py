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
from tamaya.search.sampling.conventions import conventional_moves, decodes
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

    Writes the masks of its own slots and its own cards in many deals; returns whether a deck
    decodes to what the others did, all legal hints, and those that keep to the convention.
    """
    workspace, team = new_workspace(view, 1, 0.0), make_team(params, view.players)
    sampler, memories = belief_sampler(workspace, team, params, seed), copy_memories(team)
    masks[:] = sampler.masks
    is_possible = decodes(workspace, team, sampler.hints, deck)
    restore_memories(team, memories)
    game = draw_deal(workspace, seed)
    hints = legal_mask(view) >> np.uint64(2 * view.hand_size) << np.uint64(2 * view.hand_size)
    kept = conventional_moves(workspace, team, game, hints)
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


def hidden_places(game: Game) -> tuple[list[int], list[int]]:
    """Places of the deck that the seat to move does not see: of its hand, and not dealt yet."""
    now, size = game.record, game.rules.deck_size
    own = now.order[game.mover, : game.rules.hand_size]
    return [int(order) for order in own if order >= 0], list(range(size - now.deck_size, size))


def explaining_deals(name: str, game: Game) -> Counter:
    """How many deals of its own hand there are with each hand that the convention allows.

    Every seat plays the history for itself; a hand is possible if all come to the same memory
    after each hint, and if its cards are not excluded.
    """
    agent, (own, undealt) = find_agent(name), hidden_places(game)
    hidden = [game.deck[place] for place in (*own, *undealt)]
    truth = memories(agent, game, game.deck)
    deals, verdicts = Counter(), {}
    for cards in permutations(range(len(hidden)), len(own)):
        hand = tuple(hidden[k] for k in cards)
        if hand not in verdicts:
            verdicts[hand] = is_explained(agent, game, hand, truth)
        deals[hand] += verdicts[hand]
    return +deals


def deck_with(game: Game, hand: tuple[int, ...]) -> list[int]:
    """The deck of a game with another own hand."""
    deck, (own, undealt) = game.deck, hidden_places(game)
    rest = [deck[place] for place in (*own, *undealt)]
    for card in hand:
        rest.remove(card)
    for place, card in zip((*own, *undealt), (*hand, *rest), strict=True):
        deck[place] = card
    return deck


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


def is_explained(agent, game: Game, hand: tuple[int, ...], truth) -> bool:
    """Whether a hand agrees with hints and convention; ``truth`` is what seats remember."""
    seat, now, (own, _) = game.mover, game.record, hidden_places(game)
    if not fits(game, hand, now.possible[seat]):
        return False
    if "excluded" in (agent.memory.names or ()):
        memory = np.frombuffer(truth[-1][seat], agent.memory)[0]
        return not any(memory["excluded"][place] >> card & 1
                       for place, card in zip(own, hand, strict=True))  # fmt: skip
    found = memories(agent, game, deck_with(game, hand))
    return all(
        after[int(event.seat)] == real[seat]
        for after, real, event in zip(found, truth, game.events, strict=True)
        if event.card < 0 and event.seat != seat
    )


@hot
def judge(view, params, decks, masks, verdicts):
    """Write the masks of its own slots, and which decks decode to what the others did."""
    workspace, team = new_workspace(view, 1, 0.0), make_team(params, view.players)
    sampler = belief_sampler(workspace, team, params, np.uint64(3))
    masks[:] = sampler.masks
    for k in range(len(decks)):
        verdicts[k] = decodes(workspace, team, sampler.hints, decks[k])


def fits(game: Game, hand: tuple[int, ...], masks: np.ndarray) -> bool:
    """Whether the cards of an own hand lie in the masks of the slots that hold something."""
    held = [int(masks[slot]) for slot in range(game.rules.hand_size)
            if game.record.order[game.mover, slot] >= 0]  # fmt: skip
    return all(mask >> card & 1 for mask, card in zip(held, hand, strict=True))


@pytest.mark.interpreted
@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_hand_is_allowed_exactly_if_all_hinters_meant_it(name):
    agent, params = find_agent(name), params_of(f"search:blueprint={name}")
    counts = Counter()
    for game in stopped_games(name, SMALL, 6, 7):
        seat, now, (own, undealt) = game.mover, game.record, hidden_places(game)
        hidden = [game.deck[place] for place in (*own, *undealt)]
        hands = sorted(set(permutations(hidden, len(own))))
        decks = np.zeros((len(hands), 50), np.int8)
        for row, hand in zip(decks, hands, strict=True):
            row[: game.rules.deck_size] = deck_with(game, hand)
        masks, verdicts = np.zeros(8, np.int64), np.zeros(len(hands), np.int64)
        judge(view_of(game), params, decks, masks, verdicts)
        truth = memories(agent, game, game.deck)
        for hand, verdict in zip(hands, verdicts, strict=True):
            is_allowed = is_explained(agent, game, hand, truth)
            assert is_allowed == bool(verdict and fits(game, hand, masks))
            counts[fits(game, hand, now.possible[seat]), is_allowed] += 1
    assert counts[True, False] > 0  # the convention rules out more than the hints do
    assert counts[True, True] > 0


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
