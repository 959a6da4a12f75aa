"""The agents ``fireflower`` and ``fireflower-careful``.

The original assumes that points are kept when the last life is lost, and misplays freely once 25 is
out of reach. With ``careful=true`` such a game counts as zero: a position without lives is worth as
little as one without points, and with one life left a play that is merely expected to succeed is
doubted: each card that it may be instead has the weight ``doubt``. Where points are kept it plays
like the original.
"""

from tamaya.agent import agent
from tamaya.agents.fireflower.believing import believe
from tamaya.agents.fireflower.choice import (
    best_move,
    fears_bombs,
    list_moves,
    prepare_search,
    value_try,
)
from tamaya.agents.fireflower.explaining import explain_choice
from tamaya.agents.fireflower.following import MEMORY, follow, wake
from tamaya.knowledge.literal import lawful
from tamaya.registry import register


@agent(
    "fireflower",
    memory=MEMORY,
    params={"careful": False, "doubt": 0.1},
    least={"doubt": 0.0},
    source="Wu 2018",
)
def fireflower(view, memory, params):
    """Reads moves by conventions, and makes the one that is best after the next player's reply."""
    wake(view, memory)
    prepare_search(memory)
    is_careful = fears_bombs(view, params)
    list_moves(view, memory, params.doubt if is_careful else 0.0)
    for k in range(memory.n_tries):
        value_try(memory, k, is_careful)
    return lawful(view, best_move(view, memory))


fireflower.observe(follow)
fireflower.explain(explain_choice)
fireflower.believe(believe)

register(fireflower.preset("fireflower-careful", careful=True))
