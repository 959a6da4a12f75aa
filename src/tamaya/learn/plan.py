"""The plan of a training run, and its file `run.json`."""

import json
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

import tamaya
from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, checked, entry, read_json
from tamaya.learn.algorithms import ALGORITHMS, Learner
from tamaya.rules import Rules
from tamaya.run_folder import RunError

PLAN = "run.json"

# Lower bounds of settings that are counts; others may be zero.
_LEAST = {
    "width": 4, "atoms": 2, "games": 1, "turns": 1, "epochs": 1, "minibatch": 1, "horizon": 1,
    "capacity": 1, "batch": 1, "period": 1, "target_period": 1, "unroll": 1, "hands": 1,
}  # fmt: skip


@dataclass(frozen=True)
class TrainingPlan:
    """Everything that determines a run, apart from the code."""

    algorithm: str = "ppo"
    rules: str = "players=2"
    seed: int = 1
    turns: int = 100_000_000  # planned; schedules run over all of them
    preset: str = "self-play"
    settings: tuple[tuple[str, Any], ...] = ()  # that differ from the preset
    log_every: int = 250_000  # turns
    validate_every: int = 1_000_000  # turns
    validation_games: int = 1000
    begun_from: str = ""  # the network that the run begins with, if any

    def paced(self) -> "TrainingPlan":
        """The plan with intervals that put at least twenty points on the curve of a short run."""
        every = min(self.validate_every, max(self.turns // 20, 50_000))
        return replace(self, validate_every=every, log_every=min(self.log_every, every))

    def full_settings(self) -> Any:
        """The settings of the algorithm; ValueError names an invalid one."""
        module = ALGORITHMS[self.algorithm]
        full = replace(module.Settings(), **{**module.PRESETS[self.preset], **dict(self.settings)})
        for name, value in all_settings(full).items():
            check_setting(name, value)
        return full

    def learner(self) -> Learner:
        """The algorithm at its beginning."""
        module = ALGORITHMS[self.algorithm]
        rules = Rules.parse(self.rules)
        return module.Learner(rules, self.full_settings(), self.seed, self.turns)


def all_settings(settings: Any) -> dict[str, Any]:
    """Settings by name."""
    return {field.name: getattr(settings, field.name) for field in fields(settings)}


def check_setting(name: str, value: Any) -> None:
    """Refuse numbers below a setting's lower bound."""
    numbers = value if isinstance(value, tuple) else (value,)
    for number in numbers:
        if isinstance(number, str | bool):
            continue
        if not isfinite(number) or number < _LEAST.get(name, 0):
            raise ValueError(f"setting {name} must be at least {_LEAST.get(name, 0)}, not {number}")


def check_choice(kind: str, name: str, known: Any) -> None:
    """Refuse a name that is not known."""
    if name not in known:
        raise ValueError(f"unknown {kind} {name!r}: expected one of {', '.join(known)}")


def plan_document(plan: TrainingPlan) -> dict[str, Any]:
    """A plan for JSON."""
    document = {**asdict(plan), "settings": dict(plan.settings)}
    if not plan.begun_from:
        del document["begun_from"]
    return document


def plan_of(document: dict[str, Any]) -> TrainingPlan:
    """The plan in a document; ValueError or KeyError says what is wrong with it."""
    values: dict[str, Any] = {name: entry(document, name, str)
                              for name in ("algorithm", "rules", "preset")}  # fmt: skip
    values["seed"] = entry(document, "seed", int)
    for name in ("turns", "log_every", "validate_every", "validation_games"):
        values[name] = entry(document, name, int, least=1)
    values["begun_from"] = checked(document.get("begun_from", ""), str, "'begun_from'")
    Rules.parse(values["rules"])
    check_choice("algorithm", values["algorithm"], ALGORITHMS)
    module = ALGORITHMS[values["algorithm"]]
    check_choice("preset", values["preset"], module.PRESETS)
    defaults = all_settings(module.Settings())
    settings = {}
    for name, value in entry(document, "settings", dict).items():
        check_choice("setting", name, defaults)
        settings[name] = _setting(name, value, defaults[name])
    plan = TrainingPlan(**values, settings=tuple(settings.items()))
    plan.full_settings()
    return plan


def _setting(name: str, value: Any, default: Any) -> Any:
    """A setting from JSON, converted to the type of its default; pairs are lists in JSON."""
    if not isinstance(default, tuple):
        return checked(value, type(default), f"setting {name}")
    if len(checked(value, list, f"setting {name}")) != len(default):
        raise ValueError(f"setting {name} should have {len(default)} numbers")
    return tuple(checked(number, float, f"setting {name}") for number in value)


def write_plan(folder: Path, plan: TrainingPlan) -> None:
    """Store a plan, with all settings in full for readers."""
    document = {**plan_document(plan), "all_settings": all_settings(plan.full_settings()),
                "version": tamaya.__version__}  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / PLAN, json.dumps(document, indent=1) + "\n")


def read_plan(folder: Path) -> TrainingPlan | None:
    """The plan of an existing run."""
    path = folder / PLAN
    if not path.exists():
        return None
    document = read_json(path)
    if "genes" in document:
        raise RunError(f"{folder} contains a run of evolution, not of training: use another folder")
    with blaming(path):
        return plan_of(document)
