"""Whether every agent still makes the same moves: one hash per agent and table size.

Run `python benchmarks/same_moves.py` to play the recorded games again and compare, with
`--record` to write a new record after an intended change of play. Agents that search play fewer
games with few samples; agents with a time limit are omitted, because their play depends on the
machine. Agents added since the record are reported as new, and what was improved on purpose since
then is played without its improvement. `--only PATTERN` (a shell pattern) selects agents.
"""

import argparse
import hashlib
import json
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

from tamaya.agent import Agent, Player
from tamaya.lookup import all_agents, find_agent
from tamaya.rules import Rules
from tamaya.table import play

RECORD = Path(__file__).with_name("same_moves.json")
SEED = 4000
N_GAMES, N_SEARCHED_GAMES = 200, 2
FEW = {"samples": 40, "rollouts": 20}
# Parameters of search agents by the names that the record has them under.
RECORDED = {"samples": "iterations", "blueprint": "policy"}
RECORDED_OF_SEARCH = {"margin": "delta"}
# Agents that were improved since the record, and the parameter that plays as it has them.
IMPROVED = {"information": "dig=99,weigh=0"}
# Members of families that no registered name stands for, and rules beyond the standard ones.
EXTRA = (
    "certainty:useless=0.2,spare=true",
    "confidence:plain=true",
    "hatbot:program=true",
    "hatbot:counting=true",
    "hat-information:plain=true",
    "hat-recommendation:plain=true",
    "iggi:faithful=false",
    "piers:ghosts=true",
    "rules:PlaySafeCard,IfLives>1:PlayProbablySafe(0.6),TellAnyoneAboutUsefulCard,OsawaDiscard,"
    "TellRandomly",
    "search:samples=40,blueprint=smartbot,trust=0.9,recent=4,margin=0.3",
    "search:samples=40,blueprint=certainty,bouzy=true",
    "search:samples=20,blueprint=confidence,depth=2,replies=3",
    "search:samples=40,blueprint=hat-recommendation,keep=true,stretch=1,errors=1.5",
    "search:samples=40,blueprint=information",
    "flat-mc:samples=40,blueprint=smartbot,margin=0.2,moves=good",
    "mcts:samples=60,depth=2,visits=true",
    "predictor-mcts:samples=40,own=true",
    "ris-mcts:samples=40,estimate=true,blueprint=iggi",
)


def tables() -> list[tuple[Player, int, str]]:
    """What is played: agent, number of players, rules."""
    agents = [agent for agent in all_agents() if agent.name != "rules"]
    agents += [find_agent(text) for text in EXTRA]
    rows = []
    for agent in agents:
        settings = getattr(agent, "settings", {})
        if settings.get("ms"):
            continue
        if isinstance(agent, Agent) and agent.is_slow and agent.spec == agent.name:
            agent = agent.with_params({key: n for key, n in FEW.items() if key in settings})
        low, high = agent.players
        rows += [(agent, players, "") for players in range(low, high + 1)]
        if agent.name.startswith(("seer", "hat")) and agent.spec == agent.name:
            extra = "empty-hints" if agent.name.startswith("hat") else "seer"
            rows += [(agent, players, extra) for players in range(low, high + 1)]
    return rows


def key_of(agent: Player, players: int, extra: str) -> str:
    """The text under which a table is recorded."""
    spec = agent.spec
    if getattr(agent, "is_slow", False):
        names = RECORDED_OF_SEARCH if agent.name == "search" else RECORDED
        for new, old in names.items():
            spec = re.sub(rf"(?<=[:,]){new}=", f"{old}=", spec)
    return " ".join(filter(None, (spec, str(players), extra)))


def as_recorded(agent: Player) -> Player:
    """The agent without the improvements since the record, its own and those of its blueprint."""
    spec = agent.spec
    for name, value in IMPROVED.items():
        spec = re.sub(rf"^{name}$", f"{name}:{value}", spec)
        spec = re.sub(rf"(?<=blueprint=){name}(?=,|$)", f"({name}:{value})", spec)
    return agent if spec == agent.spec else find_agent(spec)


def moves_hash(agent: Player, players: int, extra: str) -> str:
    """Hash of all moves of some games of an agent with itself."""
    options = {"seer": {"observation": "seer"}, "empty-hints": {"empty_hints": True}}.get(extra, {})
    rules = Rules(players=players, **options)
    games = N_SEARCHED_GAMES if getattr(agent, "is_slow", False) else N_GAMES
    played = play(agent, rules, games, seed=SEED, record=True)
    digest = hashlib.sha256()
    for k in range(games):
        game = played.game(k)
        digest.update(bytes([game.turn, game.score]) + bytes(move % 256 for move in game.moves))
    return digest.hexdigest()[:16]


def main() -> int:
    """Compare or record; the exit status says whether anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write the hashes instead")
    parser.add_argument("--only", default="*", help="shell pattern of agents")
    parser.add_argument("--file", type=Path, default=RECORD, help="file of the hashes")
    options = parser.parse_args()
    known = json.loads(options.file.read_text()) if options.file.exists() else {}
    hashes = {}
    for agent, players, extra in tables():
        if not fnmatch(agent.spec, options.only):
            continue
        key = key_of(agent, players, extra)
        played = agent if options.record else as_recorded(agent)
        hashes[key] = moves_hash(played, players, extra)
        verdict = "same" if known.get(key) == hashes[key] else "DIFFERS" if key in known else "new"
        print(f"{key:60} {hashes[key]} {'' if options.record else verdict}", flush=True)
    if options.record:
        text = json.dumps({**known, **hashes}, indent=1, sort_keys=True)
        options.file.write_text(text + "\n")
        return 0
    wanted = {key for key in known if options.only == "*" or key in hashes}
    differing = sorted(key for key in wanted if known[key] != hashes.get(key))
    n_new = len(set(hashes) - set(known))
    print(f"{len(hashes)} tables played, {n_new} of them new, {len(differing)} differ" + "".join(
        f"\n  {key}" for key in differing))  # fmt: skip
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
