"""Compiling ahead: every agent is in a job, jobs report what they do, unknown kinds are named."""

import pytest

from tamaya import compile_progress, kernel_cache, warming
from tamaya.compiled import JIT
from tamaya.lookup import all_agents
from tamaya.warming import chosen_jobs, run_jobs, warm_up


def test_every_agent_belongs_to_a_job():
    families = warming._families()
    assert {player.name for players in families.values() for player in players} == {
        player.name
        for player in all_agents()
        if player.act_function.__module__.startswith("tamaya.")
    }
    assert set(families) <= set(chosen_jobs(["agents", "search"]))


def test_kinds_are_chosen_and_unknown_ones_named():
    kinds = warm_up()
    assert set(chosen_jobs([])) == {name for jobs in kinds.values() for name in jobs}
    assert set(chosen_jobs(["search"])) == set(kinds["search"])
    with pytest.raises(ValueError, match=r"unknown part 'agnets'.*agents, search"):
        chosen_jobs(["agnets"])


@pytest.mark.skipif(not JIT, reason="this is about compiled code")
def test_jobs_report_what_they_compile(monkeypatch):
    from tamaya.compiled import hot

    @hot
    def helper(number):
        return number + 1

    @hot
    def entry(number):
        return helper(number)

    monkeypatch.setattr(compile_progress, "PATIENCE", -1.0)
    monkeypatch.setattr(kernel_cache, "load", lambda *arguments: None)
    lines = []
    assert list(run_jobs({"one": lambda: entry(1)}, 1, lines.append)) == ["one"]
    assert len(lines) == 1 and "1 of 2" in lines[0] and "helper" in lines[0]


def test_jobs_run_in_processes_and_all_are_done():
    jobs = {name: warm_up()["agents"][name] for name in ("table", "agents simple")}
    assert set(run_jobs(jobs, 2, lambda line: None)) == set(jobs)
