"""Cards, and the marks on them: every face has a letter, a symbol and a rank.

So cards can be told apart without seeing colours. Faces are drawn from (0, 0) to (WIDTH, HEIGHT).
"""

from typing import Any

from tamaya.cards import COLOUR_LETTERS, COLOUR_MASK, N_COLOURS, N_RANKS, RANK_MASK
from tamaya.drawing.svg import group, node, number, text

WIDTH, HEIGHT = 50, 70

# Around (0, 0), reaching to 1: triangle, star, square, ring, crescent.
SYMBOLS = (
    "M0-.95L1 .8H-1Z",
    "M0-1L.26-.32 .98-.29 .42.16 .62.86 0 .46-.62.86-.42.16-.98-.29-.26-.32Z",
    "M-.82-.82H.82V.82H-.82Z",
    "M0-.95A.95.95 0 1 0 0 .95A.95.95 0 1 0 0-.95ZM0-.46A.46.46 0 1 1 0 .46A.46.46 0 1 1 0-.46Z",
    "M.5-.86A1 1 0 1 0 .5.86A.76.76 0 1 1 .5-.86Z",
)
MARKS = {  # of a card: what is drawn on the badge, and its role
    "playable": ("M-3.2.3L-1 2.8 3.2-2.6", "green"),
    "critical": ("M0-4V.8M0 3.6V3.7", "orange"),
    "dead": ("M-2.6-2.6L2.6 2.6M2.6-2.6L-2.6 2.6", "soft"),
}


def symbol(colour: int, x: float, y: float, radius: float, fill: str) -> str:
    """The symbol of a colour around a point."""
    place = f"translate({number(x)} {number(y)}) scale({number(radius)})"
    return node("path", d=SYMBOLS[colour], transform=place, fill=fill)


def ending(colour: int) -> str:
    """The ending of a colour's roles, such as ``r`` in ``face-r``; ``x`` for -1, no colour."""
    return COLOUR_LETTERS[colour].lower() if colour >= 0 else "x"


def body(colour: int, *inside: str) -> str:
    """A card of a colour, -1 for an unknown one, with what is on it."""
    end = ending(colour)
    return _paper(f"face-{end}", f"edge-{end}", stroke_width=1.2) + "".join(inside)


def place(*inside: str) -> str:
    """A place on the table without a card."""
    return _paper("page", "soft", stroke_dasharray="3 4") + "".join(inside)


def _paper(fill: str, stroke: str, **look: Any) -> str:
    sizes = {"x": 0.6, "y": 0.6, "width": WIDTH - 1.2, "height": HEIGHT - 1.2, "rx": 6.5}
    return node("rect", fill=fill, stroke=stroke, **sizes, **look)


def face(card: int) -> str:
    """A card that is seen."""
    colour, rank = divmod(card, 5)
    return body(colour, _rank(rank, f"text-{ending(colour)}"), _suit(colour))


def hidden_face(told: int, left: int) -> str:
    """A hidden card with the set of what hints leave possible, and what counting leaves of that.

    A rank or colour that is certain is drawn in its usual place, others as pips.
    """
    colours = [colour for colour in range(N_COLOURS) if left & int(COLOUR_MASK[colour])]
    ranks = [rank for rank in range(N_RANKS) if left & int(RANK_MASK[rank])]
    colour = colours[0] if len(colours) == 1 else -1
    fill = f"text-{ending(colour)}"
    high = _rank(ranks[0], fill) if len(ranks) == 1 else rank_pips(told, left, 25, 11, fill)
    low = _suit(colour) if colour >= 0 else group(0, 51, colour_pips(told, left, 4.1))
    return body(colour, high, low)


def _rank(rank: int, fill: str) -> str:
    return text(7, 31, 30, str(rank + 1), fill=fill, font_weight=700)


def _suit(colour: int) -> str:
    fill = f"text-{ending(colour)}"
    letter = text(9, 61, 12, COLOUR_LETTERS[colour], fill=fill, font_weight=600)
    return letter + symbol(colour, 34, 51, 11, fill)


def rank_pips(told: int, left: int, y: float, size: float, fill: str) -> str:
    """The ranks that hints leave possible, each in its own place."""
    pips = []
    for rank in range(N_RANKS):
        x, mask = 25 + 9.2 * (rank - 2), int(RANK_MASK[rank])
        digit = text(x, y, size, str(rank + 1), fill=fill, font_weight=600, text_anchor="middle")
        pips.append(_pip(digit, told & mask, left & mask, (x, y - 0.36 * size), fill))
    return "".join(pips)


def colour_pips(told: int, left: int, radius: float) -> str:
    """The colours that hints leave possible, each in its own place."""
    pips = []
    for colour in range(N_COLOURS):
        x, mask, role = 25 + 9.2 * (colour - 2), int(COLOUR_MASK[colour]), f"edge-{ending(colour)}"
        shape = symbol(colour, x, 0, radius, role)
        pips.append(_pip(shape, told & mask, left & mask, (x, 0), role))
    return "".join(pips)


def _pip(drawn: str, told: int, left: int, centre: tuple[float, float], fill: str) -> str:
    """Nothing if hints exclude it; faint and struck out if all such cards are in sight."""
    if not told or left:
        return drawn if told else ""
    x, y = centre
    line = f"M{number(x - 4.5)} {number(y + 4.5)}l9-9"
    return node("g", drawn, node("path", d=line, stroke=fill, stroke_width=1.2), opacity=0.45)


def frame() -> str:
    """A frame around a card that the last move concerned."""
    return node("rect", x=-2.5, y=-2.5, width=WIDTH + 5, height=HEIGHT + 5, rx=9, fill_opacity=0,
                stroke="blue", stroke_width=2.5)  # fmt: skip


def badge(mark: str, x: float, y: float) -> str:
    """A mark of ``MARKS`` on a disc."""
    path, role = MARKS[mark]
    disc = node("circle", r=7.5, fill="page", stroke=role, stroke_width=1.4)
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    lines = node("path", d=path, fill_opacity=0, stroke=role, stroke_width=2, **ends)
    return group(x, y, disc, lines)


def pin(value: str, is_new: bool) -> str:
    """What a hint named, pointing down at the card: filled if it was new information."""
    shape = "M0 14L-4.5 7A8.5 8.5 0 1 1 4.5 7Z"
    inside, outside = ("page", "blue") if is_new else ("blue", "page")
    drop = node("path", d=shape, fill=outside, stroke="blue", stroke_width=1.4)
    if value in COLOUR_LETTERS:
        named = symbol(COLOUR_LETTERS.index(value), 0, 0, 4.8, inside)
    else:
        named = text(0, 4.2, 12, value, fill=inside, font_weight=700, text_anchor="middle")
    return group(25, -8, drop, named)
