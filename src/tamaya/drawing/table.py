"""The table: fireworks, supplies, hands, discards and the last move.

Everything comes from the record that is drawn, a game or a view. A view contains no own cards, so
its drawing shows none: an own slot shows what hints and counting leave possible. Slots run from the
oldest card to the newest, as everywhere in the package.
"""

from collections.abc import Sequence

import numpy as np

from tamaya.cards import COLOUR_LETTERS, COLOUR_NAMES
from tamaya.drawing.faces import HEIGHT, MARKS, badge, body, ending, face, frame, place, symbol
from tamaya.drawing.hands import LABEL, ROW, STEP, hand
from tamaya.drawing.scene import Scene, scene_of
from tamaya.drawing.svg import document, group, headline, node, text, title
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
from tamaya.records import RUNNING, SCORED, STATUS_NAMES

MARGIN = 20  # edge of the drawing
TOP = 176  # where the hands begin
PILE = 190  # width of the discard pile
TOKEN = "M0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5Z"
LIFE = "M0 5C-2.5 2.5-5.5.5-5.5-2A2.8 2.8 0 0 1 0-2.5A2.8 2.8 0 0 1 5.5-2C5.5.5 2.5 2.5 0 5Z"


def table_svg(record: np.record, names: Sequence[str] = ()) -> str:
    """The drawing of a game or a view; ``names`` are those of the seats."""
    scene = scene_of(record)
    players, colours = scene.rules.players, scene.rules.colours
    right = MARGIN + LABEL + STEP * max(scene.rules.hand_size, 5) + 22
    bottom = TOP + max(ROW * players, 24 * colours + 110)
    numbers = (_slot_number(slot) for slot in range(scene.rules.hand_size))
    rows = (group(MARGIN, TOP + ROW * seat, hand(scene, seat, names)) for seat in range(players))
    return document(
        right + PILE + MARGIN, bottom + 44, _summary(scene),
        _header(scene, right + PILE),
        group(MARGIN + LABEL, 66, _fireworks(scene)),
        group(right, 66, _supplies(scene)),
        group(MARGIN + LABEL, TOP - 4, *numbers),
        *rows,
        group(right, TOP + 18, _discards(scene)),
        group(right, TOP + 24 * colours + 60, _legend() if record.status == RUNNING else ""),
        text(MARGIN + LABEL, bottom + 20, 14, _last_move(scene)),
    )  # fmt: skip


def _slot_number(slot: int) -> str:
    words = f"slot {slot}" if slot == 0 else str(slot)
    return text(25 + STEP * slot, 0, 11, words, "soft", text_anchor="middle")


def _summary(scene: Scene) -> str:
    """The whole drawing in one sentence."""
    whose = f"what seat {scene.seat} sees of a game" if scene.seat >= 0 else "a game"
    turns, points = scene.record.n_moves, scene.record.points
    return f"Hanabi, {whose} after {turns} turns with {points} points"


def _header(scene: Scene, right: float) -> str:
    record, ranks = scene.record, scene.rules.ranks
    lost = sum(scene.n_lost(colour) for colour in range(scene.rules.colours))
    points, reach = int(record.points), f"{scene.rules.colours * ranks - lost} in reach"
    if record.status == RUNNING:
        turn, state = f"Turn {record.n_moves + 1}", f"seat {record.mover} to move"
        if record.deck_size == 0:
            reach = f"last round, {record.turns_left} to move"
    else:
        turn, state = "The end", f"{STATUS_NAMES[int(record.status)]} on turn {record.n_moves}"
        bombed = record.lives <= 0 and not record.keeps_points
        points, reach = (0, f"{points} played") if bombed else (points, "")
    left = headline(MARGIN + LABEL, 38, turn, state)
    return left + headline(right, 38, f"{points} points", reach, is_right=True)


def _fireworks(scene: Scene) -> str:
    """The top card of every firework, and below it a dot per rank: made, open or lost."""
    return "".join(
        group(STEP * colour, 0, *_firework(scene, colour)) for colour in range(scene.rules.colours)
    )


def _firework(scene: Scene, colour: int) -> list[str]:
    height, ranks = int(scene.record.firework[colour]), scene.rules.ranks
    lost = scene.n_lost(colour)
    words = f"{COLOUR_NAMES[colour]}: {height} of {ranks}" + (f", {lost} lost" if lost else "")
    if height:
        card, event = 5 * colour + height - 1, scene.last
        below = (group(0, -2.5 * k, body(colour)) for k in range(min(height - 1, 4), 0, -1))
        is_news = event is not None and event.effect & SCORED and event.card == card
        drawn = "".join(below) + face(card) + (frame() if is_news else "")
    else:
        letter = text(9, 61, 12, COLOUR_LETTERS[colour], "soft", font_weight=600)
        drawn = place(letter, symbol(colour, 33, 51, 11, "soft"))
    dots = (
        _dot(25 + 9 * (rank - (ranks - 1) / 2), rank < height, rank >= ranks - lost)
        for rank in range(ranks)
    )
    return [title(words), drawn, group(0, HEIGHT + 10, *dots)]


