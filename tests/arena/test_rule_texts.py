"""Rules as commands take them."""

import pytest

from tamaya.arena.rule_texts import options_text, player_counts, rule_text, rules_for, tables_of
from tamaya.rules import Rules, RulesError


@pytest.mark.parametrize(
    ("text", "counts"), [("3", [3]), ("2-5", [2, 3, 4, 5]), ("5,2-3,2", [5, 2, 3])]
)
def test_player_counts(text, counts):
    assert player_counts(text) == counts


def test_the_usual_hand_of_each_size_unless_it_is_given():
    assert [rules.hand_size for rules in tables_of("2-5", "bomb=keep")] == [5, 5, 4, 4]
    assert [rules.hand_size for rules in tables_of("2,5", "hand_size=3")] == [3, 3]
    with pytest.raises(RulesError, match="with --players, not with --rules"):
        rules_for(2, "players=3")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("players=4", ""),
        ("players=4 hand_size=5", "hand_size=5"),
        ("players=3 hand_size=5 bomb=keep empty_hints=true", "bomb=keep empty_hints=true"),
    ],
)
def test_what_differs_from_the_standard_rules(text, shown):
    assert rule_text(Rules.parse(text)) == shown


def test_options_are_written_as_they_are_read():
    options = {"observation": "seer", "empty_hints": True, "tokens": 3}
    text = options_text(options)
    assert text == "observation=seer empty_hints=true tokens=3"
    rules = Rules.parse(text)
    assert {name: getattr(rules, name) for name in options} == options
