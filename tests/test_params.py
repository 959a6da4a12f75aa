"""Parameters of agents: reading, bounds, former names, records, texts."""

import numpy as np
import pytest

from tamaya.agent import Agent, AgentError
from tamaya.params import Params, parse_items, split_outside_brackets

GREEDY = Params(
    {"greed": 0.5, "depth": 3, "is_bold": False},
    least={"depth": 1},
    most={"greed": 1.0},
    aliases={"layers": "depth", "brave": "is_bold"},
).owned_by("greedy")


def test_values_change_and_defaults_stay():
    other = GREEDY.changed({"greed": "0.25", "depth": 5})
    assert other.values == {"greed": 0.25, "depth": 5, "is_bold": False}
    assert other.defaults == GREEDY.defaults == GREEDY.values
    assert other.text == "greed=0.25,depth=5" and GREEDY.text == ""


def test_former_names_are_read_and_never_written():
    other = GREEDY.changed({"layers": "7", "brave": True})
    assert other.values == {"greed": 0.5, "depth": 7, "is_bold": True}
    assert other.text == "depth=7,is_bold=True"
    assert "layers" not in other.settings


def test_one_parameter_under_two_names_is_refused():
    with pytest.raises(AgentError, match="agent 'greedy': 'layers' is another name of the param"):
        GREEDY.changed({"depth": 2, "layers": 3})


@pytest.mark.parametrize("aliases", [{"layers": "width"}, {"greed": "depth"}])
def test_an_alias_stands_for_a_parameter_and_is_none(aliases):
    with pytest.raises(AgentError, match=r"agent 'x': .* cannot stand for"):
        Params(GREEDY.defaults, aliases=aliases).owned_by("x")


def test_values_below_the_lowest_are_refused():
    assert GREEDY.changed({"depth": 1}).values["depth"] == 1
    with pytest.raises(AgentError, match="'greedy': parameter 'depth' must be at least 1, not 0"):
        GREEDY.changed({"layers": 0})


def test_values_above_the_highest_are_refused():
    assert GREEDY.changed({"greed": 1}).values["greed"] == 1.0
    with pytest.raises(AgentError, match=r"'greedy': parameter 'greed' must be at most 1\.0"):
        GREEDY.changed({"greed": 2})


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e400"])
def test_numbers_are_finite(text):
    with pytest.raises(AgentError, match="'greedy': parameter 'greed' must be a finite number"):
        GREEDY.changed({"greed": text})


def test_whole_numbers_fit_into_records():
    largest = 2**63 - 1
    assert GREEDY.changed({"depth": largest}).record()[0].depth == largest
    with pytest.raises(AgentError, match="'depth' must be a number of 64 bits, not 9223372036854"):
        GREEDY.changed({"depth": largest + 1})


@pytest.mark.parametrize("text", ["9" * 1000, "9" * 10_000, "x" * 10_000])
def test_messages_do_not_grow_with_the_value(text):
    with pytest.raises(AgentError, match=r"'depth' must be .* not .*(9{9}|x{9})") as found:
        GREEDY.changed({"depth": text})
    assert len(str(found.value)) < 150


def test_a_preset_has_other_defaults_and_another_owner():
    deep = GREEDY.preset("deep", {"layers": 9})
    assert deep.defaults == deep.values == {"greed": 0.5, "depth": 9, "is_bold": False}
    assert deep.text == "" and deep.changed({"depth": 3}).text == "depth=3"
    with pytest.raises(AgentError, match="agent 'deep' has no parameter 'width': it has greed"):
        deep.changed({"width": 1})


def test_the_record_has_a_field_for_each_parameter():
    record = GREEDY.changed({"is_bold": True}).record()
    assert record.dtype.names == ("greed", "depth", "is_bold")
    assert record[0].item() == (0.5, 3, 1)
    assert Params().record().dtype.names == ("unused",)


def test_a_family_may_supply_its_own_record():
    class Squares(Params):
        def record(self):
            return np.array([tuple(value**2 for value in self.values.values())], [("side", "i8")])

    def act(view, memory, params):
        return 0

    family = Agent("square", act, params=Squares({"side": 3}))
    assert family.with_params({"side": 4}).params.record()["side"] == 16
    assert family.preset("big", side=9).params.record()["side"] == 81


def test_an_agent_reads_former_names_in_texts_and_mappings():
    def act(view, memory, params):
        return 0

    player = Agent("layered", act, params={"depth": 3}, aliases={"layers": "depth"})
    for other in (player.with_text("layers=5"), player.with_params({"layers": 5})):
        assert (other.spec, other.values) == ("layered:depth=5", {"depth": 5})


def test_items_of_a_text():
    assert parse_items("a=1, b =(c=2,d=3)") == {"a": "1", "b": "(c=2,d=3)"}
    with pytest.raises(AgentError, match="'b' is not key=value"):
        parse_items("a=1,b")


def test_commas_in_brackets_do_not_split():
    assert split_outside_brackets("a=(b,(c,d)),e") == ["a=(b,(c,d))", "e"]
    assert split_outside_brackets("") == [""]
    with pytest.raises(AgentError, match="unbalanced brackets"):
        split_outside_brackets("a=(b")
