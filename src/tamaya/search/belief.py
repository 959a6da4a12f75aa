"""The deals that a searcher believes in: drawn from what it sees, its convention and its trust.

The own hand is drawn from the sets of the convention (``tamaya.search.conventions``), all deals
equally likely or by Bouzy's assignments; it is drawn again until the others' hints decode to what
they did and, as far as it is trusted that team-mates follow the policy, their recent moves are the
policy's (``tamaya.search.intent``). If hands are hard to find, those found so far serve again, each
with the deck in another order; if there is none at all, the oldest conditions are given up.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.rng import random_unit, seed_of
from tamaya.rules import MAX_HAND
from tamaya.search.assignment import Costs, assign_hand, new_costs
from tamaya.search.blueprint import recall
from tamaya.search.conventions import Hints, decodes, public_masks, record_hints
from tamaya.search.determinize import copy_game, plan_masks, redeal, shuffle_rest
from tamaya.search.intent import Testimony, hear, n_passed
from tamaya.search.simulate import raise_curtain

MAX_HANDS = 2048  # that are kept
MAX_DRAWS = 60_000  # hands drawn per decision
MAX_FIRST = 10_000  # until the oldest condition is given up, if no hand has been found


class Belief(NamedTuple):
    """Where the deals of one decision come from."""

    masks: np.ndarray  # [slot] -> what the own card can be
    costs: Costs
    hints: Hints
    heard: Testimony
    decks: np.ndarray  # [hand, place]: with a hand that passed, unless there are no conditions
    n: np.ndarray  # [0] hands that passed, [1] hands drawn


@hot
def form_belief(stage, team, params, seed):
    """Read the history; leaves the team with its memory at the root."""
    masks, costs = np.zeros(MAX_HAND, np.int64), new_costs()
    game = raise_curtain(stage, seed)
    recall(team, seed, game, stage.again[0], stage.seen[0])
    minds = team.minds.copy()
    public_masks(team, stage.now[0], stage.seat, masks, costs)
    plan_masks(stage.now[0], stage.seat, masks, stage.plan[0])
    hints = record_hints(stage, team)
    heard = hear(stage, team, params.recent if params.trust > 0 else 0)
    team.minds[:] = minds
    n_kept = MAX_HANDS if hints.n[1] + heard.n[0] > 0 else 0
    decks = np.empty((n_kept, DECK_SIZE), np.int8)
    return Belief(masks, costs, hints, heard, decks, np.zeros(2, np.int64))


@hot
def draw_hand(stage, belief, game, by_assignment):
    """Draw the own hand from the sets."""
    if by_assignment:
        assign_hand(game, stage.seat, belief.masks, belief.costs, stage.dice[0])
    else:
        redeal(game, stage.seat, stage.plan[0], stage.dice[0])


@hot
def is_believed(stage, team, belief, game, trust):
    """Whether a hand explains what the others did; each strike is forgiven by chance."""
    if not decodes(stage, team, belief.hints, game):
        return False
    n_allowed = 0
    while n_allowed < belief.heard.n[0] and random_unit(stage.dice[0]) < 1.0 - trust:
        n_allowed += 1
    return n_passed(stage, team, belief.heard, game, n_allowed) == belief.heard.n[0]


@hot
def give_up_oldest(belief):
    """Forget the oldest condition: first what others would have done, then their hints."""
    heard, hints = belief.heard, belief.hints
    if heard.n[0] > 0:
        heard.n[0] = 0
    else:
        hints.n[0] += 1


@hot
def draw_believed(stage, team, belief, params, game):
    """Draw hands until one is believed, as long as it pays; gives whether it is."""
    while True:
        n_left = MAX_FIRST if belief.n[0] == 0 else MAX_DRAWS - belief.n[1]
        for _ in range(n_left):
            draw_hand(stage, belief, game, params.bouzy)
            belief.n[1] += 1
            if is_believed(stage, team, belief, game, params.trust):
                return True
        if belief.n[0] > 0:
            return False
        give_up_oldest(belief)


@hot
def imagine_deal(stage, team, belief, params, k, first):
    """Imagine the k-th deal of a decision, fixed by a seed; gives the game at the root."""
    game, dice = stage.game[0], stage.dice[0]
    dice.rng = seed_of(first, k)
    copy_game(game, stage.now[0])
    if len(belief.decks) == 0:
        draw_hand(stage, belief, game, params.bouzy)
    elif belief.n[0] < MAX_HANDS and draw_believed(stage, team, belief, params, game):
        belief.decks[belief.n[0]] = game.deck
        belief.n[0] += 1
    else:
        game.deck[:] = belief.decks[k % belief.n[0]]
        for slot in range(game.hand_size):
            if game.order[stage.seat, slot] >= 0:
                game.card[stage.seat, slot] = game.deck[game.order[stage.seat, slot]]
    shuffle_rest(game, dice)
    recall(team, seed_of(first, k), game, stage.again[0], stage.seen[0])
    return game
