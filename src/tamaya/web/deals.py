"""Deals that several people play independently: who has played which, and who may know what.

A deal is identified by a short id: that of a day, of a finished game, or of a seed that somebody
chose. An *attempt* is a table at which people play its deck, however it was opened; only the deck
matters. There are no accounts: somebody *has played* a deal if they send the token of a seat at a
finished attempt. Until then nothing about the deal is revealed: neither its cards, seed and
results, nor any game with this deck, nor how many there are. Tables with the deck of such a deal
are not listed in the lobby, and only people who have played it can watch them.

    day      of a date; its seed is drawn by chance, so that the date tells nobody the cards
    game     of a game that people played here, asked for by one of them
    chosen   of a seed that somebody named, for a table or as such, who may know the cards; attempts
             say so
    open     of a game that anybody may see, imported or of agents alone: nothing is hidden
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import randbits
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, select

from tamaya.game import Game
from tamaya.replays.fields import Field, ReplayError
from tamaya.rules import Rules
from tamaya.store import schema
from tamaya.store.database import StoreError
from tamaya.web.attempts import Attempt, read_attempts
from tamaya.web.events import PLAY_TABLE, WAITING, Opening, TableError
from tamaya.web.guard import NEEDS_KEY, Refusal
from tamaya.web.journal import EntryError, aware, deal_key
from tamaya.web.opening import (
    LARGEST_INDEX,
    check_names,
    hash_of,
    new_id,
    options_of,
    own_seat,
    rules_of,
    seats_of,
    seed_of,
)
from tamaya.web.table import Table

if TYPE_CHECKING:
    from tamaya.web.live import LiveTable
    from tamaya.web.tab import Tab
    from tamaya.web.tables import Tables

DAY, GAME, CHOSEN, OPEN_DEAL = "day", "game", "chosen", "open"
TODAY = "today"
DEAL_ID = re.compile(r"[a-z0-9-]{1,16}")
_OF_A_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-([345]))?")
FIRST = datetime(2000, 1, 1, tzinfo=UTC)  # before all deals
LATE = timedelta(hours=1)  # by which the clocks of two servers may differ
SHORT = 8  # characters of an id, 40 bits: it is no secret
MOST_ATTEMPTS = 200  # that are told


@dataclass(frozen=True)
class SharedDeal:
    """A deal under its id."""

    id: str
    kind: str
    rules: Rules
    start: int
    deck: tuple[int, ...]
    seed: int
    index: int
    created: datetime

    @property
    def key(self) -> str:
        """What tables with these cards have in common."""
        return deal_key(self.rules.to_text(), self.start, self.deck)

    @property
    def is_hidden(self) -> bool:
        """Whether it has to be played before it is told."""
        return self.kind != OPEN_DEAL


class Deals:
    """The deals of a server."""

    def __init__(self, tables: "Tables") -> None:
        self.tables = tables
        self._deals: dict[str, SharedDeal] = {}
        self._by_key: dict[str, SharedDeal] = {}
        self._played: set[tuple[str, str]] = set()  # deal, hash of a token
        self._read_to = FIRST
        self._lock = asyncio.Lock()

    def load(self) -> bool:
        """Read what the store knows and this server does not; whether there was anything new."""
        deals = schema.web_deals
        rows = self.tables.store.read(select(deals).where(deals.c.created >= self._read_to - LATE))
        new = [row for row in rows if row.id not in self._deals]
        for row in new:
            self._keep(SharedDeal(row.id, row.kind, Rules.parse(row.rules), row.start,
                                  tuple(row.deck), int(row.seed), row.game_index,
                                  aware(row.created)))  # fmt: skip
        return bool(new)

    async def refresh(self) -> None:
        """Hear of the deals of other servers with the same store."""
        if await asyncio.to_thread(self.load):
            self.tables.shut()

    def _keep(self, deal: SharedDeal) -> None:
        self._deals[deal.id] = self._by_key[deal.key] = deal
        self._read_to = max(self._read_to, deal.created)

    # Which deal.

    def of(self, table: Table) -> SharedDeal | None:
        """The deal whose cards lie on a table; those of a line are those of its game."""
        opening = table.opening
        assert opening.deck is not None and opening.start is not None
        return self._by_key.get(deal_key(opening.rules.to_text(), opening.start, opening.deck))

    def hides(self, table: Table) -> bool:
        """Whether a table is told only to those who play at it or have played its deal."""
        deal = self.of(table)
        return deal is not None and deal.is_hidden

    def hides_key(self, key: str) -> bool:
        """The same, of a table that is not in memory."""
        deal = self._by_key.get(key)
        return deal is not None and deal.is_hidden

    async def find(self, deal_id: str) -> SharedDeal:
        """The deal of an id; Refusal if there is none."""
        today = datetime.now(UTC).date().isoformat()
        if deal_id == TODAY or deal_id.startswith(f"{TODAY}-"):
            deal_id = today + deal_id.removeprefix(TODAY)
        if deal_id not in self._deals:
            await self.refresh()
        deal = self._deals.get(deal_id)
        found = _OF_A_DAY.fullmatch(deal_id)
        if deal is None and found is not None and found[1] == today:
            rules = Rules(players=int(found[2] or 2))
            return await self._create(deal_id, DAY, Game(rules, seed := randbits(63)), seed)
        if deal is None:
            raise Refusal(404, "no_such_deal", "there is no such deal", "id")
        return deal

    async def _create(
        self, deal_id: str, kind: str, game: Game, seed: int, index: int = 0
    ) -> SharedDeal:
        """Enter a deal; if its cards are known under an id already, that one stays."""
        await self.tables.wait_until_ready()
        created = datetime.now(UTC)
        deal = SharedDeal(deal_id, kind, game.rules, int(game.record.start), tuple(game.deck),
                          seed, index, created)  # fmt: skip
        row = {"id": deal_id, "kind": kind, "rules": deal.rules.to_text(), "start": deal.start,
               "deck": list(deal.deck), "seed": str(seed), "game_index": index, "key": deal.key,
               "created": created}  # fmt: skip

        def enter(connection: Connection) -> None:
            connection.execute(insert(schema.web_deals), [row])

        async with self._lock:
            known = self._deals.get(deal_id) or self._by_key.get(deal.key)
            if known is not None:
                return known
            try:
                await self.tables.writer.put(enter)
            except StoreError as error:
                await self.refresh()
                if isinstance(error, EntryError) and deal_id in self._deals:
                    return self._deals[deal_id]  # another server was first
                text = "the server cannot write to its store"
                raise Refusal(503, "unavailable", text) from None
            self._keep(deal)
        self.tables.shut()
        return deal

    async def by_seed(self, document: object) -> SharedDeal:
        """The deal of a request ``{"rules", "seed", "index"}``; Refusal says what is wrong."""
        try:
            order = Field(document, "")
            check_names(order, ("rules", "seed", "index"))
            rules = rules_of(order.get("rules", "players=2"))
            seed = seed_of(order["seed"])
            if seed is None:
                raise order["seed"].error("expected a seed")
            index = order.get("index", 0).whole("game", 0, LARGEST_INDEX)
        except ReplayError as error:
            raise Refusal(400, "bad_request", error.reason, error.place) from None
        return await self._create(new_id()[:SHORT], CHOSEN, Game(rules, seed, index), seed, index)

    async def of_game(self, table_id: str, token: str | None, has_key: bool) -> SharedDeal:
        """The deal of a finished game; Refusal to who did not play it, or needs the key for it."""
        live = await self.tables.finished(table_id, token)
        table = live.table
        known = self.of(table)
        if known is not None:
            return known
        if table.opening.line is not None:
            raise Refusal(409, "forbidden", "a line of your own is no attempt at a deal", "id")
        if table.kind != PLAY_TABLE:
            kind = OPEN_DEAL
            if not has_key:
                raise Refusal(403, "forbidden", NEEDS_KEY, "X-Tamaya-Key")
        else:
            kind = CHOSEN if table.options.chosen_deal else GAME
            if live.role_of(token).seat is None:
                raise Refusal(
                    403, "forbidden", "only people who played a game can share its deal", "id"
                )
        dealt = Game(table.rules, deck=table.opening.deck, start=table.opening.start)
        return await self._create(new_id()[:SHORT], kind, dealt, table.seed, table.index)

    # Who has played it.

    async def attempts(self, deal: SharedDeal) -> list[Attempt]:
        """All attempts at a deal, oldest first."""
        rules, store = deal.rules.to_text(), self.tables.store
        return await asyncio.to_thread(read_attempts, store, rules, deal.start, deal.deck)

    async def has_played(self, deal: SharedDeal, tokens: Sequence[str]) -> bool:
        """Whether one of some tokens is of a seat at an attempt that is over."""
        hashes = [hash_of(token) for token in tokens]
        if any((deal.id, digest) in self._played for digest in hashes):
            return True
        if not hashes:
            return False
        for attempt in await self.attempts(deal):
            for digest in hashes:
                if attempt.end is not None and attempt.seat_of([digest]) is not None:
                    self._played.add((deal.id, digest))
                    return True
        return False

    async def check_may_see(self, live: "LiveTable", token: str | None) -> None:
        """Refuse a game to whoever may still want to play its deal."""
        await self.refresh()
        deal = self.of(live.table)
        if deal is None or not deal.is_hidden or live.is_own(live.role_of(token)):
            return
        if not await self.has_played(deal, [token] if token else []):
            raise Refusal(409, "unplayed", "you have not played this deal yet", deal.id)

    async def check_may_watch(
        self, live: "LiveTable", tab: "Tab", token: str | None, invite: str | None
    ) -> None:
        """Let a tab look at a table; those of a deal are for players, and for who has played it.

        Whoever is invited may look while the table waits, when there is nothing to see.
        """
        tab.has_played = False
        await self.refresh()
        role = live.role_of(token)
        if not live.is_shut or live.is_own(role):
            return
        deal = self.of(live.table)
        assert deal is not None
        tab.has_played = await self.has_played(deal, [token] if token else [])
        is_invited = (live.is_invite(invite) or role.is_host) and live.table.phase == WAITING
        if not tab.has_played and not (is_invited and live.table.opening.line is None):
            raise TableError("unplayed", "you have not played this deal yet", deal.id)

    # The page of a deal.

    async def document(self, deal: SharedDeal, tokens: Sequence[str]) -> dict[str, Any]:
        """A deal as somebody may know it who has these tokens."""
        hashes = [hash_of(token) for token in tokens]
        attempts = await self.attempts(deal)
        mine = [attempt for attempt in attempts if attempt.seat_of(hashes) is not None]
        is_told = not deal.is_hidden or any(attempt.end is not None for attempt in mine)
        running = [attempt.table for attempt in mine if attempt.end is None]
        found: dict[str, Any] = {
            "id": deal.id,
            "kind": deal.kind,
            "players": deal.rules.players,
            "rules": deal.rules.to_text(),
            "created": deal.created.isoformat(timespec="seconds"),
            "running": running[-1] if running else None,
            "told": is_told,
        }
        if is_told:
            over = [attempt for attempt in attempts if attempt.end is not None]
            rows = [attempt.document(hashes) for attempt in over[-MOST_ATTEMPTS:]]
            found |= {"seed": str(deal.seed), "index": deal.index, "attempts": rows}
        return found

    async def play(
        self, deal: SharedDeal, document: object, tokens: Sequence[str]
    ) -> dict[str, Any]:
        """Open a table for an attempt; one that is not the first is marked as seen."""
        try:
            order = Field(document, "")
            check_names(order, ("seats", "options"))
            wished = seats_of(order["seats"], deal.rules.players)
            if own_seat(wished) is None:
                raise order["seats"].error("one seat has to be yours")
            options = options_of(order.get("options", {}), is_watched=False)
        except ReplayError as error:
            raise Refusal(400, "bad_request", error.reason, error.place) from None
        hashes = [hash_of(token) for token in tokens]
        before = await self.attempts(deal)
        is_seen = not deal.is_hidden or any(
            attempt.seat_of(hashes) is not None for attempt in before
        )
        options = replace(options, undo=False, chosen_deal=deal.kind == CHOSEN, seen_deal=is_seen)
        opening = Opening(new_id(), deal.rules, (), deal.seed, deal.index, options, deal.deck,
                          deal.start, deal=deal.id)  # fmt: skip
        return {**await self.tables.open_as(opening, wished), "seen": is_seen}
