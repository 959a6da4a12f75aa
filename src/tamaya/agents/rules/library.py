"""All rules of the package: importing this module fills the catalogue."""

from tamaya.agents.rules import discards, others, plays, tells, unambiguous

MODULES = (plays, tells, unambiguous, discards, others)
