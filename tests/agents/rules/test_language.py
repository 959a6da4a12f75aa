"""The language of rule lists: what it reads, how it prints it again, what it says of mistakes."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import examples
from tamaya.agent import AgentError
from tamaya.agents.rules import library
from tamaya.agents.rules.conditions import FIELDS, HAIL_MARY, RELATIONS, holds_for
from tamaya.agents.rules.family import MAX_LINES, RuleAgent
from tamaya.agents.rules.language import (
    SIZES,
    Condition,
    RuleList,
    RuleListError,
    Step,
    _items,
    parse_rules,
    parse_step,
    step_of,
)
from tamaya.agents.rules.rule import MEMORY, RULES
from tamaya.game import Game
from tamaya.records import GAVE_UP
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

assert library.MODULES

# Any list can be printed and read back.

_NUMBERS = st.integers(-3, 10).map(float) | st.floats(-1e9, 1e9)


def _arguments(rule):
    """Hypothesis: arguments of the types that a rule asks for."""
    kinds = {bool: st.sampled_from([0.0, 1.0]), int: st.integers(-9, 2**40).map(float)}
    return st.tuples(*(kinds.get(type(value), _NUMBERS) for value in rule.parameters.values()))


CONDITIONS = st.one_of(
    st.just(Condition(HAIL_MARY)),
    st.builds(
        Condition, st.integers(0, HAIL_MARY - 1), st.integers(0, len(RELATIONS) - 1), _NUMBERS
    ),
)
STEPS = st.sampled_from(list(RULES.values())).flatmap(
    lambda rule: st.builds(
        Step, st.just(rule), _arguments(rule), st.lists(CONDITIONS, max_size=2).map(tuple)
    )
)
STEP_LISTS = st.lists(STEPS, min_size=1, max_size=8).map(tuple)
RULE_LISTS = st.one_of(
    STEP_LISTS.map(lambda steps: RuleList((steps,) * 4)),
    st.lists(STEP_LISTS, min_size=2, max_size=2).flatmap(
        lambda pair: st.tuples(*[st.sampled_from(pair)] * 4).map(RuleList)
    ),
    st.tuples(*[STEP_LISTS] * 4).map(RuleList),
)


@pytest.mark.interpreted
@examples(120)
@given(RULE_LISTS)
def test_lists_are_read_as_they_are_printed(rules):
    assert parse_rules(str(rules)) == rules
    assert parse_rules(str(rules).replace(",", " ,\n  ").lower()) == rules


@pytest.mark.interpreted
@examples(40)
@given(STEP_LISTS, st.booleans())
def test_specs_and_programs_keep_the_list(steps, faithful):
    text = f"rules:{RuleList((steps,) * 4)},faithful={str(faithful).lower()}"
    agent = find_agent(text)
    again = find_agent(agent.spec)
    assert agent.steps(3) == again.steps(3) == steps
    assert agent.values == again.values
    assert agent.identity == again.identity
    assert step_of(steps[0].line(faithful)[0]) == steps[0]


# What can be written.


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("PlaySafeCard", "PlaySafeCard"),
        ("  playsafecard() ", "PlaySafeCard"),
        ("PlayProbablySafeCard(.25)", "PlayProbablySafe(0.25)"),
        ("PlayProbablySafe(p = 0.6)", "PlayProbablySafe"),
        ("TellUnambiguous1(no)", "TellUnambiguous(no)"),
        ("TellMostInformation(new)", "TellMostInformation(yes)"),
        ("PlayJustHinted(newest, lives=2, p=0.8)", "PlayJustHinted(no,yes,2,0.8)"),
        ("PlayJustHinted(true,FALSE,1)", "PlayJustHinted(yes,no,1)"),
        ("TellAtLeastNUseless(3)", "TellAtLeastNUseless(3)"),
        ("TellUnambiguous2(10,-1)", "TellUnambiguous2(10,-1)"),
        ("IfLives>1:PlaySafeCard", "IfLives>1:PlaySafeCard"),
        ("if lives >= 2 & Tokens!=3 : PlaySafeCard", "IfLives>=2&Tokens!=3:PlaySafeCard"),
        ("iflives=1:playsafecard", "IfLives=1:PlaySafeCard"),
        ("IfHAILMARY&Chance<0.5:LegalRandom", "IfHailMary&Chance<0.5:LegalRandom"),
        ("PlayProbablySafe(0.123456789)", "PlayProbablySafe(0.123456789)"),
        ("IfTurn<1000000:TellUnambiguous2(1e-7)", "IfTurn<1000000:TellUnambiguous2(1e-07)"),
    ],
)
def test_a_step_is_read_in_many_spellings(text, printed):
    step = parse_rules(text).lists[0][0]
    assert str(step) == printed
    assert parse_step(printed) == step


def test_sections_options_and_comments():
    rules = parse_rules("""
        # for the tests
        faithful = false
        [2]  PlaySafeCard, TellUnknown   # two rules, [3] is none
             DiscardRandomly
        [3-5 players]
             PlayJustHinted(yes,
                            no), LegalRandom
    """)
    assert [len(steps) for steps in rules.lists] == [3, 2, 2, 2]
    assert rules.lists[1] == rules.lists[2] == rules.lists[3]
    assert rules.options == (("faithful", "false"),)
    assert str(rules) == (
        "[2]PlaySafeCard,TellUnknown,DiscardRandomly,[3-5]PlayJustHinted(yes),LegalRandom"
    )


def test_sections_may_come_in_any_order():
    rules = parse_rules("[4-5]LegalRandom,[3]PlaySafeCard,[2]LegalRandom")
    assert str(rules) == "[2]LegalRandom,[3]PlaySafeCard,[4-5]LegalRandom"


@pytest.mark.parametrize("players", SIZES)
def test_each_size_plays_its_own_list(players):
    played = play("rules:[2]LegalRandom,[3-4]TellRandomly,[5]PlayProbablySafe(0)",
                  Rules(players=players), 20)  # fmt: skip
    if players == 2:
        assert played.results["n_moves"].max() > 8
    elif players < 5:  # eight hints, and then no rule applies
        assert (played.results["n_moves"] == 8).all()
        assert (played.results["status"] == GAVE_UP).all()
    else:
        assert (played.results["lives"] == 0).any()


# Conditions.


def condition_holds(text: str, game: Game, faithful: bool = True) -> bool:
    """Whether the conditions of a line hold in a position."""
    line = parse_step(f"If{text}:LegalRandom").line(faithful)
    return bool(holds_for(game.view(), np.zeros(1, MEMORY)[0], line[0]))


@pytest.mark.checked
@pytest.mark.interpreted
def test_conditions_compare_what_everybody_sees():
    game = Game(Rules(players=3), seed=2)
    for move in ("h1" + "RYGWB"[game.hands[1][0] // 5], "p0", "p0"):
        game.apply(move)
    record = game.record
    values = {"Lives": record.lives, "Tokens": record.tokens, "Deck": record.deck_size,
              "Points": record.points, "Players": 3, "Turn": 3,
              "Misplays": 3 - record.lives, "Repeats": 0}  # fmt: skip
    assert set(map(str.lower, values)) == set(FIELDS) - {"chance", "hailmary"}
    for name, value in values.items():
        for other in range(int(value) - 1, int(value) + 2):
            holding = {relation for relation in RELATIONS
                       if condition_holds(f"{name}{relation}{other}", game)}  # fmt: skip
            expected = {"<", "<=", "!="} if value < other else {">", ">=", "!="}
            assert holding == ({"<=", ">=", "="} if value == other else expected)
    assert condition_holds("Players=3&Turn=3", game)
    assert not condition_holds("Players=3&Turn=4", game)
    assert not condition_holds("Players=4&Turn=3", game)


def test_misplays_and_repeats_of_others_are_counted():
    game = Game(Rules(players=2), seed=2)
    for move in ("p0", f"h1{game.hands[0][1] % 5 + 1}", "d0"):  # seat 0, seat 1, seat 0
        game.apply(move)
    lost = 3 - int(game.record.lives)
    assert condition_holds(f"Misplays={lost}", game)  # seat 1 looks at what seat 0 lost
    game.apply(f"h1{game.hands[0][0] % 5 + 1}")
    assert condition_holds("Misplays=0", game)  # and seat 0 not at its own
    repeats = sum(int(event["newly"]) == 0 for event in game.events if event["target"] == 0)
    assert condition_holds(f"Repeats={repeats}", game)


def test_chance_is_tossed_at_every_question():
    line = parse_step("IfChance<0.3:LegalRandom").line(True)[0]
    view, memory = Game().view(), np.zeros(1, MEMORY)[0]
    n = sum(holds_for(view, memory, line) for _ in range(3000))
    assert abs(n - 900) < 4 * (3000 * 0.3 * 0.7) ** 0.5


def test_hail_mary_is_never_true_in_the_original():
    game = Game(Rules(players=2, colours=1, hand_size=5))  # ten cards, all of them dealt
    assert game.record.deck_size == 0
    assert not condition_holds("HailMary", game)
    assert condition_holds("HailMary", game, faithful=False)
    game = Game(Rules(players=2, colours=1, hand_size=5, lives=1))
    assert not condition_holds("HailMary", game, faithful=False)
    assert not condition_holds("HailMary", Game(), faithful=False)


# Mistakes.


@pytest.mark.parametrize("piece", [",", "\n", ", (", "[", "(,", "a=", " "])
@pytest.mark.parametrize("end", [")", "!", "x\ny)"])
def test_a_long_text_is_read_in_linear_time(piece, end):
    """Anybody may send one: what takes cubic time would take hours for this one."""
    with pytest.raises(RuleListError):
        parse_rules(f"a={piece * 40_000}{end}")


@given(st.text(alphabet="aB,\n() ", max_size=30))
def test_items_end_at_commas_that_no_bracket_closes(text):
    items = [item.strip() for item in re.split(r"[,\n]+(?![^(]*\))", text)]
    assert _items(text) == [item for item in items if item]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PlaySafeCard,PlaySafeCrd", "unknown rule 'PlaySafeCrd', did you mean 'PlaySafeCard'?"),
        ("tellplayablecardouted", "did you mean 'TellPlayableCardOuter'?"),
        ("PlayProbablySafeCrd(1)", "did you mean 'PlayProbablySafeCard'?"),
        ("Xyzzy", "unknown rule 'Xyzzy'; `tamaya rules` lists all"),
        ("IfMoon>3:LegalRandom", "'Moon>3' in 'IfMoon>3:LegalRandom' is not a condition"),
        ("IfLives>:LegalRandom", "'Lives>' in 'IfLives>:LegalRandom' is not a condition"),
        ("If:LegalRandom", "expected HailMary, or one of Lives, Tokens, Deck, Points, Players"),
        ("IfLives>1&Deck>1&Turn>1:LegalRandom", "has more than 2 conditions"),
        ("PlayProbablySafe(0.5,0.6)", "'0.6' in 'PlayProbablySafe(0.5,0.6)' is too much"),
        ("PlaySafeCard(1)", "'1' in 'PlaySafeCard(1)' is too much: PlaySafeCard takes no argum"),
        ("PlayProbablySafe(q=1)", "PlayProbablySafe has no argument 'q'"),
        ("PlayProbablySafe(x)", "'x' in 'PlayProbablySafe(x)' must be a number (p of"),
        ("PlayProbablySafe(nan)", "'nan' in 'PlayProbablySafe(nan)' must be a number"),
        ("TellUnambiguous2(1,-inf)", "'-inf' in 'TellUnambiguous2(1,-inf)' must be a number"),
        ("TellAtLeastNUseless(1.5)", "'1.5' in 'TellAtLeastNUseless(1.5)' must be a whole number"),
        ("IfLives>1e999:LegalRandom", "'1e999' in 'Lives>1e999' is too large a number"),
        (f"PlayJustHinted(lives={'9' * 400})", "must be a whole number (lives of PlayJustHinted)"),
        ("[[2]LegalRandom", "rules before the first section: '['"),
        ("PlayJustHinted(maybe)", "'maybe' in 'PlayJustHinted(maybe)' must be yes or no"),
        ("PlayProbablySafe(0.6,TellUnknown", "'PlayProbablySafe(0.6' is not a rule"),
        ("PlaySafeCard TellUnknown", "'PlaySafeCard TellUnknown' is not a rule: expected Name"),
        ("PlaySafeCard)", "'PlaySafeCard)' is not a rule"),
        ("[2]LegalRandom,[2-3]PlaySafeCard", "two rule lists for 2 players"),
        ("[2-4]LegalRandom", "no rules for 5 players"),
        ("[2]LegalRandom,[3-5] # none", "no rules for 3 players"),
        ("LegalRandom,[2-5]PlaySafeCard", "rules before the first section: 'LegalRandom,'"),
        ("IfTurn=0:LegalRandom,[2-5]PlaySafeCard", "rules before the first section: 'IfTurn=0"),
        ("[6]LegalRandom", "[6] is not a number of players: expected [2], or a range like [3-5]"),
        ("[two]LegalRandom", "[two] is not a number of players"),
        ("faithful=false", "no rules at all"),
        ("# LegalRandom", "no rules at all"),
    ],
)
def test_mistakes_are_named(text, message):
    with pytest.raises(RuleListError, match=re.escape(message)):
        find_agent(f"rules:{text}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LegalRandom,speed=3", "no parameter 'speed': it has faithful"),
        ("faithful=perhaps,LegalRandom", "'faithful' must be true or false, not 'perhaps'"),
    ],
)
def test_wrong_options_are_named(text, message):
    with pytest.raises(AgentError, match=message):
        find_agent(f"rules:{text}")


def test_an_agent_has_room_for_so_many_rules():
    lists = [",".join(["PlaySafeCard"] * (k + MAX_LINES // 4)) for k in range(-2, 2)]
    text = ",".join(f"[{size}]{steps}" for size, steps in zip(SIZES, lists, strict=True))
    find_agent(f"rules:{text}").compile()  # 78 + 79 + 80 + 81 lines
    with pytest.raises(RuleListError, match=f"more than {MAX_LINES} rules"):
        find_agent(f"rules:{text},PlaySafeCard,PlaySafeCard,PlaySafeCard").compile()
    shared = ",".join(["PlaySafeCard"] * MAX_LINES)
    find_agent(f"rules:{shared}").compile()  # one list serves all sizes


# Files.

FILE = """
name = careful
source = a test
description = Plays what is safe
faithful = false

