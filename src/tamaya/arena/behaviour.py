"""How agents behave: rates of actions, what hints touch, and which action follows which.

``behaviour_of`` counts recorded games; a ``Behaviour`` contains the counts, so chunks of games add
up exactly, and derives every share from them. The table of following actions is that of Appendix
A.2 of "The Hanabi Challenge" (Bard et al. 2020): row a_t, column a_t+1 of the next seat.

With hand size H, C colours and R ranks the actions are numbered

    0 .. H-1      discard a slot    D1 D2 D3 D4 D5
    H .. 2H-1     play a slot       P1 P2 P3 P4 P5
    next C        hint a colour     CR CY CG CW CB
    next R        hint a rank       R1 R2 R3 R4 R5

The labels count slots from 1, the oldest card (our slot 0), as the paper does: it says that
Rainbow's rank hints mark "the most recent card" as playable, and in its tables they are followed
by playing slot 5. Where a new card goes into the emptied slot, a slot says nothing about age. The
paper has such tables for two players only; for more, hints to all seats are counted together, and
the action that follows is that of the next seat, whether or not the hint was meant for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.cards import BIT, COLOUR_LETTERS, N_COLOURS, N_RANKS
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT, apply_move, deal, is_legal
from tamaya.moves import DISCARD, HINT_COLOUR, HINT_RANK, PLAY, kind_of, value_of
from tamaya.records import GAME, SCORED, new_games, record
from tamaya.rules import MAX_HAND, Rules
from tamaya.view import critical_mask, playable_mask

MAX_ACTIONS = 2 * MAX_HAND + N_COLOURS + N_RANKS
ALL_SEATS = -1  # in place of a seat: count the actions of all seats

# What the kernels count; ``Behaviour`` explains each number.
COUNTS = record([
    ("scored", np.int64),
    ("playable_hints", np.int64),
    ("touched", np.int64),
    ("playable_touched", np.int64),
    ("critical_discards", np.int64),
    ("first", np.int64, MAX_ACTIONS),
    ("following", np.int64, (MAX_ACTIONS, MAX_ACTIONS)),
])  # fmt: skip

SCALARS = ("scored", "playable_hints", "touched", "playable_touched", "critical_discards")
_ADDED = ("games", *SCALARS, "first", "following")
_RULE_FIELDS = (
    "players", "colours", "ranks", "hand_size", "max_tokens", "max_lives", "observation",
    "random_start", "keeps_points", "empty_hints", "discard_at_full", "refills_in_place",
    "no_completion_token",
)  # fmt: skip


@hot
def action_of(game, move):
    """Number of the action of a move: the move without the seat that a hint goes to."""
    kind = kind_of(game, move)
    if kind == HINT_COLOUR:
        return 2 * game.hand_size + value_of(game, move)
    if kind == HINT_RANK:
        return 2 * game.hand_size + game.colours + value_of(game, move)
    return np.int64(move)


@hot
def count_hint(game, event, counts):
    """Count what a hint touches, on the board before it."""
    playable = playable_mask(game)
    is_for_playable = False
    for slot in range(game.hand_size):
        if not event.touched & SLOT_BIT[slot]:
            continue
        card_is_playable = BIT[game.card[event.target, slot]] & playable != 0
        is_for_playable |= card_is_playable
        if event.newly & SLOT_BIT[slot]:
            counts.touched += 1
            counts.playable_touched += card_is_playable
    counts.playable_hints += is_for_playable


@hot
def count_event(game, event, counts):
    """Count the outcome of a move, on the board before it."""
    kind = kind_of(game, event.move)
    if kind == PLAY:
        if event.effect & SCORED:
            counts.scored += 1
    elif kind == DISCARD:
        if critical_mask(game) & BIT[event.card]:
            counts.critical_discards += 1
    else:
        count_hint(game, event, counts)


@hot
def count_games(records, seats, scratch, counts):
    """Replay games and count the actions of one seat each; returns the first broken one, or -1."""
    game = scratch[0]
    for k in range(len(records)):
        scratch[0] = records[k]
        deal(game)
        previous = np.int64(-1)
        for turn in range(records[k].n_moves):
            event = records[k].history[turn]
            if not is_legal(game, event.move):
                return k
            action = action_of(game, event.move)
            if seats[k] == ALL_SEATS or seats[k] == game.mover:
                count_event(game, event, counts)
                counts.first[action] += 1
                if previous >= 0:
                    counts.following[previous, action] += 1
            previous = action
            apply_move(game, event.move)
    return -1


def n_actions(rules: Rules) -> int:
    """Number of actions: 20 for two players of the full game."""
    return 2 * rules.hand_size + rules.colours + rules.ranks


@dataclass(frozen=True, eq=False)
class Behaviour:
    """Counts of what was done in some games, and the shares that follow from them.

    Shares are between 0 and 1, and NaN where there is nothing to share. If only one seat of each
    game was counted, all numbers are of its own actions: its turns, its hints, the lives it lost.
    """

    rules: Rules
    games: int
    scored: int  # plays that scored
    playable_hints: int  # hints that touched a card that was playable at that moment
    touched: int  # cards touched by hints that had not been told this colour or rank before
    playable_touched: int  # those of them that were playable at that moment
    critical_discards: int  # discards of the last copy of a card that was still needed
    first: np.ndarray  # [a] -> times that action a was taken
    following: np.ndarray  # [a, b] -> times that the next seat took action b right after a

    def __post_init__(self) -> None:
        n = n_actions(self.rules)
        if self.first.shape != (n,) or self.following.shape != (n, n):
            raise ValueError(f"expected {n} actions ({self.rules.to_text()}), got tables of shape "
                             f"{self.first.shape} and {self.following.shape}")  # fmt: skip

    def labels(self) -> list[str]:
        """Short names of the actions, such as ``D1`` (the oldest card), ``P5``, ``CR``, ``R1``."""
        slots = range(1, self.rules.hand_size + 1)
        return [
            *(f"{kind}{slot}" for kind in "DP" for slot in slots),
            *(f"C{letter}" for letter in COLOUR_LETTERS[: self.rules.colours]),
            *(f"R{rank}" for rank in range(1, self.rules.ranks + 1)),
        ]

    def conditional(self) -> np.ndarray:
        """Probability of action b right after action a; rows never observed are NaN."""
        return _shares(self.following, self.following.sum(axis=1, keepdims=True))

    def marginal(self) -> np.ndarray:
        """Probability of each action, the last row of the paper's tables."""
        return _shares(self.first, self.first.sum())

    @property
    def turns(self) -> int:
        """Actions in all games together."""
        return int(self.first.sum())

    @property
    def discards(self) -> int:
        """Discards in all games together."""
        return int(self.first[: self.rules.hand_size].sum())

    @property
    def plays(self) -> int:
        """Plays in all games together."""
        return int(self.first[self.rules.hand_size : 2 * self.rules.hand_size].sum())

    @property
    def colour_hints(self) -> int:
        """Hints of a colour in all games together."""
        return int(self.first[2 * self.rules.hand_size :][: self.rules.colours].sum())

    @property
    def rank_hints(self) -> int:
        """Hints of a rank in all games together."""
        return int(self.first[2 * self.rules.hand_size + self.rules.colours :].sum())

    @property
    def hints(self) -> int:
        """Hints in all games together."""
        return self.colour_hints + self.rank_hints

    @property
    def rates(self) -> dict[str, float]:
        """Shares of the four kinds of action."""
        kinds = {
            "play": self.plays,
            "discard": self.discards,
            "hint_colour": self.colour_hints,
            "hint_rank": self.rank_hints,
        }
        return {kind: _share(n, self.turns) for kind, n in kinds.items()}

    @property
    def turns_per_game(self) -> float:
        """Mean number of actions in a game."""
        return _share(self.turns, self.games)

    @property
    def hints_per_game(self) -> float:
        """Mean number of hints in a game."""
        return _share(self.hints, self.games)

    @property
    def lives_lost_per_game(self) -> float:
        """Mean number of plays that failed in a game."""
        return _share(self.plays - self.scored, self.games)

    @property
    def discarded_critical_per_game(self) -> float:
        """Mean number of critical cards discarded in a game; plays that fail are not discards."""
        return _share(self.critical_discards, self.games)

    @property
    def play_success(self) -> float:
        """Share of the plays that scored."""
        return _share(self.scored, self.plays)

    @property
    def playable_hint_precision(self) -> float:
        """Share of the hints that touched at least one card that was playable."""
        return _share(self.playable_hints, self.hints)

    @property
    def touched_playable(self) -> float:
        """Share of the newly touched cards that were playable."""
        return _share(self.playable_touched, self.touched)

    def __add__(self, other: "Behaviour") -> "Behaviour":
        """The behaviour in both sets of games together."""
        if not isinstance(other, Behaviour):
            return NotImplemented
        if self.rules != other.rules:
            raise ValueError(f"games of different rules do not add up: {self.rules.to_text()} "
                             f"and {other.rules.to_text()}")  # fmt: skip
        return Behaviour(
            self.rules, **{name: getattr(self, name) + getattr(other, name) for name in _ADDED}
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Behaviour) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Rules and counts, for JSON."""
        counts = {name: getattr(self, name) for name in ("games", *SCALARS)}
        tables = {"first": self.first.tolist(), "following": self.following.tolist()}
        return {"rules": self.rules.as_dict(), **counts, **tables}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Behaviour":
        """The behaviour that ``to_dict`` wrote; other keys are ignored."""
        return cls(
            Rules.from_mapping(values["rules"]),
            **{name: int(values[name]) for name in ("games", *SCALARS)},
            first=np.array(values["first"], np.int64),
            following=np.array(values["following"], np.int64),
        )


def behaviour_of(
    records: np.ndarray, rules: Rules, seats: np.ndarray | int | None = None
) -> Behaviour:
    """Count the actions in recorded games, finished or not.

    ``records`` are those of ``tamaya.table.play(..., record=True)``, or the ``array`` of a
    ``Game``. With ``seats``, an array with one seat per game or one seat for all, only actions of
    that seat count, and only pairs of which it took the second: how it replies to others.
    """
    records = np.ascontiguousarray(records)
    _check_records(records, rules)
    chosen = _checked_seats(seats, len(records), rules)
    counts = np.zeros(1, COUNTS)
    broken = count_games(records, chosen, new_games(1, rules), counts[0])
    if broken >= 0:
        raise ValueError(f"game {broken} of the records is broken: its moves are not legal")
    n = n_actions(rules)
    return Behaviour(
        rules,
        games=len(records),
        **{name: int(counts[name][0]) for name in SCALARS},
        first=counts["first"][0, :n].copy(),
        following=counts["following"][0, :n, :n].copy(),
    )


def _check_records(records: np.ndarray, rules: Rules) -> None:
    if records.dtype != GAME or records.ndim != 1:
        raise ValueError(f"expected an array of game records, not {records.ndim}-dimensional "
                         f"{records.dtype.type.__name__}")  # fmt: skip
    wanted = new_games(1, rules)
    for name in _RULE_FIELDS:
        if (records[name] != wanted[name]).any():
            raise ValueError(f"the games were not played under {rules.to_text()}: {name} differs")


def _checked_seats(seats: np.ndarray | int | None, n_games: int, rules: Rules) -> np.ndarray:
    if seats is None:
        return np.full(n_games, ALL_SEATS, np.int64)
    given = np.asarray(seats)
    if given.shape not in ((), (n_games,)) or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"seats must be one seat or {n_games} of them, not {given.dtype} "
                         f"of shape {given.shape}")  # fmt: skip
    if given.size and not (given.min() >= 0 and given.max() < rules.players):
        raise ValueError(f"seats must be between 0 and {rules.players - 1}")
    return np.full(n_games, given, np.int64)


def _share(n: int, of: int) -> float:
    return n / of if of else float("nan")


def _shares(counts: np.ndarray, totals: np.ndarray) -> np.ndarray:
    shares = np.full(counts.shape, np.nan)
    return np.divide(counts, totals, out=shares, where=totals > 0)
