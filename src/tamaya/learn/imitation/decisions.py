"""Every turn of a person as the network sees it, computed once before training."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.agents.learned.people.advisers import ADVISERS, Advisers
from tamaya.agents.learned.people.situation import (
    EXPERIENCE,
    Situation,
    memory_fields,
    new_situation,
    sizes_of,
    take_note,
    write_situation,
)
from tamaya.compiled import hot
from tamaya.game_kernels import write_legal
from tamaya.learn.imitation.games import PersonGame, common_rules
from tamaya.records import VIEW, record
from tamaya.rules import Rules
from tamaya.view import fill_view

PRECISION = np.float16  # of the numbers while they wait
CHUNK = 4096  # decisions


@dataclass(frozen=True)
class Decisions:
    """Turns of people, one after the other; the arrays have a row for each."""

    rules: Rules
    situations: Situation  # in half precision
    legal: np.ndarray  # [turn, move]
    moves: np.ndarray  # that the people made
    people: tuple[str, ...]
    person: np.ndarray  # places in ``people``
    experience: np.ndarray  # places in EXPERIENCE, -1 if not said

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def counts(self) -> np.ndarray:
        """[turn] -> turns of the same person."""
        return np.bincount(self.person, minlength=len(self.people))[self.person]

    def weights(self, power: float) -> np.ndarray:
        """Weights with mean 1: a person with n turns has n**power together."""
        weights = self.counts ** (power - 1.0)
        return (weights / weights.mean()).astype(np.float32)


@hot
def note_move(game, view, seat, memory, brain):
    """Let a seat remember the last move of a game."""
    fill_view(game, seat, view)
    take_note(view, game.history[game.n_moves - 1], memory, brain)


@hot
def look(game, view, memory, brain, experience, situation, legal):
    """Write what the seat to move sees."""
    fill_view(game, game.mover, view)
    write_situation(view, memory, brain, experience, situation)
    write_legal(view, legal)


class Watcher:
    """Replays games with the advisers in the seats of people."""

    def __init__(self, rules: Rules, advisers: Sequence[str]) -> None:
        self.rules, self.advisers = rules, Advisers(advisers)
        self.sizes = sizes_of(rules, len(advisers))
        self.brain = np.zeros(1, record(ADVISERS))
        self.advisers.write_record(self.brain[0])
        words = self.advisers.places[-1]
        self.memory = record([("rng", np.uint64), *memory_fields(words)])

    def turns(self, each: PersonGame) -> Iterable[tuple[Situation, np.ndarray, int]]:
        """What a person saw at every turn, the legal moves, and the move made."""
        said = each.experience
        experience = np.int64(EXPERIENCE.index(said) if said in EXPERIENCE else -1)
        memories = {seat: np.zeros(1, self.memory) for seat in each.seats}
        again, view, brain = each.game.at(0), np.zeros(1, VIEW), self.brain
        for move in each.game.moves:
            seat = again.mover
            if seat in memories:
                situation = new_situation(self.sizes)
                legal = np.zeros(self.rules.n_moves, np.int8)
                look(again.array[0], view[0], memories[seat][0], brain[0], experience, situation,
                     legal)  # fmt: skip
                yield situation, legal > 0, int(move)
            again.apply(move)
            for own, memory in memories.items():
                note_move(again.array[0], view[0], np.int64(own), memory[0], brain[0])


def decisions_of(
    games: Sequence[PersonGame],
    advisers: Sequence[str],
    on_progress: Callable[[int], None] = lambda n: None,
) -> Decisions:
    """All turns of people in some games; progress is told by games."""
    rules = common_rules(games)
    watcher = Watcher(rules, advisers)
    people = tuple(dict.fromkeys(each.person for each in games))
    place = {person: k for k, person in enumerate(people)}
    rows: list[tuple] = []
    parts: list[Situation] = []
    waiting: list[Situation] = []
    for n, each in enumerate(games, 1):
        said = EXPERIENCE.index(each.experience) if each.experience in EXPERIENCE else -1
        for situation, legal, move in watcher.turns(each):
            waiting.append(situation)
            rows.append((legal, move, place[each.person], said))
            if len(waiting) == CHUNK:
                parts.append(_packed(waiting))
                waiting.clear()
        on_progress(n)
    if waiting:
        parts.append(_packed(waiting))
    if not rows:
        raise ValueError("no turns of people to learn from")
    legal, moves, person, experience = map(np.array, zip(*rows, strict=True))
    situations = Situation(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    return Decisions(rules, situations, legal, moves, people, person, experience)


def _packed(situations: Sequence[Situation]) -> Situation:
    return Situation(
        *(np.stack(arrays).astype(PRECISION) for arrays in zip(*situations, strict=True))
    )