[2]  # a couple
PlaySafeCard
TellAnyoneAboutUsefulCard
DiscardOldestFirst
[3-5]
IfLives>1:PlayProbablySafe(0.6), TellUnknown
"""


def test_a_file_is_an_agent_at_once(tmp_path):
    path = tmp_path / "x.rules"
    path.write_text(FILE, encoding="utf-8")
    agent = find_agent(str(path))
    assert isinstance(agent, RuleAgent)
    assert (agent.name, agent.source, agent.description) == (
        "careful", "a test", "Plays what is safe"
    )  # fmt: skip
    assert agent.values["faithful"] is False
    assert len(agent.steps(2)) == 3
    assert len(agent.steps(4)) == 2
    played = play(str(path), Rules(players=2), 200)
    assert played.results["score"].mean() > 10
    assert not (played.results["status"] == GAVE_UP).any()
    faithful = play(f"{path}:faithful=true", Rules(players=2), 200)
    assert (faithful.results["status"] == GAVE_UP).any()
    same = find_agent("rules:PlaySafeCard,TellAnyoneAboutUsefulCard,DiscardOldestFirst,"
                      "faithful=false")  # fmt: skip
    assert (play(same, Rules(players=2), 200).results == played.results).all()


def test_a_file_that_changed_is_read_again(tmp_path):
    path = tmp_path / "x.rules"
    path.write_text("LegalRandom", encoding="utf-8")
    before = find_agent(str(path))
    path.write_text("PlaySafeCard", encoding="utf-8")
    after = find_agent(str(path))
    assert str(before.rules) == "LegalRandom"
    assert str(after.rules) == "PlaySafeCard"
    assert before.identity != after.identity
    assert before.name == "x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PlaySafeCard\nPlayUnsafeCard", "x.rules: unknown rule 'PlayUnsafeCard', did you mean"),
        ("speed = 3\nLegalRandom", "x.rules: agent 'x' has no parameter 'speed'"),
        ("faithful = often\nLegalRandom", "'faithful' must be true or false, not 'often'"),
        ("[2]LegalRandom", "x.rules: no rules for 3 players"),
        ("", "x.rules: no rules at all"),
        (b"\xff\xfe", "x.rules: 'utf-8' codec"),
    ],
)
def test_mistakes_in_files_name_the_file(tmp_path, text, message):
    path = tmp_path / "x.rules"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(AgentError, match=re.escape(message)):
        find_agent(str(path))


def test_a_file_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(AgentError, match=r"nothing\.rules does not exist"):
        find_agent(str(tmp_path / "nothing.rules"))


# When no rule applies.


def test_without_a_rule_the_original_gives_up_and_the_repaired_goes_on():
    faithful = play("rules:PlaySafeCard", Rules(players=3), 50).results
    assert (faithful["n_moves"] == 0).all()
    repaired = play("rules:PlaySafeCard,faithful=false", Rules(players=3), 50).results
    assert not (repaired["status"] == GAVE_UP).any()
    assert repaired["lives"].min() == 3


def test_an_argument_is_given_once():
    with pytest.raises(RuleListError, match="'p' is given twice"):
        parse_rules("PlayProbablySafe(0.5,p=0.6)")


def test_what_a_file_says_of_itself_may_contain_commas(tmp_path):
    path = tmp_path / "calm.rules"
    path.write_text(
        "name = calm-1\nsource=me, myself\ndescription=Tells, then waits.\n"
        "faithful=false\nTellUnknown"
    )
    agent = find_agent(str(path))
    assert (agent.name, agent.source, agent.description) == (
        "calm-1", "me, myself", "Tells, then waits.")  # fmt: skip
    assert agent.values["faithful"] is False
    assert agent.spec == "calm-1"
