"""What a seat remembers, against a second account of the same games in plain Python."""

from random import Random

import numpy as np
import pytest

from support import play_randomly, scaled
from tamaya.agents.learned.people import traces
from tamaya.agents.learned.people.traces import TRACE, note_event
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.moves import describe
from tamaya.records import SCORED, VIEW, record
from tamaya.rules import Rules
from tamaya.view import fill_view

pytestmark = pytest.mark.interpreted


@hot
def note(game, view, seat, memory):
    fill_view(game, seat, view)
    note_event(view, game.history[game.n_moves - 1], memory)


def remembered(game: Game, seat: int) -> np.record:
    """The memory of a seat after a game."""
    memory, again, view = np.zeros(1, record(TRACE)), game.at(0), np.zeros(1, VIEW)
    for move in game.moves:
        again.apply(move)
        note(again.array[0], view[0], seat, memory[0])
    return memory[0].copy()


class Account:
    """The same, from hands as lists of orders, oldest first."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        size = rules.hand_size
        hands = [list(range(size * seat, size * (seat + 1))) for seat in range(rules.players)]
        drawn = size * rules.players
        self.role: dict[int, int] = {}
        self.since: dict[int, int] = {}
        self.focus: dict[int, int] = {}
        self.habits = np.zeros((rules.players, 5), int)
        self.n_chop = np.zeros(rules.players, int)
        for turn, event in enumerate(game.events, 1):
            kind, slot, _ = describe(rules, int(event.move))
            hand = hands[event.seat]
            if event.target >= 0:
                self.hint(hands[event.target], int(event.target), int(event.touched), turn)
                self.habits[event.seat, 3 if kind == 2 else 4] += 1
                continue
            unhinted = [order for order in hand if order not in self.role]
            order = hand.pop(slot)
            assert order == event.order
            if drawn < rules.deck_size:
                hand.append(drawn)
                drawn += 1
            if kind == 0:
                self.habits[event.seat, 0] += 1
                self.n_chop[event.seat] += order == min(unhinted, default=-1)
            else:
                self.habits[event.seat, 1 if event.effect & SCORED else 2] += 1

    def hint(self, hand: list[int], target: int, touched: int, turn: int) -> None:
        named = [order for slot, order in enumerate(hand) if touched >> slot & 1]
        fresh = [order for order in named if order not in self.role]
        chop = min((order for order in hand if order not in self.role), default=None)
        focus = chop if chop in fresh else max(fresh or named)
        for order in fresh:
            self.role[order] = traces.BESIDE
            self.since[order] = turn
        if focus in fresh:
            self.role[focus] = traces.FOCUS_ON_CHOP if focus == chop else traces.FOCUS
        else:
            self.role[focus] = traces.FOCUS_AGAIN
        self.focus[target] = focus


@pytest.mark.parametrize("players", [2, 3, 5])
def test_traces_agree_with_a_second_account(players):
    for seed in range(scaled(20)):
        game = play_randomly(Game(Rules(players=players, lives=20), seed), Random(seed))
        seat = seed % players
        memory, account = remembered(game, seat), Account(game)
        assert memory["habit"][:players].tolist() == account.habits.tolist()
        for order in range(game.rules.deck_size):
            assert memory["role"][order] == account.role.get(order, traces.UNTOUCHED)
            assert memory["since"][order] == account.since.get(order, 0)
        for target in range(players):
            assert memory["focus"][target] == account.focus.get(target, -1) + 1
        assert memory["n_chop"] == account.n_chop[seat]
        own = [describe(game.rules, int(e.move)) for e in game.events if e.seat == seat]
        for slot in range(game.rules.hand_size):
            assert memory["discards"][slot] == sum(move[:2] == (0, slot) for move in own)
            assert memory["plays"][slot] == sum(move[:2] == (1, slot) for move in own)
