"""Games with the people in them, and who of them is held out.

People, never moves, are divided into those who are learned from, those who say when to stop, and
those whom the result is tested on. A person's part follows from the seed of the split and the
person's name alone, so more games do not change it; except that whoever played more than
``MOST_GAMES`` is always learned from, because a test would be about that person.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from tamaya.game import Game
from tamaya.rules import Rules

TRAIN, VALIDATION, TEST = "train", "validation", "test"
MOST_GAMES = 100
TEST_SHARE, VALIDATION_SHARE = 0.3, 0.15


@dataclass(frozen=True)
class PersonGame:
    """A game, and the seats in which the moves of people count."""

    game: Game
    seats: tuple[int, ...]
    person: str  # the participant or, if the data name nobody, the game
    experience: str = ""  # what the person said, one of EXPERIENCE


def share_of(person: str, seed: int) -> float:
    """A number from 0 to 1 that follows from a person's name and a seed."""
    digest = sha256(f"{seed} {person}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def parts_of(games: Iterable[PersonGame], seed: int) -> dict[str, str]:
    """Every person's part: TRAIN, VALIDATION or TEST."""
    parts = {}
    for person, n in Counter(each.person for each in games).items():
        share = share_of(person, seed)
        is_test, is_held_out = share < TEST_SHARE, share < TEST_SHARE + VALIDATION_SHARE
        parts[person] = TEST if is_test else VALIDATION if is_held_out else TRAIN
        if n > MOST_GAMES:
            parts[person] = TRAIN
    return parts


def games_in(games: Sequence[PersonGame], parts: Iterable[str], seed: int) -> list[PersonGame]:
    """The games of the people in some parts."""
    wanted, part = set(parts), parts_of(games, seed)
    return [each for each in games if part[each.person] in wanted]


def common_rules(games: Sequence[PersonGame]) -> Rules:
    """The rules of some games, which must be the same for all."""
    if not games:
        raise ValueError("no games of people to learn from")
    rules = games[0].game.rules
    for each in games:
        if each.game.rules != rules:
            other = each.game.rules.to_text()
            raise ValueError(f"the games follow different rules: {rules.to_text()} and {other}; "
                             "choose a number of players")  # fmt: skip
    return rules
