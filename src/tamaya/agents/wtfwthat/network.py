"""The weights of the network that weighs moves at a table of two: their layout and their file."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from tamaya.agents.wtfwthat.public_state import N_HIDDEN, N_MOVE, N_SITUATION
from tamaya.records import record

FILE = Path(__file__).with_name("network.npz")
NETWORK = record([
    ("by_situation", np.float32, (3, N_SITUATION, N_HIDDEN)),  # [kind of move, feature, unit]
    ("by_move", np.float32, (3, N_MOVE, N_HIDDEN)),
    ("bias", np.float32, (3, N_HIDDEN)),
    ("out", np.float32, (3, N_HIDDEN)),
    ("direct_situation", np.float32, (3, N_SITUATION)),  # past the hidden units
    ("direct_move", np.float32, (3, N_MOVE)),
])  # fmt: skip


@cache
def network() -> np.ndarray:
    """The trained weights, one record."""
    found = np.zeros(1, NETWORK)
    with np.load(FILE) as arrays:
        for name in NETWORK.names or ():
            found[name][0] = arrays[name]
    return found


@cache
def digest() -> str:
    """A hash of the file: results belong to the weights that they were played with."""
    return sha256(FILE.read_bytes()).hexdigest()[:16]
