"""Rule agents that count what they do, in their program record."""

from tamaya.agents.rules.facts import chance
from tamaya.agents.rules.family import RuleAgent, decide
from tamaya.moves import HINT_COLOUR, PLAY, kind_of, slot_of

# Entries of ``measured``.
TOKEN_TURNS, HINTS, PLAYS_MADE, CHANCES = range(4)


def act_measured(view, memory, params):
    """Makes the move of the first rule of a list that applies, and counts."""
    move = decide(view, memory, params)
    if memory.fired >= 0:
        params.lines[params.first[view.players] + memory.fired].n_fired += 1
    if view.tokens > 0:
        params.measured[TOKEN_TURNS] += 1
    if move >= 0:
        kind = kind_of(view, move)
        if kind >= HINT_COLOUR:
            params.measured[HINTS] += 1
        elif kind == PLAY:
            possible = view.possible[view.seat, slot_of(view, move)]
            params.measured[PLAYS_MADE] += 1
            params.measured[CHANCES] += chance(memory, possible, memory.playable)
    return move


MEASURED = RuleAgent("measured", "LegalRandom")  # not registered: it writes to its program
MEASURED.act_function = act_measured
