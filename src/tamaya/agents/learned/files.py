"""Networks on disk: `name.npz` with the weights in half precision, `name.json` with the metadata.

The metadata say what the network was trained on and how; playing needs its ``kind`` (one of
``LAYOUTS``), ``rules``, ``encoder``, ``observation`` (which must match this version's encoder) and
``width``, and the entries of its kind (``ENTRIES``).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agent import AgentError
from tamaya.agents.learned import distributions, lstm, public
from tamaya.agents.learned.beliefs import VERSIONS
from tamaya.agents.learned.network import NETWORK, layout
from tamaya.agents.learned.people import choice
from tamaya.agents.learned.people.advisers import MAX_ADVISERS
from tamaya.agents.learned.people.situation import SITUATION, situation_spec, sizes_of
from tamaya.atomic import replacing, write_atomically
from tamaya.checked_files import (
    blaming,
    check_array,
    check_finite,
    entry,
    read_arrays,
    read_json,
    short,
)
from tamaya.encoding import encoder_kind, observation_spec, vector_length
from tamaya.rules import Rules

BITS = ("hle", "derived")  # encoders that write only zeros and ones
MAX_HANDS = 1 << 16  # that BAD evaluates per move: it lists all of them at every move

Metadata = dict[str, Any]
Weights = dict[str, np.ndarray]  # by the names of a layout
Shapes = dict[str, tuple[int, ...]]


def _mlp_layout(rules: Rules, metadata: Metadata) -> Shapes:
    return layout(vector_length(rules, metadata["encoder"]), metadata["width"], rules.n_moves)


def _c51_layout(rules: Rules, metadata: Metadata) -> Shapes:
    n_inputs, width = vector_length(rules, metadata["encoder"]), metadata["width"]
    return distributions.layout(n_inputs, width, rules.n_moves, metadata["atoms"])


def _lstm_layout(rules: Rules, metadata: Metadata) -> Shapes:
    width = metadata["width"]
    if width > lstm.MAX_WIDTH:
        raise ValueError(f"recurrent networks have at most {lstm.MAX_WIDTH} units, not {width}")
    n_inputs = vector_length(rules, metadata["encoder"])
    return lstm.layout(n_inputs, rules.players, width, rules.n_moves)


def _bad_layout(rules: Rules, metadata: Metadata) -> Shapes:
    if metadata["encoder"] != "hle":
        raise ValueError(f"BAD takes vectors of hle, not {metadata['encoder']!r}")
    if metadata["belief"] not in VERSIONS:
        belief = metadata["belief"]
        raise ValueError(f"'belief' must be one of {', '.join(VERSIONS)}, not {belief!r}")
    if metadata["hands"] > MAX_HANDS or metadata["mixing"] > 1:
        raise ValueError(f"'hands' must be at most {MAX_HANDS} and 'mixing' at most 1")
    n_marks = public.N_MARKS if metadata["marks"] else 0
    return public.layout(rules, metadata["width"], n_marks)


def _choice_layout(rules: Rules, metadata: Metadata) -> Shapes:
    sizes = sizes_of(rules, len(metadata["advisers"]))
    members, width = metadata["members"], metadata["width"]
    return choice.layout(sizes, members, width, metadata["hidden"], metadata["second"])


# What the weights of a kind of network consist of, in order.
LAYOUTS: dict[str, Callable[[Rules, Metadata], Shapes]] = {
    "mlp": _mlp_layout, "c51": _c51_layout, "lstm": _lstm_layout, "bad": _bad_layout,
    "choice": _choice_layout,
}  # fmt: skip

# Metadata needed for playing, by kind of network: types and lower bounds.
Entries = dict[str, tuple[type, int | None]]
COMMON: Entries = {
    "kind": (str, None), "rules": (str, None), "encoder": (str, None), "observation": (str, None),
    "width": (int, 4),
}  # fmt: skip
ENTRIES: dict[str, Entries] = {
    "mlp": {},
    "c51": {"atoms": (int, 2)},
    "lstm": {},
    "bad": {"belief": (str, None), "hands": (int, 1), "rounds": (int, 0), "mixing": (float, 0),
            "marks": (bool, None)},
    "choice": {"members": (int, 1), "hidden": (int, 4), "second": (int, 4),
               "advisers": (list, None)},
}  # fmt: skip
OPTIONAL: dict[str, type] = {"description": str, "source": str, "turns": int}


@dataclass(frozen=True)
class Network:
    """A network in memory; ``weights`` must live as long as its address is used."""

    metadata: Metadata
    rules: Rules
    weights: np.ndarray  # float32, the arrays of its kind's layout one after the other

    @property
    def kind(self) -> str:
        """One of ``LAYOUTS``."""
        return self.metadata["kind"]

    @property
    def card(self) -> Metadata:
        """The metadata under their old name."""
        return self.metadata

    def write_record(self, network: np.record) -> None:
        """Fill a ``NETWORK`` record."""
        rules = self.rules
        network["weights"] = self.weights.ctypes.data
        if self.kind == "choice":
            network["n_inputs"] = sizes_of(rules, len(self.metadata["advisers"])).context
        else:
            network["encoder"] = encoder_kind(self.metadata["encoder"])
            network["n_inputs"] = vector_length(rules, self.metadata["encoder"])
        network["width"] = self.metadata["width"]
        network["n_moves"] = rules.n_moves
        network["n_atoms"] = self.metadata["atoms"] if self.kind == "c51" else 0
        for name in ("colours", "ranks", "hand_size", "tokens", "lives"):
            network[name] = getattr(rules, name)
        network["is_minimal"] = rules.observation == "minimal"

    def record(self) -> np.ndarray:
        """One ``NETWORK`` record, for kernels."""
        records = np.zeros(1, NETWORK)
        self.write_record(records[0])
        return records


def make_network(metadata: Metadata, weights: Weights) -> Network:
    """A network from its metadata and the arrays of its layout; ValueError if they do not match."""
    rules = _check_metadata(metadata)
    shapes = LAYOUTS[metadata["kind"]](rules, metadata)
    for name, shape in shapes.items():
        if name not in weights:
            raise ValueError(f"{name!r} should be {shape}, found nothing")
        check_array(weights, name, "f", shape)
    flat = np.concatenate([weights[name].astype(np.float32).ravel() for name in shapes])
    return Network(metadata, rules, flat)


def _check_metadata(metadata: Metadata) -> Rules:
    """Refuse invalid metadata; returns the rules that the network was trained for."""
    kind = entry(metadata, "kind", str)
    if kind not in LAYOUTS:
        raise ValueError(f"unknown kind of network {kind!r}: expected one of {', '.join(LAYOUTS)}")
    for name, (wanted, least) in {**COMMON, **ENTRIES[kind]}.items():
        entry(metadata, name, wanted, least)
    for name in OPTIONAL.keys() & metadata.keys():
        entry(metadata, name, OPTIONAL[name])
    rules, encoder = Rules.parse(metadata["rules"]), metadata["encoder"]
    if kind == "choice":
        spec = _situation_spec(rules, metadata)
    elif encoder not in BITS:
        raise ValueError(f"networks take vectors of {' or '.join(BITS)}, not {encoder!r}")
    else:
        spec = observation_spec(rules, encoder)
    if metadata["observation"] != spec:
        found = metadata["observation"]
        raise ValueError(f"made for vectors {found!r}, this version has {spec!r}")
    if metadata["width"] % 4:
        raise ValueError(f"the width must be a multiple of 4, not {metadata['width']}")
    return rules


def _situation_spec(rules: Rules, metadata: Metadata) -> str:
    """What the numbers of a network of choices mean; ValueError if it takes something else."""
    if metadata["encoder"] != SITUATION:
        raise ValueError(f"networks of choices take a {SITUATION}, not {metadata['encoder']!r}")
    names = metadata["advisers"]
    if not all(isinstance(name, str) for name in names) or len(names) > MAX_ADVISERS:
        raise ValueError(f"'advisers' should be at most {MAX_ADVISERS} texts, not {short(names)}")
    return situation_spec(rules, names)


def halved(weights: Weights) -> Weights:
    """Weights in half precision, as in files; values that are too large become infinite."""
    with np.errstate(over="ignore"):
        return {name: array.astype(np.float16) for name, array in weights.items()}


def write_network(path: Path, metadata: Metadata, weights: Weights) -> None:
    """Write weights, halved, and metadata of a network; each file is replaced atomically."""
    arrays: dict[str, Any] = halved(weights)
    with blaming(path):  # nothing is written that could not be read back
        make_network(metadata, arrays)
        check_finite(arrays)
    with replacing(path) as file:
        np.savez_compressed(file, **arrays)
    text = json.dumps(metadata, indent=1, allow_nan=False) + "\n"
    write_atomically(path.with_suffix(".json"), text)


def read_metadata(path: Path) -> Metadata:
    """The metadata of a file of weights."""
    return read_json(path.with_suffix(".json"))


def read_network(path: Path) -> Network:
    """The network of a file; AgentError names the file and the problem."""
    for file in (path, path.with_suffix(".json")):
        if not file.is_file():
            raise AgentError(f"network {path}: there is no file {file}")
    try:
        weights, metadata = read_arrays(path), read_metadata(path)
        with blaming(path):
            check_finite(weights)
            return make_network(metadata, weights)
    except ValueError as error:
        raise AgentError(f"network {error}") from None
