"""The folder of a run: another run, other code and damaged descriptions are refused."""

import json
from dataclasses import replace

import pytest

from damage import damaged_bytes, wrong_documents
from evolution import SMALL
from tamaya.checked_files import FileError
from tamaya.evolve.folder import check_or_write, read_run
from tamaya.evolve.run import EvolutionRun

MADE_WITH = {"version": "1", "code": "abc"}


def test_another_run_is_refused(tmp_path):
    EvolutionRun(tmp_path, SMALL)
    with pytest.raises(ValueError, match="contains another run: its games is 3, not 4"):
        EvolutionRun(tmp_path, replace(SMALL, games=4))


def test_other_code_is_refused(tmp_path):
    EvolutionRun(tmp_path, SMALL)
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "code": "0000"}))
    with pytest.raises(ValueError, match="made by different code"):
        EvolutionRun(tmp_path, SMALL)


def test_damaged_descriptions_are_named(tmp_path):
    """Whatever is not refused has entries of the right types."""
    document = {**SMALL.as_dict(), "known": ["PlaySafeCard,LegalRandom"]}
    check_or_write(tmp_path, document, MADE_WITH)
    path = tmp_path / "run.json"
    data = path.read_bytes()
    documents = (json.dumps(wrong).encode() for _, wrong in wrong_documents(json.loads(data)))
    n_refused = 0
    for damaged in (*documents, *damaged_bytes(data, 200)):
        path.write_bytes(damaged)
        try:
            found = read_run(tmp_path)
        except FileError as error:
            assert str(path) in str(error)
            n_refused += 1
        else:
            assert found is not None and isinstance(found["protocol"]["players"], list)
    assert n_refused > 150


def test_a_description_that_is_there_stays(tmp_path):
    document = SMALL.as_dict()
    check_or_write(tmp_path, document, MADE_WITH)
    before = (tmp_path / "run.json").read_bytes()
    check_or_write(tmp_path, document, {**MADE_WITH, "version": "2"})
    assert (tmp_path / "run.json").read_bytes() == before
    assert read_run(tmp_path / "nowhere") is None


def test_a_training_run_is_refused_by_its_name(tmp_path):
    (tmp_path / "run.json").write_text('{"algorithm": "ppo", "rules": "players=2"}')
    with pytest.raises(ValueError, match=rf"{tmp_path} contains a training run \(ppo\), not"):
        read_run(tmp_path)


def test_a_run_of_elites_is_none_of_evolution(tmp_path):
    protocol = {"kind": "mirror", "pool": "C", "rules": "", "players": []}
    document = {"genes": [], "protocol": protocol}
    check_or_write(tmp_path, {**document, "algorithm": "map-elites"}, MADE_WITH)
    assert read_run(tmp_path) is not None  # it is no training run either
    with pytest.raises(ValueError, match="contains a run of `tamaya elites`"):
        check_or_write(tmp_path, document, MADE_WITH)
