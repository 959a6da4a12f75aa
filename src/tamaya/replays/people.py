"""Games of people, grouped by what their data say: who loses how much per move.

Data files say which seats of a game were people's, who the participant was, and what that person
answered in a survey. Games are grouped by such an answer and the number of players. People differ
more than their moves do and some play hundreds of games, so every participant has the same weight
and standard errors are over participants; for games without participants, over games.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import nan, sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple

from tamaya.replays.data_files import DataGame
from tamaya.replays.game_rows import GameRow
from tamaya.replays.marks import FULL_SCORE
from tamaya.rules import Rules

NOT_SAID = "not said"
EXPERIENCE = ("new", "dabbling", "intermediate", "expert")  # the survey's order of its answers


class Group(NamedTuple):
    """Games with the same number of players whose participants gave the same answer."""

    players: int
    answer: str

    @property
    def place(self) -> tuple[int, int, str]:
        """Sort key: few players first, answers in the survey's order, missing ones last."""
        known = EXPERIENCE.index(self.answer) if self.answer in EXPERIENCE else len(EXPERIENCE)
        return self.players, len(EXPERIENCE) + 1 if self.answer == NOT_SAID else known, self.answer


@dataclass(frozen=True)
class GroupRow:
    """What the people of a group surely lost, in points of 25."""

    players: int
    answer: str
    participants: int  # 0 if the file does not say who played
    games: int
    moves: int  # of people
    blunder: int
    mistake: int
    inaccuracy: int
    loss_per_move: float
    se: float  # nan where there is one participant or one game

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "se": None if self.se != self.se else self.se}


def answer_of(about: Mapping[str, Any], by: str) -> str:
    """A game's answer to a question: from the survey, or from another field."""
    survey = about.get("survey")
    answer = survey.get(by) if isinstance(survey, Mapping) else None
    answer = about.get(by) if answer is None else answer
    return str(answer) if isinstance(answer, str | int | float) else NOT_SAID


def check_question(found: Iterable[DataGame], by: str) -> None:
    """Raise ValueError if no game answers a question; the message lists what they answer."""
    abouts = [each.about for each in found]
    if any(answer_of(about, by) != NOT_SAID for about in abouts):
        return
    said = {key for about in abouts for key in about if key not in ("survey", "human_seats")}
    surveys = [about["survey"] for about in abouts if isinstance(about.get("survey"), Mapping)]
    said |= {key for survey in surveys for key in survey}
    known = f"; they answer {', '.join(sorted(said))}" if said else ""
    raise ValueError(f"--by {by}: no game answers it{known}")


def turns_of_people(found: DataGame) -> list[int]:
    """The turns, from 1, at which a person moved: all of them, unless the file names seats."""
    game = found.game
    assert game is not None
    seats = found.about.get("human_seats")
    who = set(seats) if isinstance(seats, list) else set(range(game.rules.players))
    start, players = int(game.record.start), game.rules.players
    return [turn for turn in range(1, game.turn + 1) if (start + turn - 1) % players in who]


def sample_of(found: Sequence[DataGame], by: str, games: int, seed: int = 0) -> list[DataGame]:
    """At most n games of each group, one of each participant before a second of any.

    Drawn by the seed; a larger sample contains every smaller one. The order stays that of the file.
    """
    groups: dict[Group, dict[str, list[int]]] = {}
    for place, each in enumerate(found):
        if each.game is not None:
            group = Group(each.game.rules.players, answer_of(each.about, by))
            who = each.about.get("participant", place)
            groups.setdefault(group, {}).setdefault(str(who), []).append(place)
    chosen: set[int] = set()
    for group, people in groups.items():
        rng = random.Random(f"{seed} {group}")
        order = sorted(people)
        rng.shuffle(order)
        for who in order:
            rng.shuffle(people[who])
        rounds = max(map(len, people.values()))
        drawn = [people[who][k] for k in range(rounds) for who in order if k < len(people[who])]
        chosen.update(drawn[:games])
    return [each for place, each in enumerate(found) if place in chosen or each.game is None]


def rows_by(rows: Iterable[GameRow], by: str) -> list[GroupRow]:
    """Analysed games, only people's turns, by group."""
    groups: dict[Group, list[GameRow]] = {}
    for row in rows:
        group = Group(Rules.parse(row.rules).players, answer_of(row.about, by))
        groups.setdefault(group, []).append(row)
    return [_group_row(group, groups[group]) for group in sorted(groups, key=lambda g: g.place)]


def _group_row(group: Group, rows: Sequence[GameRow]) -> GroupRow:
    clusters: dict[object, list[GameRow]] = {}
    for place, row in enumerate(rows):
        clusters.setdefault(row.about.get("participant", place), []).append(row)
    losses = [_loss_per_move(cluster) for cluster in clusters.values()]
    counts = {name: sum(row.count(name) for row in rows)
              for name in ("blunder", "mistake", "inaccuracy")}  # fmt: skip
    return GroupRow(
        players=group.players,
        answer=group.answer,
        participants=sum(not isinstance(who, int) for who in clusters),
        games=len(rows),
        moves=sum(row.turns for row in rows),
        **counts,
        loss_per_move=mean(losses),
        se=stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else nan,
    )


def _loss_per_move(rows: Sequence[GameRow]) -> float:
    turns = sum(row.turns for row in rows)
    return sum(row.sure_loss * FULL_SCORE / row.max_score for row in rows) / max(1, turns)
