"""Which moves are worth searching: a mask of a few out of up to forty-eight.

They are chosen from the view of the seat to move, so any seat in a search can use them:

- plays: every card at least ``BOLD`` likely to be playable, and those just hinted that may be;
- discards: the card most likely to be worthless, the least likely to be the last of its kind, and
  the oldest without hints;
- hints: those that tell somebody something new about a playable card, or about the last card of
  its kind where the holder would discard it; and the hint that touches most new cards.

The parameter ``moves`` of a search agent chooses: ``good`` for these, ``legal`` for all legal
moves, or any rule list, each rule of which proposes a move (``moves=(rules:PlaySafeCard,...)``).
"""

from functools import cache

import numpy as np

from tamaya.agent import Agent, AgentError, Player
from tamaya.agents.rules.facts import note_facts
from tamaya.agents.rules.family import PROGRAM, RuleAgent, is_admitted
from tamaya.agents.rules.rule import MEMORY
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.dispatch import call_act, compile_act
from tamaya.game_kernels import MOVE_BIT, SLOT_BIT, legal_mask
from tamaya.moves import discard, hint_colour, hint_rank, play
from tamaya.search.blueprint import Nested
from tamaya.view import (
    count_unseen,
    critical_mask,
    dead_mask,
    is_subset,
    playable_mask,
    seat_at,
)

BOLD = 0.4
LEGAL, GOOD, BY_RULES = 0, 1, 2
WORDS = ("legal", "good")


@hot
def probability(view, slot, wanted):
    """Probability that an own card is in a set; each slot is counted separately."""
    count_unseen(view)
    possible = view.possible[view.seat, slot]
    n, n_wanted = 0, 0
    for card in range(25):
        if BIT[card] & possible:
            n += view.unseen[card]
            if BIT[card] & wanted:
                n_wanted += view.unseen[card]
    return n_wanted / n if n > 0 else 0.0


@hot
def just_hinted(view):
    """Own slots, as bits, that hints have touched since the viewer's last move."""
    touched = 0
    for k in range(view.n_moves - 1, max(-1, view.n_moves - view.players), -1):
        event = view.history[k]
        if event.seat == view.seat:
            break
        if event.target == view.seat:
            touched |= event.touched
    return touched


@hot
def propose_plays(view):
    """Plays that may well succeed."""
    moves = np.uint64(0)
    playable, hinted = playable_mask(view), just_hinted(view)
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            likely = probability(view, slot, playable)
            if likely >= BOLD or (likely > 0 and hinted & SLOT_BIT[slot]):
                moves |= MOVE_BIT[play(view, slot)]
    return moves


@hot
def propose_discards(view):
    """Discards that probably cost nothing."""
    dead, critical = dead_mask(view), critical_mask(view)
    idlest, most_dead, safest, least_critical, oldest = -1, -1.0, -1, 2.0, -1
    for slot in range(view.hand_size):
        order = view.order[view.seat, slot]
        if order < 0:
            continue
        likely_dead = probability(view, slot, dead)
        likely_critical = probability(view, slot, critical)
        if likely_dead > most_dead:
            idlest, most_dead = slot, likely_dead
        if likely_critical < least_critical:
            safest, least_critical = slot, likely_critical
        if view.told[view.seat, slot] == 0:
            if oldest < 0 or order < view.order[view.seat, oldest]:
                oldest = slot
    if most_dead >= 1.0:
        return MOVE_BIT[discard(view, idlest)]
    moves = MOVE_BIT[discard(view, idlest)] | MOVE_BIT[discard(view, safest)]
    return moves if oldest < 0 else moves | MOVE_BIT[discard(view, oldest)]


@hot
def next_discard(view, seat):
    """Slot that a seat would discard by default: its oldest without hints, or -1."""
    oldest = -1
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0 and view.told[seat, slot] == 0:
            if oldest < 0 or order < view.order[seat, oldest]:
                oldest = slot
    return oldest


