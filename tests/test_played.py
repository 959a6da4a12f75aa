"""What comes of a run of games."""

import numpy as np

from tamaya.agent import Agent
from tamaya.played import RESULT, Played
from tamaya.rules import Rules


def any_move(view, memory, params):
    return 0


def test_a_run_is_shown_in_one_line():
    results = np.zeros(1000, RESULT)
    results["score"] = 17
    agents = (Agent("one", any_move), Agent("other", any_move), Agent("one", any_move))
    played = Played(Rules(players=3), agents, 5, 0, results, 1.5)
    assert repr(played) == ("<Played 1,000 games of one, other, seed 5 (players=3 hand_size=5), "
                            "mean score 17.00>")  # fmt: skip
    none = Played(Rules(), agents[:1], 0, 0, results[:0], 0.0)
    assert repr(none) == "<Played 0 games of one, seed 0 (players=2 hand_size=5)>"
