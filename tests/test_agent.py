"""Agents: parameters, memory, players, descriptions, and what compiling says when it fails."""

import numpy as np
import pytest

from support import decide
from tamaya.agent import (
    Agent,
    AgentError,
    BatchAgent,
    check_players,
    parse_players,
)
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.moves import play as play_slot
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

needs_compiler = pytest.mark.skipif(not JIT, reason="without the compiler nothing is compiled")


def play_the_slot_of_the_parameter(view, memory, params):
    """Plays always the same slot.

    This line is not part of the description.
    """
    return play_slot(view, params.slot if params.is_bold else 0)


SLOT = Agent(
    "slot", play_the_slot_of_the_parameter, params={"slot": 1, "is_bold": True, "unused": 0.5}
)


def no_docstring(view, memory, params):
    return 0


def add_text(view, memory, params):
    """Cannot be compiled."""
    return view.tokens + "one"


def forget_to_return(view, memory, params):
    """Cannot be compiled either: gives a move or nothing."""
    if view.tokens > 3:
        return 1


def return_half(view, memory, params):
    """Returns no move."""
    if view.tokens > 3:
        return 1
    return view.tokens / 2


def call_plain_python(view, memory, params):
    """Calls a function that is not compiled."""
    return no_docstring(view, memory, params)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("values", "move"),
    [({}, 6), ({"slot": 3}, 8), ({"slot": "2"}, 7), ({"slot": 4, "is_bold": False}, 5)],
)
def test_parameters_reach_the_agent(values, move):
    assert decide(SLOT.with_params(values), Game(), 0) == move


def test_other_parameters_make_another_agent():
    other = SLOT.with_params({"slot": 2})
    assert (SLOT.values["slot"], other.values["slot"]) == (1, 2)
    assert other.with_params({"is_bold": False}).values == {
        "slot": 2, "is_bold": False, "unused": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("False", False), ("1", True), ("0", False)]
)
def test_a_switch_reads_true_and_false(text, value):
    assert SLOT.with_params({"is_bold": text}).values["is_bold"] is value


def test_a_number_with_a_point_reads_whole_numbers_too():
    values = SLOT.with_params({"unused": 2}).values
    assert values["unused"] == 2.0 and isinstance(values["unused"], float)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("slot", "many", "parameter 'slot' must be a whole number, not 'many'"),
        ("slot", 2.5, "parameter 'slot' must be a whole number, not '2.5'"),
        ("slot", "", "parameter 'slot' must be a whole number, not ''"),
        ("is_bold", "maybe", "parameter 'is_bold' must be true or false, not 'maybe'"),
        ("unused", "half", "parameter 'unused' must be a number, not 'half'"),
        ("sloth", 1, "has no parameter 'sloth': it has slot, is_bold, unused"),
    ],
)
def test_a_bad_parameter_is_named(key, value, message):
    with pytest.raises(AgentError, match=f"agent 'slot'.*{message}"):
        SLOT.with_params({key: value})


def test_the_spec_names_what_differs_from_the_default():
    assert SLOT.spec == "slot"
    assert SLOT.with_params({"slot": 2, "is_bold": False}).spec == "slot:slot=2,is_bold=False"
    assert repr(SLOT.with_params({"slot": 1})) == "<Agent slot>"


def test_a_spec_is_read_back_by_the_registry():
    certainty = find_agent("certainty:useless=0.25")
    assert find_agent(certainty.spec).values == certainty.values != certainty.defaults


def test_the_description_is_the_first_line_of_the_docstring():
    assert SLOT.description == "Plays always the same slot."
    assert Agent("bare", no_docstring).description == (__doc__ or "").strip()


def test_a_fresh_memory_is_zero_but_for_its_generator():
    agent = Agent("counter", no_docstring, memory=[("n", np.int64), ("seen", np.int8, 5)])
    memory = agent.new_memory(seed=-1)
    assert (memory.rng, memory.n, memory.seen.tolist()) == (2**64 - 1, 0, [0] * 5)


def test_functions_are_compiled_once():
    assert SLOT.compile() is SLOT.compile()
    assert SLOT.with_params({}).compile() is not SLOT.compile()


@pytest.mark.parametrize(("text", "bounds"), [("2", (2, 2)), ("2-5", (2, 5)), ("3-4", (3, 4))])
def test_numbers_of_players_are_read(text, bounds):
    assert parse_players(text) == bounds


@pytest.mark.parametrize("text", ["", "1", "6", "5-2", "1-3", "4-6", "two", "2-x", "-"])
def test_what_is_no_number_of_players_is_quoted(text):
    with pytest.raises(AgentError, match=f"'{text}' is not a number of players"):
        parse_players(text)


@pytest.mark.parametrize("kind", [Agent, BatchAgent])
def test_an_agent_sits_only_at_tables_of_its_size(kind):
    player = kind("quiet", no_docstring, players="3-4")
    check_players(player, 3)
    check_players(player, 4)
    for players in (2, 5):
        with pytest.raises(AgentError, match=f"'quiet' plays with 3 to 4 players, not {players}"):
            check_players(player, players)


@needs_compiler
@pytest.mark.parametrize("function", [add_text, forget_to_return, call_plain_python])
def test_an_agent_that_does_not_compile_says_where_and_why_in_one_line(function):
    with pytest.raises(AgentError) as error:
        Agent("broken", function).compile()
    message = str(error.value)
    assert message.startswith(f"agent 'broken' does not compile ({__file__}, line ")
    assert "\n" not in message and "\x1b" not in message
    line = int(message.partition("line ")[2].partition(")")[0])
    first = function.__code__.co_firstlineno
    assert first <= line <= first + 4
    assert len(message.partition("): ")[2]) > 10


@pytest.mark.parametrize(
    ("function", "reason"),
    [(return_half, "it returns float64, but a move is a whole number"),
     (forget_to_return, "it returns nothing on some path, but a move is a whole number")],
)  # fmt: skip
@needs_compiler
def test_what_is_no_move_is_refused_by_the_compiler(function, reason):
    with pytest.raises(AgentError, match=rf"agent 'odd' does not compile .*\): {reason}"):
        Agent("odd", function).compile()


@pytest.mark.skipif(JIT, reason="the compiler refuses it")
def test_what_is_no_move_is_refused_by_the_interpreter():
    with pytest.raises(AgentError, match=r"it returns 1\.5, but a move is a whole number"):
        decide(Agent("odd", return_half), Game(Rules(tokens=3)), 0)


@needs_compiler
def test_a_broken_agent_does_not_reach_the_table():
    with pytest.raises(AgentError, match="agent 'broken' does not compile"):
        play(Agent("broken", add_text), games=1)


def test_a_parameter_of_another_kind_is_refused_and_named():
    with pytest.raises(AgentError, match="style"):
        Agent("wordy", no_docstring, params={"style": "bold"}).compile()


def test_batch_agents_describe_themselves():
    player = BatchAgent("network", no_docstring, encoder="views", state_size=3)
    assert (player.spec, repr(player), player.state_size) == ("network", "<BatchAgent network>", 3)


@needs_compiler
def test_variants_of_a_family_share_their_code():
    family = find_agent("certainty")
    one, other = (family.with_params({"useless": value}).compile() for value in (0.25, 0.75))
    assert one.act == other.act
    assert one.params["useless"] != other.params["useless"]
