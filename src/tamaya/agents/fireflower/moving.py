"""Any move, real or imagined: made on the board, interpreted by the conventions, settled."""

import numpy as np

from tamaya.agents.fireflower.actions import read_discard, read_play
from tamaya.agents.fireflower.board import spend_token
from tamaya.agents.fireflower.hints import read_hint
from tamaya.agents.fireflower.recognition import refresh
from tamaya.agents.fireflower.simplify import settle
from tamaya.compiled import hot

# Kinds of moves, in the order of the ids of ``tamaya.moves``; a blind hint says nothing.
DISCARD_CARD, PLAY_CARD, COLOUR_HINT, RANK_HINT, BLIND_HINT = np.arange(5)
NONE = np.int64(0)


@hot
def make_move(state, ledger, kind, place, hint, touched):
    """Make and interpret a move; False if cards contradict each other, as imagined ones may.

    ``place`` is the mover's slot or the seat that gets a hint, ``hint`` the number of the hint (see
    ``tamaya.knowledge.hints``), ``touched`` the slots it names. An own card must have a face.
    """
    if kind == PLAY_CARD:
        read_play(state, ledger, place)
    elif kind == DISCARD_CARD:
        read_discard(state, ledger, place)
    else:
        spend_token(state)
        refresh(state)
        if kind == BLIND_HINT:
            state.n_blind += 1
        else:
            read_hint(state, ledger, place, hint, touched)
    return settle(state, ledger)
