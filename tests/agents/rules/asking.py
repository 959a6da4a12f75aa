"""Asking compiled rules, one by one, and where: what the test files of the rules share.

The answers of a rule are a mask of moves, with two bits more for passing and for giving up.
"""

from random import Random

import numpy as np

from tamaya.agents.rules.facts import note_facts
from tamaya.agents.rules.family import is_admitted
from tamaya.agents.rules.language import Step
from tamaya.agents.rules.rule import MEMORY
from tamaya.compiled import BOUNDS_CHECKED, JIT, hot
from tamaya.dispatch import call_act
from tamaya.game import Game
from tamaya.game_kernels import apply_move, deal
from tamaya.moves import GIVE_UP, NO_MOVE
from tamaya.rules import Rules
from tamaya.view import fill_view

PASSED, BROKE_DOWN = 62, 63
BY_CHANCE = {"TellPlayableCard", "TellRandomly", "DiscardRandomly", "LegalRandom", "OsawaRandom"}
N_DRAWS = 1500 if JIT else 30  # answers of a rule by chance, so many that all are seen, compiled


_ANSWER_BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)


@hot
def ask(view, memory, line):
    """What a rule answers, with its gate and conditions."""
    if not is_admitted(view, memory, line):
        return NO_MOVE
    return call_act(line.rule, view, memory, line)


@hot
def ask_all(views, memory, ghosts, lines, n_draws, answers):
    """All answers of all rules to all views, as masks."""
    for k in range(len(views)):
        note_facts(views[k], memory, ghosts)
        for j in range(len(lines)):
            for _ in range(n_draws[j]):
                move = ask(views[k], memory, lines[j])
                if move == NO_MOVE:
                    move = PASSED
                elif move == GIVE_UP:
                    move = BROKE_DOWN
                answers[k, j] |= _ANSWER_BITS[move]


def compiled_answers(
    views: np.ndarray, steps: list[Step], faithful: bool, n_draws: int = N_DRAWS, ghosts: int = 0
) -> np.ndarray:
    """Masks [view, step] of what compiled rules answer."""
    lines = np.concatenate([step.line(faithful) for step in steps])
    draws = np.array([n_draws if step.rule.name in BY_CHANCE else 1 for step in steps])
    answers = np.zeros((len(views), len(steps)), np.uint64)
    with np.errstate(over="ignore"):
        ask_all(views, np.zeros(1, MEMORY)[0], ghosts, lines, draws, answers)
    return answers


def bits_text(mask: int) -> list[int]:
    """The bits of a mask, for messages."""
    return [bit for bit in range(64) if mask >> bit & 1]


# Positions to ask in.


def n_games(n: int) -> int:
    """Games per size and team, fewer when they are slow."""
    if BOUNDS_CHECKED:
        return max(1, n // 8)
    return n if JIT else 5


@hot
def watch(game, moves, is_wanted, views):
    """Deal a game again, make its moves, and keep what the mover sees at some turns."""
    deal(game)
    n = 0
    for turn in range(len(moves) + 1):
        if is_wanted[turn]:
            fill_view(game, game.mover, views[n])
            n += 1
        if turn < len(moves):
            apply_move(game, moves[turn])


def wanted_turns(game: Game, rng: Random) -> np.ndarray:
    """Some turns, of the last ones most, at which somebody has to decide."""
    n = game.turn + int(game.status == "gave up")
    wanted = np.zeros(game.turn + 1, np.bool_)
    wanted[rng.sample(range(n), min(n, 4))] = True
    last = range(max(0, n - 5), n)
    wanted[rng.sample(last, min(len(last), 3))] = True
    return wanted


def careful_game(rules: Rules, seed: int) -> Game:
    """A random game in which cards are played only if they fit, as long as there is a choice."""
    game, rng = Game(rules, seed), Random(seed)
    while not game.is_over:
        hand = game.hands[game.mover]
        misplays = [
            rules.hand_size + slot
            for slot, card in enumerate(hand)
            if game.record.firework[card // 5] != card % 5
        ]
        legal = game.legal_moves
        game.apply(rng.choice([move for move in legal if move not in misplays] or legal))
    return game
