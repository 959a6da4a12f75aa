"""FireFlower explains its choice: how it read moves, its beliefs, and the moves it compared."""

import numpy as np

from tamaya.agents.fireflower.actions import DELIBERATE, MISPLAY, MISTAKEN_JUNK, SACRIFICE
from tamaya.agents.fireflower.belief_state import (
    COMMON,
    JUNK,
    MINE,
    PLAY,
    SAVE,
    copy_state,
    possible,
)
from tamaya.agents.fireflower.choice import fears_bombs, list_moves, prepare_search, value_try
from tamaya.agents.fireflower.evaluation import raw_of
from tamaya.agents.fireflower.finesse import FINESSE
from tamaya.agents.fireflower.following import MOVED, NOW, REPLIED, SEARCHED, wake
from tamaya.agents.fireflower.hints import CHAIN, JUNK_HINT, LATER_HINT, PLAY_HINT, SAVE_HINT
from tamaya.agents.fireflower.moving import COLOUR_HINT, PLAY_CARD, make_move
from tamaya.agents.fireflower.questions import guess
from tamaya.agents.fireflower.recognition import hide_hand, refresh
from tamaya.agents.fireflower.reply import foresee
from tamaya.cards import card_name, cards_text
from tamaya.compiled import hot
from tamaya.moves import move_phrase
from tamaya.rules import Rules

CONVENTIONS = {
    SAVE_HINT: "save hint",
    PLAY_HINT: "play hint",
    LATER_HINT: "later hint",
    JUNK_HINT: "junk hint",
    CHAIN: "chain",
    FINESSE: "finesse",
    DELIBERATE: "deliberate discard",
    SACRIFICE: "sacrifice",
    MISTAKEN_JUNK: "mistaken junk",
    MISPLAY: "misplay that saves",
}


def conventions(reading: int) -> str:
    """Names of the conventions that a move followed."""
    names = [name for bit, name in CONVENTIONS.items() if reading & bit]
    return ", ".join(names) or "no convention"


def belief_text(memory: np.record, order: int) -> str:
    """The belief about a card, and what it can be."""
    state, ledger = memory.states[NOW], memory.ledger[0]
    kind = state.kind[order]
    text = {PLAY: "to be played", SAVE: "to be kept", JUNK: "junk"}.get(kind, "nothing believed")
    if kind == PLAY and state.place[order] > 0:
        n = ledger.n_members[state.group[order]]
        text = f"to be played as number {state.place[order] + 1} of {n}"
    if state.promise[order] >= 0:
        text += f", promised to be {card_name(state.promise[order])}"
    mine, common = (int(possible(state, whose, order)) for whose in (MINE, COMMON))
    text += f"; can be {cards_text(mine)}"
    if common != mine:
        text += f", for all that others know {cards_text(common)}"
    card = int(guess(state, order))
    if card >= 0 and mine.bit_count() > 1:
        text += f"; guessed {card_name(card)}"
    return text


@hot
def imagine_try(memory, k):
    """Make a move of the list in imagination; an own card keeps its face if it has none."""
    one = memory.tries[k]
    copy_state(memory.states[MOVED], memory.states[SEARCHED])
    make_move(memory.states[MOVED], memory.ledger[0], one.kind, one.place, one.hint, one.touched)


@hot
def foresee_reply(memory):
    """What the next player would do after the imagined move, as ``foresee`` returns it."""
    moved, reply = memory.states[MOVED], memory.states[REPLIED]
    copy_state(reply, moved)
    hide_hand(reply, moved.mover)
    refresh(reply)
    return foresee(reply)


def reply_text(memory: np.record) -> str:
    """What the next player is expected to do after the imagined move."""
    seat = int(memory.states[MOVED].mover)
    plays, slot, chance = foresee_reply(memory)
    if plays:
        slots = " or ".join(str(k) for k in range(8) if plays >> k & 1)
        return f"seat {seat} plays slot {slots}"
    if chance:
        return f"seat {seat} discards slot {slot} ({chance:.0%})"
    return f"seat {seat} hints"


def try_text(memory: np.record, k: int) -> str:
    """Value of a move, how it would be read, and what the next player would do then."""
    one = memory.tries[k]
    shown = f"{raw_of(one.value):.3f}" if one.value > 0 else "impossible"
    if one.kind < COLOUR_HINT:
        is_trusted = one.kind == PLAY_CARD and one.weights[1] < 100
        is_deliberate = one.kind != PLAY_CARD and one.weights[0] >= 0
        if one.kind == PLAY_CARD:
            return f"{shown} ({'expected play' if is_trusted else 'last resort'})"
        return f"{shown} ({'deliberate' if is_deliberate else 'ordinary'} discard)"
    imagine_try(memory, k)
    reading = conventions(int(memory.states[MOVED].reading))
    return f"{shown} ({reading}; then {reply_text(memory)})"


def explain_choice(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, str]]:
    """Rows on the last move, on its own cards and, if it is the seat's turn, on its moves."""
    wake(view, memory)
    state = memory.states[NOW]
    rows = []
    if view.n_moves:
        rows.append(("the last move is read as", conventions(int(state.reading))))
    for slot in range(view.hand_size):
        order = int(view.order[view.seat, slot])
        if order >= 0:
            rows.append((f"slot {slot}", belief_text(memory, order)))
    if view.mover != view.seat:
        return rows
    prepare_search(memory)
    is_whole = bool(memory.states[SEARCHED].stops_early)
    rows.append(("plays for", "a perfect game" if is_whole else "points, as 25 is out of reach"))
    is_careful = fears_bombs(view, params)
    list_moves(view, memory, params.doubt if is_careful else 0.0)
    for k in range(memory.n_tries):
        value_try(memory, k, is_careful)
    rules = Rules(int(view.players), int(view.colours), int(view.ranks), int(view.hand_size))
    order_of_value = sorted(range(memory.n_tries), key=lambda k: -memory.tries[k].value)
    for k in order_of_value:
        rows.append((move_phrase(rules, int(memory.tries[k].move)), try_text(memory, k)))
    return rows
