"""Exact expectations: every hand of a support with every order of the deck, each played once.

The orders of a hand are enumerated lexicographically, so that each shares its first cards with the
previous one. Play is the same until the first different card is drawn, so it is cached: a rollout
continues from the position before that draw, and if the previous game ended earlier, so does this
one.
"""

from math import factorial

import numpy as np

from tamaya.cards import N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game
from tamaya.records import GAME, RUNNING
from tamaya.search.belief.filtering import on_threads
from tamaya.search.belief.hands import CARD_BITS
from tamaya.search.belief.rollouts import ROLLOUT, Deals, deal_hand, replay_apart
from tamaya.search.rollout import follow, outcome_value
from tamaya.search.team import (
    Snapshot,
    blueprint_move,
    make_team,
    observe_apart,
    observes,
    replay_history,
    restore,
    snapshot,
)
from tamaya.search.workspace import N_IDS, new_workspace
from tamaya.seating import observe_event

MAX_DECK = 8  # cards whose orders can be listed at all


def n_orders(deals: Deals, deck_size: int) -> int:
    """Number of distinct orders of the deck over all hands."""
    if deck_size > MAX_DECK:
        return 2**62
    n_cards = len(deals.orders)
    places = np.arange(n_cards, dtype=np.uint64) * np.uint64(5)
    cards = (deals.hands[:, np.newaxis] >> places & CARD_BITS).astype(np.int64)
    held = np.zeros((len(cards), N_CARDS), np.int64)
    np.add.at(held, (np.arange(len(cards))[:, np.newaxis], cards), 1)
    ways = np.array([factorial(k) for k in range(MAX_DECK + 1)])
    left = (deals.unseen - held).clip(0, MAX_DECK)
    return int((ways[deck_size] // ways[left].prod(axis=1)).sum())


@hot
def next_order(deck, first, end):
    """Turn a part of a deck into its next order; returns the first changed index, or -1."""
    place = end - 2
    while place >= first and deck[place] >= deck[place + 1]:
        place -= 1
    if place < first:
        return -1
    other = end - 1
    while deck[other] <= deck[place]:
        other -= 1
    deck[place], deck[other] = deck[other], deck[place]
    low, high = place + 1, end - 1
    while low < high:
        deck[low], deck[high] = deck[high], deck[low]
        low += 1
        high -= 1
    return place


@hot
def play_remembering(team, game, how, seen, games, memories):
    """Play to the end, saving the last position before each draw."""
    for _ in range(how.rollout):
        if game.status != RUNNING:
            return
        size = np.int64(game.deck_size)
        snapshot(team, game, Snapshot(games[size : size + 1], memories[size]))
        follow(team, game, blueprint_move(team, game, seen), seen)


@hot
def make_first(team, game, move, how, seen):
    """Make the candidate move and let all seats observe it."""
    apply_move(game, move)
    if observes(team):
        if move == how.default:
            observe_event(game, seen, team.roster, team.seating, team.info[0], team.memories)
        else:
            observe_apart(team, game, seen)


@hot
def mean_outcome(workspace, team, move, how, games, memories, shared):
    """Mean outcome of a move over all orders of the deck, from the root in ``workspace.again``."""
    game, root, seen = workspace.game[0], workspace.again[0], workspace.seen[0]
    first, end = np.int64(root.n_all) - root.deck_size, np.int64(root.n_all)
    total, n, place, value = 0.0, 0, first, 0.0
    ended_at = first  # the next card of the deck when the last game ended
    while place >= 0:
        if n == 0 or place < ended_at:
            size = end - place
            if n > 0 and games[size].n_moves > 0:
                restore(team, game, Snapshot(games[size : size + 1], memories[size]))
                game.deck[first:end] = root.deck[first:end]
            else:
                restore(team, game, Snapshot(workspace.again, memories[end - first + 1]))
                team.info[0].shared = shared
                for k in range(end - first + 1):
                    games[k].n_moves = 0
                make_first(team, game, move, how, seen)
            play_remembering(team, game, how, seen, games, memories)
            value = outcome_value(game, how.keep)
            ended_at = end - game.deck_size
        total += value
        n += 1
        place = next_order(root.deck, first, end)
    return total / n


@hot
def weigh_orders(view, blueprint, how, deals, moves, means):
    """Write the mean outcome of each move of a mask for each hand: [hand, move]."""
    team = make_team(blueprint, view.players)
    n = np.int64(view.deck_size) + 2
    weigh_orders_in(new_workspace(view, 0, 0.0), team, how, deals, moves, means,
                    np.zeros(n, GAME), np.zeros((n, len(team.memories)), np.uint64))  # fmt: skip


@hot
def weigh_orders_in(workspace, team, how, deals, moves, means, games, memories):
    """``weigh_orders`` in a given workspace, with space for positions by cards left in the deck."""
    game, dice, left = workspace.game[0], workspace.dice[0], np.zeros(N_CARDS, np.int64)
    first = np.int64(workspace.now[0].n_all) - workspace.now[0].deck_size
    last = len(games) - 1  # memories at the root
    for h in range(len(deals.hands)):
        copy_game(game, workspace.now[0])
        dice.rng = how.seed
        deal_hand(game, how.seat, deals.hands[h], deals, left, dice)
        game.deck[first : game.n_all].sort()
        if how.is_parted:
            replay_apart(team, how.seed, game, workspace.again[0], workspace.seen[0])
        else:
            replay_history(team, how.seed, game, workspace.again[0], workspace.seen[0])
        memories[last] = team.memories
        shared = team.info[0].shared
        for move in range(N_IDS):
            if moves & MOVE_BIT[move]:
                copy_game(workspace.again[0], workspace.now[0])
                deal_hand(workspace.again[0], how.seat, deals.hands[h], deals, left, dice)
                workspace.again[0].deck[first : game.n_all].sort()
                means[h, move] = mean_outcome(workspace, team, move, how, games, memories, shared)
        team.info[0].shared = shared


def exact_means(
    view: np.record, blueprint: np.ndarray, how: np.ndarray, deals: Deals, moves: int, threads: int
) -> np.ndarray:
    """[hand, move] -> mean outcome of the moves of a mask over all orders of the deck."""
    assert how.dtype == ROLLOUT
    means = np.zeros((len(deals.hands), N_IDS))

    def call(part: slice) -> None:
        some = deals._replace(hands=deals.hands[part])
        weigh_orders(view, blueprint[0], how[0], some, np.uint64(moves), means[part])

    on_threads(call, len(means), threads, 4)
    return means
