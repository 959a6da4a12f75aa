"""The benchmarks run, say what they measured and name what they do not know; no speed is tested."""

import json
from functools import cache
from time import sleep

import numpy as np
import pytest

from support import run_command
from tamaya.bench import adapt, cases, loops, own, peers
from tamaya.bench.cases import CASES, PEERS, SYSTEMS
from tamaya.bench.measure import Plan, Round, make_plan, run_plan
from tamaya.records import new_games
from tamaya.rules import Rules

UNITS = {"table": "games", "search": "steps"}
OWN_CASES = [name for name in CASES if name not in ("adaptive", "startup", "strong", "training")]


@cache
def run_own(*names, players=2):
    plan = make_plan(names, [players], PEERS)
    return run_plan(plan, seconds=0.01, repeat=1)


@pytest.mark.parametrize(("name", "players"), [*((name, 2) for name in OWN_CASES), ("rules", 5)])
def test_own_cases_have_all_fields(name, players):
    rows = run_own(name, players=players)["cases"]
    assert rows
    for row in rows:
        assert row["case"] == name
        assert row["players"] == players
        assert row["system"].startswith("tamaya")
        assert row["unit"] == {"table": "games", "search": "steps", "adaptive": "steps"}.get(
            name, "moves"
        )
        assert 0 < row["lowest"] <= row["median"] <= row["highest"] == row["per_second"]
        assert row["ratio_to_hle"] is None


def test_adaptive_is_timed_by_its_own_moves_and_by_preparations():
    moves = adapt.decisions("certainty", "", is_prepared=True, players=2)(60)
    assert 2 * 10 < moves < 2 * 60  # of two games, and only its own
    assert adapt.preparations("certainty", "", players=2)(2) == 2
    [round] = make_plan(["adaptive"], [2], PEERS).rounds
    assert len(round.contenders) == 7


@pytest.mark.slow
def test_training_is_measured_as_a_whole_and_in_parts():
    pytest.importorskip("torch", reason="training needs torch, the extra `learn`")
    rows = run_own("training")["cases"]
    assert [row["system"] for row in rows] == ["tamaya-learn"] * 4 + ["tamaya"] * 2
    assert all(row["unit"] == "turns" and row["per_second"] > 0 for row in rows)
    assert rows[4]["per_second"] > 4 * rows[0]["per_second"]


@pytest.mark.parametrize(("players", "learners"), [
    (2, ["PPO", "ACHA", "Rainbow", "BAD"]), (3, ["PPO", "ACHA", "Rainbow"]),
    (5, ["PPO", "ACHA", "Rainbow"]),
])  # fmt: skip
def test_training_measures_the_learners_of_a_number_of_players(monkeypatch, players, learners):
    monkeypatch.setattr(cases, "EXTRAS", {})
    [round] = make_plan(["training"], [players]).rounds
    whole = [who.details["what"] for who in round.contenders if who.system == "tamaya-learn"]
    assert whole == [f"{name}, everything included" for name in learners]


def test_the_learners_measured_have_the_published_settings():
    """The preset of a plan that names none changes nothing in any of them."""
    pytest.importorskip("torch", reason="training needs torch, the extra `learn`")
    from tamaya.learn.algorithms import ALGORITHMS
    from tamaya.learn.plan import TrainingPlan

    for name, module in ALGORITHMS.items():
        assert TrainingPlan(name).full_settings() == module.Settings()


def test_training_without_torch_is_skipped_and_named(monkeypatch):
    monkeypatch.setitem(cases.EXTRAS, "tamaya-learn", ("no_such_module_at_all",))
    plan = make_plan(["training"], [2])
    assert plan.skipped["tamaya-learn"] == "not installed: no_such_module_at_all"
    assert {who.system for round in plan.rounds for who in round.contenders} == {"tamaya"}


def test_document_is_json_and_describes_the_machine():
    document = json.loads(json.dumps(run_own("rules", "vector")))
    assert set(document) == {"cases", "skipped", "machine"}
    assert {"python", "numba", "cpus", "load"} <= set(document["machine"])
    assert set(document["skipped"]) == set(PEERS)
    assert document["cases"][-1]["batch"] == loops.LANES
    assert document["cases"][-1]["ratio_to_jaxmarl"] is None


