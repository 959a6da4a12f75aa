"""Which rules lead: what the finalists of a run put first, as in Tables VII and VIII."""

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tamaya.agents.rules.language import Step, parse_rules
from tamaya.agents.rules.rule import PLAYS, TELLS
from tamaya.evolve.outcome import finalists_in


@dataclass(frozen=True)
class Leaders:
    """What the finalists of one run have in common."""

    run: str
    finalists: int
    hinted_first: int  # begin with PlayJustHinted or PlayPromised
    unambiguous_first: int  # first tell rule is TellUnambiguous or TellPromise
    play_before_tell: int
    first_play: list[tuple[str, int]]
    first_tell: list[tuple[str, int]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def leaders(folder: Path, name: str) -> Leaders:
    """Count what the finalists of a run put first."""
    lists = [parse_rules(finalist.rules).lists[0] for finalist in finalists_in(folder)]
    plays = [_first(steps, PLAYS) for steps in lists]
    tells = [_first(steps, TELLS) for steps in lists]
    before = sum(
        play is not None and (tell is None or steps.index(play) < steps.index(tell))
        for steps, play, tell in zip(lists, plays, tells, strict=True)
    )
    return Leaders(
        name,
        len(lists),
        sum(steps[0].rule.name in ("PlayJustHinted", "PlayPromised") for steps in lists),
        sum(
            step is not None and step.rule.name.startswith(("TellUnambiguous", "TellPromise"))
            for step in tells
        ),
        before,
        Counter(str(step) for step in plays if step is not None).most_common(3),
        Counter(str(step) for step in tells if step is not None).most_common(3),
    )


def _first(steps: tuple[Step, ...], gate: int) -> Step | None:
    return next((step for step in steps if step.rule.gate == gate), None)
