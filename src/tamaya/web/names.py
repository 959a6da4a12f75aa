"""Names of people: visible characters only, and no two at a table that look alike.

A name is kept as it was given, in Unicode's composed form. Two are taken for the same if their
``outline`` is: without case, accents, spaces and punctuation, with letters of other scripts in
place of the Latin ones that they look like. If in doubt, names count as alike: the only cost is a
number after the name.
"""

# ruff: noqa: RUF001 (letters that look like others are what this is about)

import unicodedata
from collections.abc import Iterable

LONGEST_NAME = 40
MOST_MARKS = 4  # above and below one letter; Burmese needs three
# Characters that show nothing, though they count as letters, marks or symbols.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
)
_EMOJI_STYLE = dict.fromkeys((0xFE0E, 0xFE0F))  # phones add them; without them it is the same sign
# What the page and the log call seats themselves.
RESERVED = ("you", *(f"seat {number}" for number in range(1, 6)))
_ALIKE = str.maketrans({
    **dict(zip("авеһіјкмнорстухѕԁԛԝѵӏзб", "abehljkmhopctyxsdqwvl36", strict=True)),  # Cyrillic
    **dict(zip("αβεζηικμνορτυχγ", "abezhlkmvoptuxy", strict=True)),  # Greek
    **dict(zip("օոսհց", "onuhg", strict=True)),  # Armenian
    **dict(zip("ıłøđħɑɡɩʟæœþ0i1|", ("l", "l", "o", "d", "h", "a", "g", "l", "l", "ae", "oe", "p",
                                     "o", "l", "l", "l"), strict=True)),
})  # fmt: skip
_PAIRS = (("rn", "m"), ("vv", "w"))


def read_name(text: str) -> str:
    """The name of a person in a text: in one line, in one direction; ValueError says why not."""
    name = unicodedata.normalize("NFC", " ".join(text.translate(_EMOJI_STYLE).split()))
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters, this one {len(name)}")
    n_marks = MOST_MARKS  # there is no letter yet that could bear any
    for character in name:
        category = unicodedata.category(character)
        # Cc control, Cf format (bidi marks among them), Cs halves of pairs, Co private, Cn none.
        if category[0] == "C" or character in _BLANK:
            raise ValueError(f"a name cannot have the character U+{ord(character):04X}")
        n_marks = n_marks + 1 if category in ("Mn", "Me") else 0
        if n_marks > MOST_MARKS:
            raise ValueError(f"a name has letters first, and at most {MOST_MARKS} marks on each")
    return name


def outline(name: str) -> str:
    """What a name looks like, roughly; the same for names that could be taken for each other."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    shape = unicodedata.normalize("NFKD", folded).translate(_ALIKE)
    kept = "".join(letter for letter in shape if _is_body(letter))
    for pair, letter in _PAIRS:
        kept = kept.replace(pair, letter)
    return kept or folded


def _is_body(letter: str) -> bool:
    """Whether a character is more than an accent, a space or a dot."""
    category = unicodedata.category(letter)
    return (category[0] in "LNS" and category not in ("Lm", "Sk")) or category == "Mc"


def distinct_name(name: str, others: Iterable[str]) -> str:
    """A name, with a number if others at the table look the same: ``Ann 2``."""
    taken = {outline(other) for other in (*others, *RESERVED) if other}
    found, number = name, 1
    while outline(found) in taken:
        number += 1
        found = f"{name[: LONGEST_NAME - 2]} {number}"
    return found
