"""What the moves of others say about the own hand, if they play by the policy.

A team-mate who sees a playable card in my hand tells me; one who hints a single card means it to be
played. None of this is in the hints themselves. So before a search the recent moves of the others
are noted with what each mover saw, my hand left open; an imagined hand with which the policy would
have moved otherwise gets a *strike* for each such move, and is believed the less the more it has.

Policies that observe can be asked about the past only if their memory is common knowledge.
"""

from typing import NamedTuple

import numpy as np

from tamaya.calling import call_act
from tamaya.chance import random_unit
from tamaya.compiled import hot
from tamaya.game import apply_move, deal
from tamaya.records import MINIMAL, VIEW
from tamaya.search.blueprint import wake
from tamaya.search.determinize import redeal, shuffle_rest
from tamaya.search.simulate import raise_curtain
from tamaya.table import memory_of, tell_event
from tamaya.view import fill_view

MAX_TRIES = 16  # hands drawn until one is believed


class Testimony(NamedTuple):
    """Recent moves of others."""

    n: np.ndarray  # how many, in [0]
    views: np.ndarray  # VIEW: what the mover saw
    moves: np.ndarray  # what it did
    minds: np.ndarray  # [move, word]: what the policy remembered, if its memory is shared
    tried: np.ndarray  # deck of the best hand so far


@hot
def hear(stage, team, n_recent):
    """Note the moves of others among so many recent ones."""
    job = team.job[0]
    n_words = len(team.minds) if job.any_observes else 1
    found = Testimony(np.zeros(1, np.int64), np.zeros(n_recent, VIEW), np.zeros(n_recent, np.int64),
                      np.zeros((n_recent, n_words), np.uint64), np.zeros(50, np.int8))  # fmt: skip
    now, again = stage.now[0], stage.again[0]
    if now.observation == MINIMAL or (job.any_observes and not job.shared):
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
            if job.any_observes:
                found.minds[place] = team.minds
            found.n[0] += 1
        apply_move(again, event.move)
        if job.any_observes:
            tell_event(again, stage.seen[0], team.crew, team.lineup, job, team.minds)
    return found


@hot
def n_strikes(stage, team, heard, game):
    """Recent moves that the policy would not have made if the imagined hand were the real one."""
    who, job = team.crew[0], team.job[0]
    n = 0
    for k in range(heard.n[0]):
        view = heard.views[k]
        for slot in range(view.hand_size):
            order = view.order[stage.seat, slot]
            if order >= 0:
                view.card[stage.seat, slot] = game.deck[order]
        view.is_counted = 0
        if job.any_observes:
            team.minds[:] = heard.minds[k]
        place = memory_of(job, team.minds, np.int64(view.seat))
        if call_act(who.act, view, place, who.params) != heard.moves[k]:
            n += 1
    return n


@hot
def imagine_believed(stage, team, heard, trust, seed):
    """Imagine the hidden cards anew, hands with s strikes (1 - trust)^s times as likely.

    After ``MAX_TRIES`` hands the one with the fewest strikes is taken.
    """
    game, dice = raise_curtain(stage, seed), stage.dice[0]
    if heard.n[0] == 0 or trust <= 0:
        return game
    fewest = 1 << 30
    for _ in range(MAX_TRIES):
        n = n_strikes(stage, team, heard, game)
        if n == 0 or random_unit(dice) < (1.0 - trust) ** n:
            return game
        if n < fewest:
            fewest = n
            heard.tried[:] = game.deck
        redeal(game, stage.seat, stage.plan[0], dice)
    game.deck[:] = heard.tried
    for slot in range(game.hand_size):
        if game.order[stage.seat, slot] >= 0:
            game.card[stage.seat, slot] = game.deck[game.order[stage.seat, slot]]
    shuffle_rest(game, dice)
    return game
