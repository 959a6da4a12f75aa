"""The parameters of ``adaptive``: what it knows of its partner, as texts, and how it thinks.

    ally=tamaya-mixed,partner=iggi,chance=0.98      it plays as tamaya-mixed, with iggi
    model=eNpjYG...                                 it responds to a model fitted to a stranger
    code=2210256640030...                           it knows the code that strangers speak
    without=hat+ppo                                 families that it must not know
    known=ann.json                                  what the file of an acquaintance says of it

A prepared agent is named by its parameters alone, so that it can be sent to another machine and
its results be stored: what is ``known`` becomes the other parameters as soon as it is read.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from tamaya.adapt.crosstable import crosstable, tables_digest
from tamaya.adapt.deciphering import code_of
from tamaya.adapt.families import (
    FAMILIES,
    FAMILY_OF,
    checked_families,
    family_of,
    library,
)
from tamaya.adapt.features import N_WEIGHTS
from tamaya.adapt.messages import CODE
from tamaya.adapt.model import weights_of
from tamaya.adapt.playing import LIBRARY
from tamaya.adapt.recognise import CANDIDATE, candidate
from tamaya.adapt.strangers import MODELS, models_record
from tamaya.agent import Agent, AgentError, Params, Value
from tamaya.checked_files import FileError, blaming, entry, read_json
from tamaya.params import parse_items
from tamaya.records import record
from tamaya.registry import find_agent
from tamaya.rules import MAX_PLAYERS

NAME = "adaptive"
TEXTS = ("ally", "partner", "model", "code", "without")
KNOWN = "known"  # a file, see ``tamaya.adapt.acquaintance``
VERSION = 1  # of such files

THINKING: dict[str, Value] = {
    "draws": 400,      # hands that are drawn and weighed
    "samples": 96,     # deals that moves are tried on
    "recent": 8,       # moves of the partners that hands must explain
    "rollout": 10,     # plies that the model plays on
    "tried": 8,        # moves at most
    "span": 6.0,       # of the model's logits, in which other moves are tried
    "noise": 0.02,     # share of moves that the model does not explain
    "bomb": 0.5,       # part of the points that a bombed game is worth
    "margin": 0.1,     # points by which a move must beat the model's own
    "errors": 1.0,     # and standard errors of the difference
}  # fmt: skip
LEAST: dict[str, Value] = {
    "draws": 1, "samples": 1, "recent": 0, "rollout": 0, "tried": 1, "span": 0.0, "noise": 0.0001,
    "bomb": 0.0, "margin": 0.0, "errors": 0.0,
}  # fmt: skip
MOST: dict[str, Value] = {
    "draws": 10**5, "samples": 10**5, "recent": 1000, "rollout": 1000, "tried": 64, "span": 1e6,
    "noise": 0.5, "bomb": 1.0, "margin": 1000.0, "errors": 100.0,
}  # fmt: skip
UNKNOWN: dict[str, Value | str] = {"ally": "", "partner": "", "model": "", "code": "",
                                   "chance": 0.0}  # fmt: skip
NAMES = (*FAMILY_OF, "?")  # for explanations, which get places in it; the last is any other agent

PARAMS = record([
    ("ally", CANDIDATE), ("ally_place", np.int64),        # to play as, if not all zeros
    ("partner", CANDIDATE), ("partner_place", np.int64),  # for whom it takes its partner
    ("chance", np.float64),                               # that it is right
    ("library", LIBRARY, MAX_PLAYERS + 1),  # by number of players, empty if there is an ally
    ("models", MODELS, MAX_PLAYERS + 1),    # of strangers, the same way
    ("without", np.int64),                  # families left out, as bits
    ("has_model", np.int64), ("weights", np.float64, N_WEIGHTS),
    ("has_code", np.int64), ("code", CODE),
    *((name, np.float64 if isinstance(value, float) else np.int64)
      for name, value in THINKING.items()),
])  # fmt: skip


def params_of(spec: str) -> dict[str, str]:
    """The parameters in the spec of a prepared agent; ValueError if it is no such spec."""
    name, _, text = spec.partition(":")
    values = parse_items(text) if text else {}
    if name != NAME or KNOWN in values:
        raise ValueError(f"{spec[:40]!r} is not the text of a prepared agent {NAME!r}")
    return values


def known_params(path: Path) -> dict[str, str]:
    """The parameters that the file of an acquaintance says; AgentError if it cannot be used."""
    try:
        document = read_json(path)
        with blaming(path):
            check_version(document)
            return params_of(entry(document, "agent", str))
    except FileError as error:
        raise AgentError(f"agent {NAME!r}: {error}") from None


def check_version(document: dict[str, Any]) -> None:
    """Refuse the document of an acquaintance that another version wrote."""
    version = entry(document, "version", int)
    if version != VERSION:
        raise ValueError(f"version {version} of acquaintances is not known here, only {VERSION}")


def params_without(params: np.record) -> tuple[str, ...]:
    """The families left out, from the record."""
    bits = int(params["without"])
    return tuple(family for k, family in enumerate(FAMILIES) if bits >> k & 1)


def place_in_names(name: str) -> int:
    """The place of an agent in NAMES."""
    return NAMES.index(name) if name in NAMES else len(NAMES) - 1


def found(name: str) -> Agent:
    """A compiled agent by its name."""
    agent = find_agent(name)
    assert isinstance(agent, Agent)
    return agent


@cache
def library_record(players: int, without: tuple[str, ...]) -> np.ndarray:
    """The library of a table size, compiled, with a prior and who goes with whom."""
    names = library(players, without)
    known = np.zeros(1, LIBRARY)
    known["n"] = len(names)
    known["prior"] = -np.log(max(1, len(names)))
    for k, name in enumerate(names):
        known["member"][0, k] = candidate(found(name))[0]
    known["payoff"][0, : len(names), : len(names)] = crosstable(players).part(names, names)
    return known


class AdaptiveParams(Params):
    """Numbers, and the texts that say what is known."""

    texts: dict[str, str]

    def __init__(self, numbers: Mapping[str, Value], **options: Mapping[str, Value]) -> None:
        super().__init__(numbers, **options)  # type: ignore[arg-type]
        self.texts = dict.fromkeys(TEXTS, "")

    @property
    def without(self) -> tuple[str, ...]:
        """Families left out."""
        return tuple(filter(None, self.texts["without"].split("+")))

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of the parameters and their values."""
        return {**super().settings, **self.texts}

    @property
    def text(self) -> str:
        """The parameters that differ from their defaults."""
        given = [f"{key}={text}" for key, text in self.texts.items() if text]
        return ",".join([*([super().text] if super().text else []), *given])

    @property
    def identity(self) -> str:
        """The same, with the tables that it chooses by if nothing is settled."""
        return self.text if self.is_settled else f"{self.text} {tables_digest()}"

    @property
    def is_settled(self) -> bool:
        """Whether it knows whom to play as, or has a model or a code to respond to."""
        return any(self.texts[key] for key in ("ally", "model", "code"))

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The agents that it plays as or may recognise."""
        if self.is_settled:
            return tuple(filter(None, (self.texts["ally"], self.texts["partner"])))
        sizes = range(2, MAX_PLAYERS + 1)
        return tuple(dict.fromkeys(name for n in sizes for name in library(n, self.without)))

    def changed(self, values: Mapping[str, Value | str]) -> Self:
        """The same with other values, of numbers or of texts, or with those of a file."""
        if KNOWN in values:
            others = {key: value for key, value in values.items() if key != KNOWN}
            values = {**known_params(Path(str(values[KNOWN]))), **others}
        values = self._by_name(values)
        other = super().changed({key: v for key, v in values.items() if key not in self.texts})
        given = {key: str(v).strip() for key, v in values.items() if key in self.texts}
        other.texts = {**self.texts, **given}
        other.texts["without"] = "+".join(checked_families(other.without))
        if other.texts["model"]:
            weights_of(other.texts["model"])  # raises if it is not one
        if other.texts["code"]:
            code_of(other.texts["code"])  # the same
        for key in ("ally", "partner"):
            if other.texts[key]:
                other._check_known(key)
        return other

    def _check_known(self, key: str) -> None:
        """Refuse an agent that cannot be played as or recognised."""
        name = self.texts[key]
        if not isinstance(find_agent(name), Agent):
            raise self._error(f"parameter {key!r} must be a compiled agent, and {name!r} decides "
                              f"for many games at once")  # fmt: skip
        if (family := family_of(name)) in self.without:
            raise self._error(f"parameter {key!r} is {name!r}, of the family {family!r}, which it "
                              f"must not know")  # fmt: skip

    def record(self) -> np.ndarray:
        """The compiled agents, and the numbers."""
        params = np.zeros(1, PARAMS)
        params["without"] = sum(1 << k for k, family in enumerate(FAMILIES)
                                if family in self.without)  # fmt: skip
        for key, number in self.values.items():
            params[key] = number
        if self.texts["model"]:
            params["has_model"] = 1
            params["weights"] = weights_of(self.texts["model"])
        if self.texts["code"]:
            params["has_code"] = 1
            params["code"] = code_of(self.texts["code"])
        for key in ("ally", "partner"):
            name = self.texts[key] or self.texts["ally"]
            if name:
                params[key] = candidate(found(name))[0]
                params[f"{key}_place"] = place_in_names(name)
        if self.is_settled:
            return params
        for players in range(2, MAX_PLAYERS + 1):
            params["library"][0, players] = library_record(players, self.without)[0]
            params["models"][0, players] = models_record(players, self.without)[0]
        return params
