"""A hand on the table: the seat, its cards, the marks on them and what their holder knows."""

from collections.abc import Sequence

from tamaya.cards import BIT, COLOUR_LETTERS, card_name, cards_text
from tamaya.drawing.faces import (
    HEIGHT,
    badge,
    colour_pips,
    face,
    frame,
    hidden_face,
    pin,
    place,
    rank_pips,
)
from tamaya.drawing.scene import Scene
from tamaya.drawing.svg import group, node, text, title
from tamaya.moves import HINT_COLOUR, describe
from tamaya.records import RUNNING

LABEL, STEP, ROW = 94, 59, 116  # width of the seats' names, card to card, height of a hand


def hand(scene: Scene, seat: int, names: Sequence[str]) -> str:
    """The row of a seat."""
    slots = range(scene.rules.hand_size)
    parts = []
    if seat == scene.record.mover and scene.record.status == RUNNING:
        width = LABEL + STEP * len(slots) + 6
        parts.append(node("rect", x=-8, y=3, width=width, height=ROW - 4, rx=10, fill="band"))
        parts.append(node("path", d="M0 43v12l9-6z", fill="blue"))
    parts.append(text(15, 54, 14, f"seat {seat}", font_weight=700))
    name = names[seat] if seat < len(names) else ""
    if len(name) > 11:
        name = f"{name[:10]}…"
    for k, words in enumerate(filter(None, (name, "you" if seat == scene.seat else ""))):
        parts.append(text(15, 71 + 15 * k, 12, words, "soft"))
    parts += (group(LABEL + STEP * slot, 21, *_slot(scene, seat, slot)) for slot in slots)
    return "".join(parts)


def _slot(scene: Scene, seat: int, slot: int) -> list[str]:
    """A slot of a hand: its card and, below a visible card, what its holder knows."""
    record = scene.record
    if record.order[seat, slot] < 0:
        return [place()]
    card, told = int(record.card[seat, slot]), int(record.possible[seat, slot])
    known = int(scene.own[seat, slot])
    could_be = known if card < 0 else int(BIT[card])
    marks = [mark for mark, mask in scene.masks.items() if could_be and not could_be & ~mask]
    if record.status != RUNNING:
        marks = []
    hint = _hint(scene, seat, slot)
    drawn = [
        face(card) if card >= 0 else hidden_face(told, known),
        frame() + hint if hint else "",
        *(badge(mark, 45, 5 + 17 * k) for k, mark in enumerate(marks)),
    ]
    words = [f"slot {slot}: {card_name(card) if card >= 0 else cards_text(known)}", *marks]
    if card >= 0:
        words.append(f"its holder knows: {cards_text(known)}")
    is_raised = bool(record.told[seat, slot])
    knowledge = _knowledge(told, known) if card >= 0 and told != record.all_cards else ""
    return [title(", ".join(words)), group(0, -4 if is_raised else 0, *drawn), knowledge]


def _hint(scene: Scene, seat: int, slot: int) -> str:
    """The pin of the last move, if it was a hint that touched this card."""
    event = scene.last
    if event is None or event.target != seat or not event.touched >> slot & 1:
        return ""
    kind, _, value = describe(scene.rules, int(event.move))
    named = COLOUR_LETTERS[value] if kind == HINT_COLOUR else str(value + 1)
    return pin(named, bool(event.newly >> slot & 1))


def _knowledge(told: int, known: int) -> str:
    """The pips of a card that others see, in two lines below it."""
    ranks = rank_pips(told, known, HEIGHT + 10, 10, "soft")
    return ranks + group(0, HEIGHT + 17, colour_pips(told, known, 3.7))
