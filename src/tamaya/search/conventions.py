"""What a convention says beyond the words: for policies whose memory is common knowledge.

Three things follow from a shared memory alone, whatever it holds:

- a field ``excluded`` tells what each own card cannot be (``public_masks``);
- without one, a hand is possible only if those who hinted, seeing it, came to the memory that
  everybody has: hats of another hand would have been other hats (``record_hints``, ``decodes``);
- a hint is *conventional* if all seats come to the same memory from it, and if it excludes no card
  of another hand that is really there (``conventional_hints``).

None of it says that a seat moved as the policy would have: team-mates who search may play or
discard what they like, as long as their hints keep to the code.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.dispatch import call_observe
from tamaya.game_kernels import MOVE_BIT, apply_move, deal
from tamaya.records import MINIMAL, VIEW
from tamaya.search.assignment import fits_any
from tamaya.search.blueprint import tell_team, wake
from tamaya.search.determinize import copy_game
from tamaya.seating import memory_of
from tamaya.view import fill_view

MAX_HINTS = 24  # hints that are asked about


class Hints(NamedTuple):
    """Hints of others that spoke about the present own hand, the latest last."""

    n: np.ndarray  # [0] first that counts, [1] one past the last
    views: np.ndarray  # VIEW: what the hinter saw afterwards
    events: np.ndarray  # place of the hint in the history
    before: np.ndarray  # [hint, word]: the memory before it
    after: np.ndarray  # [hint, word]: and after


@hot
def excluded_cards(team, order):
    """What everybody knows a card not to be, as a mask."""
    return team.minds.view(np.int32)[team.excluded // 4 + order]


@hot
def public_masks(team, game, seat, masks, costs):
    """What each own card can be, by its hints and the team's memory; by hints if that fails."""
    for slot in range(game.hand_size):
        masks[slot] = game.possible[seat, slot]
    if team.excluded < 0:
        return
    for slot in range(game.hand_size):
        order = game.order[seat, slot]
        if order >= 0:
            masks[slot] &= ~excluded_cards(team, order)
    if not fits_any(game, seat, masks, costs):  # somebody did not keep to the code
        for slot in range(game.hand_size):
            masks[slot] = game.possible[seat, slot]


@hot
def record_hints(stage, team):
    """Note the hints that an own hand must explain, if the memory has no sets."""
    info = team.info[0]
    n_words = len(team.minds)
    is_needed = info.shared and team.excluded < 0 and stage.now[0].observation != MINIMAL
    size = MAX_HINTS if is_needed else 0
    found = Hints(np.zeros(2, np.int64), np.zeros(size, VIEW), np.zeros(size, np.int64),
                  np.zeros((size, n_words), np.uint64),
                  np.zeros((size, n_words), np.uint64))  # fmt: skip
    if not is_needed:
        return found
    now, again, minds = stage.now[0], stage.again[0], team.minds
    n_hints = 0
    for k in range(now.n_moves):
        n_hints += now.history[k].card < 0 and now.history[k].seat != stage.seat
    again.deck[:] = stage.game[0].deck
    again.start = now.start
    deal(again)
    wake(team, np.uint64(1))
    for k in range(now.n_moves):
        event = now.history[k]
        is_hint = event.card < 0 and event.seat != stage.seat
        apply_move(again, event.move)
        n_hints -= is_hint
        place = found.n[1]
        is_noted = is_hint and n_hints < MAX_HINTS and held_before(now, again, stage.seat)
        if is_noted:
            found.before[place] = minds
        tell_team(team, again, stage.seat, stage.seen[0])
        if is_noted:
            found.after[place] = minds
            found.events[place] = k
            fill_view(again, event.seat, found.views[place])
            found.n[1] += 1
    return found


@hot
def held_before(now, then, seat):
    """Whether a seat held one of its present cards then."""
    for slot in range(now.hand_size):
        if now.order[seat, slot] >= 0:
            for other in range(then.hand_size):
                if then.order[seat, other] == now.order[seat, slot]:
                    return True
    return False


@hot
def decodes(stage, team, hints, game):
    """Whether all hinters, seeing an imagined hand, came to the memory that everybody has."""
    who, minds = team.roster[0], team.minds
    for k in range(hints.n[1] - 1, hints.n[0] - 1, -1):
        view = hints.views[k]
        for slot in range(view.hand_size):
            order = view.order[stage.seat, slot]
            if order >= 0:
                view.card[stage.seat, slot] = game.deck[order]
        view.is_counted = 0
        minds[:] = hints.before[k]
        event = stage.now[0].history[hints.events[k]]
        call_observe(who.observe, view, event, memory_of(team.info[0], minds, 0), who.params)
        if not is_same(minds, hints.after[k]):
            return False
    return True


@hot
def is_same(minds, others):
    """Whether two memories hold the same, their generators apart."""
    for word in range(1, len(minds)):  # noqa: SIM110
        if minds[word] != others[word]:
            return False
    return True


@hot
def conventional_hints(stage, team, game, hints):
    """Those of a mask of hints that keep to the convention, as another mask.

    ``game`` is an imagined game at the root, the team's memory that of the root.
    """
    if not team.info[0].shared:
        return hints
    found, before, after = np.uint64(0), team.minds.copy(), team.minds.copy()
    again, seen = stage.again[0], stage.seen[0]
    for move in range(64):
        if not hints & MOVE_BIT[move]:
            continue
        copy_game(again, game)
        apply_move(again, move)
        team.minds[:] = before
        tell_team(team, again, stage.seat, seen)
        after[:] = team.minds
        is_kept = excludes_nothing_true(team, again, stage.seat)
        for seat in range(game.players):
            if is_kept and seat != stage.seat:
                team.minds[:] = before
                tell_team(team, again, seat, seen)
                is_kept = is_same(team.minds, after)
        if is_kept:
            found |= MOVE_BIT[move]
    team.minds[:] = before
    return found


@hot
def excludes_nothing_true(team, game, seat):
    """Whether the sets of the memory agree with the cards of all other seats."""
    if team.excluded < 0:
        return True
    for other in range(game.players):
        for slot in range(game.hand_size):
            card, order = game.card[other, slot], game.order[other, slot]
            if other != seat and card >= 0 and excluded_cards(team, order) & BIT[card]:
                return False
    return True
