"""Observation vectors: HLE's canonical encoding bit for bit, and the belief variants of SAD.

Each kernel writes the vector of one seat into a 1-D array (uint8 or float32). It accepts a game or
a view and never reads the seat's own cards. ``docs/observations.md`` has the table of bits,
``sections`` returns it as named slices.

| name          | hands section            | knowledge section      | 2 to 5 players         |
|---------------|--------------------------|------------------------|------------------------|
| `hle`         | others                   | hints, by the rules    | 658, 956, 1041, 1280   |
| `hle-minimal` | others                   | none                   | 308, 431, 481, 580     |
| `obl`         | others                   | public V0 belief       | 658, 956, 1041, 1280   |
| `sad`         | own (zeros), then others | public V0 belief       | 783, 1081, 1141, 1380  |
| `sad-greedy`  | like `sad`, and the mover's greedy move as a second last-action section        |
| `derived`     | `hle` and the block of ``tamaya.features``: 935, 1379, 1501, 1858              |

The belief of a slot is the number of copies of each card that are neither played nor discarded,
among the cards that hints leave possible, divided by its sum. JaxMARL's vector is `obl`.
"""

import hashlib
from typing import Any

import numpy as np

from tamaya.cards import COLOUR_OF, RANK_OF
from tamaya.compiled import hot
from tamaya.features import LEVELS, N_ROUNDS, VERSION, derived_lengths, encode_derived
from tamaya.knowledge.sets import lowest_card
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, kind_of, slot_of, value_of
from tamaya.records import GAINED_TOKEN, MINIMAL, SCORED, TOLD_COLOUR, TOLD_RANK
from tamaya.rules import Rules
from tamaya.simd_masks import write_full_mask

HLE, HLE_MINIMAL, OBL, SAD, SAD_GREEDY, DERIVED = range(6)
ENCODERS = {
    "hle": HLE, "hle-minimal": HLE_MINIMAL, "obl": OBL, "jaxmarl": OBL,
    "sad": SAD, "sad-greedy": SAD_GREEDY, "derived": DERIVED,
}  # fmt: skip
_LAST_MOVE_TYPE = np.array([1, 0, 2, 3])  # HLE lists play before discard here


@hot
def _thermometer(out, at, n, length):
    """Set the first n of some entries, without a branch, which would be mispredicted."""
    for k in range(length):
        out[at + k] = k < n


@hot
def _encode_hands(source, seat, out, at):
    """Cards of the other seats, then which hands are short of cards."""
    n_kinds = source.colours * source.ranks
    for offset in range(1, source.players):
        other = (seat + offset) % source.players
        for slot in range(source.hand_size):
            card = source.card[other, slot]
            if card >= 0:
                out[at + COLOUR_OF[card] * source.ranks + RANK_OF[card]] = 1
            at += n_kinds
    for offset in range(source.players):
        if source.n_cards[(seat + offset) % source.players] < source.hand_size:
            out[at + offset] = 1
    return at + source.players


@hot
def _encode_board(source, out, at):
    """Deck, tokens and lives as thermometers, fireworks as heights."""
    n_deck = source.n_all - source.players * source.hand_size
    _thermometer(out, at, source.deck_size, n_deck)
    at += n_deck
    for colour in range(source.colours):
        if source.firework[colour] > 0:
            out[at + source.firework[colour] - 1] = 1
        at += source.ranks
    _thermometer(out, at, source.tokens, source.max_tokens)
    at += source.max_tokens
    _thermometer(out, at, source.lives, source.max_lives)
    return at + source.max_lives


@hot
def _encode_discards(source, out, at):
    """For each card as many bits as copies, the first ones set for those in the discard pile."""
    for colour in range(source.colours):
        for rank in range(source.ranks):
            card = 5 * colour + rank
            _thermometer(out, at, source.discarded[card], source.copies[card])
            at += source.copies[card]
    return at


