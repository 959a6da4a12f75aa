"""An agent with memory: a colour hint promises its newest card, which `observe` writes down.

python examples/remember_hints.py
tamaya watch examples/remember_hints.py -p 4
"""

import numpy as np

import tamaya
from tamaya.agent import agent
from tamaya.moves import HINT_COLOUR, discard, hint_colour, hint_rank, kind_of, play
from tamaya.view import is_playable, seat_at


@agent("newest", memory=[("promised", np.int64)])  # zero at the deal, so slots count from one
def newest(view, memory, params):
    """Plays what was promised, promises newest cards, otherwise discards the oldest."""
    if memory.promised > 0:
        return play(view, memory.promised - 1)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        card = view.card[seat, view.n_cards[seat] - 1]
        if view.tokens > 0 and is_playable(view, card):
            return hint_colour(view, offset, card // 5)
    is_full = view.tokens == view.max_tokens  # a rank promises nothing
    return hint_rank(view, 1, view.card[seat_at(view, 1), 0] % 5) if is_full else discard(view, 0)


@newest.observe
def note(view, event, memory, params):
    """Called for every seat after every move."""
    if event.target == view.seat and kind_of(view, event.move) == HINT_COLOUR:
        memory.promised = view.n_cards[view.seat]
    elif event.seat == view.seat:
        memory.promised = 0


if __name__ == "__main__":
    played = tamaya.play(newest, tamaya.Rules(players=4), games=2000, seed=1)
    print(f"mean score {played.results['score'].mean():.2f}")
