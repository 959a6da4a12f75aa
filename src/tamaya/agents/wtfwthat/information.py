"""The agent ``information``: WTFWThat with the improvements of ``docs/wtfwthat.md``.

It is the code of ``wtfwthat`` with every parameter at the value tuned for the number of players.
"""

from tamaya.agents.wtfwthat.player import WtfwthatAgent
from tamaya.agents.wtfwthat.settings import AS_TUNED, ORIGINAL
from tamaya.registry import register

register(
    WtfwthatAgent(
        "information",
        {name: type(value)(AS_TUNED) if type(value) is float else AS_TUNED
         for name, value in ORIGINAL.items()},
        source="WTFWThat, improved here",
        description="WTFWThat with better discards, more messages and a search of the last turns.",
        files=[__file__],
    )
)  # fmt: skip
