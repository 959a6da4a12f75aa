"""Files of networks: half precision, metadata that fit, and one clear error for everything else."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from damage import damaged_bytes, wrong_documents
from support import decide
from tamaya.agent import AgentError
from tamaya.agents.learned import kinds
from tamaya.agents.learned.files import (
    LAYOUTS,
    Metadata,
    Weights,
    make_network,
    read_metadata,
    read_network,
    write_network,
)
from tamaya.agents.learned.people.situation import SITUATION, situation_spec
from tamaya.checked_files import FileError
from tamaya.encoding import observation_spec
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.rules import Rules

pytestmark = pytest.mark.interpreted

SMALL = Rules.preset("small")
EXTRA: dict[str, Metadata] = {
    "mlp": {}, "lstm": {}, "c51": {"atoms": 11},
    "bad": {"belief": "V2", "hands": 8, "rounds": 2, "mixing": 0.01, "marks": True},
    "choice": {"members": 2, "hidden": 8, "second": 4, "advisers": ["piers"],
               "encoder": SITUATION, "observation": situation_spec(SMALL, ["piers"])},
}  # fmt: skip


def some_metadata(kind: str = "mlp", rules: Rules = SMALL, width: int = 8) -> Metadata:
    return {"kind": kind, "rules": rules.to_text(), "encoder": "hle", "width": width,
            "observation": observation_spec(rules, "hle"), **EXTRA[kind]}  # fmt: skip


def some_weights(metadata: Metadata, seed: int = 0) -> Weights:
    rng = np.random.default_rng(seed)
    shapes = LAYOUTS[metadata["kind"]](Rules.parse(metadata["rules"]), metadata)
    return {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def write_some(path: Path, kind: str = "mlp", **more: Any) -> Metadata:
    metadata = {**some_metadata(kind), **more}
    write_network(path, metadata, some_weights(metadata))
    return metadata


def test_every_kind_has_an_agent():
    assert kinds.AGENTS.keys() == LAYOUTS.keys() == EXTRA.keys()


@pytest.mark.parametrize("kind", LAYOUTS)
def test_files_keep_half_precision(tmp_path, kind):
    path = tmp_path / "mine.npz"
    metadata = write_some(path, kind, turns=5)
    network = read_network(path)
    assert network.metadata == metadata == read_metadata(path) == network.card
    exact = make_network(metadata, some_weights(metadata)).weights
    assert np.abs(network.weights - exact).max() < 2e-3
    assert (network.weights == exact.astype(np.float16)).all()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine.json", "mine.npz"]


def test_a_file_is_an_agent_by_its_path(tmp_path):
    path, other = tmp_path / "mine.npz", tmp_path / "other.npz"
    metadata = write_some(path)
    agent = find_agent(str(path))
    assert agent.name == "mine" and agent.players == (2, 2)
    game = Game(SMALL)
    assert decide(agent, game, 0) in game.legal_moves
    write_network(other, metadata, some_weights(metadata, seed=1))
    assert find_agent(str(other)).identity != agent.identity == find_agent(str(path)).identity


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("mlp", {"observation": "hle 2 old"}, "made for vectors 'hle 2 old', this version has"),
        ("mlp", {"width": 12}, r"'first' should be \(171, 12\), found \(171, 8\)"),
        ("mlp", {"width": 9}, "the width must be a multiple of 4, not 9"),
        ("mlp", {"width": 0}, "'width' should be at least 4, not 0"),
        ("mlp", {"encoder": "sad"}, "networks take vectors of hle or derived, not 'sad'"),
        ("mlp", {"rules": "players=9"}, "players must be"),
        ("mlp", {"kind": "cnn"}, "unknown kind of network 'cnn': expected one of mlp, c51"),
        ("mlp", {"turns": "many"}, "'turns' should be a whole number, not 'many'"),
        ("c51", {"atoms": 12}, r"'out' should be \(11, 8, 12\), found \(11, 8, 11\)"),
        ("lstm", {"width": 516}, "recurrent networks have at most 512 units, not 516"),
        ("bad", {"belief": "V3"}, "'belief' must be one of V0, V1, V2, not 'V3'"),
        ("bad", {"hands": 10**9}, "'hands' must be at most 65536"),
        ("bad", {"mixing": 1.5}, "'mixing' at most 1"),
        ("bad", {"encoder": "derived", "observation": observation_spec(SMALL, "derived")},
         "BAD takes vectors of hle, not 'derived'"),
    ],
)  # fmt: skip
def test_metadata_that_do_not_fit_are_explained(tmp_path, kind, change, message):
    path = tmp_path / "mine.npz"
    metadata = write_some(path, kind)
    path.with_suffix(".json").write_text(json.dumps({**metadata, **change}))
    with pytest.raises(AgentError, match=rf"network .*mine\.npz: .*{message}"):
        read_network(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda array: array * np.nan, "'second' has numbers that are not finite"),
        (lambda array: np.where(array == array.max(), np.inf, array), "not finite"),
        (lambda array: array.astype(str), "'second' cannot have entries of type <U"),
        (lambda array: array.astype(complex), "'second' cannot have entries of type complex128"),
        (lambda array: (10 * array).astype(int), "'second' cannot have entries of type int64"),
        (lambda array: array.astype([("x", "f4")]), "'second' cannot have entries of type"),
        (lambda array: array[:-1], r"'second' should be \(8, 8\), found \(7, 8\)"),
        (lambda array: array.ravel(), r"'second' should be \(8, 8\), found \(64,\)"),
        (lambda array: array.astype(object), "is not a file of arrays"),
    ],
)
def test_weights_that_do_not_fit_are_explained(tmp_path, change, message):
    path = tmp_path / "mine.npz"
    weights = some_weights(write_some(path))
    np.savez(path, **{**weights, "second": change(weights["second"])})
    with pytest.raises(AgentError, match=rf"network .*mine\.npz.*{message}"):
        read_network(path)
    del weights["second"]
    np.savez(path, **weights)
    with pytest.raises(AgentError, match=r"'second' should be \(8, 8\), found nothing"):
        read_network(path)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e6])
def test_weights_that_files_cannot_hold_are_not_written(tmp_path, value):
    path = tmp_path / "mine.npz"
    metadata = write_some(path)
    before = path.read_bytes()
    weights = some_weights(metadata)
    weights["out"][0, 0] = value
    with pytest.raises(FileError, match=r"mine\.npz: 'out' has numbers that are not finite"):
        write_network(path, metadata, weights)
    assert path.read_bytes() == before


def test_missing_files_are_named(tmp_path):
    with pytest.raises(AgentError, match=r"there is no file .*nowhere\.npz"):
        find_agent(str(tmp_path / "nowhere.npz"))
    path = tmp_path / "mine.npz"
    write_some(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(AgentError, match=r"there is no file .*mine\.json"):
        read_network(path)


@pytest.mark.parametrize("kind", LAYOUTS)
def test_damaged_files_are_named(tmp_path, kind):
    """Whatever is not refused plays."""
    path = tmp_path / "mine.npz"
    metadata = write_some(path, kind, turns=5, description="Mine.")
    game, n_refused, n_read = Game(SMALL), 0, 0

    def read() -> None:
        nonlocal n_refused, n_read
        try:
            agent = kinds.network_file(path)
        except AgentError as error:
            assert str(path) in str(error) or str(path.with_suffix(".json")) in str(error)
            assert "\n" not in str(error)
            n_refused += 1
        else:
            n_read += 1
            if n_read % 10 == 1:
                assert decide(agent, game, 0) in game.legal_moves

    for file in (path, path.with_suffix(".json")):
        whole = file.read_bytes()
        for data in damaged_bytes(whole, 100):
            file.write_bytes(data)
            read()
        file.write_bytes(whole)
    for _, document in wrong_documents(metadata):
        path.with_suffix(".json").write_text(json.dumps(document))
        read()
    assert n_refused > 200


@pytest.mark.parametrize(
    ("encoder", "specs"),
    [
        ("hle", ["hle 2 players 41aa4025fc4d6ec9", "hle 3 players cf9af37d2b73d930",
                 "hle 4 players cb85332e01f9b324", "hle 5 players 09f1b40f5f15d701"]),
        ("derived", ["derived/1 2 players f94937452d311caa", "derived/1 3 players 6328fe40146a9824",
                     "derived/1 4 players 5da57b761afccb02",
                     "derived/1 5 players 2994ad86f1cc8d9f"]),
    ],
)  # fmt: skip
def test_networks_of_version_0_1_are_still_read(encoder, specs):
    """Their metadata have these texts: with other ones, all of them would be refused."""
    assert [observation_spec(Rules(players=n), encoder) for n in (2, 3, 4, 5)] == specs
