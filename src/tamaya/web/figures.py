"""Figures of a position that players of hanab.live know: pace and efficiency.

    pace        discards that the team can afford and still reach every point that is left:
                points + deck + players - points that can be reached
    efficiency  cards gained per hint: those played, and those in hands that a hint has named and
                that are not known to be useless, by tokens spent or lost
    required    the efficiency from now on that a perfect rest of the game takes

All of it follows from what everybody at the table knows, so it is the same in every seat's eyes.
A token is lost when a play fails (a discard would have earned one) and when a colour is completed
at full tokens.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Standing:
    """What figures are made of: the public part of a position."""

    players: int
    ranks: int
    deck: int
    tokens: int
    is_over: bool
    firework: Sequence[int]  # height per colour
    reach: Sequence[int]  # greatest height per colour that is still possible
    told_masks: Sequence[int]  # of each card in a hand that a hint has named, what hints leave open
    is_rewarded: bool = True  # whether completing a colour returns a token

    @property
    def points(self) -> int:
        """Points made."""
        return sum(self.firework)

    @property
    def missing(self) -> int:
        """Points that can still be made."""
        return sum(self.reach) - self.points

    @property
    def is_open(self) -> bool:
        """Whether there is a deck to plan with."""
        return self.deck > 0 and not self.is_over


def pace(now: Standing) -> int | None:
    """Discards that the team can afford; None once the deck is empty."""
    return now.deck + now.players - now.missing if now.is_open else None


def useless_mask(now: Standing) -> int:
    """Cards that can never score again: played, or beyond what can be reached."""
    mask = 0
    for colour, (height, top) in enumerate(zip(now.firework, now.reach, strict=True)):
        for rank in (*range(height), *range(top, now.ranks)):
            mask |= 1 << (5 * colour + rank)
    return mask


def n_gained(now: Standing) -> int:
    """Cards played, and told ones that are not known to be useless; not more than can score."""
    useless = useless_mask(now)
    n_told = sum(1 for mask in now.told_masks if mask & ~useless)
    return now.points + min(n_told, now.missing)


def n_spent(events: Iterable[Mapping[str, Any]], ranks: int, is_rewarded: bool = True) -> int:
    """Tokens that hints took, and those that were lost."""
    n = 0
    for event in events:
        if event["kind"] == "play":
            earns = is_rewarded and event["scored"] and event["card"] % 5 == ranks - 1
            n += not event["scored"] or (earns and not event["token"])
        elif event["kind"] != "discard":
            n += 1
    return n


def tokens_to_come(now: Standing) -> int:
    """Tokens there are and that a perfect rest of the game can earn before the last round.

    Every move that the pace leaves free is a discard; of the plays, only those that cannot wait
    for the last round complete colours in time, the cheapest first.
    """
    spare = now.deck + now.players - now.missing
    n_discards = min(max(spare, 0), now.deck - 1)
    n_plays = max(0, min(now.missing, now.deck + now.players) - (now.players + 1))
    n_completed = 0
    costs = sorted(
        top - height
        for height, top in zip(now.firework, now.reach, strict=True)
        if height < top == now.ranks
    )
    for cost in costs if now.is_rewarded else ():
        n_plays -= cost
        if n_plays < 0:
            break
        n_completed += 1
    return now.tokens + n_discards + n_completed


def efficiency(now: Standing, spent: int) -> float | None:
    """Cards gained per token so far; None before the first one."""
    return round(n_gained(now) / spent, 2) if spent else None


def required_efficiency(now: Standing) -> float | None:
    """Cards to gain per token from now on; None if there is nothing to plan with."""
    if not now.is_open:
        return None
    n_tokens = tokens_to_come(now)
    n_cards = now.points + now.missing - n_gained(now)
    if n_cards == 0:
        return 0.0
    return round(n_cards / n_tokens, 2) if n_tokens else None
