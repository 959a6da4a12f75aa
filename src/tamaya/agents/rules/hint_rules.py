"""Rules that give a hint; they are tried while there is a token."""

from tamaya.agents.rules.facts import colour_first, is_blank, rank_first
from tamaya.agents.rules.rule import TELLS, rule
from tamaya.cards import BIT, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.knowledge.board import lowest_firework
from tamaya.knowledge.hands import first_slot, has_gap, holds, newest_slot, seat_at
from tamaya.knowledge.hints import (
    give_hint,
    n_hints,
    naming_hint,
    newly_touched,
    touch_mask,
    touched_slots,
)
from tamaya.knowledge.sets import known_colour, known_rank
from tamaya.moves import GIVE_UP, NO_MOVE, hint_colour, hint_rank
from tamaya.rng import random_below


@hot
def tell_first(view, wanted, last_offset):
    """Tell the first card of a set that is not fully known, rank first."""
    for offset in range(1, last_offset + 1):
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            if holds(view, seat, slot, wanted):
                move = rank_first(view, offset, seat, slot)
                if move != NO_MOVE:
                    return move
    return NO_MOVE


@rule("TellAnyoneAboutUsefulCard", TELLS, source="gene 13")
def tell_anyone_about_useful_card(view, memory, line):
    """Tells the first playable card that is not fully known: rank, else colour."""
    return tell_first(view, memory.playable, view.players - 1)


@rule("TellPlayableCardOuter", TELLS, source="gene 21")
def tell_playable_card_outer(view, memory, line):
    """Tells the next seat its first playable card that is not fully known."""
    return tell_first(view, memory.playable, 1)


@rule("TellAboutOnes", TELLS, source="gene 11")
def tell_about_ones(view, memory, line):
    """Tells the next seat its first 1 that is not fully known, playable or not."""
    return tell_first(view, RANK_MASK[0], 1)


@rule("TellToSave", TELLS, source="framework 0.2.6")
def tell_to_save(view, memory, line):
    """Tells the first card that is the last copy and not fully known."""
    return tell_first(view, memory.critical, view.players - 1)


@rule("TellIllInformed", TELLS, source="gene 18")
def tell_ill_informed(view, memory, line):
    """Tells the first card that is playable or, if a discard is possible, useless."""
    wanted = memory.playable
    if view.tokens < view.max_tokens:
        wanted |= memory.dead
    return tell_first(view, wanted, view.players - 1)


@rule("TellToSavePartialOnly", TELLS, source="framework 0.2.6")
def tell_to_save_partial_only(view, memory, line):
    """Tells the rank of the first card that is the last copy and not known at all."""
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            if is_blank(view.possible[seat, slot]) and holds(view, seat, slot, memory.critical):
                return hint_rank(view, offset, view.card[seat, slot] % 5)
    return NO_MOVE


@rule("TellAnyoneAboutOldestUsefulCard", TELLS, source="gene 12")
def tell_anyone_about_oldest_useful_card(view, memory, line):
    """Tells a seat its oldest playable card that is not fully known: colour, else rank.

    Original: chooses the playable card in the highest slot, and skips a seat that knows it.
    """
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        chosen = -1
        for slot in range(view.hand_size):
            if not holds(view, seat, slot, memory.playable):
                continue
            if line.faithful:
                chosen = slot
            elif colour_first(view, offset, seat, slot) != NO_MOVE:
                if chosen < 0 or view.order[seat, slot] < view.order[seat, chosen]:
                    chosen = slot
        if chosen >= 0:
            move = colour_first(view, offset, seat, chosen)
            if move != NO_MOVE:
                return move
    return NO_MOVE


@rule("CompleteTellUsefulCard", TELLS, source="gene 10")
def complete_tell_useful_card(view, memory, line):
    """Tells the unknown half of the first playable card that is half known."""
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            possible = view.possible[seat, slot]
            is_half_known = (known_rank(possible) < 0) != (known_colour(possible) < 0)
            if is_half_known and holds(view, seat, slot, memory.playable):
                return rank_first(view, offset, seat, slot)
    return NO_MOVE