def test_table_rows_have_speedups():
    rows = run_own("table")["cases"]
    assert [row["speedup"] for row in rows if row["threads"] == 1] == 5 * [1]
    assert all(row["speedup"] > 0 for row in rows)


@pytest.mark.slow
def test_strong_agents_are_measured_by_games_of_one_core():
    rows = run_own("strong")["cases"]
    assert {row["players"] for row in rows} == {2, 3, 4}
    assert all(row["unit"] == "games" and row["per_second"] > 10 for row in rows)


def test_ratios_divide_by_the_reference_in_the_same_case():
    fake = tuple(cases.Contender(name, lambda players: spin) for name in ("tamaya", "hle"))
    case = cases.Case("rules", "two that do the same", fake)
    rows = run_plan(Plan([Round(case, 2, fake)], {}), seconds=0.01, repeat=1)["cases"]
    ours, hle = rows
    assert ours["ratio_to_hle"] == ours["per_second"] / hle["per_second"]
    assert hle["ratio_to_hle"] == 1
    assert "ratio_to_jaxmarl" not in ours


def spin(n):
    return sum(1 for _ in range(1000 * n))


def test_peer_that_cannot_be_imported_is_skipped_and_named():
    def broken(players):
        raise ImportError("no such library")

    who = (cases.Contender("hle", broken), cases.Contender("tamaya", lambda players: spin))
    case = cases.Case("rules", "one is broken", who)
    steps = []
    plan = Plan([Round(case, 2, who), Round(case, 5, who)], {})
    n_steps = plan.n_steps(1)
    document = run_plan(plan, 0.01, 1, steps.append)
    assert [row["system"] for row in document["cases"]] == ["tamaya", "tamaya"]
    assert document["skipped"] == {"hle": "cannot be imported: no such library"}
    assert sum(steps) == n_steps


def test_plan_covers_every_case_and_counts_progress():
    plan = make_plan(players=[3], skip=SYSTEMS[1:])  # ours alone
    assert list(dict.fromkeys(round.case.name for round in plan.rounds)) == list(CASES)
    assert all(who.system == "tamaya" for round in plan.rounds for who in round.contenders)
    steps = []
    short = make_plan(["rules", "mover"], [3], SYSTEMS[1:])
    run_plan(short, 0.01, 2, steps.append)
    assert sum(steps) == short.n_steps(2)


def test_missing_peers_are_skipped_and_named(monkeypatch):
    monkeypatch.setitem(PEERS, "jaxmarl", ("no_such_module_at_all",))
    assert make_plan(["vector"]).skipped["jaxmarl"] == "not installed: no_such_module_at_all"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cases": ["speed"]}, "unknown case 'speed': expected one of rules, mover"),
        ({"skip": ["hanabi"]}, "unknown system 'hanabi': expected one of tamaya, "),
    ],
)
def test_unknown_names_list_the_choices(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_plan(**arguments)


@pytest.mark.parametrize(("seconds", "repeat", "message"), [
    (0, 1, "seconds must be above 0 and at most 3600, not 0"),
    (float("nan"), 1, "seconds must be .* not nan"),
    (float("inf"), 1, "seconds must be .* not inf"),
    (1, 0, "repeat must be at least 1, not 0"),
])  # fmt: skip
def test_measuring_needs_time(seconds, repeat, message):
    with pytest.raises(ValueError, match=message):
        run_plan(make_plan(["rules"]), seconds, repeat)


def test_compiling_is_not_part_of_a_rate():
    """The first call of a loop is slow, as if it were compiled; later ones are quick."""
    calls = []

    def loop(n: int) -> int:
        sleep(0.0 if calls else 0.5)
        calls.append(n)
        sleep(0.001 * n)
        return n

    who = (cases.Contender("tamaya", lambda players: loop),)
    case = cases.Case("rules", "slow at first", who, clock=cases.WALL)
    (row,) = run_plan(Plan([Round(case, 2, who)], {}), seconds=0.05, repeat=2)["cases"]
    assert calls[0] == 1
    assert row["lowest"] > 100  # one of 0.5 seconds would be below


def test_every_step_is_announced_before_it_begins():
    said = []

    def prepare(players: int) -> loops.Loop:
        assert said[-1] == "preparing tamaya for rules with 3 players"
        return spin

    who = (cases.Contender("tamaya", prepare),)
    plan = Plan([Round(cases.Case("rules", "spinning", who), 3, who)], {})
    run_plan(plan, 0.01, 1, on_step=said.append)
    assert said[-1] == "measuring rules with 3 players"


@pytest.mark.interpreted
def test_picked_moves_are_legal_and_all_occur():
    masks = np.array([[0, 1, 0, 1, 1], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1]], np.int8)
    moves = np.zeros(3, np.int64)
    seen = [set(), set(), set()]
    state = np.uint64(0)
    for _ in range(200):
        state = np.uint64(own.pick_moves(masks, state, moves))
        for lane in range(3):
            seen[lane].add(int(moves[lane]))
    assert seen == [{1, 3, 4}, {0}, {4}]


