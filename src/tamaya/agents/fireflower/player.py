"""The agents ``fireflower`` and ``fireflower-careful``, and their explanations."""

from tamaya.agent import agent
from tamaya.agents.fireflower.choice import best_move, list_moves, prepare_search, value_try
from tamaya.agents.fireflower.following import MEMORY, follow, wake
from tamaya.agents.hat.board import lawful


@agent(
    "fireflower",
    memory=MEMORY,
    params={"bomb_is_zero": False, "doubt": 0.0},
    source="Wu 2018",
)
def fireflower(view, memory, params):
    """Reads hints by conventions, and plays what is best after the next player's reply."""
    wake(view, memory)
    prepare_search(memory)
    list_moves(view, memory, params.doubt)
    for k in range(memory.n_tries):
        value_try(memory, k, params.bomb_is_zero)
    return lawful(view, best_move(view, memory))


fireflower.observe(follow)
