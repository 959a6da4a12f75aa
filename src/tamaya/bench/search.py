"""Timed parts of search: the counterfactual filter, rollouts from mid-game, whole decisions."""

from math import ceil

import numpy as np

from tamaya.bench.loops import Loop
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.lookup import find_agent
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.search.belief.blueprints import CompiledBlueprint, blueprint_record
from tamaya.search.belief.contest import Contest, Terms
from tamaya.search.belief.filtering import MOST, strike
from tamaya.search.belief.rollouts import try_deals
from tamaya.search.belief.support import Believing, support_of
from tamaya.search.blueprint import find_blueprint
from tamaya.search.workspace import N_IDS
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.view import fill_view

SEED = 7000  # of the games whose positions are searched
MIDDLE = 24  # a turn in the middle of a game
N_HANDS = 1024  # of one pass of the filter
DEALS = 8  # of one call


def _position(blueprint: str, players: int, turn: int) -> tuple[Game, np.ndarray]:
    """A position of a game of the blueprint, and what the mover sees."""
    whole = play(blueprint, Rules(players=players), 1, seed=SEED, record=True, threads=1).game(0)
    game, views = whole.at(turn), np.zeros(1, VIEW)
    fill_view(game.record, game.mover, views[0])
    return game, views


def filtered_hands(blueprint: str, players: int) -> Loop:
    """Hands tested for whether they explain the last move of another seat."""
    _, views = _position(blueprint, players, MIDDLE)
    known = blueprint_record(find_blueprint(blueprint))
    support = support_of(views[0], CompiledBlueprint(known), Believing())
    hands = np.resize(support.hands, N_HANDS)
    strikes, last = np.zeros(N_HANDS, np.uint8), support.past.only(slice(-1, None))

    def loop(n: int) -> int:
        for _ in range(ceil(n / N_HANDS)):
            strike(hands, support.n_cards, strikes, int(views[0].seat), known[0], last, MOST)
        return ceil(n / N_HANDS) * N_HANDS

    return loop


def rollouts(blueprint: str, players: int) -> Loop:
    """Games that are played to the end, equally many after every legal move, on one core."""
    _, views = _position(blueprint, players, MIDDLE)
    known = blueprint_record(find_blueprint(blueprint))
    followed = CompiledBlueprint(known)
    support = support_of(views[0], followed, Believing())
    contest = Contest(views[0], followed, support, Terms())
    moves = np.uint64(legal_mask(views[0]))
    n_moves = int(moves).bit_count()
    values, is_done = np.zeros((DEALS, N_IDS), np.float32), np.zeros(DEALS, np.uint8)

    def loop(n: int) -> int:
        n_calls = ceil(n / (DEALS * n_moves))
        for call in range(n_calls):
            try_deals(views[0], known[0], contest.how[0], contest.deals, moves, call * DEALS,
                      values, is_done)  # fmt: skip
        return n_calls * DEALS * n_moves

    return loop


def decisions(blueprint: str, players: int) -> Loop:
    """Decisions of ``sparta`` on one core, after one hint to the mover.

    With ``errors=0`` no move is dropped or chosen early, so all 10,000 rollouts are played.
    """
    game, _ = _position(blueprint, players, 0)
    while not any(event.target == game.mover for event in game.events):
        game.apply(Seat(find_agent(blueprint), game, game.mover).act())
    seat = Seat(find_agent(f"sparta:blueprint={blueprint},seats=each,errors=0"), game, game.mover)

    def loop(n: int) -> int:
        for _ in range(n):
            seat.act()
        return n

    return loop
