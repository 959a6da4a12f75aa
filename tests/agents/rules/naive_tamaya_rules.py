"""Our own rules once more in the most naive Python: the convention, and every rule of ours.

Cards are pairs (colour, rank), both from 0, as in the oracle of the game; sets of cards are sets.
Games of any size are covered. A move is a pair such as ``("play", slot)`` or a triple such as
``("rank", offset, rank)``, as ``ReferenceGame.describe`` gives them; ``NOTHING`` passes.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from reference import Card, ReferenceGame, copies, full_deck

Answer = tuple[Any, ...] | None
Hint = tuple[str, int]  # ("colour", 2) or ("rank", 4)

NOTHING = None

ORACLES: dict[str, Callable[..., Answer]] = {}


def oracle(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Make a function known as the oracle of the rule it is named after."""
    ORACLES[function.__name__.replace("_", "")] = function
    return function


# The convention.


def touches(hint: Hint, card: Card) -> bool:
    """Whether a hint names a card."""
    return card[0 if hint[0] == "colour" else 1] == hint[1]


def playable_now(game: ReferenceGame) -> set[Card]:
    """The next card of each firework."""
    heights = enumerate(game.fireworks)
    return {(colour, height) for colour, height in heights if height < game.rules.ranks}


def n_left(game: ReferenceGame, card: Card) -> int:
    """Copies of a card outside the discards."""
    return copies(card[1], game.rules.ranks) - game.discards.count(card)


class Convention:
    """What everybody at the table has read so far out of the hints, by order of the cards."""

    def __init__(self) -> None:
        self.told: set[int] = set()  # cards that hints have touched
        self.promises: dict[int, set[Card]] = {}  # what a card was promised to be

    def chop(self, orders: Iterable[int]) -> int | None:
        """The oldest card of a hand that no hint has touched."""
        return min((order for order in orders if order not in self.told), default=None)

    def focus(
        self, orders: Iterable[int], touched: Iterable[int], news: Iterable[int]
    ) -> int | None:
        """The card that a hint is about."""
        touched = list(touched)
        chop = self.chop(orders)
        if chop is not None and chop in touched:
            return chop
        fresh = [order for order in touched if order not in self.told]
        return max(fresh or news, default=None)

    def is_save(self, game: ReferenceGame, hint: Hint, on_chop: bool) -> bool:
        """Whether a hint saves its focus, instead of promising that it can be played."""
        kind, rank = hint
        if kind != "rank" or not on_chop:
            return False
        return any(
            n_left(game, (colour, rank)) == 1 and height < rank
            for colour, height in enumerate(game.fireworks)
        )

    def hear(self, game: ReferenceGame, move: int) -> None:
        """Read a move that is about to be made."""
        kind, *numbers = game.describe(move)
        if kind in ("play", "discard"):
            return
        hint = (kind, numbers[1])
        hand = [held for held in game.hands[(game.mover + numbers[0]) % game.rules.players] if held]
        orders = [held.order for held in hand]
        named = [held for held in hand if touches(hint, held.card)]
        # New is what was not told before, even if it could be concluded.
        news = [
            held.order
            for held in named
            if not (held.colour_hinted if kind == "colour" else held.rank_hinted)
        ]
        touched = [held.order for held in named]
        focus = self.focus(orders, touched, news)
        if focus is not None:
            if self.is_save(game, hint, focus == self.chop(orders)):
                self.promises.pop(focus, None)
            else:
                fitting = {card for card in playable_now(game) if touches(hint, card)}
                self.promises[focus] = fitting
        self.told.update(touched)


# What a seat sees on its turn.


@dataclass
class Held:
    """A card in a hand; ``card`` is None where it is not seen."""

    slot: int
    order: int
    card: Card | None
    possible: set[Card]  # by hints
    hinted: bool  # directly


