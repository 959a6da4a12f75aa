"""Bouzy's consistent hands: an assignment of unseen cards to own slots, with random costs.

Rows are the slots of the own hand, columns the hidden places of the deck; a slot may take a place
if the card there is in the slot's mask. Every allowed pair gets a random cost, and the Hungarian
method finds the cheapest assignment. Every hand that fits can result, but not with equal
probability, as it does in ``tamaya.search.sampling.determinize``.

With all costs equal the same method determines whether any hand fits.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import BIT, DECK_SIZE
from tamaya.compiled import hot
from tamaya.rng import random_unit
from tamaya.rules import MAX_HAND
from tamaya.search.sampling.determinize import show_hand

FORBIDDEN = 1e6  # more than all other costs together
FREE = -1


class Costs(NamedTuple):
    """Scratch space of the method."""

    place: np.ndarray  # [column] -> hidden place of the deck
    card: np.ndarray  # [column] -> card that lies there
    cost: np.ndarray  # [row, column]
    row_price: np.ndarray  # dual variables
    column_price: np.ndarray
    row_of: np.ndarray  # [column] -> row that takes it, or FREE
    before: np.ndarray  # [column] -> column before it on the cheapest path, or FREE
    reach: np.ndarray  # [column] -> cost of the cheapest path to it
    is_done: np.ndarray  # [column] -> whether that path is final


@hot
def new_costs():
    """Empty scratch space."""
    return Costs(
        np.zeros(DECK_SIZE, np.int64), np.zeros(DECK_SIZE, np.int64),
        np.zeros((MAX_HAND, DECK_SIZE)), np.zeros(MAX_HAND), np.zeros(DECK_SIZE),
        np.zeros(DECK_SIZE, np.int64), np.zeros(DECK_SIZE, np.int64),
        np.zeros(DECK_SIZE), np.zeros(DECK_SIZE, np.int64),
    )  # fmt: skip


@hot
def hidden_places(game, seat, costs):
    """List the hidden places: those of its own hand first, then the deck; returns rows and all."""
    n_rows, n = 0, 0
    for slot in range(game.hand_size):
        if game.order[seat, slot] >= 0:
            costs.place[n] = game.order[seat, slot]
            n += 1
    n_rows = n
    for place in range(game.n_all - game.deck_size, game.n_all):
        costs.place[n] = place
        n += 1
    for column in range(n):
        costs.card[column] = game.deck[costs.place[column]]
    return n_rows, n


@hot
def add_row(costs, row, n):
    """Assign one more row, reassigning others where that is cheaper: one step of the method."""
    for column in range(n):
        costs.reach[column] = np.inf
        costs.is_done[column] = 0
    here, who = FREE, row
    while who != FREE:
        lowest, nearest = np.inf, FREE
        for column in range(n):
            if costs.is_done[column]:
                continue
            step = costs.cost[who, column] - costs.row_price[who] - costs.column_price[column]
            if step < costs.reach[column]:
                costs.reach[column] = step
                costs.before[column] = here
            if costs.reach[column] < lowest:
                lowest, nearest = costs.reach[column], column
        costs.row_price[row] += lowest
        for column in range(n):
            if costs.is_done[column]:
                costs.row_price[costs.row_of[column]] += lowest
                costs.column_price[column] -= lowest
            else:
                costs.reach[column] -= lowest
        costs.is_done[nearest] = 1
        here, who = nearest, costs.row_of[nearest]
    while here != FREE:
        previous = costs.before[here]
        costs.row_of[here] = row if previous == FREE else costs.row_of[previous]
        here = previous


@hot
def assign(costs, n_rows, n):
    """Find the cheapest assignment; returns whether it avoids forbidden pairs."""
    costs.row_price[:] = 0.0
    costs.column_price[:] = 0.0
    costs.row_of[:] = FREE
    for row in range(n_rows):
        add_row(costs, row, n)
    for column in range(n):
        row = costs.row_of[column]
        if row != FREE and costs.cost[row, column] >= FORBIDDEN:
            return False
    return True


@hot
def fits_any(game, seat, masks, costs):
    """Whether the hidden cards can be dealt so that each own slot gets a card of its mask."""
    n_rows, n = hidden_places(game, seat, costs)
    row = 0
    for slot in range(game.hand_size):
        if game.order[seat, slot] >= 0:
            for column in range(n):
                fits = BIT[costs.card[column]] & masks[slot]
                costs.cost[row, column] = 0.0 if fits else FORBIDDEN
            row += 1
    return assign(costs, n_rows, n)


@hot
def assign_hand(game, seat, masks, costs, memory):
    """Draw the hand of a seat by an assignment with random costs; some hand must fit."""
    n_rows, n = hidden_places(game, seat, costs)
    row = 0
    for slot in range(game.hand_size):
        if game.order[seat, slot] >= 0:
            for column in range(n):
                fits = BIT[costs.card[column]] & masks[slot]
                costs.cost[row, column] = random_unit(memory) if fits else FORBIDDEN
            row += 1
    assign(costs, n_rows, n)
    spare = n_rows  # the next place for a card that no slot takes
    for column in range(n):
        row = costs.row_of[column]
        if row == FREE:
            game.deck[costs.place[spare]] = costs.card[column]
            spare += 1
        else:
            game.deck[costs.place[row]] = costs.card[column]
    show_hand(game, seat)