@hot
def tell_either(view, memory, offset, card):
    """Tell the rank or the colour of a card, at random."""
    if random_below(memory, 2) == 0:
        return hint_rank(view, offset, card % 5)
    return hint_colour(view, offset, card // 5)


@rule("TellPlayableCard", TELLS, source="gene 20")
def tell_playable_card(view, memory, line):
    """Tells the next seat rank or colour, at random, of its first playable card, known or not."""
    seat = seat_at(view, 1)
    for slot in range(view.hand_size):
        if holds(view, seat, slot, memory.playable):
            return tell_either(view, memory, 1, view.card[seat, slot])
    return NO_MOVE


@rule("TellRandomly", TELLS, source="gene 22")
def tell_randomly(view, memory, line):
    """Tells the next seat rank or colour, at random, of any of its cards."""
    seat = seat_at(view, 1)
    if view.n_cards[seat] == 0:
        return NO_MOVE
    skip = random_below(memory, view.n_cards[seat])
    for slot in range(view.hand_size):
        if view.card[seat, slot] >= 0:
            if skip == 0:
                return tell_either(view, memory, 1, view.card[seat, slot])
            skip -= 1
    return NO_MOVE


@rule("TellUnknown", TELLS, source="gene 23")
def tell_unknown(view, memory, line):
    """Tells the next seat the first card that is not fully known: colour, else rank."""
    seat = seat_at(view, 1)
    for slot in range(view.hand_size):
        if view.card[seat, slot] >= 0:
            move = colour_first(view, 1, seat, slot)
            if move != NO_MOVE:
                return move
    return NO_MOVE


@rule("TellFives", TELLS, source="gene 17")
def tell_fives(view, memory, line):
    """Tells the first 5 that is not known to be one."""
    top = RANK_MASK[view.ranks - 1]
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            if known_rank(view.possible[seat, slot]) < 0 and holds(view, seat, slot, top):
                return hint_rank(view, offset, view.ranks - 1)
    return NO_MOVE


@rule("TellAnyoneAboutUselessCard", TELLS, source="gene 14")
def tell_anyone_about_useless_card(view, memory, line):
    """Tells the first useless card that is not fully known: rank, else colour.

    Original: stops searching when the first useless card is fully known.
    """
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            if holds(view, seat, slot, memory.dead):
                move = rank_first(view, offset, seat, slot)
                if move != NO_MOVE or line.faithful:
                    return move
    return NO_MOVE


@hot
def other_seat(view, k):
    """The k-th other seat in the order of the seats, as an offset."""
    seat = k if k < view.seat else k + 1
    return (seat - view.seat + view.players) % view.players


@rule("TellDispensable", TELLS, source="genes 15, 48")
def tell_dispensable(view, memory, line):
    """Tells the attribute that shows a card to be useless; in the order of seats."""
    lowest = lowest_firework(view)
    for k in range(view.players - 1):
        offset = other_seat(view, k)
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card < 0:
                continue
            colour, rank, possible = card // 5, card % 5, view.possible[seat, slot]
            needs_rank, needs_colour = known_rank(possible) < 0, known_colour(possible) < 0
            if needs_colour and view.firework[colour] == view.ranks:
                return hint_colour(view, offset, colour)
            if needs_rank and rank < lowest:
                return hint_rank(view, offset, rank)
            if needs_rank != needs_colour and rank < view.firework[colour]:
                return rank_first(view, offset, seat, slot)
    return NO_MOVE


@rule("TellMostInformation", TELLS, source="gene 19; new: framework", new=False)
def tell_most_information(view, memory, line):
    """Gives the hint that touches most cards, or most not yet told; in the order of seats."""
    best, most = NO_MOVE, 0
    for k in range(view.players - 1):
        offset = other_seat(view, k)
        seat = seat_at(view, offset)
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            if line.args[0] != 0:
                n = popcount(newly_touched(view, seat, mask))
            else:
                n = popcount(touched_slots(view, seat, mask))
            if n > most:
                best, most = give_hint(view, offset, hint), n
    return best


@hot
def names_alone(view, seat, slot, kind):
    """Whether a hint of the rank (kind 0) or colour (kind 1) of a card touches no other."""
    hint = naming_hint(view, view.card[seat, slot], kind)
    return popcount(touched_slots(view, seat, touch_mask(view, hint))) == 1


@hot
def finesse_hint(view, offset, seat, slot):
    """The hint that names only one card, completing what is known about it if possible."""
    card, possible = view.card[seat, slot], view.possible[seat, slot]
    rank_names = names_alone(view, seat, slot, 0)
    colour_names = names_alone(view, seat, slot, 1)
    if rank_names and colour_names:
        if known_rank(possible) >= 0:
            return hint_colour(view, offset, card // 5)
        if known_colour(possible) >= 0:
            return hint_rank(view, offset, card % 5)
    if rank_names:
        return hint_rank(view, offset, card % 5)
    if colour_names:
        return hint_colour(view, offset, card // 5)
    return NO_MOVE


@rule("TellFinesse", TELLS, source="gene 16")
def tell_finesse(view, memory, line):
    """Names, to the seat after next, the card that follows the next seat's newest, playable one.

    Original: takes the card in the next seat's lowest slot for its newest, and crashes when the
    hand of the seat after next has an empty slot, which ends the game.
    """
    if view.players < 3:
        return NO_MOVE
    middle, seat = seat_at(view, 1), seat_at(view, 2)
    lead = max(first_slot(view, middle), 0) if line.faithful else newest_slot(view, middle)
    card = view.card[middle, lead]
    if card < 0 or not BIT[card] & memory.playable:
        return NO_MOVE
    if line.faithful and has_gap(view, seat):
        return GIVE_UP
    for slot in range(view.hand_size):
        if card % 5 + 1 < view.ranks and view.card[seat, slot] == card + 1:
            move = finesse_hint(view, 2, seat, slot)
            if move != NO_MOVE:
                return move
    return NO_MOVE
