"""Populations on a Ray cluster: Ray Tune's PopulationBasedTraining over the same runs.

Each trial is a member in its folder, which all nodes must share. Tune decides which member copies
which, with the shares and factors of ``tamaya.learn.pbt``; its own checkpoints and tables are
in the folder `ray`. `population.jsonl` is assembled from the members' records.
"""

import json
import logging
import shutil
from pathlib import Path
from typing import Any

from tamaya.checked_files import read_json_lines
from tamaya.learn.algorithms import ALGORITHMS
from tamaya.learn.checkpoint import read_learner
from tamaya.learn.journal import read_journal
from tamaya.learn.pbt import (
    FACTORS,
    RESAMPLED,
    SHARE,
    PopulationGeneration,
    Takeover,
    write_history,
)
from tamaya.learn.population import Population, Show, open_member
from tamaya.learn.run import CHECKPOINT

try:
    import ray
    from ray import tune
    from ray.tune.schedulers import PopulationBasedTraining
except ImportError:  # pragma: no cover
    raise ValueError("Ray Tune is not installed: pip install 'tamaya[ray]'") from None


PATIENCE = 60.0  # seconds to wait until a member's previous actor has ended


class Member(tune.Trainable):
    """A member as a Tune trainable: trains an interval, saves, resumes from any checkpoint."""

    def setup(self, config: dict[str, Any]) -> None:
        """Open the run at its current state."""
        self.member = member_of(self.trial_id)
        self.home = Path(config["folder"]) / f"member-{self.member + 1}"
        self.run = open_member(self.home, PATIENCE)
        self.names = list(ALGORITHMS[self.run.plan.algorithm].PRIORS)

    def step(self) -> dict[str, Any]:
        """Train to the next selection."""
        interval, learner = self.config["interval"], self.run.learner
        goal = min((learner.turns // interval + 1) * interval, self.run.plan.turns)
        row = self.run.train(until=goal)
        return {"goal": goal, "score": row["validation"]["mean"], "row": row}

    def save_checkpoint(self, checkpoint_dir: str) -> None:
        """Copy the run's checkpoint and record whose it is."""
        self.run.save()
        shutil.copy(self.home / CHECKPOINT, checkpoint_dir)
        Path(checkpoint_dir, "member").write_text(str(self.member))

    def cleanup(self) -> None:
        """Release the folder for the next actor."""
        self.run.close()

    def load_checkpoint(self, checkpoint_dir: Any) -> None:
        """Continue from the member's own checkpoint, or copy another member's."""
        path, source = Path(checkpoint_dir), int(Path(checkpoint_dir, "member").read_text())
        if source == self.member:
            self.run.close()
            shutil.copy(path / CHECKPOINT, self.home)
            self.run = open_member(self.home, PATIENCE)
            return
        state = read_learner(path / CHECKPOINT)
        values = {name: float(self.config[name]) for name in self.names}
        heir: Any = self.run.learner
        heir.inherit(state, values, state["turns"] // self.config["interval"])
        self.run.save()
        with open(self.home / "takeovers.jsonl", "a", encoding="utf-8") as file:
            row = {"turns": state["turns"], "source": source, "values": values}
            file.write(json.dumps(row) + "\n")


class _Progress(tune.Callback):
    def __init__(self, show: Show) -> None:
        self.show = show

    def on_trial_result(self, iteration: int, trials: Any, trial: Any, result: Any, **info: Any
                        ) -> None:  # fmt: skip
        self.show(member_of(trial.trial_id), result["row"])


def member_of(trial_id: str) -> int:
    """The member of a trial, from its number, because a takeover copies the whole configuration."""
    return int(trial_id.rpartition("_")[2])


def train_on_ray(
    population: Population, workers: int, address: str | None, hours: float, show: Show
) -> None:
    """Train a population on a cluster, by default a local one with a CPU per worker."""
    if not ray.is_initialized():
        own: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False}
        options = {} if address else own
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
    home = population.folder.resolve()
    place = home / "ray" / "population"
    if tune.Tuner.can_restore(str(place)):
        tuner = tune.Tuner.restore(str(place), trainable=Member, resume_unfinished=True)
    else:
        tuner = _new_tuner(population, home, hours, show)
    results = tuner.fit()
    if results.errors:
        raise RuntimeError(f"a member failed: {results.errors[0]}")
    population.history = gathered_history(population)
    write_history(population.folder, population.history)
    population.keep_best()


def _new_tuner(population: Population, home: Path, hours: float, show: Show) -> Any:
    config, beginnings = population.config, population.history[0].values
    scheduler = PopulationBasedTraining(
        time_attr="goal", metric="score", mode="max", perturbation_interval=config.interval,
        hyperparam_mutations={name: tune.loguniform(*bounds)
                              for name, bounds in population.priors.items()},
        quantile_fraction=SHARE, resample_probability=RESAMPLED,
        perturbation_factors=(FACTORS[1], FACTORS[0]), synch=True,
    )  # fmt: skip
    first = {name: _beginning([values[name] for values in beginnings])
             for name in population.priors}  # fmt: skip
    space = {"folder": str(home), "interval": config.interval,
             "beginning": tune.grid_search(list(range(config.size))), **first}  # fmt: skip
    return tune.Tuner(
        tune.with_resources(Member, {"cpu": 1}),
        param_space=space,
        tune_config=tune.TuneConfig(
            scheduler=scheduler, time_budget_s=3600 * hours if hours else None
        ),
        run_config=tune.RunConfig(
            name="population", storage_path=str(home / "ray"), verbose=0,
            stop={"goal": population.turns}, callbacks=[_Progress(show)],
        ),
    )  # fmt: skip


def _beginning(column: list[float]) -> Any:
    """The initial values of each member, in the form that Tune reads."""
    return tune.sample_from(lambda config: column[config["beginning"]])


def gathered_history(population: Population) -> list[PopulationGeneration]:
    """The generations that all members have completed, from their logs and takeovers."""
    members = range(population.config.size)
    interval, total = population.config.interval, population.turns
    logs = [read_journal(population.home(member)) for member in members]
    goals = sorted({*range(interval, total, interval), total})
    history = population.history[:1]
    for number, goal in enumerate(goals, 1):
        rows = [next((row for row in log if row["turns"] >= goal), None) for log in logs]
        if any(row is None for row in rows):
            break
        values, takeovers = list(history[-1].values), []
        for member in members:
            for taken in _takeovers(population.home(member)):
                if taken["turns"] // interval == goal // interval and goal < total:
                    values[member] = taken["values"]
                    takeovers.append(Takeover(member, taken["source"], taken["values"]))
        scores = [row["validation"]["mean"] for row in rows if row is not None]
        history.append(PopulationGeneration(number, goal, scores, takeovers, values))
    return history


def _takeovers(home: Path) -> list[dict[str, Any]]:
    path = home / "takeovers.jsonl"
    return read_json_lines(path) if path.exists() else []
