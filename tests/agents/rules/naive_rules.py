"""The rule library once more in the most naive Python, written from its specification alone.

A move is a pair such as ``("play", slot)`` or a triple such as ``("value", seat, 3)``; ``NOTHING``
passes to the next rule and ``CRASH`` ends the game. A rule by chance answers with the probability
of each of its moves. ``faithful`` keeps the faults of version 0.2.1 of the framework. The rules are
in one file, as they are in the specification.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from agents.rules.naive_position import COLOURS, Move, Position, Slot

Answer = Move | None | dict[Move | None, float]

NOTHING = None
CRASH = ("crash",)

ORACLES: dict[str, Callable[..., Answer]] = {}


def oracle(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Make a function known as the oracle of the rule it is named after."""
    ORACLES[function.__name__.replace("_", "").lower()] = function
    return function


def answer(position: Position, rule: str, faithful: bool, arguments: tuple) -> Answer:
    """What a rule answers, with its gate."""
    name = rule.lower()
    if name.startswith(("tell", "completetell")) and position.tokens == 0:
        return NOTHING
    if name.startswith(("discard", "osawadiscard")) and position.tokens == 8:
        return NOTHING
    return ORACLES[name](position, faithful, *arguments)


def value_first(seat: int, slot: Slot) -> Move | None:
    """Tell the value if unknown, else the colour if unknown."""
    if slot.known_value is None:
        return ("value", seat, slot.value)
    return ("colour", seat, slot.colour) if slot.known_colour is None else NOTHING


def colour_first(seat: int, slot: Slot) -> Move | None:
    """Tell the colour if unknown, else the value if unknown."""
    if slot.known_colour is None:
        return ("colour", seat, slot.colour)
    return ("value", seat, slot.value) if slot.known_value is None else NOTHING


def last_maximum(numbers: list[float]) -> int:
    """Where the largest number is, the last of equals."""
    return max(range(len(numbers)), key=lambda place: (numbers[place], place))


# Play rules (section 2).


@oracle
def play_if_certain(p: Position, faithful: bool) -> Answer:
    for s, slot in enumerate(p.own):
        if slot.is_complete and p.is_playable(slot.known_colour, slot.known_value):
            return ("play", s)
    return NOTHING


@oracle
def play_safe_card(p: Position, faithful: bool) -> Answer:
    for s, slot in enumerate(p.own):
        cards = p.candidates(slot)
        if cards and all(p.is_playable(*card) for card in cards):
            return ("play", s)
    return NOTHING


@oracle
def play_probably_safe(p: Position, faithful: bool, at_least: float) -> Answer:
    best = last_maximum(p.chances_playable)
    return ("play", best) if p.chances_playable[best] >= at_least else NOTHING


@oracle
def play_finesse(p: Position, faithful: bool) -> Answer:
    if not p.actions or p.actions[-1].target is None:
        return NOTHING
    last = p.actions[-1]
    if faithful:
        if last.target == p.next:
            return NOTHING
        if last.target == p.me:
            return CRASH
    elif p.n < 3 or last.target != p.next:
        return NOTHING
    for s, slot in p.cards(last.target):
        if s in last.touched and slot.value == p.table[slot.colour] + 2:
            return ("play", p.newest)
    return NOTHING


@oracle
def play_finesse_told(p: Position, faithful: bool) -> Answer:
    if len(p.actions) < 2:
        return NOTHING
    told, last = p.actions[-2:]
    if last.kind == "play" and told.target == p.me and len(told.touched) == 1:
        return ("play", told.touched[0])
    return NOTHING


@oracle
def play_unique_possible_card(p: Position, faithful: bool) -> Answer:
    stale: set[int] = set()
    for action in reversed(p.actions):
        if action.target == p.me and len(action.touched) == 1:
            s = action.touched[0] if faithful else p.slot_of_order(action.touched_orders[0])
            if s is None:
                continue
            if action.kind == "colour":
                height = p.table[action.told]
                card = (action.told, height if faithful else height + 1)
                if card in p.unseen and not (faithful and s in stale):
                    return ("play", s)
            elif any(
                p.is_playable(colour, action.told) and (colour, action.told) in p.unseen
                for colour in COLOURS
            ):
                return ("play", s)
        elif action.seat == p.me and action.drew:
            stale.add(action.slot)
            if faithful and len(stale) == p.k:
                return NOTHING
    return NOTHING