class Look:
    """A position as the seat to move sees it."""

    def __init__(self, game: ReferenceGame, convention: Convention) -> None:
        self.game, self.convention, self.rules = game, convention, game.rules
        self.n, self.me = game.rules.players, game.mover
        self.tokens, self.lives = game.tokens, game.lives
        self.playable = playable_now(game)
        self.dead = {card for card in game.kinds if self._is_dead(card)}
        self.critical = {
            card for card in game.kinds if card not in self.dead and n_left(game, card) == 1
        }
        self.hands = [
            [self._held(seat, slot, held) for slot, held in enumerate(hand) if held]
            for seat, hand in enumerate(game.hands)
        ]
        self.own = self.hands[self.me]
        self.unseen = Counter(full_deck(game.rules))
        self.unseen.subtract(game.discards)
        for colour, height in enumerate(game.fireworks):
            self.unseen.subtract((colour, rank) for rank in range(height))
        for hand in self.hands:
            self.unseen.subtract(held.card for held in hand if held.card)

    def _is_dead(self, card: Card) -> bool:
        colour, rank = card
        height = self.game.fireworks[colour]
        needed = [(colour, lower) for lower in range(height, rank + 1)]
        return rank < height or any(n_left(self.game, other) == 0 for other in needed)

    def _held(self, seat: int, slot: int, held: Any) -> Held:
        kind = self.rules.observation
        card = None if seat == self.me and kind != "seer" else held.card
        if kind == "minimal":  # nobody keeps hints in me
            return Held(slot, held.order, card, set(self.game.kinds), False)
        possible = {(colour, rank) for colour in held.colours for rank in held.ranks}
        return Held(slot, held.order, card, possible, held.colour_hinted or held.rank_hinted)

    @property
    def offsets(self) -> range:
        """The other seats from the next one on."""
        return range(1, self.n)

    def hand(self, offset: int) -> list[Held]:
        """The hand of another seat."""
        return self.hands[(self.me + offset) % self.n]

    def hints_to(self, offset: int) -> list[Hint]:
        """The hints that touch a card of a seat: ranks, then colours."""
        seen = [held.card for held in self.hand(offset) if held.card]
        ranks = [("rank", rank) for rank in sorted({card[1] for card in seen})]
        return [*ranks, *(("colour", colour) for colour in sorted({card[0] for card in seen}))]

    def touched(self, offset: int, hint: Hint) -> list[Held]:
        """The cards of a seat that a hint touches."""
        return [held for held in self.hand(offset) if touches(hint, held.card)]

    def news(self, offset: int, hint: Hint) -> list[Held]:
        """Those of them whose holder does not know it."""
        return [
            held
            for held in self.touched(offset, hint)
            if any(not touches(hint, card) for card in held.possible)
        ]

    def chop(self, hand: list[Held]) -> Held | None:
        """The card to be discarded."""
        order = self.convention.chop(held.order for held in hand)
        return next((held for held in hand if held.order == order), None)

    def focus(self, offset: int, hint: Hint) -> Held | None:
        """The card that a hint would be about."""
        hand = self.hand(offset)
        lists = (hand, self.touched(offset, hint), self.news(offset, hint))
        order = self.convention.focus(*([held.order for held in cards] for cards in lists))
        return next((held for held in hand if held.order == order), None)

    def is_save(self, offset: int, hint: Hint) -> bool:
        """Whether a hint would save its focus."""
        focus = self.focus(offset, hint)
        on_chop = focus is not None and focus is self.chop(self.hand(offset))
        return self.convention.is_save(self.game, hint, on_chop)

    def promised(self, held: Held) -> set[Card]:
        """What a card can be by a promise."""
        return self.convention.promises.get(held.order, set()) & held.possible

    def candidates(self, held: Held) -> set[Card]:
        """What a card of mine can be, from hints and the cards in sight."""
        return {card for card in held.possible if self.unseen[card] > 0}

    def will_play(self, hand: list[Held]) -> bool:
        """Whether a seat knows, or was promised, a card of its own to be playable."""
        return any(held.possible <= self.playable or self.promised(held) & self.playable
                   for held in hand)  # fmt: skip

    def is_spoken_for(self, card: Card) -> bool:
        """Whether somebody knows, or was promised, a card as playable."""
        if any({card} in (self.promised(held), held.possible) for held in self.own):
            return True
        return any(
            held.card == card and (card in self.promised(held) or held.possible <= self.playable)
            for offset in self.offsets
            for held in self.hand(offset)
        )


def chance(pool: Counter[Card], possible: set[Card], wanted: set[Card]) -> float:
    """How likely a card is one of a set, if it is one of a pool."""
    total = sum(pool[card] for card in possible)
    return sum(pool[card] for card in possible & wanted) / total if total else 0.0


def answer(look: Look, rule: str, arguments: tuple) -> Answer:
    """What a rule answers, with its gate."""
    name = rule.lower()
    if name.startswith("tell") and look.tokens == 0:
        return NOTHING
    if name.startswith("discard"):
        if look.tokens == look.rules.tokens and not look.rules.discard_at_full:
            return NOTHING
    return ORACLES[name](look, *arguments)


# Rules of the convention.


@oracle
def play_promised(look: Look, lives: int, p: float) -> Answer:
    chances = [
        (chance(look.unseen, look.promised(held), look.playable), held.slot) for held in look.own
    ]
    likely, slot = max(chances)  # the highest slot of equals
    if likely == 1 or (likely > 0 and likely >= p and look.lives > lives):
        return ("play", slot)
    return NOTHING


