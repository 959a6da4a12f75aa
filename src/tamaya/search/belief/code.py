"""Search that follows a code: what every seat may believe and do if all of them search.

Some blueprints use a code: a move stands for a number, and all seats conclude the same from it
(``information``, the hat players). Such a code does not depend on why a move was made. It remains
valid if everybody searches but nobody makes a move from which others would conclude something
false. So each seat may rely on the team's common memory, and only has to keep it correct:

- a card is not what the memory excludes (``known_sight``);
- a move is tried only if all seats arrive at the same memory after it, and if that memory excludes
  no card that another seat really holds (``kept_moves``). The mover sees all those cards.

Plays and discards carry messages too, so they are checked like hints. The mover's own cards do not
matter: its messages are not about them.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import legal_mask
from tamaya.rules import MAX_HAND
from tamaya.search.belief.hands import Sight, sight_of
from tamaya.search.belief.past import SEED
from tamaya.search.sampling.assignment import new_costs
from tamaya.search.sampling.conventions import conventional_moves, narrow_masks
from tamaya.search.team import deal_again, make_team, replay_move, reset_memories
from tamaya.search.workspace import draw_deal, new_workspace


@hot
def read_code(view, blueprint, masks):
    """Write what the code leaves possible for each own slot; returns the moves that follow it."""
    # Records do not keep their arrays alive; the arguments of a call do.
    return read_code_in(new_workspace(view, 0, 0.0), make_team(blueprint, view.players), masks)


@hot
def read_code_in(workspace, team, masks):
    """``read_code`` in a given workspace."""
    now, again, seen = workspace.now[0], workspace.again[0], workspace.seen[0]
    game = draw_deal(workspace, SEED)
    reset_memories(team, SEED)
    deal_again(game, again)
    for k in range(now.n_moves):
        replay_move(team, again, now.history[k].move, workspace.seat, seen)
    narrow_masks(workspace, team, masks, new_costs())
    if now.mover != workspace.seat:
        return np.uint64(0)
    game = draw_deal(workspace, SEED)
    return conventional_moves(workspace, team, game, np.uint64(legal_mask(now)))


def known_sight(view: np.record, blueprint: np.ndarray) -> tuple[Sight, int]:
    """What a seat knows about its hand by hints and by the code, and the moves that follow it."""
    masks = np.zeros(MAX_HAND, np.int64)
    moves = int(read_code(view, blueprint[0], masks))
    sight = sight_of(view)
    return sight._replace(masks=sight.masks & masks[sight.slots]), moves