@oracle
def play_just_hinted(
    p: Position, faithful: bool, single: bool, newest: bool, lives: int, at_least: float
) -> Answer:
    hints = []
    for action in reversed(p.actions):
        if action.target == p.me:
            hints.append(action)
        elif (action.seat == p.me) != faithful:
            break  # faithful: the first other action of a partner; repaired: my last action
    eligible = set()
    for hint in hints:
        if single and len(hint.touched) > 1:
            continue
        if faithful:
            eligible |= set(hint.touched)
        else:  # I did not act since, so the cards have not moved
            eligible |= {p.slot_of_order(order) for order in hint.touched_orders}
    if newest:
        eligible &= {p.newest}
    if not eligible:
        return NOTHING
    best = max(eligible, key=lambda s: (p.chances_playable[s], s))
    likely = p.chances_playable[best]
    if likely >= 1 or (likely >= at_least and p.lives > lives):
        return ("play", best)
    return NOTHING


# Tell rules (section 3.1 and 3.3).


def tell_first(
    p: Position, seats: list[int], wanted: Callable[[Slot], bool], primitive: Callable[..., Any]
) -> Answer:
    """Tell the first wanted card of which something is missing."""
    for seat in seats:
        for _, slot in p.cards(seat):
            if wanted(slot) and not slot.is_complete:
                return primitive(seat, slot)
    return NOTHING


@oracle
def tell_anyone_about_useful_card(p: Position, faithful: bool) -> Answer:
    return tell_first(
        p, p.turn_order, lambda slot: p.is_playable(slot.colour, slot.value), value_first
    )


@oracle
def tell_anyone_about_oldest_useful_card(p: Position, faithful: bool) -> Answer:
    for seat in p.turn_order:
        playable = [slot for _, slot in p.cards(seat) if p.is_playable(slot.colour, slot.value)]
        if faithful:
            playable = playable[-1:]
        else:
            playable.sort(key=lambda slot: slot.order)
        for slot in playable:
            if not slot.is_complete:
                return colour_first(seat, slot)
    return NOTHING


@oracle
def complete_tell_useful_card(p: Position, faithful: bool) -> Answer:
    for seat in p.turn_order:
        for _, slot in p.cards(seat):
            is_half_known = not slot.is_blank and not slot.is_complete
            if is_half_known and p.is_playable(slot.colour, slot.value):
                return value_first(seat, slot)
    return NOTHING


@oracle
def tell_playable_card(p: Position, faithful: bool) -> Answer:
    for _, slot in p.cards(p.next):
        if p.is_playable(slot.colour, slot.value):
            return {("value", p.next, slot.value): 0.5, ("colour", p.next, slot.colour): 0.5}
    return NOTHING


@oracle
def tell_playable_card_outer(p: Position, faithful: bool) -> Answer:
    return tell_first(p, [p.next], lambda slot: p.is_playable(slot.colour, slot.value), value_first)


@oracle
def tell_about_ones(p: Position, faithful: bool) -> Answer:
    return tell_first(p, [p.next], lambda slot: slot.value == 1, value_first)


@oracle
def tell_unknown(p: Position, faithful: bool) -> Answer:
    return tell_first(p, [p.next], lambda slot: True, colour_first)


@oracle
def tell_randomly(p: Position, faithful: bool) -> Answer:
    hints: Counter[Move] = Counter()
    slots = [slot for _, slot in p.cards(p.next)]
    for slot in slots:
        hints[("value", p.next, slot.value)] += 1
        hints[("colour", p.next, slot.colour)] += 1
    return {hint: n / (2 * len(slots)) for hint, n in hints.items()} or NOTHING


@oracle
def tell_fives(p: Position, faithful: bool) -> Answer:
    for seat in p.turn_order:
        for _, slot in p.cards(seat):
            if slot.value == 5 and slot.known_value is None:
                return ("value", seat, 5)
    return NOTHING


