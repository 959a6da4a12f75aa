"""Rules that play a card; they are always tried."""

from tamaya.agents.rules.facts import candidates, chance, is_known_playable, likeliest_slot
from tamaya.agents.rules.rule import PLAYS, rule
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hands import newest_slot, seat_at
from tamaya.knowledge.sets import is_subset
from tamaya.moves import GIVE_UP, HINT_RANK, NO_MOVE, PLAY, kind_of, play, slot_of, value_of
from tamaya.records import DREW


@rule("PlayIfCertain", PLAYS, source="gene 2")
def play_if_certain(view, memory, line):
    """Plays a card whose colour and rank are known and that is playable."""
    for slot in range(view.hand_size):
        if is_known_playable(view, view.possible[view.seat, slot]):
            return play(view, slot)
    return NO_MOVE


@rule("PlaySafeCard", PLAYS, source="gene 8")
def play_safe_card(view, memory, line):
    """Plays a card that is surely playable, counting visible cards."""
    for slot in range(view.hand_size):
        if is_subset(candidates(view, memory, slot), memory.playable):
            return play(view, slot)
    return NO_MOVE


@rule("PlayProbablySafe", PLAYS, source="genes 3-7, 41-47, 49", p=0.6)
def play_probably_safe(view, memory, line):
    """Plays the card most likely to be playable, if the probability is at least p."""
    slot, likely = likeliest_slot(view, memory, memory.playable)
    return play(view, slot) if slot >= 0 and likely >= line.args[0] else NO_MOVE


@hot
def two_ahead(view):
    """Mask of the cards that become playable by playing one other card."""
    mask = 0
    for colour in range(view.colours):
        if view.firework[colour] + 1 < view.ranks:
            mask |= BIT[5 * colour + view.firework[colour] + 1]
    return mask


@rule("PlayFinesse", PLAYS, source="gene 0")
def play_finesse(view, memory, line):
    """Plays the newest card when the next seat was just told of a card one step too early.

    Original: does so when somebody other than the next seat was told, and crashes when the hint was
    for this seat, which ends the game.
    """
    if view.n_moves == 0:
        return NO_MOVE
    event = view.history[view.n_moves - 1]
    if event.target < 0:
        return NO_MOVE
    is_for_next = event.target == seat_at(view, 1)
    if line.faithful:
        if is_for_next:
            return NO_MOVE
        if event.target == view.seat:
            return GIVE_UP
    elif view.players < 3 or not is_for_next:
        return NO_MOVE
    wanted = two_ahead(view)
    for slot in range(view.hand_size):
        card = view.card[event.target, slot]
        if event.touched & SLOT_BIT[slot] and card >= 0 and BIT[card] & wanted:
            return play(view, newest_slot(view, view.seat))
    return NO_MOVE


@rule("PlayFinesseTold", PLAYS, source="gene 1")
def play_finesse_told(view, memory, line):
    """Plays the one card named by the last move but one, when the last move was a play."""
    if view.n_moves < 2:
        return NO_MOVE
    last, told = view.history[view.n_moves - 1], view.history[view.n_moves - 2]
    if kind_of(view, last.move) != PLAY or told.target != view.seat:
        return NO_MOVE
    return play(view, only_slot(told.touched)) if popcount(told.touched) == 1 else NO_MOVE


@hot
def only_slot(touched):
    """The slot of a mask of one slot."""
    return popcount(touched - 1)


@hot
def remember_slots(view, memory):
    """Start walking back through the history: every slot maps to itself."""
    for slot in range(view.hand_size):
        memory.now[slot] = slot


@hot
def step_back(view, memory, event, faithful):
    """Walk back over an own play or discard, tracking where earlier cards are now.

    With refill in place the original uses slot numbers, even if the card has been replaced since.
    """
    slot = slot_of(view, event.move)
    if view.refills_in_place:
        if not faithful and event.effect & DREW:
            memory.now[slot] = -1
        return
    for earlier in range(view.hand_size - 1, slot, -1):
        memory.now[earlier] = memory.now[earlier - 1]
    memory.now[slot] = -1


