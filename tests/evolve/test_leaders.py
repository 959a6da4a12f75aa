"""Which rules lead."""

import json

from tamaya.evolve.leaders import leaders

LISTS = ["PlayJustHinted,TellUnambiguous,LegalRandom", "TellRandomly,PlaySafeCard,LegalRandom",
         "PlaySafeCard,DiscardOldestFirst"]  # fmt: skip


def test_leaders_are_counted(tmp_path):
    finalists = [{"mean": 1.0, "se": 0.1, "games": 2, "cells": [1.0], "chromosome": [0],
                  "rules": rules, "fitness": 1.0} for rules in LISTS]  # fmt: skip
    (tmp_path / "top.json").write_text(json.dumps(finalists))
    lead = leaders(tmp_path, "mine")
    assert (lead.run, lead.finalists) == ("mine", 3)
    assert (lead.hinted_first, lead.unambiguous_first, lead.play_before_tell) == (1, 1, 2)
    assert lead.first_play[0] == ("PlaySafeCard", 2)
    assert dict(lead.first_tell) == {"TellUnambiguous": 1, "TellRandomly": 1}
    assert lead.as_dict()["finalists"] == 3
