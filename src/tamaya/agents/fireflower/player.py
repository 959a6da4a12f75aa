"""The agents ``fireflower`` and ``fireflower-careful``, and their explanations."""

from tamaya.agent import agent
from tamaya.agents.fireflower.choice import choose
from tamaya.agents.fireflower.following import MEMORY, follow


@agent(
    "fireflower",
    memory=MEMORY,
    params={"bomb_is_zero": False, "doubt": 0.0},
    source="Wu 2018",
)
def fireflower(view, memory, params):
    """Reads hints by conventions, and plays what is best after the next player's reply."""
    follow(view, memory)
    return choose(view, memory, params)


@fireflower.observe
def read_moves(view, event, memory, params):
    """Read the last move by the conventions."""
    follow(view, memory)
