"""Games of data files with the people in them, for learning what people do."""

from collections import Counter
from collections.abc import Iterable

from tamaya.game import Game
from tamaya.learn.imitation.games import PersonGame
from tamaya.replays.data_files import DataGame
from tamaya.replays.people import EXPERIENCE, answer_of

QUESTION = "exp"  # of the survey: how experienced the person is
EVERYBODY = "all"
MOST_OF_PERSON = 20  # games of a person whose behaviour is counted with others'


def person_games(found: Iterable[DataGame], players: int | None = None) -> list[PersonGame]:
    """The games in which people moved, those for some number of players.

    Where a file names no participant, every game counts as somebody else's.
    """
    games = []
    for each in found:
        if each.game is None or players not in (None, each.game.rules.players):
            continue
        seats = each.about.get("human_seats")
        n = each.game.rules.players
        who = tuple(range(n)) if not isinstance(seats, list) else tuple(
            seat for seat in seats if seat in range(n)
        )  # fmt: skip
        if not who:
            continue
        person = each.about.get("participant", each.about.get("id", each.name))
        said = answer_of(each.about, QUESTION)
        games.append(PersonGame(each.game, who, str(person), said if said in EXPERIENCE else ""))
    return games


def seats_of_people(
    games: Iterable[PersonGame], people: str = EVERYBODY
) -> tuple[list[Game], list[int]]:
    """Every seat in which somebody moved, with its game: those of the people who said something.

    Of everybody the first ``MOST_OF_PERSON`` games, so that nobody outweighs all others.
    """
    if people not in (EVERYBODY, *EXPERIENCE):
        known = ", ".join((EVERYBODY, *EXPERIENCE))
        raise ValueError(f"--people must be one of {known}, not {people!r}")
    seen: Counter[str] = Counter()
    found: list[tuple[Game, int]] = []
    for each in games:
        seen[each.person] += 1
        if people in (EVERYBODY, each.experience) and seen[each.person] <= MOST_OF_PERSON:
            found += [(each.game, seat) for seat in each.seats]
    return [game for game, _ in found], [seat for _, seat in found]