def _dot(x: float, is_made: bool, is_lost: bool) -> str:
    if is_lost:
        path = f"M{x - 2.4}-2.4l4.8 4.8m0-4.8l-4.8 4.8"
        return node("path", d=path, stroke="orange", stroke_width=1.5)
    return node("circle", cx=x, r=2.4, fill="soft" if is_made else "page", stroke="soft")


def _supplies(scene: Scene) -> str:
    """Tokens, lives and deck: a number, a word and shapes."""
    record = scene.record
    tokens, lives, deck = int(record.tokens), max(int(record.lives), 0), int(record.deck_size)
    rows = (
        ("tokens", tokens, _shapes(TOKEN, tokens, int(record.max_tokens), "blue")),
        ("lives", lives, _shapes(LIFE, lives, int(record.max_lives), "orange")),
        ("deck", deck, _backs(deck)),
    )
    parts = []
    for k, (word, count, shapes) in enumerate(rows):
        figure = text(19, 0, 16, str(count), text_anchor="end", font_weight=700)
        parts.append(group(0, 20 + 25 * k, figure, text(26, 0, 13, word, "soft"), shapes))
    return "".join(parts)


def _shapes(path: str, count: int, most: int, role: str) -> str:
    """Filled shapes for what is left, outlines for what is spent; nothing if there are too many."""
    return "".join(
        group(83 + 14 * k, -5, node("path", d=path, fill=fill, stroke=stroke, stroke_width=1.2))
        for k in range(most if most <= 8 else 0)
        for fill, stroke in [(role, role) if k < count else ("page", "soft")]
    )


def _backs(count: int) -> str:
    """A deck seen from the side, a line for every card."""
    return "".join(
        node("path", d=f"M{80 + 2.5 * k}-11v12", stroke="edge-x", stroke_width=1.2)
        for k in range(count)
    )


def _discards(scene: Scene) -> str:
    """The discard pile by colour and rank."""
    rows, event = [text(0, 0, 13, "discards", "soft")], scene.last
    gone = int(event.card) if event is not None and not event.effect & SCORED else -1
    for colour in range(scene.rules.colours):
        cards = range(5 * colour, 5 * colour + scene.rules.ranks)
        pile = [card for card in cards for _ in range(int(scene.record.discarded[card]))]
        small = (_small(card, 18 + 17 * k) for k, card in enumerate(pile))
        news = [_small_frame(17 + 17 * pile.index(gone))] if gone in pile else []
        rows.append(group(0, 19 + 24 * colour, symbol(colour, 6, 0, 5.5, "soft"), *small, *news))
    return "".join(rows)


def _legend() -> str:
    """What the marks on cards mean."""
    words = {"playable": "can be played now", "critical": "last copy, still needed",
             "dead": "never scores again"}  # fmt: skip
    return "".join(
        group(0, 22 * k, badge(mark, 8, -4), text(22, 0, 12, words[mark], "soft"))
        for k, mark in enumerate(MARKS)
    )


def _small(card: int, x: float) -> str:
    colour, rank = divmod(card, 5)
    end, bold = ending(colour), {"font_weight": 700, "text_anchor": "middle"}
    look = {"fill": f"face-{end}", "stroke": f"edge-{end}"}
    paper = node("rect", x=x, y=-9.5, width=15, height=19, rx=3, **look)
    return paper + text(x + 7.5, 4.5, 12.5, str(rank + 1), f"text-{end}", **bold)


def _small_frame(x: float) -> str:
    look = {"stroke": "blue", "stroke_width": "2", "fill_opacity": "0"}
    return node("rect", x=x, y=-10.5, width=17, height=21, rx=4, **look)


def _last_move(scene: Scene) -> str:
    """The last event in words."""
    event = scene.last
    if event is None:
        return "The cards are dealt"
    who = f"Seat {event.seat}"
    kind, _, value = describe(scene.rules, int(event.move))
    if kind == DISCARD:
        return f"{who} discards {_in_words(int(event.card))}"
    if kind == PLAY:
        end = "which scores" if event.effect & SCORED else "which costs a life"
        return f"{who} plays {_in_words(int(event.card))}, {end}"
    slots = [str(slot) for slot in range(scene.rules.hand_size) if event.touched >> slot & 1]
    named = COLOUR_NAMES[value] if kind == HINT_COLOUR else f"rank {value + 1}"
    where = f"slot{'s' * (len(slots) > 1)} {' '.join(slots)}" if slots else "no card"
    return f"{who} tells seat {event.target} {named}: {where}"


def _in_words(card: int) -> str:
    colour, rank = divmod(card, 5)
    return f"{COLOUR_NAMES[colour]} {rank + 1}"
