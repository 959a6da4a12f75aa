"""Responding to a model: the move that does best when the modelled partners play on.

The own hand is drawn from all that agree with the hints, each weighted by how well it explains what
the partners did in their recent moves: they saw it. On deals with such hands the moves that the
model itself rates well are tried, and the model, drawn from its own probabilities, plays on in all
seats for some plies; the rest of the game is estimated. The model's own move is kept unless another
one is clearly better, because the partners understand what they would have done themselves.
"""

from typing import NamedTuple

import numpy as np

from tamaya.adapt.features import ROW
from tamaya.adapt.hints import HINTS, note
from tamaya.adapt.model import N_MOVES, NEVER, move_share, write_logits
from tamaya.adapt.position import FACTS
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game, deal
from tamaya.records import GAME, RUNNING, VIEW
from tamaya.rng import random_unit, seed_of
from tamaya.search.rollout import estimate
from tamaya.search.sampling.determinize import redeal, show_hand, show_hand_in, shuffle_rest
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.view import fill_view

TRIED_STREAM = 1_000_000  # seeds of deals, apart from those of hands


class Mind(NamedTuple):
    """Records to ask the model in, and what it remembers of the real game."""

    now: np.ndarray  # HINTS: at the decision
    later: np.ndarray  # HINTS: in an imagined game
    facts: np.ndarray
    row: np.ndarray
    logits: np.ndarray
    # Recent moves of the partners.
    n: np.ndarray  # [0] how many
    views: np.ndarray  # what the mover saw, but for my hand
    hints: np.ndarray
    moves: np.ndarray


@hot
def new_mind(n_recent):
    """A mind that remembers nothing yet."""
    return Mind(np.zeros(1, HINTS), np.zeros(1, HINTS), np.zeros(1, FACTS), np.zeros(1, ROW),
                np.zeros(N_MOVES), np.zeros(1, np.int64), np.zeros(n_recent, VIEW),
                np.zeros(n_recent, HINTS), np.zeros(n_recent, np.int64))  # fmt: skip


@hot
def recall(workspace, game, mind):
    """Replay the history: what everybody remembers now, and the partners' recent moves."""
    again, n_others = workspace.again[0], 0
    copy_game(again, game)
    deal(again)
    for k in range(game.n_moves):
        n_others += game.history[k].seat != workspace.seat
    for k in range(game.n_moves):
        event = game.history[k]
        if event.seat != workspace.seat:
            if n_others <= len(mind.moves):
                place = mind.n[0]
                fill_view(again, np.int64(event.seat), mind.views[place])
                mind.hints[place] = mind.now[0]
                mind.moves[place] = event.move
                mind.n[0] += 1
            n_others -= 1
        apply_move(again, np.int64(event.move))
        note(again, again.history[again.n_moves - 1], mind.now[0])


@hot
def log_prob(logits, move, noise):
    """The logarithm of the probability of a move, with a share of moves that are anything."""
    n_legal = 0
    for other in range(N_MOVES):
        n_legal += logits[other] > NEVER
    share = move_share(logits, move) if logits[move] > NEVER else 0.0
    return np.log((1.0 - noise) * share + noise / max(1, n_legal))


@hot
def drawn_move(logits, dice):
    """A move drawn from the probabilities of logits."""
    top, mass = logits.max(), 0.0
    for move in range(N_MOVES):
        if logits[move] > NEVER:
            mass += np.exp(logits[move] - top)
    left, last = random_unit(dice) * mass, 0
    for move in range(N_MOVES):
        if logits[move] > NEVER:
            left -= np.exp(logits[move] - top)
            last = move
            if left <= 0:
                return move
    return last


@hot
def weigh(workspace, mind, weights, deck, noise):
    """How well a hand explains the partners' recent moves."""
    total = 0.0
    for k in range(mind.n[0]):
        view = mind.views[k]
        show_hand_in(view, workspace.seat, deck)
        write_logits(view, mind.hints[k], mind.facts[0], mind.row[0], weights, mind.logits)
        total += log_prob(mind.logits, mind.moves[k], noise)
    return total


@hot
def draw_hands(workspace, mind, weights, how, seed, decks, logs):
    """Draw hands that agree with the hints and weigh them."""
    game, dice = workspace.game[0], workspace.dice[0]
    for k in range(len(decks)):
        dice.rng = seed_of(seed, k)
        copy_game(game, workspace.now[0])
        redeal(game, workspace.seat, workspace.plan[0], dice)
        decks[k] = game.deck
        logs[k] = weigh(workspace, mind, weights, game.deck, how.noise)


@hot
def candidates(logits, usual, how):
    """The moves to try, as a mask: the best by the model, not too far behind its own."""
    moves = MOVE_BIT[usual]
    for _ in range(how.tried - 1):
        best = -1
        for move in range(N_MOVES):
            is_near = logits[move] > logits[usual] - how.span
            if is_near and not moves & MOVE_BIT[move]:
                if best < 0 or logits[move] > logits[best]:
                    best = move
        if best < 0:
            break
        moves |= MOVE_BIT[best]
    return moves