@pytest.mark.parametrize("players", [2, 5])
def test_peeking_games_are_long_and_lose_no_life(players):
    games = new_games(1, Rules(players=players))
    out = np.zeros((players, own.hle_length(Rules(players=players))), np.uint8)
    assert own.play_long_games(games, 20, 1, out) > 20 * 35
    assert games[0].lives == 3
    assert out[0].any()
    assert not out[1:].any()


@pytest.mark.parametrize(
    ("module", "loops"),
    [
        ("hanabi_learning_environment", [
            lambda: peers.hle_games(3, 3), lambda: peers.hle_rl_env_games(3),
            lambda: peers.hle_games(2, 1, long=True),
        ]),
        ("pyspiel", [
            lambda: peers.openspiel_games(3, 3), lambda: peers.openspiel_rl_games(3),
            lambda: peers.openspiel_long_games(5),
        ]),
        ("shimmy", [lambda: peers.pettingzoo_games(2)]),
    ],
)  # fmt: skip
def test_loops_of_peers_play_games(module, loops):
    pytest.importorskip(module)
    for loop in loops:
        assert loop()(3) > 9


def test_startup_reports_seconds_of_a_new_interpreter():
    from tamaya.bench.startup import seconds_of

    assert seconds_of("pass") >= 0
    with pytest.raises(ValueError, match="ZeroDivisionError"):
        seconds_of("1 / 0")


def bench(*arguments):
    return run_command("bench", *arguments)


def test_command_prints_one_json_document():
    done = bench("--case", "rules", "--players", "2", "--seconds", "0.01", "--repeat", "1",
                       *(f"--skip={name}" for name in SYSTEMS[1:]), "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["cases"]
    assert (row["case"], row["players"], row["system"]) == ("rules", 2, "tamaya")


def test_decisions_are_shown_with_their_milliseconds():
    done = bench("-c", "search", "-p", "2", "--seconds", "0.01", "--repeat", "1")
    lines = done.stdout.splitlines()
    (head,) = (line for line in lines if "ms each" in line)
    for line in lines:
        if line.startswith("  tamaya"):
            is_decision = "decisions after one hint, 10,000 rollouts" in line
            assert bool(line[head.index("median") + len("median") :].strip()) == is_decision


def test_command_prints_tables_and_names_what_it_skips():
    done = bench("-c", "rules", "-c", "table", "--seconds", "0.01", "--repeat", "1",
                       *(f"--skip={name}" for name in SYSTEMS[1:]))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "rules: rules only" in done.stdout
    assert "x one thread" in done.stdout
    assert "skipped hle: not wanted" in done.stdout


def test_command_refuses_an_unknown_case_in_one_line():
    done = bench("--case", "speed")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("tamaya: unknown case 'speed': expected one of rules,")
    assert done.stderr.count("\n") == 1