@hot
def hint_interest(view, seat, hint, playable, endangered):
    """Value of a hint, a mask: new cards touched, plus 100 if it may lead to a play or saves.

    ``endangered`` is the card of the seat that should be saved, -1 for none.
    """
    n_new, is_good = 0, False
    for slot in range(view.hand_size):
        card, possible = view.card[seat, slot], view.possible[seat, slot]
        if card < 0 or not BIT[card] & hint or possible & hint == possible:
            continue
        n_new += 1
        if BIT[card] & playable and not is_subset(possible, playable):
            is_good = True
        if card == endangered:
            is_good = True
    return n_new + 100 if is_good else n_new


@hot
def propose_hints(view):
    """Hints that lead to plays, save cards, or tell the most."""
    moves = np.uint64(0)
    playable, critical = playable_mask(view), critical_mask(view)
    best, most = -1, 0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        slot = next_discard(view, seat)
        endangered = np.int64(view.card[seat, slot]) if slot >= 0 else -1
        if endangered >= 0 and not BIT[endangered] & critical:
            endangered = -1
        for value in range(5):
            for kind in range(2):
                hint = RANK_MASK[value] if kind == 0 else COLOUR_MASK[value]
                interest = hint_interest(view, seat, hint, playable, endangered)
                if interest > most or interest > 100:
                    if kind == 0:
                        move = hint_rank(view, offset, value)
                    else:
                        move = hint_colour(view, offset, value)
                    if interest > 100:
                        moves |= MOVE_BIT[move]
                    if interest > most:
                        best, most = move, interest
    return moves if best < 0 else moves | MOVE_BIT[best]


@hot
def propose_good(view):
    """Moves worth considering by the rules of this module; some may be illegal."""
    moves = propose_plays(view) | propose_discards(view)
    return moves | propose_hints(view) if view.tokens > 0 else moves


def propose_by_rules(view, memory, program):
    """What all rules of a list propose, as a mask in an int64."""
    note_facts(view, memory, program.ghosts)
    moves = np.uint64(0)
    first = program.first[view.players]
    for k in range(first, first + program.n[view.players]):
        line = program.lines[k]
        if is_admitted(view, memory, line):
            move = call_act(line.rule, view, memory, line)
            if move >= 0:
                moves |= MOVE_BIT[move]
    return np.int64(moves)


@hot
def propose(view, memory, params):
    """Mask of the moves to search in the seat of a view, never empty while the game runs.

    ``memory`` is scratch of at least ``params.moves_words`` words.
    """
    legal = legal_mask(view)
    moves = legal
    if params.moves_kind == GOOD:
        moves = propose_good(view) & legal
    elif params.moves_kind == BY_RULES:
        place = memory.ctypes.data
        moves = np.uint64(call_act(params.moves_act, view, place, params.moves_params)) & legal
    return moves if moves != 0 else legal


def find_moves(text: str) -> Agent | None:
    """The rule agent whose rules propose moves, or None for ``good`` and ``legal``."""
    if text in WORDS:
        return None
    from tamaya.registry import find_agent

    try:
        found = find_agent(text)
    except AgentError as error:
        raise AgentError(f"neither {' nor '.join(WORDS)} nor a list of rules: {error}") from None
    if not isinstance(found, RuleAgent):
        raise AgentError(f"{text!r} is neither {' nor '.join(WORDS)} nor a list of rules")
    return found


@cache
def _rules_address() -> int:
    return compile_act(propose_by_rules, MEMORY, PROGRAM)


def moves_fields(text: str, rules: Player | None) -> dict[str, int]:
    """The fields that ``propose`` reads."""
    kind = BY_RULES if rules else WORDS.index(text)
    code = rules.compile() if rules else None
    return {
        "moves_kind": kind,
        "moves_act": _rules_address() if code else 0,
        "moves_params": code.params.ctypes.data if code else 0,
        "moves_words": -(-MEMORY.itemsize // 8),
    }


def moves_named(text: str) -> Nested:
    """The parameter ``moves`` with a default."""
    return Nested(text, find_moves, moves_fields)
