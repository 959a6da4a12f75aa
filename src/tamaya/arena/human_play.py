"""How people scored with programs: means of games that were logged, not played here.

``tamaya.replays.human_scores`` reads such games, which no package contains; protocols take the
means as data. Scores are points kept. Standard errors are over people, because some of them play
hundreds of games.
"""

from dataclasses import dataclass
from typing import Any

from tamaya.arena.tally import without_nan

FIRST, ALL = "first", "all"  # the first game of every person, or all games
EVERYBODY = "everybody"
WHERE_TO_GET_LOGS = (
    "its games are not part of tamaya: download the data set HanabiData of Eger, Martens and "
    "Alfaro Córdoba (2017, CC BY 4.0; yawgmoth/HanabiData on GitHub) and add "
    "--data HanabiData/games.csv, or pass a data file of such games"
)


@dataclass(frozen=True)
class HumanScore:
    """What people scored with a program: all of them, or those who said the same about themselves.

    The mean is over games.
    """

    program: str
    experience: str  # what they said, or EVERYBODY
    games_of: str  # FIRST or ALL
    games: int
    people: int
    mean: float
    se: float  # nan if there is one person

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return without_nan(vars(self))


@dataclass(frozen=True)
class HumanPlay:
    """The means of some logged games, where these came from, and what distinguishes them."""

    source: str  # path, as it was given
    fingerprint: str  # of everything that was read
    scores: tuple[HumanScore, ...]

    def first_games(self, program: str) -> HumanScore | None:
        """The mean of the first games of all people who had a program in theirs."""
        wanted = program, EVERYBODY, FIRST
        for row in self.scores:
            if (row.program, row.experience, row.games_of) == wanted:
                return row
        return None

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that people played with."""
        return tuple(dict.fromkeys(row.program for row in self.scores))