@hot
def _encode_last_move(source, seat, out, at):
    """The most recent move of anybody; zeros before the first."""
    players, hand_size = np.int64(source.players), np.int64(source.hand_size)
    n_kinds = source.colours * source.ranks
    target_at = at + players + 4
    colour_at = target_at + players
    rank_at = colour_at + source.colours
    touched_at = rank_at + source.ranks
    slot_at = touched_at + hand_size
    card_at = slot_at + hand_size
    end = card_at + n_kinds + 2
    if source.n_moves == 0:
        return end
    event = source.history[source.n_moves - 1]
    out[at + (event.seat - seat) % players] = 1
    kind = kind_of(source, event.move)
    out[at + players + _LAST_MOVE_TYPE[kind]] = 1
    if kind == PLAY or kind == DISCARD:
        out[slot_at + slot_of(source, event.move)] = 1
        out[card_at + COLOUR_OF[event.card] * source.ranks + RANK_OF[event.card]] = 1
        if kind == PLAY:
            if event.effect & SCORED:
                out[card_at + n_kinds] = 1
            if event.effect & GAINED_TOKEN:
                out[card_at + n_kinds + 1] = 1
    else:
        out[target_at + (event.target - seat) % players] = 1
        value_at = colour_at if kind == HINT_COLOUR else rank_at
        out[value_at + value_of(source, event.move)] = 1
        for slot in range(hand_size):
            out[touched_at + slot] = (event.touched >> slot) & 1
    return end


@hot
def _encode_told(source, seat, slot, out, at):
    """Colour and rank of a card if hints named them, without branches."""
    told = source.told[seat, slot]
    card = lowest_card(source.possible[seat, slot])
    out[at + COLOUR_OF[card]] = (told & TOLD_COLOUR) != 0
    out[at + source.colours + RANK_OF[card]] = (told & TOLD_RANK) != 0


@hot
def _encode_mask(source, mask, out, at):
    """One entry per card of the game: 1 for those in a mask."""
    if source.colours == 5 and source.ranks == 5:
        write_full_mask(out, at, mask)
    else:
        for colour in range(source.colours):
            for rank in range(source.ranks):
                bit = (mask >> (5 * colour + rank)) & 1
                out[at + colour * source.ranks + rank] = bit


@hot
def _encode_knowledge(source, seat, out, at):
    """What hints leave possible for every slot, own hand first, and what they named."""
    n_kinds = source.colours * source.ranks
    for offset in range(source.players):
        other = (seat + offset) % source.players
        for slot in range(source.hand_size):
            if source.order[other, slot] >= 0:
                _encode_mask(source, source.possible[other, slot], out, at)
                _encode_told(source, other, slot, out, at + n_kinds)
            at += n_kinds + source.colours + source.ranks
    return at


@hot
def _encode_belief(source, seat, out, at):
    """Public V0 belief of every slot, own hand first, and what hints named."""
    n_kinds = source.colours * source.ranks
    for offset in range(source.players):
        other = (seat + offset) % source.players
        for slot in range(source.hand_size):
            if source.order[other, slot] >= 0:
                mask = source.possible[other, slot]
                total = 0
                for card in range(25):
                    if (mask >> card) & 1:
                        total += _n_left(source, card)
                for colour in range(source.colours):
                    for rank in range(source.ranks):
                        card = 5 * colour + rank
                        if (mask >> card) & 1:
                            share = np.float32(_n_left(source, card)) / np.float32(total)
                            out[at + colour * source.ranks + rank] = share
                _encode_told(source, other, slot, out, at + n_kinds)
            at += n_kinds + source.colours + source.ranks
    return at


