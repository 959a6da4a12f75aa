"""Rules that may make any move; they are always tried."""

from tamaya.agents.rules.facts import is_known_playable, is_known_useless
from tamaya.agents.rules.rule import ANY, rule
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import is_legal, legal_mask, nth_move
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.sets import known_colour, known_rank
from tamaya.moves import GIVE_UP, NO_MOVE, discard, hint_colour, hint_rank, play
from tamaya.rng import random_below


@rule("LegalRandom", ANY, source="gene 39")
def legal_random(view, memory, line):
    """Any legal move, all equally likely."""
    legal = legal_mask(view)
    return nth_move(legal, random_below(memory, popcount(legal)))


@hot
def unblocking_move(view, memory, seat):
    """A discard of a useless card, or a play that completes a colour, that a seat knows of."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] < 0:
            continue
        possible = view.possible[seat, slot]
        if is_known_useless(view, memory, possible):
            return discard(view, slot)
        if known_rank(possible) == view.ranks - 1:
            colour = known_colour(possible)
            if colour >= 0 and view.firework[colour] == view.ranks - 1:
                return play(view, slot)
    return NO_MOVE


@hot
def is_blocked(view, memory, seat):
    """Whether a seat knows neither a useless nor a playable card."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] >= 0:
            possible = view.possible[seat, slot]
            if is_known_useless(view, memory, possible) or is_known_playable(view, possible):
                return False
    return True


@rule("TryToUnBlock", ANY, source="gene 40")
def try_to_unblock(view, memory, line):
    """Without tokens, earns one if a seat with nothing to do comes before one that can earn it."""
    if view.tokens > 0:
        return NO_MOVE
    move = unblocking_move(view, memory, view.seat)
    if move == NO_MOVE or not is_legal(view, move):
        return NO_MOVE
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        if is_blocked(view, memory, seat):
            return move
        if unblocking_move(view, memory, seat) != NO_MOVE:
            return NO_MOVE
    return NO_MOVE


@rule("OsawaRandom", ANY, source="Osawa 2015")
def osawa_random(view, memory, line):
    """Three hints, four discards and three plays in ten moves, all at random.

    Original: may choose a move that is not legal, which ends the game.
    """
    toss = random_below(memory, 10)
    if toss < 3:
        offset = 1 + random_below(memory, view.players - 1)
        if random_below(memory, 2) == 0:
            move = hint_rank(view, offset, random_below(memory, view.ranks))
        else:
            move = hint_colour(view, offset, random_below(memory, view.colours))
    elif toss < 7:
        move = discard(view, random_below(memory, view.hand_size))
    else:
        move = play(view, random_below(memory, view.hand_size))
    if is_legal(view, move):
        return move
    return GIVE_UP if line.faithful else NO_MOVE