@hot
def colour_promise(view, memory, colour, faithful):
    """Whether the card that a lone colour hint promises may still be in hand or deck."""
    height = view.firework[colour] - 1 if faithful else view.firework[colour]
    if height < 0 or height >= view.ranks:
        return False
    return BIT[5 * colour + height] & (memory.ones | memory.twos) != 0


@hot
def rank_promise(view, memory, rank):
    """Whether a playable card of a rank may still be in hand or deck."""
    for colour in range(view.colours):
        card = BIT[5 * colour + rank]
        if view.firework[colour] == rank and card & (memory.ones | memory.twos):
            return True
    return False


@rule("PlayUniquePossibleCard", PLAYS, source="gene 9")
def play_unique_possible_card(view, memory, line):
    """Plays the card that a hint named alone, while it may still be playable.

    Original: for colours it tests whether the card last played of that colour, not the next one, is
    still unseen; for ranks it may take a card drawn later for the one that was named.
    """
    remember_slots(view, memory)
    stale = 0
    for k in range(view.n_moves - 1, -1, -1):
        event = view.history[k]
        if event.target == view.seat and popcount(event.touched) == 1:
            then = only_slot(event.touched)
            slot = memory.now[then]
            value = value_of(view, event.move)
            if kind_of(view, event.move) == HINT_RANK:
                if slot >= 0 and rank_promise(view, memory, value):
                    return play(view, slot)
            elif not stale & SLOT_BIT[then] and slot >= 0:
                if colour_promise(view, memory, value, line.faithful):
                    return play(view, slot)
        elif event.seat == view.seat and event.target < 0:
            step_back(view, memory, event, line.faithful)
            if view.refills_in_place and event.effect & DREW:
                stale |= SLOT_BIT[slot_of(view, event.move)]
                if popcount(stale) == view.hand_size:
                    return NO_MOVE
    return NO_MOVE


@rule("PlayJustHinted", PLAYS, source="genes 50-66", single=False, newest=False, lives=0, p=0.0)
def play_just_hinted(view, memory, line):
    """Plays the likeliest card hinted since my last move, if at least p and lives exceed a bound.

    single requires that the hint named only that card, newest that it is my newest card; a sure
    card is played regardless of lives.

    Original: hints count back to the first move by another seat that was not a hint to me, through
    my own moves, and old hints point at slots, even if their cards have been replaced since.
    """
    touched = just_hinted(view, memory, line.args[0] != 0, line.faithful)
    if line.args[1] != 0:
        touched &= SLOT_BIT[newest_slot(view, view.seat)]
    best, best_chance = -1, -1.0
    for slot in range(view.hand_size):
        if touched & SLOT_BIT[slot]:
            here = chance(memory, view.possible[view.seat, slot], memory.playable)
            if here >= best_chance:
                best, best_chance = slot, here
    if best < 0:
        return NO_MOVE
    is_bold = best_chance >= line.args[3] and view.lives > line.args[2]
    return play(view, best) if best_chance >= 1.0 or is_bold else NO_MOVE


@hot
def just_hinted(view, memory, single, faithful):
    """Own slots, as a mask, that recent hints named, alone if required."""
    remember_slots(view, memory)
    slots = 0
    for k in range(view.n_moves - 1, -1, -1):
        event = view.history[k]
        if event.target == view.seat:
            if not single or popcount(event.touched) == 1:
                slots |= slots_now(view, memory, event.touched)
        elif event.seat == view.seat:
            if not faithful:
                break
            if event.target < 0:
                step_back(view, memory, event, faithful)
        elif faithful:
            break
    return slots


@hot
def slots_now(view, memory, touched):
    """The present slots, as a mask, of cards that were in some slots."""
    slots = 0
    for slot in range(view.hand_size):
        if touched & SLOT_BIT[slot] and memory.now[slot] >= 0:
            slots |= SLOT_BIT[memory.now[slot]]
    return slots
