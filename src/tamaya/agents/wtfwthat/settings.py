"""Settings: the parameters of the family, and their values by number of players.

Kernels get one record of options per number of players.
"""

from collections.abc import Mapping

import numpy as np

from tamaya.agent import Value
from tamaya.agents.wtfwthat.network import NETWORK, network
from tamaya.records import record
from tamaya.rules import MAX_PLAYERS

# The version of 2023, without any of the improvements.
ORIGINAL: dict[str, Value] = {
    "version": 2023,        # 2018: fixed questions, no conclusions from discards, other priorities
    "limit": 5,             # tokens from which a hint is preferred to a risky discard
    "late_limit": 5,        # the same once no more cards can be spared
    "gamble": 0.75,         # a card that is playable or dead is played above this probability
    "losses": False,        # A: discard the card that costs least, by the next three values
    "spare": 0.01,          #    points lost per point above a live card with other copies
    "seen": 0.001,          #    the same if a copy is seen in another hand
    "tempo": 0.05,          #    points lost with a playable card
    "risk": 99.0,           # B: hint if every discard costs more points than this,
    "risk_tokens": 1,       #    with at least this many tokens
    "plays": False,         # C: which of several playable cards is played is a message
    "deduce": False,        # D: cards that everybody recognises are taken out of other tables
    "guess": False,         # E: guess in the last round
    "project": False,       # F: ask about the board expected at the owner's turn
    "odds": 0.0,            # G: four kinds of hints if a uniform hand is less likely than this
    "told": False,          # H: free values tell most after the answers, not before
    "endgame": 0,           # I: search the last turns with fewer cards than this in the deck
    "dig": 99,              # J: late, discard a useless card rather than hint if at least so many
    "waiting": 3,           #    turns can be spared and so many points wait for unseen cards
    "weigh": False,         # K: with two players, a network chooses between the kinds of moves
}  # fmt: skip

_IMPROVED = {**ORIGINAL, "losses": True, "deduce": True, "guess": True, "told": True, "endgame": 5}

# Tuned one by one on deals of seeds from 1000 up.
TUNED: dict[int, dict[str, Value]] = {
    2: {**_IMPROVED, "limit": 7, "late_limit": 4, "spare": 0.02, "seen": 0.0, "tempo": 0.3,
        "risk": 0.3, "risk_tokens": 2, "plays": True, "odds": 0.1, "weigh": True},
    3: {**_IMPROVED, "late_limit": 7, "spare": 0.03, "risk": 0.05, "plays": True, "project": True,
        "odds": 0.03},
    4: {**_IMPROVED, "late_limit": 7, "spare": 0.03, "risk": 0.05, "project": True, "dig": 2},
    5: {**_IMPROVED, "late_limit": 7, "risk": 0.05, "project": True, "odds": 0.01, "dig": 2},
}  # fmt: skip
AS_TUNED = -1  # as a parameter: the value for the number of players

_KINDS = {bool: np.int64, int: np.int64, float: np.float64}
OPTIONS = record([(name, _KINDS[type(value)]) for name, value in ORIGINAL.items()])
PARAMS = record([
    ("options", OPTIONS, MAX_PLAYERS + 1),  # [players] -> options
    ("network", NETWORK),                   # weighs moves at tables of two
])  # fmt: skip


def params_of(values: Mapping[str, Value]) -> np.ndarray:
    """The options of all numbers of players, for kernels."""
    params = np.zeros(1, PARAMS)
    for players, tuned in TUNED.items():
        for name, value in values.items():
            params["options"][0, players][name] = tuned[name] if value == AS_TUNED else value
    params["network"] = network()
    return params
