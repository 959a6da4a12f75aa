"""All rules of the package: importing this module fills the catalogue."""

from tamaya.agents.rules import (
    discard_rules,
    hint_rules,
    other_rules,
    play_rules,
    tamaya_rules,
    unambiguous,
)

MODULES = (play_rules, hint_rules, unambiguous, discard_rules, other_rules, tamaya_rules)
