"""Notes on cards in hanab.live's shorthands: what the writer thought a card was.

    r2            red 2                        [f]  [hf]  [gd]    finessed
    r2, b3        one of these                 [cm] [5cm] [tcm]   chop-moved
    rb23          red or blue, 2 or 3          kt, trash          known trash
    r             any red                      fix                needs a fix
    !r2, !3       none of these                ?   !              doubtful, surprising
    r2 | b3       the last part counts         blank, clued, x    drawn without, with, no hints

A note is one keyword, or any number of them in brackets between other words; several narrow each
other down. Cards may be outside the brackets (``r2, [f]``), and if the last part only says what
happened to a card (``r2 | [cm]``), the part before it says what the card is. Colours are
hanab.live's, by index: r y g b p, and r g b with three. Other words are ignored, and the text
itself is never changed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tamaya.cards import BIT
from tamaya.rules import Rules

# hanab.live's colours by the number of colours in the game; other numbers have the first of five.
SUITS = {3: ("red", "green", "blue"), 4: ("red", "yellow", "green", "blue")}
ALL_SUITS = ("red", "yellow", "green", "blue", "purple")
MEANINGS = {
    "finessed": ("f", "hf", "sf", "cf", "pf", "gd", "utf"),
    "chop_moved": ("cm", "chop move", "chop moved", "5cm", "e5cm", "tcm", "tccm", "sdcm", "esdcm",
                   "sbpcm", "ocm", "tocm", "mcm", "utfcm", "utbcm", "utdcm", "uddcm", "uutdcm",
                   "uuddcm", "dtccm", "atcm", "ttcm"),
    "trash": ("kt", "trash", "stale", "bad"),
    "needs_fix": ("fix", "fixme", "needs fix"),
    "doubtful": ("?",),
    "surprising": ("!",),
    "blank": ("blank", "unknown"),
    "clued": ("clued", "cl"),
    "unclued": ("unclued", "x"),
}  # fmt: skip
_WORDS = {word: meaning for meaning, words in MEANINGS.items() for word in words}
_BRACKETED = re.compile(r"\[([^\[\]\n]*)\]")  # what opens and never closes is passed at once
# What happened to a card: this says nothing against what it was taken for.
_HAPPENED = {"finessed", "chop_moved", "needs_fix", "doubtful", "surprising", "clued"}
MAX_NOTE = 2000  # characters that are parsed


@dataclass(frozen=True)
class Note:
    """What a note says about a card."""

    text: str
    cards: int | None  # mask of what it may be, None if the note does not say
    meanings: frozenset[str]  # of ``MEANINGS``

    @property
    def has_meaning(self) -> bool:
        """Whether the card is to be drawn differently."""
        return self.cards is not None or bool(self.meanings)


def parse_note(rules: Rules, text: str, suits: Sequence[str] = ()) -> Note:
    """Read the shorthands of a note on a card; ``suits`` are other names of the colours."""
    suits = suits or SUITS.get(rules.colours, ALL_SUITS)
    cards, meanings = None, None
    for part in reversed(text[-MAX_NOTE:].lower().split("|")):
        cards, said = _read_part(rules, part.strip(), suits)
        meanings = said if meanings is None else meanings
        if cards is not None or not said or not said <= _HAPPENED:
            break
    return Note(text, cards, frozenset(meanings or ()))


def _read_part(rules: Rules, part: str, suits: Sequence[str]) -> tuple[int | None, set[str]]:
    """The cards and the meanings of the text between two bars."""
    keywords = [keyword.strip() for keyword in _BRACKETED.findall(part)]
    outside = [words.strip() for words in _BRACKETED.sub(",", part).split(",")]
    rest = ", ".join(words for words in outside if words)
    if not keywords or _cards_of(rules, rest, suits) is not None:
        keywords.insert(0, rest)
    cards: int | None = None
    meanings = set()
    for keyword in keywords:
        if keyword in _WORDS:
            meanings.add(_WORDS[keyword])
            continue
        said = _cards_of(rules, keyword, suits)
        if said is not None:
            both = said if cards is None else cards & said
            cards = both or said  # one that contradicts the others replaces them
    return cards, meanings


def _cards_of(rules: Rules, keyword: str, suits: Sequence[str]) -> int | None:
    """The cards of a keyword such as ``r2, !b``; None if a part of it is not a card."""
    parts = [part.strip() for part in keyword.split(",")]
    positive, negative = 0, 0
    for part in parts:
        mask = _cards_of_part(rules, part.removeprefix("!").strip(), suits)
        if mask is None:
            return None
        if part.startswith("!"):
            negative |= mask
        else:
            positive |= mask
    if all(part.startswith("!") for part in parts):
        positive = _mask(range(rules.colours), range(rules.ranks))
    return positive & ~negative


def _cards_of_part(rules: Rules, part: str, suits: Sequence[str]) -> int | None:
    """The cards of ``r2``, ``red 2``, ``2 red``, ``rb23``, ``red`` or ``3``."""
    suits = suits[: rules.colours]
    words = part.split()
    letters = {suit[0]: k for k, suit in enumerate(suits)}
    colours, ranks = set(), set()
    for word in words:
        if word in suits:
            colours.add(suits.index(word))
            continue
        named = next((suit for suit in suits if word.startswith(suit) or word.endswith(suit)), "")
        if named:
            colours.add(suits.index(named))
            word = word.replace(named, "", 1)
        for letter in word:
            if letter in letters:
                colours.add(letters[letter])
            elif letter in "12345"[: rules.ranks]:
                ranks.add(int(letter) - 1)
            else:
                return None
    if not colours and not ranks:
        return None
    return _mask(colours or range(rules.colours), ranks or range(rules.ranks))


def _mask(colours: Iterable[int], ranks: Iterable[int]) -> int:
    return sum(int(BIT[5 * colour + rank]) for colour in colours for rank in ranks)