@hot
def _n_left(source, card):
    """Copies of a card neither played nor discarded."""
    played = 1 if source.firework[card // 5] > card % 5 else 0
    return source.copies[card] - source.discarded[card] - played


@hot
def encode_hle(source, seat, out):
    """HLE's canonical vector of a seat; returns the position behind it."""
    out[:] = 0
    at = _encode_hands(source, seat, out, np.int64(0))
    at = _encode_board(source, out, at)
    at = _encode_discards(source, out, at)
    at = _encode_last_move(source, seat, out, at)
    if source.observation != MINIMAL:
        at = _encode_knowledge(source, seat, out, at)
    return at


@hot
def encode_bits(kind, source, seat, out):
    """The vector of a seat by HLE or DERIVED, the encoders that learned networks take."""
    end = encode_hle(source, seat, out)
    if kind == DERIVED:
        encode_derived(source, seat, out, end)


@hot
def encode(kind, source, seat, out):
    """The vector of a seat by the number of an encoder, zeros for a greedy move."""
    if kind == HLE or kind == DERIVED:
        encode_bits(kind, source, seat, out)
        return
    out[:] = 0
    at = np.int64(0)  # positions outgrow the int8 of the record's fields
    if kind >= SAD:
        at += np.int64(source.hand_size) * source.colours * source.ranks
    at = _encode_hands(source, seat, out, at)
    at = _encode_board(source, out, at)
    at = _encode_discards(source, out, at)
    at = _encode_last_move(source, seat, out, at)
    if kind != HLE_MINIMAL:
        _encode_belief(source, seat, out, at)


@hot
def encode_greedy(after, seat, out):
    """Write the last section of `sad-greedy` from a copy of the game after the greedy move."""
    first = np.int64(len(out)) - _last_move_length(after)
    out[first:] = 0
    _encode_last_move(after, seat, out, first)


@hot
def _last_move_length(source):
    n_kinds = source.colours * source.ranks
    return 2 * source.players + 6 + source.colours + source.ranks + 2 * source.hand_size + n_kinds


def encoder_kind(name: str) -> int:
    """Number of an encoder for the kernels; ValueError names an unknown one."""
    if name not in ENCODERS:
        raise ValueError(f"unknown encoder {name!r}: expected one of {', '.join(ENCODERS)}")
    return ENCODERS[name]


def vector_dtype(encoder: str, dtype: Any = None) -> np.dtype:
    """The type of a vector's entries: by default bytes, or float32 for encoders with beliefs."""
    kind = encoder_kind(encoder)
    has_beliefs = kind in (OBL, SAD, SAD_GREEDY)
    chosen = np.dtype(dtype if dtype is not None else np.float32 if has_beliefs else np.uint8)
    allowed = ("float32", "float64") if has_beliefs else ("uint8", "int8", "float32", "float64")
    if chosen.name not in allowed:
        raise ValueError(f"encoder {encoder!r} writes {', '.join(allowed)}, not {chosen.name}")
    return chosen


def sections(rules: Rules, encoder: str = "hle") -> dict[str, slice]:
    """Named parts of a vector, in order: what each range of positions means."""
    kind = encoder_kind(encoder)
    if kind in (OBL, SAD, SAD_GREEDY) and rules.observation == "minimal":
        raise ValueError(f"encoder {encoder!r} needs the memory of hints, which minimal rules hide")
    players, hand_size = rules.players, rules.hand_size
    n_kinds = rules.colours * rules.ranks
    last_move = [
        ("actor", players), ("move type", 4), ("target", players), ("hinted colour", rules.colours),
        ("hinted rank", rules.ranks), ("touched slots", hand_size), ("used slot", hand_size),
        ("used card", n_kinds), ("scored", 1), ("gained token", 1),
    ]  # fmt: skip
    lengths = [
        ("hands", (players - 1) * hand_size * n_kinds), ("short hands", players),
        ("deck", rules.deck_size - players * hand_size), ("fireworks", n_kinds),
        ("tokens", rules.tokens), ("lives", rules.lives), ("discards", rules.deck_size),
        *last_move,
    ]  # fmt: skip
    if kind in (SAD, SAD_GREEDY):
        lengths.insert(0, ("own hand", hand_size * n_kinds))
    if kind != HLE_MINIMAL and rules.observation != "minimal":
        per_hand = hand_size * (n_kinds + rules.colours + rules.ranks)
        lengths += [(f"knowledge +{offset}", per_hand) for offset in range(players)]
    if kind == SAD_GREEDY:
        lengths += [(f"greedy {name}", length) for name, length in last_move]
    if kind == DERIVED:
        lengths += derived_lengths(rules)
    parts, at = {}, 0
    for name, length in lengths:
        parts[name] = slice(at, at + length)
        at += length
    return parts


def vector_length(rules: Rules, encoder: str = "hle") -> int:
    """Number of entries of a vector."""
    return max(part.stop for part in sections(rules, encoder).values())


def hle_length(rules: Rules) -> int:
    """Number of bits of HLE's canonical vector."""
    return vector_length(rules, "hle")


def observation_spec(rules: Rules, encoder: str) -> str:
    """A text that changes whenever the meaning of a vector does; stored with weights."""
    parts = ",".join(f"{name}:{part.start}" for name, part in sections(rules, encoder).items())
    version = f"/{VERSION}" if encoder == "derived" else ""
    digest = hashlib.sha256(f"{parts} {LEVELS.tolist()} {N_ROUNDS}".encode()).hexdigest()
    return f"{encoder}{version} {rules.players} players {digest[:16]}"
