"""How often and how much at once: what one address may do.

Addresses are counted by ``neighbourhood``: a home network has 2 ** 64 IPv6 addresses, so all
addresses of a network count as one.
"""

from collections import deque
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import monotonic

PREFIX = 64  # bits of an IPv6 address that name a network


def neighbourhood(address: str) -> str:
    """What an address counts as: itself, or the network of an IPv6 address of the internet."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    if not found.is_global:  # all of a house may share one network of this kind
        return str(found)
    return str(IPv6Network((int(found), PREFIX), strict=False))


class Rate:
    """Lets each address do something so many times in so many seconds."""

    def __init__(self, times: int, seconds: float) -> None:
        self.times, self.seconds = times, seconds
        self._done: dict[str, deque[float]] = {}
        self._swept_at = 0.0

    def takes(self, address: str, now: float | None = None) -> bool:
        """Whether it may be done once more; if so, it counts."""
        now = monotonic() if now is None else now
        if now >= self._swept_at + self.seconds:
            self._swept_at = now
            for other in list(self._done):
                self._forget(other, now)
        self._forget(address, now)
        moments = self._done.setdefault(address, deque())
        if len(moments) >= self.times:
            return False
        moments.append(now)
        return True

    def _forget(self, address: str, now: float) -> None:
        """Forget what an address did long ago, and the address if that was all."""
        moments = self._done.get(address)
        while moments and moments[0] <= now - self.seconds:
            moments.popleft()
        if not moments:
            self._done.pop(address, None)


class Bucket:
    """Counts frames of a second: some too many are an error, twice as many the end."""

    def __init__(self, per_second: int) -> None:
        self.per_second = per_second
        self._moments: deque[float] = deque()

    def count(self, now: float) -> int:
        """Frames of the last second, this one included."""
        while self._moments and self._moments[0] <= now - 1.0:
            self._moments.popleft()
        self._moments.append(now)
        return len(self._moments)


class Places:
    """Lets each address have so many of something at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: dict[str, int] = {}

    def __len__(self) -> int:
        return sum(self._taken.values())

    def take(self, address: str) -> bool:
        """Whether there is one more place; if so, it is taken."""
        if self._taken.get(address, 0) >= self.most:
            return False
        self._taken[address] = self._taken.get(address, 0) + 1
        return True

    def give_back(self, address: str) -> None:
        """Free a place that was taken."""
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]


class Guesses:
    """Counts the wrong keys that addresses try; after too many, no key of theirs is looked at.

    The same wrong key again is no new guess: a page that was left open sends its old one with every
    request.
    """

    def __init__(self, times: int, seconds: float) -> None:
        self.times, self.seconds = times, seconds
        self._tried: dict[str, dict[bytes, float]] = {}  # [address][hash of the key] -> when
        self._swept_at = 0.0

    def is_barred(self, address: str, now: float | None = None) -> bool:
        """Whether an address has guessed too often lately."""
        now = monotonic() if now is None else now
        return len(self._lately(address, now)) >= self.times

    def note(self, address: str, key: str, now: float | None = None) -> None:
        """A wrong key was tried."""
        now = monotonic() if now is None else now
        tried = self._lately(address, now)
        tried.setdefault(sha256(key.encode()).digest(), now)
        self._tried[address] = tried

    def _lately(self, address: str, now: float) -> dict[bytes, float]:
        """The keys that an address tried in the last seconds."""
        since = now - self.seconds
        if self._swept_at <= since:
            self._swept_at = now
            for other, tried in list(self._tried.items()):
                if max(tried.values()) <= since:
                    del self._tried[other]
        tried = self._tried.get(address, {})
        return {key: moment for key, moment in tried.items() if moment > since}
