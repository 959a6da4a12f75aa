"""What the rules of a game determine, as HLE's object: no random stream, nothing hidden."""

import enum
import operator
from functools import cache

from tamaya.cards import copies_of_rank
from tamaya.envs.hle.catalogue import Catalogue, catalogue_of
from tamaya.envs.hle.moves import HanabiMove, HanabiMoveType, uid_of
from tamaya.rules import OBSERVATIONS, Rules


class AgentObservationType(enum.IntEnum):
    """What a seat is told: only the table, also the memory of hints, or even its own cards."""

    MINIMAL = 0
    CARD_KNOWLEDGE = 1
    SEER = 2


class PublicGame:
    """Options of a game and its moves."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.catalogue: Catalogue = catalogue_of(rules)

    @property
    def c_game(self) -> "PublicGame":
        """The game itself: there is no C++ object behind it."""
        return self

    def num_players(self) -> int:
        """Number of players."""
        return self.rules.players

    def num_colors(self) -> int:
        """Number of colours in the deck."""
        return self.rules.colours

    def num_ranks(self) -> int:
        """Number of ranks in the deck."""
        return self.rules.ranks

    def hand_size(self) -> int:
        """Cards in a full hand."""
        return self.rules.hand_size

    def max_information_tokens(self) -> int:
        """Hint tokens at the start, never more."""
        return self.rules.tokens

    def max_life_tokens(self) -> int:
        """Lives at the start."""
        return self.rules.lives

    def observation_type(self) -> AgentObservationType:
        """What a seat is told."""
        return AgentObservationType(OBSERVATIONS.index(self.rules.observation))

    def max_moves(self) -> int:
        """Number of move ids, legal or not."""
        return self.rules.n_moves

    def num_cards(self, color: int, rank: int) -> int:
        """Copies of a card in the whole deck, 0 for one that is not in the game."""
        rules = self.rules
        in_game = 0 <= color < rules.colours and 0 <= rank < rules.ranks
        return copies_of_rank(rank, rules.ranks) if in_game else 0

    def get_move_uid(self, move: HanabiMove) -> int:
        """Id of a move, -1 for deals and the invalid move."""
        return uid_of(self.rules, move)

    def get_move(self, move_uid: int) -> HanabiMove:
        """Move of an id; ValueError if there is none."""
        uid, moves = operator.index(move_uid), self.catalogue.moves
        if not 0 <= uid < len(moves):
            raise ValueError(f"move {uid} does not exist: ids go from 0 to {len(moves) - 1}")
        return moves[uid]

    def move_id(self, move: HanabiMove) -> int:
        """Id of a move if the game has it, else -1."""
        uid, moves = uid_of(self.rules, move), self.catalogue.moves
        # The formula maps play 7 of a hand of five onto a hint, so check what the id stands for.
        exists = 0 <= uid < len(moves) and str(moves[uid]) == str(move)
        return uid if exists else -1

    def card_id(self, move: HanabiMove) -> int:
        """Card of a deal if the game has it, else -1."""
        color, rank = move.color(), move.rank()
        is_deal = move.type() == HanabiMoveType.DEAL
        return 5 * color + rank if is_deal and self.num_cards(color, rank) else -1


@cache
def public_game_of(rules: Rules) -> PublicGame:
    """The public part of all games of these rules, created once."""
    return PublicGame(rules)