@oracle
def tell_anyone_about_useless_card(p: Position, faithful: bool) -> Answer:
    for seat in p.turn_order:
        for _, slot in p.cards(seat):
            if p.is_useless(slot.colour, slot.value):
                if faithful or not slot.is_complete:
                    return value_first(seat, slot)
    return NOTHING


@oracle
def tell_dispensable(p: Position, faithful: bool) -> Answer:
    for seat in p.seat_order:
        for _, slot in p.cards(seat):
            if slot.known_colour is None and p.table[slot.colour] == 5:
                return ("colour", seat, slot.colour)
            if slot.known_value is None and slot.value <= min(p.table):
                return ("value", seat, slot.value)
            is_half_known = not slot.is_blank and not slot.is_complete
            if is_half_known and p.table[slot.colour] >= slot.value:
                return value_first(seat, slot)
    return NOTHING


@oracle
def tell_most_information(p: Position, faithful: bool, new: bool) -> Answer:
    best, most = NOTHING, 0
    for seat in p.seat_order:
        for hint in p.hints_to(seat):
            n = 0
            for _, slot in p.cards(seat):
                touched = hint[2] == (slot.value if hint[0] == "value" else slot.colour)
                known = slot.known_value if hint[0] == "value" else slot.known_colour
                n += touched and not (new and known is not None)
            if n > most:
                best, most = hint, n
    return best


@oracle
def tell_ill_informed(p: Position, faithful: bool) -> Answer:
    def is_wanted(slot: Slot) -> bool:
        is_useless = p.tokens != 8 and p.is_useless(slot.colour, slot.value)
        return p.is_playable(slot.colour, slot.value) or is_useless

    return tell_first(p, p.turn_order, is_wanted, value_first)


@oracle
def tell_to_save(p: Position, faithful: bool) -> Answer:
    return tell_first(
        p, p.turn_order, lambda slot: p.is_necessary(slot.colour, slot.value), value_first
    )


@oracle
def tell_to_save_partial_only(p: Position, faithful: bool) -> Answer:
    return tell_first(
        p,
        p.turn_order,
        lambda slot: slot.is_blank and p.is_necessary(slot.colour, slot.value),
        value_first,
    )


@oracle
def tell_finesse(p: Position, faithful: bool) -> Answer:
    if p.n < 3:
        return NOTHING
    leads = [slot for _, slot in p.cards(p.next)]
    if not faithful:
        leads.sort(key=lambda slot: -slot.order)
    if not leads or not p.is_playable(leads[0].colour, leads[0].value):
        return NOTHING
    seat = (p.me + 2) % p.n
    if faithful and p.has_gap(seat):
        return CRASH
    hand = [slot for _, slot in p.cards(seat)]
    for slot in hand:
        if (slot.colour, slot.value) != (leads[0].colour, leads[0].value + 1):
            continue
        colour_is_unique = [other.colour for other in hand].count(slot.colour) == 1
        value_is_unique = [other.value for other in hand].count(slot.value) == 1
        if colour_is_unique and value_is_unique:
            if slot.known_value is not None:
                return ("colour", seat, slot.colour)
            if slot.known_colour is not None:
                return ("value", seat, slot.value)
        if value_is_unique:
            return ("value", seat, slot.value)
        if colour_is_unique:
            return ("colour", seat, slot.colour)
    return NOTHING


# Discard rules (section 3.2).


@oracle
def discard_if_certain(p: Position, faithful: bool) -> Answer:
    for s, slot in enumerate(p.own):
        if slot.is_complete and p.table[slot.known_colour] >= slot.known_value:
            return ("discard", s)
    return NOTHING


@oracle
def discard_safe_card(p: Position, faithful: bool) -> Answer:
    for s, slot in enumerate(p.own):
        if p.is_useless(slot.known_colour, slot.known_value):
            return ("discard", s)
    return NOTHING


@oracle
def discard_useless_card(p: Position, faithful: bool) -> Answer:
    for s, slot in enumerate(p.own):
        colour, value, cards = slot.known_colour, slot.known_value, p.candidates(slot)
        if colour is None:
            continue
        if value is not None and value > p.reach(colour):
            return ("discard", s)
        if cards and min(card[1] for card in cards) > p.reach(colour):
            return ("discard", s)
    return NOTHING


