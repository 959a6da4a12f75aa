"""The game once more in the most naive Python: the oracle compiled kernels are compared with.

A card is a pair (colour, rank), both 0-based; a hand is a list of ``hand_size`` slots, ``None``
where a slot is empty. Speed does not matter here and nothing of the package is imported, so that
a mistake in a kernel cannot hide in its own test.
"""

from dataclasses import dataclass
from itertools import accumulate
from math import nextafter
from typing import TypedDict

Card = tuple[int, int]
Move = tuple[str, *tuple[int, ...]]

RUNNING, OUT_OF_LIVES, OUT_OF_CARDS, COMPLETE = range(4)


@dataclass
class ReferenceRules:
    """Everything that distinguishes one variant of the game from another."""

    players: int = 2
    colours: int = 5
    ranks: int = 5
    hand_size: int = 5
    tokens: int = 8
    lives: int = 3
    observation: str = "card_knowledge"  # or "minimal", "seer"
    bomb: str = "zero"  # what a bomb-out scores: "zero", or "keep" the sum of the stacks
    empty_hints: bool = False  # a hint may touch no card
    discard_at_full: bool = False  # discarding at full tokens is legal, the count stays
    refill: str = "shift"  # new card last, or "in_place": new card in the slot that was freed
    no_completion_token: bool = False  # the last card of a colour gives nothing back


@dataclass
class HeldCard:
    """A card in a hand with what hints alone say about it."""

    card: Card
    order: int  # its index in the original deck
    colours: set[int]
    ranks: set[int]
    colour_hinted: bool = False
    rank_hinted: bool = False


class Event(TypedDict):
    """One move of the history with its consequences."""

    seat: int
    move: int
    target: int | None
    card: Card | None
    order: int | None
    touched: list[int]
    newly: list[int]  # slots whose hinted attribute had not been hinted directly before
    scored: bool
    token: bool
    drew: bool


def copies(rank: int, ranks: int) -> int:
    """How many copies of a card the deck holds."""
    if rank == 0:
        return 3
    return 1 if rank == ranks - 1 else 2


def kinds(rules: ReferenceRules) -> list[Card]:
    """All different cards, sorted."""
    return [(colour, rank) for colour in range(rules.colours) for rank in range(rules.ranks)]


def full_deck(rules: ReferenceRules) -> list[Card]:
    """All cards of the game, sorted."""
    return [card for card in kinds(rules) for _ in range(copies(card[1], rules.ranks))]


def move_table(rules: ReferenceRules) -> list[Move]:
    """What each move id means."""
    table: list[Move] = [("discard", slot) for slot in range(rules.hand_size)]
    table += [("play", slot) for slot in range(rules.hand_size)]
    offsets = range(1, rules.players)
    table += [("colour", offset, colour) for offset in offsets for colour in range(rules.colours)]
    table += [("rank", offset, rank) for offset in offsets for rank in range(rules.ranks)]
    return table


def one_hot(index: int | None, size: int) -> list[int]:
    """A list of zeros with a one at the index, if there is an index."""
    return [int(place == index) for place in range(size)]


def thermometer(n: int, size: int) -> list[int]:
    """A list of n ones filled up with zeros."""
    return [int(place < n) for place in range(size)]


