"""A cheap value of a position, for rollouts that stop before the end of the game.

Points so far, and what may still come: fireworks that can still grow and turns to do it, cards
whose holders know that they can be played, tokens and lives. The weights are guesses that order
positions, not predictions; a rollout to the end is better and some thirty times as expensive.
"""

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import score
from tamaya.records import RUNNING
from tamaya.view import playable_mask, reachable_rank

PER_REACHABLE = 0.35  # of a point that can still be made
PER_KNOWN = 0.5  # of a card, times how likely its holder must think it playable
PER_TOKEN, PER_LIFE = 0.1, 0.5
LIKELY = 0.6  # so likely a holder would play


@hot
def n_reachable(game):
    """Points that discards, and the turns that are left, still allow."""
    n = 0
    for colour in range(game.colours):
        n += reachable_rank(game, colour) - game.firework[colour]
    n_turns = game.deck_size + game.turns_left
    return min(n, n_turns)


@hot
def known_plays(game):
    """Sum over all hands of how playable their holders must think their cards, if likely."""
    playable, total = playable_mask(game), 0.0
    for seat in range(game.players):
        for slot in range(game.hand_size):
            possible = game.possible[seat, slot]
            if game.order[seat, slot] >= 0 and possible:
                likely = popcount(possible & playable) / popcount(possible)
                if likely >= LIKELY:
                    total += likely
    return total


@hot
def estimate(game):
    """Value of a position in points; of a finished game its score."""
    if game.status != RUNNING:
        return float(score(game))
    return (
        game.points
        + PER_REACHABLE * n_reachable(game)
        + PER_KNOWN * known_plays(game)
        + PER_TOKEN * game.tokens
        + PER_LIFE * game.lives
    )
