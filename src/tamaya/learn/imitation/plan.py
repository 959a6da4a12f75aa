"""What determines a run that learns from games of people, and its file `imitation.json`."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

import tamaya
from tamaya.agents.learned.people.advisers import MAX_ADVISERS
from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, checked, entry, read_json
from tamaya.learn.imitation.games import PersonGame

PLAN = "imitation.json"
ADVISERS = {
    2: "piers outer tamaya-mixed tamaya-mirror mirror-situational certainty example smartbot",
    3: "piers outer tamaya-mixed tamaya-mirror mirror-situational smartbot fireflower-careful ppo",
}  # by number of players; the nearest smaller one holds for others

_LEAST = {"members": 1, "width": 4, "hidden": 4, "second": 4, "epochs": 1, "batch": 1}


@dataclass(frozen=True)
class Settings:
    """How to learn."""

    members: int = 4  # networks, trained from different beginnings and averaged
    width: int = 128  # units of the layer of a turn
    hidden: int = 64  # units of the first layer of a move
    second: int = 32  # and of its second
    epochs: int = 8  # over which the learning rate rises and falls
    batch: int = 512
    learning_rate: float = 2e-3  # the highest
    decay: float = 0.01  # of the weights, as in AdamW
    dropout: float = 0.1
    unsaid: float = 0.2  # share of turns at which the person's experience is kept from the network
    power: float = 0.5  # a person with n turns counts n ** power together
    split: int = 1  # seed that determines who is held out
    advisers: str = ""  # agents whose moves the network sees; by default those of ADVISERS

    def adviser_names(self, players: int) -> list[str]:
        """The agents whose moves the network sees."""
        usual = ADVISERS[max(n for n in ADVISERS if n <= players)]
        return (self.advisers or usual).split()


@dataclass(frozen=True)
class ImitationPlan:
    """Everything that determines a run, apart from the code."""

    rules: str  # of the games
    seed: int = 1
    data: str = ""  # fingerprint of the games
    n_games: int = 0
    source: str = ""  # where the games come from, for the agent's card
    settings: Settings = field(default_factory=Settings)


def fingerprint_of(games: Sequence[PersonGame]) -> str:
    """A text that changes with the games, their people, or what these said."""
    digest = sha256()
    for each in games:
        digest.update(
            f"{each.game.to_text()} {each.seats} {each.person} {each.experience}".encode()
        )
    return digest.hexdigest()[:16]


def check_settings(settings: Settings) -> None:
    """Refuse settings that are out of range; ValueError names the first."""
    for name, value in asdict(settings).items():
        if isinstance(value, str):
            continue
        if not isfinite(value) or value < _LEAST.get(name, 0):
            raise ValueError(f"setting {name} must be at least {_LEAST.get(name, 0)}, not {value}")
    for name in ("dropout", "unsaid"):
        if getattr(settings, name) >= 1:
            raise ValueError(f"setting {name} must be below 1, not {getattr(settings, name)}")
    if settings.width % 4:
        raise ValueError(f"setting width must be a multiple of 4, not {settings.width}")
    if len(settings.advisers.split()) > MAX_ADVISERS:
        raise ValueError(f"setting advisers takes at most {MAX_ADVISERS} agents")


def write_plan(folder: Path, plan: ImitationPlan) -> None:
    """Store a plan."""
    document = {**asdict(plan), "version": tamaya.__version__}
    write_atomically(folder / PLAN, json.dumps(document, indent=1) + "\n")


def read_plan(folder: Path) -> ImitationPlan | None:
    """The plan of an existing run."""
    path = folder / PLAN
    if not path.exists():
        return None
    document = read_json(path)
    with blaming(path):
        found = entry(document, "settings", dict)
        defaults = Settings()
        kinds = {each.name: type(getattr(defaults, each.name)) for each in fields(Settings)}
        unknown = found.keys() - kinds.keys()
        if unknown:
            raise ValueError(f"unknown setting {min(unknown)!r}")
        read = {name: checked(value, kinds[name], f"setting {name}")
                for name, value in found.items()}  # fmt: skip
        settings = replace(defaults, **read)
        check_settings(settings)
        texts: dict[str, Any] = {
            name: entry(document, name, str) for name in ("rules", "data", "source")
        }
        numbers = {name: entry(document, name, int) for name in ("seed", "n_games")}
        return ImitationPlan(**texts, **numbers, settings=settings)