class ReferenceGame:
    """One game, played by move ids, of which every seat can be shown its vector."""

    def __init__(self, rules: ReferenceRules, deck: list[Card], start: int = 0) -> None:
        """Deal a deck, top card first, one whole hand after the other from seat 0."""
        self.rules = rules
        self.kinds = kinds(rules)
        self.meanings = move_table(rules)
        self.deck = list(deck)
        self.n_dealt = 0
        self.hands: list[list[HeldCard | None]] = [
            [self._draw() for _ in range(rules.hand_size)] for _ in range(rules.players)
        ]
        self.fireworks = [0] * rules.colours
        self.discards: list[Card] = []
        self.tokens = rules.tokens
        self.lives = rules.lives
        self.mover = start
        self.turns_left = rules.players
        self.status = RUNNING
        self.history: list[Event] = []

    def _draw(self) -> HeldCard:
        """Take the top card of the deck, about which nothing is known except to a seer."""
        colour, rank = card = self.deck.pop(0)
        self.n_dealt += 1
        order = self.n_dealt - 1
        if self.rules.observation == "seer":
            return HeldCard(card, order, {colour}, {rank}, True, True)
        return HeldCard(card, order, set(range(self.rules.colours)), set(range(self.rules.ranks)))

    def describe(self, move: int) -> Move:
        """What a move id means, such as ``("play", slot)`` or ``("rank", offset, rank)``."""
        if not 0 <= move < len(self.meanings):
            raise ValueError(f"move {move} does not exist")
        return self.meanings[move]

    def _touched(self, target: int, kind: str, value: int) -> list[int]:
        """Slots of a hand that a colour or rank hint touches."""
        part = 0 if kind == "colour" else 1
        hand = self.hands[target]
        return [slot for slot, held in enumerate(hand) if held and held.card[part] == value]

    def _is_legal(self, move: int) -> bool:
        """Whether the mover may make this move, while the game runs."""
        kind, *numbers = self.describe(move)
        if kind in ("colour", "rank"):
            target = (self.mover + numbers[0]) % self.rules.players
            touches = self._touched(target, kind, numbers[1]) != []
            return self.tokens > 0 and (touches or self.rules.empty_hints)
        if self.hands[self.mover][numbers[0]] is None:
            return False
        return kind == "play" or self.tokens < self.rules.tokens or self.rules.discard_at_full

    def legal_moves(self) -> list[int]:
        """Ids of the moves the mover may make, increasing; none once the game is over."""
        if self.status != RUNNING:
            return []
        return [move for move in range(len(self.meanings)) if self._is_legal(move)]

    def apply(self, move: int) -> None:
        """Make a move of the seat to move, with the draw that follows it."""
        if move not in self.legal_moves():
            raise ValueError(f"move {move} is not legal")
        # Counted before the move: the one that draws the last card is not of the final round.
        if not self.deck:
            self.turns_left -= 1
        event: Event = {
            "seat": self.mover, "move": move, "target": None, "card": None, "order": None,
            "touched": [], "newly": [], "scored": False, "token": False, "drew": False,
        }  # fmt: skip
        kind, *numbers = self.describe(move)
        if kind in ("colour", "rank"):
            self._hint(event, kind, numbers[0], numbers[1])
        else:
            self._remove(event, kind, numbers[0])
        self.history.append(event)
        self.mover = (self.mover + 1) % self.rules.players
        self.status = self._end()

    def _hint(self, event: Event, kind: str, offset: int, value: int) -> None:
        """Tell a seat which of its cards have a colour or rank."""
        target = (self.mover + offset) % self.rules.players
        event["target"] = target
        event["touched"] = self._touched(target, kind, value)
        for slot, held in enumerate(self.hands[target]):
            if held is None:
                continue
            possible = held.colours if kind == "colour" else held.ranks
            if slot not in event["touched"]:
                possible.discard(value)
                continue
            possible.intersection_update({value})
            if kind == "colour":
                was_hinted, held.colour_hinted = held.colour_hinted, True
            else:
                was_hinted, held.rank_hinted = held.rank_hinted, True
            if not was_hinted:
                event["newly"].append(slot)
        self.tokens -= 1

    def _remove(self, event: Event, kind: str, slot: int) -> None:
        """Play or discard a card and draw another."""
        hand = self.hands[self.mover]
        held = hand[slot]
        assert held is not None
        colour, rank = held.card
        event["card"] = held.card
        event["order"] = held.order
        event["scored"] = kind == "play" and self.fireworks[colour] == rank
        if event["scored"]:
            self.fireworks[colour] += 1
        else:
            self.discards.append(held.card)
            self.lives -= int(kind == "play")
        is_completed = event["scored"] and self.fireworks[colour] == self.rules.ranks
        is_rewarded = is_completed and not self.rules.no_completion_token
        if (kind == "discard" or is_rewarded) and self.tokens < self.rules.tokens:
            self.tokens += 1
            event["token"] = True
        event["drew"] = self.deck != []
        del hand[slot]
        new_slot = slot if self.rules.refill == "in_place" else len(hand)
        hand.insert(new_slot, self._draw() if self.deck else None)

    def _end(self) -> int:
        """Why the game is over, if it is."""
        if self.lives == 0:
            return OUT_OF_LIVES
        if self.points() == self.rules.colours * self.rules.ranks:
            return COMPLETE
        return OUT_OF_CARDS if self.turns_left == 0 else RUNNING

    def points(self) -> int:
        """Sum of the stacks."""
        return sum(self.fireworks)

    def score(self) -> int:
        """What the game is worth by the bomb rule, now or at its end."""
        return 0 if self.lives == 0 and self.rules.bomb == "zero" else self.points()

    def observation(self, seat: int) -> list[int]:
        """The canonical HLE vector of a seat."""
        vector = self._hands_section(seat) + self._common_sections(seat)
        for held in self._described_slots(seat):
            vector += self._possible(held) + self._hinted(held)
        return vector

    def sad_observation(self, seat: int) -> list[float]:
        """The vector of hanabi_SAD without its greedy-move suffix, the V0 belief public."""
        vector: list[float] = [0.0] * (self.rules.hand_size * len(self.kinds))
        vector += self._hands_section(seat) + self._common_sections(seat)
        for held in self._described_slots(seat):
            vector += self._belief(held)
            vector += self._hinted(held)
        return vector

    def _hands_from(self, seat: int) -> list[list[HeldCard | None]]:
        """All hands, that of the given seat first."""
        return self.hands[seat:] + self.hands[:seat]

    def _described_slots(self, seat: int) -> list[HeldCard | None]:
        """Slots with an entry in the knowledge section, which the minimal vector lacks."""
        if self.rules.observation == "minimal":
            return []
        return [held for hand in self._hands_from(seat) for held in hand]

    def _card_bits(self, card: Card | None) -> list[int]:
        """A card as a one-hot list, no card as zeros."""
        return [int(kind == card) for kind in self.kinds]

    def _hands_section(self, seat: int) -> list[int]:
        """The cards of the other seats, then which hands are short of cards."""
        bits: list[int] = []
        for hand in self._hands_from(seat)[1:]:
            for held in hand:
                bits += self._card_bits(held.card if held else None)
        return bits + [int(None in hand) for hand in self._hands_from(seat)]

    def _common_sections(self, seat: int) -> list[int]:
        """Board, discards and last move."""
        rules = self.rules
        n_undealt = len(full_deck(rules)) - rules.players * rules.hand_size
        bits = thermometer(len(self.deck), n_undealt)
        for height in self.fireworks:
            bits += one_hot(height - 1, rules.ranks)
        bits += thermometer(self.tokens, rules.tokens)
        bits += thermometer(self.lives, rules.lives)
        for card in self.kinds:
            bits += thermometer(self.discards.count(card), copies(card[1], rules.ranks))
        return bits + self._last_move_section(seat)

    def _last_move_section(self, seat: int) -> list[int]:
        """The most recent move as the given seat sees it, zeros before the first."""
        rules = self.rules
        if not self.history:
            n_card_bits = len(self.kinds) + 2 * rules.hand_size
            return [0] * (2 * rules.players + 4 + rules.colours + rules.ranks + n_card_bits + 2)
        event = self.history[-1]
        kind, *numbers = self.describe(event["move"])
        target = None if event["target"] is None else (event["target"] - seat) % rules.players
        bits = one_hot((event["seat"] - seat) % rules.players, rules.players)
        # The vector puts play first although the ids put discard first.
        bits += [int(kind == name) for name in ("play", "discard", "colour", "rank")]
        bits += one_hot(target, rules.players)
        bits += one_hot(numbers[1] if kind == "colour" else None, rules.colours)
        bits += one_hot(numbers[1] if kind == "rank" else None, rules.ranks)
        bits += [int(slot in event["touched"]) for slot in range(rules.hand_size)]
        bits += one_hot(numbers[0] if target is None else None, rules.hand_size)
        bits += self._card_bits(event["card"])
        # HLE never shows the token that a discard gains.
        return [*bits, int(event["scored"]), int(event["token"] and kind == "play")]

    def _possible(self, held: HeldCard | None) -> list[int]:
        """Which cards the hints leave open for a slot."""
        return [
            int(held is not None and colour in held.colours and rank in held.ranks)
            for colour, rank in self.kinds
        ]

    def _hinted(self, held: HeldCard | None) -> list[int]:
        """The colour and the rank a slot was directly told."""
        colour = held.card[0] if held and held.colour_hinted else None
        rank = held.card[1] if held and held.rank_hinted else None
        return one_hot(colour, self.rules.colours) + one_hot(rank, self.rules.ranks)

    def _belief(self, held: HeldCard | None) -> list[float]:
        """Possible cards weighted by the copies neither discarded nor played."""
        weights = []
        for possible, (colour, rank) in zip(self._possible(held), self.kinds, strict=True):
            n_gone = self.discards.count((colour, rank)) + int(self.fireworks[colour] > rank)
            weights.append(possible * (copies(rank, self.rules.ranks) - n_gone))
        # Only an empty slot has no weight: the card in any other has not gone.
        return [weight / max(sum(weights), 1) for weight in weights]

    def as_text(self) -> str:
        """The rules, the whole state, its history and its legal moves, one item per line."""
        lines = [f"rules {self.rules}", f"deck {self.deck}", f"fireworks {self.fireworks}"]
        lines += [f"discards {self.discards}", f"tokens {self.tokens}", f"lives {self.lives}"]
        lines += [f"mover {self.mover}", f"turns_left {self.turns_left}", f"status {self.status}"]
        lines += [f"score {self.score()}", f"points {self.points()}", f"legal {self.legal_moves()}"]
        for seat, hand in enumerate(self.hands):
            for slot, held in enumerate(hand):
                line = f"seat {seat} slot {slot}"
                if held is not None:
                    line += f" card {held.card} order {held.order}"
                    line += f" colours {sorted(held.colours)} ranks {sorted(held.ranks)}"
                    line += f" hinted {held.colour_hinted} {held.rank_hinted}"
                lines.append(line)
        lines += [f"event {number} {event}" for number, event in enumerate(self.history)]
        return "\n".join(lines) + "\n"


