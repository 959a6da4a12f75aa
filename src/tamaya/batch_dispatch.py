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


@hot
def encode_views(kind, views, observations, legal):
    """Observation and legal moves of the seat of each view, which is to move."""
    for k in range(len(views)):
        view = views[k]
        encode(kind, view, view.seat, observations[k])
        write_legal(view, legal[k])


@hot
def legal_in_views(views, legal):
    """Legal moves of the seat of each view, which is to move."""
    for k in range(len(views)):
        write_legal(views[k], legal[k])


def call_batch(
    player: BatchAgent, rules: Rules, games: np.ndarray, lanes: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """Moves of a batch agent in some lanes; ``state`` has a row for each and is changed."""
    seen, legal = _new_rows(player, rules, len(lanes))
    if player.encoder == VIEWS:
        view_movers(games, lanes, seen, legal)
    else:
        encode_movers(encoder_kind(player.encoder), games, lanes, seen, legal)
    return _checked_moves(player, seen, legal, state)


def call_batch_on_views(player: BatchAgent, rules: Rules, views: np.ndarray) -> np.ndarray:
    """Moves of a batch agent without a state on some views of seats that are to move."""
    seen, legal = _new_rows(player, rules, len(views))
    if player.encoder == VIEWS:
        seen[:] = views
        legal_in_views(views, legal)
    else:
        encode_views(encoder_kind(player.encoder), views, seen, legal)
    return _checked_moves(player, seen, legal, np.zeros((len(views), 0), np.float32))


def _new_rows(player: BatchAgent, rules: Rules, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays for n observations and legal moves."""
    legal = np.zeros((n, rules.n_moves), np.bool_)
    if player.encoder == VIEWS:
        return np.zeros(n, VIEW), legal
    return np.zeros((n, vector_length(rules, player.encoder)), player.dtype), legal


def _checked_moves(
    player: BatchAgent, seen: np.ndarray, legal: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """The answer of a batch agent, one whole number per row."""
    try:
        moves: Any = np.asarray(player.act_function(seen, legal, state))
    except Exception as error:
        raise AgentFault(f"agent {player.name!r}, asked for {len(legal)} moves: "
                         f"its act function raised {exception_text(error)}") from error  # fmt: skip
    if moves.shape != (len(legal),) or not np.issubdtype(moves.dtype, np.integer):
        raise AgentFault(f"agent {player.name!r} must return {len(legal)} whole numbers, "
                         f"not {moves.dtype} of shape {moves.shape}")  # fmt: skip
    return moves.astype(np.int64)
