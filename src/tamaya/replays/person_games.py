"""Games of data files with the people in them, for learning what people do."""

from collections.abc import Iterable

from tamaya.learn.imitation.games import PersonGame
from tamaya.replays.data_files import DataGame
from tamaya.replays.people import EXPERIENCE, answer_of

QUESTION = "exp"  # of the survey: how experienced the person is


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
