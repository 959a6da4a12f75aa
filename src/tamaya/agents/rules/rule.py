"""What a rule is: a small compiled function from a view to a move, or to none.

    @rule("PlayLucky", PLAYS, p=0.5)
    def play_lucky(view, memory, line):
        '''Plays the card most likely to be playable, if the probability is at least p.'''
        slot, chance = likeliest_slot(view, memory, memory.playable)
        return play(view, slot) if chance >= line.args[0] else NO_MOVE

A rule gets the view of its seat, the scratch space of ``tamaya.agents.rules.facts`` and its own
line of the list: arguments in the order of its parameters, and whether to reproduce the original
program's bugs. Rules of a user's file are known by name as soon as the file is imported.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.agent import AgentError
from tamaya.cards import DECK_SIZE, N_CARDS, N_COLOURS
from tamaya.dispatch import compile_act
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

# When a rule is tried.
PLAYS, TELLS, DISCARDS, ANY = 0, 1, 2, 3
GATE_NAMES = {PLAYS: "play", TELLS: "tell", DISCARDS: "discard", ANY: "any"}
MAX_ARGUMENTS = 4
MAX_CONDITIONS = 2

LINE = record([
    ("rule", np.int64),             # address of the compiled function
    ("gate", np.int8),              # PLAYS, TELLS, DISCARDS or ANY
    ("faithful", np.int8),          # do as the original program does, bugs included
    ("n_conditions", np.int8),
    ("field", np.int8, MAX_CONDITIONS),     # see tamaya.agents.rules.conditions
    ("relation", np.int8, MAX_CONDITIONS),
    ("bound", np.float64, MAX_CONDITIONS),
    ("args", np.float64, MAX_ARGUMENTS),
    ("n_fired", np.int64),          # moves it made, counted by measured agents only
])  # fmt: skip

# The memory of rule agents is scratch space, rewritten at every decision, and the generator.
SCRATCH = [
    ("playable", np.int32),   # cards that can be played now
    ("played", np.int32),     # cards on the fireworks
    ("dead", np.int32),       # cards that can never score again
    ("critical", np.int32),   # cards needed of which one copy is left
    ("ones", np.int32),       # bit 0 of the number of copies of each card that I do not see
    ("twos", np.int32),       # bit 1 of it
    ("theirs_ones", np.int32), ("theirs_twos", np.int32),  # the same with another hand put back
    ("now", np.int8, MAX_HAND),  # present slot of the card that was in a slot earlier, -1 if gone
    # What tamaya.agents.rules.promises reads from the history, by order of cards in the deck.
    ("is_read", np.int64),
    ("was_told", np.int8, DECK_SIZE), ("promise", np.int32, DECK_SIZE),
    ("hand", np.int8, (MAX_PLAYERS, MAX_HAND)), ("height", np.int8, N_COLOURS),
    ("gone", np.int8, N_CARDS),
    ("fired", np.int64),      # line of the program that made the move, -1 for none
]  # fmt: skip
MEMORY = record([("rng", np.uint64), *SCRATCH])


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule of the library; parameters have the type of their defaults."""

    name: str
    function: Callable[..., Any]
    gate: int
    parameters: Mapping[str, float | int | bool]
    source: str  # where it comes from

    @property
    def description(self) -> str:
        """One line on what it does."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    @property
    def quirk(self) -> str:
        """What the original does differently, empty if nothing; switched off by faithful=false."""
        _, found, text = (self.function.__doc__ or "").partition("Original:")
        return " ".join(text.split()) if found else ""

    def address(self) -> int:
        """Address of the compiled function."""
        if self.function not in _addresses:
            _addresses[self.function] = compile_act(self.function, MEMORY, LINE)
        return _addresses[self.function]


RULES: dict[str, Rule] = {}
_addresses: dict[Callable[..., Any], int] = {}


def rule_at(address: int) -> Rule:
    """The rule whose compiled function is at an address."""
    return next(rule for rule in RULES.values() if _addresses.get(rule.function) == address)


def rule(
    name: str, gate: int, *, source: str = "", **parameters: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function in the library under a name; parameters by name with their defaults."""
    if len(parameters) > MAX_ARGUMENTS:
        raise AgentError(f"rule {name!r} has more than {MAX_ARGUMENTS} parameters")

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        known = RULES.get(name)
        if known is not None and known.function.__module__ != function.__module__:
            raise AgentError(f"two rules are called {name!r}")
        RULES[name] = Rule(name, function, gate, parameters, source)
        return function

    return decorate
