"""Acquaintances: what ``adaptive`` knows of a partner from the games they have played together.

An acquaintance is prepared anew after every game, from the last ten. An observer sees all cards of
a finished game; only moves of the partner's seats say how the partner plays. It is kept as a
document of JSON, or as a file of one:

    {"version": 1, "partner": "Ann", "games": 12, "learner": "adaptive", "agent": "adaptive:...",
     "meetings": [{"game": "tamaya game 1 ...", "seats": [1]}, ...]}
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tamaya.adapt.player import AdaptiveAgent, adaptive
from tamaya.adapt.settings import VERSION, check_version, params_of
from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, checked, entry, read_json
from tamaya.game import Game

MOST_GAMES = 10  # the last ones, from which it is prepared


@dataclass(frozen=True)
class Meeting:
    """A finished game, and the seats in which the partner made the moves."""

    game: Game
    seats: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.game.is_over:
            raise ValueError(f"the game is not over: it is turn {self.game.turn}")
        players = self.game.rules.players
        for seat in self.seats:
            if not 0 <= seat < players:
                raise ValueError(f"seat {seat} is not a seat of {players} players")

    @property
    def says_something(self) -> bool:
        """Whether the partner has made a move."""
        return bool(set(self.seats) & set(self.game.events["seat"].tolist()))


def acquainted(learner: AdaptiveAgent, meetings: Sequence[Meeting]) -> AdaptiveAgent:
    """The agent for the next game after some meetings, the same after none.

    The last ten count, as far as they were played by the rules of the last one.
    """
    telling = [meeting for meeting in meetings if meeting.says_something]
    alike = [one for one in telling if one.game.rules == telling[-1].game.rules][-MOST_GAMES:]
    return learner.prepared([one.game for one in alike], [one.seats for one in alike])


@dataclass(frozen=True, eq=False)
class Acquaintance:
    """A partner, as far as it is known."""

    partner: str  # a name, for people
    learner: AdaptiveAgent = adaptive  # the agent as it was before the first game
    agent: AdaptiveAgent = adaptive  # as it is for the next one
    games: int = 0  # seen in all
    meetings: tuple[Meeting, ...] = ()  # the last ones

    @classmethod
    def with_learner(cls, partner: str, learner: AdaptiveAgent) -> "Acquaintance":
        """Somebody of whom an agent knows nothing yet."""
        return cls(partner, learner, learner)

    def after(self, game: Game, seats: Collection[int]) -> "Acquaintance":
        """The acquaintance after one more game, in which the partner had some seats."""
        meetings = (*self.meetings, Meeting(game.copy(), tuple(seats)))[-MOST_GAMES:]
        agent = acquainted(self.learner, meetings)
        return replace(self, agent=agent, games=self.games + 1, meetings=meetings)

    def to_document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "version": VERSION,
            "partner": self.partner,
            "games": self.games,
            "learner": self.learner.spec,
            "agent": self.agent.spec,
            "meetings": [
                {"game": one.game.to_text(), "seats": list(one.seats)} for one in self.meetings
            ],
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Acquaintance":
        """Reads ``to_document`` back; KeyError or ValueError if it cannot be one."""
        found = dict(document)
        check_version(found)
        meetings = []
        for number, one in enumerate(entry(found, "meetings", list), 1):
            try:
                meetings.append(_meeting_of(checked(one, dict, "a meeting")))
            except ValueError as error:
                raise ValueError(f"meeting {number}: {error}") from None
        games = entry(found, "games", int, least=len(meetings))
        learner, agent = (_agent_of(entry(found, name, str)) for name in ("learner", "agent"))
        return cls(entry(found, "partner", str), learner, agent, games, tuple(meetings))

    def save(self, path: str | Path) -> None:
        """Write it to a file, which has the old content or the new at any time."""
        text = json.dumps(self.to_document(), indent=1, ensure_ascii=False)
        write_atomically(Path(path), text + "\n")

    @classmethod
    def load(cls, path: str | Path) -> "Acquaintance":
        """The acquaintance of a file; FileError names the file and what is wrong with it."""
        document = read_json(Path(path))
        with blaming(Path(path)):
            return cls.from_document(document)


def _meeting_of(row: dict[str, Any]) -> Meeting:
    game = Game.parse(entry(row, "game", str), complete=True)
    seats = [checked(seat, int, "a seat") for seat in entry(row, "seats", list)]
    return Meeting(game, tuple(seats))


def _agent_of(spec: str) -> AdaptiveAgent:
    """The agent of a spec."""
    agent = adaptive.with_params(params_of(spec))
    assert isinstance(agent, AdaptiveAgent)
    return agent
