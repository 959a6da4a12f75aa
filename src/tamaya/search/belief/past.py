"""The past: every earlier move of the others, with what its mover saw and remembered.

A seat's earlier hands consist of cards that have been revealed since, because they were played or
discarded, and of cards that it still holds. So what a mover saw then follows from what the seat
holds now, and an earlier move can be tested at any later time: a filter that was too expensive can
wait, and only the history itself has to be kept. ``lengths`` says how many of the present cards the
seat held, always the oldest, and ``slots`` where they were.

Where a blueprint's memory is common knowledge it does not depend on the seat's own hand. It stays
common as long as everybody follows the blueprint. When a searcher deviates, seats may interpret its
move differently: from the first such move (``parted``), or from the deal on if the blueprint's
memory is private, the history must be replayed with each hand. How another seat reads its own
deviation depends on the hand that is not known here, so after it memories count as different.
"""

from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import apply_move
from tamaya.records import MINIMAL, VIEW, record
from tamaya.rules import MAX_HAND, MAX_MOVES
from tamaya.search.team import (
    copy_memories,
    deal_again,
    is_shared,
    knows_its_past,
    legal_blueprint_move,
    make_team,
    observe_apart,
    observe_as,
    observes,
    part_memories,
    reset_memories,
    restore_memories,
    save_memories,
)
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.view import fill_view

NEVER = MAX_MOVES + 1  # a turn that no game reaches
BLUEPRINT = record([
    ("blueprint_act", np.int64), ("blueprint_observe", np.int64), ("blueprint_params", np.int64),
    ("blueprint_words", np.int64), ("blueprint_shared", np.int64),
    ("blueprint_excluded", np.int64), ("blueprint_batch", np.int64),
])  # fmt: skip
NOWHERE = np.zeros(MAX_MOVES, np.bool_)  # no turn
SEED = np.uint64(1)  # for generators and hidden cards that do not affect the result


class Past(NamedTuple):
    """Earlier moves of the others, the oldest first."""

    views: np.ndarray  # VIEW: what the mover saw; the seat's own cards are filled in later
    moves: np.ndarray  # what it did
    events: np.ndarray  # place in the history
    lengths: np.ndarray  # how many of its present cards the seat held
    slots: np.ndarray  # [move, card] -> slot of a present card then
    memories: np.ndarray  # [move, word]: what everybody remembered
    costs: np.ndarray  # strikes of a hand that does not explain a move
    parted: int  # from this turn on memories may differ
    default: int  # the blueprint's move now, -1 if it has none or another seat is to move

    def only(self, which: np.ndarray | slice) -> "Past":
        """Some of the moves, in the order of their places."""
        return self._replace(
            views=self.views[which], moves=self.moves[which], events=self.events[which],
            lengths=self.lengths[which], slots=self.slots[which], memories=self.memories[which],
            costs=self.costs[which],
        )  # fmt: skip


@hot
def write_slots(orders, game, seat, slots):
    """Write where the cards of some orders are in a hand; returns how many of them it holds."""
    n = 0
    for place in range(len(orders)):
        for slot in range(game.hand_size):
            if game.order[seat, slot] == orders[place]:
                slots[place] = slot
                n += 1
    return n


@hot
def recall(view, blueprint, orders, searched, past):
    """Record the earlier moves of others made while the seat held cards of some orders.

    Those of ``searched`` turns need not be the blueprint's. Returns their number, the turn at which
    memories diverge, and the blueprint's move now.
    """
    # Records do not keep their arrays alive; the arguments of a call do.
    return recall_in(new_workspace(view, 0, 0.0), make_team(blueprint, view.players), view, orders,
                     searched, past)  # fmt: skip


@hot
def recall_in(workspace, team, view, orders, searched, past):
    """``recall`` in a given workspace."""
    views, moves, events, lengths, slots, memories = past
    seat, again, seen = workspace.seat, workspace.again[0], workspace.seen[0]
    reset_memories(team, SEED)
    parted = np.int64(NEVER) if knows_its_past(team) else np.int64(0)
    n, notes = 0, np.zeros(MAX_HAND, np.int64)
    is_noted = view.observation != MINIMAL
    game = draw_deal(workspace, SEED)
    deal_again(game, again)
    for k in range(view.n_moves):
        event, is_other_move = game.history[k], searched[k]
        if event.seat != seat:
            length = write_slots(orders, again, seat, notes)
            if is_noted and length > 0:
                fill_view(again, event.seat, views[n])
                moves[n] = event.move
                events[n] = k
                lengths[n] = length
                slots[n] = notes
                save_memories(team, memories[n])
                n += 1
        elif is_shared(team):
            before = copy_memories(team)
            is_other_move = legal_blueprint_move(team, again, seen) != event.move
            restore_memories(team, before)
        apply_move(again, event.move)
        if not observes(team):
            continue
        if is_other_move:
            observe_apart(team, again, seen)
            if event.seat != seat and is_shared(team):
                part_memories(team)  # they agree if the seat holds what is imagined here
            if not is_shared(team):
                parted = min(parted, np.int64(k + 1))
        else:
            observe_as(team, again, seat, seen)
    default = np.int64(-1)
    if view.mover == seat and team.roster[0].act != 0:
        default = legal_blueprint_move(team, game, seen)
    return n, parted, default


def past_of(
    view: np.record, blueprint: np.ndarray, orders: np.ndarray, searched: np.ndarray = NOWHERE
) -> Past:
    """The moves of others that a seat's present cards of some orders must explain.

    Moves of ``searched`` turns are handled separately. A blueprint without code has no default.
    """
    size = int(view.n_moves)
    words = int(view.players) * int(blueprint["blueprint_words"][0])
    arrays = (
        np.zeros(size, VIEW), np.zeros(size, np.int64), np.zeros(size, np.int64),
        np.zeros(size, np.int64), np.zeros((size, MAX_HAND), np.int64),
        np.zeros((size, words), np.uint64),
    )  # fmt: skip
    n, parted, default = recall(view, blueprint[0], orders, searched, arrays)
    is_plain = ~searched[arrays[2][:n]]
    views, moves, events, lengths, slots, memories = (array[:n][is_plain] for array in arrays)
    costs = np.ones(len(moves), np.uint8)
    return Past(views, moves, events, lengths, slots, memories, costs, int(parted), int(default))
