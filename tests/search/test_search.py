"""Depth-one search: the same by the same seed, better than its blueprint, and it says why."""

from time import perf_counter

import numpy as np
import pytest

from support import decide, replay, run_python
from tamaya.agent import AgentError
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

BLUEPRINTS = ["confidence", "hat-recommendation", "hat-information", "iggi", "random"]


def rules_of(players: int, hand_size: int = 4) -> Rules:
    return Rules(players=players, hand_size=hand_size, bomb="keep", empty_hints=True)


@pytest.mark.parametrize("blueprint", BLUEPRINTS)
def test_the_same_seed_gives_the_same_game_on_any_threads(blueprint):
    agent = find_agent(f"search:blueprint={blueprint},samples=6")
    games = [play(agent, rules_of(3), 4, seed=5, threads=n, record=True) for n in (1, 1, 2)]
    moves = [[played.game(k).moves for k in range(4)] for played in games]
    assert moves[0] == moves[1] == moves[2]


@pytest.mark.parametrize("option", ["bouzy=true", "hints=0", "hints=2", "trust=0.9",
                                    "depth=2,replies=2", "keep=true"])  # fmt: skip
def test_options_play_whole_games(option):
    agent = find_agent(f"search:blueprint=confidence,samples=4,{option}")
    results = play(agent, rules_of(3), 2, seed=1).results
    assert (results["score"] > 5).all()


def test_time_decides_if_asked_to():
    agent, game = find_agent("search:blueprint=confidence,ms=30"), Game(Rules(players=3), seed=1)
    decide(agent, game, 0)  # compiles
    started = perf_counter()
    decide(agent, game, 0)
    assert perf_counter() - started < 1


def mean_and_error(agent: str, rules: Rules, n: int) -> tuple[float, float]:
    scores = play(agent, rules, n, seed=1001).results["score"]
    return scores.mean(), scores.std() / n**0.5


def test_more_samples_are_not_worse():
    rules = Rules(players=2, colours=3, ranks=4, hand_size=3, tokens=4, empty_hints=True)
    few, more, many = (
        play(f"search:blueprint=iggi,samples={n}", rules, 50, seed=1001).results["score"]
        for n in (4, 20, 80)
    )
    for less, better in ((few, more), (more, many)):
        gain = better.astype(int) - less
        assert gain.mean() > -4 * gain.std() / len(gain) ** 0.5
    gain = many.astype(int) - few
    assert gain.mean() > 2 * gain.std() / len(gain) ** 0.5


def test_search_improves_its_blueprint():
    search = mean_and_error("search:blueprint=iggi,samples=40,delta=0.1", rules_of(3, 5), 8)
    alone = mean_and_error("iggi", rules_of(3, 5), 1000)
    assert search[0] > alone[0] + 3 * (search[1] ** 2 + alone[1] ** 2) ** 0.5


def test_it_explains_the_move_it_makes():
    agent = find_agent("search:blueprint=hat-information,samples=20,errors=0")
    game = replay(play("hat-information", rules_of(4), 1, seed=1, record=True).game(0), turns=9)
    seat = Seat(agent, game, game.mover)
    before = seat.memory.tobytes()
    rows = seat.explain()
    assert seat.memory.tobytes() == before
    assert rows[0][0] == "the blueprint's move"
    assert len(rows) > 4
    for _, text in rows[1:]:
        mean, _, rest = text.partition(" ± ")
        assert 0 <= float(mean) <= 25
        assert "gain" in rest and rest.endswith("20 deals")
    means = [float(text.partition(" ± ")[0]) for _, text in rows[1:]]
    assert means == sorted(means, reverse=True)
    own = next(text for reason, text in rows[1:] if reason == rows[0][1])
    assert "gain +0.000 ± 0.000" in own


def test_a_policy_without_a_move_leaves_the_choice_to_search():
    rules = Rules(players=2)
    agent = find_agent("search:blueprint=(rules:PlaySafeCard),samples=2,hints=1")
    assert (play(agent, rules, 1, seed=1).results["n_moves"] > 0).all()


def test_seers_are_searched_with_their_own_cards_known():
    rules = Rules.parse("players=2 hand_size=4 bomb=keep empty_hints=true observation=seer")
    agent = find_agent("search:blueprint=seer-recommendation,samples=40")
    assert mean_and_error(agent, rules, 4)[0] > 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:blueprint=hat-informatoin", "unknown agent 'hat-informatoin', did you mean"),
        ("search:policy=iggi", "has no parameter 'policy'"),
        ("search:samples=many", "'samples' must be a whole number"),
    ],
)
def test_errors_name_what_is_wrong(text, message):
    with pytest.raises(AgentError, match=message):
        find_agent(text)


@pytest.mark.skipif(not JIT, reason="compares with the compiler off")
def test_it_moves_the_same_with_the_compiler_off():
    code = (
        "from tamaya import Rules, find_agent\n"
        "from tamaya.game import Game\n"
        "from tamaya.seat import Seat\n"
        "agent = find_agent('search:blueprint=hat-recommendation,samples=2')\n"
        "game = Game(Rules(players=3, empty_hints=True, colours=2, hand_size=3), seed=2)\n"
        "seats = [Seat(agent, game, seat) for seat in range(3)]\n"
        "for _ in range(4):\n"
        "    game.apply(seats[game.mover].act())\n"
        "print(game.moves)\n"
    )
    answers = [run_python(code, NUMBA_DISABLE_JIT=off) for off in ("0", "1")]
    assert answers[1].returncode == 0, answers[1].stderr
    assert answers[0].stdout == answers[1].stdout
    assert len(np.fromstring(answers[0].stdout.strip("[]\n"), sep=",")) == 4
