"""Rule sets to evolve over."""

import pytest

from tamaya.evolve.rule_sets import checked_genes, rule_set


def test_rule_sets():
    assert [len(rule_set(name)) for name in ("old", "new", "elites")] == [50, 72, 105]
    assert set(rule_set("new")) <= set(rule_set("tamaya"))
    for name in ("old", "new", "elites", "tamaya"):
        assert len(checked_genes(rule_set(name))) == len(rule_set(name))


def test_rule_set_of_a_file(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text("[2]PlaySafeCard,TellRandomly[3-5]PlaySafeCard,DiscardRandomly")
    assert rule_set(str(path)) == ("PlaySafeCard", "TellRandomly", "DiscardRandomly")


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="unknown rule set 'newest'"):
        rule_set("newest")
    with pytest.raises(ValueError, match="in the set twice"):
        checked_genes(["PlaySafeCard", "playsafecard"])