@oracle
def osawa_discard(p: Position, faithful: bool) -> Answer:
    return discard_safe_card(p, faithful) or discard_useless_card(p, faithful)


@oracle
def discard_highest(p: Position, faithful: bool) -> Answer:
    values = [slot.known_value or 0 for slot in p.own]
    return ("discard", values.index(max(values))) if any(values) else NOTHING


@oracle
def discard_oldest_first(p: Position, faithful: bool) -> Answer:
    return ("discard", p.oldest)


@oracle
def discard_oldest_no_info_first(p: Position, faithful: bool) -> Answer:
    if not faithful:
        blank = [s for s, slot in enumerate(p.own) if slot.is_blank]
        return ("discard", min(blank, key=lambda s: p.draw_times[s])) if blank else NOTHING
    bound: float = float("inf")
    for s, slot in enumerate(p.own):
        if p.draw_times[s] <= bound and slot.is_blank:
            bound = s
    return ("discard", bound) if bound < p.k else NOTHING


@oracle
def discard_unidentified_card(p: Position, faithful: bool) -> Answer:
    for s, slot in enumerate(p.own):
        if slot.is_blank:
            return ("discard", s)
    return NOTHING


@oracle
def discard_least_likely_to_be_necessary(p: Position, faithful: bool) -> Answer:
    return ("discard", last_maximum([-chance for chance in p.chances(p.is_necessary)]))


@oracle
def discard_probably_useless(p: Position, faithful: bool, at_least: float) -> Answer:
    best = last_maximum(p.chances_useless)
    return ("discard", best) if p.chances_useless[best] >= at_least else NOTHING


@oracle
def discard_randomly(p: Position, faithful: bool) -> Answer:
    return {("discard", s): 1 / p.k for s in range(p.k)}


# Others (section 3.4, and Osawa's random player).


def unblocking_move(p: Position, seat: int) -> Move | None:
    """A discard of a card known to be useless, or a play of a 5 known to be playable."""
    for s, slot in p.cards(seat):
        if p.is_useless(slot.known_colour, slot.known_value):
            return ("discard", s)
        if slot.known_value == 5 and slot.known_colour is not None:
            if p.table[slot.known_colour] == 4:
                return ("play", s)
    return NOTHING


def is_blocked(p: Position, seat: int) -> bool:
    """Whether a seat knows of no useless and of no playable card."""
    return not any(
        p.is_useless(slot.known_colour, slot.known_value)
        or (slot.is_complete and p.is_playable(slot.known_colour, slot.known_value))
        for _, slot in p.cards(seat)
    )


@oracle
def try_to_unblock(p: Position, faithful: bool) -> Answer:
    mine = unblocking_move(p, p.me)
    if p.tokens > 0 or mine is NOTHING:
        return NOTHING
    for seat in p.turn_order:
        if is_blocked(p, seat):
            return mine
        if unblocking_move(p, seat):
            return NOTHING
    return NOTHING


def legal_moves(p: Position) -> list[Move]:
    """All different legal moves."""
    moves: list[Move] = [("play", s) for s in range(p.k)]
    if p.tokens < 8:
        moves += [("discard", s) for s in range(p.k)]
    if p.tokens > 0:
        moves += [hint for seat in p.turn_order for hint in p.hints_to(seat)]
    return moves


@oracle
def legal_random(p: Position, faithful: bool) -> Answer:
    moves = legal_moves(p)
    return {move: 1 / len(moves) for move in moves}


@oracle
def osawa_random(p: Position, faithful: bool) -> Answer:
    moves: Counter[Move] = Counter()
    for s in range(p.k):
        moves[("play", s)] += 0.3 / p.k
        moves[("discard", s)] += 0.4 / p.k
    for seat in p.turn_order:
        for k in range(5):
            for hint in (("value", seat, 1 + k), ("colour", seat, k)):
                moves[hint] += 0.3 / (p.n - 1) / 10
    answers: dict[Move | None, float] = {}
    legal = legal_moves(p)
    for move, probability in moves.items():
        key = move if move in legal else CRASH if faithful else NOTHING
        answers[key] = answers.get(key, 0.0) + probability
    return answers


