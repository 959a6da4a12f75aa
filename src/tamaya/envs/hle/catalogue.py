"""What depends only on the rules: moves by id, seats in turn order, the length of a vector.

Games and observations share one catalogue per set of rules; an observation has no reference to its
game, because a game owns the random stream.
"""

from collections.abc import Callable
from functools import cache

from tamaya.encoding import hle_length
from tamaya.envs.hle.moves import HanabiMove, move_of
from tamaya.records import new_games
from tamaya.rules import Rules


class Catalogue:
    """Tables of one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.moves: list[HanabiMove] = [move_of(rules, move) for move in range(rules.n_moves)]
        self.move_dicts = [move.to_dict() for move in self.moves]
        self.vector_length = hle_length(rules)
        self.blank = new_games(1, rules).tobytes()  # a game before the deal
        seats = range(rules.players)
        self.seats_from = [[*seats[first:], *seats[:first]] for first in seats]  # in turn order

    def __reduce__(self) -> tuple[Callable[[Rules], "Catalogue"], tuple[Rules]]:
        return catalogue_of, (self.rules,)


@cache
def catalogue_of(rules: Rules) -> Catalogue:
    """The catalogue of these rules, created once."""
    return Catalogue(rules)
