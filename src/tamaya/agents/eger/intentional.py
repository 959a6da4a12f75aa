"""``eger-intentional`` and ``eger-full``: hints that say what to do, and how they are read.

In order: ``eger-full`` does what the hint that it has just received asks for; play a card that is
surely playable; discard one that has surely been played; give the hint with most points that will
not be misread (``meaning``); discard the card that is least of a loss (``discarding``). Only
``eger-full`` reads hints as both of them mean theirs: ``eger-intentional`` expects more of its
partner than it does itself.

Of several sure plays ``eger-intentional`` takes the newest, because the program's loop goes on
after it has found one. Where discards are forbidden at full tokens, both give the hint that touches
the fewest new cards instead.
"""

from tamaya.agent import agent
from tamaya.agents.eger.discarding import best_discard
from tamaya.agents.eger.explaining import explain_full, explain_intentional
from tamaya.agents.eger.meaning import DISCARD, PLAY, asked_slot, best_hint
from tamaya.agents.eger.sure import RULES, SOURCE, allowed, is_surely, random_played
from tamaya.compiled import hot
from tamaya.knowledge.board import board_now
from tamaya.moves import NO_MOVE, discard, play


@hot
def without_plays(view, memory, board):
    """What to do with no card to play: a sure discard, a hint, the best discard."""
    if view.tokens < view.max_tokens:
        slot = random_played(view, memory, board.played)
        if slot >= 0:
            return discard(view, slot)
    if view.tokens > 0:
        move = best_hint(view, board)
        if move != NO_MOVE:
            return move
    return allowed(view, discard(view, best_discard(view)))


@agent("eger-intentional", players="2", source=SOURCE, made_for=RULES)
def intentional(view, memory, params):
    """Hints what to play or discard, and does itself only what is certain."""
    board = board_now(view)
    for slot in range(view.hand_size - 1, -1, -1):
        if is_surely(view, slot, board.playable):
            return play(view, slot)
    return without_plays(view, memory, board)


@agent("eger-full", players="2", source=SOURCE, made_for=RULES)
def full(view, memory, params):
    """Hints what to play or discard, and does what hints ask for."""
    board = board_now(view)
    slot = asked_slot(view, PLAY, board)
    if slot >= 0:
        return play(view, slot)
    slot = asked_slot(view, DISCARD, board)
    if slot >= 0:
        return allowed(view, discard(view, slot))
    for slot in range(view.hand_size):
        if is_surely(view, slot, board.playable):
            return play(view, slot)
    return without_plays(view, memory, board)


intentional.explain(explain_intentional)
full.explain(explain_full)
