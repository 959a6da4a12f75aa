"""How agents did on a deal, for people who have played it: ranks, guests, difficulty.

The analysis engine plays it, as `tamaya deal` would; this module has the jobs and their documents
for the page.
"""

from math import isfinite
from time import monotonic
from typing import Any

from tamaya.arena.deal import Row, ranked
from tamaya.arena.rule_texts import rule_text
from tamaya.cards import card_name
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.player import AgentError
from tamaya.web.analyses import DEALS, Job
from tamaya.web.attempts import Attempt
from tamaya.web.deals import Deals, SharedDeal
from tamaya.web.events import AGENT, PERSON
from tamaya.web.guard import NEEDS_KEY, Refusal
from tamaya.web.opening import hash_of
from tamaya.web.processes import Message
from tamaya.web.questions import EngineError
from tamaya.web.wording import agent_label, joined, seat_names

MOST_JOBS = 100  # whose results stay in memory
RETRY_SECONDS = 60.0  # before a deal that failed is played again
Document = dict[str, Any]


class DealJob(Job):
    """A deal that all agents play."""

    lane = DEALS

    def __init__(self, config: Document) -> None:
        super().__init__()
        self.config = config
        self.progress: Document = {"done": 0, "of": 0}
        self.compiling: Document | None = None
        self.result: Document | None = None
        self.error = ""
        self.failed_at = 0.0

    @property
    def is_worth_a_try(self) -> bool:
        """Whether it failed, but not just now: a page that waits asks every second."""
        return bool(self.error) and monotonic() > self.failed_at + RETRY_SECONDS

    def request(self) -> Message:
        """What the engine is asked."""
        return {"ask": "deal", "config": self.config}

    def hear(self, message: Message) -> None:
        """How far it is, or what came of it."""
        self.compiling = message.get("compiling")
        self.progress = message.get("progress", self.progress)
        self.result = message.get("done", self.result)
        if "error" in message:
            self.error, self.failed_at = message["error"][1], monotonic()


class Comparisons:
    """The deals that agents play or have played since the server was started."""

    def __init__(self, deals: Deals) -> None:
        self.deals = deals
        self._jobs: dict[str, DealJob] = {}

    async def document(
        self, deal: SharedDeal, tokens: list[str], has_key: bool, address: str
    ) -> Document:
        """How agents did on a deal, as far as is known; Refusal for people who have not played it.

        Agents begin to play for who has the key of the server or has played the deal.
        """
        hashes = [hash_of(token) for token in tokens]
        attempts = [found for found in await self.deals.attempts(deal) if found.end is not None]
        mine = next((found for found in attempts if found.seat_of(hashes) is not None), None)
        if mine is None and deal.is_hidden:
            raise Refusal(409, "unplayed", "you have not played this deal yet", deal.id)
        seat = mine.seat_of(hashes) if mine is not None else None
        team = "" if mine is None or seat is None else _others(mine, seat)
        config = config_of(deal, team, seat if team and seat is not None else 0)
        job = self._job(config, address, may_begin=has_key or mine is not None)
        if job.error:
            return {"state": "failed", "text": job.error}
        if job.result is None:
            return {"state": "working", **job.progress, "compiling": job.compiling}
        return {"state": "done", **_told(job.result, attempts, mine, seat)}

    def _job(self, config: Document, address: str, *, may_begin: bool) -> DealJob:
        """The job of a deal, begun if nobody has asked for it, or not since it failed."""
        key = repr(config)
        found = self._jobs.get(key)
        if found is None or (may_begin and found.is_worth_a_try):
            if not may_begin:
                raise Refusal(403, "forbidden", NEEDS_KEY, "X-Tamaya-Key")
            found = DealJob(config)
            found.address = address
            try:
                self.deals.tables.reviews.analyses.submit(found)
            except EngineError as error:
                raise Refusal(503, error.code, error.text) from None
        self._jobs.pop(key, None)
        self._jobs[key] = found
        for old in list(self._jobs)[:-MOST_JOBS]:
            del self._jobs[old]
        return found


def config_of(deal: SharedDeal, team: str, seat: int) -> Document:
    """What `tamaya deal` would be told: a seed if that deals these cards, else the deck."""
    config: Document = {"players": deal.rules.players, "rules": rule_text(deal.rules),
                        "team": team, "seat": seat, "deck": []}  # fmt: skip
    dealt = Game(deal.rules, deal.seed, deal.index)
    if (tuple(dealt.deck), int(dealt.record.start)) == (deal.deck, deal.start):
        return {**config, "seed": deal.seed, "game": deal.index}
    deck = [card_name(card) for card in deal.deck]
    return {**config, "deck": deck, "start": deal.start, "source": f"deal {deal.id}"}


def _others(attempt: Attempt, seat: int) -> str:
    """The agents beside somebody, if it was quick agents alone; else nobody can be replaced."""
    others = [sitter for k, sitter in enumerate(attempt.seats) if k != seat]
    texts = [sitter.agent for sitter in others]
    if any(sitter.kind != AGENT or " " in sitter.agent for sitter in others):
        return ""
    try:
        if any(find_agent(text).is_slow for text in texts):
            return ""
    except AgentError:  # of a file that is no longer there
        return ""
    return texts[0] if len(set(texts)) == 1 else " ".join(texts)


def _told(
    result: Document, attempts: list[Attempt], mine: Attempt | None, seat: int | None
) -> Document:
    """A result with those who have played the deal among the agents."""
    names = {found.table: _people(found) for found in attempts}
    rows = [Row(**{**row, "rank": 0}) for row in result["agents"]]
    for found in attempts:
        assert found.end is not None
        end = found.end
        rows.append(Row(found.table, end["score"], end["score"], end["status"], end["turns"],
                        is_given=True))  # fmt: skip
    told = [
        {**vars(row), "name": names.get(row.name, row.name),
         "table": row.name if row.is_given else None,
         "mine": mine is not None and row.name == mine.table}
        for row in ranked(rows)
    ]  # fmt: skip
    hard = result["difficulty"]
    figures = {name: hard[name] for name in ("points", "se", "share")}
    is_known = all(value is not None and isfinite(value) for value in figures.values())
    return {
        "agents": told,
        "guests": result["guests"],
        "beside": [] if mine is None else _beside(mine, seat),
        "score": mine.end["score"] if mine is not None and mine.end is not None else None,
        "difficulty": {**figures, "panel": len(hard["panel"])} if is_known else None,
    }


def _people(attempt: Attempt) -> str:
    """Those who made an attempt, without the agents beside them."""
    named = zip(attempt.seats, seat_names(attempt.seats), strict=True)
    return joined([name for sitter, name in named if sitter.kind == PERSON]) or "somebody"


def _beside(attempt: Attempt, seat: int | None) -> list[str]:
    """Who sat in the other seats."""
    named = zip(attempt.seats, seat_names(attempt.seats), strict=True)
    return [agent_label(sitter.agent) or name
            for k, (sitter, name) in enumerate(named) if k != seat]  # fmt: skip
