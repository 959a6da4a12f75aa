"""Families of agents: agents of one kind are grouped, and the best represents its family."""

from tamaya.agent import Player
from tamaya.arena.pools import packaged_agent
from tamaya.replays.blueprints import speaks_code

# Packages of agents by their usual names.
TITLES = {
    "agents.rules": "Rule lists",
    "agents.hat": "Hat players",
    "agents.learned": "Learned networks",
    "agents.smartbot": "SmartBot",
    "agents.fireflower": "FireFlower",
    "agents.wtfwthat": "WTFWThat",
    "agents": "Short players",
    "search": "Search",
}
FILES = "Files and others"


def family_of(agent: str) -> str:
    """The family of an agent; all users' files are one family, because they are not run here."""
    player = packaged_agent(agent)
    return FILES if player is None else _title(player)


def is_plain(agent: str) -> bool:
    """Whether an agent's hints mean what they say, so that a person could be its partner."""
    player = packaged_agent(agent)
    return player is not None and not speaks_code(player)


def _title(player: Player) -> str:
    room = player.act_function.__module__.removeprefix("tamaya.")
    for prefix, title in TITLES.items():
        if room == prefix or room.startswith(f"{prefix}."):
            return title
    return FILES
