"""Matches: seats that depend on nothing but the seed, identities that depend on everything."""

import numpy as np
import pytest

from tamaya.arena.match import EACH, ONE, PAIR, Match
from tamaya.fingerprint import source_facts
from tamaya.rules import Rules
from tamaya.table import play


def test_seats_are_the_same_for_everybody_and_every_range():
    one = Match(("certainty", "random"), Rules(players=4), 5, ONE)
    other = Match(("example", "first-legal"), Rules(players=4), 5, ONE)
    assert (one.seats(0, 500) == other.seats(0, 500)).all()
    assert (one.seats(100, 50) == one.seats(0, 500)[100:150]).all()


def test_seats_are_uniform_and_unlike_for_other_seeds():
    match = Match(("certainty", "random"), Rules(players=5), 5, ONE)
    counts = np.bincount(match.seats(0, 20_000), minlength=5)
    assert abs(counts - 4000).max() < 4 * (4000 * 0.8) ** 0.5
    other = Match(match.agents, match.rules, 6, ONE)
    assert (match.seats(0, 100) != other.seats(0, 100)).any()


def test_one_among_copies_plays_the_seating():
    match = Match(("certainty", "example"), Rules(players=3), 2, ONE)
    seatings = match.seatings(10, 200)
    assert (seatings.sum(axis=1) == 2).all()
    direct = play(["certainty", "example"], match.rules, 200, seed=2, first=10, seatings=seatings)
    assert (match.play(10, 200).results == direct.results).all()


def test_one_agent_per_seat():
    match = Match(("certainty", "example"), Rules(players=2), 1, EACH)
    direct = play(["certainty", "example"], match.rules, 50, seed=1)
    assert (match.play(0, 50).results == direct.results).all()


def test_a_pair_plays_the_same_deals():
    tally = Match(("certainty", "certainty"), Rules(players=2), 1, PAIR).tally(0, 100)
    assert tally.difference == (0.0, 0.0)


def test_keys_differ_where_games_could():
    base = Match(("certainty",), Rules(players=2), 1)
    others = [
        Match(("certainty:useless=1",), Rules(players=2), 1),
        Match(("example",), Rules(players=2), 1),
        Match(("certainty",), Rules(players=3), 1),
        Match(("certainty",), Rules(players=2, bomb="keep"), 1),
        Match(("certainty",), Rules(players=2), 2),
        Match(("certainty", "certainty"), Rules(players=2), 1, ONE),
    ]
    assert len({base.key, *(other.key for other in others)}) == 7
    assert base.key == Match(("certainty",), Rules(players=2), 1).key


def test_the_key_covers_the_file_of_an_agent(tmp_path):
    keys = set()
    for slot in (0, 1):
        folder = tmp_path / str(slot)
        folder.mkdir()
        file = folder / "mine.py"
        file.write_text(
            "from tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
            f"@agent('mine')\ndef mine(view, memory, params):\n    return play(view, {slot})\n"
        )
        document = Match((f"{file}:mine",), Rules(players=2), 1).as_dict()
        keys.add(document["code"])
    assert len(keys) == 2


def test_the_code_covers_what_a_file_imports(tmp_path):
    from tamaya.arena.match import code_of

    file, helper = tmp_path / "user.py", tmp_path / "beside.py"
    helper.write_text("SLOT = 0\n")
    file.write_text(
        "from beside import SLOT\nfrom tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
        "@agent('user')\ndef user(view, memory, params):\n    return play(view, SLOT)\n"
    )
    before = code_of.__wrapped__((f"{file}:user",))
    helper.write_text("SLOT = 1\n")
    source_facts.cache_clear()
    assert code_of.__wrapped__((f"{file}:user",)) != before


def test_the_code_covers_the_policy_of_a_search(tmp_path):
    from tamaya.arena.match import code_of

    file = tmp_path / "policy.py"
    file.write_text(
        "from tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
        "@agent('policy')\ndef policy(view, memory, params):\n    return play(view, 0)\n"
    )
    text = f"flat-mc:policy=({file}:policy)"
    before = code_of.__wrapped__((text,))
    file.write_text(file.read_text().replace("0)", "1)"))
    source_facts.cache_clear()
    assert code_of.__wrapped__((text,)) != before


def test_other_code_is_refused_by_a_worker():
    from tamaya.arena.executor import Task, carry_out

    match = Match(("random",), Rules(players=2), 1)
    with pytest.raises(ValueError, match="different code for the agents random"):
        carry_out(Task(match, 0, 1, "0000"))


@pytest.mark.parametrize(
    ("agents", "seating", "message"),
    [
        (("a", "b"), "all", "seating 'all' takes 1 agents, not 2"),
        (("a",), ONE, "seating 'one' takes 2 agents, not 1"),
        (("a",), "some", "seating must be one of"),
    ],
)
def test_wrong_seatings_are_named(agents, seating, message):
    with pytest.raises(ValueError, match=message):
        Match(agents, Rules(players=2), 0, seating)
