"""Rainbow as in the Hanabi Challenge (Bard et al. 2020), with its published settings.

Of Rainbow's components it has the distributions of returns and the prioritised replay. One network
for all seats sees the canonical vector; transitions lead from a seat's turn to its next one; after
a short beginning it plays without exploring. Turns are counted over all games and seats.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tamaya.agents.learned.files import Weights, halved
from tamaya.checked_files import Arrays, check_array
from tamaya.learn.categorical import Categorical
from tamaya.learn.episodes import Episodes
from tamaya.learn.halves import count_of, halved_moments, whole_moments
from tamaya.learn.networks import masked
from tamaya.learn.rainbow_update import Player, Target, Update
from tamaya.learn.replay_buffer import NEW, Replay, Samples
from tamaya.learn.rollouts import Rollouts
from tamaya.learn.threads import Helper
from tamaya.rules import Rules


@dataclass(frozen=True)
class Settings:
    """The settings of Rainbow; the defaults are the published ones except for ``games``."""

    encoder: str = "hle"  # the canonical vector
    width: int = 512  # units of each hidden layer
    atoms: int = 51  # returns that a distribution is over
    highest: float = 25.0  # of the atoms; the lowest is its negative
    gamma: float = 0.99  # from own turn to own turn
    horizon: int = 1  # own turns before the bootstrap
    double: bool = False  # the online network chooses the move, the target network evaluates it
    dueling: bool = False
    lenient: bool = False  # a bomb-out does not cost the points
    capacity: int = 1_000_000  # of the replay, in transitions
    warm_up: int = 500  # turns of random play, and transitions before the first update
    batch: int = 32
    period: int = 4  # turns per update
    target_period: int = 500  # turns between copies to the target network
    learning_rate: float = 2.5e-5
    adam_epsilon: float = 3.125e-5
    epsilon: float = 0.0  # share of random moves, in the end
    epsilon_turns: int = 1000  # after the warm-up in which it falls from 1
    games: int = 16  # played side by side
    turns: int = 1000  # of a step, after which a run checks the clock


PRESETS: dict[str, dict[str, Any]] = {
    "self-play": {},
    # Each turn is learned from 8 times as well, but in larger batches from more games.
    "throughput": {"games": 32, "batch": 256, "period": 32, "learning_rate": 1e-4},
    # The components of Rainbow that the published agent omits, except noisy layers.
    "full": {"horizon": 3, "double": True, "dueling": True},
    # For games of a few moves, with declared features.
    "small": {"encoder": "derived", "width": 128, "atoms": 21, "highest": 5.0, "capacity": 20_000,
              "games": 64, "batch": 512, "period": 64, "target_period": 1000,
              "learning_rate": 1e-3, "epsilon_turns": 50_000},
}  # fmt: skip


class Learner:
    """The state of Rainbow between two steps."""

    def __init__(self, rules: Rules, settings: Settings, seed: int, budget: int) -> None:
        self.rules, self.settings, self.seed = rules, settings, seed
        self.turns = 0
        torch.manual_seed(seed % 2**63)
        self.rollouts = Rollouts(rules, settings.encoder, settings.games, seed)
        length, n_moves = self.rollouts.length, rules.n_moves
        atoms = torch.linspace(-settings.highest, settings.highest, settings.atoms)
        self.network = Categorical(length, settings.width, n_moves, atoms, dueling=settings.dueling)
        self.player = Player(self.network, settings.games)
        self.chooser = Player(self.network, settings.batch)  # for double Q-learning
        self.target = Target(self.network, settings.batch)
        self.update = Update(self.network, settings.batch, settings.learning_rate,
                             settings.adam_epsilon)  # fmt: skip
        self.episodes = Episodes(rules, settings.games, length)
        self.replay = Replay(settings.capacity, length, n_moves)
        self.helper = Helper()
        # Transitions that the replay buffer of a resumed run lacks, and their usual priority.
        self.n_missing, self.usual_priority = 0, NEW
        self.drawn: Samples | None = None  # samples of the next update
        self.judged: Callable[[], np.ndarray]  # and their targets

    def use_threads(self, n: int) -> None:
        """Compute the targets of the next samples in a second thread during the current update.

        The result is the same, 1.35 times as fast (`benchmarks/rainbow_threads.py`).
        """
        self.helper = Helper(has_thread=n > 1)

    @property
    def metadata(self) -> dict[str, Any]:
        """Kind, encoder and shape of its network."""
        return {"kind": "c51", "encoder": self.settings.encoder, "width": self.settings.width,
                "atoms": self.settings.atoms}  # fmt: skip

    def weights(self) -> dict[str, np.ndarray]:
        """The weights, in the form that ``tamaya.agents.learned`` uses."""
        return self.network.weights()

    def step(self) -> dict[str, float]:
        """Play some turns, learning on the way; returns figures for the log."""
        started, games_before = process_time(), self.rollouts.seconds_in_games
        scores: list[np.ndarray] = []
        figures: list[np.ndarray] = []
        for _ in range(-(-self.settings.turns // self.settings.games)):
            for turn in range(self.turns, self.turns + self.settings.games):
                figures += self._learn_before(turn)
            scores.append(self._play())
            self.turns += self.settings.games
        seconds = process_time() - started
        ended = np.concatenate(scores)
        loss, value = np.mean(figures, 0).tolist() if figures else (np.nan, np.nan)
        return {
            "training_score": float(ended.mean()) if len(ended) else np.nan,
            "loss": loss,
            "value": value,
            "epsilon": self.epsilon,
            "share_of_games": (self.rollouts.seconds_in_games - games_before) / seconds,
        }

    @property
    def epsilon(self) -> float:
        """Share of random moves now."""
        begin, last = self.settings.warm_up, self.settings.warm_up + self.settings.epsilon_turns
        return float(np.interp(self.turns, [begin, last], [1, self.settings.epsilon]))

    def _play(self) -> np.ndarray:
        """One turn in every game; returns the scores of games that ended."""
        packed = np.packbits(self.rollouts.vectors.numpy(), axis=1)
        legal = self.rollouts.legal.numpy().astype(np.bool_)
        moves = torch.from_numpy(self.player.best(packed, legal))
        if self.epsilon > 0:
            allowed = torch.from_numpy(legal)
            generator = self.rollouts.generator
            drawn = masked(torch.rand(allowed.shape, generator=generator), allowed).argmax(1)
            is_random = torch.rand(len(moves), generator=generator) < self.epsilon
            moves = torch.where(is_random, drawn, moves)
        rewards, ends, scores = self.rollouts.step(moves)
        gained = np.maximum(rewards, 0) if self.settings.lenient else rewards
        self.episodes.note(packed, legal, moves.numpy(), gained)
        self.episodes.hand_over(np.flatnonzero(ends), self.replay)
        return scores[ends]

    def _learn_before(self, turn: int) -> list[np.ndarray]:
        """What is due before a turn: an update, then a copy; returns the figures of updates."""
        settings, figures = self.settings, []
        if turn % settings.period == 0 and self.replay.n_added > settings.warm_up:
            samples, target = self._next()
            figures.append(self._update(samples, target))
        if turn % settings.target_period == 0:
            self._copy()
        return figures

    def _draw(self) -> Samples:
        settings = self.settings
        return self.replay.draw(settings.batch, settings.horizon, settings.gamma,
                                self.rollouts.generator)  # fmt: skip

    def _stage(self, samples: Samples) -> None:
        """Store transitions for the next update, and start computing their targets."""
        self.drawn = samples
        # Double Q-learning uses the online network, which is about to change: wait for the update.
        helper = Helper() if self.settings.double else self.helper
        self.judged = helper.ask(self._target_distribution, samples)

    def _next(self) -> tuple[Samples, np.ndarray]:
        """The samples drawn one update ago, as in the published program, and their targets."""
        samples = self.drawn
        if samples is None:
            samples = self._draw()
            self._stage(samples)
        target = self.judged()
        self._stage(self._draw())
        return samples, target

    def _copy(self) -> None:
        """Copy the online network to the target network, also for samples already drawn."""
        if self.drawn is not None:
            self.judged()
        self.target.copy(self.network)
        if self.drawn is not None:
            self._stage(self.drawn)

    def _update(self, samples: Samples, target: np.ndarray) -> np.ndarray:
        """One step of the optimiser; returns mean loss and value."""
        losses = self.update(samples, target)
        self.replay.reprioritise(samples.rows, np.sqrt(losses + 1e-10))
        return np.array([losses.mean(), (target @ self.network.atoms.numpy()).mean()])

    def _target_distribution(self, samples: Samples) -> np.ndarray:
        """The target distribution of a chosen move, from the later state."""
        legal = samples.later_legal
        if self.settings.double:  # as if only the move that the online network chooses were legal
            best = self.chooser.best(samples.later_packed, legal)
            legal = np.arange(legal.shape[1]) == best[:, None]
        return self.target.distributions(samples, legal)

    def state(self) -> dict[str, Any]:
        """Everything that determines how learning continues."""
        return {"turns": self.turns, "network": self.network.state_dict(),
                "target": self.target.network.state_dict(), "adam": self.update.state(),
                "rollouts": self.rollouts.state(), "episodes": self.episodes.state(),
                "replay": self.replay.state(),
                "drawn": self.drawn and self.drawn.state()}  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.turns = state["turns"]
        self.network.load_state_dict(state["network"])
        self.target.restore(state["target"])
        self.update.restore(state["adam"])
        for name in ("rollouts", "episodes", "replay"):
            getattr(self, name).restore(state[name])
        if state["drawn"] is not None:
            self._stage(Samples.restored(state["drawn"]))

    def compact_state(self) -> Arrays:
        """Weights, moments and counts in half precision, without the replay buffer."""
        weights = {name: part.numpy() for name, part in self._parameters().items()}
        adam = self.update.state()
        moments = halved_moments(adam["means"].numpy(), adam["squares"].numpy())
        numbers = {"turns": self.turns, "n_steps": adam["n_steps"],
                   "priority": self.replay.usual_priority()}  # fmt: skip
        return {**halved(weights), **moments, **{k: np.array(n) for k, n in numbers.items()}}

    def restore_compact(self, arrays: Arrays) -> None:
        """Continue from a compact state, after ``refill``."""
        parameters = self._parameters()
        for name, part in parameters.items():
            saved = check_array(arrays, name, "f", tuple(part.shape)).astype(np.float32)
            part.copy_(torch.from_numpy(saved))
        n = sum(part.numel() for part in parameters.values())
        means, squares = map(torch.from_numpy, whole_moments(arrays, n))
        n_steps = count_of(arrays, "n_steps")
        self.usual_priority = float(check_array(arrays, "priority", "f", ()))
        if self.usual_priority <= 0:
            raise ValueError(f"'priority' should be above 0, not {self.usual_priority}")
        self.update.restore({"n_steps": n_steps, "means": means, "squares": squares})
        self._begin_after(count_of(arrays, "turns"))

    def begin_from(self, weights: Weights, turns: int) -> None:
        """Begin with the weights of a network that has learned from some turns."""
        self.network.load_weights(weights)
        self._begin_after(turns)

    def _parameters(self) -> dict[str, Tensor]:
        return {name: part.data for name, part in self.network.named_parameters()}

    def _begin_after(self, turns: int) -> None:
        """Continue a run without its replay buffer, with deals that it has not seen."""
        self.turns, self.n_missing = turns, min(turns, self.settings.capacity)
        self.target.copy(self.network)
        self.rollouts.reseed(self.seed, turns)

    def refill(self) -> int:
        """Fill the replay buffer by playing, some turns per call; returns 0 if there is no need.

        The buffer gets as many transitions as the run would have had, with the usual priority of
        those: with the priority of new ones, later transitions would not stand out among them.
        """
        n_turns = 0
        while self.replay.n_added < self.n_missing and n_turns < self.settings.turns:
            self._play()
            n_turns += self.settings.games
        if n_turns and self.replay.n_added >= self.n_missing:
            rows = np.arange(len(self.replay))
            self.replay.reprioritise(rows, np.full(len(rows), self.usual_priority))
        return n_turns
