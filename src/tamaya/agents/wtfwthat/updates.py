"""Public updates: what everybody concludes from a move, by what was known before it."""

from tamaya.agents.wtfwthat.desk import lay_before
from tamaya.agents.wtfwthat.hats import exclude_playable, read_sum
from tamaya.agents.wtfwthat.hints import n_messages, number_of
from tamaya.agents.wtfwthat.slots import playable_slots, useless_slots
from tamaya.cards import COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import HINT_COLOUR, PLAY, kind_of, slot_of, value_of
from tamaya.records import GAINED_TOKEN


@hot
def note_hint(view, event, desk, options):
    """Read the number that a hint announces, then its words."""
    budget = n_messages(view, desk, event.seat, options)
    if budget > 1:
        read_sum(view, desk, event.seat, number_of(view, desk, event, options), budget, options)
    value = value_of(view, event.move)
    is_colour = kind_of(view, event.move) == HINT_COLOUR
    hint = COLOUR_MASK[value] if is_colour else RANK_MASK[value]
    for slot in range(view.hand_size):
        wanted = hint if event.touched & SLOT_BIT[slot] else ~hint
        if desk.sets[event.target, slot] & wanted:
            desk.sets[event.target, slot] &= wanted
        elif desk.order[event.target, slot] >= 0:  # words are true, whatever was concluded
            desk.sets[event.target, slot] = view.possible[event.target, slot] & wanted


@hot
def note_choice(view, event, desk, slots, options):
    """Read the number that the choice among equally good slots announces."""
    bit = SLOT_BIT[slot_of(view, event.move)]
    if popcount(slots) >= 2 and slots & bit:
        number = popcount(slots & (bit - 1))
        read_sum(view, desk, event.seat, number, popcount(slots), options)


@hot
def note_event(view, event, memory, options, desks):
    """Keep the tables after a move."""
    desk = desks[0]
    if event.card >= 0 and kind_of(view, event.move) == PLAY and not options.plays:
        return
    lay_before(view, event, memory, desk, options.deduce)
    if event.card < 0:
        note_hint(view, event, desk, options)
    elif kind_of(view, event.move) == PLAY:
        slots = playable_slots(view, desk.sets[event.seat], desk.playable)
        note_choice(view, event, desk, slots, options)
    else:
        slots = useless_slots(view, desk.sets[event.seat], desk.dead)
        tokens = view.tokens - (1 if event.effect & GAINED_TOKEN else 0)
        if tokens > 0 and options.version != 2018:
            exclude_playable(view, desk, event.seat)
        note_choice(view, event, desk, slots, options)
    for seat in range(view.players):
        for slot in range(view.hand_size):
            if desk.order[seat, slot] >= 0:
                memory.excluded[desk.order[seat, slot]] = ~desk.sets[seat, slot]