@hot
def play_on(workspace, mind, weights, n_plies):
    """Let the model move in all seats of the imagined game."""
    game, seen = workspace.game[0], workspace.seen[0]
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        fill_view(game, np.int64(game.mover), seen)
        write_logits(seen, mind.later[0], mind.facts[0], mind.row[0], weights, mind.logits)
        step(workspace, mind, drawn_move(mind.logits, workspace.dice[0]))


@hot
def step(workspace, mind, move):
    """Make a move in the imagined game; everybody remembers it."""
    game = workspace.game[0]
    apply_move(game, move)
    note(game, game.history[game.n_moves - 1], mind.later[0])


@hot
def value(game, bomb):
    """What an imagined game is worth; one that was bombed keeps a part of its points."""
    return bomb * game.points if game.lives <= 0 else estimate(game)


@hot
def try_moves(workspace, mind, weights, how, moves, start, values):
    """Play on after each move from the same position, and write the values by move."""
    game, dice = workspace.game[0], workspace.dice[0]
    copy_game(start[0], game)
    rng = dice.rng
    for move in range(N_MOVES):
        if moves & MOVE_BIT[move]:
            copy_game(game, start[0])
            mind.later[0] = mind.now[0]
            dice.rng = rng
            step(workspace, mind, move)
            play_on(workspace, mind, weights, how.rollout)
            values[move] = value(game, how.bomb)


@hot
def respond(view, weights, how, seed):
    """The move that does best among partners who play by a model."""
    workspace, mind = new_workspace(view, 1, 0.0), new_mind(how.recent)
    recall(workspace, draw_deal(workspace, seed), mind)
    usual = write_logits(view, mind.now[0], mind.facts[0], mind.row[0], weights, mind.logits)
    moves = candidates(mind.logits, usual, how)
    if moves == MOVE_BIT[usual]:
        return usual
    n_hands = how.draws if mind.n[0] > 0 else how.samples
    decks, logs = np.zeros((n_hands, len(view_deck(workspace))), np.int8), np.zeros(n_hands)
    draw_hands(workspace, mind, weights, how, seed, decks, logs)
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    gains, squares, values = np.zeros(N_MOVES), np.zeros(N_MOVES), np.zeros(N_MOVES)
    start, place, passed = np.zeros(1, GAME), 0, shares[0]
    first = random_unit(workspace.dice[0])
    for k in range(how.samples):
        while passed < (k + first) / how.samples and place < n_hands - 1:
            place += 1
            passed += shares[place]
        deal_with(workspace, decks[place], seed_of(seed, TRIED_STREAM + k))
        try_moves(workspace, mind, weights, how, moves, start, values)
        for move in range(N_MOVES):
            if moves & MOVE_BIT[move]:
                gain = values[move] - values[usual]
                gains[move] += gain
                squares[move] += gain * gain
    return clearly_best(gains / how.samples, squares / how.samples, moves, usual, how)


@hot
def view_deck(workspace):
    """The deck of the imagined game."""
    return workspace.game[0].deck


@hot
def deal_with(workspace, deck, seed):
    """Begin an imagined game with a hand that was drawn, and the rest of the deck shuffled."""
    game, dice = workspace.game[0], workspace.dice[0]
    dice.rng = seed
    copy_game(game, workspace.now[0])
    game.deck[:] = deck
    show_hand(game, workspace.seat)
    shuffle_rest(game, dice)


@hot
def clearly_best(gains, squares, moves, usual, how):
    """The move with the highest gain over the usual one, if that is clear, or the usual one."""
    best, most = usual, 0.0
    for move in range(N_MOVES):
        if moves & MOVE_BIT[move] and move != usual and gains[move] > most:
            error = np.sqrt(max(0.0, squares[move] - gains[move] ** 2) / how.samples)
            if gains[move] > how.margin + how.errors * error:
                best, most = move, gains[move]
    return best


@hot
def expected_replies(view, weights, move, n_deals, seed, counts):
    """Count what the model would do in the next seat after a move, in imagined deals."""
    workspace, mind = new_workspace(view, 1, 0.0), new_mind(0)
    recall(workspace, draw_deal(workspace, seed), mind)
    for k in range(n_deals):
        game = draw_deal(workspace, seed_of(seed, k))
        mind.later[0] = mind.now[0]
        if move >= 0:
            step(workspace, mind, move)
        if game.mover == view.seat or game.status != RUNNING:
            return
        seen = workspace.seen[0]
        fill_view(game, np.int64(game.mover), seen)
        counts[write_logits(seen, mind.later[0], mind.facts[0], mind.row[0], weights,
                            mind.logits)] += 1  # fmt: skip
