"""Agents that were evolved here: every file of rules in this folder is one."""

from pathlib import Path

from tamaya.agents.rules.family import rule_file
from tamaya.registry import register

for _file in sorted(Path(__file__).parent.glob("*.rules")):
    register(rule_file(_file))
