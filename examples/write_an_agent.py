"""Write an agent and compare it with another one on the same deals.

python examples/write_an_agent.py
tamaya selfplay examples/write_an_agent.py -p 2-5
"""

import tamaya
from tamaya.agent import agent
from tamaya.cards import RANK_MASK
from tamaya.moves import discard, hint_colour, hint_rank, play
from tamaya.view import own_mask, playable_mask, seat_at, touches_only


@agent("promise")
def promise(view, memory, params):
    """A hinted rank promises playable cards; otherwise discards the oldest card."""
    playable = playable_mask(view)
    for slot in range(view.hand_size):
        if view.told[view.seat, slot] & 2 and own_mask(view, slot) & playable:
            return play(view, slot)
    for offset in range(1, view.players):
        for rank in range(view.ranks):
            is_true = touches_only(view, seat_at(view, offset), RANK_MASK[rank], playable)
            if is_true and view.tokens > 0:
                return hint_rank(view, offset, rank)
    if view.tokens < view.max_tokens:
        return discard(view, 0)
    return hint_colour(view, 1, view.card[seat_at(view, 1), 0] // 5)  # a colour promises nothing


if __name__ == "__main__":
    rules = tamaya.Rules(players=5)
    ours = tamaya.play(promise, rules, games=2000, seed=1).results["score"].astype(float)
    theirs = tamaya.play("certainty", rules, games=2000, seed=1).results["score"].astype(float)
    gain = ours - theirs
    print(f"promise {ours.mean():.2f}, certainty {theirs.mean():.2f}")
    print(f"difference {gain.mean():+.2f} ± {gain.std() / len(gain) ** 0.5:.2f}")
