"""Other-play (Hu et al. 2020): every seat of every game sees the colours in its own order.

So conventions cannot depend on particular colours, and players trained separately still understand
each other. A seat's order follows from the seed of the deal, so it need not be stored.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.encoding import encode_bits, encoder_kind
from tamaya.envs.vector import HanabiVectorEnv
from tamaya.game_kernels import write_legal
from tamaya.moves import HINT_COLOUR, kind_of, value_of
from tamaya.records import VIEW
from tamaya.rng import GOLDEN, below, scramble, seed_of
from tamaya.view import fill_view

_PALETTE = np.uint64(0x5EED_0F_C010)  # separates the seeds of colour orders from others


@hot
def shuffle_colours(seed, seat, order):
    """The order in which a seat of a deal sees the colours: colour c is shown as order[c]."""
    state = seed_of(seed ^ _PALETTE, seat)
    for colour in range(len(order)):
        order[colour] = colour
    for last in range(len(order) - 1, 0, -1):
        state += GOLDEN
        other = below(scramble(state), last + 1)
        order[last], order[other] = order[other], order[last]


@hot
def shown_move(source, move, order):
    """A move as it looks under an order of the colours."""
    if kind_of(source, move) != HINT_COLOUR:
        return move
    colour = value_of(source, move)
    return move - colour + order[colour]


@hot
def shown_card(card, order):
    """A card as it looks under an order of the colours; -1 remains -1."""
    return card if card < 0 else 5 * order[card // 5] + card % 5


@hot
def shown_mask(mask, order):
    """A set of cards as it looks under an order of the colours."""
    shown = 0
    for colour in range(len(order)):
        shown |= ((mask >> (5 * colour)) & 31) << (5 * order[colour])
    return shown


@hot
def recolour(game, view, order):
    """Show a view, filled from a game, in another order of the colours."""
    for colour in range(game.colours):
        view.firework[order[colour]] = game.firework[colour]
        for rank in range(game.ranks):
            view.discarded[5 * order[colour] + rank] = game.discarded[5 * colour + rank]
    for seat in range(game.players):
        for slot in range(game.hand_size):
            view.card[seat, slot] = shown_card(np.int64(view.card[seat, slot]), order)
            possible = np.int64(view.possible[seat, slot])
            view.possible[seat, slot] = shown_mask(possible, order)
    for k in range(game.n_moves):
        event = view.history[k]
        event.move = shown_move(game, np.int64(event.move), order)
        event.card = shown_card(np.int64(event.card), order)


@hot
def look_recoloured(kind, games, views, orders, vectors, masks):
    """Vector and legal moves of the seat to move in each game, in its own order of the colours."""
    view = views[0]
    for lane in range(len(games)):
        game = games[lane]
        shuffle_colours(game.seed, game.mover, orders[lane])
        fill_view(game, game.mover, view)
        recolour(game, view, orders[lane])
        encode_bits(kind, view, view.seat, vectors[lane])
        write_legal(view, masks[lane])


@hot
def find_true_moves(games, moves, orders, chosen):
    """The actual moves for moves chosen in each seat's order of the colours."""
    for lane in range(len(games)):
        chosen[lane] = moves[lane]
        if kind_of(games[lane], moves[lane]) == HINT_COLOUR:
            shown = value_of(games[lane], moves[lane])
            for colour in range(orders.shape[1]):
                if orders[lane, colour] == shown:
                    chosen[lane] = moves[lane] - shown + colour


class Recolouring:
    """What the seats to move of an environment see, each in its own order of the colours."""

    def __init__(self, env: HanabiVectorEnv, encoder: str) -> None:
        self.env, self.kind = env, encoder_kind(encoder)
        n, rules = env.num_envs, env.rules
        self.view = np.zeros(1, VIEW)
        self.orders = np.zeros((n, rules.colours), np.int64)
        self.vectors = np.zeros(env.observation_space.shape or (), np.uint8)
        self.masks = np.zeros((n, rules.n_moves), np.int8)
        self.chosen = np.zeros(n, np.int64)

    def look(self) -> tuple[np.ndarray, np.ndarray]:
        """Vectors and legal moves now."""
        look_recoloured(self.kind, self.env.games, self.view, self.orders, self.vectors, self.masks)
        return self.vectors, self.masks

    def true_moves(self, moves: np.ndarray) -> np.ndarray:
        """The environment's moves for moves chosen in those orders."""
        find_true_moves(self.env.games, moves, self.orders, self.chosen)
        return self.chosen
