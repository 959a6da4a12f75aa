"""The protocol of gains: the same decisions on any workers, documents and rows."""

import json
from dataclasses import replace

import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.match import Match
from tamaya.arena.protocols import read_result
from tamaya.arena.protocols.gains import Config, GainTask, run
from tamaya.arena.runner import NullStore, Runner
from tamaya.rules import Rules
from tamaya.table import play

AGENT = "sparta:blueprint=smartbot,samples=40,margin=0"
SMALL = "colours=3 hand_size=3"
CONFIG = Config(AGENT, "2,3", 3, 5, SMALL, check=20)


@pytest.fixture(scope="module")
def result():
    return run(CONFIG, Runner(Threads(1)))


def test_threads_change_nothing_but_times(result):
    assert run(CONFIG, Runner(Threads(2))).tables == result.tables


def test_scores_are_those_of_self_play(result):
    for table in result.tables:
        for agent, scores in ((AGENT, table.scores), ("smartbot", table.blueprint_scores)):
            wanted = play(agent, table.rules, 3, seed=5).results["score"].tolist()
            assert list(scores) == wanted


def test_every_searched_decision_is_in_one_phase(result):
    for table in result.tables:
        for turns in (5, 10):
            phases = table.phases_of(turns)
            assert sum(phase.searched for phase in phases) == table.whole.searched > 0
            assert sum(phase.changed for phase in phases) == table.whole.changed
        total = sum(decision.gain for decision in table.decisions)
        assert table.gain[0] == pytest.approx(total / table.games)
        assert table.whole.gain * table.whole.searched == pytest.approx(total)
        assert table.whole.moves == sum(table.lengths)


def test_documents_and_rows(result):
    stored = {"protocol": "gains", "config": CONFIG.to_document(),
              "document": json.loads(json.dumps(result.to_document()))}  # fmt: skip
    again = read_result(stored)
    assert again == result
    assert again.to_document() == result.to_document()
    assert result.command() == (f"tamaya gains {AGENT} -p 2,3 -n 3 --seed 5 "
                                f"--rules '{SMALL}' --check 20")  # fmt: skip
    rows = result.rows()
    assert {row["players"] for row in rows} == {2, 3}
    assert sum(row["searched"] for row in rows) == sum(
        table.whole.searched for table in result.tables
    )
    assert all(row["seconds_most"] > 0 for row in rows)


def test_times_are_only_under_seconds(result):
    """So a document without them is the same on every run."""

    def without(document):
        if isinstance(document, dict):
            return {key: without(value) for key, value in document.items() if key != "seconds"}
        return [without(item) for item in document] if isinstance(document, list) else document

    other = run(CONFIG, Runner(Threads(1))).to_document()
    assert json.dumps(without(other)) == json.dumps(without(result.to_document()))
    assert other != result.to_document()


class Parts(NullStore):
    """Stores what was recorded about games, as the database does."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], dict[int, str]] = {}

    def parts(self, match: Match, kind: str) -> dict:
        return {number: json.loads(text) for number, text in self._of(match, kind).items()}

    def add_part(self, match: Match, kind: str, number: int, document: dict) -> None:
        self._of(match, kind)[number] = json.dumps(document)

    def _of(self, match: Match, kind: str) -> dict[int, str]:
        return self.kept.setdefault((match.key, kind), {})


def test_a_stopped_run_resumes(result):
    store, parts = Parts(), []
    run(replace(CONFIG, games=2), Runner(Threads(1), store))
    for kept in store.kept.values():
        del kept[0]  # it stopped before game 0 was finished
    runner = Runner(Threads(1), store, on_progress=parts.append)
    again = run(CONFIG, runner)
    assert again.tables == result.tables
    assert (runner.pace.stored, runner.pace.played) == (2, 4)
    assert sum(parts) == CONFIG.n_games()
    assert run(CONFIG, Runner(Threads(1), store)).to_document() == again.to_document()
    other = Runner(Threads(1), store)
    run(replace(CONFIG, check=21, players="2"), other)  # another second batch
    assert other.pace.stored == 0


def test_other_code_is_refused():
    task = GainTask(Match((AGENT,), Rules(players=2), 0), 0, 10, "0000")
    with pytest.raises(ValueError, match="different code for the agents sparta"):
        task.carry_out()