class HleDealer:
    """The random stream of one HLE game object, as built with GNU's C++ library.

    Python's own Mersenne Twister is initialised in another way, hence this one.
    """

    def __init__(self, seed: int) -> None:
        """Initialise MT19937 from a single integer, taken modulo 2**32."""
        self.words = [seed % 2**32]
        for place in range(1, 624):
            last = self.words[-1]
            self.words.append((1812433253 * (last ^ (last >> 30)) + place) % 2**32)
        self.place = 624

    def next_word(self) -> int:
        """The next 32-bit output."""
        if self.place == 624:
            for place in range(624):
                high = self.words[place] & 0x80000000
                low = self.words[(place + 1) % 624] & 0x7FFFFFFF
                twisted = ((high | low) >> 1) ^ (0x9908B0DF if low % 2 == 1 else 0)
                self.words[place] = self.words[(place + 397) % 624] ^ twisted
            self.place = 0
        word = self.words[self.place]
        self.place += 1
        word ^= word >> 11
        word ^= (word << 7) & 0x9D2C5680
        word ^= (word << 15) & 0xEFC60000
        return word ^ (word >> 18)

    def start_player(self, players: int) -> int:
        """Draw the seat that starts; to be called for a random start only."""
        return self.next_word() * players // 2**32

    def deal(self, counts: dict[Card, int]) -> Card:
        """Choose one of the cards left; the caller lowers its count."""
        left = sorted(card for card, count in counts.items() if count > 0)
        if len(left) == 1:
            return left[0]
        n_left = sum(counts.values())
        weights = [counts[card] / n_left for card in left]
        # Not sum(), which from Python 3.12 on compensates rounding and C++ does not.
        total = list(accumulate(weights))[-1]
        cumulative = list(accumulate(weight / total for weight in weights))
        cumulative[-1] = 1.0
        low, high = self.next_word(), self.next_word()
        u = min((float(low) + high * 2.0**32) / 2.0**64, nextafter(1.0, 0.0))
        return next(card for card, reached in zip(left, cumulative, strict=True) if reached >= u)


def hle_deck_for(seed: int, rules: ReferenceRules, random_start: bool) -> tuple[int, list[Card]]:
    """Start seat and whole deck of the first game of an HLE game object with this seed."""
    dealer = HleDealer(seed)
    start = dealer.start_player(rules.players) if random_start else 0
    counts = {card: copies(card[1], rules.ranks) for card in kinds(rules)}
    deck = []
    for _ in full_deck(rules):
        card = dealer.deal(counts)
        counts[card] -= 1
        deck.append(card)
    return start, deck
