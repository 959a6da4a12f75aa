"""The rule player of Van den Bergh (2015; with others, BNAIC 2016), all variants as one family.

In order: play a card that is playable with probability ``play`` at least (1 with the last life);
discard one that is dead with probability ``dead`` at least; with probability ``hint``, hint by
``hint_rule``; discard by ``discard_rule``. Probabilities count the copies that the player does not
see; where several cards qualify, one is drawn at random (``lowest=true``: the lowest slot).

The 48 variants of the thesis are ``hint_rule`` and ``discard_rule`` 1 to 4 with ``play`` .7, .6 or
.5; the default is the best of them. Its rules: three players, empty hints, slots refilled in place,
zero points after the third error, and a five returns no token. ``van-den-bergh`` is different: the
version of a competition framework, which tells colours too and plays by other probabilities.
"""

from collections.abc import Mapping
from typing import NamedTuple, Self

from tamaya.agent import agent
from tamaya.agents.bergh.discards import slot_by_rule
from tamaya.agents.bergh.hints import hint_by_rule
from tamaya.compiled import hot, popcount
from tamaya.knowledge.board import board_with
from tamaya.knowledge.copies import Copies, probability, take, undiscarded, unseen_by
from tamaya.knowledge.hands import nth_slot
from tamaya.knowledge.literal import lawful
from tamaya.moves import NO_MOVE, discard, play
from tamaya.params import Params
from tamaya.player import Value
from tamaya.rng import random_below, random_unit

N_RULES = 4  # of each kind
RULES = {"empty_hints": True, "refill": "in_place", "no_completion_token": True}


class Facts(NamedTuple):
    """What a decision needs to know about the board."""

    playable: int
    dead: int
    public: Copies  # neither played nor discarded
    unseen: Copies  # those of them that the player does not see


class RuleParams(Params):
    """Parameters whose numbers of rules are checked on both sides."""

    def changed(self, values: Mapping[str, Value | str]) -> Self:
        """The same with other values."""
        other = super().changed(values)
        for name in ("hint_rule", "discard_rule"):
            if other.values[name] > N_RULES:
                raise self._error(f"parameter {name!r} must be from 1 to {N_RULES}, "
                                  f"not {other.values[name]}")  # fmt: skip
        return other


@hot
def facts_now(view):
    """The facts about the current board."""
    left = undiscarded(view)
    board = board_with(view, left)
    public = take(left, board.played)
    return Facts(board.playable, board.dead, public, unseen_by(view, view.seat, public))


@hot
def likely_slot(view, memory, wanted, facts, least, lowest):
    """A random own slot that is in a set with some probability at least, or -1."""
    slots = 0
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            possible = view.possible[view.seat, slot]
            if probability(facts.unseen, possible, wanted) >= least:
                slots |= 1 << slot
    n = popcount(slots)
    if n == 0:
        return -1
    return nth_slot(slots, 0 if lowest else random_below(memory, n))


@agent(
    "bergh-2015",
    params=RuleParams(
        {"hint_rule": 3, "discard_rule": 2, "play": 0.6, "dead": 1.0, "hint": 1.0, "lowest": False},
        least={"hint_rule": 1, "discard_rule": 1},
    ),
    source="Van den Bergh 2015",
    made_for=RULES,
)  # fmt: skip
def bergh_2015(view, memory, params):
    """Plays cards that are likely enough to be playable, tells ranks of playable cards."""
    facts = facts_now(view)
    least = 1.0 if view.lives == 1 else params.play
    slot = likely_slot(view, memory, facts.playable, facts, least, params.lowest)
    if slot >= 0:
        return play(view, slot)
    may_discard = view.tokens < view.max_tokens
    if may_discard:
        slot = likely_slot(view, memory, facts.dead, facts, params.dead, params.lowest)
        if slot >= 0:
            return discard(view, slot)
    if view.tokens > 0 and (not may_discard or random_unit(memory) < params.hint):
        move = hint_by_rule(view, memory, params.hint_rule, facts)
        if move != NO_MOVE:
            return move
    return lawful(view, discard(view, slot_by_rule(view, memory, params.discard_rule, facts)))


@bergh_2015.explain
def explain_bergh(view, memory, params):
    """How likely each own card is playable, and dead."""
    facts = facts_now(view)
    rows = []
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            possible = view.possible[view.seat, slot]
            playable = probability(facts.unseen, possible, facts.playable)
            dead = probability(facts.unseen, possible, facts.dead)
            rows.append((f"slot {slot}", f"playable {playable:.2f}, dead {dead:.2f}"))
    least = 1.0 if view.lives == 1 else params["play"]
    rows.append(("plays from", f"{least:.2f}"))
    return rows
