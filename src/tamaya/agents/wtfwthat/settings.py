"""Settings of the family by number of players."""

import numpy as np

from tamaya.records import record

PLAIN = {
    "version": 2023,
    "limit": 5,
    "gamble": 0.75,
    "safe": 0.0,
    "risk": 1.0,
    "risk_tokens": 1,
    "plays": False,
    "deduce": False,
    "guess": False,
    "project": False,
    "goodness_after": False,
    "margin": 0,
    "reach": False,
    "losses": False,
    "loss_visible": 0.05,
    "loss_spare": 0.2,
    "loss_playable": 0.3,
    "late_limit": 5,
    "gamble_late": 2.0,
    "gamble_full": 0.75,
    "bold": 2.0,
    "ask_safe": False,
    "odds": 0.0,
    "endgame": 0,
}
KINDS = {bool: np.int64, int: np.int64, float: np.float64}
OPTIONS = record([(name, KINDS[type(value)]) for name, value in PLAIN.items()])
PARAMS = record([("size", OPTIONS, 6)])

TUNED = {
    2: {**PLAIN, "limit": 4, "late_limit": 4, "safe": 50.0, "risk": 0.2, "risk_tokens": 2, "plays": True,
        "deduce": True, "guess": True},
    3: {**PLAIN, "safe": 200.0, "risk": 0.02, "plays": True, "deduce": True, "guess": True,
        "project": True},
    4: {**PLAIN, "safe": 200.0, "risk": 0.02, "deduce": True, "guess": True, "project": True},
    5: {**PLAIN, "deduce": True, "guess": True, "project": True},
}
AS_TUNED = -9
