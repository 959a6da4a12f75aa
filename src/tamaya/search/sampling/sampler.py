"""The sampler: deals that are consistent with hints, the convention and recent moves.

The own hand is drawn from the masks of its slots, all deals equally likely or by Bouzy's
assignments, until it passes two filters: the others' hints decode to what they did
(``tamaya.search.sampling.conventions``) and, if team-mates are trusted to follow the blueprint,
their recent moves are the blueprint's (``tamaya.search.sampling.intent``). The rest of
the deck is shuffled.

What happens when hands are hard to find depends on how deals are requested. For deals *in order*
(``belief_sampler`` and ``intent_sampler``) up to ``MAX_DRAWS`` hands are drawn per decision; then
those found so far are reused, and if there is none at all, the oldest condition is dropped. For
deals that are *repeated*, number k for each move that is tried for the k-th time
(``repeating_sampler``), ``MAX_TRIES`` hands are drawn each, and the one that explains most is used
if none passes.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.game_kernels import copy_game
from tamaya.records import record
from tamaya.rules import MAX_HAND
from tamaya.search.sampling.assignment import Costs, assign_hand, new_costs
from tamaya.search.sampling.conventions import (
    Hints,
    decodes,
    hint_masks,
    narrow_masks,
    new_hints,
    relevant_hints,
)
from tamaya.search.sampling.determinize import redeal, show_hand, shuffle_rest
from tamaya.search.sampling.intent import RecentMoves, forgiven_strikes, n_explained, recent_moves
from tamaya.search.team import copy_memories, replay_history, restore_memories
from tamaya.search.workspace import draw_deal

MAX_HANDS = 2048  # that are kept
MAX_DRAWS = 60_000  # hands drawn per decision
MAX_FIRST = 10_000  # before the oldest condition is dropped if no hand is found
MAX_REPEATED = MAX_HANDS // 2  # that are kept for deals that are repeated
MAX_TRIES = 200  # hands drawn for each of these

SETTINGS = record([
    ("trust", np.float64),        # that team-mates follow the blueprint, 0 to 1
    ("by_assignment", np.int64),  # draw hands as Bouzy did
    ("repeats", np.int64),        # deal k is requested more than once
    ("n_kept", np.int64),         # hands that passed
    ("n_drawn", np.int64),
])  # fmt: skip


class Sampler(NamedTuple):
    """The source of the deals of one decision."""

    masks: np.ndarray  # [slot] -> what its own card can be
    costs: Costs
    hints: Hints
    recent: RecentMoves
    decks: np.ndarray  # [hand, place]: with a hand that passed; empty without conditions
    settings: np.ndarray  # one SETTINGS record


@hot
def belief_sampler(workspace, team, params, seed):
    """The sampler by hints, convention and trust; leaves the team with its memory at the root."""
    masks, costs = np.zeros(MAX_HAND, np.int64), new_costs()
    game = draw_deal(workspace, seed)
    replay_history(team, seed, game, workspace.again[0], workspace.seen[0])
    memories = copy_memories(team)
    narrow_masks(workspace, team, masks, costs)
    hints = relevant_hints(workspace, team, game)
    recent = recent_moves(workspace, team, params.recent if params.trust > 0 else 0, game)
    restore_memories(team, memories)
    n_hands = MAX_HANDS if hints.n[1] + recent.n[0] > 0 else 0
    sampler = new_sampler(masks, costs, hints, recent, n_hands)
    sampler.settings[0].trust = params.trust
    sampler.settings[0].by_assignment = params.bouzy
    return sampler


@hot
def intent_sampler(workspace, team, params):
    """The sampler by hints and trust, without conventions."""
    masks = np.zeros(MAX_HAND, np.int64)
    hint_masks(workspace.now[0], workspace.seat, masks)
    n_recent = params.recent if params.trust > 0 else 0
    recent = recent_moves(workspace, team, n_recent, draw_deal(workspace, np.uint64(1)))
    hints = new_hints(0, len(team.memories))
    sampler = new_sampler(masks, new_costs(), hints, recent, MAX_HANDS if recent.n[0] > 0 else 0)
    sampler.settings[0].trust = params.trust
    return sampler


@hot
def repeating_sampler(workspace, team, params):
    """The sampler by hints and trust, for deals that are requested more than once."""
    sampler = intent_sampler(workspace, team, params)
    sampler.settings[0].repeats = 1
    return sampler


@hot
def new_sampler(masks, costs, hints, recent, n_hands):
    """A sampler that has not drawn anything yet."""
    decks = np.empty((n_hands, DECK_SIZE), np.int8)
    return Sampler(masks, costs, hints, recent, decks, np.zeros(1, SETTINGS))


@hot
def sample_deal(workspace, team, sampler, k, seed):
    """Sample deal number k of a decision, determined by a seed; returns the game at the root."""
    game, dice = workspace.game[0], workspace.dice[0]
    dice.rng = seed
    copy_game(game, workspace.now[0])
    if len(sampler.decks) == 0:
        draw_hand(workspace, sampler, game)
    else:
        game.deck[:] = sampler.decks[believed_hand(workspace, team, sampler, game, k)]
        show_hand(game, workspace.seat)
    shuffle_rest(game, dice)
    return game


@hot
def believed_hand(workspace, team, sampler, game, k):
    """Index of the stored hand for deal k, drawn now if necessary."""
    settings = sampler.settings[0]
    if settings.repeats:
        # Recorded games depend on this: the generator first advances by a deal without conditions.
        draw_hand(workspace, sampler, game)
        shuffle_rest(game, workspace.dice[0])
        while settings.n_kept <= k % MAX_REPEATED:
            keep_hand(workspace, team, sampler, game)
        return k % MAX_REPEATED
    if settings.n_kept < len(sampler.decks) and keep_hand(workspace, team, sampler, game):
        return settings.n_kept - 1
    return k % settings.n_kept


@hot
def keep_hand(workspace, team, sampler, game):
    """Draw one more hand that passes and store it; returns whether one was found."""
    settings = sampler.settings[0]
    while not draw_believed(workspace, team, sampler, game):
        if settings.repeats:
            break  # the best of them is used
        if settings.n_kept > 0:
            return False
        drop_oldest_condition(sampler)
    settings.n_kept += 1
    return True


@hot
def draw_believed(workspace, team, sampler, game):
    """Draw hands until one passes; returns whether one did. The best is stored, but not counted."""
    settings, most = sampler.settings[0], -1
    for _ in range(n_tries(settings)):
        draw_hand(workspace, sampler, game)
        settings.n_drawn += 1
        n = n_passed(workspace, team, sampler, game)
        if n > most:
            most = n
            sampler.decks[settings.n_kept] = game.deck
        if n == sampler.recent.n[0]:
            return True
    return False


@hot
def n_tries(settings):
    """Number of hands that may be drawn for the next one."""
    if settings.repeats:
        return MAX_TRIES
    return MAX_FIRST if settings.n_kept == 0 else MAX_DRAWS - settings.n_drawn


@hot
def draw_hand(workspace, sampler, game):
    """Draw the searcher's own hand from its masks."""
    if sampler.settings[0].by_assignment:
        assign_hand(game, workspace.seat, sampler.masks, sampler.costs, workspace.dice[0])
    else:
        redeal(game, workspace.seat, workspace.plan[0], workspace.dice[0])


@hot
def n_passed(workspace, team, sampler, game):
    """How many recent moves a hand explains, or -1 if it does not decode the hints."""
    if not decodes(workspace, team, sampler.hints, game.deck):
        return -1
    settings, recent = sampler.settings[0], sampler.recent
    most = recent.n[0] + settings.repeats  # needless, but recorded games depend on it
    n_forgiven = forgiven_strikes(settings.trust, most, workspace.dice[0])
    return n_explained(workspace, team, recent, game.deck, n_forgiven)


@hot
def drop_oldest_condition(sampler):
    """Drop a condition: first all recent moves, then one hint at a time, the oldest first."""
    if sampler.recent.n[0] > 0:
        sampler.recent.n[0] = 0
    else:
        sampler.hints.n[0] += 1
