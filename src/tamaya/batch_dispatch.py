"""Calling batch agents: what the seats to move see, as one array, and their answers checked."""

from typing import Any

import numpy as np

from tamaya.agent import VIEWS, AgentFault, BatchAgent, exception_text
from tamaya.compiled import hot
from tamaya.encoding import encode, encoder_kind, vector_length
from tamaya.game_kernels import write_legal
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.view import fill_view


@hot
def encode_movers(kind, games, lanes, observations, legal):
    """Observation and legal moves of the seat to move in each of some lanes."""
    for k in range(len(lanes)):
        game = games[lanes[k]]
        encode(kind, game, game.mover, observations[k])
        write_legal(game, legal[k])


@hot
def view_movers(games, lanes, views, legal):
    """View and legal moves of the seat to move in each of some lanes."""
    for k in range(len(lanes)):
        game = games[lanes[k]]
        fill_view(game, game.mover, views[k])
        write_legal(game, legal[k])


def call_batch(
    player: BatchAgent, rules: Rules, games: np.ndarray, lanes: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """Moves of a batch agent in some lanes; ``state`` has a row for each and is changed."""
    legal = np.zeros((len(lanes), rules.n_moves), np.bool_)
    seen: np.ndarray
    if player.encoder == VIEWS:
        seen = np.zeros(len(lanes), VIEW)
        view_movers(games, lanes, seen, legal)
    else:
        seen = np.zeros((len(lanes), vector_length(rules, player.encoder)), player.dtype)
        encode_movers(encoder_kind(player.encoder), games, lanes, seen, legal)
    try:
        moves: Any = np.asarray(player.act_function(seen, legal, state))
    except Exception as error:
        raise AgentFault(f"agent {player.name!r}, asked for {len(lanes)} moves: "
                         f"its act function raised {exception_text(error)}") from error  # fmt: skip
    if moves.shape != (len(lanes),) or not np.issubdtype(moves.dtype, np.integer):
        raise AgentFault(f"agent {player.name!r} must return {len(lanes)} whole numbers, "
                         f"not {moves.dtype} of shape {moves.shape}")  # fmt: skip
    return moves.astype(np.int64)
