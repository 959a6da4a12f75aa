"""Reading and writing games in any format, exchange with hanab.live, and the value of each move.

``read_game`` takes a path, JSON, a link or tamaya's own text; ``write_game`` returns any of them.
``tamaya.replays.analyst`` values the moves of a game, ``tamaya.replays.marks`` marks them, and
``tamaya.replays.review`` does both interactively.
"""

from tamaya.replays.fields import ReplayError
from tamaya.replays.files import FORMATS, all_games, parse_replay, read_game, write_game
from tamaya.replays.hanab_live import (
    agents_of,
    from_json,
    names_of,
    notes_of,
    parse_json,
    to_json,
    unknown_rules,
)
from tamaya.replays.link import from_link, replay_url, to_link

__all__ = [
    "FORMATS",
    "ReplayError",
    "agents_of",
    "all_games",
    "from_json",
    "from_link",
    "names_of",
    "notes_of",
    "parse_json",
    "parse_replay",
    "read_game",
    "replay_url",
    "to_json",
    "to_link",
    "unknown_rules",
    "write_game",
]
