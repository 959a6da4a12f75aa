"""Records: the rules that are written into them can be read back."""

from hypothesis import given

from support import any_rules, examples
from tamaya.game import Game
from tamaya.records import new_games, read_rules
from tamaya.rules import Rules


@examples(100)
@given(rules=any_rules())
def test_rules_are_read_as_they_were_written(rules):
    assert read_rules(new_games(1, rules)[0]) == rules


def test_a_view_has_the_rules_of_its_game():
    rules = Rules(players=4, bomb="keep", refill="in_place", tokens=5)
    assert read_rules(Game(rules).view(2)) == rules
