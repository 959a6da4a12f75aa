"""Beliefs about its own cards: what the public tables leave possible, by unseen copies.

Everybody knows the same sets from the numbers that moves announced; a seat also sees the other
hands, so those copies are not in its own.
"""

import numpy as np

from tamaya.agents.wtfwthat.public_state import PUBLIC_STATE, fill_now, fill_own
from tamaya.compiled import hot
from tamaya.knowledge.hand_beliefs import beliefs_by_sets


@hot
def write_own_sets(view, memory, options, states, masks):
    """Write what the viewer's own cards can be, from the public tables and visible cards."""
    fill_now(view, memory, states[0], options.deduce)
    fill_own(view, states[0], options.deduce)
    for slot in range(view.hand_size):
        masks[slot] = states[0].own[slot]


def believe(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """Every hand that the numbers announced so far leave possible is equally likely."""
    masks = np.zeros(int(view.hand_size), np.int64)
    states, options = np.zeros(1, PUBLIC_STATE), params.options[view.players]
    write_own_sets(view, memory, options, states, masks)
    return beliefs_by_sets(view, masks)
