"""What the moves of others say about the own hand, if they play by the policy.

A team-mate who sees a playable card in my hand tells me; one who hints a single card means it to be
played. None of this is in the hints themselves. So before a search the recent moves of the others
are noted with what each mover saw, my hand left open; an imagined hand with which the policy would
have moved otherwise gets a *strike* for each such move, and is believed the less the more it has.

Policies that observe can be asked about the past only if their memory is common knowledge.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.dispatch import call_act
from tamaya.game_kernels import apply_move, deal
from tamaya.records import MINIMAL, VIEW
from tamaya.rng import random_unit, seed_of
from tamaya.search.blueprint import tell_team, wake
from tamaya.search.determinize import redeal, shuffle_rest
from tamaya.search.simulate import raise_curtain
from tamaya.seating import memory_of
from tamaya.view import fill_view

MAX_TRIES = 200  # hands drawn until one is believed
MAX_HANDS = 1024  # believed hands per decision; later ones are taken from the start again


class Testimony(NamedTuple):
    """Recent moves of others, the latest first, and the hands that are believed after them."""

    n: np.ndarray  # [0] how many moves, [1] how many hands
    views: np.ndarray  # VIEW: what the mover saw
    moves: np.ndarray  # what it did
    minds: np.ndarray  # [move, word]: what the policy remembered, if its memory is shared
    decks: np.ndarray  # [hand, place]: with a believed hand in it


@hot
def hear(stage, team, n_recent):
    """Note the moves of others among so many recent ones."""
    info = team.info[0]
    n_words = len(team.minds) if info.any_observes else 1
    found = Testimony(np.zeros(2, np.int64), np.zeros(n_recent, VIEW), np.zeros(n_recent, np.int64),
                      np.zeros((n_recent, n_words), np.uint64),
                      np.empty((MAX_HANDS, DECK_SIZE), np.int8))  # fmt: skip
    now, again = stage.now[0], stage.again[0]
    if now.observation == MINIMAL or (info.any_observes and not info.shared):
        return found
    # Any hand that agrees with the hints will do, the others' views of it are left open.
    again.deck[:] = raise_curtain(stage, np.uint64(1)).deck
    again.start = now.start
    deal(again)
    wake(team, np.uint64(1))
    for k in range(now.n_moves):
        event = now.history[k]
        if k >= now.n_moves - n_recent and event.seat != stage.seat:
            place = found.n[0]
            fill_view(again, event.seat, found.views[place])
            found.moves[place] = event.move
            if info.any_observes:
                found.minds[place] = team.minds
            found.n[0] += 1
        apply_move(again, event.move)
        if info.any_observes:
            tell_team(team, again, stage.seat, stage.seen[0])
    return found


@hot
def n_passed(stage, team, heard, game, n_allowed):
    """How many moves, from the latest, an imagined hand explains until it has too many strikes."""
    who, info = team.roster[0], team.info[0]
    for k in range(heard.n[0] - 1, -1, -1):
        view = heard.views[k]
        for slot in range(view.hand_size):
            order = view.order[stage.seat, slot]
            if order >= 0:
                view.card[stage.seat, slot] = game.deck[order]
        view.is_counted = 0
        if info.any_observes:
            team.minds[:] = heard.minds[k]
        place = memory_of(info, team.minds, np.int64(view.seat))
        if call_act(who.act, view, place, who.params) != heard.moves[k]:
            n_allowed -= 1
            if n_allowed < 0:
                return heard.n[0] - 1 - k
    return heard.n[0]


@hot
def draw_believed(stage, team, heard, trust, deck):
    """Write a deck with an own hand, hands with s strikes (1 - trust)^s times as likely.

    After ``MAX_TRIES`` hands the one that explained most is taken.
    """
    game, dice = stage.game[0], stage.dice[0]
    most = -1
    for _ in range(MAX_TRIES):
        redeal(game, stage.seat, stage.plan[0], dice)
        n_allowed = 0
        while random_unit(dice) < 1.0 - trust and n_allowed < heard.n[0]:
            n_allowed += 1
        n = n_passed(stage, team, heard, game, n_allowed)
        if n > most:
            most = n
            deck[:] = game.deck
        if n == heard.n[0]:
            return


@hot
def imagine_believed(stage, team, heard, trust, k, first):
    """Imagine the hidden cards for the k-th time, fixed by a seed, with a believed hand."""
    game = raise_curtain(stage, seed_of(first, k))
    if heard.n[0] == 0 or trust <= 0:
        return game
    k %= MAX_HANDS
    while heard.n[1] <= k:
        draw_believed(stage, team, heard, trust, heard.decks[heard.n[1]])
        heard.n[1] += 1
    game.deck[:] = heard.decks[k]
    for slot in range(game.hand_size):
        if game.order[stage.seat, slot] >= 0:
            game.card[stage.seat, slot] = game.deck[game.order[stage.seat, slot]]
    shuffle_rest(game, stage.dice[0])
    return game
