"""Networks on disk: `name.npz` with the weights in half precision, and `name.json`, their card.

The card says what the network was trained on and how; playing needs its ``kind`` (one of
``LAYOUTS``), ``rules``, ``encoder``, ``observation`` (which must be what this version of the
package means by that encoder) and ``width``, networks of distributions also ``atoms``.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agent import AgentError
from tamaya.agents.learned import distributions, lstm
from tamaya.agents.learned.network import NETWORK, layout
from tamaya.agents.learned.public import N_MARKS
from tamaya.agents.learned.public import layout as public_layout
from tamaya.encoding import encoder_kind, observation_spec, vector_length
from tamaya.rules import Rules

BITS = ("hle", "derived")  # encoders that write zeros and ones only
Shapes = dict[str, tuple[int, ...]]


def _mlp_layout(rules: Rules, card: dict[str, Any]) -> Shapes:
    return layout(vector_length(rules, card["encoder"]), int(card["width"]), rules.n_moves)


def _c51_layout(rules: Rules, card: dict[str, Any]) -> Shapes:
    n_inputs, width = vector_length(rules, card["encoder"]), int(card["width"])
    return distributions.layout(n_inputs, width, rules.n_moves, int(card["atoms"]))


def _lstm_layout(rules: Rules, card: dict[str, Any]) -> Shapes:
    width = int(card["width"])
    if width > lstm.MAX_WIDTH:
        raise ValueError(f"recurrent networks have at most {lstm.MAX_WIDTH} units, not {width}")
    n_inputs = vector_length(rules, card["encoder"])
    return lstm.layout(n_inputs, rules.players, width, rules.n_moves)


def _bad_layout(rules: Rules, card: dict[str, Any]) -> Shapes:
    return public_layout(rules, int(card["width"]), N_MARKS if card["marks"] else 0)


# What the weights of a kind of network consist of, in order.
LAYOUTS: dict[str, Callable[[Rules, dict[str, Any]], Shapes]] = {
    "mlp": _mlp_layout, "c51": _c51_layout, "lstm": _lstm_layout, "bad": _bad_layout,
}  # fmt: skip


@dataclass(frozen=True)
class Network:
    """A network in memory; ``weights`` must live as long as anybody holds its address."""

    card: dict[str, Any]
    rules: Rules
    weights: np.ndarray  # float32, the parts of its kind's layout one after the other

    @property
    def kind(self) -> str:
        """One of ``LAYOUTS``."""
        return self.card["kind"]

    def write_record(self, network: np.record) -> None:
        """Fill a ``NETWORK`` record."""
        rules = self.rules
        network["weights"] = self.weights.ctypes.data
        network["encoder"] = encoder_kind(self.card["encoder"])
        network["n_inputs"] = vector_length(rules, self.card["encoder"])
        network["width"] = self.card["width"]
        network["n_moves"] = rules.n_moves
        network["n_atoms"] = self.card.get("atoms", 0)
        for name in ("colours", "ranks", "hand_size", "tokens", "lives"):
            network[name] = getattr(rules, name)
        network["is_minimal"] = rules.observation == "minimal"

    def record(self) -> np.ndarray:
        """One ``NETWORK`` record, as the kernels take it."""
        records = np.zeros(1, NETWORK)
        self.write_record(records[0])
        return records


def make_network(card: dict[str, Any], parts: dict[str, np.ndarray]) -> Network:
    """A network of its card and the arrays of its layout; ValueError if they do not fit."""
    if card["kind"] not in LAYOUTS:
        raise ValueError(f"unknown kind of network {card['kind']!r}: not of {', '.join(LAYOUTS)}")
    rules = Rules.parse(card["rules"])
    if card["encoder"] not in BITS:
        raise ValueError(f"networks take vectors of {' or '.join(BITS)}, not {card['encoder']!r}")
    wanted = observation_spec(rules, card["encoder"])
    if card["observation"] != wanted:
        raise ValueError(f"made for vectors {card['observation']!r}, this version has {wanted!r}")
    if card["width"] % 4:
        raise ValueError(f"the width must be a multiple of 4, not {card['width']}")
    shapes = LAYOUTS[card["kind"]](rules, card)
    for name, shape in shapes.items():
        if name not in parts or parts[name].shape != shape:
            found = parts[name].shape if name in parts else "nothing"
            raise ValueError(f"{name!r} should be {shape}, found {found}")
    flat = np.concatenate([parts[name].astype(np.float32).ravel() for name in shapes])
    return Network(card, rules, flat)


def write_network(path: Path, card: dict[str, Any], parts: dict[str, np.ndarray]) -> None:
    """Write weights, halved, and card of a network; each file is replaced at once."""
    make_network(card, parts)  # what cannot be read back is not written
    halved: dict[str, Any] = {name: part.astype(np.float16) for name, part in parts.items()}
    partial = path.with_suffix(".partial")
    with open(partial, "wb") as file:
        np.savez_compressed(file, **halved)
    partial.replace(path)
    partial.write_text(json.dumps(card, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    partial.replace(path.with_suffix(".json"))


def read_card(path: Path) -> dict[str, Any]:
    """The card beside a file of weights."""
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def read_network(path: Path) -> Network:
    """The network of a file; AgentError names it and what is wrong."""
    try:
        with np.load(path) as parts:
            return make_network(read_card(path), dict(parts))
    except FileNotFoundError as error:
        raise AgentError(f"network {path}: there is no file {error.filename}") from None
    except (OSError, ValueError, KeyError, EOFError) as error:
        reason = f"its card lacks {error}" if isinstance(error, KeyError) else str(error)
        raise AgentError(f"network {path}: {reason}") from None