# The rules of Canaan et al. (section 4).


def options(p: Position, seat: int) -> list[tuple[Move, int, int]]:
    """The hints of a seat's playable cards, and how many others they name: playable, and not."""
    found: list[tuple[Move, int, int]] = []
    for s, slot in p.cards(seat):
        if not p.is_playable(slot.colour, slot.value):
            continue
        others = [other for o, other in p.cards(seat) if o != s]
        if slot.known_value is None:
            named = [o for o in others if o.value == slot.value and o.known_value is None]
            n_playable = sum(p.is_playable(o.colour, o.value) for o in named)
            found.append((("value", seat, slot.value), n_playable, len(named) - n_playable))
        if slot.known_colour is None:
            named = [o for o in others if o.colour == slot.colour and o.known_colour is None]
            n_playable = sum(p.is_playable(o.colour, o.value) for o in named)
            found.append((("colour", seat, slot.colour), n_playable, len(named) - n_playable))
    return found


def best_option(p: Position, faithful: bool, worth: Callable[[int, int], Any]) -> Answer:
    """The first best option of the first seat that has one."""
    for seat in p.turn_order:
        found = options(p, seat)
        if not found:
            continue
        if faithful and p.has_gap(seat):
            return CRASH
        return max(found, key=lambda option: worth(option[1], option[2]))[0]
    return NOTHING


@oracle
def tell_unambiguous(p: Position, faithful: bool, most: bool) -> Answer:
    if most:
        return best_option(p, faithful, lambda n_playable, n_others: (n_playable, -n_others))
    return best_option(p, faithful, lambda n_playable, n_others: (-n_others, n_playable))


@oracle
def tell_unambiguous3(p: Position, faithful: bool, w_playable: float, w_others: float) -> Answer:
    if not faithful:
        return best_option(p, False, lambda n, others: w_playable * n + w_others * others)
    for seat in p.turn_order:
        found = options(p, seat)
        if found:
            return CRASH if p.has_gap(seat) else found[-1][0]
    return NOTHING


@oracle
def tell_unambiguous2(p: Position, faithful: bool, w_playable: float, w_others: float) -> Answer:
    for seat in p.turn_order:
        playable = [s for s, slot in p.cards(seat) if p.is_playable(slot.colour, slot.value)]
        if not playable:
            continue
        if faithful and (p.has_gap(seat) or p.k == 4):
            return CRASH
        best, best_worth = NOTHING, -100.0
        for hint in p.hints_to(seat):
            worth = 0.0
            for s, likely in p.owner_chances(seat, p.is_playable, hint).items():
                worth += (w_playable if s in playable else w_others) * likely
            if worth > best_worth:
                best, best_worth = hint, worth
        return best
    return NOTHING


@oracle
def tell_at_least_n_useless(p: Position, faithful: bool, n: int) -> Answer:
    def n_sure(seat: int, hint: Move | None = None) -> int:
        chances = p.owner_chances(seat, p.is_useless, hint).values()
        return sum(chance > 0.99 for chance in chances)

    for seat in p.turn_order:
        holds_useless = any(p.is_useless(slot.colour, slot.value) for _, slot in p.cards(seat))
        if not holds_useless or n_sure(seat) > 0:
            continue
        found = {hint: n_sure(seat, hint) for hint in p.hints_to(seat)}
        found = {hint: count for hint, count in found.items() if count >= n}
        if faithful:
            return list(found)[-1] if found else CRASH
        if found:
            return max(found, key=lambda hint: found[hint])
    return NOTHING


@oracle
def tell_high_probability_mistake(
    p: Position, faithful: bool, positive: bool, bound: float
) -> Answer:
    if faithful and p.k == 4:
        return CRASH
    for seat in p.turn_order:
        chances = p.owner_chances(seat, p.is_playable)
        for s, slot in p.cards(seat):
            is_playable = p.is_playable(slot.colour, slot.value)
            if positive:
                is_mistaken = not is_playable and chances[s] >= bound
            else:
                is_mistaken = is_playable and chances[s] <= bound
            if is_mistaken and not slot.is_complete:
                return CRASH if faithful and p.me != 0 else value_first(seat, slot)
    return NOTHING
