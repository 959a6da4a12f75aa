"""All rules of the package: importing this module fills the catalogue."""

from tamaya.agents.rules import discards, others, own, plays, tells, unambiguous

MODULES = (plays, tells, unambiguous, discards, others, own)
