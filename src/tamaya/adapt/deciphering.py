"""Deciphering: finding the code that a team of two speaks in its sample games.

Who sees all cards of a finished game sees what was true whenever a hint of some form was given. For
each possible reference and listing, the statement of every form is the one that was true much more
often than by chance. What a message refers to depends on the messages before it, so the first turns
of the games are read first, and what they teach is used to read on.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from tamaya.adapt.messages import (
    BY_AGE,
    BY_YOUTH,
    CODE,
    HAND,
    LIE,
    N_CONTEXTS,
    N_FORMS,
    N_HINT_FORMS,
    N_LISTINGS,
    N_PLACES,
    N_REFERENCES,
    PUBLIC,
    STATEMENTS,
    form_of,
    hear,
    list_slots,
    look,
    survey,
)
from tamaya.adapt.recognise import EVERYBODY
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import apply_move, copy_game, deal
from tamaya.player import AgentError
from tamaya.records import GAME
from tamaya.rules import MAX_MOVES

# Turns of each game that are read, pass by pass: few games may say too little in their first ones.
ALL = MAX_MOVES
SCHEDULES = ((4, 4, 8, 12, 16, 24, ALL, ALL), (10, 10, 16, 24, ALL, ALL))
LEAST_GAIN = 2.0  # of log-likelihood, for a statement
LEAST_EVIDENCE = 40.0  # of all hints together, for a code
SILENT = "silent"  # text of the code in which nothing is said
LETTERS = "0123456789abcd"


@hot
def weigh_statements(games, seats, horizon, code, records, gains):
    """Add how much better each statement explains the cards than chance, by context and form.

    Only the moves of some seats say something, by bits for each game.
    """
    again, public, hand = records[0][0], records[1][0], records[2][0]
    for g in range(len(games)):
        game = games[g]
        copy_game(again, game)
        deal(again)
        public.weight[:] = 1.0
        for k in range(min(np.int64(game.n_moves), horizon)):
            event, seat = game.history[k], 1 - np.int64(again.mover)
            move, touched = np.int64(event.move), np.int64(event.touched)
            if not seats[g] >> (1 - seat) & 1:
                apply_move(again, move)
                continue
            survey(again, public)
            look(again, public, code, seat, hand)
            list_slots(again, hand, code.listing)
            form = form_of(again, hand, code, seat, move, touched)
            for number in range(1, len(STATEMENTS)):
                gain = gain_of(again, public, hand, seat, number)
                gains[hand.context, form, number] += gain
            hear(again, public, hand, code, seat, move, touched)
            apply_move(again, move)


@hot
def gain_of(game, public, hand, seat, number):
    """Log-likelihood of a statement's truth, less that by chance; 0 if it is about no card."""
    others, playable = STATEMENTS[number, 0], STATEMENTS[number, 1]
    chance, is_true, is_about = 1.0, True, playable == 0 and hand.n > 0
    for place in range(min(np.int64(hand.n), N_PLACES)):
        slot = hand.slot[place]
        p = min(max(hand.chance[slot], 0.01), 0.99)
        is_playable = BIT[game.card[seat, slot]] & public.playable != 0
        if others >> place & 1:
            chance *= 1.0 - p
            is_true = is_true and not is_playable
        elif playable >> place & 1:
            chance *= p
            is_true, is_about = is_true and is_playable, True
    if not is_about:
        return 0.0
    return np.log((1.0 - LIE) / chance) if is_true else np.log(LIE / (1.0 - chance))


def deciphered(games: Sequence[Game], seats: Sequence[int] = ()) -> str:
    """The text of the code of a team of two; SILENT if its hints cannot be understood.

    Only the moves of some seats of each game count, given as bits, or all.
    """
    if games[0].rules.players != 2:
        return SILENT
    played = np.concatenate([game.array for game in games])
    bits = np.array(seats or [EVERYBODY] * len(games), np.int64)
    records = tuple(np.zeros(1, kind) for kind in (GAME, PUBLIC, HAND))
    best, most = SILENT, LEAST_EVIDENCE
    for rules in product(range(N_REFERENCES), range(N_LISTINGS), (0, 1), (0, 1)):
        for schedule in SCHEDULES:
            code = np.zeros(1, CODE)
            code[0] = (*rules, 0)
            for horizon in schedule:
                gains = np.zeros((N_CONTEXTS, N_FORMS, len(STATEMENTS)))
                weigh_statements(played, bits, horizon, code[0], records, gains)
                gains[:, :, 1:] -= LEAST_GAIN
                code["said"][0] = gains.argmax(axis=-1)
                evidence = gains.max(axis=-1)[:, :N_HINT_FORMS].sum()
                if horizon == ALL and evidence > most:
                    best, most = code_text(code[0]), evidence
    return best


def is_plain(text: str) -> bool:
    """Whether a code refers to cards by their age only, as plain conventions do."""
    return int(code_of(text)["listing"][0]) in (BY_AGE, BY_YOUTH)


def code_text(code: np.record) -> str:
    """A code as a short text: reference, listing and two truth values, then the statements."""
    rules = (code["reference"], code["listing"], code["splits"], code["hints_only"])
    said = code["said"].ravel()
    return "".join(LETTERS[number] for number in (*rules, *said))


def code_of(text: str) -> np.ndarray:
    """The CODE record of a text; AgentError if it is none."""
    code = np.zeros(1, CODE)
    if text == SILENT:
        return code
    limits = (N_REFERENCES, N_LISTINGS, 2, 2) + (len(STATEMENTS),) * (N_CONTEXTS * N_FORMS)
    numbers = [LETTERS.find(letter) for letter in text]
    is_code = len(numbers) == len(limits) and all(
        0 <= number < limit for number, limit in zip(numbers, limits, strict=True)
    )
    if not is_code:
        raise AgentError(f"{text!r} is not a code: expected {SILENT!r} or {len(limits)} digits "
                         f"and letters, as adaptive finds them in samples")  # fmt: skip
    code[0] = (*numbers[:4], np.reshape(numbers[4:], (N_CONTEXTS, N_FORMS)))
    return code
