"""Reasons for a move from the view of the seat that makes it: rows for people who are learning.

Agents explain themselves in their own terms. These rows say what anybody in that seat can see:
what a card can be and how likely it is playable or needed, which cards a hint touches and what
their holder learns. They are computed only from the view of the seat.
"""

from collections.abc import Iterator

from tamaya.cards import card_name, copies_of_rank
from tamaya.moves import DISCARD, GIVE_UP, PLAY, describe, parse_move
from tamaya.records import TOLD_COLOUR, TOLD_RANK
from tamaya.web.eyes import Scene

Row = tuple[str, str]
PLAYABLE, CERTAIN = "it can be played", "surely"  # a row of its own, and its strongest answer
MAX_NAMED = 6  # kinds of cards that are listed by name


def grounds_of(scene: Scene, move: str) -> list[Row]:
    """Rows of (what, value) on a move of the seat whose scene it is."""
    number = parse_move(scene.rules, move)
    if number == GIVE_UP:
        return []
    kind, place, value = describe(scene.rules, number)
    if kind in (PLAY, DISCARD):
        return list(_on_card(scene, place, kind))
    is_rank = kind not in (PLAY, DISCARD) and move[-1].isdigit()
    seat = (scene.eyes + place) % scene.rules.players
    return list(_on_hint(scene, seat, value, is_rank))


def _on_card(scene: Scene, slot: int, kind: int) -> Iterator[Row]:
    """What is known of an own card that is to be played or discarded."""
    known = scene.own[scene.eyes][slot]
    cards = [card for card in range(25) if known >> card & 1]
    n_kinds = len(cards)
    if n_kinds <= MAX_NAMED:
        yield f"slot {slot} can be", " ".join(map(card_name, cards))
    else:
        yield f"slot {slot} can be", f"{n_kinds} kinds of cards"
    left = unseen_copies(scene)
    masks = scene.masks
    if kind == PLAY:
        yield PLAYABLE, _chance(known, masks["playable"], left)
        return
    yield "it is of no more use", _chance(known, masks["dead"], left)
    yield "it is the last of a card still needed", _chance(known, masks["critical"], left)


def _on_hint(scene: Scene, seat: int, value: int, is_rank: bool) -> Iterator[Row]:
    """The cards that a hint touches, what they are, and what is new about them."""
    attribute = TOLD_RANK if is_rank else TOLD_COLOUR
    told, cards = scene.row("told", seat), scene.row("card", seat)
    for slot, card in enumerate(cards):
        if card < 0 or (card % 5 if is_rank else card // 5) != value:
            continue
        marks = [mark for mark, mask in scene.masks.items() if mask >> card & 1]
        news = "told before" if told[slot] & attribute else "news"
        yield f"seat {seat} slot {slot}", ", ".join((card_name(card), *marks, news))


def unseen_copies(scene: Scene) -> list[int]:
    """[card] -> copies that the seat has not seen: in the deck, or in its own hand."""
    rules, view = scene.rules, scene.views
    left = [0] * 25
    for colour in range(rules.colours):
        played = int(view["firework"][0, colour])
        for rank in range(rules.ranks):
            left[5 * colour + rank] = copies_of_rank(rank, rules.ranks) - (rank < played)
    for card, n in enumerate(view["discarded"][0].tolist()):
        left[card] -= n
    for seat in range(rules.players):
        for card in scene.row("card", seat):
            if card >= 0:
                left[card] -= 1
    return left


def _chance(known: int, wanted: int, left: list[int]) -> str:
    """How likely a card of a set is one of another, each copy being as likely as the next."""
    total = sum(n for card, n in enumerate(left) if known >> card & 1)
    hits = sum(n for card, n in enumerate(left) if (known & wanted) >> card & 1)
    if not known & ~wanted:
        return CERTAIN
    if not known & wanted:
        return "surely not"
    return f"{round(100 * hits / max(1, total))} %, {hits} of {total} cards it may be"
