"""BAD, the Bayesian Action Decoder (Foerster et al. 2019), for two players.

A public agent: policy and value see what is public, the public belief about both hands, and the
hand that the mover sees. Learning is that of ``tamaya.learn.ppo``; what is specific to BAD happens
during play, in ``tamaya.learn.public_rollouts`` and ``tamaya.agents.learned.decoding``.
"""

from dataclasses import dataclass
from typing import Any

from tamaya.agents.learned.beliefs import VERSIONS
from tamaya.agents.learned.files import Metadata
from tamaya.agents.learned.public import N_MARKS, vector_sizes
from tamaya.learn import ppo
from tamaya.learn.networks import PublicPolicy
from tamaya.learn.public_rollouts import PublicRollouts
from tamaya.learn.rollouts import Rollouts
from tamaya.rules import Rules


@dataclass(frozen=True)
class Settings(ppo.Updates):
    """The settings of BAD."""

    belief: str = "V2"  # or V1, V0: the same agent without what moves imply
    hands: int = 128  # most hands to evaluate a move with; fewer are listed, more are sampled
    rounds: int = 8  # of making beliefs consistent with each other
    mixing: float = 0.01  # share of V1 in V2
    marks: bool = True  # the network sees which cards are playable, dead, critical
    games: int = 256
    minibatch: int = 2048


PRESETS: dict[str, dict[str, Any]] = {
    "self-play": {},
    # For games of a few moves.
    "small": {"games": 512, "turns": 8, "minibatch": 1024, "width": 64,
              "learning_rate": (3e-3, 1e-4)},
}  # fmt: skip


class Learner(ppo.Learner):
    """The state of BAD between two batches."""

    def _make(self, seed: int) -> tuple[PublicPolicy, Rollouts]:
        """Network and games."""
        rules, settings = self.rules, self.settings
        check(rules, settings)
        sizes = vector_sizes(rules, N_MARKS if settings.marks else 0)
        network = PublicPolicy(sizes, settings.width, rules.n_moves)
        return network, PublicRollouts(rules, self.metadata, network, settings.games, seed)

    @property
    def metadata(self) -> Metadata:
        """Kind, encoder and shape of the network, and how beliefs are computed."""
        names = ("width", "belief", "hands", "rounds", "mixing", "marks")
        own = {name: getattr(self.settings, name) for name in names}
        return {"kind": "bad", "encoder": "hle", **own}


def check(rules: Rules, settings: Settings) -> None:
    """Refuse rules and settings that BAD does not support."""
    if rules.players != 2:
        raise ValueError(f"BAD is for 2 players, not {rules.players}")
    if rules.observation != "card_knowledge":
        raise ValueError(f"BAD needs the usual observation, not {rules.observation!r}")
    if settings.belief not in VERSIONS:
        raise ValueError(f"belief must be one of {', '.join(VERSIONS)}, not {settings.belief!r}")
