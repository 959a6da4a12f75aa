"""Layout of the records: a game in memory, and what a seat sees of it.

``GAME`` and ``VIEW`` begin with the same bytes, the part that everybody at the table knows; a
view is filled by copying that prefix and the other seats' cards. Seats are absolute in both. The
history comes last in the common part, so that only events that have happened are copied.
"""

import numpy as np

from tamaya.cards import BIT, DECK_SIZE, N_CARDS, N_COLOURS, copies_of_rank
from tamaya.rules import BOMBS, MAX_HAND, MAX_MOVES, MAX_PLAYERS, OBSERVATIONS, REFILLS, Rules

_SLOTS = (MAX_PLAYERS, MAX_HAND)

# Values of the ``status`` field: HLE's and one more.
RUNNING, OUT_OF_LIVES, OUT_OF_CARDS, COMPLETE, GAVE_UP = 0, 1, 2, 3, 4
STATUS_NAMES = ("running", "out of lives", "out of cards", "complete", "gave up")
# Bits of an event's ``effect`` field.
SCORED, GAINED_TOKEN, DREW = 1, 2, 4
# Bits of the ``told`` field: which attribute of a card was named by a hint.
TOLD_COLOUR, TOLD_RANK = 1, 2
# Values of the ``observation`` field.
MINIMAL, CARD_KNOWLEDGE, SEER = 0, 1, 2


def record(fields: list[tuple]) -> np.dtype:
    """Aligned record type whose scalars have attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


EVENT = record([
    ("seat", np.int8),     # who moved
    ("move", np.int8),     # id of the move, offsets relative to the mover
    ("target", np.int8),   # seat that received the hint, -1 for plays and discards
    ("card", np.int8),     # card played or discarded, -1 for hints
    ("order", np.int8),    # its place in the deck, -1 for hints
    ("touched", np.uint8),  # bit per slot of the target that the hint names
    ("newly", np.uint8),   # those of them that had not been told this attribute before
    ("effect", np.uint8),  # SCORED | GAINED_TOKEN | DREW
])  # fmt: skip

_COMMON = [
    # Knowledge.
    ("possible", np.int32, _SLOTS),     # [seat, slot] -> mask that hints leave possible
    ("all_cards", np.int32),            # mask of the cards in the game
    # Rules.
    ("players", np.int8), ("colours", np.int8), ("ranks", np.int8), ("hand_size", np.int8),
    ("max_tokens", np.int8), ("max_lives", np.int8), ("observation", np.int8),
    ("random_start", np.int8), ("keeps_points", np.int8), ("empty_hints", np.int8),
    ("discard_at_full", np.int8), ("refills_in_place", np.int8), ("no_completion_token", np.int8),
    ("copies", np.int8, N_CARDS),       # copies of each card in the whole deck
    ("n_all", np.int8),                 # cards in the whole deck
    # State.
    ("tokens", np.int8), ("lives", np.int8),
    ("mover", np.int8),                 # seat to move
    ("start", np.int8),                 # seat that moved first
    ("deck_size", np.int8),             # cards left in the deck
    ("turns_left", np.int8),            # moves left once the deck is empty
    ("status", np.int8),                # RUNNING, or why the game ended
    ("points", np.int8),                # sum of the fireworks
    ("firework", np.int8, N_COLOURS),   # height per colour
    ("discarded", np.int8, N_CARDS),    # copies of each card in the discard pile
    ("n_cards", np.int8, MAX_PLAYERS),  # cards in each hand
    ("order", np.int8, _SLOTS),         # [seat, slot] -> place in the deck, -1 when empty
    ("told", np.uint8, _SLOTS),         # [seat, slot] -> TOLD_COLOUR | TOLD_RANK
    ("n_moves", np.int16),              # events so far
    ("history", EVENT, MAX_MOVES),
]  # fmt: skip

GAME = record([
    *_COMMON,
    ("card", np.int8, _SLOTS),          # [seat, slot] -> card, -1 when empty
    ("deck", np.int8, DECK_SIZE),       # all cards by order, top first; hidden from every view
    ("seed", np.uint64),                # of the deal, see tamaya.rng
])  # fmt: skip

VIEW = record([
    *_COMMON,
    ("card", np.int8, _SLOTS),          # [seat, slot] -> card, -1 when empty or not seen
    ("seat", np.int8),                  # whose view this is
    ("is_counted", np.int8),            # whether the next two are filled, see tamaya.view
    ("unseen", np.int8, N_CARDS),       # copies of each card the viewer does not see
    ("unseen_cards", np.int32),         # mask of the cards with such copies
])  # fmt: skip

COMMON_NAMES = tuple(field[0] for field in _COMMON)
EVENT_SIZE = EVENT.itemsize


def field_offset(dtype: np.dtype, name: str) -> int:
    """Where a field of a record begins, in bytes."""
    assert dtype.fields is not None
    return int(dtype.fields[name][1])


HISTORY_OFFSET = field_offset(GAME, "history")


def write_rules(game: np.record, rules: Rules) -> None:
    """Write rules into a fresh game record; dealing does not change them."""
    for name in ("players", "colours", "ranks", "hand_size"):
        game[name] = getattr(rules, name)
    game["max_tokens"] = rules.tokens
    game["max_lives"] = rules.lives
    game["observation"] = OBSERVATIONS.index(rules.observation)
    game["random_start"] = rules.random_start
    game["keeps_points"] = BOMBS.index(rules.bomb)
    game["empty_hints"] = rules.empty_hints
    game["discard_at_full"] = rules.discard_at_full
    game["refills_in_place"] = REFILLS.index(rules.refill)
    game["no_completion_token"] = rules.no_completion_token
    game["n_all"] = rules.deck_size
    cards = [5 * colour + rank for colour in range(rules.colours) for rank in range(rules.ranks)]
    game["copies"] = 0
    for card in cards:
        game["copies"][card] = copies_of_rank(card % 5, rules.ranks)
    game["all_cards"] = BIT[cards].sum()


def read_rules(source: np.record) -> Rules:
    """The rules in a game or a view."""
    return Rules(
        players=int(source["players"]), colours=int(source["colours"]), ranks=int(source["ranks"]),
        hand_size=int(source["hand_size"]), tokens=int(source["max_tokens"]),
        lives=int(source["max_lives"]), random_start=bool(source["random_start"]),
        observation=OBSERVATIONS[int(source["observation"])], bomb=BOMBS[source["keeps_points"]],
        empty_hints=bool(source["empty_hints"]), discard_at_full=bool(source["discard_at_full"]),
        refill=REFILLS[source["refills_in_place"]],
        no_completion_token=bool(source["no_completion_token"]),
    )  # fmt: skip


def new_games(n: int, rules: Rules) -> np.ndarray:
    """An array of n game records under the same rules, not yet dealt."""
    games = np.zeros(n, GAME)
    if n:
        write_rules(games[0], rules)
        games[1:] = games[0]
    return games
