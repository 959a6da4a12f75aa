"""Positions, parameters and blueprints that tests of several layers share."""

import numpy as np

from agents.stacking import stacked
from tamaya.agent import Agent
from tamaya.game import Game
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.records import VIEW
from tamaya.registry import find_agent, register
from tamaya.rules import Rules
from tamaya.view import fill_view

_alive: list[object] = []


def params_of(text: str) -> np.record:
    """The parameters that kernels get from an agent."""
    agent = find_agent(text)
    code = agent.compile()
    blueprints = [find_agent(name) for name in agent.depends_on]
    _alive.extend((agent, code, *blueprints))  # parameters hold addresses of what these own
    return code.params[0]


def view_of(game: Game) -> np.record:
    """What the seat to move sees."""
    view = np.zeros(1, VIEW)[0]
    fill_view(game.record, game.mover, view)
    return view


def hinted_game(**options: int) -> Game:
    """A game in which seat 1 was just told its 2, slot 1, by the agent ``example``.

    R1 is on the table. The example tells playable cards only, so that the 2 must be R2; by the
    hint alone it may be any of five.
    """
    game = stacked("R1 W3 W3 B3 B3 Y3 R2 R4 G4 W4", Rules(players=2, **options))
    for move in ("p0", "h13", "h12"):
        game.apply(move)
    return game


# Blueprints that remember: one privately, one what everybody knows.


def act_by_notes(view, memory, params):
    """A legal move that depends on what was noted."""
    return nth_move(legal_mask(view), memory.note % 3)


def note_all(view, event, memory, params):
    """Notes every event and all cards in sight."""
    memory.note = (31 * memory.note + event.move + 7 * event.card) % 1000003
    for seat in range(view.players):
        for slot in range(view.hand_size):
            memory.note += (slot + 1) * view.card[seat, slot]


def note_public(view, event, memory, params):
    """Notes every event."""
    memory.note = (31 * memory.note + event.move + 7 * event.card) % 1000003


def noting(name: str, observe, shared: bool) -> Agent:
    agent = Agent(name, act_by_notes, memory=[("note", np.int64)], shared=shared)
    agent.observe(observe)
    return register(agent)


NOTING = [
    noting("notes-of-all", note_all, False),
    noting("notes-in-public", note_public, True),
]