def worth(look: Look, offset: int, hint: Hint, focus: Held) -> float:
    """Worth of a promise."""
    total = 1.0
    for held in look.touched(offset, hint):
        if held is focus:
            continue
        if held.order in look.convention.told:
            total += 0.02
        elif held.card in look.dead:
            total -= 0.2
        elif held.card in look.playable or held.card in look.critical:
            total += 0.15
        else:
            total += 0.05
    if {card for card in focus.possible if touches(hint, card)} <= look.playable:
        total += 0.1
    return total - 0.03 * offset


@oracle
def tell_promise(look: Look, busy: bool) -> Answer:
    found = {}
    for offset in look.offsets:
        if look.will_play(look.hand(offset)) and not busy:
            continue
        for hint in look.hints_to(offset):
            focus = look.focus(offset, hint)
            if focus is None or focus.card not in look.playable or look.is_save(offset, hint):
                continue
            if not look.is_spoken_for(focus.card):
                found[hint[0], offset, hint[1]] = worth(look, offset, hint, focus)
    best = max(found, key=lambda move: found[move], default=NOTHING)  # the first of equals
    return best if best and found[best] > 0 else NOTHING


@oracle
def tell_save(look: Look, seats: int, busy: bool) -> Answer:
    for offset in look.offsets:
        hand = look.hand(offset)
        chop = look.chop(hand)
        if offset > seats or chop is None or chop.card not in look.critical:
            continue
        has_better = look.will_play(hand) or any(held.possible <= look.dead for held in hand)
        if busy or not has_better:
            return ("rank", offset, chop.card[1])
    return NOTHING


@oracle
def tell_harmless(look: Look) -> Answer:
    found = {}
    for offset in look.offsets:
        for hint in look.hints_to(offset):
            focus = look.focus(offset, hint)
            if focus is not None and not look.is_save(offset, hint):
                taken_for = {card for card in focus.possible & look.playable if touches(hint, card)}
                if taken_for and focus.card not in look.playable:
                    continue
            found[hint[0], offset, hint[1]] = len(look.news(offset, hint))
    return max(found, key=lambda move: found[move], default=NOTHING)


@oracle
def discard_chop(look: Look) -> Answer:
    chop = look.chop(look.own)
    return NOTHING if chop is None else ("discard", chop.slot)


# Rules that need no convention.


@oracle
def discard_surely_useless(look: Look) -> Answer:
    for held in look.own:
        if look.candidates(held) and look.candidates(held) <= look.dead:
            return ("discard", held.slot)
    return NOTHING


@oracle
def discard_duplicate(look: Look) -> Answer:
    told = [held.card for offset in look.offsets for held in look.hand(offset) if held.hinted]
    for held in look.own:
        if len(look.candidates(held)) == 1 and look.candidates(held) <= set(told):
            return ("discard", held.slot)
    return NOTHING


def next_play(look: Look, offset: int, bold: float, hint: Hint | None = None) -> int:
    """1 if a seat would play a playable card, -1 if another one, 0 if none."""
    hand = look.hand(offset)
    pool = look.unseen + Counter(held.card for held in hand)
    chances = []
    for held in hand:
        possible = held.possible
        if hint:
            is_touched = touches(hint, held.card)
            possible = {card for card in possible if touches(hint, card) == is_touched}
        chances.append((chance(pool, possible, look.playable), held.slot, held))
    if not chances:
        return 0
    likely, _, held = max(chances, key=lambda entry: entry[:2])
    if likely < bold:
        return 0
    return 1 if held.card in look.playable else -1


@oracle
def tell_steer(look: Look, p: float, seats: int, mend: bool) -> Answer:
    for offset in look.offsets:
        now = next_play(look, offset, p)
        if offset > seats or now == 1 or (mend and now == 0):
            continue
        found = {hint: next_play(look, offset, p, hint) for hint in look.hints_to(offset)}
        best = max(found, key=lambda hint: found[hint], default=None)
        if best and found[best] > now:
            return (best[0], offset, best[1])
    return NOTHING


@oracle
def play_first_hinted(look: Look, lives: int, p: float) -> Answer:
    since = look.game.history[-(look.n - 1) :]
    for event in reversed(since):
        if event["target"] != look.me:
            continue
        for slot in event["newly"]:
            likely = chance(look.unseen, look.own[slot].possible, look.playable)
            if likely > 0:
                return ("play", slot) if likely >= p and look.lives > lives else NOTHING
    return NOTHING


@oracle
def discard_oldest_unlikely_necessary(look: Look, p: float) -> Answer:
    for held in sorted(look.own, key=lambda held: held.order):
        if chance(look.unseen, held.possible, look.critical) < p:
            return ("discard", held.slot)
    return NOTHING
