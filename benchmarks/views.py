"""What a turn of a compiled agent is made of: filling the view, counting cards, the call itself.

Run `python benchmarks/views.py`; all times are CPU time of one core.
"""

import numpy as np
from timing import nanoseconds, positions

from tamaya.compiled import hot
from tamaya.dispatch import call_act
from tamaya.lookup import find_agent
from tamaya.records import VIEW
from tamaya.seating import Roster
from tamaya.view import count_unseen, fill_view

AGENTS = ("first-legal", "random", "example", "certainty")


@hot
def fill_all(games, views):
    """The mover's view of every game."""
    for k in range(len(games)):
        fill_view(games[k], games[k].mover, views[k])


@hot
def count_all(views):
    """The unseen cards of every view, counted afresh."""
    for k in range(len(views)):
        views[k].is_counted = 0
        count_unseen(views[k])


@hot
def act_all(views, roster, memory):
    """A move in every view, its cards not yet counted."""
    who = roster[0]
    total = 0
    for k in range(len(views)):
        views[k].is_counted = 0
        total += call_act(who.act, views[k], memory.ctypes.data, who.params)
    return total


def main() -> None:
    """Print the table."""
    print("players  what                ns")
    for players in (2, 5):
        games = positions(players)
        views = np.zeros(len(games), VIEW)
        rows = {
            "fill_view": nanoseconds(fill_all, games, views),
            "count_unseen": nanoseconds(count_all, views),
        }
        for name in AGENTS:
            roster = Roster([find_agent(name)], np.zeros((1, players), np.int64))
            rows[f"call {name}"] = nanoseconds(act_all, views, roster.table, roster.memory(1)[0])
        for what, time in rows.items():
            print(f"{players:7}  {what:16} {time:5.0f}")


if __name__ == "__main__":
    main()
