"""Kernels for the facade: apply a move, list moves, observe all seats at once.

HLE's game may continue after its end, so legality is checked here without the status. The history
cannot overflow: every card is used once and every token spent once, at most 150 moves.
"""

from tamaya.compiled import hot
from tamaya.encoding import encode_hle
from tamaya.envs.hle.deals import deal_all, seat_to_deal
from tamaya.game_kernels import MOVE_BIT, legal_mask, make_move
from tamaya.records import RUNNING, TOLD_COLOUR, TOLD_RANK
from tamaya.view import fill_view


@hot
def legal_now(games):
    """Mask of the legal moves, also after the end; 0 while the deck has to deal."""
    game = games[0]
    status = game.status
    game.status = RUNNING
    legal = legal_mask(game)
    game.status = status
    return legal if seat_to_deal(game) < 0 else MOVE_BIT[0] ^ MOVE_BIT[0]


@hot
def apply_if_legal(games, move):
    """Apply a move without the deal; False and no change if it is not legal."""
    if not 0 <= move < 64 or not legal_now(games) & MOVE_BIT[move]:
        return False
    make_move(games[0], move)
    return True


@hot
def take_turn(games, streams, move):
    """Apply a move and deal the replacement; False and no change if it is not legal."""
    if not apply_if_legal(games, move):
        return False
    deal_all(games, streams)
    return True


@hot
def write_named(view, named):
    """Write what hints named for each slot: 6 * (colour + 1) + rank + 1, 0 for neither."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            code = 0
            told = view.told[seat, slot]
            if told:
                card = 0
                while not (view.possible[seat, slot] >> card) & 1:
                    card += 1
                if told & TOLD_COLOUR:
                    code = 6 * (card // 5 + 1)
                if told & TOLD_RANK:
                    code += card % 5 + 1
            named[seat, slot] = code


@hot
def observe_seat(games, seat, views, named):
    """Write the view of one seat; returns the legal moves of the seat to move."""
    fill_view(games[0], seat, views[0])
    write_named(views[0], named)
    return legal_now(games)


@hot
def observe_all(games, views, named, vectors):
    """Write the views and vectors of all seats; returns the legal moves of the seat to move."""
    for seat in range(games[0].players):
        fill_view(games[0], seat, views[seat])
        encode_hle(games[0], seat, vectors[seat])
    write_named(views[0], named)
    return legal_now(games)


@hot
def encode_view(views, vector):
    """Write the vector of the seat whose view it is."""
    encode_hle(views[0], views[0].seat, vector)
