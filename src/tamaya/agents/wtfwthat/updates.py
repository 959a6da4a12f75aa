"""Public updates: what everybody concludes from a move, given what was known before it."""

from tamaya.agents.wtfwthat.hats import exclude_playable, read_sum
from tamaya.agents.wtfwthat.hints import n_messages, number_of
from tamaya.agents.wtfwthat.public_state import fill_before
from tamaya.agents.wtfwthat.slots import playable_slots, useless_slots
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hints import named_mask
from tamaya.moves import PLAY, kind_of, slot_of
from tamaya.records import GAINED_TOKEN


@hot
def note_hint(view, event, state, options):
    """Decode the number that a hint announces, then apply its literal content."""
    budget = n_messages(view, state, event.seat, options)
    if budget > 1:
        read_sum(view, state, event.seat, number_of(view, state, event, options), budget, options)
    words = named_mask(view, event.move)
    for slot in range(view.hand_size):
        wanted = words if event.touched & SLOT_BIT[slot] else ~words
        if state.sets[event.target, slot] & wanted:
            state.sets[event.target, slot] &= wanted
        elif state.order[event.target, slot] >= 0:  # true even if conclusions were wrong
            state.sets[event.target, slot] = view.possible[event.target, slot] & wanted


@hot
def note_choice(view, event, state, slots, options):
    """Decode the number that the choice among equally good slots announces."""
    bit = SLOT_BIT[slot_of(view, event.move)]
    if popcount(slots) >= 2 and slots & bit:
        number = popcount(slots & (bit - 1))
        read_sum(view, state, event.seat, number, popcount(slots), options)


@hot
def note_event(view, event, memory, options, state):
    """Update the tables after a move."""
    if event.card >= 0 and kind_of(view, event.move) == PLAY and not options.plays:
        return
    fill_before(view, event, memory, state, options.deduce)
    if event.card < 0:
        note_hint(view, event, state, options)
    elif kind_of(view, event.move) == PLAY:
        slots = playable_slots(view, state.sets[event.seat], state.playable)
        note_choice(view, event, state, slots, options)
    else:
        slots = useless_slots(view, state.sets[event.seat], state.dead)
        tokens = view.tokens - (1 if event.effect & GAINED_TOKEN else 0)
        if tokens > 0 and options.version != 2018:
            exclude_playable(view, state, event.seat)
        note_choice(view, event, state, slots, options)
    for seat in range(view.players):
        for slot in range(view.hand_size):
            if state.order[seat, slot] >= 0:
                memory.excluded[state.order[seat, slot]] = ~state.sets[seat, slot]
