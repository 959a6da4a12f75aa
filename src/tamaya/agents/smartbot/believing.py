"""SmartBot's beliefs about its own cards: what its conventions leave possible, by unseen copies."""

import numpy as np

from tamaya.agents.smartbot.deciding import private_set, survey
from tamaya.compiled import hot
from tamaya.knowledge.hand_beliefs import beliefs_by_sets


@hot
def write_private_sets(view, memory, masks):
    """Write what each own card can be, by hints and conventions."""
    _, unseen = survey(view, memory)
    for slot in range(view.hand_size):
        masks[slot] = private_set(view, memory, slot, unseen)


def believe(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """Every hand that hints, their meaning and silence leave possible is equally likely."""
    masks = np.zeros(int(view.hand_size), np.int64)
    write_private_sets(view, memory, masks)
    return beliefs_by_sets(view, masks)
