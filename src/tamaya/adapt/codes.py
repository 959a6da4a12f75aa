"""Players whose hints are code words: how to notice them in samples.

They play cards that no hint has touched, and always score. Other agents seldom play such cards
or, if they learned their conventions, sometimes fail.
"""

from collections.abc import Sequence

from tamaya.adapt.recognise import EVERYBODY
from tamaya.game import Game
from tamaya.records import SCORED

LEAST_SHARE = 0.15  # of plays, of cards that no hint has touched, for each other player at a table
MOST_SHARE = 0.45  # that is asked for at large tables; a hint tells all others something
LEAST_SCORED = 0.96  # of these
LEAST_PLAYS = 10
# Codes of few words make few such plays at a table of two, but all of them score.
FEW_SHARE, FEW_PLAYS = 0.06, 9


def blind_plays(game: Game, seats: int = EVERYBODY) -> tuple[int, int, int]:
    """How many plays a game has, of cards that no hint had touched, and of these that scored.

    Only those of some seats count, which are given as bits.
    """
    told: set[int] = set()
    now = game.at(0)
    n_plays = n_blind = n_scored = 0
    for move in game.moves:
        orders = now.record.order.copy()
        now.apply(move)
        event, hand = now.events[-1], game.rules.hand_size
        if event.target >= 0:
            told |= {int(orders[event.target, slot]) for slot in range(hand)
                     if int(event.touched) >> slot & 1}  # fmt: skip
        elif move >= hand and seats >> int(event.seat) & 1:
            is_blind = int(event.order) not in told
            n_plays += 1
            n_blind += is_blind
            n_scored += is_blind and int(event.effect) & SCORED != 0
    return n_plays, n_blind, n_scored


def speaks_code(games: Sequence[Game], seats: Sequence[int] = ()) -> bool:
    """Whether the team that played some games, or some seats of each, seems to speak a code."""
    found = map(blind_plays, games, seats or [EVERYBODY] * len(games))
    n_plays, n_blind, n_scored = (sum(counts) for counts in zip(*found, strict=True))
    share = min(LEAST_SHARE * (games[0].rules.players - 1), MOST_SHARE)
    if games[0].rules.players == 2 and n_blind >= max(FEW_PLAYS, FEW_SHARE * n_plays):
        if n_scored == n_blind:
            return True
    is_often = n_blind >= max(LEAST_PLAYS, share * n_plays)
    return is_often and n_scored >= LEAST_SCORED * n_blind
