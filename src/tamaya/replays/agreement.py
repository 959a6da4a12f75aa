"""What an agent would have done at the turns of a game, in the seat of the player who moved.

The agent observes the whole game from that seat, with every move as it was actually made, including
that seat's own, and is asked for a move when the seat is to move.
"""

from collections.abc import Iterator

from tamaya.agent import AgentFault, Player
from tamaya.game import Game
from tamaya.seat import Seat


def moves_of(player: Player, game: Game) -> Iterator[int | None]:
    """The agent's move at every turn; None where it fails or has no legal one."""
    again = game.at(0)
    seats = [Seat(player, again, seat) for seat in range(game.rules.players)]
    failed: set[int] = set()  # seats whose agent failed on a game played by others
    for made in game.moves:
        yield None if again.mover in failed else _asked(seats[again.mover])
        again.apply(made)
        for seat in seats:
            try:
                seat.observe()
            except AgentFault:
                failed.add(seat.seat)


def move_at(player: Player, game: Game, turn: int) -> int | None:
    """The agent's move after some number of moves; None if it fails or has no legal one."""
    again = game.at(0)
    seat = Seat(player, again, game.at(turn).mover)
    try:
        for made in game.moves[:turn]:
            again.apply(made)
            seat.observe()
    except AgentFault:
        return None
    return _asked(seat)


def _asked(seat: Seat) -> int | None:
    try:
        move = seat.act()
    except AgentFault:
        return None
    return move if move in seat.game.legal_moves else None
