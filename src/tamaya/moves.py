"""Moves are ints in the order of HLE.

With hand size H, P players, C colours and R ranks:

    0 .. H-1                discard slot
    H .. 2H-1               play slot
    next (P-1)*C            hint a colour to offset 1..P-1
    next (P-1)*R            hint a rank to offset 1..P-1

Offsets are relative to the mover. Kernels take a game or a view as their first argument, because
ids depend on its sizes. The short text of a move is ``d0``, ``p3``, ``h1R`` (colour red to the
next seat) or ``h25`` (rank 5 to the seat after it).

An agent may also return ``GIVE_UP``, text ``x``: the game ends at once and the points so far count.
This is not a move and has no event; it exists for agents whose originals crashed in some positions.
"""

from tamaya.cards import COLOUR_LETTERS, COLOUR_NAMES
from tamaya.compiled import hot
from tamaya.rules import Rules

NO_MOVE, GIVE_UP = -1, -2
DISCARD, PLAY, HINT_COLOUR, HINT_RANK = 0, 1, 2, 3


@hot
def discard(view, slot):
    """Move that discards the card in a slot."""
    return slot


@hot
def play(view, slot):
    """Move that plays the card in a slot."""
    return view.hand_size + slot


@hot
def hint_colour(view, offset, colour):
    """Move that tells the seat at an offset all its cards of a colour."""
    return 2 * view.hand_size + (offset - 1) * view.colours + colour


@hot
def hint_rank(view, offset, rank):
    """Move that tells the seat at an offset all its cards of a rank."""
    return 2 * view.hand_size + (view.players - 1) * view.colours + (offset - 1) * view.ranks + rank


@hot
def kind_of(view, move):
    """DISCARD, PLAY, HINT_COLOUR or HINT_RANK."""
    if move < view.hand_size:
        return DISCARD
    if move < 2 * view.hand_size:
        return PLAY
    if move < 2 * view.hand_size + (view.players - 1) * view.colours:
        return HINT_COLOUR
    return HINT_RANK


@hot
def slot_of(view, move):
    """Slot of a play or discard."""
    return move if move < view.hand_size else move - view.hand_size


@hot
def offset_of(view, move):
    """Offset of the seat that a hint goes to."""
    hint = move - 2 * view.hand_size
    n_colour_hints = (view.players - 1) * view.colours
    if hint < n_colour_hints:
        return hint // view.colours + 1
    return (hint - n_colour_hints) // view.ranks + 1


@hot
def value_of(view, move):
    """Colour or rank that a hint names."""
    hint = move - 2 * view.hand_size
    n_colour_hints = (view.players - 1) * view.colours
    if hint < n_colour_hints:
        return hint % view.colours
    return (hint - n_colour_hints) % view.ranks


def describe(rules: Rules, move: int) -> tuple[int, int, int]:
    """Kind, slot or offset, and hinted value (-1 for cards) of a move id."""
    if not 0 <= move < rules.n_moves:
        raise ValueError(f"move {move} does not exist: ids go from 0 to {rules.n_moves - 1}")
    if move < 2 * rules.hand_size:
        return (DISCARD if move < rules.hand_size else PLAY), move % rules.hand_size, -1
    hint = move - 2 * rules.hand_size
    n_colour_hints = (rules.players - 1) * rules.colours
    if hint < n_colour_hints:
        return HINT_COLOUR, hint // rules.colours + 1, hint % rules.colours
    hint -= n_colour_hints
    return HINT_RANK, hint // rules.ranks + 1, hint % rules.ranks


def move_text(rules: Rules, move: int) -> str:
    """Short text of a move, such as ``p0`` or ``h1R``."""
    if move == GIVE_UP:
        return "x"
    kind, place, value = describe(rules, move)
    if kind in (DISCARD, PLAY):
        return f"{'dp'[kind]}{place}"
    return f"h{place}{COLOUR_LETTERS[value] if kind == HINT_COLOUR else value + 1}"


def move_phrase(rules: Rules, move: int) -> str:
    """A move in words, such as ``play slot 0`` or ``tell +1 red``."""
    if move == GIVE_UP:
        return "give up"
    kind, place, value = describe(rules, move)
    if kind in (DISCARD, PLAY):
        return f"{'play' if kind == PLAY else 'discard'} slot {place}"
    return f"tell +{place} {COLOUR_NAMES[value] if kind == HINT_COLOUR else f'rank {value + 1}'}"


def move_call(rules: Rules, move: int) -> str:
    """The call that builds a move, such as ``hint_colour(view, offset=1, colour=0)``."""
    kind, place, value = describe(rules, move)
    if kind in (DISCARD, PLAY):
        return f"{'play' if kind == PLAY else 'discard'}(view, slot={place})"
    name = "colour" if kind == HINT_COLOUR else "rank"
    return f"hint_{name}(view, offset={place}, {name}={value})"


def parse_move(rules: Rules, text: str) -> int:
    """Move id of a short text; ValueError names the text."""
    if text == "x":
        return GIVE_UP
    for move in range(rules.n_moves):
        if move_text(rules, move) == text:
            return move
    raise ValueError(
        f"{text!r} is not a move of this game: expected something like d0, p0, h1R or h15"
    )
