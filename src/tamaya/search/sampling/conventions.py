"""The filter by conventions: what hints mean to blueprints whose memory is common knowledge.

Three things follow from any shared memory:

- a field ``excluded`` says what each own card cannot be (``narrow_masks``);
- without one, a hand is possible only if those who hinted, seeing it, arrived at the memory that
  everybody has: other hands would have encoded other hats (``relevant_hints``, ``decodes``);
- a move is *conventional* if all seats arrive at the same memory from it, and if that excludes no
  card that another seat really holds (``conventional_moves``).

None of this assumes that a seat moved as the blueprint would have: team-mates who search may play
or discard anything, as long as their hints follow the code.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game
from tamaya.records import MINIMAL, VIEW
from tamaya.search.sampling.assignment import fits_any
from tamaya.search.sampling.determinize import plan_masks, show_hand_in
from tamaya.search.team import (
    copy_memories,
    deal_again,
    excluded_cards,
    is_shared,
    observe_as,
    observe_on,
    remembers,
    replay_move,
    reset_memories,
    restore_memories,
    save_memories,
)
from tamaya.search.workspace import N_IDS
from tamaya.view import fill_view

MAX_HINTS = 24  # hints that a hand has to explain


class Hints(NamedTuple):
    """Hints of others, given while the seat held one of its present cards; the latest last."""

    n: np.ndarray  # [0] first that counts, [1] one past the last
    views: np.ndarray  # VIEW: what the hinter saw afterwards
    events: np.ndarray  # place of the hint in the history
    before: np.ndarray  # [hint, word]: the memory before it
    after: np.ndarray  # [hint, word]: and after


@hot
def new_hints(size, n_words):
    """Empty arrays for some hints."""
    return Hints(np.zeros(2, np.int64), np.zeros(size, VIEW), np.zeros(size, np.int64),
                 np.zeros((size, n_words), np.uint64),
                 np.zeros((size, n_words), np.uint64))  # fmt: skip


@hot
def hint_masks(game, seat, masks):
    """Write what hints leave possible for each own slot."""
    for slot in range(game.hand_size):
        masks[slot] = game.possible[seat, slot]


@hot
def narrow_masks(workspace, team, masks, costs):
    """Write what each own card can be by hints and the team's memory, and plan the draw."""
    now, seat = workspace.now[0], workspace.seat
    hint_masks(now, seat, masks)
    if team.excluded >= 0:
        for slot in range(now.hand_size):
            order = now.order[seat, slot]
            if order >= 0:
                masks[slot] &= ~excluded_cards(team, order)
        if not fits_any(now, seat, masks, costs):  # somebody did not follow the code
            hint_masks(now, seat, masks)
    plan_masks(now, seat, masks, workspace.plan[0])


@hot
def relevant_hints(workspace, team, game):
    """The hints that an own hand must explain, if the memory is shared and has no masks.

    ``game`` is any imagined game; the result does not depend on its hidden cards.
    """
    now, again = workspace.now[0], workspace.again[0]
    is_needed = is_shared(team) and team.excluded < 0 and now.observation != MINIMAL
    found = new_hints(MAX_HINTS if is_needed else 0, len(team.memories))
    if not is_needed:
        return found
    n_later = 0
    for k in range(now.n_moves):
        n_later += is_hint_of_another(now.history[k], workspace.seat)
    deal_again(game, again)
    reset_memories(team, np.uint64(1))
    for k in range(now.n_moves):
        event, place = now.history[k], found.n[1]
        is_hint = is_hint_of_another(event, workspace.seat)
        n_later -= is_hint
        is_noted = is_hint and n_later < MAX_HINTS and held_before(now, again, workspace.seat)
        if is_noted:
            save_memories(team, found.before[place])
        replay_move(team, again, event.move, workspace.seat, workspace.seen[0])
        if is_noted:
            save_memories(team, found.after[place])
            found.events[place] = k
            fill_view(again, event.seat, found.views[place])
            found.n[1] += 1
    return found


@hot
def is_hint_of_another(event, seat):
    """Whether an event is a hint by another seat."""
    return event.card < 0 and event.seat != seat


@hot
def held_before(now, then, seat):
    """Whether a seat held one of its present cards at a turn."""
    for slot in range(now.hand_size):
        if now.order[seat, slot] >= 0:
            for other in range(then.hand_size):
                if then.order[seat, other] == now.order[seat, slot]:
                    return True
    return False


@hot
def decodes(workspace, team, hints, deck):
    """Whether all hinters, seeing this seat's hand in a deck, arrived at everybody's memory."""
    for k in range(hints.n[1] - 1, hints.n[0] - 1, -1):
        view = hints.views[k]
        show_hand_in(view, workspace.seat, deck)
        restore_memories(team, hints.before[k])
        observe_on(team, view, workspace.now[0].history[hints.events[k]])
        if not remembers(team, hints.after[k]):
            return False
    return True


@hot
def conventional_moves(workspace, team, game, moves):
    """Those of a mask that keep to the convention, as another mask.

    ``game`` is an imagined game at the root, the team's memory that of the root.
    """
    if not is_shared(team):
        return moves
    found, before, after = np.uint64(0), copy_memories(team), copy_memories(team)
    again, seen = workspace.again[0], workspace.seen[0]
    for move in range(N_IDS):
        if not moves & MOVE_BIT[move]:
            continue
        copy_game(again, game)
        apply_move(again, move)
        restore_memories(team, before)
        observe_as(team, again, workspace.seat, seen)
        save_memories(team, after)
        is_kept = excludes_nothing_true(team, again, workspace.seat)
        for seat in range(game.players):
            if is_kept and seat != workspace.seat:
                restore_memories(team, before)
                observe_as(team, again, seat, seen)
                is_kept = remembers(team, after)
        if is_kept:
            found |= MOVE_BIT[move]
    restore_memories(team, before)
    return found


@hot
def excludes_nothing_true(team, game, seat):
    """Whether the masks of the memory agree with the cards of all other seats."""
    if team.excluded < 0:
        return True
    for other in range(game.players):
        for slot in range(game.hand_size):
            card, order = game.card[other, slot], game.order[other, slot]
            if other != seat and card >= 0 and excluded_cards(team, order) & BIT[card]:
                return False
    return True
